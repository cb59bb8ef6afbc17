//! Pairs of old and new models, and the operations that send or receive them.

use foldhash::HashSet;
use indexmap::IndexMap;

use super::types;
use super::union;
use crate::ir::{Api, Content, ContentKind, Field, Form, ModelId, ModelKind, Operation, Type, Xml};

/// A model before and after.
pub(super) type Pair = (ModelId, ModelId);

/// The operations that reach a pair, as indices into the pairs of operations. Callers receive the request of
/// a webhook, so it counts as a response, and the other way round.
#[derive(Clone, Debug, Default)]
pub(super) struct Reach {
    pub(super) request: Vec<usize>,
    pub(super) response: Vec<usize>,
}

impl Reach {
    fn list(&mut self, request: bool) -> &mut Vec<usize> {
        if request { &mut self.request } else { &mut self.response }
    }
}

/// Every pair that operations reach, then pairs of equal names that no operation reaches.
pub(super) fn pairs(old: &Api, new: &Api, operations: &[(&Operation, &Operation)]) -> IndexMap<Pair, Reach> {
    let mut reached: IndexMap<Pair, Reach> = IndexMap::new();
    for (index, (before, after)) in operations.iter().enumerate() {
        let mut walk = Walk { old, new, request: true, seen: HashSet::default() };
        walk.spread(requests(&walk, before, after));
        let is_webhook = after.webhook.is_some();
        walk.seen.drain().for_each(|pair| reached.entry(pair).or_default().list(!is_webhook).push(index));
        walk.request = false;
        walk.spread(responses(&walk, before, after));
        walk.seen.drain().for_each(|pair| reached.entry(pair).or_default().list(is_webhook).push(index));
    }
    let (lefts, rights): (HashSet<ModelId>, HashSet<ModelId>) = reached.keys().copied().unzip();
    for (left, model) in old.models.iter().enumerate() {
        let same = new.models.iter().position(|other| other.name == model.name);
        let pair = same.map(|right| (Type::Model(ModelId(left)), Type::Model(ModelId(right))));
        if let Some(pair) = pair.and_then(|(left, right)| types::pair((old, &left), (new, &right)))
            && !lefts.contains(&pair.0)
            && !rights.contains(&pair.1)
        {
            reached.entry(pair).or_default();
        }
    }
    reached.sort_by(|left, _, right, _| (left.1, left.0).cmp(&(right.1, right.0)));
    reached
}

/// A walk from one operation, in one direction.
struct Walk<'a> {
    old: &'a Api,
    new: &'a Api,
    request: bool,
    seen: HashSet<Pair>,
}

impl Walk<'_> {
    fn spread(&mut self, mut next: Vec<Pair>) {
        while let Some(pair) = next.pop() {
            if self.seen.insert(pair) {
                self.children(pair, &mut next);
            }
        }
    }

    fn children(&self, (left, right): Pair, into: &mut Vec<Pair>) {
        match (&self.old.model(left).kind, &self.new.model(right).kind) {
            (ModelKind::Struct(old), ModelKind::Struct(new)) => {
                self.fields(old.fields.iter(), new.fields.iter(), into);
                if let (Some(old), Some(new)) = (&old.additional, &new.additional) {
                    self.value(&old.value.ty, &new.value.ty, into);
                }
            }
            (ModelKind::Union(old), ModelKind::Union(new)) => {
                for (before, after) in union::matched((self.old, old), (self.new, new)) {
                    self.value(&old.variants[before].value.ty, &new.variants[after].value.ty, into);
                }
            }
            _ => {}
        }
    }

    fn fields<'f>(
        &self,
        old: impl Iterator<Item = &'f Field>,
        mut new: impl Iterator<Item = &'f Field> + Clone,
        into: &mut Vec<Pair>,
    ) {
        let travels = |field: &Field| if self.request { !field.read_only } else { !field.write_only };
        for before in old.filter(|field| travels(field)) {
            let mut same = new.by_ref().clone().filter(|after| after.name.wire == before.name.wire && travels(after));
            if let Some(after) = same.next() {
                self.value(&before.value.ty, &after.value.ty, into);
            }
        }
    }

    fn value(&self, old: &Type, new: &Type, into: &mut Vec<Pair>) {
        match (self.old.resolved(old), self.new.resolved(new)) {
            (Type::Array(old), Type::Array(new)) | (Type::Map(old), Type::Map(new)) => {
                self.value(&old.ty, &new.ty, into);
            }
            (Type::Tuple(old), Type::Tuple(new)) if old.places.len() == new.places.len() => {
                for (old, new) in old.values().zip(new.values()) {
                    self.value(&old.ty, &new.ty, into);
                }
            }
            (old, new) => into.extend(types::pair((self.old, old), (self.new, new))),
        }
    }

    fn contents(&self, old: &[Content], new: &[Content], into: &mut Vec<Pair>) {
        for (before, after) in super::content::matched(old, new) {
            match (&before.kind, &after.kind) {
                (ContentKind::Json(old), ContentKind::Json(new))
                | (ContentKind::Xml(Xml { value: old, .. }), ContentKind::Xml(Xml { value: new, .. }))
                | (ContentKind::Form(Form { value: old, .. }), ContentKind::Form(Form { value: new, .. }))
                | (ContentKind::JsonLines(old), ContentKind::JsonLines(new))
                | (ContentKind::Events(Some(old)), ContentKind::Events(Some(new))) => {
                    self.value(&old.ty, &new.ty, into);
                }
                (ContentKind::Multipart(old), ContentKind::Multipart(new)) => {
                    self.fields(
                        old.parts.iter().map(|part| &part.field),
                        new.parts.iter().map(|part| &part.field),
                        into,
                    );
                }
                _ => {}
            }
        }
    }
}

fn requests(walk: &Walk<'_>, old: &Operation, new: &Operation) -> Vec<Pair> {
    let mut found = Vec::new();
    for (before, after) in super::parameter::matched(old, new) {
        walk.value(&before.value.ty, &after.value.ty, &mut found);
    }
    if let (Some(old), Some(new)) = (&old.request_body, &new.request_body) {
        walk.contents(&old.contents, &new.contents, &mut found);
    }
    found
}

fn responses(walk: &Walk<'_>, old: &Operation, new: &Operation) -> Vec<Pair> {
    let mut found = Vec::new();
    for (before, after) in super::response::matched(&old.responses, &new.responses) {
        walk.contents(&before.contents, &after.contents, &mut found);
        for header in &before.headers {
            if let Some(other) = after.headers.iter().find(|other| other.name.wire == header.name.wire) {
                walk.value(&header.value.ty, &other.value.ty, &mut found);
            }
        }
    }
    found
}
