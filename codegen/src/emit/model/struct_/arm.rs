//! The lines of a `match` on the names of members, and how many there are.

use proc_macro2::TokenStream;
use quote::quote;

use crate::emit::lines::{WIDTH, width};
use crate::ir::Field;

/// How far an arm is indented.
const INDENT: usize = 12;

/// What is called on the place of a member when its name has been read.
pub(super) struct Arm {
    wire: String,
    rust: String,
    call: TokenStream,
    /// How many lines it takes at most.
    pub(super) lines: usize,
}

impl Arm {
    /// `call` on the member that `field` describes.
    pub(super) fn new(field: &Field, call: TokenStream) -> Self {
        let statement = "self.;".len() + field.name.rust.len() + ".".len() + width(&call);
        let lines = if fits_beside(&field.name.wire, statement) {
            1
        } else if INDENT + 4 + statement <= WIDTH {
            3
        } else {
            8
        };
        Self { wire: field.name.wire.clone(), rust: field.name.rust.clone(), call, lines }
    }

    /// The arm, where `place` says what holds the member. A call that does not fit beside its pattern gets a block, and
    /// in a block it is a statement.
    pub(super) fn tokens(&self, place: impl Fn(&str) -> TokenStream) -> TokenStream {
        let Self { wire, call, .. } = self;
        let place = place(&self.rust);
        let call = quote!(#place.#call);
        if fits_beside(wire, width(&call) + ",".len()) { quote!(#wire => #call,) } else { quote!(#wire => { #call; }) }
    }
}

/// What happens to all other names: a call that does not fit beside the `_` is a statement in a block.
pub(super) fn other(call: TokenStream) -> TokenStream {
    if INDENT + "_ => ,".len() + width(&call) <= WIDTH { call } else { quote!({ #call; }) }
}

fn fits_beside(wire: &str, call: usize) -> bool {
    INDENT + wire.len() + r#""" => "#.len() + call <= WIDTH
}

/// How many lines the arms take together.
pub(super) fn length(arms: &[Arm]) -> usize {
    arms.iter().map(|arm| arm.lines).sum()
}
