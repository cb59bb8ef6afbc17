//! The `xml` of schemas: the table by which a body is read and written as XML.

mod union;

use foldhash::{HashMap, HashSet};
use heck::ToShoutySnakeCase as _;
use indexmap::IndexMap;

use crate::ir::{XmlMember, XmlName, XmlNode, XmlObject, XmlOthers, XmlRoot, XmlShape, XmlTable};
use crate::location::Location;
use crate::lower::name::{self, Scope};
use crate::lower::node::Node;
use crate::lower::schema::all_of::{Schema, conjunction, schema_at};
use crate::lower::schema::enum_::listed_values;
use crate::lower::schema::map::{closes, says_something};
use crate::lower::schema::nullable::is_nullable;
use crate::lower::schema::reader::Reader;
use crate::lower::schema::types::{ARRAY, BOOLEAN, INTEGER, NUMBER, OBJECT, STRING, types};
use crate::lower::schema::union::says_only_null;
use crate::upgrade::Version;

/// Lists may be nested this deep, and references lead through this many schemas.
const DEEPEST: usize = 32;

/// The names of the items of a list that the description does not name.
const ITEM: &str = "item";

/// The elements found so far.
#[derive(Default)]
pub(crate) struct Elements {
    pub(crate) table: XmlTable,
    objects: HashMap<String, usize>,
    names: Scope,
}

/// Why a schema has no form in XML.
pub(super) struct Unfit {
    pub(super) place: Location,
    pub(super) reason: String,
}

/// The static of the root for a body with this schema; `hint` names it.
pub(super) fn root<'a>(reader: &mut Reader<'a>, schema: &Node<'a>, hint: &str) -> Result<String, Unfit> {
    let known = reader.elements.table.objects.len();
    let found = root_shape(reader, schema, hint);
    let (name, shape, hint) = found.inspect_err(|_| {
        // What refers to the schema without a form has none, either.
        reader.elements.table.objects.truncate(known);
        reader.elements.objects.retain(|_, index| *index < known);
    })?;
    let Elements { table, names, .. } = &mut reader.elements;
    if let Some(known) = table.roots.iter().find(|root| root.name == name && root.shape == shape) {
        return Ok(known.rust.clone());
    }
    let rust = names.claim(&format!("{hint}Root").to_shouty_snake_case(), &[]);
    table.roots.push(XmlRoot { rust: rust.clone(), name, shape });
    Ok(rust)
}

fn root_shape<'a>(
    reader: &mut Reader<'a>,
    schema: &Node<'a>,
    hint: &str,
) -> Result<(Option<XmlName>, XmlShape, String), Unfit> {
    let schema = schema_at(&mut reader.resolver, schema);
    let described = Described::of(reader, schema)?;
    let hint = described.component.as_deref().map_or_else(|| hint.to_owned(), name::pascal);
    let name = described.name(described.component.as_deref())?;
    let shape = shape(reader, &described, &hint, ITEM, 0)?;
    Ok((name, shape, hint))
}

/// A schema without references, and what they say of its form in XML.
struct Described<'a> {
    schema: Schema<'a>,
    /// The `xml` of the schema itself, then those of the schemas that it refers to.
    said: Vec<Node<'a>>,
    /// The component that it is or refers to.
    component: Option<String>,
    /// One schema of each list holds, besides `schema`.
    variants: Vec<Vec<Node<'a>>>,
}

impl<'a> Described<'a> {
    /// Follows references, and unions of one schema and `null`.
    fn of(reader: &mut Reader<'a>, mut schema: Schema<'a>) -> Result<Self, Unfit> {
        let mut said = Vec::new();
        let mut component = None;
        for _ in 0..DEEPEST {
            said.extend(schema.written.iter().filter_map(|node| node.get("xml")));
            component = component.or_else(|| component_at(&schema.place.location));
            if let Some(target) = &schema.target {
                schema = schema_at(&mut reader.resolver, target);
                continue;
            }
            let mut variants: Vec<Vec<Node<'a>>> = Vec::new();
            for part in &schema.parts {
                for keyword in ["oneOf", "anyOf"].iter().filter(|keyword| !schema.is_taken(part, keyword)) {
                    let list: Vec<_> = part.items(keyword).into_iter().filter(|node| !says_only_null(node)).collect();
                    variants.extend((!list.is_empty()).then_some(list));
                }
            }
            match variants.as_slice() {
                [list] if list.len() == 1 && !schema.says_more_than(&["oneOf", "anyOf"]) => {
                    schema = schema_at(&mut reader.resolver, &list[0]);
                }
                _ => return Ok(Self { schema, said, component, variants }),
            }
        }
        Err(unfit(&schema.place.location, "refers to itself"))
    }

    /// The first value of a keyword of `xml`.
    fn text(&self, keyword: &str) -> Option<&'a str> {
        self.said.iter().find_map(|node| node.text(keyword)).filter(|text| !text.is_empty())
    }

    fn flag(&self, keyword: &str) -> bool {
        self.said.iter().any(|node| node.flag(keyword))
    }

    /// Its own name, or `otherwise`.
    fn name(&self, otherwise: Option<&str>) -> Result<Option<XmlName>, Unfit> {
        let Some(said) = self.text("name").or(otherwise) else { return Ok(None) };
        // Some authors write the prefix into the name.
        let (written, local) = said.split_once(':').map_or((None, said), |(prefix, local)| (Some(prefix), local));
        let prefix = self.text("prefix").or(written);
        if !is_name(local) || !prefix.is_none_or(is_name) {
            return Err(unfit(
                &self.schema.place.location,
                &format!("has the name `{said}`, which XML does not allow"),
            ));
        }
        let [prefix, namespace] = [prefix, self.text("namespace")].map(|text| text.map(str::to_owned));
        Ok(Some(XmlName { local: local.to_owned(), prefix, namespace }))
    }

    /// The name of a member or an item; `own` is the name of the member or the list. From 3.2 on, an element that a
    /// reference leads to has the name of its component.
    fn inner_name(&self, reader: &Reader<'_>, own: &str) -> Result<XmlName, Unfit> {
        let component = self.component.as_deref().filter(|_| reader.resolver.document.version >= Version::OpenApi3_2);
        let name = self.name(Some(component.unwrap_or(own)))?;
        Ok(name.unwrap_or_else(|| XmlName { local: own.to_owned(), prefix: None, namespace: None }))
    }
}

/// The shape of a schema; `item` names the items of a list that have no name of their own.
fn shape<'a>(
    reader: &mut Reader<'a>,
    described: &Described<'a>,
    hint: &str,
    item: &str,
    depth: usize,
) -> Result<XmlShape, Unfit> {
    let Described { schema, .. } = described;
    let place = &schema.place.location;
    if depth > DEEPEST {
        return Err(unfit(place, "refers to itself"));
    }
    if !described.variants.is_empty() {
        return union::shape(reader, described, hint, depth);
    }
    if schema.written.iter().any(|node| node.has("discriminator")) {
        return Err(unfit(place, "is one of several types"));
    }
    match types(schema)[..] {
        [STRING] => Ok(XmlShape::Text),
        [NUMBER | INTEGER] => Ok(XmlShape::Number),
        [BOOLEAN] => Ok(XmlShape::Boolean),
        [OBJECT] => object(reader, described, hint).map(XmlShape::Object),
        [ARRAY] => {
            let (name, item) = list(reader, described, hint, item, depth)?;
            Ok(XmlShape::List(name, Box::new(item)))
        }
        [] => {
            let listed = listed_values(schema).unwrap_or_default();
            let all = |is: fn(&serde_json::Value) -> bool| {
                !listed.is_empty() && listed.iter().all(|listed| is(listed.value.value))
            };
            if all(serde_json::Value::is_string) {
                Ok(XmlShape::Text)
            } else if all(serde_json::Value::is_number) {
                Ok(XmlShape::Number)
            } else if all(serde_json::Value::is_boolean) {
                Ok(XmlShape::Boolean)
            } else {
                Err(unfit(place, "has any type"))
            }
        }
        _ => Err(unfit(place, "is one of several types")),
    }
}

/// The name and the shape of the items of a list.
fn list<'a>(
    reader: &mut Reader<'a>,
    described: &Described<'a>,
    hint: &str,
    item: &str,
    depth: usize,
) -> Result<(XmlName, XmlShape), Unfit> {
    let Described { schema, .. } = described;
    let items: Vec<_> = schema.parts.iter().filter_map(|node| node.get("items")).collect();
    let is_tuple = schema.parts.iter().any(|node| node.has("prefixItems"));
    let (Some(first), false) = (items.first().filter(|item| says_something(item)), is_tuple) else {
        return Err(unfit(&schema.place.location, "has items of any type"));
    };
    let items = conjunction(&mut reader.resolver, first, &items);
    let items = Described::of(reader, items)?;
    let component = items.component.as_deref().filter(|_| item == ITEM);
    let name = items.inner_name(reader, component.unwrap_or(item))?;
    let hint = items.component.as_deref().map_or_else(|| format!("{hint}Item"), name::pascal);
    let shape = shape(reader, &items, &hint, ITEM, depth + 1)?;
    Ok((name, shape))
}

/// The index of the object with this schema.
fn object<'a>(reader: &mut Reader<'a>, described: &Described<'a>, hint: &str) -> Result<usize, Unfit> {
    let key = described.schema.place.location.pointer();
    if let Some(known) = reader.elements.objects.get(key) {
        return Ok(*known);
    }
    let index = reader.elements.table.objects.len();
    reader.elements.objects.insert(key.to_owned(), index);
    let rust = reader.elements.names.claim(&hint.to_shouty_snake_case(), &[]);
    // Members may refer to it.
    let object = XmlObject { rust, members: Vec::new(), others: XmlOthers::Skipped };
    reader.elements.table.objects.push(object);

    let (members, others) = union::content(reader, described, hint, 0)?;
    let object = &mut reader.elements.table.objects[index];
    (object.members, object.others) = (members, others);
    Ok(index)
}

/// The members that the schema itself describes.
fn members<'a>(reader: &mut Reader<'a>, schema: &Schema<'a>, hint: &str) -> Result<Vec<XmlMember>, Unfit> {
    let (described, required) = properties(schema);
    let mut members: Vec<XmlMember> = Vec::new();
    for (json, nodes) in &described {
        let [first, ..] = nodes.as_slice() else { continue };
        let member = member(reader, first, nodes, json, required.contains(json), hint)?;
        add(&mut members, member, &first.location)?;
    }
    Ok(members)
}

/// Adds a member whose place in the element is not taken.
fn add(members: &mut Vec<XmlMember>, member: XmlMember, location: &Location) -> Result<(), Unfit> {
    let is_same = |other: &&XmlMember| {
        let is_attribute = |member: &XmlMember| member.node == XmlNode::Attribute;
        match (member.node, other.node) {
            (XmlNode::Text, XmlNode::Text) => true,
            (XmlNode::Text, _) | (_, XmlNode::Text) => false,
            _ => is_attribute(&member) == is_attribute(other) && member.name.local == other.name.local,
        }
    };
    if let Some(other) = members.iter().find(is_same) {
        return Err(unfit(location, &format!("is written in the same place as `{}`", other.json)));
    }
    members.push(member);
    Ok(())
}

fn member<'a>(
    reader: &mut Reader<'a>,
    first: &Node<'a>,
    nodes: &[Node<'a>],
    json: &str,
    required: bool,
    hint: &str,
) -> Result<XmlMember, Unfit> {
    let schema = conjunction(&mut reader.resolver, first, nodes);
    let described = Described::of(reader, schema)?;
    let hint = described.component.as_deref().map_or_else(|| format!("{hint}{}", name::pascal(json)), name::pascal);
    let name = described.inner_name(reader, json)?;
    let is_list = types(&described.schema)[..] == [ARRAY];
    let node = match described.text("nodeType") {
        Some("attribute") => XmlNode::Attribute,
        Some("text" | "cdata") => XmlNode::Text,
        Some("none") if !is_list => return Err(unfit(&first.location, "has no node of its own")),
        Some("none") => XmlNode::Items,
        None if described.flag("attribute") => XmlNode::Attribute,
        None if is_list && !described.flag("wrapped") => XmlNode::Items,
        Some(_) | None => XmlNode::Element,
    };
    let (name, shape) = match node {
        XmlNode::Items => list(reader, &described, &hint, json, 0)?,
        XmlNode::Element | XmlNode::Attribute | XmlNode::Text => {
            let shape = shape(reader, &described, &hint, &name.local, 0)?;
            (name, shape)
        }
    };
    if matches!(node, XmlNode::Attribute | XmlNode::Text) {
        if matches!(shape, XmlShape::List(..) | XmlShape::Object(_)) {
            return Err(unfit(&first.location, "is neither a text, a number nor a boolean, but has no element"));
        }
        if nodes.iter().any(|node| is_nullable(&mut reader.resolver, &mut reader.nullable, node)) {
            return Err(unfit(&first.location, "may be `null`, but has no element"));
        }
    }
    Ok(XmlMember { json: json.to_owned(), name, node, required, shape })
}

/// The members of all parts, in order, and the required ones.
fn properties<'a>(schema: &Schema<'a>) -> (IndexMap<&'a str, Vec<Node<'a>>>, HashSet<&'a str>) {
    let mut members: IndexMap<&str, Vec<Node<'_>>> = IndexMap::new();
    let mut required = HashSet::default();
    for part in &schema.parts {
        for (name, node) in part.members("properties") {
            if node.object().is_some() || node.value.as_bool() == Some(true) {
                let nodes = members.entry(name).or_default();
                if nodes.iter().all(|other| other.value != node.value) {
                    nodes.push(node);
                }
            }
        }
        required.extend(part.texts("required"));
    }
    (members, required)
}

/// The members that no property describes.
fn others<'a>(reader: &mut Reader<'a>, schema: &Schema<'a>, alone: bool, hint: &str) -> Result<XmlOthers, Unfit> {
    if schema.parts.iter().any(closes) {
        return Ok(XmlOthers::Refused);
    }
    let any = |place: &Location| Err(unfit(place, "has other members of any type"));
    if let Some(patterns) = schema.keyword("patternProperties") {
        return any(&patterns.location);
    }
    match schema.parts.iter().find_map(|part| part.get("additionalProperties")) {
        Some(said) if says_something(&said) => {
            let described = schema_at(&mut reader.resolver, &said);
            let described = Described::of(reader, described)?;
            let hint = described.component.as_deref().map_or_else(|| format!("{hint}Value"), name::pascal);
            Ok(XmlOthers::Elements(shape(reader, &described, &hint, ITEM, 0)?))
        }
        Some(said) => any(&said.location),
        None if alone => any(&schema.place.location),
        None => Ok(XmlOthers::Skipped),
    }
}

fn component_at(location: &Location) -> Option<String> {
    let name = location.pointer().strip_prefix("/components/schemas/")?;
    (!name.contains('/')).then(|| name.replace("~1", "/").replace("~0", "~"))
}

/// Whether an element can have this name.
fn is_name(text: &str) -> bool {
    text.starts_with(|first: char| first.is_alphabetic() || first == '_')
        && text.chars().all(|next| next.is_alphanumeric() || matches!(next, '_' | '-' | '.'))
}

fn unfit(place: &Location, reason: &str) -> Unfit {
    Unfit { place: place.clone(), reason: reason.to_owned() }
}
