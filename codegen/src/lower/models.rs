//! The models found so far, by the place of their schema.

use foldhash::HashMap;

use super::Node;
use super::overrides::Asked;
use super::schema::union::Discriminator;
use crate::ir::{ModelId, ModelKind, Name};
use crate::location::Location;

/// A model that is not finished: names and flags need all of them.
#[derive(Clone, Debug)]
pub(crate) struct Draft<'a> {
    /// As in [`crate::ir::Model`]; the Rust name is what it would like to be called.
    pub(crate) name: Name,
    /// The schema.
    pub(crate) node: Node<'a>,
    /// It has a name in the description; such models choose their Rust names first.
    pub(crate) named: bool,
    /// The name that the user wants it to have, which comes before all others.
    pub(crate) asked: Option<Asked>,
    /// How far it is.
    pub(crate) state: State<'a>,
}

/// How far a model is.
#[derive(Clone, Debug)]
pub(crate) enum State<'a> {
    /// Only its place is known.
    Found,
    /// Its schema is being read.
    Building,
    /// Its kind is known.
    Built(Box<Built<'a>>),
}

/// What is known of a model once its schema has been read.
#[derive(Clone, Debug)]
pub(crate) struct Built<'a> {
    pub(crate) doc: Option<String>,
    pub(crate) deprecated: bool,
    pub(crate) kind: ModelKind,
    /// Of a union: what its `discriminator` says.
    pub(crate) discriminator: Option<Discriminator<'a>>,
}

/// All models.
#[derive(Debug, Default)]
pub(crate) struct Models<'a> {
    list: Vec<Draft<'a>>,
    places: HashMap<String, ModelId>,
}

impl<'a> Models<'a> {
    /// The model of the schema at that place.
    pub(crate) fn at(&self, location: &Location) -> Option<ModelId> {
        self.places.get(location.pointer()).copied()
    }

    /// A model whose schema will be read later.
    pub(crate) fn find(&mut self, name: Name, node: Node<'a>, named: bool) -> ModelId {
        let id = ModelId(self.list.len());
        self.places.entry(node.location.pointer().to_owned()).or_insert(id);
        self.list.push(Draft { name, node, named, asked: None, state: State::Found });
        id
    }

    /// Makes another place lead to a model.
    pub(crate) fn lead(&mut self, location: &Location, id: ModelId) {
        self.places.entry(location.pointer().to_owned()).or_insert(id);
    }

    /// A model that is known already. Without `shared` the place does not lead to it: one schema can be merged into
    /// several models.
    pub(crate) fn add(&mut self, name: Name, node: Node<'a>, built: Built<'a>, shared: bool) -> ModelId {
        let id = ModelId(self.list.len());
        if shared {
            self.places.entry(node.location.pointer().to_owned()).or_insert(id);
        }
        self.list.push(Draft { name, node, named: false, asked: None, state: State::Built(Box::new(built)) });
        id
    }

    pub(crate) fn get(&self, id: ModelId) -> &Draft<'a> {
        &self.list[id.0]
    }

    pub(crate) fn get_mut(&mut self, id: ModelId) -> &mut Draft<'a> {
        &mut self.list[id.0]
    }

    /// The first model whose schema nobody has read.
    pub(crate) fn unread(&self, from: usize) -> Option<ModelId> {
        self.list
            .iter()
            .skip(from)
            .position(|draft| matches!(draft.state, State::Found))
            .map(|index| ModelId(from + index))
    }

    /// The kind of a model whose schema has been read.
    pub(crate) fn kind(&self, id: ModelId) -> Option<&ModelKind> {
        match &self.get(id).state {
            State::Built(built) => Some(&built.kind),
            State::Found | State::Building => None,
        }
    }

    pub(crate) fn into_drafts(self) -> Vec<Draft<'a>> {
        self.list
    }
}
