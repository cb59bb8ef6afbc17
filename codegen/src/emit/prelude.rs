//! Where the names are from that emitters write in `quote!`: what stands here is brought by a `use` line wherever it is used.

/// Asked by `quote!` for every name that may be from elsewhere. `side` and `section` are what [`super::SourceFile`] says.
macro_rules! origin {
    (Cow) => { ::printing::import!(std::borrow::Cow) };
    (BTreeMap) => { ::printing::import!(std::collections::BTreeMap) };
    (Ipv4Addr) => { ::printing::import!(std::net::Ipv4Addr) };
    (Ipv6Addr) => { ::printing::import!(std::net::Ipv6Addr) };
    (FromStr) => { ::printing::import!(std::str::FromStr) };
    (Bytes) => { ::printing::import!(bytes::Bytes) };
    (SpanFieldwise) => { ::printing::import!(jiff::SpanFieldwise) };
    (Timestamp) => { ::printing::import!(jiff::Timestamp) };
    (Date) => { ::printing::import!(jiff::civil::Date) };
    (DateTime) => { ::printing::import!(jiff::civil::DateTime) };
    (Time) => { ::printing::import!(jiff::civil::Time) };
    (Decimal) => { ::printing::import!(rust_decimal::Decimal) };
    (Uuid) => { ::printing::import!(uuid::Uuid) };
    (StatusCode) => { ::printing::import!(http::StatusCode) };
    (DecimalNumber) => { ::printing::import!(crate::runtime::decimal::DecimalNumber) };
    (Base64) => { ::printing::import!(crate::runtime::json::Base64) };
    (Kind) => { ::printing::import!(crate::runtime::json::Kind) };
    (Maybe) => { ::printing::import!(crate::runtime::json::Maybe) };
    (Read) => { ::printing::import!(crate::runtime::json::Read) };
    (Reader) => { ::printing::import!(crate::runtime::json::Reader) };
    (Write) => { ::printing::import!(crate::runtime::json::Write) };
    (Writer) => { ::printing::import!(crate::runtime::json::Writer) };
    (FromParameter) => { ::printing::import!(crate::runtime::parameter::FromParameter) };
    (Raw) => { ::printing::import!(crate::runtime::parameter::Raw) };
    (Shape) => { ::printing::import!(crate::runtime::parameter::Shape) };
    (Style) => { ::printing::import!(crate::runtime::parameter::Style) };
    (ToParameter) => { ::printing::import!(crate::runtime::parameter::ToParameter) };
    (Bound) => { ::printing::import!(crate::runtime::rule::Bound) };
    (Check) => { ::printing::import!(crate::runtime::rule::Check) };
    (Format) => { ::printing::import!(crate::runtime::rule::Format) };
    (Pattern) => { ::printing::import!(crate::runtime::rule::Pattern) };
    (Rule) => { ::printing::import!(crate::runtime::rule::Rule) };
    (Together) => { ::printing::import!(crate::runtime::rule::Together) };
    (FromText) => { ::printing::import!(crate::runtime::text::FromText) };
    (Refusal) => { ::printing::import!(crate::runtime::text::Refusal) };
    (ToText) => { ::printing::import!(crate::runtime::text::ToText) };
    (Unknown) => { ::printing::import!(crate::runtime::unknown::Unknown) };
    (Notes) => { ::printing::import!(crate::runtime::violation::Notes) };
    (Part) => { ::printing::import!(crate::runtime::client::Part) };
    (Undocumented) => { ::printing::import!(crate::runtime::client::Undocumented) };
    (Body) => { ::printing::import!(side::Body) };
    (Download) => { ::printing::import!(side::Download) };
    (ItemBody) => { ::printing::import!(side_stream::ItemBody) };
    (ItemStream) => { ::printing::import!(side_stream::ItemStream) };
    (Client) => { ::printing::import!(section::client::Client) };
    (ClientBuilder) => { ::printing::import!(section::client::ClientBuilder) };

    // Types lose their module, functions keep it.
    (client::$name:ident) => { ::printing::import_in_module!(crate::runtime::client::$name) };
    (server::$name:ident) => { ::printing::import_in_module!(crate::runtime::server::$name) };

    (fmt:: $($name:ident)?) => { concat!(::printing::import!(std::fmt), "::" $(, stringify!($name))?) };
    (foreign:: $($name:ident)?) => { concat!(::printing::import!(crate::runtime::foreign), "::" $(, stringify!($name))?) };
    (forms:: $($name:ident)?) => { concat!(::printing::import!(crate::foreign), "::" $(, stringify!($name))?) };
    (foreign_json:: $($name:ident)?) => { concat!(::printing::import!(crate::runtime::foreign_json), "::" $(, stringify!($name))?) };
    (json:: $($name:ident)?) => { concat!(::printing::import!(crate::runtime::json), "::" $(, stringify!($name))?) };
    (models:: $($name:ident)?) => { concat!(::printing::import!(crate::models), "::" $(, stringify!($name))?) };
    (rule:: $($name:ident)?) => { concat!(::printing::import!(crate::runtime::rule), "::" $(, stringify!($name))?) };
    (security:: $($name:ident)?) => { concat!(::printing::import!(section::security), "::" $(, stringify!($name))?) };
    (stream:: $($name:ident)?) => { concat!(::printing::import!(crate::runtime::stream), "::" $(, stringify!($name))?) };
    (unknown:: $($name:ident)?) => { concat!(::printing::import!(crate::runtime::unknown), "::" $(, stringify!($name))?) };
    (with:: $($name:ident)?) => { concat!(::printing::import!(crate::runtime::with), "::" $(, stringify!($name))?) };
    (wrapped:: $($name:ident)?) => { concat!(::printing::import!(crate::runtime::wrapped), "::" $(, stringify!($name))?) };
    (parameter:: $($name:ident)?) => { concat!(::printing::import!(crate::runtime::parameter), "::" $(, stringify!($name))?) };
    (text:: $($name:ident)?) => { concat!(::printing::import!(crate::runtime::text), "::" $(, stringify!($name))?) };

    ($($name:tt)*) => { ::printing::as_written!($($name)*) };
}
pub(crate) use origin;

#[cfg(test)]
mod tests {
    use crate::lower::TAKEN;

    #[test]
    fn no_model_is_called_what_its_file_imports() {
        // Only operations mention statuses, streams and clients.
        let other = ["http", "crate::runtime::client", "side", "side_stream", "section::client"];
        let lines = include_str!("prelude.rs").lines().filter_map(|line| line.trim().strip_prefix('('));
        let names = lines.filter_map(|line| {
            let (name, rest) = line.split_once(") => { ::printing::import!(")?;
            let (path, _) = rest.split_once(')')?;
            Some((name, path.rsplit_once("::")?.0))
        });
        let names: Vec<_> = names.filter(|(_, module)| !other.contains(module)).map(|(name, _)| name).collect();
        let free: Vec<_> = names.iter().filter(|name| !TAKEN.contains(name)).collect();
        assert!(names.len() > 36 && free.is_empty(), "a model may be called like these: {free:?}");
    }
}
