//! What code mentions of the runtime.

use std::ops::Range;

use foldhash::HashMap;

use super::FEATURES;
use super::path::{Module, Target, Tree};
use printing::{Kind, Token};

/// Something that code mentions.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum Mention<'a> {
    /// An item, by its module and its place there.
    Item(usize, usize),
    /// A member of a type: `Style::FORM`.
    Member(usize, usize, &'a str),
    /// A method of a type that the code does not name, with the number of its arguments where that can be told:
    /// `.header(a, b)`.
    Method(&'a str, Option<usize>),
    /// An argument of a macro, which may make anything of it.
    Argument(&'a str),
    /// Something else, such as the type of another crate.
    Word(&'a str),
}

/// All that is mentioned, each by a number.
#[derive(Default)]
pub(super) struct Names<'a>(HashMap<Mention<'a>, usize>);

impl<'a> Names<'a> {
    pub(super) fn number(&mut self, mention: Mention<'a>) -> usize {
        let next = self.0.len();
        *self.0.entry(mention).or_insert(next)
    }

    /// The number of what was mentioned before.
    pub(super) fn known(&self, mention: Mention<'_>) -> Option<usize> {
        self.0.get(&mention).copied()
    }

    pub(super) fn len(&self) -> usize {
        self.0.len()
    }
}

/// Tells what a range of the tokens of a file mentions, where `Self` is the type `of`; with it, which of the features
/// has to be on: the one of `#[cfg(feature = "…")]` in front of it.
pub(super) fn each<'a>(
    tree: &Tree<'a>,
    module: &Module<'a>,
    range: Range<usize>,
    of: Option<(usize, usize)>,
    tell: &mut dyn FnMut(Option<usize>, Mention<'a>),
) {
    let tokens = &module.tokens;
    let mut feature = None;
    let mut feature_end = 0;
    let mut index = range.start;
    while index < range.end {
        let token = tokens[index];
        if index >= feature_end {
            feature = None;
        }
        if token.kind != Kind::Word {
            if let Some((condition, start)) = condition(&tokens[index..]) {
                feature = Some(condition);
                feature_end = end_of_item(tokens, index + start, range.end);
            }
            index += 1;
            continue;
        }
        let before = index.checked_sub(1).map_or("", |before| tokens[before].text);
        if matches!(before, "." | "::") {
            if let Some(count) = arguments(tokens, index + 1) {
                tell(feature, Mention::Method(token.text, count.filter(|_| before == ".")));
            }
            index += 1;
            continue;
        }
        let (path, next) = path_at(tokens, index);
        of_path(tree, module, &path, of, &mut |mention| tell(feature, mention));
        if let [Token { text: "!", .. }, group, ..] = &tokens[next..]
            && group.kind == Kind::Open
            && module.is_generated()
            && tree.resolve(module, &path).is_some()
        {
            let arguments = tokens[next + 1..group.mate].iter().filter(|token| token.kind == Kind::Word);
            arguments.for_each(|token| tell(feature, Mention::Argument(token.text)));
        }
        index = next;
    }
}

/// The number of the arguments of a call whose name stands before a token, where that can be told; none at all for what
/// is no call.
fn arguments(tokens: &[Token<'_>], index: usize) -> Option<Option<usize>> {
    let open = tokens[index];
    match open.text {
        "(" => {}
        "::" => return Some(None),
        _ => return None,
    }
    let mut count = 0;
    let mut index = index + 1;
    while index < open.mate {
        count += 1;
        while index < open.mate && tokens[index].text != "," {
            match tokens[index].text {
                // There may be commas among generic arguments.
                "<" => return Some(None),
                // What a closure takes.
                "|" => {
                    let rest = &tokens[index + 1..open.mate];
                    index += rest.iter().position(|token| token.text == "|").map_or(1, |length| length + 2);
                }
                _ => index = if tokens[index].kind == Kind::Open { tokens[index].mate + 1 } else { index + 1 },
            }
        }
        index += 1;
    }
    Some(Some(count))
}

/// What a path mentions.
pub(super) fn of_path<'a>(
    tree: &Tree<'a>,
    module: &Module<'a>,
    path: &[&'a str],
    of: Option<(usize, usize)>,
    tell: &mut dyn FnMut(Mention<'a>),
) {
    if let (["Self", member, ..], Some((module, place))) = (path, of) {
        return tell(Mention::Member(module, place, member));
    }
    if !Tree::is_known(module, path[0]) {
        return path.iter().for_each(|word| tell(Mention::Word(word)));
    }
    // What the longest beginning leads to, and the name behind it.
    for length in (1..=path.len()).rev() {
        let Some((target, taken)) = tree.resolve(module, &path[..length]) else { continue };
        if let Target::Item(module, place) = target {
            let name = path[taken.saturating_sub(1)];
            tell(Mention::Item(module, place));
            tree.namesakes(module, name).iter().for_each(|place| tell(Mention::Item(module, *place)));
            if let Some(member) = path.get(taken) {
                tell(Mention::Member(module, place, member));
            }
        }
        path[taken..].iter().for_each(|word| tell(Mention::Word(word)));
        return;
    }
    path.iter().for_each(|word| tell(Mention::Word(word)));
}

/// The path that begins at a word, and the token behind it.
pub(super) fn path_at<'a>(tokens: &[Token<'a>], start: usize) -> (Vec<&'a str>, usize) {
    let mut path = vec![tokens[start].text];
    let mut index = start + 1;
    while let [Token { text: "::", .. }, name, ..] = &tokens[index..]
        && name.kind == Kind::Word
    {
        path.push(name.text);
        index += 2;
    }
    (path, index)
}

/// Which of the features `#[cfg(feature = "…")]` names, and how many tokens it has.
fn condition(tokens: &[Token<'_>]) -> Option<(usize, usize)> {
    let [sign, group, cfg, open, feature, equals, name, ..] = tokens else { return None };
    let is_condition = [sign, group, cfg, open, feature, equals].map(|token| token.text);
    if is_condition != ["#", "[", "cfg", "(", "feature", "="] {
        return None;
    }
    let feature = FEATURES.iter().position(|feature| *feature == name.text.trim_matches('"'))?;
    Some((feature, "# [ cfg ( feature = name ) ]".split(' ').count()))
}

/// The end of the item that starts at a token.
fn end_of_item(tokens: &[Token<'_>], mut index: usize, end: usize) -> usize {
    while index < end {
        let token = tokens[index];
        index = if token.kind == Kind::Open { token.mate + 1 } else { index + 1 };
        if token.text == ";" || token.text == "{" {
            break;
        }
    }
    index
}
