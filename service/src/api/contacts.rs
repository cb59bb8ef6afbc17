//! The operations tagged `Contacts`.

use generated_server::{
    contacts::*,
    models::*,
    runtime::{
        json::{self, Maybe},
        server::{Call, Failure},
    },
};

use super::{
    Service,
    failure::violation,
    idempotency,
    list::{paging, total},
};
use crate::domain::{
    account::TimeRange,
    caller::Caller,
    contact::{ContactFilter, NewContact, NewCustomField, NewEmail, NewPhone},
    list::shape,
    refusal::Refusal,
    text::{has_nul, is_blank, refuse_name},
};

impl Contacts for Service {
    type Principal = Caller;

    async fn post_contact_summary_info(
        &self,
        call: Call<Caller>,
        request: PostContactSummaryInfo,
    ) -> Result<PostContactSummaryInfoResponse, Failure<PostContactSummaryInfo>> {
        let key = idempotency::key(self, request.idempotency_key, &[&json::to_vec(&request.body)]);
        let contact = new_contact(request.body)
            .map_err(|refusals| Failure::unprocessable(refusals.into_iter().map(violation).collect()))?;
        let created = self.records(&call).create_contact(contact, key).await?;
        Ok(PostContactSummaryInfoResponse {
            idempotency_replayed: idempotency::replayed(created.is_replayed),
            body: ContactSummaryResponse { success: Some(true), result: Some(created.value), ..Default::default() },
        })
    }

    async fn get_contacts_list_summary(
        &self,
        call: Call<Caller>,
        request: GetContactsListSummary,
    ) -> Result<GetContactsListSummaryResponse, Failure<GetContactsListSummary>> {
        let paging = paging!(request);
        let filter = ContactFilter {
            account_id: request.filter_account_id,
            account_name: request.filter_account_name.clone(),
            first_name: request.filter_first_name.clone(),
            last_name: request.filter_last_name.clone(),
            phone: request.filter_phone.clone(),
            email: request.filter_email.clone(),
            created: TimeRange { from: request.filter_created_on_from, to: request.filter_created_on_to },
            modified: TimeRange { from: request.filter_modified_on_from, to: request.filter_modified_on_to },
            is_active: request.filter_is_active,
        };
        let query = paging.query(filter, &shape::CONTACT_SUMMARY)?;
        let window = query.window;
        let listed = self.records(&call).contact_summaries(query).await?;
        Ok(GetContactsListSummaryResponse {
            link: paging.links(call.uri(), window, &listed),
            body: ContactPage {
                success: Some(true),
                result: Maybe::Value(listed.records),
                total_records: Some(total(listed.total)),
                ..Default::default()
            },
        })
    }
}

/// The contact of a POST, or every rule that it breaks. The contract requires no member, but a contact without an
/// account, a location or a name is of no use to anybody.
fn new_contact(body: ContactInput) -> Result<NewContact, Vec<Refusal>> {
    let mut refusals = Vec::new();
    let mut required = |member: &str, id: Option<i32>| {
        id.unwrap_or_else(|| {
            refusals.push(Refusal::new(member, "required", "is missing"));
            0
        })
    };
    let account_id = required("/AccountId", body.account_id);
    let location_id = required("/LocationId", body.location_id);
    let named = |name: &Maybe<String>| name.as_deref().is_some_and(|name| !is_blank(name));
    if !named(&body.first_name) && !named(&body.last_name) {
        refusals.push(Refusal::new("", "required", "has neither FirstName nor LastName"));
    }
    let phones = body.phones.into_option().unwrap_or_default();
    let emails = body.emails.into_option().unwrap_or_default();
    let custom_fields = body.custom_fields_data.into_option().unwrap_or_default();
    for (index, phone) in phones.iter().enumerate() {
        let pointer = format!("/Phones/{index}/PhoneNumber");
        refusals.extend(match phone.phone_number.as_deref() {
            Some(number) => refuse_name(pointer, number),
            None => Some(Refusal::new(pointer, "required", "is missing")),
        });
    }
    for (index, email) in emails.iter().enumerate() {
        if !email.email_address.as_deref().is_some_and(|address| address.contains('@') && !has_nul(address)) {
            refusals.push(Refusal::new(format!("/Emails/{index}/EmailAddress"), "format", "is not an email address"));
        }
    }
    if !refusals.is_empty() {
        return Err(refusals);
    }
    Ok(NewContact {
        first_name: body.first_name.into_option(),
        last_name: body.last_name.into_option(),
        account_id,
        location_id,
        phones: phones
            .into_iter()
            .map(|phone| NewPhone {
                number: phone.phone_number.into_option(),
                type_id: phone.phone_type_id.unwrap_or(1),
                is_default: phone.is_default.unwrap_or(false),
            })
            .collect(),
        emails: emails
            .into_iter()
            .map(|email| NewEmail {
                address: email.email_address.into_option(),
                type_id: email.email_type_id.unwrap_or(1),
                is_default: email.is_default.unwrap_or(false),
            })
            .collect(),
        custom_fields: custom_fields
            .into_iter()
            .map(|field| NewCustomField {
                custom_field_id: field.custom_field_id.unwrap_or(0),
                settings_id: field.settings_id.into_option(),
                data: field.data.into_option(),
            })
            .collect(),
    })
}
