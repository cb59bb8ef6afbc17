//! Models while the passes decide about them.

use crate::ir::{Alias, AnyModel, Contents, Model, ModelKind, Name, PerSide, Type, Value};
use crate::location::Location;
use crate::lower::models::{Built, Discriminator, State};
use crate::lower::overrides::name::RequestedName;

/// The operations and the models, which are not complete.
pub(crate) type Drafts = Contents<Draft>;

/// A [`Model`] that is not complete: its schema gives the first fields, and passes fill in the others.
#[derive(Clone, Debug)]
pub(crate) struct Draft {
    pub(crate) location: Location,
    /// The Rust name is a wish until names are given.
    pub(crate) name: Name,
    /// Whether the description names it.
    pub(crate) named: bool,
    /// The name requested by the user.
    pub(crate) requested: Option<RequestedName>,
    pub(crate) doc: Option<String>,
    pub(crate) deprecated: bool,
    pub(crate) kind: ModelKind,
    pub(crate) module: String,
    pub(crate) derives: PerSide,
    pub(crate) attributes: PerSide,
    pub(crate) default: bool,
    pub(crate) client_default: bool,
    pub(crate) eq: bool,
    pub(crate) in_request: bool,
    pub(crate) in_response: bool,
    pub(crate) in_webhook: bool,
    pub(crate) discriminated_by_rules: bool,
    pub(crate) in_parameter: bool,
    pub(crate) features: Vec<String>,
}

impl Draft {
    /// The draft of a schema, and the discriminator of a union.
    pub(crate) fn of(read: crate::lower::models::Draft<'_>) -> (Self, Option<Discriminator<'_>>) {
        let built = match read.state {
            State::Built(built) => *built,
            // Only cycles are left unread, and they have been reported.
            State::Unread | State::Building => Built {
                doc: None,
                deprecated: false,
                kind: ModelKind::Alias(Alias { value: Value::plain(Type::Any) }),
                discriminator: None,
            },
        };
        let draft = Self {
            location: read.node.location,
            name: read.name,
            named: read.named,
            requested: read.requested,
            doc: built.doc,
            deprecated: built.deprecated,
            kind: built.kind,
            module: String::new(),
            derives: PerSide::default(),
            attributes: PerSide::default(),
            default: false,
            client_default: false,
            eq: false,
            in_request: false,
            in_response: false,
            in_webhook: false,
            discriminated_by_rules: false,
            in_parameter: false,
            features: Vec::new(),
        };
        (draft, built.discriminator)
    }

    /// The complete model.
    pub(crate) fn complete(self) -> Model {
        Model {
            location: self.location,
            name: self.name,
            module: self.module,
            doc: self.doc,
            deprecated: self.deprecated,
            kind: self.kind,
            derives: self.derives,
            attributes: self.attributes,
            default: self.default,
            client_default: self.client_default,
            eq: self.eq,
            in_request: self.in_request,
            in_response: self.in_response,
            in_webhook: self.in_webhook,
            discriminated_by_rules: self.discriminated_by_rules,
            in_parameter: self.in_parameter,
            features: self.features,
        }
    }
}

impl AnyModel for Draft {
    fn kind(&self) -> &ModelKind {
        &self.kind
    }

    fn kind_mut(&mut self) -> &mut ModelKind {
        &mut self.kind
    }

    fn has_client_default(&self) -> bool {
        self.client_default
    }
}
