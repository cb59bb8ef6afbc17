//! The operations tagged `Accounts`.

mod change;
mod input;
mod lists;
mod records;

use generated_server::{
    accounts::*,
    models,
    runtime::server::{Call, Failure},
};

use super::Service;
use crate::domain::caller::Caller;

impl Accounts for Service {
    type Principal = Caller;

    async fn get_accounts(
        &self,
        call: Call<Caller>,
        request: GetAccounts,
    ) -> Result<GetAccountsResponse, Failure<GetAccounts>> {
        lists::lookup(self, &call, &request).await
    }

    async fn get_accounts_list_summary(
        &self,
        call: Call<Caller>,
        request: GetAccountsListSummary,
    ) -> Result<GetAccountsListSummaryResponse, Failure<GetAccountsListSummary>> {
        lists::summaries(self, &call, request).await
    }

    async fn get_account_summary(
        &self,
        call: Call<Caller>,
        request: GetAccountSummary,
    ) -> Result<GetAccountSummaryResponse, Failure<GetAccountSummary>> {
        records::summary(self, &call, request.id).await
    }

    async fn get_account_locations(
        &self,
        call: Call<Caller>,
        request: GetAccountLocations,
    ) -> Result<models::AccountLocationLookupList, Failure<GetAccountLocations>> {
        records::locations(self, &call, request.account_id).await
    }

    async fn get_account_location(
        &self,
        call: Call<Caller>,
        request: GetAccountLocation,
    ) -> Result<models::AccountLocationResponse, Failure<GetAccountLocation>> {
        records::location(self, &call, &request).await
    }

    async fn get_account_contacts(
        &self,
        call: Call<Caller>,
        request: GetAccountContacts,
    ) -> Result<GetAccountContactsResponse, Failure<GetAccountContacts>> {
        lists::contacts(self, &call, &request).await
    }

    async fn get_account_contact_summary_info(
        &self,
        call: Call<Caller>,
        request: GetAccountContactSummaryInfo,
    ) -> Result<models::ContactSummaryInfoResponse, Failure<GetAccountContactSummaryInfo>> {
        records::contact(self, &call, &request).await
    }

    async fn get_account_alert(
        &self,
        call: Call<Caller>,
        request: GetAccountAlert,
    ) -> Result<models::AccountAlertResponse, Failure<GetAccountAlert>> {
        records::alert(self, &call, &request).await
    }

    async fn post_account(
        &self,
        call: Call<Caller>,
        request: PostAccount,
    ) -> Result<PostAccountResponse, Failure<PostAccount>> {
        change::create(self, &call, request).await
    }

    async fn put_account(
        &self,
        call: Call<Caller>,
        request: PutAccount,
    ) -> Result<models::AccountSummaryResponse, Failure<PutAccount>> {
        change::replace(self, &call, request).await
    }

    async fn patch_account(
        &self,
        call: Call<Caller>,
        request: PatchAccount,
    ) -> Result<models::AccountSummaryResponse, Failure<PatchAccount>> {
        change::patch(self, &call, request).await
    }
}
