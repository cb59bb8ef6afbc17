//! Any bytes as a form with a file: what is taken can be read again, the rest is refused with a reason.
#![no_main]

use libfuzzer_sys::fuzz_target;
use service_fuzz::{ACCOUNT, service};

/// The module of accounts.
const MODULE: i32 = 1;

fuzz_target!(|form: (bool, &[u8])| {
    let (is_temporary, body) = form;
    let service = service();
    let object = if is_temporary { String::new() } else { format!("/{ACCOUNT}") };
    let target = format!("/v2/system/attachments/{MODULE}{object}");
    // Most bodies are worth reading only if their lines end as they should and the boundary is known.
    let body = String::from_utf8_lossy(body).replace('\n', "\r\n").into_bytes();
    let Some(answer) = service.call("POST", &target, "multipart/form-data; boundary=b", body) else { return };
    match answer.status.as_u16() {
        200 if is_temporary => assert!(answer.body.pointer("/Result/Alias").is_some(), "{answer:?}"),
        200 => {
            let id = answer.body.pointer("/Result/0/Id").and_then(serde_json::Value::as_i64).expect("an id");
            let one = service.get(&format!("{target}/{id}")).expect("a request");
            assert_eq!(one.status.as_u16(), 200, "{one:?}");
            let deleted = service.call("DELETE", &format!("{target}/{id}"), "text/plain", Vec::new());
            assert_eq!(deleted.map(|answer| answer.status.as_u16()), Some(200));
        }
        400 | 404 | 413 | 422 => {}
        other => panic!("{other}: {answer:?}"),
    }
});
