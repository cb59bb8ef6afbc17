//! What of the runtime is kept or left out by itself: items, and the members of types.

use std::ops::Range;

use foldhash::HashSet;

use super::item::{self, Item, ItemKind};
use super::mention::{self, Mention, Names};
use super::path::{Module, Target, Tree};
use super::reach::Sets;
use printing::{Kind, Token};

/// Types whose public methods are for people: they come along whole.
const WHOLE: &[&[&str]] = &[
    &["client", "ApiError"],
    &["client", "Body"],
    &["client", "BuildError"],
    &["client", "Call"],
    &["client", "Credential"],
    &["client", "Download"],
    &["client", "Error"],
    &["client", "Multipart"],
    &["client", "Part"],
    &["client", "RawResponse"],
    &["client", "RequestError"],
    &["client", "Response"],
    &["client", "Retry"],
    &["client", "Unexpected"],
    &["client", "Unreadable"],
    &["client", "Page"],
    &["client", "Pages"],
    &["client", "Items"],
    &["client_stream", "ItemBody"],
    &["client_stream", "ItemStream"],
    &["json", "Maybe"],
    &["json", "Number"],
    &["json", "Value"],
    &["server", "Body"],
    &["server", "Call"],
    &["server", "Download"],
    &["server", "Failure"],
    &["server", "Multipart"],
    &["server", "Options"],
    &["server", "Part"],
    &["server_stream", "ItemBody"],
    &["server_stream", "ItemStream"],
    &["stream", "Event"],
    &["unknown", "Unknown"],
    &["violation", "Location"],
    &["violation", "Violation"],
];

/// Something that is kept or left out by itself.
pub(super) struct Node<'a> {
    pub(super) module: usize,
    /// Its tokens.
    pub(super) tokens: Range<usize>,
    /// What has to be mentioned, by number: of each list one.
    pub(super) needs: Vec<Vec<usize>>,
    /// What it mentions, and the feature that has to be on for it.
    pub(super) mentions: Vec<(Option<usize>, usize)>,
    /// With which sets of features it is reached.
    pub(super) reached: Sets,
    /// A member, with its text; what is no member has that of its item.
    pub(super) member: Option<Item<'a>>,
}

/// The nodes of an item.
pub(super) enum Nodes {
    One(usize),
    /// Those in the braces of an `impl` block of a type.
    Several(Range<usize>),
    None,
}

/// All nodes.
pub(super) struct Builder<'t, 'a> {
    tree: &'t Tree<'a>,
    /// The types of [`WHOLE`].
    whole: HashSet<(usize, usize)>,
    pub(super) names: Names<'a>,
    pub(super) nodes: Vec<Node<'a>>,
    /// Of each item of each module.
    pub(super) of_items: Vec<Vec<Nodes>>,
}

impl<'t, 'a> Builder<'t, 'a> {
    /// The nodes of all modules.
    pub(super) fn new(tree: &'t Tree<'a>) -> Self {
        let whole = WHOLE.iter().filter_map(|path| item_at(tree, path)).collect();
        let mut builder = Self { tree, whole, names: Names::default(), nodes: Vec::new(), of_items: Vec::new() };
        for (module, file) in tree.modules.iter().enumerate() {
            let items = file.items.iter().enumerate();
            let nodes = items.map(|(place, item)| builder.item(module, place, item)).collect();
            builder.of_items.push(nodes);
        }
        builder
    }

    fn item(&mut self, module: usize, place: usize, item: &Item<'a>) -> Nodes {
        let file = &self.tree.modules[module];
        match item.kind {
            ItemKind::Named(name) => {
                let is_mentioned = [Mention::Item(module, place), Mention::Argument(name)];
                let needs = vec![is_mentioned.map(|mention| self.names.number(mention)).to_vec()];
                Nodes::One(self.node(module, item.tokens.clone(), None, needs, None))
            }
            ItemKind::Call(_) => {
                let needs = self.needs_of_call(file, item);
                // Its arguments do not count as mentioned by it.
                Nodes::One(self.node(module, item.head..item.head + 1, None, needs, None))
            }
            ItemKind::Impl => {
                let head = Head::of(self.tree, file, item);
                if !head.is_of_trait {
                    return self.members(module, item, &head);
                }
                let needs = head.needs.into_iter().map(|need| vec![self.names.number(need)]).collect();
                Nodes::One(self.node(module, item.tokens.clone(), head.of, needs, None))
            }
            ItemKind::Module(_) | ItemKind::Use | ItemKind::Left => Nodes::None,
        }
    }

    /// An `impl` block of a type.
    fn members(&mut self, module: usize, item: &Item<'a>, head: &Head<'a>) -> Nodes {
        let file = &self.tree.modules[module];
        let start = self.nodes.len();
        let Some(of) = head.of else { return Nodes::None };
        let range = head.brace + 1..file.tokens[head.brace].mate;
        let members = item::items(file.text, &file.tokens, range, file.tokens[head.brace].start + 1);
        for member in members {
            let ItemKind::Named(name) = member.kind else { continue };
            let mut needs = vec![vec![self.names.number(Mention::Item(of.0, of.1))]];
            if !(member.is_public && self.whole.contains(&of)) {
                let is_named =
                    [Mention::Argument(name), Mention::Member(of.0, of.1, name), Mention::Method(name, None)];
                let is_called = parameters(&file.tokens, &member).map(|count| Mention::Method(name, Some(count)));
                let is_mentioned = is_named.into_iter().chain(is_called);
                needs.push(is_mentioned.map(|mention| self.names.number(mention)).collect());
            }
            let tokens = member.tokens.clone();
            let node = self.node(module, tokens, head.of, needs, Some(member));
            self.read(node, item.tokens.start..head.brace, head.of);
        }
        Nodes::Several(start..self.nodes.len())
    }

    /// A call that implements some traits for some types: one of both.
    fn needs_of_call(&mut self, file: &Module<'a>, item: &Item<'a>) -> Vec<Vec<usize>> {
        let (Some(definition), Some(arguments)) = (definition(file, item), arguments(self.tree, file, item)) else {
            return Vec::new();
        };
        let mut traits = Vec::new();
        for index in definition.tokens.clone().filter(|index| file.tokens[*index].text == "impl") {
            let name = file.tokens[index + 1].text;
            mention::of_path(self.tree, file, &[name], None, &mut |mention| traits.push(self.names.number(mention)));
        }
        let types = arguments.into_iter().flat_map(|argument| argument.mentions);
        vec![traits, types.map(|mention| self.names.number(mention)).collect()]
    }

    fn node(
        &mut self,
        module: usize,
        tokens: Range<usize>,
        of: Option<(usize, usize)>,
        needs: Vec<Vec<usize>>,
        member: Option<Item<'a>>,
    ) -> usize {
        let node = self.nodes.len();
        self.nodes.push(Node { module, tokens: tokens.clone(), needs, mentions: Vec::new(), reached: 0, member });
        self.read(node, tokens, of);
        node
    }

    /// Notes what some tokens mention, in which `Self` is the type `of`.
    fn read(&mut self, node: usize, range: Range<usize>, of: Option<(usize, usize)>) {
        let Self { tree, names, nodes, .. } = self;
        let node = &mut nodes[node];
        mention::each(tree, &tree.modules[node.module], range, of, &mut |feature, mention| {
            node.mentions.push((feature, names.number(mention)));
        });
    }
}

/// How many parameters a method has besides `self`.
fn parameters(tokens: &[Token<'_>], member: &Item<'_>) -> Option<usize> {
    let open = member.tokens.clone().skip(member.head - member.tokens.start).find(|index| tokens[*index].text == "(");
    // `pub(super)` has parentheses, too.
    let open = open.filter(|open| tokens[open - 1].text != "pub").or_else(|| {
        let close = tokens[open?].mate;
        (close..member.tokens.end).find(|index| tokens[*index].text == "(")
    })?;
    let mut count: usize = 0;
    let mut depth = 0;
    let mut index = open + 1;
    let mut is_started = false;
    while index < tokens[open].mate {
        match tokens[index].text {
            "<" => depth += 1,
            ">" => depth -= 1,
            "," if depth == 0 => is_started = false,
            _ => {}
        }
        if tokens[index].text != "," && !std::mem::replace(&mut is_started, true) {
            count += 1;
        }
        index = if tokens[index].kind == Kind::Open { tokens[index].mate + 1 } else { index + 1 };
    }
    let has_self = tokens[open + 1..tokens[open].mate].iter().take(4).any(|token| token.text == "self");
    has_self.then(|| count - 1)
}

fn item_at(tree: &Tree<'_>, path: &[&str]) -> Option<(usize, usize)> {
    let path: Vec<_> = std::iter::once("crate").chain(path.iter().copied()).collect();
    match tree.resolve(tree.modules.first()?, &path)? {
        (Target::Item(module, place), _) => Some((module, place)),
        (Target::Root | Target::Module(_), _) => None,
    }
}

/// What stands in front of the braces of an `impl` block.
struct Head<'a> {
    /// The type, if it is of the runtime.
    of: Option<(usize, usize)>,
    is_of_trait: bool,
    needs: Vec<Mention<'a>>,
    /// The token that opens the braces.
    brace: usize,
}

impl<'a> Head<'a> {
    fn of(tree: &Tree<'a>, file: &Module<'a>, item: &Item<'a>) -> Self {
        let tokens = &file.tokens;
        let brace = (item.head..item.tokens.end).find(|index| tokens[*index].text == "{").unwrap_or(item.head);
        let mut start = item.head + 1;
        let mut own = Vec::new();
        if tokens[start].text == "<" {
            let end = end_of_angles(tokens, start);
            own = (start + 1..end)
                .filter(|index| {
                    tokens[*index].kind == Kind::Word && matches!(tokens[index - 1].text, "<" | "," | "const")
                })
                .map(|index| tokens[index].text)
                .collect();
            start = end;
        }
        let end = (start..brace).find(|index| tokens[*index].text == "where").unwrap_or(brace);
        let of_trait = (start..end)
            .find(|index| tokens[*index].text == "for" && tokens.get(index + 1).is_none_or(|next| next.text != "<"));
        let mut of = None;
        let mut needs = Vec::new();
        let mut index = item.head + 1;
        while index < brace {
            if tokens[index].kind != Kind::Word
                || matches!(tokens[index].text, "dyn" | "mut" | "for" | "where" | "const")
            {
                index += 1;
                continue;
            }
            let (path, next) = mention::path_at(tokens, index);
            let is_head_of_trait = of_trait.is_some() && index == start;
            let is_foreign_told = (start..end).contains(&index) && !is_head_of_trait;
            let is_type = index >= of_trait.unwrap_or(start) && (start..end).contains(&index);
            mention::of_path(tree, file, &path, None, &mut |mention| match mention {
                Mention::Item(module, place) => {
                    if is_type && of.is_none() {
                        of = Some((module, place));
                    }
                    needs.push(mention);
                }
                Mention::Word(word) if is_foreign_told && Some(&word) == path.last() && !own.contains(&word) => {
                    needs.push(mention);
                }
                Mention::Word(_) | Mention::Member(..) | Mention::Method(..) | Mention::Argument(_) => {}
            });
            index = next;
        }
        Self { of, is_of_trait: of_trait.is_some(), needs, brace }
    }
}

fn end_of_angles(tokens: &[Token<'_>], start: usize) -> usize {
    let mut depth = 0;
    for (index, token) in tokens.iter().enumerate().skip(start) {
        match token.text {
            "<" => depth += 1,
            ">" => depth -= 1,
            _ => {}
        }
        if depth == 0 {
            return index + 1;
        }
    }
    tokens.len()
}

/// The macro of a call, if it is made of a list of types.
fn definition<'f, 'a>(file: &'f Module<'a>, item: &Item<'a>) -> Option<&'f Item<'a>> {
    let ItemKind::Call(name) = item.kind else { return None };
    let definition = file.items.iter().find(|other| matches!(other.kind, ItemKind::Named(other) if other == name))?;
    file.text[definition.text.clone()].contains("($($type:ty),*) => {$(").then_some(definition)
}

/// An argument of the call of a macro that is made of a list of types.
pub(super) struct Argument<'a> {
    pub(super) mentions: Vec<Mention<'a>>,
    pub(super) text: &'a str,
}

/// The arguments of such a call.
pub(super) fn arguments<'a>(tree: &Tree<'a>, file: &Module<'a>, item: &Item<'a>) -> Option<Vec<Argument<'a>>> {
    definition(file, item)?;
    let open = (item.head..item.tokens.end).find(|index| file.tokens[*index].kind == Kind::Open)?;
    let close = file.tokens[open].mate;
    let mut arguments = Vec::new();
    let mut start = open + 1;
    while start < close {
        let mut mentions = Vec::new();
        let token = file.tokens[start];
        let end = if token.kind == Kind::Open { token.mate + 1 } else { start + 1 };
        if token.kind == Kind::Word {
            mention::of_path(tree, file, &[token.text], None, &mut |mention| mentions.push(mention));
        }
        let last = file.tokens[end - 1];
        arguments.push(Argument { mentions, text: &file.text[token.start..last.start + last.text.len()] });
        start = end + 1;
    }
    Some(arguments)
}
