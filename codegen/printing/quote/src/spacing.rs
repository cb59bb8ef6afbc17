//! What needs a space in front of it to be apart from what stands before.

/// What a text ends with.
#[derive(Clone, Copy, Default, PartialEq)]
pub(crate) enum End {
    /// Nothing, or what opens a group.
    #[default]
    Open,
    /// What closes a group.
    Close,
    /// A name or a literal.
    Word,
    /// A sign that the next one does not go on.
    Sign,
    /// A sign that goes on.
    Joint,
    /// What was put in, which may end with anything.
    Value,
}

/// What is written next.
#[derive(Clone, Copy, PartialEq)]
pub(crate) enum Next {
    Open,
    Close,
    Word,
    Sign(char),
    Value,
}

impl End {
    /// Without a space, something else would be read.
    pub(crate) fn needs_space_before(self, next: Next) -> bool {
        match (self, next) {
            (_, Next::Close) | (Self::Open, _) | (Self::Value, Next::Open | Next::Sign(',' | ';')) => false,
            (Self::Value, _) | (_, Next::Value) | (Self::Word, Next::Word) | (Self::Sign, Next::Sign(_)) => true,
            (Self::Word | Self::Sign | Self::Close | Self::Joint, _) => false,
        }
    }
}
