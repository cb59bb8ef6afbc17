//! Any patch of an account: all of it is done, or nothing.
#![no_main]

use libfuzzer_sys::fuzz_target;
use service_fuzz::{ACCOUNT, service};

fuzz_target!(|patch: &[u8]| {
    let service = service();
    let read = || service.get(&format!("/v2/crm/accounts/summary/{ACCOUNT}")).map(|answer| answer.body);
    let before = read();
    let answer =
        service.call("PATCH", &format!("/v2/crm/accounts/{ACCOUNT}"), "application/json-patch+json", patch.to_vec());
    let Some(answer) = answer else { return };
    let after = read();
    match answer.status.as_u16() {
        200 => assert_eq!(answer.body.get("Result").cloned(), after, "what is answered is what is kept"),
        400 | 413 | 422 => assert_eq!(before, after, "what is refused changes nothing"),
        other => panic!("{other}: {answer:?}"),
    }
});
