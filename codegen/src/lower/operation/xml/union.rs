//! Unions in XML: their variants are written as one object, so they must agree about every member.

use super::{Described, Unfit, add, members, object, others, shape as shape_of, unfit};
use crate::ir::{XmlMember, XmlNode, XmlOthers, XmlShape};
use crate::lower::node::Node;
use crate::lower::schema::all_of::schema_at;
use crate::lower::schema::reader::Reader;
use crate::lower::schema::types::{OBJECT, types};

/// How deep unions are nested in each other.
const DEEPEST: usize = 3;

/// The shape of a union.
pub(super) fn shape<'a>(
    reader: &mut Reader<'a>,
    described: &Described<'a>,
    hint: &str,
    depth: usize,
) -> Result<XmlShape, Unfit> {
    let place = &described.schema.place.location;
    let mut shapes: Vec<XmlShape> = Vec::new();
    let mut is_object = types(&described.schema)[..] == [OBJECT];
    for variant in described.variants.iter().flatten() {
        let variant = variant_of(reader, variant)?;
        if !variant.variants.is_empty() || types(&variant.schema)[..] == [OBJECT] {
            is_object = true;
        } else {
            shapes.push(shape_of(reader, &variant, hint, hint, depth + 1)?);
        }
    }
    match shapes.split_first() {
        None => object(reader, described, hint).map(XmlShape::Object),
        Some((first @ (XmlShape::Text | XmlShape::Number | XmlShape::Boolean), rest))
            if !is_object && rest.iter().all(|shape| shape == first) =>
        {
            Ok(first.clone())
        }
        Some(_) => Err(unfit(place, "is one of several types")),
    }
}

/// The members of an object, and of all of its variants.
pub(super) fn content<'a>(
    reader: &mut Reader<'a>,
    described: &Described<'a>,
    hint: &str,
    depth: usize,
) -> Result<(Vec<XmlMember>, XmlOthers), Unfit> {
    let Described { schema, variants, .. } = described;
    let place = &schema.place.location;
    let mut all = members(reader, schema, hint)?;
    if variants.is_empty() {
        let others = others(reader, schema, all.is_empty(), hint)?;
        return Ok((all, others));
    }
    if depth > DEEPEST {
        return Err(unfit(place, "is a union of unions"));
    }
    let mut is_closed = match others(reader, schema, false, hint)? {
        XmlOthers::Refused => true,
        XmlOthers::Skipped => false,
        XmlOthers::Elements(_) => return Err(unfit(place, "has variants and other members")),
    };
    for list in variants {
        let mut found = Vec::new();
        for variant in list {
            if !all.is_empty() && says_only_required(variant) {
                continue;
            }
            let variant = variant_of(reader, variant)?;
            if variant.variants.is_empty() && types(&variant.schema)[..] != [OBJECT] {
                return Err(unfit(place, "is one of several types"));
            }
            let hint = variant.component.as_deref().map_or_else(|| hint.to_owned(), crate::lower::name::pascal);
            found.push(content(reader, &variant, &hint, depth + 1)?);
        }
        is_closed |= !found.is_empty() && found.iter().all(|(_, others)| *others == XmlOthers::Refused);
        let every = |json: &str| {
            let has = |members: &[XmlMember]| members.iter().any(|member| member.json == json && member.required);
            !found.is_empty() && found.iter().all(|(members, _)| has(members))
        };
        let is_required: Vec<bool> =
            found.iter().flat_map(|(members, _)| members).map(|member| every(&member.json)).collect();
        let found = found.into_iter().flat_map(|(members, _)| members);
        for (mut member, required) in found.zip(is_required) {
            // Without an element of its own, an empty one is not told from an absent one.
            if member.required && !required && matches!(member.node, XmlNode::Items | XmlNode::Text) {
                let reason = format!("requires `{}`, which has no element of its own, in some variants", member.json);
                return Err(unfit(place, &reason));
            }
            member.required = required;
            match all.iter_mut().find(|known| known.json == member.json) {
                Some(known) => {
                    let required = known.required || required;
                    known.required = required;
                    member.required = required;
                    if *known != member {
                        let reason = format!("has variants that write `{}` differently", member.json);
                        return Err(unfit(place, &reason));
                    }
                }
                None => add(&mut all, member, place)?,
            }
        }
    }
    Ok((all, if is_closed { XmlOthers::Refused } else { XmlOthers::Skipped }))
}

fn variant_of<'a>(reader: &mut Reader<'a>, variant: &Node<'a>) -> Result<Described<'a>, Unfit> {
    let schema = schema_at(&mut reader.resolver, variant);
    Described::of(reader, schema)
}

/// `{ required: [a] }` is a condition on the members next to it.
fn says_only_required(variant: &Node<'_>) -> bool {
    variant.object().is_some_and(|members| members.keys().all(|name| name == "required"))
}
