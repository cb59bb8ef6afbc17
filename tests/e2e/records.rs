//! Records for tests, and the content of failures.

use generated_client::{
    Client, Error,
    accounts::PostAccount,
    attachments::PostAttachmentBody,
    models::{
        AccountLocationAddressInput, AccountLocationInput, AccountPost, AccountPut, AccountSummary, AgentErrorResponse,
        ErrorResponse,
    },
    runtime::{json::Maybe, multipart::Part},
};
use service::{domain::tenant::TenantId, import};

use crate::app::App;

/// The body of a valid account, to be modified.
pub(crate) fn account(name: &str) -> AccountPost {
    AccountPost {
        description: Maybe::Value("made by a test".to_owned()),
        website: Maybe::Null,
        acquired_date: Maybe::Value("2020-01-15T00:00:00Z".parse().expect("an instant")),
        credit_limit: Maybe::Value(5000.5),
        account_type_id: 1,
        account_name: name.to_owned(),
        business_type_id: 1,
        account_manager_id: 12,
        locations: vec![location("Main", true)],
        ..Default::default()
    }
}

/// What a valid account is replaced by.
pub(crate) fn replacement(name: &str) -> AccountPut {
    AccountPut {
        account_type_id: 1,
        account_name: name.to_owned(),
        business_type_id: 1,
        account_manager_id: 12,
        ..Default::default()
    }
}

/// A valid location with one address.
pub(crate) fn location(name: &str, is_main: bool) -> AccountLocationInput {
    let address = AccountLocationAddressInput {
        address1: Maybe::Value("1 High St".to_owned()),
        city: Maybe::Value("Springfield".to_owned()),
        latitude: Maybe::Value(39.78),
        ..Default::default()
    };
    AccountLocationInput { is_main: Some(is_main), ..AccountLocationInput::new(name, vec![address]) }
}

/// Creates an account through the interface.
pub(crate) async fn create(client: &Client, body: AccountPost) -> AccountSummary {
    let answer = client
        .accounts()
        .post_account(PostAccount { idempotency_key: None, body })
        .await
        .expect("the account is created")
        .body;
    assert_eq!(answer.success, Some(true));
    answer.result.expect("the account")
}

/// Imports records into the first company, as `service import` does.
pub(crate) async fn import(app: &App, records: &serde_json::Value) -> Result<import::Report, import::Error> {
    let file = tempfile::NamedTempFile::with_suffix(".json").expect("a file");
    std::fs::write(file.path(), records.to_string()).expect("written");
    let store = app.service.records_of(TenantId::FIRST);
    let run = move || import::run(&store, &[file.path().to_path_buf()], None, &());
    tokio::task::spawn_blocking(run).await.expect("no panic")
}

/// A form that attaches a file.
pub(crate) fn file(file: Part) -> PostAttachmentBody {
    PostAttachmentBody { form_file: Some(file), alias: None }
}

/// Status and violations of a failure under `/v2`; also checks its wrapper.
pub(crate) fn refusal(error: Error<ErrorResponse>) -> (u16, Vec<String>) {
    let Error::Api(failure) = error else { panic!("not a declared failure: {error}") };
    let status = failure.status().as_u16();
    let body = failure.body;
    assert!(!body.success);
    assert_eq!(body.error.code, Some(i32::from(status)));
    assert!(body.error.message.value().is_some_and(|message| !message.is_empty()));
    assert!(body.error.stack_strace.value().is_none());
    let mut texts = body.error.sub_errors.into_option().unwrap_or_default();
    if texts.is_empty() {
        texts.extend(body.error.message.into_option());
    }
    (status, texts)
}

/// Status, status text and explanation of a failure of an agent operation; also checks its envelope.
pub(crate) fn agent_refusal(error: Error<AgentErrorResponse>) -> (u16, String, String) {
    let Error::Api(failure) = error else { panic!("not a declared failure: {error}") };
    let status = failure.status().as_u16();
    let body = failure.body;
    assert_eq!((body.total_records, body.result.len(), body.response_code), (0, 0, i64::from(status)));
    (status, body.status, body.error)
}
