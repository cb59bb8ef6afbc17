//! The operations tagged `Contacts`.

use generated_server::{contacts::*, models::*, runtime::json};

use super::{failure::refused, idempotency, prelude::*};
use crate::{
    domain::refusal::Refusal,
    store::{record::Record, resource::CONTACTS},
};

impl Contacts for Service {
    type Principal = Token;

    async fn post_contact_summary_info(
        &self,
        call: Call<Token>,
        request: PostContactSummaryInfo,
    ) -> Result<PostContactSummaryInfoResponse, Failure<PostContactSummaryInfo>> {
        let key = idempotency::key(self, request.idempotency_key, &[&json::to_vec(&request.body)]);
        let record = Record::of_body(&CONTACTS, &request.body, check(&request.body)).map_err(refused)?;
        let created = self.records(&call).create_contact(record, key).await?;
        // A token that may not read contacts gets only the id.
        let result = if call.principal().grants.allow("read:crm") {
            created.value
        } else {
            ContactSummary { id: created.value.id, ..ContactSummary::default() }
        };
        let idempotency_replayed = idempotency::replayed(created.is_replayed);
        Ok(PostContactSummaryInfoResponse { idempotency_replayed, body: answer!(ContactSummaryResponse, result) })
    }

    async fn get_contacts_list_summary(
        &self,
        call: Call<Token>,
        request: GetContactsListSummary,
    ) -> Result<GetContactsListSummaryResponse, Failure<GetContactsListSummary>> {
        let paging = paging!(request);
        let filter = Filter::default()
            .and("AccountId", Test::is, request.filter_account_id)
            .and("AccountName", Test::Contains, request.filter_account_name)
            .and("FirstName", Test::Contains, request.filter_first_name)
            .and("LastName", Test::Contains, request.filter_last_name)
            .and("Phones", Test::Contains, request.filter_phone)
            .and("Emails", Test::Contains, request.filter_email)
            .and("CreatedOn", Test::From, request.filter_created_on_from)
            .and("CreatedOn", Test::To, request.filter_created_on_to)
            .and("ModifiedOn", Test::From, request.filter_modified_on_from)
            .and("ModifiedOn", Test::To, request.filter_modified_on_to)
            .and("IsActive", Test::is, request.filter_is_active);
        let query = paging.query(filter, &resource::CONTACT_SUMMARY)?;
        let listed = self.records(&call).contact_summaries(query).await?;
        let link = paging.links(call.uri(), &listed);
        Ok(GetContactsListSummaryResponse { link, body: answer!(ContactPage, listed.records, total: listed.total) })
    }
}

/// Maximum length of a contact as JSON: a page of a hundred contacts must fit into a response.
const MOST_BYTES: usize = 16 << 10;

/// The rules of a POST that neither the description nor the resource rows express.
fn check(body: &ContactInput) -> Vec<Refusal> {
    let bytes = json::to_vec(body).len();
    let detail = format!("has {bytes} bytes as JSON, at most {MOST_BYTES}");
    let weight = (bytes > MOST_BYTES).then(|| Refusal::new("", "maxLength", detail));
    let emails = body.emails.value().into_iter().flatten().enumerate();
    let wrong =
        emails.filter(|(_, email)| email.email_address.as_deref().is_some_and(|address| !address.contains('@')));
    let refusal =
        |(index, _)| Refusal::new(format!("/Emails/{index}/EmailAddress"), "format", "is not an email address");
    weight.into_iter().chain(wrong.map(refusal)).collect()
}
