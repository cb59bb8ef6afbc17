//! Replaces names and texts by neutral ones as long as the problem remains.

use std::collections::{BTreeMap, BTreeSet};
use std::time::Instant;

use serde_json::{Map, Value};

/// Words of OpenAPI, JSON Schema, HTTP and media types: they tell nothing about who uses them.
const KNOWN: &str = "\
    yaml yml json xml openapi swagger info title version description summary termsOfService contact license name url email \
    identifier paths components schemas responses parameters examples requestBodies headers securitySchemes links callbacks \
    pathItems webhooks mediaTypes servers variables tags externalDocs security jsonSchemaDialect self get put post delete \
    options head patch trace query additionalOperations operationId operationRef deprecated requestBody content schema \
    itemSchema encoding itemEncoding prefixEncoding contentType style explode allowReserved allowEmptyValue example in path \
    header cookie querystring required type string number integer boolean array object null true false format int32 int64 \
    uint8 uint32 uint64 float double date date-time time duration uuid uri email hostname ipv4 ipv6 byte binary decimal \
    password regex properties additionalProperties patternProperties propertyNames unevaluatedProperties unevaluatedItems \
    items prefixItems contains minContains maxContains minItems maxItems uniqueItems minLength maxLength pattern minimum \
    maximum exclusiveMinimum exclusiveMaximum multipleOf minProperties maxProperties enum const default nullable readOnly \
    writeOnly discriminator propertyName mapping defaultMapping allOf oneOf anyOf not if then else dependentRequired \
    dependentSchemas dependencies ref id anchor dynamicRef dynamicAnchor defs definitions comment contentMediaType \
    contentEncoding contentSchema wrapped prefix namespace attribute matrix label simple form spaceDelimited pipeDelimited \
    deepObject apiKey http https basic bearer oauth2 openIdConnect mutualTLS flows implicit clientCredentials \
    authorizationCode authorizationUrl tokenUrl refreshUrl scopes scheme bearerFormat openIdConnectUrl basePath host schemes \
    consumes produces collectionFormat formData body csv ssv tsv pipes multi file application multipart text image audio \
    video form-data x-www-form-urlencoded plain event-stream octet-stream problem jsonl html \
    1XX 2XX 3XX 4XX 5XX overlay extends actions target update remove";

/// Members whose text is replaced as a whole.
const TEXTS: [&str; 5] = ["title", "version", "description", "summary", "pattern"];

/// The tree with neutral names. A name stays if the problem depends on it; after `end`, all remaining do.
pub(super) fn anonymous(tree: Value, end: Instant, is_kept: &dyn Fn(&Value) -> bool) -> Value {
    let mut tree = tree;
    let mut found = Found { known: KNOWN.split_whitespace().collect(), ..Found::default() };
    found.look_at(&tree, "");
    let mut neutral =
        (0..).map(neutral).filter(|name| !found.words.contains(name) && !found.words.contains(&name.to_uppercase()));
    let texts = found.texts.iter().zip(&mut neutral).map(|(text, neutral)| (text.clone(), neutral)).collect::<Vec<_>>();
    try_all(&mut tree, &texts, end, is_kept, &|tree, some| with_texts(tree, some));
    let words = found.words.iter().zip(&mut neutral).map(|(word, neutral)| {
        let is_upper = word.starts_with(char::is_uppercase);
        let neutral = if word.starts_with("x-") { format!("x-{neutral}") } else { neutral };
        (word.clone(), if is_upper { neutral.to_uppercase() } else { neutral })
    });
    try_all(&mut tree, &words.collect::<Vec<_>>(), end, is_kept, &|tree, some| with_words(tree, some));
    tree
}

/// `a`, `b`, …, `z`, `a1`, …
fn neutral(index: u32) -> String {
    let letter = char::from(b'a' + u8::try_from(index % 26).unwrap_or_default());
    if index < 26 { letter.to_string() } else { format!("{letter}{}", index / 26) }
}

type Replacements = BTreeMap<String, String>;

/// Applies all replacements, or else each half of them on its own, and so on.
fn try_all(
    tree: &mut Value,
    replacements: &[(String, String)],
    end: Instant,
    is_kept: &dyn Fn(&Value) -> bool,
    apply: &dyn Fn(&Value, &Replacements) -> Value,
) {
    if replacements.is_empty() || Instant::now() >= end {
        return;
    }
    let changed = apply(tree, &replacements.iter().cloned().collect());
    if is_kept(&changed) {
        *tree = changed;
    } else if replacements.len() > 1 {
        let (left, right) = replacements.split_at(replacements.len() / 2);
        try_all(tree, left, end, is_kept, apply);
        try_all(tree, right, end, is_kept, apply);
    }
}

/// What may be a name or a text of the author.
#[derive(Default)]
struct Found {
    known: BTreeSet<&'static str>,
    texts: BTreeSet<String>,
    words: BTreeSet<String>,
}

impl Found {
    fn look_at(&mut self, node: &Value, name: &str) {
        match node {
            Value::Object(members) => {
                for (name, node) in members {
                    self.add_words(name);
                    self.look_at(node, name);
                }
            }
            Value::Array(items) => items.iter().for_each(|item| self.look_at(item, name)),
            Value::String(text) => {
                if TEXTS.contains(&name) || text.contains(char::is_whitespace) {
                    self.texts.insert(text.clone());
                }
                self.add_words(text);
            }
            Value::Null | Value::Bool(_) | Value::Number(_) => {}
        }
    }

    fn add_words(&mut self, text: &str) {
        let words = text.split(|character| !is_of_word(character));
        let words = words.filter(|word| word.contains(char::is_alphabetic) && !self.known.contains(word));
        self.words.extend(words.map(str::to_owned));
    }
}

fn is_of_word(character: char) -> bool {
    character.is_alphanumeric() || matches!(character, '_' | '-')
}

/// The tree with other texts as values.
fn with_texts(node: &Value, texts: &Replacements) -> Value {
    map(node, &|name| name.to_owned(), &|text| texts.get(text).map_or_else(|| text.to_owned(), Clone::clone))
}

/// The tree with other words in its names and values.
fn with_words(node: &Value, words: &Replacements) -> Value {
    let replaced = |text: &str| {
        let mut replaced = String::new();
        for piece in text.split_inclusive(|character| !is_of_word(character)) {
            let word = piece.trim_end_matches(|character| !is_of_word(character));
            replaced.push_str(words.get(word).map_or(word, String::as_str));
            replaced.push_str(&piece[word.len()..]);
        }
        replaced
    };
    map(node, &replaced, &replaced)
}

fn map(node: &Value, name: &dyn Fn(&str) -> String, text: &dyn Fn(&str) -> String) -> Value {
    match node {
        Value::Object(members) => {
            let members = members.iter().map(|(key, node)| (name(key), map(node, name, text)));
            Value::Object(members.collect::<Map<_, _>>())
        }
        Value::Array(items) => items.iter().map(|item| map(item, name, text)).collect(),
        Value::String(value) => Value::String(text(value)),
        Value::Null | Value::Bool(_) | Value::Number(_) => node.clone(),
    }
}

#[cfg(test)]
mod tests {
    use std::time::{Duration, Instant};

    use serde_json::{Value, json};

    use super::anonymous;

    #[test]
    fn names_and_texts_become_letters_unless_they_matter() {
        let tree = json!({ "acme.yaml": {
            "info": { "title": "The Acme Company" },
            "paths": { "/orders/{orderId}": { "get": { "tags": ["Secret plan"], "x-acme": "https://acme.example/orders" } } },
            "components": { "schemas": { "Order": { "$ref": "#/components/schemas/Keep" } } },
        } });
        let is_kept = |tree: &Value| tree.to_string().contains("schemas/Keep");
        let changed = anonymous(tree, Instant::now() + Duration::from_mins(1), &is_kept);
        let text = changed.to_string();
        for secret in ["acme", "Acme", "rder", "Secret", "plan"] {
            assert!(!text.contains(secret), "{text}");
        }
        assert_eq!(text.matches("/{").count(), 1, "{text}");
        assert!(text.contains("#/components/schemas/Keep") && text.contains("\"x-"), "{text}");
    }
}
