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
use crate::ir::{Additional, Field, ModelKind, Name, Struct, TextForm, Type, Value};
use crate::location::Location;
use crate::lower::node::Node;
use crate::lower::overrides::Overrides;
use crate::lower::overrides::name::{requested_name, unique_names};
use crate::lower::reference::Resolver;
use crate::lower::reporter::Reporter;
use crate::lower::{name, overrides};

/// `type: object`: a struct when it names members, otherwise a map.
///
/// `labels: { type: object }` names no properties, so it is a map, not an empty struct.
pub(crate) fn object_shape<'a>(reader: &mut Reader<'a>, schema: &Schema<'a>, hint: &str) -> Shape<'a> {
    let (members, required) = properties(&mut reader.resolver.reporter, schema);
    let others = unnamed_members(reader, schema, hint);
    let mut rules = object_rules(schema);
    if members.is_empty() && !matches!(others, Others::Refused) {
        rules.extend(read_conditions(&mut reader.resolver.reporter, schema, None, false));
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
    rules.extend(read_conditions(&mut reader.resolver.reporter, schema, Some(&fields), closed));
    // Where nothing is described, everything is kept: `{ required: [name] }`.
    let is_kept = !schema.parts.iter().any(|node| node.has("properties"));
    let additional = match others {
        Others::Refused => None,
        Others::Unspecified if !is_kept => None,
        Others::Unspecified | Others::Allowed(..) => {
            let (value, rules) = others.into_map();
            Some(Additional {
                rust: scope.claim("additional_properties", &[]),
                value,
                rules,
                form: TextForm::default(),
            })
        }
    };
    Shape::Named(ModelKind::Struct(Struct { fields, additional, closed, rules }))
}

/// The fields of members, by what the user wants them to be called, or what they are called.
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

/// The members that all parts name, in order, with the schemas each of them must fulfil; and the required ones.
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
    // A required member without a description is one of the others.
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

#[cfg(test)]
mod tests {
    use crate::lower::testing::schemas;

    #[test]
    fn members_make_an_object_of_a_schema_without_a_type() {
        let lowered = schemas(&["A: { items: { type: string }, properties: { a: { type: integer } } }"]);
        assert_eq!(lowered.models(), ["A { a?: i64 }"]);
    }

    #[test]
    fn a_required_boolean_is_the_property_that_yaml_has_read_as_one() {
        let lowered =
            schemas(&["A: { properties: { 'on': { type: string }, b: { type: string } }, required: [true, false] }"]);
        assert_eq!(lowered.models(), ["A { on: String, b?: String }"]);
        assert_eq!(lowered.problems, Vec::<String>::new());
    }

    #[test]
    fn objects_are_structs_or_maps() {
        let cases = [
            ("A: { type: object, properties: { a: { type: string } } }", "A { a?: String }"),
            ("A: { properties: { a: { type: string } }, required: [a] }", "A { a: String }"),
            ("A: { type: object }", "A = Map<Any>"),
            ("A: { type: object, properties: {} }", "A = Map<Any>"),
            ("A: { type: object, additionalProperties: true }", "A = Map<Any>"),
            ("A: { type: object, additionalProperties: {} }", "A = Map<Any>"),
            (
                "A: { type: object, additionalProperties: { type: integer, nullable: true }, maxProperties: 9 }",
                "A = Map<i64?>(maxProperties 9)",
            ),
            ("A: { type: object, additionalProperties: false }", "A { closed }"),
            ("A: { properties: { a: {} }, additionalProperties: { type: integer } }", "A { a?: Any, ..i64 }"),
            (
                "A: { properties: { a: {} }, additionalProperties: true, minProperties: 1 }",
                "A { a?: Any, ..Any, minProperties 1 }",
            ),
            ("A: { properties: { a: {} }, additionalProperties: false }", "A { a?: Any, closed }"),
            ("A: { required: [a, b] }", "A { a: Any, b: Any, ..Any }"),
            ("A: { required: [a], additionalProperties: { type: integer } }", "A { a: i64, ..i64 }"),
        ];
        for (yaml, expected) in cases {
            let lowered = schemas(&[yaml]);
            assert_eq!((lowered.line("A").as_str(), lowered.problems), (expected, Vec::new()), "{yaml}");
        }
    }

    #[test]
    fn names_do_not_collide() {
        let lowered = schemas(&["
            A:
              additionalProperties: true
              properties: { id: {}, ID: {}, type: {}, 2fa: {}, 'a-b': {}, a_b: {}, additional_properties: {}, self: {}, '': {} }
        "]);
        assert_eq!(
            lowered.line("A"),
            "A { id?: Any, id_2?: Any, type_?: Any, value_2fa?: Any, a_b?: Any, a_b_2?: Any, additional_properties?: Any, self_?: Any, empty?: Any, ..Any }"
        );
    }

    #[test]
    fn inline_schemas_are_named_after_their_place() {
        let lowered = schemas(&["
            Account:
              properties:
                state: { type: string, enum: [on, off] }
                address: { properties: { city: { properties: { name: {} } } } }
                contacts: { type: array, items: { properties: { role: { enum: [a, b] } } } }
                labels: { type: object, additionalProperties: { properties: { x: {} } } }
            AccountState: { type: string, enum: [other] }
        "]);
        assert_eq!(
            lowered.models(),
            [
                "Account { state?: AccountState2, address?: AccountAddress, contacts?: Vec<AccountContactsItem>, labels?: Map<AccountLabelsValue> }",
                "AccountAddress { city?: AccountAddressCity }",
                "AccountAddressCity { name?: Any }",
                "AccountContactsItem { role?: AccountContactsItemRole }",
                "AccountContactsItemRole: a A | b B",
                "AccountLabelsValue { x?: Any }",
                "AccountState: other Other",
                "AccountState2: on On | off Off",
            ]
        );
    }

    #[test]
    fn typing_mistakes_are_repaired_or_reported() {
        let lowered = schemas(&["A: { required: [nmae], properties: { name: { type: string } } }"]);
        assert_eq!(lowered.line("A"), "A { name?: String, nmae: Any }");
        assert_eq!(lowered.problems, ["W0406 /components/schemas/A/required/0"]);
    }

    #[test]
    fn cycles_are_boxed_where_nothing_else_is_between() {
        let lowered = schemas(&["
            Node: { properties: { next: { $ref: '#/components/schemas/Node' }, all: { type: array, items: { $ref: '#/components/schemas/Node' } } } }
            A: { required: [b], properties: { b: { $ref: '#/components/schemas/B' } } }
            B: { properties: { a: { $ref: '#/components/schemas/Alias' } } }
            Alias: { $ref: '#/components/schemas/A' }
            Expression: { oneOf: [{ type: string }, { type: array, items: { $ref: '#/components/schemas/Expression' } }] }
            Not: { oneOf: [{ type: string }, { $ref: '#/components/schemas/Wrapper' }] }
            Wrapper: { required: [not], properties: { not: { $ref: '#/components/schemas/Not' } } }
            Tree: { type: array, items: { $ref: '#/components/schemas/Tree' } }
            Loop: { $ref: '#/components/schemas/Pool' }
            Pool: { $ref: '#/components/schemas/Loop' }
        "]);
        assert_eq!(
            lowered.models(),
            [
                "A { b: Box<B> }",
                "Alias = A",
                "B { a?: Box<Alias> }",
                "Expression: String(String) | ExpressionArray(Vec<Expression>) [by type]",
                "Loop = Any",
                "Node { next?: Box<Node>, all?: Vec<Node> }",
                "Not: String(String) | Wrapper(Box<Wrapper>) [by type]",
                "Pool = Loop",
                "Tree: Items(Vec<Tree>) [by type]",
                "Wrapper { not: Box<Not> }",
            ]
        );
    }

    #[test]
    fn types_of_members_are_called_after_the_schema_that_describes_them() {
        let lowered = schemas(&["
            Heir: { allOf: [{ $ref: '#/components/schemas/Base' }, { properties: { tone: { enum: [low, high] }, kind: { enum: [a] } } }] }
            Base: { properties: { color: { enum: [red, blue] }, kind: { type: string } } }
        "]);
        assert_eq!(lowered.line("Heir"), "Heir { color?: BaseColor, kind?: HeirKind, tone?: HeirTone }");
        assert_eq!(lowered.line("Base"), "Base { color?: BaseColor, kind?: String }");
    }

    #[test]
    fn huge_members_are_boxed() {
        let members = |count: usize, schema: &str| {
            (0..count).map(|index| format!("m{index}: {schema}")).collect::<Vec<_>>().join(", ")
        };
        let lowered = schemas(&[&format!(
            "
            Text: {{ properties: {{ {} }} }}
            Texts: {{ properties: {{ {} }} }}
            Small: {{ properties: {{ text: {{ $ref: '#/components/schemas/Text' }} }} }}
            Large: {{ properties: {{ texts: {{ $ref: '#/components/schemas/Texts' }} }} }}
            ",
            members(8, "{ type: string }"),
            members(16, "{ $ref: '#/components/schemas/Text' }"),
        )]);
        assert_eq!(lowered.line("Small"), "Small { text?: Text }");
        assert_eq!(lowered.line("Large"), "Large { texts?: Box<Texts> }");
    }

    #[test]
    fn aliases_carry_their_rules_to_where_they_are_used() {
        let lowered = schemas(&["
            Id: { type: string, minLength: 3, nullable: true }
            Ids: { type: array, maxItems: 2, items: { $ref: '#/components/schemas/Id' } }
            Same: { $ref: '#/components/schemas/Ids' }
            A: { required: [id], properties: { id: { $ref: '#/components/schemas/Id' }, ids: { $ref: '#/components/schemas/Same' } } }
        "]);
        assert_eq!(lowered.line("A"), "A { id~: Id(minLength 3), ids?: Same(maxItems 2) }");
        assert_eq!(lowered.line("Ids"), "Ids = Vec<Id(minLength 3)?>(maxItems 2)");
    }
}
