//! What the names in a file mean: the modules of the runtime, their items, and what `use` brings.

use std::ops::Range;

use foldhash::HashMap;

use super::item::{self, Item, ItemKind};
use printing::{Kind, Token};

/// A file of the runtime, or a generated one.
pub(super) struct Module<'a> {
    /// Below `runtime`.
    pub(super) path: &'a str,
    pub(super) text: &'a str,
    pub(super) tokens: Vec<Token<'a>>,
    pub(super) items: Vec<Item<'a>>,
    /// The end of the comment at its top.
    pub(super) top: usize,
    /// What `use` brings, with the item it stands in.
    pub(super) imports: Vec<(usize, Import<'a>)>,
    /// Its place in the tree; none for a generated file.
    place: Option<usize>,
    /// The module it is in; none for those of the list of modules, and for generated ones.
    parent: Option<usize>,
    children: HashMap<&'a str, usize>,
    own: HashMap<&'a str, Vec<usize>>,
    /// The places of the imports, by what they are called here.
    imported: HashMap<&'a str, usize>,
}

/// One name that `use` brings.
#[derive(Clone, Debug)]
pub(super) struct Import<'a> {
    pub(super) path: Vec<&'a str>,
    /// What it is called here; `_` for a trait whose methods alone are used.
    pub(super) name: &'a str,
}

/// What a path leads to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum Target {
    /// The list of modules.
    Root,
    Module(usize),
    /// An item of a module, by its place in it.
    Item(usize, usize),
}

/// All modules.
pub(super) struct Tree<'a> {
    pub(super) modules: Vec<Module<'a>>,
    /// Those of the list of modules.
    top: HashMap<&'a str, usize>,
}

impl<'a> Module<'a> {
    /// Reads a file; `code` is its text without comments.
    pub(super) fn new(path: &'a str, text: &'a str, code: &'a str) -> Self {
        let tokens = item::read(code);
        let first = after_inner_attributes(&tokens);
        let top = top(text);
        let end = tokens.len().saturating_sub(1);
        let items = item::items(text, &tokens, first..end, top.max(start_of(&tokens, first)));
        let mut own: HashMap<&str, Vec<usize>> = HashMap::default();
        let mut imports = Vec::new();
        for (place, item) in items.iter().enumerate() {
            match item.kind {
                ItemKind::Named(name) => own.entry(name).or_default().push(place),
                ItemKind::Use => {
                    let from =
                        item.head + tokens[item.head..].iter().position(|token| token.text == "use").unwrap_or(0);
                    let mut found = Vec::new();
                    leaves(&tokens, from + 1..item.tokens.end, &mut Vec::new(), &mut found);
                    imports.extend(found.into_iter().map(|import| (place, import)));
                }
                ItemKind::Module(_) | ItemKind::Impl | ItemKind::Call(_) | ItemKind::Left => {}
            }
        }
        let mut imported = HashMap::default();
        for (place, (_, import)) in imports.iter().enumerate() {
            if import.path != [import.name] {
                imported.entry(import.name).or_insert(place);
            }
        }
        Self {
            path,
            text,
            tokens,
            items,
            top,
            imports,
            imported,
            place: None,
            parent: None,
            children: HashMap::default(),
            own,
        }
    }
}

impl Module<'_> {
    /// The file is none of the runtime.
    pub(super) fn is_generated(&self) -> bool {
        self.place.is_none()
    }
}

impl<'a> Tree<'a> {
    /// The modules of the runtime, in the order of their paths.
    pub(super) fn new(mut modules: Vec<Module<'a>>) -> Self {
        let places: HashMap<&str, usize> =
            modules.iter().enumerate().map(|(place, module)| (stem(module.path), place)).collect();
        let mut top = HashMap::default();
        for place in 0..modules.len() {
            let path = stem(modules[place].path);
            modules[place].place = Some(place);
            match path.rsplit_once('/') {
                Some((parent, name)) => {
                    let parent = places.get(parent).copied();
                    modules[place].parent = parent;
                    if let Some(parent) = parent {
                        modules[parent].children.insert(name, place);
                    }
                }
                None => {
                    top.insert(path, place);
                }
            }
        }
        Self { modules, top }
    }

    /// The module that a file is in.
    pub(super) fn parent(&self, module: usize) -> Option<usize> {
        self.modules[module].parent
    }

    /// The module that `mod name;` in a file means.
    pub(super) fn child(&self, module: usize, name: &str) -> Option<usize> {
        self.modules[module].children.get(name).copied()
    }

    /// Whether a word of a file may mean something of the runtime.
    pub(super) fn is_known(module: &Module<'a>, word: &str) -> bool {
        matches!(word, "crate" | "super" | "self" | "runtime")
            || module.own.contains_key(word)
            || module.children.contains_key(word)
            || module.imported.contains_key(word)
    }

    /// What a path in a file means, and how many of its segments it took.
    pub(super) fn resolve(&self, from: &Module<'a>, path: &[&str]) -> Option<(Target, usize)> {
        self.resolve_within(from, path, 8)
    }

    fn resolve_within(&self, from: &Module<'a>, path: &[&str], depth: usize) -> Option<(Target, usize)> {
        let depth = depth.checked_sub(1)?;
        let (mut target, mut taken) = self.start(from, path, depth)?;
        while let Some(name) = path.get(taken) {
            let next = match target {
                Target::Root => self.top.get(name).map(|module| Target::Module(*module)),
                Target::Module(module) if *name == "super" => {
                    Some(self.parent(module).map_or(Target::Root, Target::Module))
                }
                Target::Module(module) => self.named(&self.modules[module], name, taken + 1 == path.len(), depth),
                Target::Item(..) => return Some((target, taken)),
            };
            target = next?;
            taken += 1;
        }
        Some((target, taken))
    }

    /// What a path begins with.
    fn start(&self, from: &Module<'a>, path: &[&str], depth: usize) -> Option<(Target, usize)> {
        // A generated file calls the list of modules `runtime`, wherever it is.
        if from.is_generated() {
            return match path.iter().position(|name| *name == "runtime") {
                Some(place) => Some((Target::Root, place + 1)),
                None => Some((self.named(from, path.first()?, path.len() == 1, depth)?, 1)),
            };
        }
        match *path.first()? {
            "crate" => Some((Target::Root, 1)),
            "super" => Some((from.parent.map_or(Target::Root, Target::Module), 1)),
            "self" => None,
            name => Some((self.named(from, name, path.len() == 1, depth)?, 1)),
        }
    }

    /// What a name in a file means. A module may be called like an item: it is the former where a path goes on.
    fn named(&self, module: &Module<'a>, name: &str, is_last: bool, depth: usize) -> Option<Target> {
        if let (Some(of), Some([place, ..])) = (module.place, module.own.get(name).map(Vec::as_slice)) {
            return Some(Target::Item(of, *place));
        }
        let child = module.children.get(name).map(|child| Target::Module(*child));
        if !is_last && child.is_some() {
            return child;
        }
        let import = module.imported.get(name).map(|place| &module.imports[*place].1);
        let imported = import.and_then(|import| self.resolve_within(module, &import.path, depth));
        imported.map(|(target, _)| target).or(child)
    }

    /// All items of a module that have the name of one of them.
    pub(super) fn namesakes(&self, module: usize, name: &str) -> &[usize] {
        self.modules[module].own.get(name).map_or(&[], Vec::as_slice)
    }
}

/// `client/answer` for `client/answer.rs`.
fn stem(path: &str) -> &str {
    path.strip_suffix(".rs").unwrap_or(path)
}

/// The end of the comment at the top of a file.
fn top(text: &str) -> usize {
    let mut end = 0;
    for line in text.split_inclusive('\n') {
        if !(line.starts_with("//!") || line.starts_with("// @") || line.trim().is_empty()) {
            break;
        }
        if !line.trim().is_empty() {
            end += line.len();
        } else if text[end + line.len()..].starts_with("//!") {
            end += line.len();
        } else {
            break;
        }
    }
    end
}

fn start_of(tokens: &[Token<'_>], index: usize) -> usize {
    index.checked_sub(1).map_or(0, |before| tokens[before].start + tokens[before].text.len())
}

fn after_inner_attributes(tokens: &[Token<'_>]) -> usize {
    let mut index = 0;
    while let [Token { text: "#", .. }, Token { text: "!", .. }, group, ..] = &tokens[index..] {
        index = group.mate + 1;
    }
    index
}

/// The names that the tree of a `use` brings.
fn leaves<'a>(tokens: &[Token<'a>], range: Range<usize>, path: &mut Vec<&'a str>, found: &mut Vec<Import<'a>>) {
    let depth = path.len();
    let mut alias = None;
    let mut index = range.start;
    let mut is_group = false;
    while index < range.end {
        let token = tokens[index];
        match (token.kind, token.text) {
            (Kind::Open, _) => {
                leaves(tokens, index + 1..token.mate, path, found);
                is_group = true;
                index = token.mate;
            }
            (Kind::Word, "as") => {
                alias = tokens.get(index + 1).map(|token| token.text);
                index += 1;
            }
            (Kind::Word, name) => path.push(name),
            (_, "," | ";") => {
                end_leaf(path, depth, alias.take(), std::mem::take(&mut is_group), found);
            }
            _ => {}
        }
        index += 1;
    }
    end_leaf(path, depth, alias, is_group, found);
}

fn end_leaf<'a>(
    path: &mut Vec<&'a str>,
    depth: usize,
    alias: Option<&'a str>,
    is_group: bool,
    found: &mut Vec<Import<'a>>,
) {
    if path.len() > depth && !is_group {
        if path.last() == Some(&"self") {
            path.pop();
        }
        if let Some(last) = path.last() {
            found.push(Import { path: path.clone(), name: alias.unwrap_or(last) });
        }
    }
    path.truncate(depth);
}
