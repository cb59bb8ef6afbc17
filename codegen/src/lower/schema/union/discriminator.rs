//! The Discriminator Object.

use crate::diagnostic::Code;
use crate::lower::models::Discriminator;
use crate::lower::node::Node;
use crate::lower::reference::{Resolver, defined_at, node_at};
use crate::lower::schema::inheritance::mapped_to;
use crate::lower::schema::type_name::schema_key;
use crate::upgrade::Document;

/// The extension in which a schema declares its own tag.
pub(crate) const OWN_TAG: &str = "x-ms-discriminator-value";

/// The message for a mapping to another schema.
const NO_VARIANT: &str = "this is not one of the variants";

/// Reads the `discriminator` of these variants; an inherited one may also map others.
pub(crate) fn read_discriminator<'a>(
    resolver: &mut Resolver<'a>,
    node: &Node<'a>,
    targets: &[Option<String>],
    is_own: bool,
) -> Option<Discriminator<'a>> {
    let member = node.text("propertyName").or(node.value.as_str())?.to_owned();
    let key = |target: &String| schema_key(resolver.document, &node.location.node(target.clone()));
    let implied: Vec<_> = targets.iter().map(|target| target.as_ref().map(key)).collect();
    let places: Vec<_> = targets.iter().map(|target| Some(defined_at(resolver.document, target.as_ref()?))).collect();
    let named = |said: &str| {
        let target = mapped_to(resolver.document, said, node);
        let position = places.iter().position(|known| target.is_some() && *known == target);
        // The specification does not say which kind of name this is.
        position.or_else(|| implied.iter().position(|key| key.as_deref() == Some(said)))
    };
    let mut mapping = Vec::new();
    for (tag, place) in node.members("mapping") {
        let Some(said) = place.value.as_str() else { continue };
        match named(said) {
            Some(index) => mapping.push((tag.to_owned(), index)),
            None if !is_own => {}
            None => {
                resolver
                    .report(Code::DiscriminatorUnusable, &place.location, NO_VARIANT)
                    .label(format!("the tag `{tag}` is not known"));
            }
        }
    }
    let default = node.get("defaultMapping").and_then(|place| {
        let index = named(place.value.as_str()?);
        if index.is_none() && is_own {
            resolver
                .report(Code::DiscriminatorUnusable, &place.location, NO_VARIANT)
                .label("values without a known tag are refused");
        }
        index
    });
    for (index, target) in targets.iter().enumerate() {
        if mapping.iter().all(|(_, mapped)| *mapped != index)
            && let Some(tag) = target.as_ref().and_then(|target| own_tag(resolver.document, node, target))
        {
            mapping.push((tag, index));
        }
    }
    Some(Discriminator { node: node.clone(), member, mapping, implied, default, base: None })
}

/// The tag that a schema declares itself.
fn own_tag<'a>(document: &'a Document, node: &Node<'a>, target: &str) -> Option<String> {
    let schema = node_at(document, &node.location.node(target.to_owned()))?;
    schema.text(OWN_TAG).map(str::to_owned)
}
