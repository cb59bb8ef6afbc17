//! Code → how it is laid out, byte by byte as prettyplease would: for the forms that emitters use. All others are left to
//! prettyplease, which takes several times as long, most of it for reading them with syn.

mod attribute;
mod block;
mod control;
mod expression;
mod extent;
mod item;
mod pattern;
mod primary;
mod ty;

use crate::layout::Layout;
use crate::lexer::{Kind, Token};

/// Appends an item, which starts at the token `start` and ends before `end`, to `text`; `Err` with the text as it was
/// when the item has a form that is not known.
pub(crate) fn item(tokens: &[Token<'_>], start: usize, end: usize, text: String) -> Result<String, String> {
    print(tokens, start, end, text, Printer::item)
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
    known: impl FnOnce(&mut Printer<'a, 't>) -> Option<()>,
) -> Result<String, String> {
    let length = text.len();
    let mut printer = Printer { tokens, at: start, layout: Layout::new(text), block_of_condition: None };
    printer.layout.consistent(0);
    let is_known = known(&mut printer).is_some() && printer.at == end;
    printer.layout.end();
    let mut text = printer.layout.finish();
    if is_known {
        return Ok(text);
    }
    text.truncate(length);
    Err(text)
}

/// Reads tokens and lays them out as it goes. What it does not know gives `None`.
struct Printer<'a, 't> {
    tokens: &'t [Token<'a>],
    at: usize,
    layout: Layout<'a>,
    /// The brace behind the condition that is being printed: it is not that of a struct.
    block_of_condition: Option<usize>,
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
    fn expect(&mut self, text: &str) -> Option<()> {
        self.skip(text).then_some(())
    }

    /// Prints `text` for a token that reads like it but for spaces, if it is the next one.
    fn keyword(&mut self, text: &'static str) -> bool {
        let is_there = self.skip(text.trim());
        if is_there {
            self.layout.word(text);
        }
        is_there
    }

    /// Prints the next token, which is of this kind.
    fn print(&mut self, kind: Kind) -> Option<()> {
        let token = self.token(self.at);
        if token.kind != kind {
            return None;
        }
        self.layout.word(token.text);
        self.at += 1;
        Some(())
    }

    /// What opens a group and reads like this; the place of what closes it.
    fn open(&mut self, text: &str) -> Option<usize> {
        let token = self.token(self.at);
        if token.kind != Kind::Open || token.text != text {
            return None;
        }
        self.at += 1;
        Some(token.mate)
    }

    /// The items of a list that ends at `end`, with commas between them, and behind the last one if the line ends there.
    fn list(&mut self, end: usize, mut item: impl FnMut(&mut Self) -> Option<()>) -> Option<()> {
        while self.at < end {
            item(self)?;
            if self.at < end {
                self.expect(",")?;
            }
            self.layout.comma(self.at == end, 0);
        }
        (self.at == end).then_some(())
    }

    /// The next token after the generic arguments that begin at `index` with `<`.
    fn after_angles(&self, mut index: usize) -> Option<usize> {
        let mut depth = 0;
        loop {
            let token = self.token(index);
            match (token.kind, token.text) {
                (Kind::Punctuation, "<") => depth += 1,
                (Kind::Punctuation, ">") => depth -= 1,
                (Kind::Open, _) => index = token.mate,
                (Kind::Close | Kind::End, _) => return None,
                _ => {}
            }
            index += 1;
            if depth == 0 {
                return Some(index);
            }
        }
    }
}
