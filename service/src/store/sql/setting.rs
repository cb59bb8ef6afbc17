//! How much company settings may take.

use crate::{domain::refusal::Refusal, store::Error};

/// Bytes of all settings of a tenant: about half of what an answer may hold, as they are answered all at once.
const MOST: i64 = 4 << 20;

/// What a setting counts beside its key and value.
const EACH: i64 = 64;

/// Selects what the settings of a tenant take.
pub(in crate::store) const TAKEN: &str =
    "SELECT coalesce(sum(octet_length(key) + octet_length(value) + 64), 0) FROM company_settings WHERE tenant_id";

/// By how much a setting grows what they take.
pub(in crate::store) fn growth(key: &str, before: Option<&str>, after: &str) -> i64 {
    let bytes = |text: &str| i64::try_from(text.len()).unwrap_or(i64::MAX);
    match before {
        Some(before) => bytes(after) - bytes(before),
        None => bytes(after).saturating_add(bytes(key) + EACH),
    }
}

/// Refuses settings that grow beyond what they may take.
pub(in crate::store) fn check(taken: i64, growth: i64) -> Result<(), Error> {
    if growth <= 0 || taken <= MOST {
        return Ok(());
    }
    let detail = format!("would make all settings take {taken} bytes, at most {MOST}");
    Err(Error::Refused(vec![Refusal::new("/Settings", "maxLength", detail)]))
}
