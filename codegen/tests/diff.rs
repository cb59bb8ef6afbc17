//! The changes reported for two versions of a description, one pair for each rule.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::{fs, io};

use specwright::diff::{Changes, Party, Rule, Step, diff};
use specwright::{Description, Files, Generator, Source, Style};

fn fixtures() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../tests/fixtures")
}

/// The descriptions in the folder, sorted.
fn descriptions(folder: &Path) -> Vec<String> {
    let files = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().file_name().into_string().unwrap());
    let mut names: Vec<_> =
        files.filter(|name| Path::new(name).extension().is_some_and(|ending| ending == "yaml")).collect();
    names.sort();
    names
}

fn read(files: &dyn Files, entry: &str) -> Description {
    let result = Generator::new().read(&Source::files(files, entry));
    result.unwrap_or_else(|problems| panic!("{entry}:\n{}", problems.render(files, Style::Plain)))
}

/// Two descriptions in one file, the old one first.
struct Pair {
    old: String,
    new: String,
}

impl Pair {
    fn of(text: &str) -> Self {
        let (old, new) = text.split_once("---\n").expect("a fixture has two documents");
        Self { old: old.to_owned(), new: new.to_owned() }
    }

    fn changes(&self) -> Changes {
        diff(&read(self, "old.yaml"), &read(self, "new.yaml"))
    }
}

impl Files for Pair {
    fn read(&self, path: &str) -> io::Result<Vec<u8>> {
        match path {
            "old.yaml" => Ok(self.old.clone().into_bytes()),
            "new.yaml" => Ok(self.new.clone().into_bytes()),
            _ => Err(io::ErrorKind::NotFound.into()),
        }
    }
}

#[test]
fn every_rule_has_a_pair() {
    let folder = fixtures().join("diff");
    let mut seen = BTreeSet::new();
    for file in descriptions(&folder) {
        let pair = Pair::of(&fs::read_to_string(folder.join(&file)).unwrap());
        let changes = pair.changes();
        let name = file.trim_end_matches(".yaml");
        assert!(changes.iter().any(|change| change.rule.name() == name), "{name}");
        assert!(changes.iter().all(|change| !change.effects.is_empty()), "{name}: every difference says what it means");
        seen.extend(changes.iter().map(|change| change.rule.name()).filter(|rule| *rule == name));
        insta::with_settings!({ snapshot_path => "snapshots/diff", prepend_module_to_snapshot => false, omit_expression => true }, {
            insta::assert_snapshot!(name, changes.render(&pair, Style::Plain));
        });
    }
    let unseen: Vec<_> = Rule::ALL.iter().map(|rule| rule.name()).filter(|rule| !seen.contains(rule)).collect();
    assert_eq!(unseen, [""; 0], "every rule has a fixture, `tests/fixtures/diff/<name>.yaml`");
}

/// Rules that are about generated code; on the wire, another rule says what differs.
const OF_CODE: [Rule; 11] = [
    Rule::CredentialsAdded,
    Rule::CredentialsRemoved,
    Rule::DeriveRemoved,
    Rule::NameChanged,
    Rule::PaginationAdded,
    Rule::PaginationChanged,
    Rule::PaginationRemoved,
    Rule::PrincipalChanged,
    Rule::ResponseShapeChanged,
    Rule::RustTypeChanged,
    Rule::TypeRemoved,
];

#[test]
fn a_difference_on_the_wire_says_what_it_means_for_callers() {
    let folder = fixtures().join("diff");
    for file in descriptions(&folder) {
        let Pair { old, new } = Pair::of(&fs::read_to_string(folder.join(&file)).unwrap());
        for pair in [Pair { old: old.clone(), new: new.clone() }, Pair { old: new, new: old }] {
            // A type that no operation reaches is not on the wire.
            for change in pair.changes().iter().filter(|change| !change.operations.is_empty()) {
                let is_told = change.effects.iter().any(|effect| effect.party == Party::Callers);
                let is_of_code = OF_CODE.contains(&change.rule) || change.message.starts_with("the enum of the parts");
                assert_eq!(is_told, !is_of_code, "{file}: {}", change.message);
            }
        }
    }
}

#[test]
fn a_description_does_not_differ_from_itself() {
    let mut count = 0;
    let root = fixtures();
    for folder in [root.clone(), root.join("../../spec")] {
        let files = |path: &str| fs::read(folder.join(path));
        for file in descriptions(&folder) {
            let changes = diff(&read(&files, &file), &read(&files, &file));
            assert_eq!(changes.render(&files, Style::Plain), "no difference\n", "{file}");
            count += 1;
        }
    }
    assert!(count > 30, "{count} descriptions");
}

#[test]
fn a_description_does_not_differ_from_its_twin_of_another_version() {
    let folder = fixtures().join("swagger-2-0");
    for feature in fs::read_dir(&folder).unwrap() {
        let feature = feature.unwrap().path();
        let api = |version: &str| read(&|path: &str| fs::read(feature.join(version).join(path)), "description.yaml");
        let changes = diff(&api("2.0"), &api("3.0"));
        assert!(changes.is_empty(), "{}: {changes:#?}", feature.display());
    }
}

#[test]
fn what_one_direction_adds_the_other_removes() {
    let folder = fixtures().join("diff");
    for file in descriptions(&folder) {
        let Pair { old, new } = Pair::of(&fs::read_to_string(folder.join(&file)).unwrap());
        let back = Pair { old: new, new: old };
        // A new type without users has no effect.
        assert!(file == "type-removed.yaml" || !back.changes().is_empty(), "{file}");
    }
}

#[test]
fn a_type_that_reads_like_another_keeps_its_name() {
    let answered = "
openapi: 3.0.3
info: { title: T, version: '1' }
paths: {}
components:
  schemas:
    Answered: { type: object, properties: { id: { type: string, enum: [a, b] } } }
";
    let both = format!("{answered}    B: {{ type: object, properties: {{ id: {{ type: string, enum: [a, b] }} }} }}\n");
    let added = Pair { old: answered.to_owned(), new: both.clone() }.changes();
    assert!(added.is_empty(), "{added:#?}");
    let removed = Pair { old: both, new: answered.to_owned() };
    let changes = removed.changes();
    assert!(
        changes.iter().all(|change| change.rule == Rule::TypeRemoved),
        "{}",
        changes.render(&removed, Style::Plain)
    );
    assert!(!changes.is_empty());
}

#[test]
fn models_that_contain_themselves_are_compared_once() {
    let text = |label: &str| {
        format!(
            "
openapi: 3.0.3
info: {{ title: T, version: '1' }}
paths:
  /a: {{ get: {{ operationId: a, responses: {{ '200': {{ description: A., content: {{ application/json: {{ schema: {{ $ref: '#/components/schemas/Node' }} }} }} }} }} }} }}
  /b: {{ get: {{ operationId: b, responses: {{ '200': {{ description: A., content: {{ application/json: {{ schema: {{ $ref: '#/components/schemas/Tree' }} }} }} }} }} }} }}
components:
  schemas:
    Node: {{ type: object, properties: {{ tree: {{ $ref: '#/components/schemas/Tree' }}, label: {{ type: {label} }} }} }}
    Tree: {{ type: object, properties: {{ nodes: {{ type: array, items: {{ $ref: '#/components/schemas/Node' }} }}, up: {{ $ref: '#/components/schemas/Tree' }} }} }}
"
        )
    };
    let changes = Pair { old: text("string"), new: text("integer") }.changes();
    let changes: Vec<_> = changes.iter().collect();
    assert_eq!(changes.len(), 1, "{changes:?}");
    assert_eq!(changes[0].rule, Rule::TypeChanged);
    assert_eq!(changes[0].operations.iter().map(|reached| reached.id.as_str()).collect::<Vec<_>>(), ["a", "b"]);
    assert!(Party::ALL.iter().all(|party| changes[0].breaks(*party)));
}

/// Two descriptions of `GET /a` that differ in the schema of its query parameter `p`.
fn of_parameter(old: &str, new: &str) -> Pair {
    let text = |schema: &str| {
        format!(
            "
openapi: 3.1.0
info: {{ title: T, version: '1' }}
paths:
  /a: {{ get: {{ operationId: a, parameters: [{{ name: p, in: query, schema: {schema} }}], responses: {{ '204': {{ description: A. }} }} }} }}
"
        )
    };
    Pair { old: text(old), new: text(new) }
}

/// The reported rules with their messages.
fn told(pair: &Pair) -> Vec<(Rule, String)> {
    pair.changes().iter().map(|change| (change.rule, change.message.clone())).collect()
}

#[test]
fn several_constraints_of_a_kind_are_compared_one_by_one() {
    let limits = "{ type: integer, minimum: 0, exclusiveMinimum: 0 }";
    let patterns = "{ type: string, allOf: [{ pattern: '^a' }, { pattern: 'b$' }] }";
    for schema in [limits, patterns] {
        assert_eq!(told(&of_parameter(schema, schema)), []);
    }
    let one = "{ type: string, pattern: '^a' }";
    let message = "the query parameter `p` need not keep `pattern: b$` any more";
    assert_eq!(told(&of_parameter(patterns, one)), [(Rule::ConstraintLoosened, message.to_owned())]);
    let message = "the query parameter `p` has to keep `pattern: b$` now";
    assert_eq!(told(&of_parameter(one, patterns)), [(Rule::ConstraintTightened, message.to_owned())]);
    assert_eq!(told(&of_parameter(limits, "{ type: integer, exclusiveMinimum: 0 }")), []);
}

#[test]
fn callbacks_of_one_name_are_told_apart_by_their_operations() {
    let operation = |path: &str, field: &str| {
        format!(
            "
  /{path}:
    post:
      operationId: {path}
      responses: {{ '204': {{ description: A. }} }}
      callbacks:
        onEvent:
          '{{$request.body#/url}}':
            post:
              requestBody: {{ content: {{ application/json: {{ schema: {{ type: object, properties: {{ {field}: {{ type: string }} }} }} }} }} }}
              responses: {{ '204': {{ description: A. }} }}"
        )
    };
    let text = |operations: &[String]| {
        format!("openapi: 3.0.3\ninfo: {{ title: T, version: '1' }}\npaths:{}\n", operations.concat())
    };
    let both = text(&[operation("a", "x"), operation("b", "y")]);
    assert_eq!(told(&Pair { old: both.clone(), new: both.clone() }), []);
    let changes = Pair { old: both, new: text(&[operation("b", "y")]) }.changes();
    let gone = |rule: Rule| changes.iter().filter(move |change| change.rule == rule).count();
    assert_eq!((gone(Rule::OperationRemoved), gone(Rule::WebhookRemoved), gone(Rule::MemberRemoved)), (1, 1, 0));
}

/// Two descriptions of `POST /a` that differ in the content of its body and response.
fn of_content(old: &str, new: &str) -> Pair {
    let text = |content: &str| {
        format!(
            "
openapi: 3.0.3
info: {{ title: T, version: '1' }}
paths:
  /a: {{ post: {{ operationId: a, requestBody: {{ required: true, content: {{ {content} }} }}, responses: {{ '200': {{ description: A., content: {{ {content} }} }} }} }} }}
components: {{ schemas: {{ A: {{ type: object, properties: {{ x: {{ type: integer }} }} }} }} }}
"
        )
    };
    Pair { old: text(old), new: text(new) }
}

#[test]
fn a_body_of_another_kind_is_another_type_in_rust() {
    let json = "application/json: { schema: { $ref: '#/components/schemas/A' } }";
    let text = "text/plain: { schema: { type: string } }";
    let events = "text/event-stream: { schema: { $ref: '#/components/schemas/A' } }";
    let xml = "application/xml: { schema: { $ref: '#/components/schemas/A' } }";
    let types = |old: &str, new: &str| -> Vec<String> {
        let changes = of_content(old, new).changes();
        let of_rust = changes.iter().filter(|change| change.breaks(Party::Servers) && change.breaks(Party::Rust));
        of_rust.map(|change| change.message.clone()).filter(|message| message.contains("the request body")).collect()
    };
    for (new, word) in [(text, "text"), (events, "a stream of events"), (xml, "XML")] {
        assert_eq!(types(json, new), [format!("the request body is {word} in Rust now, not JSON")]);
    }
    let (before, after) = (format!("{json}, {text}"), format!("{json}, {xml}"));
    assert_eq!(types(&before, &after), ["the request body is an enum of 2 other forms in Rust"]);
    assert_eq!(types(json, &json.replace("/json", "/hal+json")), [""; 0]);
    let other = json.replace("/json", "/hal+json").replace("$ref: '#/components/schemas/A'", "type: integer");
    assert_eq!(types(json, &other), ["the request body is `integer (int64)` now, not `A`"]);
}

#[test]
fn parts_that_were_refused_may_be_sent() {
    let form = |others: &str| {
        format!(
            "multipart/form-data: {{ schema: {{ type: object, properties: {{ x: {{ type: string }} }}{others} }} }}"
        )
    };
    let changes = of_content(&form(", additionalProperties: false"), &form("")).changes();
    let rules: Vec<_> = changes.iter().map(|change| change.rule).collect();
    assert_eq!(rules, [Rule::OtherMembersAllowed, Rule::OtherMembersAllowed]);
    assert_eq!(changes.step(&[Party::Callers]), Step::Minor);
}

#[test]
fn members_that_were_skipped_and_have_a_type_now_break_callers() {
    let narrowed = |old: &str, new: &str| -> bool {
        let schema = |others: &str| {
            format!(
                "application/json: {{ schema: {{ type: object, properties: {{ x: {{ type: integer }} }}{others} }} }}"
            )
        };
        let changes = of_content(&schema(old), &schema(new)).changes();
        assert!(!changes.is_empty(), "{old} {new}");
        changes.iter().any(|change| change.rule == Rule::TypeNarrowed && change.breaks(Party::Callers))
    };
    assert!(narrowed("", ", additionalProperties: { type: integer }"));
    assert!(!narrowed("", ", additionalProperties: {}"));
    // They were already refused.
    assert!(!narrowed(", additionalProperties: false", ", additionalProperties: { type: integer }"));
}

#[test]
fn a_parameter_that_is_called_otherwise_on_the_wire_breaks_callers_only() {
    let text = |parameters: &str| {
        format!(
            "
openapi: 3.0.3
info: {{ title: T, version: '1' }}
paths:
  /a: {{ get: {{ operationId: a, parameters: [{parameters}], responses: {{ '204': {{ description: A. }} }} }} }}
"
        )
    };
    let broken = |old: &str, new: &str| {
        let changes = Pair { old: text(old), new: text(new) }.changes();
        Party::ALL
            .map(|party| changes.breaks(&Party::ALL.into_iter().filter(|other| *other != party).collect::<Vec<_>>()))
    };
    for required in [true, false] {
        let parameter = |name: &str, ty: &str| {
            format!("{{ name: {name}, in: query, required: {required}, schema: {{ type: {ty} }} }}")
        };
        assert_eq!(broken(&parameter("limit", "integer"), &parameter("Limit", "integer")), [true, false, false]);
        assert_eq!(broken(&parameter("limit", "integer"), &parameter("Limit", "string")), [true, true, true]);
    }
}
