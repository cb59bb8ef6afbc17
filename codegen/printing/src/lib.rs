#![doc = include_str!("../README.md")]

extern crate self as printing;

mod blank_lines;
mod draw_together;
mod file;
mod format;
mod ident;
mod layout;
mod lexer;
#[doc(hidden)]
pub mod repeat;
mod to_tokens;
mod tokens;

use std::ops::Range;

pub use codegen_quote::quote;
pub use file::{after_attributes, after_inner_attributes, items};
pub use ident::Ident;
pub use lexer::{Kind, Token, tokens};
pub use to_tokens::ToTokens;
pub use tokens::Tokens;

/// Tokens as they are read.
pub fn code(tokens: &Tokens) -> String {
    file(tokens.as_str(), |_, _| Vec::new())
}

/// The text of a file of `code`, with the `use` lines that `missing` finds in its tokens and items.
pub fn file(code: &str, missing: impl FnOnce(&[Token<'_>], &[Range<usize>]) -> Vec<String>) -> String {
    match file::laid_out(code, missing) {
        Ok(text) => blank_lines::add(&draw_together::draw_together(&text)),
        // A mistake of an emitter: the compiler of the generated crate shows where.
        Err(error) => format!("compile_error!({error:?});\n{code}\n"),
    }
}

/// An item as three ways to lay it out have it.
#[doc(hidden)]
pub struct Comparison {
    /// The item without a layout.
    pub written: String,
    /// What this crate makes of it, before lines are drawn together; `None` when it does not know the form.
    pub ours: Option<String>,
    /// What prettyplease makes of it; `None` when it is no Rust.
    pub theirs: Option<String>,
}

/// Compares the two layouts of each item of `code`; `None` when it is no code.
#[doc(hidden)]
pub fn compare(code: &str) -> Option<Vec<Comparison>> {
    file::compare(code)
}
