#![doc = include_str!("../README.md")]

extern crate self as printing;

mod blank_lines;
mod file;
mod format;
mod ident;
mod import;
mod layout;
mod lexer;
mod order;
#[doc(hidden)]
pub mod repeat;
mod to_tokens;
mod tokens;

pub use codegen_quote::quote;
pub use file::{after_attributes, after_inner_attributes, items};
pub use ident::Ident;
pub use import::Places;
pub use lexer::{Kind, Token, tokens};
pub use to_tokens::ToTokens;
pub use tokens::Tokens;

/// Tokens as they are read.
pub fn code(tokens: &Tokens) -> String {
    file(tokens.as_str(), &[])
}

/// The text of a file of `code`, with the `use` lines that its names need. `places` say where the first parts of their paths
/// are.
pub fn file(code: &str, places: Places<'_>) -> String {
    match file::laid_out(code, places) {
        Ok(text) => blank_lines::add(&text),
        // A mistake of an emitter: the compiler of the generated crate shows where.
        Err(error) => format!("compile_error!({error:?});\n{code}\n"),
    }
}

/// An item before and after it is laid out.
#[doc(hidden)]
pub struct Comparison {
    /// The item without a layout.
    pub written: String,
    /// What this crate makes of it; `None` when it does not know the form.
    pub laid_out: Option<String>,
}

impl Comparison {
    /// The layout has all words of the item, in their order. It may add and leave out braces and commas.
    pub fn keeps_words(&self) -> bool {
        self.laid_out.as_ref().is_none_or(|laid_out| file::words(&self.written) == file::words(laid_out))
    }
}

#[cfg(test)]
macro_rules! origin {
    (Read) => { $crate::import!(crate::runtime::json::Read) };
    (client::$name:ident) => { $crate::import_in_module!(crate::runtime::client::$name) };
    ($($name:tt)*) => { $crate::as_written!($($name)*) };
}
#[cfg(test)]
pub(crate) use origin;

/// Each item of `code` before and after it is laid out; `None` when it is no code.
#[doc(hidden)]
pub fn compare(code: &str) -> Option<Vec<Comparison>> {
    file::compare(code)
}
