//! Customers and the people who work for them.

use crate::models;
use crate::runtime::client::{Call, Client, Undocumented};

mod count_accounts;
mod create_account;
mod delete_account;
mod follow_accounts;
mod get_account;
mod link_accounts;
mod list_accounts;
mod skip_accounts;

pub use count_accounts::{CountAccounts, CountAccountsOkBody};
pub use create_account::{CreateAccount, CreateAccountError, CreateAccountResponse};
pub use delete_account::DeleteAccount;
pub use follow_accounts::FollowAccounts;
pub use get_account::GetAccount;
pub use link_accounts::{LinkAccounts, LinkAccountsResponse};
pub use list_accounts::ListAccounts;
pub use skip_accounts::SkipAccounts;

/// The operations tagged `accounts`.
#[derive(Clone, Debug)]
pub struct Accounts {
    client: Client,
}

impl Accounts {
    pub(crate) fn new(client: &Client) -> Self {
        Self { client: client.clone() }
    }

    /// List accounts
    ///
    /// `GET /accounts`
    pub fn list_accounts(&self, request: ListAccounts) -> Call<models::AccountPage, models::Problem> {
        request.call(&self.client)
    }

    /// `POST /accounts`
    pub fn create_account(&self, request: CreateAccount) -> Call<CreateAccountResponse, CreateAccountError> {
        request.call(&self.client)
    }

    /// `GET /accounts/{id}`
    pub fn get_account(&self, request: GetAccount) -> Call<models::Account, models::Problem> {
        request.call(&self.client)
    }

    /// `DELETE /accounts/{id}`
    #[deprecated]
    pub fn delete_account(&self, request: DeleteAccount) -> Call<(), Undocumented> {
        request.call(&self.client)
    }

    /// `GET /accounts/offset`
    pub fn skip_accounts(&self, request: SkipAccounts) -> Call<Vec<models::Account>, Undocumented> {
        request.call(&self.client)
    }

    /// `GET /accounts/cursor`
    pub fn follow_accounts(&self, request: FollowAccounts) -> Call<models::Follow, Undocumented> {
        request.call(&self.client)
    }

    /// `GET /accounts/link`
    pub fn link_accounts(&self) -> Call<LinkAccountsResponse, Undocumented> {
        LinkAccounts::call(&self.client)
    }

    /// `GET /accounts/count`
    pub fn count_accounts(&self) -> Call<CountAccountsOkBody, Undocumented> {
        CountAccounts::call(&self.client)
    }
}
