//! Any text as `$filter` and `$orderby`: the store runs what is read, the rest is refused with a reason.
#![no_main]

use libfuzzer_sys::fuzz_target;
use service_fuzz::{AGENT, encoded, service};

fuzz_target!(|texts: (&str, &str, bool)| {
    let (filter, order_by, is_notes) = texts;
    let path = if is_notes {
        "/assetmgmt/agent/notes".to_owned()
    } else {
        format!("/assetmgmt/patch/{AGENT}/machineupdate/false")
    };
    let target = format!("{path}?$filter={}&$orderby={}&$top=100", encoded(filter), encoded(order_by));
    if let Some(answer) = service().get(&target) {
        assert!(matches!(answer.status.as_u16(), 200 | 400 | 414), "{target}: {answer:?}");
    }
});
