//! The files of the runtime, as they are in the crate `codegen-runtime`.

use std::borrow::Cow;
use std::collections::BTreeSet;

use crate::emit::{SERDE, TRACING};

macro_rules! file {
    ($path:literal) => {
        ($path, include_str!(concat!("../../../runtime/src/", $path)))
    };
}

/// Path below `runtime`, and text.
const FILES: &[(&str, &str)] = &[
    file!("chrono.rs"),
    file!("chrono_rule.rs"),
    file!("client.rs"),
    file!("client/answer.rs"),
    file!("client/body.rs"),
    file!("client/builder.rs"),
    file!("client/call.rs"),
    file!("client/credentials.rs"),
    file!("client/download.rs"),
    file!("client/error.rs"),
    file!("client/exchange.rs"),
    file!("client/json_text.rs"),
    file!("client/link.rs"),
    file!("client/media_type.rs"),
    file!("client/multipart.rs"),
    file!("client/operation.rs"),
    file!("client/page.rs"),
    file!("client/pages.rs"),
    file!("client/parts.rs"),
    file!("client/pool.rs"),
    file!("client/provider.rs"),
    file!("client/request.rs"),
    file!("client/request_error.rs"),
    file!("client/response.rs"),
    file!("client/retry.rs"),
    file!("client/security.rs"),
    file!("client/trace.rs"),
    file!("client/transport.rs"),
    file!("client_stream.rs"),
    file!("decimal.rs"),
    file!("decimal_rule.rs"),
    file!("foreign.rs"),
    file!("foreign_json.rs"),
    file!("json.rs"),
    file!("json/choice.rs"),
    file!("json/choices.rs"),
    file!("json/collection.rs"),
    file!("json/entries.rs"),
    file!("json/escape.rs"),
    file!("json/maybe.rs"),
    file!("json/members.rs"),
    file!("json/moment.rs"),
    file!("json/number.rs"),
    file!("json/object.rs"),
    file!("json/primitive.rs"),
    file!("json/reader.rs"),
    file!("json/skip.rs"),
    file!("json/slot.rs"),
    file!("json/table.rs"),
    file!("json/tuple.rs"),
    file!("json/union.rs"),
    file!("json/value.rs"),
    file!("json/value_text.rs"),
    file!("json/writer.rs"),
    file!("parameter.rs"),
    file!("parameter/choice.rs"),
    file!("parameter/decode.rs"),
    file!("parameter/encode.rs"),
    file!("parameter/fields.rs"),
    file!("parameter/form.rs"),
    file!("parameter/json.rs"),
    file!("parameter/list.rs"),
    file!("parameter/member.rs"),
    file!("parameter/nested.rs"),
    file!("parameter/object.rs"),
    file!("parameter/pairs.rs"),
    file!("parameter/percent.rs"),
    file!("parameter/read.rs"),
    file!("parameter/slot.rs"),
    file!("parameter/style.rs"),
    file!("parameter/table.rs"),
    file!("rule.rs"),
    file!("rule/check.rs"),
    file!("rule/exact.rs"),
    file!("rule/format.rs"),
    file!("rule/linear.rs"),
    file!("rule/member.rs"),
    file!("rule/object.rs"),
    file!("rule/parameter.rs"),
    file!("rule/pattern.rs"),
    file!("rule/read.rs"),
    file!("rule/together.rs"),
    file!("rule/tuple.rs"),
    file!("rule/value.rs"),
    file!("serde.rs"),
    file!("serde/transcriber.rs"),
    file!("serde/tree.rs"),
    file!("serde/value.rs"),
    file!("server.rs"),
    file!("server/answer.rs"),
    file!("server/body.rs"),
    file!("server/body_reader.rs"),
    file!("server/call.rs"),
    file!("server/download.rs"),
    file!("server/endpoint.rs"),
    file!("server/failure.rs"),
    file!("server/incoming.rs"),
    file!("server/media_type.rs"),
    file!("server/multipart.rs"),
    file!("server/operation.rs"),
    file!("server/options.rs"),
    file!("server/parameter_reader.rs"),
    file!("server/path.rs"),
    file!("server/problem.rs"),
    file!("server/reply.rs"),
    file!("server/request_reader.rs"),
    file!("server/routes.rs"),
    file!("server/security.rs"),
    file!("server/target.rs"),
    file!("server/trace.rs"),
    file!("server_stream.rs"),
    file!("stream.rs"),
    file!("stream/encoder.rs"),
    file!("stream/event.rs"),
    file!("stream/event_decoder.rs"),
    file!("stream/items.rs"),
    file!("stream/json_decoder.rs"),
    file!("stream/lines.rs"),
    file!("strict_time.rs"),
    file!("text.rs"),
    file!("text/base64.rs"),
    file!("text/choice.rs"),
    file!("text/number.rs"),
    file!("text/time.rs"),
    file!("time.rs"),
    file!("time_rule.rs"),
    file!("unknown.rs"),
    file!("unknown/choices.rs"),
    file!("uuid.rs"),
    file!("uuid_rule.rs"),
    file!("violation.rs"),
    file!("with.rs"),
    file!("with_rule.rs"),
];

/// The feature of the crate that a file is compiled with, besides those of its whole module.
const FEATURES: &[(&str, &str)] = &[
    ("client/link.rs", "pages"),
    ("client/multipart.rs", "client-multipart"),
    ("client/page.rs", "pages"),
    ("client/pages.rs", "pages"),
    ("json/tuple.rs", "tuple"),
    ("json/union.rs", "union"),
    ("parameter/fields.rs", "object-parameter"),
    ("parameter/member.rs", "object-parameter"),
    ("parameter/table.rs", "object-parameter"),
    ("rule/member.rs", "object-parameter"),
    ("rule/tuple.rs", "tuple"),
    ("server/multipart.rs", "server-multipart"),
];

/// The files that a crate with these `features` needs, and their texts without what other features are for.
pub(super) fn with(features: &BTreeSet<&str>) -> impl Iterator<Item = (&'static str, Cow<'static, str>)> {
    FILES.iter().filter_map(|(path, text)| {
        let feature = FEATURES.iter().find(|(of, _)| of == path).map(|(_, feature)| *feature);
        feature.is_none_or(|feature| features.contains(feature)).then(|| (*path, without_conditions(text, features)))
    })
}

/// A text as it is with some features on: items, members and values that have another one are left out, and so is
/// what says on which of them they depend.
fn without_conditions(text: &'static str, features: &BTreeSet<&str>) -> Cow<'static, str> {
    if !text.contains(CONDITION) {
        return Cow::Borrowed(text);
    }
    let mut kept: Vec<&str> = Vec::new();
    let mut lines = text.lines();
    while let Some(line) = lines.next() {
        let condition = line.trim_start().strip_prefix(CONDITION).and_then(|rest| rest.strip_suffix("\")]"));
        match condition {
            // The crate has these features itself.
            None | Some(SERDE | TRACING) => kept.push(line),
            Some(feature) if features.contains(feature) => {}
            Some(_) => {
                while kept.last().is_some_and(|line| line.trim_start().starts_with("///")) {
                    kept.pop();
                }
                // What has a condition is short: it ends with the first line that can end it.
                let _ = lines.find(|line| line.ends_with([';', ',']));
            }
        }
    }
    Cow::Owned(kept.join("\n") + "\n")
}

/// How an attribute begins that names a feature.
const CONDITION: &str = "#[cfg(feature = \"";

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::*;

    #[test]
    fn what_another_feature_is_for_is_left_out() {
        let text = "mod a;\n#[cfg(feature = \"b\")]\nmod b;\nstruct C {\n    d: D,\n    /// E.\n    #[cfg(feature = \"b\")]\n    e: E,\n}\n";
        let with = "mod a;\nmod b;\nstruct C {\n    d: D,\n    /// E.\n    e: E,\n}\n";
        assert_eq!(without_conditions(text, &BTreeSet::from(["b"])), with);
        assert_eq!(without_conditions(text, &BTreeSet::new()), "mod a;\nstruct C {\n    d: D,\n}\n");
    }

    #[test]
    fn files_with_a_feature_are_modules_with_it() {
        for (path, feature) in FEATURES {
            let (parent, file) = path.split_once('/').unwrap();
            let (_, parent) = FILES.iter().find(|(path, _)| path.strip_suffix(".rs") == Some(parent)).unwrap();
            let line = format!("{CONDITION}{feature}\")]\nmod {};\n", file.strip_suffix(".rs").unwrap());
            assert!(parent.contains(&line), "{path}");
        }
    }

    #[test]
    fn every_file_is_listed() {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../runtime/src");
        let mut found = Vec::new();
        let mut folders = vec![folder.clone()];
        while let Some(next) = folders.pop() {
            for entry in std::fs::read_dir(&next).unwrap() {
                let path = entry.unwrap().path();
                if path.is_dir() {
                    folders.push(path);
                } else {
                    found.push(path.strip_prefix(&folder).unwrap().to_str().unwrap().replace('\\', "/"));
                }
            }
        }
        // The list of modules is each crate's own, and what only those need who depend on the crate is not copied.
        found.retain(|path| !["lib.rs", "version.rs", "wrapped.rs"].contains(&path.as_str()));
        found.sort();
        let mut listed: Vec<_> = FILES.iter().map(|(path, _)| (*path).to_owned()).collect();
        listed.sort();
        assert_eq!(found, listed);
    }
}
