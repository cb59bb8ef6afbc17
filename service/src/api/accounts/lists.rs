//! Lists of accounts, and of the contacts of one.

use generated_server::{
    accounts::*,
    models::*,
    runtime::{
        json::Maybe,
        server::{Call, Failure},
    },
};

use crate::{
    api::{
        Service,
        list::{paging, total},
    },
    domain::{
        account::{AccountFilter, AccountLookupFilter, TimeRange},
        caller::Caller,
        contact::ContactLookupFilter,
    },
    store::shape,
};

/// `GET /v2/crm/accounts/lookup`
pub(super) async fn lookup(
    service: &Service,
    call: &Call<Caller>,
    request: &GetAccounts,
) -> Result<GetAccountsResponse, Failure<GetAccounts>> {
    let filter = AccountLookupFilter {
        ids: request.filter_ids.clone().unwrap_or_default(),
        name: request.filter_name.clone(),
        with_inactive: request.filter_with_inactive_accounts.unwrap_or(false),
    };
    let paging = paging!(request);
    let query = paging.query(filter, &shape::ACCOUNT_LOOKUP)?;
    let window = query.window;
    let listed = service.records(call).account_lookup(query).await?;
    Ok(GetAccountsResponse {
        link: paging.links(call.uri(), window, &listed),
        body: AccountLookupList { success: Some(true), result: Maybe::Value(listed.records), ..Default::default() },
    })
}

/// `GET /v2/crm/accounts/summary`
pub(super) async fn summaries(
    service: &Service,
    call: &Call<Caller>,
    request: GetAccountsListSummary,
) -> Result<GetAccountsListSummaryResponse, Failure<GetAccountsListSummary>> {
    let paging = paging!(request);
    let filter = AccountFilter {
        name: request.filter_account_name.clone(),
        code: request.filter_account_code.clone(),
        type_id: request.filter_account_type_id,
        type_name: request.filter_account_type_name.clone(),
        created: TimeRange { from: request.filter_created_on_from, to: request.filter_created_on_to },
        modified: TimeRange { from: request.filter_modified_on_from, to: request.filter_modified_on_to },
        is_active: request.filter_is_active,
    };
    let query = paging.query(filter, &shape::ACCOUNT_SUMMARY)?;
    let window = query.window;
    let listed = service.records(call).account_summaries(query).await?;
    Ok(GetAccountsListSummaryResponse {
        link: paging.links(call.uri(), window, &listed),
        body: AccountSummaryPage {
            success: Some(true),
            result: Maybe::Value(listed.records),
            total_records: Some(total(listed.total)),
            ..Default::default()
        },
    })
}

/// `GET /v2/crm/accounts/{accountId}/contacts/lookup`
pub(super) async fn contacts(
    service: &Service,
    call: &Call<Caller>,
    request: &GetAccountContacts,
) -> Result<GetAccountContactsResponse, Failure<GetAccountContacts>> {
    let filter = ContactLookupFilter { name: request.filter_name.clone(), location_id: request.filter_location_id };
    let paging = paging!(request);
    let query = paging.query(filter, &shape::CONTACT_LOOKUP)?;
    let window = query.window;
    let listed = service
        .records(call)
        .account_contacts(request.account_id, query)
        .await?
        .ok_or_else(|| Failure::not_found("account", request.account_id))?;
    Ok(GetAccountContactsResponse {
        link: paging.links(call.uri(), window, &listed),
        body: ContactLookupList { success: Some(true), result: Maybe::Value(listed.records), ..Default::default() },
    })
}
