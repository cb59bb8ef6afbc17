//! Text of an OData option → tokens.

use super::Error;

/// A token of an expression.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Token {
    /// A name, an operator, a number, a date: a text without spaces.
    Word(String),
    /// `'text'`; a doubled quote is one quote
    Text(String),
    /// `(`
    Open,
    /// `)`
    Close,
    /// `,`
    Comma,
}

/// Splits an expression.
pub(super) fn tokens(text: &str) -> Result<Vec<Token>, Error> {
    let mut tokens = Vec::new();
    let mut rest = text.trim_start();
    while let Some(first) = rest.chars().next() {
        let length = match first {
            '(' => push(&mut tokens, Token::Open),
            ')' => push(&mut tokens, Token::Close),
            ',' => push(&mut tokens, Token::Comma),
            '\'' => {
                let (value, length) = quoted(rest)?;
                tokens.push(Token::Text(value));
                length
            }
            _ => {
                let length = rest.find(|c: char| c.is_whitespace() || "(),'".contains(c)).unwrap_or(rest.len());
                tokens.push(Token::Word(rest[..length].to_string()));
                length
            }
        };
        rest = rest[length..].trim_start();
    }
    Ok(tokens)
}

fn push(tokens: &mut Vec<Token>, token: Token) -> usize {
    tokens.push(token);
    1
}

/// The quoted text at the start of `rest`, and its length.
fn quoted(rest: &str) -> Result<(String, usize), Error> {
    let mut value = String::new();
    let mut characters = rest.char_indices().skip(1).peekable();
    while let Some((position, character)) = characters.next() {
        if character == '\0' {
            return Err(Error("a text holds U+0000".to_string()));
        } else if character != '\'' {
            value.push(character);
        } else if characters.next_if(|(_, next)| *next == '\'').is_some() {
            value.push('\'');
        } else {
            return Ok((value, position + 1));
        }
    }
    Err(Error(format!("the text {rest} has no closing quote")))
}
