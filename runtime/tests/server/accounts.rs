//! Customers and the people who work for them.

use crate::models;
use crate::runtime::server;
use crate::security;

pub mod attach;
pub mod cancel_job;
pub mod create_account;
pub mod download_report;
pub mod list_accounts;
pub mod read_page;
pub mod replace_picture;
pub mod start_job;

pub use attach::{Attach, AttachPart};
pub use cancel_job::CancelJob;
pub use create_account::{CreateAccount, CreateAccountError, CreateAccountResponse};
pub use download_report::DownloadReport;
pub use list_accounts::ListAccounts;
pub use read_page::ReadPage;
pub use replace_picture::ReplacePicture;
pub use start_job::StartJob;

/// The operations tagged `accounts`.
pub trait Accounts: Send + Sync + 'static {
    /// Who calls, as the authenticator finds.
    type Principal: Send + Sync + 'static;

    /// `GET /accounts`
    fn list_accounts(
        &self,
        call: server::Call<Self::Principal>,
        request: ListAccounts,
    ) -> impl Future<Output = Result<Vec<models::Account>, server::Failure>> + Send;

    /// `POST /accounts`
    fn create_account(
        &self,
        call: server::Call<Self::Principal>,
        request: CreateAccount,
    ) -> impl Future<Output = Result<CreateAccountResponse, server::Failure>> + Send;

    /// `PUT /accounts/{accountId}/picture`
    fn replace_picture(
        &self,
        call: server::Call<Self::Principal>,
        request: ReplacePicture,
    ) -> impl Future<Output = Result<(), server::Failure>> + Send;

    /// `POST /accounts/{accountId}/attachments`
    fn attach(
        &self,
        call: server::Call<Self::Principal>,
        request: Attach,
    ) -> impl Future<Output = Result<String, server::Failure>> + Send;

    /// `GET /reports/{name}.{extension}`
    fn download_report(
        &self,
        call: server::Call<()>,
        request: DownloadReport,
    ) -> impl Future<Output = Result<server::Download, server::Failure>> + Send;

    /// `GET /pages/{page}`
    fn read_page(
        &self,
        call: server::Call<Option<Self::Principal>>,
        request: ReadPage,
    ) -> impl Future<Output = Result<String, server::Failure>> + Send;

    /// `POST /jobs/{jobId}:start`
    fn start_job(
        &self,
        call: server::Call<()>,
        request: StartJob,
    ) -> impl Future<Output = Result<(), server::Failure>> + Send;

    /// `DELETE /jobs/{jobId}:cancel`
    fn cancel_job(
        &self,
        call: server::Call<()>,
        request: CancelJob,
    ) -> impl Future<Output = Result<(), server::Failure>> + Send;
}

/// The operations of this tag as a router, to be merged with others.
pub fn router<S, A>(service: S, authenticator: A, options: &server::Options) -> axum::Router
where
    S: Accounts,
    A: security::Authenticator<Principal = S::Principal>,
{
    let mut routes = server::Routes::new(service, authenticator);
    add_routes(&mut routes);
    routes.into_part(options)
}

pub(crate) fn add_routes<S, A>(routes: &mut server::Routes<S, A>)
where
    S: Accounts,
    A: security::Authenticator<Principal = S::Principal>,
{
    routes.add(&list_accounts::OPERATION, list_accounts::handle);
    routes.add(&create_account::OPERATION, create_account::handle);
    routes.add(&replace_picture::OPERATION, replace_picture::handle);
    routes.add(&attach::OPERATION, attach::handle);
    routes.add(&download_report::OPERATION, download_report::handle);
    routes.add(&read_page::OPERATION, read_page::handle);
    routes.add(&start_job::OPERATION, start_job::handle);
    routes.add(&start_job::QUERY, start_job::handle);
    routes.add(&cancel_job::OPERATION, cancel_job::handle);
}
