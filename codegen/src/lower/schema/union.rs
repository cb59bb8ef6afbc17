//! `oneOf`, `anyOf`: the variants. Which strategy tells them apart is decided once all models are known.

pub(crate) mod discriminator;
mod one_type;
mod variant_name;

use super::all_of::{Schema, resolved_schema, schema_at};
use super::enum_::{listed_values, lists_nothing};
use super::reader::Reader;
use super::types::{INTEGER, NUMBER};
use super::{Shape, condition, shape_of, value_at, value_of};
use crate::diagnostic::Code;
use crate::ir::{self, Tagging, TextForm, Type, Union, UnionForm, Value, Variant};
use crate::lower::name;
use crate::lower::node::Node;
use crate::lower::overrides::name::{requested_variant_name, unique_names};
use crate::lower::reference::Resolver;
use crate::lower::reporter::Reporter;
use discriminator::read_discriminator;
use one_type::{as_one_type, enum_of_untyped};
use variant_name::variant_names;

/// More variants than these, each put together out of several lists, are no type.
const MOST_COMBINATIONS: usize = 1000;

/// The list of variants at one place.
pub(crate) struct Group<'a> {
    /// The node that has the `oneOf` or `anyOf`.
    node: Node<'a>,
    keyword: &'static str,
    variants: Vec<Node<'a>>,
}

/// The union that the schema is, if it has variants.
pub(crate) fn union_of<'a>(reader: &mut Reader<'a>, schema: &Schema<'a>, hint: &str) -> Option<Shape<'a>> {
    let group = variant_list(&mut reader.resolver.reporter, schema)?;
    let mut variants = distinct(&group);
    let mut rest = schema.clone();
    rest.taken.push(format!("{} {}", group.node.location.pointer(), group.keyword));
    let base = rest.says_more();
    if base {
        // What stands beside the variants may leave only some of them.
        let mut possible = variants.clone();
        possible.retain(|variant| {
            let merged = merged_with_variant(&mut reader.resolver, &rest, variant);
            !merged.contradicts_itself() && !lists_nothing(&merged)
        });
        if !possible.is_empty() {
            variants = possible;
        }
    }
    match &variants[..] {
        [] => return Some(Shape::Plain(Value::plain(Type::Any))),
        [only] if !base => {
            let mut schema = schema_at(&mut reader.resolver, only);
            if schema.target.is_some() {
                return Some(Shape::Plain(Value { nullable: false, ..value_at(reader, only, hint) }));
            }
            // An `allOf` of the variant may lead back to this list.
            schema.taken.extend(rest.taken);
            return Some(shape_of(reader, &schema, hint));
        }
        [only] => {
            let merged = merged_with_variant(&mut reader.resolver, &rest, only);
            return Some(shape_of(reader, &merged, hint));
        }
        _ => {}
    }
    let simpler = if !base {
        as_one_type(&mut reader.resolver, &mut reader.overrides, &variants)
    } else if rest.says_more_than(&["format", "enum", "const"]) {
        None
    } else {
        // An empty list says nothing.
        let allowed = listed_values(&rest).filter(|values| !values.is_empty());
        enum_of_untyped(&mut reader.resolver, &mut reader.overrides, &variants, allowed.as_deref())
    };
    if simpler.is_some() {
        return simpler;
    }
    if base {
        return Some(combined_union(reader, schema, &rest, &variants, hint));
    }
    Some(build_union(reader, schema, &rest, &variants, base, hint))
}

/// The variants, each put together with what stands beside them, which may be a list of variants itself: several lists
/// make a type of each choice out of all of them, and there may be more than anybody can use.
fn combined_union<'a>(
    reader: &mut Reader<'a>,
    schema: &Schema<'a>,
    beside: &Schema<'a>,
    variants: &[Node<'a>],
    hint: &str,
) -> Shape<'a> {
    let before = reader.unfolding.combinations;
    // One list is no choice out of several, however long it is.
    let count = before.map_or(0, |before| before + variants.len());
    reader.unfolding.combinations = Some(count);
    let shape = (count <= MOST_COMBINATIONS).then(|| build_union(reader, schema, beside, variants, true, hint));
    if before.is_some() {
        return shape.unwrap_or_else(|| Shape::Plain(Value::plain(Type::Any)));
    }
    let count = reader.unfolding.combinations.take().unwrap_or_default();
    shape.filter(|_| count <= MOST_COMBINATIONS).unwrap_or_else(|| {
        let message = format!("the variants here go together in more than {MOST_COMBINATIONS} ways");
        reader.report(Code::UncheckedConstraint, &schema.place.location, message).label("any value is accepted for it");
        Shape::Plain(Value::plain(Type::Any))
    })
}

/// `type: [string, integer]`
pub(crate) fn type_union<'a>(
    reader: &mut Reader<'a>,
    schema: &Schema<'a>,
    types: &[&'static str],
    hint: &str,
) -> Shape<'a> {
    let types: Vec<_> = types.iter().copied().filter(|ty| !(*ty == INTEGER && types.contains(&NUMBER))).collect();
    if let [only] = types[..] {
        let one = Schema { only: Some(only), ..schema.clone() };
        return shape_of(reader, &one, hint);
    }
    let variants = types
        .iter()
        .map(|&ty| {
            let one = Schema { only: Some(ty), ..schema.clone() };
            let name = name::pascal(ty);
            let value = value_of(reader, &one, &format!("{hint}{name}"), false);
            Variant { rust: name, doc: None, value, exact: false, form: TextForm::default() }
        })
        .collect();
    Shape::Union(Union { variants, tagging: Tagging::Ordered, form: UnionForm::default() }, None)
}

/// The first list of variants that has not been dealt with. Lists that only say which members go together are no
/// variants: `anyOf: [{ required: [a] }, { required: [b] }]`.
pub(crate) fn variant_list<'a>(reporter: &mut Reporter<'_>, schema: &Schema<'a>) -> Option<Group<'a>> {
    for node in &schema.parts {
        for keyword in ["oneOf", "anyOf"] {
            let variants = node.items(keyword);
            if variants.is_empty() || schema.is_taken(node, keyword) {
                continue;
            }
            let constrains = |variant: &Node<'_>| {
                variant.object().is_some_and(|object| {
                    object.keys().all(|key| matches!(key.as_str(), "required" | "not" | "title" | "description"))
                        && !object.is_empty()
                })
            };
            if condition::conditions_of(node, keyword).is_some() {
                continue;
            }
            if variants.iter().all(constrains) {
                let place = node.location.member(keyword).name();
                reporter.report(Code::UncheckedConstraint, &place, "which members go together is not checked");
                continue;
            }
            return Some(Group { node: node.clone(), keyword, variants });
        }
    }
    None
}

fn build_union<'a>(
    reader: &mut Reader<'a>,
    schema: &Schema<'a>,
    beside: &Schema<'a>,
    nodes: &[Node<'a>],
    base: bool,
    hint: &str,
) -> Shape<'a> {
    let mut names = Vec::new();
    let mut targets = Vec::new();
    let mut variants = Vec::new();
    let schemas: Vec<_> = nodes.iter().map(|node| schema_at(&mut reader.resolver, node)).collect();
    let words = variant_names(&mut reader.resolver, &mut reader.overrides, &schemas);
    for ((node, own), rust) in nodes.iter().zip(schemas).zip(words) {
        let value = if base && !contains_its_base(&mut reader.resolver, node, beside) {
            let merged = merged_with_variant(&mut reader.resolver, beside, node);
            value_of(reader, &merged, &format!("{hint}{rust}"), false)
        } else {
            value_at(reader, node, &format!("{hint}{rust}"))
        };
        let doc = if own.target.is_some() { None } else { own.text("description").map(str::to_owned) };
        targets.push(own.target.map(|target| target.location.pointer().to_owned()));
        names.push(rust);
        let value = Value { nullable: false, ..value };
        variants.push(Variant { rust: String::new(), doc, value, exact: false, form: TextForm::default() });
    }
    // The client adds a case of its own for values that no variant can hold.
    let mut scope = name::Scope::reserving(&[ir::unknown(names.iter().map(String::as_str))]);
    let requested: Vec<_> =
        nodes.iter().map(|node| requested_variant_name(&mut reader.resolver, &mut reader.overrides, node)).collect();
    for (variant, rust) in
        variants.iter_mut().zip(unique_names(&mut reader.resolver.reporter, &names, &requested, &mut scope))
    {
        variant.rust = rust;
    }
    let discriminator = schema
        .keyword("discriminator")
        .and_then(|node| read_discriminator(&mut reader.resolver, &node, &targets, true));
    Shape::Union(Union { variants, tagging: Tagging::Ordered, form: UnionForm::default() }, discriminator)
}

/// The variant contains the schema that lists it, so what stands beside the variants adds nothing.
fn contains_its_base<'a>(resolver: &mut Resolver<'a>, variant: &Node<'a>, beside: &Schema<'a>) -> bool {
    let derived = resolved_schema(resolver, variant);
    let contains = |part: &Node<'_>| derived.parts.iter().any(|own| own.location == part.location);
    beside.taken.iter().all(|list| derived.taken.contains(list)) && beside.parts.iter().all(contains)
}

/// What the schema says beside its variants, and what one variant says.
fn merged_with_variant<'a>(resolver: &mut Resolver<'a>, rest: &Schema<'a>, variant: &Node<'a>) -> Schema<'a> {
    let mut merged = resolved_schema(resolver, variant);
    merged.parts.splice(0..0, rest.parts.iter().cloned());
    merged.place = variant.clone();
    merged.written = vec![variant.clone()];
    merged.taken.extend(rest.taken.iter().cloned());
    merged
}

/// A title that is short enough for a name.
fn is_name(title: &str) -> bool {
    title.len() <= 40 && !title.trim().is_empty()
}

/// The variants without `null`, without repetitions, and with those of an inner `oneOf` in its place.
fn distinct<'a>(group: &Group<'a>) -> Vec<Node<'a>> {
    let mut list: Vec<Node<'a>> = Vec::new();
    let mut queue: Vec<_> = group.variants.iter().rev().cloned().collect();
    while let Some(node) = queue.pop() {
        if says_only_null(&node) || is_meant_as_null(&node) || list.iter().any(|other| other.value == node.value) {
            continue;
        }
        let inner = ["oneOf", "anyOf"].into_iter().find(|keyword| {
            node.object().is_some_and(|object| {
                object.contains_key(*keyword)
                    && object
                        .keys()
                        .all(|key| matches!(key.as_str(), "title" | "description" | "nullable") || key == keyword)
            })
        });
        match inner {
            Some(keyword) => queue.extend(node.items(keyword).into_iter().rev()),
            None => list.push(node),
        }
    }
    list
}

/// `{ nullable: true }` allows anything, but among other variants `null` is meant.
fn is_meant_as_null(node: &Node<'_>) -> bool {
    let says_nothing_else = |object: &serde_json::Map<String, serde_json::Value>| {
        object.keys().all(|key| matches!(key.as_str(), "nullable" | "title" | "description"))
    };
    node.flag("nullable") && node.object().is_some_and(says_nothing_else)
}

/// Nothing but `null` is a value of the node.
pub(crate) fn says_only_null(node: &Node<'_>) -> bool {
    let typed = node.get("type").is_some_and(|ty| {
        ty.value.as_str() == Some("null")
            || ty.value.as_array().is_some_and(|types| types.iter().all(|ty| ty.as_str() == Some("null")))
    });
    let constant = node.get("const").is_some_and(|constant| constant.value.is_null());
    let values = node.items("enum");
    typed || constant || (!values.is_empty() && values.iter().all(|value| value.value.is_null()))
}

#[cfg(test)]
mod tests {
    use crate::lower::testing::schemas;

    #[test]
    fn too_many_choices_at_once_are_no_type() {
        let lists = |counts: &[usize]| {
            let variant = |list, index| {
                format!(
                    "{{ type: object, required: [k{list}x{index}], properties: {{ k{list}x{index}: {{ type: string }} }} }}"
                )
            };
            let lists = counts.iter().enumerate().map(|(list, count)| {
                let variants: Vec<_> = (0..*count).map(|index| variant(list, index)).collect();
                format!("{{ oneOf: [{}] }}", variants.join(", "))
            });
            let lists: Vec<_> = lists.collect();
            schemas(&[
                &format!("U: {{ allOf: [{}] }}", lists.join(", ")),
                "V: { properties: { u: { $ref: '#/components/schemas/U' } } }",
            ])
        };
        // The first list is no choice out of several: each of its variants has as many as the second.
        let few = lists(&[32, 31]);
        assert_eq!((few.line("U").matches(" | ").count(), few.problems.len()), (31, 0));
        let many = lists(&[16, 16, 16]);
        assert_eq!(
            (many.line("U"), many.problems),
            ("U = Any".to_owned(), vec!["W0402 /components/schemas/U".to_owned()])
        );
    }

    const VARIANTS: &str = "
        Cat: { type: object, required: [kind, claws], properties: { kind: { type: string }, claws: { type: integer } } }
        Dog: { type: object, required: [kind, bark], properties: { kind: { type: string }, bark: { type: string } } }
        Tame: { type: object, required: [kind], properties: { kind: { type: string, enum: [tame] } } }
        Wild: { type: object, required: [kind], properties: { kind: { type: string, enum: [wild, feral] } } }
        Plain: { type: object, properties: { name: { type: string } } }
        Color: { type: string, enum: [red, blue] }
    ";

    fn lowered(yaml: &str) -> (String, Vec<String>) {
        let mut text = yaml.to_owned();
        for name in ["Cat", "Dog", "Tame", "Wild", "Plain", "Color", "Base"] {
            text = text.replace(&format!("{{ ${name} }}"), &format!("{{ $ref: '#/components/schemas/{name}' }}"));
        }
        let lowered = schemas(&[VARIANTS, &text]);
        (lowered.line("U"), lowered.problems)
    }

    #[test]
    fn the_first_strategy_that_works_is_taken() {
        let cases = [
            (
                "U: { oneOf: [{ $Cat }, { $Dog }], discriminator: { propertyName: kind } }",
                "U: Cat(Cat) | Dog(Dog) [kind Cat=0 Dog=1 vv]",
            ),
            (
                "U: { oneOf: [{ $Cat }, { $Dog }], discriminator: { propertyName: kind, mapping: { c: Cat, d: '#/components/schemas/D%6Fg', dd: Dog } } }",
                "U: Cat(Cat) | Dog(Dog) [kind c=0 d=1 dd=1 vv]",
            ),
            (
                "U: { oneOf: [{ $Tame }, { $Plain }], discriminator: { propertyName: kind } }",
                "U: Tame(Tame) | Plain(Plain) [kind tame=0 Plain=1 vu]",
            ),
            ("U: { oneOf: [{ $Tame }, { $Wild }] }", "U: Tame(Tame) | Wild(Wild) [kind tame=0 wild=1 feral=1 vv]"),
            (
                "U: { oneOf: [{ type: string }, { type: integer }, { $Cat }] }",
                "U: String(String) | Integer(i64) | Cat(Cat) [by type]",
            ),
            (
                "U: { anyOf: [{ $Cat }, { type: array, items: { $Cat } }] }",
                "U: Cat(Cat) | CatArray(Vec<Cat>) [by type]",
            ),
            ("U: { oneOf: [{ $Cat }, { $Dog }] }", "U: Cat(Cat) | Dog(Dog) [has claws bark]"),
            (
                "U: { oneOf: [{ allOf: [{ $Tame }] }, { description: Wild., allOf: [{ $Wild }] }] }",
                "U: Tame(Tame) | Wild(Wild) [kind tame=0 wild=1 feral=1 vv]",
            ),
            (
                "U: { oneOf: [{ title: A, required: [v], properties: { v: { type: integer, enum: [1] } } }, { title: B, required: [v], properties: { v: { type: integer, enum: [2, 3] } } }] }",
                "U: A(UA) | B(UB) [v 1=0 2=1 3=1 vv]",
            ),
            (
                "U: { oneOf: [{ title: A, required: [ok], properties: { ok: { type: boolean, enum: [true] } } }, { title: B, required: [ok], properties: { ok: { enum: [false] } } }] }",
                "U: A(UA) | B(UB) [ok true=0 false=1 vv]",
            ),
            (
                "U: { oneOf: [{ $Tame }, { title: B, properties: { kind: { enum: [b] } } }] }",
                "U: Tame(Tame) | B(UB) [kind tame=0 b=1 vv else 1]",
            ),
            (
                "U: { oneOf: [{ title: A, properties: { kind: { enum: [a] } } }, { title: B, properties: { kind: { enum: [b] } } }] }",
                "U: A(UA) | B(UB) [kind a=0 b=1 vv else 0 else 1]",
            ),
            (
                "U: { oneOf: [{ title: A, properties: { kind: { enum: [a] } } }, { title: B, required: [b], properties: { kind: { enum: [b] }, b: {} } }] }",
                "U: A(UA) | B(UB) [kind a=0 b=1 vv else 1 else 0]",
            ),
            (
                "U: { oneOf: [{ type: string }, { type: string, format: date }] }",
                "U: Date(Date) | String(String) [in order]",
            ),
            (
                "U: { oneOf: [{ $Plain }, { $Cat }, { type: string }] }",
                "U: String(String) | Cat(Cat) | Plain(Plain) [in order]",
            ),
        ];
        for (yaml, expected) in cases {
            assert_eq!(lowered(yaml), (expected.to_owned(), Vec::new()), "{yaml}");
        }
    }

    #[test]
    fn some_unions_are_simpler_types() {
        let cases = [
            ("U: { oneOf: [{ $Cat }] }", "U = Cat"),
            ("U: { oneOf: [{ $Cat }, { $Cat }] }", "U = Cat"),
            ("U: { oneOf: [{ $Cat }, { type: string, enum: [null], nullable: true }] }", "U = Cat"),
            (
                "U: { oneOf: [{ type: string, enum: [a], description: First. }, { type: string, enum: [b] }] }",
                "U: a A | b B",
            ),
            ("U: { oneOf: [{ enum: [a] }, { enum: [b] }] }", "U: a A | b B"),
            (
                "U: { type: integer, format: int32, oneOf: [{ title: GUILD_UPDATE, const: 1 }, { const: 10 }] }",
                "U: 1 GuildUpdate | 10 Value10",
            ),
            (
                "U: { type: string, oneOf: [{ title: Started, const: STARTED }, { const: b }] }",
                "U: STARTED Started | b B",
            ),
            (
                "U: { type: integer, enum: [4, 5], allOf: [{ oneOf: [{ title: Ping, const: 1 }, { title: Pong, const: 4 }, { const: 5 }] }] }",
                "U: 4 Pong | 5 Value5",
            ),
            ("U: { type: string, enum: [], allOf: [{ oneOf: [{ const: a }, { const: b }] }] }", "U: a A | b B"),
            ("U: { anyOf: [{ $Color }, { type: string, enum: [green] }] }", "U: red Red | blue Blue | green Green"),
            ("U: { anyOf: [{ type: string }, { $Color }] }", "U = String"),
            ("U: { oneOf: [{ type: integer }, { type: number }] }", "U = Double"),
            ("U: { anyOf: [{ type: string, maxLength: 2 }, { type: string }] }", "U = String"),
            ("U: { anyOf: [{ type: integer, minimum: 2 }, { type: number }] }", "U = Double"),
            (
                "U: { type: object, properties: { a: {}, b: {} }, anyOf: [{ required: [a] }, { required: [b] }] }",
                "U { a?: Any, b?: Any, any(a, b) }",
            ),
        ];
        for (yaml, expected) in cases {
            assert_eq!(lowered(yaml).0, expected, "{yaml}");
        }
    }

    #[test]
    fn a_list_in_items_is_of_variants_unless_there_is_an_array() {
        let lowered = schemas(&[
            "A: { properties: { a: { items: [{ type: string }, { type: integer }] }, b: { type: array, items: [{ type: string }, { type: integer }] } } }",
        ]);
        assert_eq!(
            lowered.models(),
            ["A { a?: AA, b?: Vec<ABItem> }", "AA: String(String) | Integer(i64) [by type]", "ABItem = AA",]
        );
    }

    #[test]
    fn variants_without_a_name_are_called_by_what_tells_them_apart() {
        let (line, _) = lowered(
            "U: { oneOf: [{ type: string }, { type: array, items: { type: string } }, { type: array, items: { type: array, items: { type: integer } } }] }",
        );
        assert_eq!(line, "U: String(String) | StringArray(Vec<String>) | IntegerArrayArray(Vec<Vec<i64>>) [in order]");
        let (line, _) = lowered(
            "U: { oneOf: [{ properties: { id: {}, note: {}, iban: {} }, required: [iban] }, { properties: { id: {}, cardNumber: {} } }, { properties: { id: {} } }] }",
        );
        assert_eq!(line, "U: Iban(UIban) | CardNumber(UCardNumber) | Object(UObject) [in order]");
        let (line, _) = lowered(
            "U: { oneOf: [{ properties: { type: { enum: [git] }, repo: {} }, required: [repo] }, { properties: { type: { enum: [git] }, id: { enum: [one] } } }, { properties: { type: { enum: [git] } } }, { type: string, enum: [none] }, { type: string, maxLength: 3 }] }",
        );
        assert_eq!(
            line,
            "U: None(UNone) | String(String(maxLength 3)) | GitRepo(UGitRepo) | One(UOne) | Git(UGit) [in order]"
        );
    }

    #[test]
    fn null_is_no_variant() {
        let lowered = schemas(&[
            "A: { type: object, properties: { a: { oneOf: [{ $ref: '#/components/schemas/B' }, { enum: [null] }] }, b: { anyOf: [{ type: string, nullable: true }, { type: integer }] } } }\nB: { type: object, properties: { x: {} } }",
        ]);
        assert_eq!(
            lowered.models(),
            ["A { a?~: B, b?~: AB }", "AB: String(String) | Integer(i64) [by type]", "B { x?: Any }"]
        );
    }

    #[test]
    fn what_cannot_be_told_apart_is_said() {
        let (line, problems) =
            lowered("U: { oneOf: [{ $Plain }, { title: Other, properties: { size: { type: integer } } }] }");
        assert_eq!(line, "U: Plain(Plain) | Other(UOther) [in order]");
        assert_eq!(problems, ["W0401 /components/schemas/U"]);
        let (line, problems) =
            lowered("U: { oneOf: [{ $Cat }, { type: string }], discriminator: { propertyName: kind } }");
        assert_eq!(line, "U: Cat(Cat) | String(String) [by type]");
        assert_eq!(problems, ["W0405 /components/schemas/U/discriminator"]);
        let (_, problems) =
            lowered("U: { oneOf: [{ $Cat }, { $Dog }], discriminator: { propertyName: kind, mapping: { x: Bird } } }");
        assert_eq!(problems, ["W0405 /components/schemas/U/discriminator/mapping/x"]);
    }

    #[test]
    fn variants_that_share_all_tags_are_told_apart_by_what_they_require() {
        let variant = |member: &str| {
            format!("{{ allOf: [{{ $Base }}, {{ required: [{member}], properties: {{ {member}: {{}} }} }}] }}")
        };
        let union = |mapping: &str| {
            let base = "Base: { required: [act], properties: { act: { enum: [add, cut, end] }, note: {} } }";
            let variants = ["id", "size"].map(variant).join(", ");
            lowered(&format!(
                "U: {{ oneOf: [{variants}, {{ $Base }}], discriminator: {{ propertyName: act{mapping} }} }}\n{base}"
            ))
        };
        let (line, problems) = union(", mapping: { add: add.yaml }");
        assert_eq!(line, "U: Id(UId) | Size(USize) | Base(Base) [in order]");
        let discriminator = "W0405 /components/schemas/U/discriminator";
        assert_eq!(problems, [&format!("{discriminator}/mapping/add"), discriminator]);
    }

    #[test]
    fn variants_that_are_ruled_out_are_dropped() {
        let lowered = schemas(&[
            "A: { properties: { a: { anyOf: [{ type: string }, { type: array }, { type: object }] } } }\nB: { allOf: [{ $ref: '#/components/schemas/A' }, { properties: { a: { type: array, items: { type: integer } } } }] }",
        ]);
        assert_eq!(lowered.line("B"), "B { a?: Vec<i64> }");
        assert_eq!(lowered.problems, Vec::<String>::new());
    }
}
