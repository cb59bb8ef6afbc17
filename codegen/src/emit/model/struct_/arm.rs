//! The lines of a `match` on the names of members, and how many there are.

use crate::emit::lines::{WIDTH, width};
use crate::ir::Field;
use printing::{Tokens, quote};

/// How far an arm is indented.
const INDENT: usize = 12;

/// What is called on the place of a member when its name has been read.
pub(super) struct Arm {
    wire: String,
    /// The member; none where it is only looked at, and `call` is the whole of it.
    rust: Option<String>,
    call: Tokens,
    /// How many lines it takes at most.
    pub(super) lines: usize,
}

impl Arm {
    /// `call` on the member that `field` describes.
    pub(super) fn new(field: &Field, call: Tokens) -> Self {
        Self::on(field, Some(&field.name.rust), call)
    }

    /// `call` for a member that is only looked at.
    pub(super) fn whole(field: &Field, call: Tokens) -> Self {
        Self::on(field, None, call)
    }

    fn on(field: &Field, rust: Option<&str>, call: Tokens) -> Self {
        let place = rust.map_or(0, |rust| "self..".len() + rust.len());
        let statement = place + width(&call) + ";".len();
        let lines = if fits_beside(&field.name.wire, statement) {
            1
        } else if INDENT + 4 + statement <= WIDTH {
            3
        } else {
            8
        };
        Self { wire: field.name.wire.clone(), rust: rust.map(str::to_owned), call, lines }
    }

    /// The arm, where `place` says what holds the member. A call that does not fit beside its pattern gets a block, and
    /// in a block it is a statement.
    pub(super) fn tokens(&self, place: impl Fn(&str) -> Tokens) -> Tokens {
        let Self { wire, call, .. } = self;
        let place = self.rust.as_deref().map(place);
        let call = place.map_or_else(|| call.clone(), |place| quote!(#place.#call));
        if fits_beside(wire, width(&call) + ",".len()) { quote!(#wire => #call,) } else { quote!(#wire => { #call; }) }
    }
}

/// What happens to all other names: a call that does not fit beside the `_` is a statement in a block.
pub(super) fn other(call: Tokens) -> Tokens {
    if INDENT + "_ => ,".len() + width(&call) <= WIDTH { call } else { quote!({ #call; }) }
}

fn fits_beside(wire: &str, call: usize) -> bool {
    INDENT + wire.len() + r#""" => "#.len() + call <= WIDTH
}

/// How many lines the arms take together.
pub(super) fn length(arms: &[Arm]) -> usize {
    arms.iter().map(|arm| arm.lines).sum()
}
