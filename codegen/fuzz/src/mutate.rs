//! Mutates inputs as trees, so that most results are nearly valid; libFuzzer alone would mutate bytes.

use std::mem;
use std::sync::OnceLock;

use libfuzzer_sys::fuzzer_mutate;
use serde_json::{Value, json};

use crate::SEPARATOR;

/// Difficult texts for names, documentation and generated code.
#[rustfmt::skip]
const HARD: &[&str] = &[
    "", " ", "-", "_", "0", "a", "A", "é", "🦀", "self", "Self", "crate", "r#type", "fn", "async", "2fast", "a b", "a-b",
    "a_b", "aB", "*/", "/*", "//", "\"", "\\", "`", "```", "{", "}", "{}", "{a}", "<br>", "$", "#", "#/", "%", "%zz", "~", "~1",
    "~2", "/", "\n", "\r\n", "\u{0}", "\u{feff}", "\u{202e}", "\u{301}", "^(a+)+$", "(", "[z-a]", "\\u{", "*/*", "/+json",
    "text/event-stream", "application/json; charset=utf-8", "https://", "{scheme}://{host}", "b.yaml", "b.yaml#/components",
    "#/paths/~1a/get", "$request.body#/url", "{$url}", "-1", "1e999", "9223372036854775808", "0.1", "2024-02-30", "true", "null",
];

/// Subtrees and member names to insert.
pub struct Donors {
    trees: Vec<Value>,
    words: Vec<String>,
}

impl Donors {
    /// Collects subtrees from documents, and words from a libFuzzer dictionary.
    pub fn new(documents: &[&str], dictionary: &str) -> Self {
        let trees: Vec<Value> = documents.iter().filter_map(|text| parse(text)).collect();
        let mut words: Vec<String> = dictionary.lines().filter_map(|line| serde_json::from_str(line).ok()).collect();
        trees.iter().for_each(|tree| names(tree, &mut words));
        words.sort();
        words.dedup();
        Self { trees, words }
    }
}

/// Mutates the input in the first `size` bytes of `data`, and returns its new size.
pub fn mutate(data: &mut [u8], size: usize, max_size: usize, seed: u32, donors: &Donors) -> usize {
    let mut random = Random::new(seed);
    let text = str::from_utf8(&data[..size]).ok().filter(|_| !random.one_in(12));
    let mut trees = match text.and_then(|text| text.split(SEPARATOR).map(parse).collect::<Option<Vec<_>>>()) {
        Some(trees) => trees,
        None if random.one_in(2) => vec![donors.part(donors.tree(&mut random), &mut random).clone()],
        None => return fuzzer_mutate(data, size, max_size),
    };
    for _ in 0..=random.below(4) {
        change(&mut trees, donors, &mut random);
    }
    let texts: Vec<String> = trees.iter().map(Value::to_string).collect();
    let text = texts.join(&SEPARATOR.to_string());
    if text.len() > max_size {
        return fuzzer_mutate(data, size, max_size);
    }
    data[..text.len()].copy_from_slice(text.as_bytes());
    text.len()
}

/// The donors for targets that read descriptions.
pub fn descriptions() -> &'static Donors {
    static DONORS: OnceLock<Donors> = OnceLock::new();
    DONORS.get_or_init(|| {
        let documents = [
            include_str!("../../../tests/fixtures/everything.yaml"),
            include_str!("../../../tests/fixtures/overlay/overlay.yaml"),
            include_str!("../../../tests/fixtures/openapi-3-1-members.yaml"),
            include_str!("../../../tests/fixtures/openapi-3-1-references.yaml"),
            include_str!("../../../tests/fixtures/openapi-3-2-query.yaml"),
            include_str!("../../../tests/corpus/composition.yaml"),
            include_str!("../../../tests/corpus/careless-schemas.yaml"),
        ];
        Donors::new(&documents, include_str!("../words.dict"))
    })
}

fn parse(text: &str) -> Option<Value> {
    let tree: Value = serde_json::from_str(text).ok().or_else(|| serde_yaml::from_str(text).ok())?;
    (tree.is_object() || tree.is_array()).then_some(tree)
}

/// One change to one of the trees.
fn change(trees: &mut Vec<Value>, donors: &Donors, random: &mut Random) {
    if trees.len() < 3 && random.one_in(40) {
        trees.push(if random.one_in(2) { trees[0].clone() } else { donors.tree(random).clone() });
        return;
    }
    let index = random.below(trees.len());
    let kind = random.below(14);
    if kind == 0 {
        return set_version(&mut trees[index], random);
    }
    let copy = donors.part(&trees[random.below(trees.len())], random).clone();
    let target = random.below(trees.len());
    let reference = reference_into(&trees[target], if target == index { "" } else { "b.yaml" }, random);
    let tree = &mut trees[index];
    let mut at = random.below(count(tree));
    let Some(node) = nth(tree, &mut at) else { return };
    match kind {
        1 => *node = copy,
        2 => *node = scalar(random),
        3 => *node = json!({ "$ref": reference }),
        4 => edit(node, random),
        5 => wrap(node, donors, random),
        6 => repeat(node, random),
        7 => *node = Value::String(donors.word(random)),
        8..=9 => insert(node, donors.word(random), copy, random),
        10 => insert(node, donors.word(random), scalar(random), random),
        11 => rename(node, donors.word(random), random),
        12 => remove(node, random),
        _ => splice(node, donors, random),
    }
}

impl Donors {
    fn tree(&self, random: &mut Random) -> &Value {
        random.pick(&self.trees)
    }

    /// A subtree of the tree itself or of a donor.
    fn part<'a>(&'a self, tree: &'a Value, random: &mut Random) -> &'a Value {
        let tree = if random.one_in(2) { tree } else { self.tree(random) };
        loop {
            let mut at = random.below(count(tree));
            // A large subtree would make every result large.
            if let Some(part) = nth_of(tree, &mut at).filter(|part| count(part) < 100) {
                return part;
            }
        }
    }

    fn word(&self, random: &mut Random) -> String {
        match random.below(4) {
            0 => (*random.pick(HARD)).to_owned(),
            _ => random.pick(&self.words).clone(),
        }
    }
}

fn set_version(tree: &mut Value, random: &mut Random) {
    let Value::Object(members) = tree else { return };
    let (name, version) =
        *random.pick(&[("swagger", "2.0"), ("openapi", "3.0.3"), ("openapi", "3.1.1"), ("openapi", "3.2.0")]);
    members.shift_remove("swagger");
    members.shift_remove("openapi");
    members.insert(name.to_owned(), version.into());
}

fn scalar(random: &mut Random) -> Value {
    match random.below(8) {
        0 => Value::Null,
        1 => Value::Bool(random.one_in(2)),
        2 => json!([]),
        3 => json!({}),
        4 | 5 => {
            let numbers = [
                json!(0),
                json!(-1),
                json!(1),
                json!(2),
                json!(255),
                json!(i64::MIN),
                json!(i64::MAX),
                json!(u64::MAX),
                json!(1e308),
                json!(-0.0),
                json!(0.1),
                json!(1e-320),
                json!(1e15),
                json!(0.30000000000000004),
            ];
            random.pick(&numbers).clone()
        }
        6 => Value::String(random.pick(HARD).repeat(1 + random.below(300))),
        _ => Value::String((*random.pick(HARD)).to_owned()),
    }
}

/// Changes a scalar a little.
fn edit(node: &mut Value, random: &mut Random) {
    match node {
        Value::String(text) => {
            let ends: Vec<usize> = text.char_indices().map(|(index, _)| index).chain([text.len()]).collect();
            let (start, end) = (*random.pick(&ends), *random.pick(&ends));
            let piece = *random.pick(HARD);
            match random.below(3) {
                0 => text.insert_str(start, piece),
                1 => text.replace_range(start.min(end)..start.max(end), piece),
                _ => *text = text[start.min(end)..start.max(end)].to_owned(),
            }
        }
        Value::Bool(value) => *value = !*value,
        other => *other = scalar(random),
    }
}

/// Wraps the node, sometimes many times.
fn wrap(node: &mut Value, donors: &Donors, random: &mut Random) {
    let times = if random.one_in(8) { random.below(120) } else { 1 };
    let words = [donors.word(random), donors.word(random)];
    for level in 0..times {
        let inner = node.take();
        *node = match random.below(3) {
            0 => json!([inner]),
            _ => json!({ words[level % 2].clone(): inner }),
        };
    }
}

/// Repeats the items of the node, which reveals superlinear time.
fn repeat(node: &mut Value, random: &mut Random) {
    let times = if random.one_in(8) { random.below(200) } else { 1 + random.below(3) };
    match node {
        Value::Array(items) if !items.is_empty() => {
            let item = random.pick(items).clone();
            items.extend(std::iter::repeat_n(item, times));
        }
        Value::Object(members) if !members.is_empty() => {
            let at = random.below(members.len());
            if let Some((name, value)) = members.iter().nth(at).map(|(name, value)| (name.clone(), value.clone())) {
                members.extend((0..times).map(|number| (format!("{name}{number}"), value.clone())));
            }
        }
        Value::String(text) => *text = text.repeat(1 + times),
        _ => {}
    }
}

fn insert(node: &mut Value, name: String, value: Value, random: &mut Random) {
    match node {
        Value::Object(members) => {
            members.insert(name, value);
        }
        Value::Array(items) => items.insert(random.below(items.len() + 1), value),
        other => *other = value,
    }
}

fn rename(node: &mut Value, to: String, random: &mut Random) {
    let Value::Object(members) = node else { return };
    if members.is_empty() {
        return;
    }
    let at = random.below(members.len());
    let renamed = mem::take(members).into_iter().enumerate();
    *members = renamed.map(|(index, (name, value))| (if index == at { to.clone() } else { name }, value)).collect();
}

fn remove(node: &mut Value, random: &mut Random) {
    match node {
        Value::Object(members) if !members.is_empty() => {
            let at = random.below(members.len());
            let name = members.keys().nth(at).cloned().unwrap_or_default();
            members.shift_remove(&name);
        }
        Value::Array(items) if !items.is_empty() => {
            items.remove(random.below(items.len()));
        }
        other => *other = Value::Null,
    }
}

/// Gives a member the value of a member with the same name elsewhere.
fn splice(node: &mut Value, donors: &Donors, random: &mut Random) {
    let Value::Object(members) = node else { return };
    if members.is_empty() {
        return;
    }
    let at = random.below(members.len());
    let Some((name, value)) = members.iter_mut().nth(at) else { return };
    let mut found = Vec::new();
    named(donors.tree(random), name, &mut found);
    if !found.is_empty() {
        *value = (*random.pick(&found)).clone();
    }
}

/// A `$ref` to a random node.
fn reference_into(tree: &Value, file: &str, random: &mut Random) -> String {
    let mut pointer = format!("{file}#");
    let mut node = tree;
    while !random.one_in(6) {
        let (name, next) = match node {
            Value::Object(members) if !members.is_empty() => {
                let at = random.below(members.len());
                let Some((name, next)) = members.iter().nth(at) else { break };
                (name.replace('~', "~0").replace('/', "~1"), next)
            }
            Value::Array(items) if !items.is_empty() => {
                let at = random.below(items.len());
                (at.to_string(), &items[at])
            }
            _ => break,
        };
        pointer = pointer + "/" + &name;
        node = next;
    }
    pointer
}

fn count(node: &Value) -> usize {
    1 + match node {
        Value::Array(items) => items.iter().map(count).sum(),
        Value::Object(members) => members.values().map(count).sum(),
        _ => 0,
    }
}

fn nth<'a>(node: &'a mut Value, at: &mut usize) -> Option<&'a mut Value> {
    if *at == 0 {
        return Some(node);
    }
    *at -= 1;
    match node {
        Value::Array(items) => items.iter_mut().find_map(|item| nth(item, at)),
        Value::Object(members) => members.values_mut().find_map(|value| nth(value, at)),
        _ => None,
    }
}

fn nth_of<'a>(node: &'a Value, at: &mut usize) -> Option<&'a Value> {
    if *at == 0 {
        return Some(node);
    }
    *at -= 1;
    match node {
        Value::Array(items) => items.iter().find_map(|item| nth_of(item, at)),
        Value::Object(members) => members.values().find_map(|value| nth_of(value, at)),
        _ => None,
    }
}

fn names(node: &Value, words: &mut Vec<String>) {
    match node {
        Value::Array(items) => items.iter().for_each(|item| names(item, words)),
        Value::Object(members) => {
            words.extend(members.keys().cloned());
            members.values().for_each(|value| names(value, words));
        }
        Value::String(text) if text.len() < 30 => words.push(text.clone()),
        _ => {}
    }
}

fn named<'a>(node: &'a Value, name: &str, found: &mut Vec<&'a Value>) {
    match node {
        Value::Array(items) => items.iter().for_each(|item| named(item, name, found)),
        Value::Object(members) => {
            found.extend(members.get(name));
            members.values().for_each(|value| named(value, name, found));
        }
        _ => {}
    }
}

/// xorshift64*; libFuzzer provides the seed, so runs are reproducible.
pub(crate) struct Random(u64);

impl Random {
    pub(crate) fn new(seed: u32) -> Self {
        Self(u64::from(seed) | 1 << 40)
    }

    pub(crate) fn below(&mut self, bound: usize) -> usize {
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        let number = self.0.wrapping_mul(0x2545_f491_4f6c_dd1d) >> 33;
        usize::try_from(number).unwrap_or_default() % bound.max(1)
    }

    pub(crate) fn one_in(&mut self, bound: usize) -> bool {
        self.below(bound) == 0
    }

    pub(crate) fn pick<'a, T>(&mut self, items: &'a [T]) -> &'a T {
        &items[self.below(items.len())]
    }
}
