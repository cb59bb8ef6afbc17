//! Any query of a list or of the change feed: a page, or a reason; and every link of an answer leads to an answer.
#![no_main]

use libfuzzer_sys::fuzz_target;
use service_fuzz::service;

const LISTS: &[&str] = &[
    "/v2/changes",
    "/v2/crm/accounts/summary",
    "/v2/crm/accounts/lookup",
    "/v2/crm/contacts/summary",
    "/v2/hr/assignees/lookup",
    "/v2/admin/finance/chartofaccounts",
    "/assetmgmt/agent/notes",
];

fuzz_target!(|request: (u8, &str)| {
    let (list, query) = request;
    let path = LISTS[usize::from(list) % LISTS.len()];
    if let Some(answer) = service().get(&format!("{path}?{query}")) {
        // A position after the last change is of another store.
        let is_declared = match answer.status.as_u16() {
            200 | 400 | 414 => true,
            410 => path == "/v2/changes",
            _ => false,
        };
        assert!(is_declared, "{path}?{query}: {answer:?}");
    }
});
