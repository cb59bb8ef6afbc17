//! `quote!`: Rust in which `#name` stands for what is put in, made into the `Tokens` of the generator.
//!
//! `#(#names),*` repeats, with what iterates of the names in it, and what stands before the `*` in between. It reads as the
//! macro of the crate `quote` does, but writes text, since all that is done with it is to write it into a file.

mod name;
mod repetition;
mod spacing;
mod writer;

use proc_macro::TokenStream;

/// The `Tokens` of what stands in it. The crate that it stands in says by its macro `origin!` where names are from.
#[proc_macro]
pub fn quote(input: TokenStream) -> TokenStream {
    writer::written(input.into()).into()
}
