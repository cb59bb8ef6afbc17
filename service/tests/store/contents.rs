//! Contents of attachments, as long as something refers to them.

use jiff::{SignedDuration, Timestamp};
use service::{
    domain::{
        attachment::{AttachmentKey, Content, ContentHash, NewAttachment, TemporaryUpload},
        caller::Visibility,
        list::ListQuery,
    },
    store::{Error, Location, TenantStore},
};

use super::{Case, new_account, place, run};

fn account(tenant: &TenantStore) {
    run(tenant.create_account(new_account("Acme"), None)).unwrap();
}

fn content(byte: u8, size: u64) -> Content {
    let blob = format!("{byte}-{}", uuid::Uuid::new_v4());
    Content { hash: ContentHash([byte; 32]), blob, size, media_type: "text/plain".into() }
}

fn attachment(content: Content, alias: &str) -> NewAttachment {
    NewAttachment {
        module_id: 1,
        object_id: 1,
        original_file_name: format!("{alias}.txt"),
        alias_name: alias.into(),
        file_type: Some(".txt".into()),
        content,
    }
}

/// When all that is claimed now was claimed before.
fn later() -> Timestamp {
    Timestamp::now() + SignedDuration::from_secs(1)
}

#[test]
fn contents_live_as_long_as_something_refers_to_them() {
    let case = Case::open(place());
    let tenant = &case.tenant;
    account(tenant);
    let claimed = run(tenant.claim_content(content(1, 5), 0)).unwrap();
    assert_eq!(run(tenant.claim_content(content(1, 5), 0)).unwrap(), claimed, "the same blob");
    let first = run(tenant.create_attachment(attachment(claimed.clone(), "a"), None)).unwrap().value;
    let second = run(tenant.create_attachment(attachment(claimed.clone(), "b"), None)).unwrap().value;
    assert_eq!(first.url.value().map(String::as_str), Some("/v2/system/attachments/1/1/1/download"));
    assert_eq!(first.created_by_name.value().map(String::as_str), Some("Jo Doe"));
    let key = |id| AttachmentKey { module_id: 1, object_id: 1, id };
    assert_eq!(run(tenant.attachments(1, 1, ListQuery::default())).unwrap().records, [first.clone(), second]);
    assert_eq!(run(tenant.attachment_content(key(1))).unwrap(), Some((first, claimed.clone())));
    assert!(run(tenant.rename_attachment(key(1), None, "new".into())).unwrap());
    assert!(!run(tenant.rename_attachment(key(3), None, "new".into())).unwrap());

    let forget = || run(tenant.forget_contents(later())).unwrap();
    assert_eq!(forget(), 0);
    assert!(run(tenant.delete_attachment(key(1), None)).unwrap());
    assert!(!run(tenant.delete_attachment(key(1), None)).unwrap());
    assert_eq!(forget(), 0);
    let upload = TemporaryUpload {
        alias: "t".into(),
        module_id: 1,
        name: "t.txt".into(),
        file_type: None,
        expires_on: later(),
        content: claimed.clone(),
    };
    run(tenant.create_temporary_upload(upload, None)).unwrap();
    assert_eq!(
        run(tenant.seeing(Visibility::Accounts([2].into())).delete_attachments(vec![2])).unwrap(),
        0,
        "not seen"
    );
    assert_eq!(run(tenant.delete_attachments(vec![2, 99])).unwrap(), 1);
    assert_eq!(forget(), 0);
    assert_eq!(run(tenant.used_blobs()).unwrap(), [claimed.blob.as_str()]);
    assert_eq!(run(tenant.delete_temporary_uploads(vec!["x".into()])).unwrap(), 0);
    assert_eq!(run(tenant.expire_temporary_uploads(later())).unwrap(), 1);
    assert!(run(tenant.used_blobs()).unwrap().is_empty());
    assert_eq!(run(tenant.forget_contents(Timestamp::UNIX_EPOCH)).unwrap(), 0, "it was claimed since");
    assert_eq!(forget(), 1);
}

#[test]
fn unused_contents_are_found_among_any_number_that_are_used() {
    let place = place();
    let is_file = matches!(place.1, Location::Sqlite(_));
    let case = Case::open(place);
    let tenant = &case.tenant;
    account(tenant);
    let kept = run(tenant.claim_content(content(255, 5), 0)).unwrap();
    run(tenant.create_attachment(attachment(kept.clone(), "a"), None)).unwrap();
    for group in 0..5 {
        let many: Vec<String> = (0..1000)
            .map(|number| {
                let number = group * 1000 + number;
                let hash = if is_file { format!("x'{number:064}'") } else { format!("'\\x{number:064}'::bytea") };
                format!("(1, {hash}, 'blob-{number}', 1, 'text/plain', {number})")
            })
            .collect();
        case.execute(&format!(
            "INSERT INTO contents (tenant_id, hash, blob, size, media_type, claimed_on) VALUES {}",
            many.join(", ")
        ));
    }
    assert_eq!(run(tenant.forget_contents(later())).unwrap(), 5000);
    assert_eq!(run(tenant.used_blobs()).unwrap(), [kept.blob.as_str()]);
    assert_eq!(run(tenant.forget_contents(later())).unwrap(), 0);
}

#[test]
fn a_content_that_comes_again_has_another_blob_than_the_one_that_is_removed() {
    let case = Case::open(place());
    let tenant = &case.tenant;
    account(tenant);
    let first = run(tenant.claim_content(content(1, 5), 0)).unwrap();
    assert_eq!(run(tenant.forget_contents(later())).unwrap(), 1);
    assert_eq!(run(tenant.unused_blobs()).unwrap(), [first.blob.as_str()]);
    let refused = run(tenant.create_attachment(attachment(first.clone(), "a"), None));
    assert!(matches!(refused, Err(Error::Unclaimed)), "{refused:?}");

    let second = run(tenant.claim_content(content(1, 5), 0)).unwrap();
    assert_ne!(second.blob, first.blob);
    let refused = run(tenant.create_attachment(attachment(first.clone(), "a"), None));
    assert!(matches!(refused, Err(Error::Unclaimed)), "{refused:?}");
    run(tenant.create_attachment(attachment(second.clone(), "a"), None)).unwrap();
    assert_eq!(run(tenant.used_blobs()).unwrap(), [second.blob.as_str()]);
    assert_eq!(run(tenant.unused_blobs()).unwrap(), [first.blob.as_str()], "until it is removed");
    run(tenant.forget_blobs(vec![first.blob])).unwrap();
    assert!(run(tenant.unused_blobs()).unwrap().is_empty());
}
