//! `properties`, `additionalProperties`.

use foldhash::HashSet;
use indexmap::IndexMap;

use super::all_of::Schema;
use super::condition::read_conditions;
use super::field::{combined_access, read_field};
use super::map::{Others, closes, says_something, unnamed_members};
use super::primitive::object_rules;
use super::reader::Reader;
use super::{Shape, condition};
use crate::diagnostic::{Code, nearest};
use crate::ir::{Additional, Field, ModelKind, Name, Rule, Struct, TextForm, Type, Value};
use crate::location::Location;
use crate::lower::node::Node;
use crate::lower::overrides::Overrides;
use crate::lower::overrides::name::{requested_name, unique_names};
use crate::lower::reference::Resolver;
use crate::lower::reporter::Reporter;
use crate::lower::{name, overrides};

/// `type: object`: a struct if it names members, otherwise a map.
///
/// `labels: { type: object }` names no properties, so it is a map, not an empty struct.
pub(crate) fn object_shape<'a>(reader: &mut Reader<'a>, schema: &Schema<'a>, hint: &str) -> Shape<'a> {
    let (members, required) = properties(&mut reader.resolver.reporter, schema);
    let others = unnamed_members(reader, schema, hint);
    let mut rules = object_rules(schema);
    if members.is_empty() && !matches!(others, Others::Refused) {
        rules.extend(read_conditions(&mut reader.resolver, schema, None, false));
        let (value, more) = others.into_map();
        rules.extend(more);
        return Shape::Plain(Value { rules, ..Value::plain(Type::Map(Box::new(value))) });
    }
    let mut scope = name::Scope::default();
    let names = field_names(&mut reader.resolver, &mut reader.overrides, &members, &mut scope);
    let fields: Vec<_> = members
        .into_iter()
        .zip(names)
        .map(|((wire, nodes), rust)| {
            let is_required = required.contains(wire);
            let field = read_field(reader, Name { wire: wire.to_owned(), rust }, &nodes, is_required, hint);
            let annotations = combined_access(&mut reader.resolver, schema, wire, &field);
            Field { read_only: annotations.read_only, write_only: annotations.write_only, ..field }
        })
        .collect();
    let closed = matches!(others, Others::Refused);
    rules.extend(read_conditions(&mut reader.resolver, schema, Some(&fields), closed));
    // Without described members, all are kept: `{ required: [name] }`.
    let is_kept = !schema.parts.iter().any(|node| node.has("properties"));
    let additional = match others {
        Others::Refused => None,
        Others::Unspecified if !is_kept => None,
        Others::Unspecified | Others::Allowed(..) => {
            let (value, of_others) = others.into_map();
            let (schemas, of_others) = of_others.into_iter().partition(|rule| matches!(rule, Rule::Schema(_)));
            rules.extend::<Vec<_>>(schemas);
            Some(Additional {
                rust: scope.claim("additional_properties", &[]),
                value,
                rules: of_others,
                form: TextForm::default(),
            })
        }
    };
    Shape::Named(ModelKind::Struct(Struct { fields, additional, closed, rules }))
}

/// The field names of members: requested ones, else derived ones.
pub(crate) fn field_names<'a>(
    resolver: &mut Resolver<'a>,
    overrides: &mut Overrides<'a>,
    members: &IndexMap<&'a str, Vec<Node<'a>>>,
    scope: &mut name::Scope,
) -> Vec<String> {
    let wanted: Vec<_> = members.iter().map(|(name, nodes)| name::snake(overrides::client_name(nodes, name))).collect();
    let requested: Vec<_> =
        members.values().map(|nodes| requested_name(resolver, overrides, nodes, name::Case::Value)).collect();
    unique_names(&mut resolver.reporter, &wanted, &requested, scope)
}

/// The members of all parts, in order, with their schemas; and the required ones.
pub(crate) fn properties<'a>(
    reporter: &mut Reporter<'_>,
    schema: &Schema<'a>,
) -> (IndexMap<&'a str, Vec<Node<'a>>>, HashSet<&'a str>) {
    let mut members: IndexMap<&str, Vec<Node<'_>>> = IndexMap::new();
    let mut required: HashSet<&str> = HashSet::default();
    for part in &schema.parts {
        for (name, node) in part.members("properties") {
            if node.object().is_none() && node.value.as_bool() != Some(true) {
                continue;
            }
            if node.flag("required") {
                reporter
                    .report(Code::Repaired, &node.location.member("required").name(), "`required` names members")
                    .label(format!("taken as `required: [{name}]` of the object around it"));
                required.insert(name);
            }
            let nodes = members.entry(name).or_default();
            if nodes.iter().all(|other| other.value != node.value) {
                nodes.push(node);
            }
        }
        required.extend(part.texts("required"));
    }
    let described: Vec<&str> = members.keys().copied().collect();
    // A required member without a schema is an additional one.
    let others = schema.parts.iter().filter_map(|part| part.get("additionalProperties")).find(says_something);
    for part in &schema.parts {
        for (index, name) in part.texts("required").into_iter().enumerate() {
            if !members.contains_key(name) {
                if !described.is_empty() {
                    report_unknown(reporter, &part.location.member("required").item(index), name, &described);
                }
                members.insert(name, others.iter().cloned().collect());
            }
        }
    }
    if !described.is_empty() {
        let is_closed = schema.parts.iter().any(closes);
        for (place, name) in schema.parts.iter().filter(|_| !is_closed).flat_map(condition::required_by) {
            if !members.contains_key(name) {
                report_unknown(reporter, &place, name, &described);
                members.insert(name, others.iter().cloned().collect());
            }
        }
    }
    (members, required)
}

fn report_unknown(reporter: &mut Reporter<'_>, place: &Location, name: &str, described: &[&str]) {
    let message = format!("`{name}` is required but not described");
    let diagnostic = reporter.report(Code::RequiredMemberUnknown, place, message);
    diagnostic.label("any value is accepted for it");
    if let Some(close) = nearest(name, described.iter().copied()) {
        diagnostic.help(format!("did you mean `{close}`?"));
    }
}
