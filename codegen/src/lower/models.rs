//! The models found so far, by location of their schema.

use foldhash::HashMap;

use super::node::Node;
use super::overrides::name::RequestedName;
use super::reference::LONGEST_CHAIN;
use crate::ir::{ModelId, ModelKind, Name, Type};
use crate::location::Location;

/// A draft of a model: names and flags need all models.
#[derive(Clone, Debug)]
pub(crate) struct Draft<'a> {
    /// As in [`crate::ir::Model`]; the Rust name is only a wish.
    pub(crate) name: Name,
    /// The schema.
    pub(crate) node: Node<'a>,
    /// Whether the description names it; such models get their Rust names first.
    pub(crate) named: bool,
    /// The name requested by the user, which wins over all others.
    pub(crate) requested: Option<RequestedName>,
    /// Its progress.
    pub(crate) state: State<'a>,
}

/// The progress of a model.
#[derive(Clone, Debug)]
pub(crate) enum State<'a> {
    /// Only its location is known.
    Unread,
    /// Its schema is being read.
    Building,
    /// Its kind is known.
    Built(Box<Built<'a>>),
}

/// The result of reading a model's schema.
#[derive(Clone, Debug)]
pub(crate) struct Built<'a> {
    pub(crate) doc: Option<String>,
    pub(crate) deprecated: bool,
    pub(crate) kind: ModelKind,
    /// The `discriminator` of a union.
    pub(crate) discriminator: Option<Discriminator<'a>>,
}

/// A `discriminator`.
#[derive(Clone, Debug)]
pub(crate) struct Discriminator<'a> {
    /// Its location.
    pub(crate) node: Node<'a>,
    /// The member with the tag.
    pub(crate) member: String,
    /// `mapping`, and tags declared by variants: each with the index of its variant.
    pub(crate) mapping: Vec<(String, usize)>,
    /// The implicit tag of each variant: the name of its schema.
    pub(crate) implied: Vec<Option<String>>,
    /// `defaultMapping`: the variant of values with other tags.
    pub(crate) default: Option<usize>,
    /// The variant that all others contain, and that declares the discriminator.
    pub(crate) base: Option<usize>,
}

/// All models.
#[derive(Debug, Default)]
pub(crate) struct Models<'a> {
    list: Vec<Draft<'a>>,
    places: HashMap<String, ModelId>,
}

impl<'a> Models<'a> {
    /// The model of the schema at this location.
    pub(crate) fn at(&self, location: &Location) -> Option<ModelId> {
        self.places.get(location.pointer()).copied()
    }

    /// Adds a model whose schema will be read later.
    pub(crate) fn add_unread(&mut self, name: Name, node: Node<'a>, named: bool) -> ModelId {
        let id = ModelId(self.list.len());
        self.places.entry(node.location.pointer().to_owned()).or_insert(id);
        self.list.push(Draft { name, node, named, requested: None, state: State::Unread });
        id
    }

    /// Makes another location refer to a model.
    pub(crate) fn alias(&mut self, location: &Location, id: ModelId) {
        self.places.entry(location.pointer().to_owned()).or_insert(id);
    }

    /// Adds a model that is already known. Without `shared`, its location does not refer to it: one schema
    /// can be merged into several models.
    pub(crate) fn add_built(&mut self, name: Name, node: Node<'a>, built: Built<'a>, shared: bool) -> ModelId {
        let id = ModelId(self.list.len());
        if shared {
            self.places.entry(node.location.pointer().to_owned()).or_insert(id);
        }
        self.list.push(Draft { name, node, named: false, requested: None, state: State::Built(Box::new(built)) });
        id
    }

    pub(crate) fn get(&self, id: ModelId) -> &Draft<'a> {
        &self.list[id.0]
    }

    pub(crate) fn get_mut(&mut self, id: ModelId) -> &mut Draft<'a> {
        &mut self.list[id.0]
    }

    /// The first model whose schema has not been read.
    pub(crate) fn unread(&self, from: usize) -> Option<ModelId> {
        self.list
            .iter()
            .skip(from)
            .position(|draft| matches!(draft.state, State::Unread))
            .map(|index| ModelId(from + index))
    }

    /// The kind of a model whose schema has been read.
    pub(crate) fn kind(&self, id: ModelId) -> Option<&ModelKind> {
        match &self.get(id).state {
            State::Built(built) => Some(&built.kind),
            State::Unread | State::Building => None,
        }
    }

    /// The texts of an enum.
    pub(crate) fn texts_of(&self, ty: &Type) -> Option<Vec<String>> {
        let mut ty = ty;
        for _ in 0..LONGEST_CHAIN {
            let Type::Model(id) = ty else { return None };
            match self.kind(*id)? {
                ModelKind::Alias(alias) => ty = &alias.value.ty,
                ModelKind::Enum(enum_) => return enum_.all_texts(),
                ModelKind::Struct(_) | ModelKind::Union(_) => return None,
            }
        }
        None
    }

    /// All drafts, in the order in which they were found.
    pub(crate) fn into_drafts(self) -> Vec<Draft<'a>> {
        self.list
    }
}
