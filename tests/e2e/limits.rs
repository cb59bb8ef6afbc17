//! How often an operation may be called.

use generated_client::{Error, agent_notes::GetAgentNotes, colors_lookup::GetColorsLookup};
use http::header::RETRY_AFTER;
use service::domain::caller::Visibility;

use crate::{
    app::App,
    records::{agent_refusal, refusal},
};

/// The seconds that a failure asks to wait.
fn retry_after<E>(error: &Error<E>) -> u32 {
    error.headers().expect("an answer")[RETRY_AFTER].to_str().expect("text").parse().expect("seconds")
}

#[tokio::test]
async fn a_call_too_many_is_refused_for_one_operation_of_one_token_only() {
    let app = App::start_with(|config| config.limits.calls_per_hour = 3).await;
    let client = app.client();
    let colors = || client.colors_lookup().get_colors_lookup(GetColorsLookup { module_id: None });
    for _ in 0..3 {
        colors().await.expect("within the limit");
    }
    let error = colors().await.expect_err("the fourth call");
    assert!((1190..=1200).contains(&retry_after(&error)), "a third of an hour: {}", retry_after(&error));
    let (status, texts) = refusal(error);
    assert_eq!((status, texts), (429, vec!["GetColorsLookup may be called 3 times an hour".to_owned()]));

    client.account_types().get_account_types_lookup().await.expect("another operation");
    let other = app.client_with(&["*"], &[], Visibility::All).await;
    other.colors_lookup().get_colors_lookup(GetColorsLookup { module_id: None }).await.expect("another token");
}

#[tokio::test]
async fn calls_that_are_refused_count_and_the_agent_family_says_so_in_its_shape() {
    let app = App::start_with(|config| config.limits.calls_per_hour = 1).await;
    let client = app.client_with(&["read:crm"], &[], Visibility::All).await;
    let notes = || client.agent_notes().get_agent_notes(GetAgentNotes::default());
    assert_eq!(agent_refusal(notes().await.expect_err("out of scope")).0, 403);
    let error = notes().await.expect_err("the second call");
    assert!(retry_after(&error) > 3590);
    let (status, text, explanation) = agent_refusal(error);
    assert_eq!((status, text.as_str()), (429, "Too Many Requests"));
    assert!(explanation.contains("GetAgentNotes"), "{explanation}");
}

#[tokio::test]
async fn zero_is_no_limit() {
    let app = App::start_with(|config| config.limits.calls_per_hour = 0).await;
    let client = app.client();
    for _ in 0..50 {
        client.account_types().get_account_types_lookup().await.expect("never refused");
    }
}
