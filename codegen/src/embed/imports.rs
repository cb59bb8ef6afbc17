//! What a file still uses of the names that `use` brings it.

use std::fmt::Write as _;
use std::ops::Range;

use foldhash::HashMap;

use super::item::Item;
use super::mention::Mention;
use super::node::Nodes;
use super::path::{Import, Target};
use super::reach::Sets;
use super::write::{Writer, condition, open_brace, source};
use printing::Kind;

/// The longest line.
const WIDTH: usize = 120;

/// Traits of other crates that are used without their name: by their methods, or by macros that call these.
const METHODS: &[(&str, &[&str])] = &[
    ("AsyncWriteExt", &[".flush", ".write_all"]),
    ("Buf", &[".advance", ".get_u8"]),
    ("BuildHasher", &[".hash_one"]),
    ("Engine", &[".decode", ".encode"]),
    ("Error", &[".custom"]),
    ("HttpBody", &[".is_end_stream"]),
    ("IntoResponse", &[".into_response"]),
    ("SerializeMap", &[".serialize_entry"]),
    ("Stream", &[".poll_next"]),
    ("Write", &["write!", "writeln!", ".write_str"]),
];

/// The words of a file, with the sets of features with which each is there: `word`, `.word` behind a point or a path,
/// and `word::` or `word!` in front of such.
pub(super) struct Words(HashMap<String, Sets>);

impl Words {
    /// Those of the items that are reached.
    pub(super) fn new<'a>(writer: &Writer<'_, 'a>, place: usize) -> Self {
        let module = &writer.tree.modules[place];
        let mut words = Self(HashMap::default());
        let mut add = |range: Range<usize>, sets: Sets, only: Option<&[&str]>| {
            for index in range.filter(|_| sets != 0) {
                let token = module.tokens[index];
                if token.kind == Kind::Word && only.is_none_or(|only| only.contains(&token.text)) {
                    let before = index.checked_sub(1).map_or("", |before| module.tokens[before].text);
                    words.add(before, token.text, module.tokens[index + 1].text, sets);
                }
            }
        };
        for (item, nodes) in module.items.iter().zip(&writer.of_items[place]) {
            match nodes {
                Nodes::One(node) => {
                    let arguments = writer.arguments(module, item);
                    add(item.tokens.clone(), writer.nodes[*node].reached, arguments.as_deref());
                }
                Nodes::Several(members) => {
                    let nodes = &writer.nodes[members.clone()];
                    nodes.iter().for_each(|node| add(node.tokens.clone(), node.reached, None));
                    let sets = nodes.iter().fold(0, |sets, node| sets | node.reached);
                    add(item.tokens.start..open_brace(module, item), sets, None);
                }
                Nodes::None => {}
            }
        }
        // What modules below it take from it.
        let below = writer.tree.modules.iter().enumerate().filter(|(of, _)| writer.tree.parent(*of) == Some(place));
        for (of, (_, import)) in below.flat_map(|(of, child)| child.imports.iter().map(move |import| (of, import))) {
            if let ["super", name, ..] = import.path.as_slice() {
                words.add("", name, "::", writer.sets(of));
            }
        }
        words
    }

    fn add(&mut self, before: &str, word: &str, after: &str, sets: Sets) {
        let key = if matches!(before, "." | "::") { format!(".{word}") } else { word.to_owned() };
        *self.0.entry(key).or_default() |= sets;
        if matches!(after, "::" | "!") {
            *self.0.entry(format!("{word}{after}")).or_default() |= sets;
        }
    }

    fn of(&self, word: &str) -> Sets {
        self.0.get(word).copied().unwrap_or_default()
    }

    /// Writes the lines of a `use` with what is used of it.
    pub(super) fn push_used<'a>(&self, text: &mut String, writer: &Writer<'_, 'a>, place: usize, item: &Item<'a>) {
        let module = &writer.tree.modules[place];
        let head = module.tokens[item.head];
        let here = module.imports.iter().filter(|(of, _)| std::ptr::eq(&raw const module.items[*of], item));
        let all: Vec<_> = here.map(|(_, import)| import).collect();
        let mut kept: Vec<(Option<String>, Vec<&Import<'a>>)> = Vec::new();
        for import in &all {
            let sets =
                if head.text == "pub" { passed_on(writer, place, import) } else { self.used(writer, place, import) };
            if sets != 0 {
                let condition = condition(sets).filter(|_| sets != writer.sets(place));
                match kept.iter_mut().find(|(of, _)| *of == condition) {
                    Some((_, imports)) => imports.push(import),
                    None => kept.push((condition, vec![import])),
                }
            }
        }
        kept.sort_by_key(|(condition, _)| condition.is_some());
        for (condition, imports) in kept {
            if let Some(condition) = condition {
                let _ = writeln!(text, "#[cfg({condition})]");
            }
            if imports.len() == all.len() {
                text.push_str(source(module, item));
            } else {
                let word = module.tokens[item.head..].iter().find(|token| token.text == "use").unwrap_or(&head);
                let _ = write!(text, "{}use {};", &module.text[item.text.start..word.start], tree(&all, &imports));
            }
            text.push('\n');
        }
    }

    /// With which sets a name is used in its file.
    fn used(&self, writer: &Writer<'_, '_>, place: usize, import: &Import<'_>) -> Sets {
        match writer.tree.resolve(&writer.tree.modules[place], &import.path) {
            Some((Target::Module(_), _)) => self.of(&format!("{}::", import.name)),
            Some((Target::Item(module, item), _)) => {
                let file = &writer.tree.modules[module];
                let tokens = &file.tokens[file.items[item].tokens.clone()];
                let is_trait = tokens.iter().take_while(|token| token.text != "{").any(|token| token.text == "trait");
                // The methods of a trait are used without its name.
                let names = tokens.array_windows().filter(|[keyword, _]| matches!(keyword.text, "fn" | "const"));
                let methods = names.map(|[_, name]| self.of(&format!(".{}", name.text)));
                self.of(import.name) | if is_trait { methods.fold(0, |sets, more| sets | more) } else { 0 }
            }
            Some((Target::Root, _)) | None => {
                let last = import.path[import.path.len() - 1];
                let known = METHODS.iter().filter(|(name, _)| *name == last).flat_map(|(_, methods)| *methods);
                known.fold(self.of(import.name), |sets, method| sets | self.of(method))
            }
        }
    }
}

/// With which sets a name is there that a `pub use` passes on.
fn passed_on(writer: &Writer<'_, '_>, place: usize, import: &Import<'_>) -> Sets {
    let sets = |mention| writer.reached.sets(writer.names, mention);
    match writer.tree.resolve(&writer.tree.modules[place], &import.path) {
        Some((Target::Item(module, _), _)) => {
            let items = writer.tree.namesakes(module, import.path[import.path.len() - 1]);
            items.iter().fold(0, |all, item| all | sets(Mention::Item(module, *item)))
        }
        Some((Target::Module(module), _)) => writer.sets(module),
        Some((Target::Root, _)) | None => sets(Mention::Word(import.name)),
    }
}

/// `a::{b, c}`
fn tree(all: &[&Import<'_>], kept: &[&Import<'_>]) -> String {
    let name = |import: &Import<'_>, from: usize| {
        let mut name = import.path[from..].join("::");
        if name.is_empty() {
            name.push_str("self");
        }
        if import.name != import.path[import.path.len() - 1] {
            let _ = write!(name, " as {}", import.name);
        }
        name
    };
    if let [only] = kept {
        return name(only, 0);
    }
    // What stands before the braces.
    let first = &all[0].path;
    let shared = |import: &&Import<'_>| first.iter().zip(&import.path).take_while(|(one, other)| one == other).count();
    let shared = all.iter().map(shared).min().unwrap_or_default().min(first.len() - 1);
    let names: Vec<_> = kept.iter().map(|import| name(import, shared)).collect();
    let before = first[..shared].join("::");
    let line = format!("{before}::{{{}}}", names.join(", "));
    if line.len() + "pub(crate) use ;".len() <= WIDTH {
        return line;
    }
    let (mut lines, mut current) = (String::new(), "   ".to_owned());
    for name in names {
        if current.len() + name.len() + " ,".len() > WIDTH {
            lines.extend([current.as_str(), "\n"]);
            "   ".clone_into(&mut current);
        }
        let _ = write!(current, " {name},");
    }
    format!("{before}::{{\n{lines}{current}\n}}")
}
