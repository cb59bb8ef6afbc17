//! The files of the runtime with what a crate reaches of them, in the words that it stands there in.

use std::fmt::Write as _;
use std::ops::Range;

use super::FEATURES;
use super::imports::Words;
use super::item::{Item, ItemKind};
use super::link;
use super::mention::{Mention, Names};
use super::node::{self, Node, Nodes};
use super::path::{Module, Tree};
use super::reach::{ALL, Reached, Sets};

/// What is known of all modules when their files are written.
pub(super) struct Writer<'t, 'a> {
    pub(super) tree: &'t Tree<'a>,
    pub(super) names: &'t Names<'a>,
    pub(super) nodes: &'t [Node<'a>],
    pub(super) of_items: &'t [Vec<Nodes>],
    pub(super) reached: Reached,
    /// For each module, with which sets of features something in it or below it is reached.
    sets: Vec<Sets>,
}

impl<'t, 'a> Writer<'t, 'a> {
    pub(super) fn new(
        tree: &'t Tree<'a>,
        names: &'t Names<'a>,
        nodes: &'t [Node<'a>],
        of_items: &'t [Vec<Nodes>],
        reached: Reached,
    ) -> Self {
        let mut sets = vec![0; tree.modules.len()];
        for node in nodes {
            let mut module = Some(node.module);
            while let Some(place) = module {
                sets[place] |= node.reached;
                module = tree.parent(place);
            }
        }
        Self { tree, names, nodes, of_items, reached, sets }
    }

    /// With which sets of features something in a module or below it is reached.
    pub(super) fn sets(&self, module: usize) -> Sets {
        self.sets[module]
    }

    /// The file of a module.
    pub(super) fn file(&self, place: usize) -> String {
        let module = &self.tree.modules[place];
        let around = self.sets[place];
        let words = Words::new(self, place);
        let mut text = module.text[..module.top].to_owned();
        let mut is_apart = true;
        for (item, nodes) in module.items.iter().zip(&self.of_items[place]) {
            is_apart |= item.is_apart;
            let mut written = String::new();
            match (&item.kind, nodes) {
                (ItemKind::Module(name), _) => {
                    let sets = self.tree.child(place, name).map_or(0, |child| self.sets[child]);
                    push(&mut written, source(module, item), sets, around, "");
                }
                (ItemKind::Use, _) => words.push_used(&mut written, self, place, item),
                (_, Nodes::One(node)) => {
                    let sets = self.nodes[*node].reached;
                    match self.arguments(module, item) {
                        Some(arguments) => {
                            let call = format!("{}!({});", module.tokens[item.head].text, arguments.join(", "));
                            push(&mut written, &call, sets, around, "");
                        }
                        None => push(&mut written, source(module, item), sets, around, ""),
                    }
                }
                (_, Nodes::Several(members)) => {
                    self.push_block(&mut written, module, item, &self.nodes[members.clone()], around);
                }
                (_, Nodes::None) => {}
            }
            if !written.is_empty() {
                if std::mem::take(&mut is_apart) && !text.is_empty() {
                    text.push('\n');
                }
                text.push_str(&written);
            }
        }
        link::without_broken(&text, self, module)
    }

    /// A type has such a member, but it is not reached.
    pub(super) fn is_left_out(&self, of: (usize, usize), member: &str) -> bool {
        let number = self.names.known(Mention::Member(of.0, of.1, member));
        let needs = |node: &&Node<'_>| number.is_some_and(|number| node.needs.iter().any(|any| any.contains(&number)));
        let mut members = self.nodes.iter().filter(needs).peekable();
        members.peek().is_some() && members.all(|node| node.reached == 0)
    }

    /// Writes a block with the members that are reached.
    fn push_block(&self, text: &mut String, module: &Module<'a>, item: &Item<'a>, nodes: &[Node<'a>], around: Sets) {
        let sets = nodes.iter().fold(0, |sets, node| sets | node.reached);
        let mut block = module.text[item.text.start..=module.tokens[open_brace(module, item)].start].to_owned();
        block.push('\n');
        let (mut is_apart, mut is_first) = (false, true);
        for (node, member) in nodes.iter().filter_map(|node| Some((node, node.member.as_ref()?))) {
            is_apart |= member.is_apart;
            if node.reached != 0 {
                if is_apart && !is_first {
                    block.push('\n');
                }
                (is_apart, is_first) = (false, false);
                block.push_str("    ");
                push(&mut block, source(module, member), node.reached, sets, "    ");
            }
        }
        block.push('}');
        push(text, &block, sets, around, "");
    }

    /// The arguments that are reached of the call of a macro, if it is made of a list of types.
    pub(super) fn arguments(&self, module: &Module<'a>, item: &Item<'a>) -> Option<Vec<&'a str>> {
        let mut arguments = node::arguments(self.tree, module, item)?;
        let is_reached = |mention: &Mention<'a>| self.reached.sets(self.names, *mention) & ALL != 0;
        arguments.retain(|argument| argument.mentions.iter().all(is_reached));
        Some(arguments.into_iter().map(|argument| argument.text).collect())
    }
}

/// Writes an item that is there with some `sets` of features, in what is there with those `around`.
fn push(text: &mut String, item: &str, sets: Sets, around: Sets, indent: &str) {
    if sets == 0 {
        return;
    }
    match condition(sets) {
        Some(condition) if sets != around => {
            let is_comment = |line: &&str| line.trim_start().starts_with("//");
            let comment: usize = item.split_inclusive('\n').take_while(is_comment).map(str::len).sum();
            let (comment, rest) = item.split_at(comment);
            let before = if comment.is_empty() { "" } else { indent };
            let _ = write!(text, "{comment}{before}#[cfg({condition})]\n{indent}{}", rest.trim_start());
        }
        _ => text.push_str(item),
    }
    text.push('\n');
}

/// What `cfg` asks for where something is there with some sets of features only.
pub(super) fn condition(sets: Sets) -> Option<String> {
    let [first, second] = FEATURES.map(|feature| format!("feature = {feature:?}"));
    let has = |features: u8| sets & 1 << features != 0;
    match (has(0), has(1), has(2)) {
        (true, ..) => None,
        (false, true, true) => Some(format!("any({first}, {second})")),
        (false, true, false) => Some(first),
        (false, false, true) => Some(second),
        (false, false, false) => Some(format!("all({first}, {second})")),
    }
}

/// The token that opens the braces of a block.
pub(super) fn open_brace(module: &Module<'_>, item: &Item<'_>) -> usize {
    let mut tokens: Range<usize> = item.head..item.tokens.end;
    tokens.find(|index| module.tokens[*index].text == "{").unwrap_or(item.head)
}

/// The text of an item, with the comments above it.
pub(super) fn source<'a>(module: &Module<'a>, item: &Item<'a>) -> &'a str {
    &module.text[item.text.clone()]
}
