//! Properties of every operation: each write is in the audit log, each POST runs once per key, each GET has
//! an entity tag.

use reqwest::Method;
use serde_json::{Value, json};
use service::domain::{caller::Visibility, tenant::TenantId, token::Secret};

use crate::{
    app::App,
    operations::{Operation, Request, operations},
    scene::{self, Scene},
    visibility::request,
};

struct World {
    app: App,
    own: Scene,
    token: Secret,
}

async fn world() -> World {
    let app = App::start_with(|config| config.limits.calls_per_hour = 0).await;
    let own = scene::build(&app, TenantId::FIRST, 91, "own", true).await;
    let token = scene::token(&app, TenantId::FIRST, Visibility::All).await;
    World { app, own, token }
}

impl World {
    /// A valid request of the operation that changes something when it is first sent.
    async fn request(&self, operation: &Operation) -> Request {
        let plain = request(operation, |_, _| self.own.clone());
        match operation.id.as_str() {
            "PostAccount" | "PutAccount" => plain.with("/ParentId", &Value::Null),
            "PatchAccount" => plain.with("/0/path", &json!("/AccountName")).with("/0/value", &json!("Patched")),
            "PutCompanySettings" => plain.with("/Settings/Every", &json!("operation")),
            "DeleteAttachment" => plain.with("attachmentId", &self.attached().await),
            "DeleteAttachments" => plain.with("attachmentIds", &self.attached().await),
            "DeleteTempAttachments" => plain.with("/0", &self.uploaded().await),
            _ => plain,
        }
    }

    /// The id of a new attachment.
    async fn attached(&self) -> Value {
        let answer = self.sent("PostAttachment").await;
        answer["Result"][0]["Id"].clone()
    }

    /// The alias of a new temporary upload of the token.
    async fn uploaded(&self) -> Value {
        let answer = self.sent("PostTempAttachment").await;
        answer["Result"]["Alias"].clone()
    }

    async fn sent(&self, id: &str) -> Value {
        let operation = operations().into_iter().find(|operation| operation.id == id).expect("an operation");
        let answer = request(&operation, |_, _| self.own.clone()).send(&self.app, &self.token).await;
        assert!(answer.is_success(), "{id}: {answer:?}");
        answer.json()
    }

    /// The number of the last change.
    async fn last(&self) -> i64 {
        let mut after = 0;
        loop {
            let entries = self.app.service.records_of(TenantId::FIRST).audit_log(after, 1000).await.expect("the log");
            let Some(last) = entries.last() else { return after };
            after = last.change.sequence;
        }
    }
}

#[tokio::test]
async fn every_write_stands_in_the_audit_log_with_its_operation_and_token() {
    let world = world().await;
    let mut count = 0;
    for operation in operations().into_iter().filter(|operation| operation.method != Method::GET) {
        let request = world.request(&operation).await;
        let before = world.last().await;
        let answer = request.send(&world.app, &world.token).await;
        assert!(answer.is_success(), "{}: {answer:?}", operation.id);
        let entries = world.app.service.records_of(TenantId::FIRST).audit_log(before, 1000).await.expect("the log");
        let own: Vec<_> = entries.iter().filter(|entry| entry.operation == operation.id).collect();
        assert!(!own.is_empty(), "{} is not in the log: {entries:?}", operation.id);
        for entry in own {
            assert_eq!(entry.token.as_ref().map(|(_, name)| name.as_str()), Some("test"), "{entry:?}");
            assert!(entry.before != entry.after, "{entry:?}");
        }
        count += 1;
    }
    assert!(count >= 12, "{count}");
}

#[tokio::test]
async fn every_post_is_done_once_with_a_key() {
    let world = world().await;
    for operation in operations().into_iter().filter(|operation| operation.method == Method::POST) {
        assert!(operation.parameter("Idempotency-Key").is_some(), "{} takes no key", operation.id);
        let request = world.request(&operation).await.header("idempotency-key", "every-post");
        let first = request.send(&world.app, &world.token).await;
        assert!(
            first.is_success() && !first.headers.contains_key("idempotency-replayed"),
            "{}: {first:?}",
            operation.id
        );
        let last = world.last().await;
        let again = request.send(&world.app, &world.token).await;
        assert_eq!(again.headers.get("idempotency-replayed").map(String::as_str), Some("true"), "{}", operation.id);
        assert_eq!((again.status, &again.body), (first.status, &first.body), "{}", operation.id);
        assert_eq!(world.last().await, last, "{} has written twice", operation.id);
    }
}

#[tokio::test]
async fn every_get_has_an_entity_tag_and_can_be_not_modified() {
    let world = world().await;
    for operation in operations().into_iter().filter(|operation| operation.method == Method::GET) {
        let request = world.request(&operation).await;
        let first = request.send(&world.app, &world.token).await;
        assert_eq!(first.status, 200, "{}: {first:?}", operation.id);
        let tag = first.headers.get("etag").unwrap_or_else(|| panic!("{} has no tag", operation.id));
        assert!(tag.starts_with('"'), "{}: {tag} is weak", operation.id);
        let again = request.clone().header("if-none-match", tag).send(&world.app, &world.token).await;
        assert_eq!((again.status, again.body.as_str()), (304, ""), "{}: {again:?}", operation.id);
        assert_eq!(again.headers.get("etag"), Some(tag), "{}", operation.id);
    }
}

#[tokio::test]
async fn if_match_is_never_ignored() {
    let world = world().await;
    for operation in operations().into_iter().filter(|operation| operation.method != Method::GET) {
        let expected = if operation.parameter("If-Match").is_some() { 412 } else { 400 };
        let request = world.request(&operation).await.header("if-match", "\"another\"");
        let before = world.last().await;
        let answer = request.send(&world.app, &world.token).await;
        assert_eq!(answer.status, expected, "{}: {answer:?}", operation.id);
        assert_eq!(world.last().await, before, "{} has written", operation.id);
    }
}
