//! Mutated fixtures give diagnostics or Rust, and never a panic.

use std::io;
use std::path::Path;
use std::sync::LazyLock;

use proptest::prelude::*;
use serde_json::Value;
use specwright::{File, Generator, Source, Style};

/// The fixtures as trees.
static FIXTURES: LazyLock<Vec<Value>> = LazyLock::new(|| {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../tests/fixtures");
    let entries = std::fs::read_dir(folder).expect("there are fixtures");
    let mut paths: Vec<_> = entries.filter_map(|entry| Some(entry.ok()?.path())).collect();
    paths.retain(|path| path.extension().is_some_and(|extension| extension == "yaml"));
    // The complete fixture is too slow for many runs.
    paths.retain(|path| path.file_name().is_some_and(|name| name != "everything.yaml"));
    paths.sort();
    paths.iter().filter_map(|path| serde_yaml::from_slice(&std::fs::read(path).ok()?).ok()).collect()
});

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn no_description_breaks_the_generator(fixture: usize, edits in prop::collection::vec(any::<Edit>(), 1..12)) {
        let mut tree = FIXTURES[fixture % FIXTURES.len()].clone();
        for (target, source, kind) in edits {
            let pointers = pointers(&tree);
            let at = |number: u16| pointers[usize::from(number) % pointers.len()].clone();
            apply(&mut tree, &at(target), &at(source), kind);
        }
        let text = tree.to_string();
        let files = |path: &str| match path {
            "mutated.json" => Ok(text.clone().into_bytes()),
            _ => Err(io::Error::from(io::ErrorKind::NotFound)),
        };
        let diagnostics = match Generator::new().generate(&Source::files(&files, "mutated.json")) {
            Ok(generated) => {
                for File { path, text } in generated.server.files.iter().chain(&generated.client.files) {
                    prop_assert!(!text.contains("compile_error!"), "{path} is not Rust:\n{text}\n{tree:#}");
                }
                generated.warnings
            }
            Err(diagnostics) => {
                prop_assert!(diagnostics.has_errors(), "nothing was generated, and nothing says why:\n{tree:#}");
                diagnostics
            }
        };
        diagnostics.render(&files, Style::Plain);
    }

    #[test]
    fn no_text_breaks_the_generator(text in "(openapi|swagger|paths|[{}\\[\\]:,\"&*|>#\n -]|3\\.[01]|[a-z]|\\PC){0,60}") {
        let files = |_: &str| Ok(text.clone().into_bytes());
        if let Err(diagnostics) = Generator::new().generate(&Source::files(&files, "any.yaml")) {
            prop_assert!(diagnostics.has_errors());
            diagnostics.render(&files, Style::Plain);
        }
    }
}

/// Found by the first test above.
#[test]
fn variants_that_lead_back_to_themselves_come_to_an_end() {
    let variant = r##"{ allOf: [{ $ref: "#/components/schemas/A" }] }"##;
    for schema in [
        format!("{{ oneOf: [{variant}] }}"),
        format!("{{ oneOf: [{variant}, {{ type: string }}] }}"),
        format!("{{ anyOf: [{{ oneOf: [{variant}] }}], required: [a] }}"),
    ] {
        let text = format!(
            "openapi: 3.0.3\ninfo: {{ title: A, version: '1' }}\npaths: {{}}\ncomponents: {{ schemas: {{ A: {schema} }} }}"
        );
        let files = |_: &str| Ok(text.clone().into_bytes());
        assert!(Generator::new().generate(&Source::files(&files, "a.yaml")).is_ok(), "{text}");
    }
}

/// The target node, the source node, and the kind of change; nodes by number.
type Edit = (u16, u16, u8);

/// The pointer of every node.
fn pointers(tree: &Value) -> Vec<String> {
    let (mut found, mut waiting) = (Vec::new(), vec![(String::new(), tree)]);
    while let Some((pointer, node)) = waiting.pop() {
        match node {
            Value::Object(members) => {
                waiting.extend(members.iter().map(|(name, member)| {
                    (format!("{pointer}/{}", name.replace('~', "~0").replace('/', "~1")), member)
                }));
            }
            Value::Array(items) => {
                waiting.extend(items.iter().enumerate().map(|(index, item)| (format!("{pointer}/{index}"), item)));
            }
            _ => {}
        }
        found.push(pointer);
    }
    found
}

/// Replaces a node, removes it, copies into it, or makes it a reference.
fn apply(tree: &mut Value, target: &str, source: &str, kind: u8) {
    let from = tree.pointer(source).cloned().unwrap_or_default();
    let parent = target.rsplit_once('/').map(|(parent, name)| (parent.to_owned(), name.to_owned()));
    match (kind % 8, parent) {
        (0 | 1, _) => set(tree, target, from),
        (2, _) => set(tree, target, serde_json::json!({ "$ref": format!("#{source}") })),
        (3, Some((parent, name))) => match tree.pointer_mut(&parent) {
            Some(Value::Object(members)) => {
                members.shift_remove(&name);
            }
            Some(Value::Array(items)) if !items.is_empty() => {
                items.pop();
            }
            _ => {}
        },
        (4, _) => {
            if let (Some(Value::Object(members)), Value::Object(more)) = (tree.pointer_mut(target), from) {
                members.extend(more);
            }
        }
        (5, _) => set(tree, target, Value::Null),
        (6, _) => set(tree, target, serde_json::json!({ "allOf": [from, { "$ref": format!("#{target}") }] })),
        _ => {
            if let (Some(Value::Array(items)), from) = (tree.pointer_mut(target), from) {
                items.push(from);
            }
        }
    }
}

fn set(tree: &mut Value, pointer: &str, value: Value) {
    if let Some(node) = tree.pointer_mut(pointer) {
        *node = value;
    }
}
