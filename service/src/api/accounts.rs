//! The operations tagged `Accounts`.

mod change;

use generated_server::{accounts::*, models::*};

use super::prelude::*;

impl Accounts for Service {
    type Principal = Token;

    async fn get_accounts(
        &self,
        call: Call<Token>,
        request: GetAccounts,
    ) -> Result<GetAccountsResponse, Failure<GetAccounts>> {
        let paging = paging!(request);
        let only_active = !request.filter_with_inactive_accounts.unwrap_or(false);
        let filter = Filter::default()
            .and("Id", Test::OneOf, request.filter_ids)
            .and("Name", Test::Contains, request.filter_name)
            .and("IsActive", Test::is, only_active.then_some(true));
        let query = paging.query(filter, &resource::ACCOUNT_LOOKUP)?;
        let listed = self.records(&call).list(&resource::ACCOUNT_LOOKUP, query).await?;
        let link = paging.links(call.uri(), &listed);
        Ok(GetAccountsResponse { link, body: answer!(AccountLookupList, listed.records) })
    }

    async fn get_accounts_list_summary(
        &self,
        call: Call<Token>,
        request: GetAccountsListSummary,
    ) -> Result<GetAccountsListSummaryResponse, Failure<GetAccountsListSummary>> {
        let paging = paging!(request);
        let filter = Filter::default()
            .and("AccountName", Test::Contains, request.filter_account_name)
            .and("AccountCode", Test::is, request.filter_account_code)
            .and("AccountTypeId", Test::is, request.filter_account_type_id)
            .and("AccountType", Test::Contains, request.filter_account_type_name)
            .and("CreatedOn", Test::From, request.filter_created_on_from)
            .and("CreatedOn", Test::To, request.filter_created_on_to)
            .and("ModifiedOn", Test::From, request.filter_modified_on_from)
            .and("ModifiedOn", Test::To, request.filter_modified_on_to)
            .and("IsActive", Test::is, request.filter_is_active);
        let query = paging.query(filter, &resource::ACCOUNT_SUMMARY)?;
        let listed = self.records(&call).account_summaries(query).await?;
        let link = paging.links(call.uri(), &listed);
        let body = answer!(AccountSummaryPage, listed.records, total: listed.total);
        Ok(GetAccountsListSummaryResponse { link, body })
    }

    async fn get_account_summary(
        &self,
        call: Call<Token>,
        request: GetAccountSummary,
    ) -> Result<GetAccountSummaryResponse, Failure<GetAccountSummary>> {
        let found = self.records(&call).account_summary(request.id).await?;
        let body = found.ok_or_else(|| Failure::not_found("account", request.id))?;
        Ok(GetAccountSummaryResponse { etag: None, body })
    }

    async fn get_account_locations(
        &self,
        call: Call<Token>,
        request: GetAccountLocations,
    ) -> Result<AccountLocationLookupList, Failure<GetAccountLocations>> {
        let found = self.records(&call).account_locations(request.account_id).await?;
        let found = found.ok_or_else(|| Failure::not_found("account", request.account_id))?;
        Ok(answer!(AccountLocationLookupList, found.records))
    }

    async fn get_account_location(
        &self,
        call: Call<Token>,
        request: GetAccountLocation,
    ) -> Result<AccountLocationResponse, Failure<GetAccountLocation>> {
        let found = self.records(&call).account_location(request.account_id, request.location_id).await?;
        let found = found.ok_or_else(|| Failure::not_found("location", request.location_id))?;
        Ok(answer!(AccountLocationResponse, found))
    }

    async fn get_account_contacts(
        &self,
        call: Call<Token>,
        request: GetAccountContacts,
    ) -> Result<GetAccountContactsResponse, Failure<GetAccountContacts>> {
        let paging = paging!(request);
        let filter = Filter::default().and("Name", Test::Contains, request.filter_name).and(
            "LocationId",
            Test::is,
            request.filter_location_id,
        );
        let query = paging.query(filter, &resource::CONTACT_LOOKUP)?;
        let listed = self.records(&call).account_contacts(request.account_id, query).await?;
        let listed = listed.ok_or_else(|| Failure::not_found("account", request.account_id))?;
        let link = paging.links(call.uri(), &listed);
        Ok(GetAccountContactsResponse { link, body: answer!(ContactLookupList, listed.records) })
    }

    async fn get_account_contact_summary_info(
        &self,
        call: Call<Token>,
        request: GetAccountContactSummaryInfo,
    ) -> Result<ContactSummaryInfoResponse, Failure<GetAccountContactSummaryInfo>> {
        let found = self.records(&call).contact_summary_info(request.account_id, request.contact_id).await?;
        let found = found.ok_or_else(|| Failure::not_found("contact", request.contact_id))?;
        Ok(answer!(ContactSummaryInfoResponse, found))
    }

    async fn get_account_alert(
        &self,
        call: Call<Token>,
        request: GetAccountAlert,
    ) -> Result<AccountAlertResponse, Failure<GetAccountAlert>> {
        let found = self.records(&call).account_alert(request.account_id, request.account_alert_type).await?;
        let found = found.ok_or_else(|| Failure::not_found("account", request.account_id))?;
        Ok(answer!(AccountAlertResponse, found))
    }

    async fn post_account(
        &self,
        call: Call<Token>,
        request: PostAccount,
    ) -> Result<PostAccountResponse, Failure<PostAccount>> {
        change::create(self, &call, request).await
    }

    async fn put_account(
        &self,
        call: Call<Token>,
        request: PutAccount,
    ) -> Result<AccountSummaryResponse, Failure<PutAccount>> {
        change::replace(self, &call, request).await
    }

    async fn patch_account(
        &self,
        call: Call<Token>,
        request: PatchAccount,
    ) -> Result<AccountSummaryResponse, Failure<PatchAccount>> {
        change::patch(self, &call, request).await
    }
}
