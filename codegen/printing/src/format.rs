//! Code → how it is laid out, byte by byte as rustfmt would: for the forms that emitters use. All others are left to
//! prettyplease, which takes several times as long, most of it for reading them with syn.

mod attribute;
mod block;
mod chain;
mod control;
mod expression;
mod extent;
mod form;
mod item;
mod list;
mod pattern;
mod primary;
mod table;
mod ty;
mod use_;

use crate::layout::{Done, Stop};
use crate::lexer::{Kind, Token};

/// How many layouts are tried for each token of an item, on average, before it is left to others.
const MOST_ATTEMPTS: usize = 16;

/// Appends an item, which starts at the token `start` and ends before `end`, to `text`; `Err` with the text as it was
/// when the item has a form that is not known.
pub(crate) fn item(tokens: &[Token<'_>], start: usize, end: usize, text: String) -> Result<String, String> {
    print(tokens, start, end, text, |printer| printer.item(0))
}

/// The same for the attributes of the file.
pub(crate) fn inner_attributes(tokens: &[Token<'_>], end: usize, text: String) -> Result<String, String> {
    print(tokens, 0, end, text, Printer::inner_attributes)
}

fn print<'a, 't>(
    tokens: &'t [Token<'a>],
    start: usize,
    end: usize,
    text: String,
    known: impl FnOnce(&mut Printer<'a, 't>) -> Done,
) -> Result<String, String> {
    let length = text.len();
    let mut printer = Printer {
        tokens,
        at: start,
        out: text,
        line: length,
        flat: None,
        is_lenient: false,
        is_one_line_chain: false,
        block_of_condition: None,
        work: (end - start) * MOST_ATTEMPTS,
    };
    let is_known = known(&mut printer).is_ok() && printer.at == end;
    let mut text = printer.out;
    if is_known {
        return Ok(text);
    }
    text.truncate(length);
    Err(text)
}

/// Reads tokens and lays them out as it goes.
pub(crate) struct Printer<'a, 't> {
    tokens: &'t [Token<'a>],
    pub(crate) at: usize,
    pub(crate) out: String,
    /// Where the line starts.
    pub(crate) line: usize,
    /// Everything has to stand on one line, which ends here at the latest.
    pub(crate) flat: Option<usize>,
    /// There is no room for something that cannot be broken: it stands where it does.
    is_lenient: bool,
    /// A chain that does not fit into one line has no room.
    is_one_line_chain: bool,
    /// The brace behind the condition that is being printed: it is not that of a struct.
    block_of_condition: Option<usize>,
    /// How many layouts may still be tried.
    pub(crate) work: usize,
}

impl<'a> Printer<'a, '_> {
    fn token(&self, index: usize) -> Token<'a> {
        self.tokens[index.min(self.tokens.len() - 1)]
    }

    fn kind(&self) -> Kind {
        self.token(self.at).kind
    }

    /// The next token reads like this.
    fn is(&self, text: &str) -> bool {
        self.is_at(self.at, text)
    }

    fn is_at(&self, index: usize, text: &str) -> bool {
        let token = self.token(index);
        token.text == text && token.kind != Kind::Literal
    }

    /// Passes over a token that reads like this.
    fn skip(&mut self, text: &str) -> bool {
        let is_there = self.is(text);
        self.at += usize::from(is_there);
        is_there
    }

    /// The same where nothing else may stand.
    fn expect(&mut self, text: &str) -> Done {
        known(self.skip(text))
    }

    /// Everything up to here was read.
    fn expect_end(&self, end: usize) -> Done {
        known(self.at == end)
    }

    /// Prints `text` for a token that reads like it but for spaces, if it is the next one.
    fn keyword(&mut self, text: &'static str) -> Done<bool> {
        let is_there = self.skip(text.trim());
        if is_there {
            self.word(text)?;
        }
        Ok(is_there)
    }

    /// Prints the next token, which is of this kind.
    fn print(&mut self, kind: Kind) -> Done {
        let token = self.token(self.at);
        known(token.kind == kind)?;
        self.at += 1;
        self.word(token.text)
    }

    /// What opens a group and reads like this; the place of what closes it.
    fn open(&mut self, text: &str) -> Done<usize> {
        let token = self.token(self.at);
        known(token.kind == Kind::Open && token.text == text)?;
        self.at += 1;
        Ok(token.mate)
    }

    /// Prints what closes a group.
    fn close(&mut self, end: usize, text: &'static str) -> Done {
        self.expect_end(end)?;
        self.at += 1;
        self.word(text)
    }

    /// Where things stand that have commas between them, up to the token `end`; in types, `<` opens a group.
    fn split(&self, end: usize, are_types: bool) -> Done<Vec<(usize, usize)>> {
        let mut items = Vec::new();
        let mut start = self.at;
        let mut index = self.behind_parameters(start);
        while index < end {
            let token = self.token(index);
            match (token.kind, token.text) {
                (Kind::Open, _) => index = token.mate,
                (Kind::Punctuation, "<") if are_types => index = self.after_angles(index)? - 1,
                (Kind::Punctuation, "::") if self.is_at(index + 1, "<") => index = self.after_angles(index + 1)? - 1,
                (Kind::Punctuation, ",") => {
                    items.push((start, index));
                    start = index + 1;
                    index = self.behind_parameters(start);
                    continue;
                }
                _ => {}
            }
            index += 1;
        }
        if start < end {
            items.push((start, end));
        }
        Ok(items)
    }

    /// The first token of an expression that is behind the parameters of a closure.
    fn behind_parameters(&self, start: usize) -> usize {
        let mut index = start;
        while self.is_at(index, "&") || self.is_at(index, "mut") {
            index += 1;
        }
        let is_closure = ["|", "||", "move"].into_iter().any(|first| self.is_at(index, first));
        if is_closure { self.after_parameters(index) } else { start }
    }

    /// The next token after the generic arguments that begin at `index` with `<`.
    fn after_angles(&self, mut index: usize) -> Done<usize> {
        let mut depth = 0;
        loop {
            let token = self.token(index);
            match (token.kind, token.text) {
                (Kind::Punctuation, "<") => depth += 1,
                (Kind::Punctuation, ">") => depth -= 1,
                (Kind::Open, _) => index = token.mate,
                (Kind::Close | Kind::End, _) => return Err(Stop::Unknown),
                _ => {}
            }
            index += 1;
            if depth == 0 {
                return Ok(index);
            }
        }
    }
}

/// What is not so is of a form that is not known.
fn known(is_known: bool) -> Done {
    if is_known { Ok(()) } else { Err(Stop::Unknown) }
}
