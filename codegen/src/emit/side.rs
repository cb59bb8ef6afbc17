//! The sides: server, client, and the models alone.

use crate::ir::{Absence, Field, Model, PerSide};

/// The crate being written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Side {
    /// Strict: closed enums, constraints checked, unknown members refused if the description says so.
    Server,
    /// Tolerant: unknown enum values and variants kept, unknown members skipped, constraints not checked.
    Client,
    /// The models without operations: as strict as the server, each read and written.
    Models,
}

impl Side {
    /// The name of the side, with which the names of its crates end.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Server => "server",
            Self::Client => "client",
            Self::Models => "models",
        }
    }

    /// The list for this side.
    pub(crate) fn of(self, lists: &PerSide) -> &[String] {
        match self {
            Self::Server => &lists.server,
            Self::Client => &lists.client,
            Self::Models => &lists.models,
        }
    }

    /// The opposite side.
    pub(crate) fn other(self) -> Self {
        match self {
            Self::Server => Self::Client,
            Self::Client => Self::Server,
            Self::Models => Self::Models,
        }
    }

    /// Whether this side reads the model: the server from requests, the client from responses.
    pub(crate) fn reads(self, model: &Model) -> bool {
        match self {
            Self::Server => model.in_request,
            Self::Client => model.in_response,
            Self::Models => true,
        }
    }

    /// Whether this side writes the model: the server into responses, the client into requests.
    pub(crate) fn writes(self, model: &Model) -> bool {
        match self {
            Self::Server => model.in_response,
            Self::Client => model.in_request,
            Self::Models => true,
        }
    }

    /// Whether the rules of the model are generated: always in a server and in models alone; in a client for webhooks, and where
    /// rules tell variants apart. In a response the client only uses them to choose.
    pub(crate) fn checks(self, model: &Model) -> bool {
        self.refuses_texts(model) || model.discriminated_by_rules && model.in_response
    }

    /// Whether an invalid text of the model is refused.
    pub(crate) fn refuses_texts(self, model: &Model) -> bool {
        match self {
            Self::Server | Self::Models => true,
            Self::Client => model.in_webhook,
        }
    }

    /// Whether this side reads the member: a server ignores read-only ones.
    pub(crate) fn reads_field(self, field: &Field) -> bool {
        match self {
            Self::Server => !field.read_only,
            Self::Client | Self::Models => true,
        }
    }

    /// Whether this side writes the member: not if the other side must not have it.
    pub(crate) fn writes_field(self, field: &Field) -> bool {
        match self {
            Self::Server => !field.write_only,
            Self::Client => !field.read_only,
            Self::Models => true,
        }
    }

    /// What the absence of the member means to this side.
    pub(crate) fn absence(self, field: &Field) -> Absence {
        match self {
            // A member that only requests require may be absent.
            Self::Models if field.absence_on_server == Absence::Tolerated => Absence::Allowed,
            Self::Server | Self::Models => field.absence_on_server,
            Self::Client => field.absence_on_client,
        }
    }
}
