//! One account, and what belongs to it.

use generated_server::{
    accounts::*,
    models::*,
    runtime::{
        json::Maybe,
        server::{Call, Failure},
    },
};

use crate::{
    api::Service,
    domain::{account::AlertKind, caller::Caller},
};

/// `GET /v2/crm/accounts/summary/{id}`
pub(super) async fn summary(
    service: &Service,
    call: &Call<Caller>,
    id: i32,
) -> Result<GetAccountSummaryResponse, Failure<GetAccountSummary>> {
    let found = service.records(call).account_summary(id).await?;
    let body = found.ok_or_else(|| Failure::not_found("account", id))?;
    Ok(GetAccountSummaryResponse { etag: None, body })
}

/// `GET /v2/crm/accounts/{accountId}/locations/lookup`
pub(super) async fn locations(
    service: &Service,
    call: &Call<Caller>,
    account: i32,
) -> Result<AccountLocationLookupList, Failure<GetAccountLocations>> {
    let found = service.records(call).account_locations(account).await?;
    Ok(AccountLocationLookupList {
        success: Some(true),
        result: Maybe::Value(found.ok_or_else(|| Failure::not_found("account", account))?),
        ..Default::default()
    })
}

/// `GET /v2/crm/accounts/{accountId}/locations/{locationId}`
pub(super) async fn location(
    service: &Service,
    call: &Call<Caller>,
    request: &GetAccountLocation,
) -> Result<AccountLocationResponse, Failure<GetAccountLocation>> {
    let records = service.records(call);
    let found = records.account_location(request.account_id, request.location_id).await?;
    Ok(AccountLocationResponse {
        success: Some(true),
        result: Some(found.ok_or_else(|| Failure::not_found("location", request.location_id))?),
        ..Default::default()
    })
}

/// `GET /v2/crm/accounts/{accountId}/contacts/{contactId}/summaryinfo`
pub(super) async fn contact(
    service: &Service,
    call: &Call<Caller>,
    request: &GetAccountContactSummaryInfo,
) -> Result<ContactSummaryInfoResponse, Failure<GetAccountContactSummaryInfo>> {
    let records = service.records(call);
    let found = records.contact_summary_info(request.account_id, request.contact_id).await?;
    Ok(ContactSummaryInfoResponse {
        success: Some(true),
        result: Some(found.ok_or_else(|| Failure::not_found("contact", request.contact_id))?),
        ..Default::default()
    })
}

/// `GET /v2/crm/accounts/{accountId}/alerts/{accountAlertType}`
pub(super) async fn alert(
    service: &Service,
    call: &Call<Caller>,
    request: &GetAccountAlert,
) -> Result<AccountAlertResponse, Failure<GetAccountAlert>> {
    let kind = match request.account_alert_type {
        AccountAlertType::AccountDetails => AlertKind::AccountDetails,
        AccountAlertType::NewTicket => AlertKind::NewTicket,
        AccountAlertType::TicketDetails => AlertKind::TicketDetails,
    };
    let found = service.records(call).account_alert(request.account_id, kind).await?;
    Ok(AccountAlertResponse {
        success: Some(true),
        result: Some(found.ok_or_else(|| Failure::not_found("account", request.account_id))?),
        ..Default::default()
    })
}
