//! For which of the two crates something is emitted.

use crate::ir::{Field, Model};

/// The crate that is being written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Side {
    /// Strict: closed enums, constraints checked, unknown members refused where the description says so.
    Server,
    /// Tolerant: unknown enum values and unions kept, unknown members skipped, constraints left to the server.
    Client,
}

impl Side {
    /// The side that this one talks to.
    pub(crate) fn other(self) -> Self {
        match self {
            Self::Server => Self::Client,
            Self::Client => Self::Server,
        }
    }

    /// Whether this side reads the model: the server from requests, the client from responses.
    pub(crate) fn reads(self, model: &Model) -> bool {
        match self {
            Self::Server => model.in_request,
            Self::Client => model.in_response,
        }
    }

    /// Whether this side writes the model: the server into responses, the client into requests.
    pub(crate) fn writes(self, model: &Model) -> bool {
        match self {
            Self::Server => model.in_response,
            Self::Client => model.in_request,
        }
    }

    /// Whether the description's rules for the model are asked for: by a server always, by a client in what a webhook
    /// brings, and where they tell variants apart. In an answer the reader is tolerant, and only chooses by them.
    pub(crate) fn checks(self, model: &Model) -> bool {
        self.refuses_texts(model) || model.discriminated_by_rules && model.in_response
    }

    /// Whether a text of the model that does not keep to the description is refused.
    pub(crate) fn refuses_texts(self, model: &Model) -> bool {
        match self {
            Self::Server => true,
            Self::Client => model.in_webhook,
        }
    }

    /// Whether this side reads the member of a model that it reads: a server ignores what is read-only.
    pub(crate) fn reads_field(self, field: &Field) -> bool {
        match self {
            Self::Server => !field.read_only,
            Self::Client => true,
        }
    }

    /// Whether this side writes the member of a model that it writes: nobody writes what the other may not have.
    pub(crate) fn writes_field(self, field: &Field) -> bool {
        match self {
            Self::Server => !field.write_only,
            Self::Client => !field.read_only,
        }
    }
}
