//! The description in Rust's terms: the input of both emitters, with every decision made.

mod arguments;
mod dependency;
mod foreign;
mod media_type;
mod model;
mod name;
mod operation;
mod pagination;
mod parameter;
mod request_body;
mod response;
mod security;
mod server;
mod short_form;
mod text_form;
mod tool;
mod ty;
mod values;
mod xml;

pub use arguments::Arguments;
pub use dependency::Dependency;
pub use foreign::{Codec, Foreign, ForeignForm, Functions};
pub use media_type::{Content, ContentKind, Form, FormMember, Multipart, Part, PartHeader, PartKind};
pub use model::{
    Absence, Additional, Alias, AnyModel, Constant, Enum, EnumVariant, Field, JsonType, Model, ModelKind, PerSide,
    Struct, Tagging, Union, Variant, unknown,
};
pub use name::Name;
pub use operation::{
    BodyDiscriminator, CallbackUrl, MemberPath, MemberStep, Method, Operation, ParameterDiscriminator, PathSegment,
    Tag, UrlPiece, VariantMember, Webhook,
};
pub use pagination::{NextPage, PageMembers, PageModel, PageSize, Pagination, PaginationStyle};
pub use parameter::{Parameter, ParameterEncoding, ParameterLocation, ParameterShape, ParameterStyle, QueryNames};
pub use request_body::RequestBody;
pub use response::{Failure, Header, Negotiation, Response, Responses, Status, Success};
pub use security::{Alternative, CredentialKind, Security, SecurityScheme};
pub use server::{Server, ServerChoice, ServerPiece, ServerVariable};
pub use short_form::ShortForm;
pub use text_form::{TextForm, UnionForm};
pub use tool::{Tier, Tool};
pub(crate) use ty::MAX_TYPE_DEPTH;
pub use ty::{Condition, Default, IntegerKind, ModelId, Presence, Rule, Tuple, Type, Value};
pub use xml::{Xml, XmlMember, XmlName, XmlNode, XmlObject, XmlOthers, XmlRoot, XmlShape, XmlTable};

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Deref;

use crate::location::Location;

/// The type behind aliases.
pub(crate) fn resolved<'a, M: AnyModel>(models: &'a [M], mut ty: &'a Type) -> &'a Type {
    // An alias may refer to itself until such cycles are broken; the number of models bounds the loop.
    for _ in 0..=models.len() {
        let Type::Model(id) = ty else { break };
        let ModelKind::Alias(alias) = models[id.0].kind() else { break };
        ty = &alias.value.ty;
    }
    ty
}

/// The kind of the model behind aliases, if the type is one.
pub(crate) fn kind<'a, M: AnyModel>(models: &'a [M], ty: &Type) -> Option<&'a ModelKind> {
    let Type::Model(id) = ty else { return None };
    match models[id.0].kind() {
        ModelKind::Alias(alias) => match resolved(models, &alias.value.ty) {
            Type::Model(id) => Some(models[id.0].kind()),
            _ => None,
        },
        kind => Some(kind),
    }
}

/// A whole description, resolved and in Rust's terms.
#[derive(Clone, Debug)]
pub struct Api {
    /// Its root, in the file that it starts in.
    pub location: Location,
    /// `info.title`.
    pub title: String,
    /// `info.description`, as Markdown.
    pub description: Option<String>,
    /// `info.version`.
    pub version: String,
    /// The URLs of `servers`, their variables filled with the defaults.
    pub servers: Vec<String>,
    /// The servers that a client may choose; empty for one without variables.
    pub server_choices: Vec<Server>,
    /// Its operations and types.
    pub contents: Contents,
    /// The models that are pages of a list, in their order.
    pub pages: Vec<PageModel>,
    /// The longest chain of models that one value can pass through.
    pub nesting: usize,
    /// The description itself as JSON, which a server can show.
    pub source: String,
    /// Member and query names are matched in any ASCII letter case (`x-name-matching: ascii-case-insensitive`).
    pub any_case: bool,
    /// The crates of the user's types, by name.
    pub dependencies: BTreeMap<String, Dependency>,
}

/// The operations and types of a description. `M` is a model; while the description is lowered, a draft of one.
#[derive(Clone, Debug)]
pub struct Contents<M = Model> {
    /// The operations, grouped by their first tag, in the order of the description.
    pub tags: Vec<Tag>,
    /// What the server sends on its own: `webhooks` and `callbacks`, grouped like the operations.
    pub webhooks: Vec<Tag>,
    /// The named types, sorted by Rust name; a [`ModelId`] is an index into this list.
    pub models: Vec<M>,
    /// `components.securitySchemes`, those in use.
    pub security_schemes: Vec<SecurityScheme>,
    /// Every distinct set of credentials that some operation accepts: the variants of `Credentials`.
    pub credentials: Vec<Alternative>,
    /// The elements of XML bodies.
    pub xml: XmlTable,
}

impl Deref for Api {
    type Target = Contents;

    fn deref(&self) -> &Contents {
        &self.contents
    }
}

impl<M> Contents<M> {
    /// The same with other models.
    pub(crate) fn with_models<N>(self, models: impl FnOnce(Vec<M>) -> Vec<N>) -> Contents<N> {
        let Self { tags, webhooks, models: old, security_schemes, credentials, xml } = self;
        Contents { tags, webhooks, models: models(old), security_schemes, credentials, xml }
    }
}

impl<M: AnyModel> Contents<M> {
    /// The model with this id.
    pub fn model(&self, id: ModelId) -> &M {
        &self.models[id.0]
    }

    /// The type behind aliases.
    pub(crate) fn resolved<'a>(&'a self, ty: &'a Type) -> &'a Type {
        resolved(&self.models, ty)
    }

    /// The kind of the model behind aliases, if the type is one.
    pub(crate) fn kind(&self, ty: &Type) -> Option<&ModelKind> {
        kind(&self.models, ty)
    }

    /// Whether `null` is a value of the type itself.
    pub(crate) fn takes_null(&self, ty: &Type) -> bool {
        // Variants may refer back to their union.
        let mut seen = BTreeSet::new();
        let mut next = vec![ty];
        while let Some(ty) = next.pop() {
            match ty {
                Type::Any => return true,
                Type::Model(id) if seen.insert(*id) => match self.model(*id).kind() {
                    ModelKind::Alias(alias) => next.push(&alias.value.ty),
                    ModelKind::Union(union) => next.extend(union.variants.iter().map(|variant| &variant.value.ty)),
                    ModelKind::Struct(_) | ModelKind::Enum(_) => {}
                },
                _ => {}
            }
        }
        false
    }

    /// Every operation of the server, in the order of the tags.
    pub fn operations(&self) -> impl Iterator<Item = &Operation> {
        self.tags.iter().flat_map(|tag| &tag.operations)
    }

    /// The operations, and then the webhooks and callbacks.
    pub fn operations_and_webhooks(&self) -> impl Iterator<Item = &Operation> {
        self.tags.iter().chain(&self.webhooks).flat_map(|tag| &tag.operations)
    }
}

impl Api {
    /// The models without operations: used in both directions, and in no parameter.
    pub(crate) fn models_alone(&self) -> Self {
        let models = self.models.iter().cloned().map(|model| Model {
            in_request: true,
            in_response: true,
            in_webhook: false,
            in_parameter: false,
            features: Vec::new(),
            ..model
        });
        let contents = Contents {
            tags: Vec::new(),
            webhooks: Vec::new(),
            models: models.collect(),
            security_schemes: Vec::new(),
            credentials: Vec::new(),
            xml: XmlTable::default(),
        };
        Self { contents, pages: Vec::new(), servers: Vec::new(), server_choices: Vec::new(), ..self.clone() }
    }

    /// Removes the cargo features of tags: a module of another crate has that crate's features.
    #[cfg(feature = "build")]
    pub(crate) fn compile_always(&mut self) {
        self.contents.tags.iter_mut().for_each(|tag| tag.feature = None);
        self.contents.models.iter_mut().for_each(|model| model.features.clear());
    }

    /// Moves every location to its origin.
    pub(crate) fn relocate(&mut self, origin: impl Fn(&Location) -> Location) {
        let relocate = |location: &mut Location| *location = origin(location);
        for model in &mut self.contents.models {
            relocate(&mut model.location);
            if let ModelKind::Struct(struct_) = &mut model.kind {
                struct_.fields.iter_mut().filter_map(|field| field.location.as_mut()).for_each(relocate);
            }
        }
        for operation in
            self.contents.tags.iter_mut().chain(&mut self.contents.webhooks).flat_map(|tag| &mut tag.operations)
        {
            relocate(&mut operation.location);
            operation.parameters.iter_mut().filter_map(|parameter| parameter.written.as_mut()).for_each(relocate);
            for content in operation.request_body.iter_mut().flat_map(|body| &mut body.contents) {
                if let ContentKind::Multipart(multipart) = &mut content.kind {
                    multipart.parts.iter_mut().filter_map(|part| part.field.location.as_mut()).for_each(relocate);
                }
            }
        }
    }
}
