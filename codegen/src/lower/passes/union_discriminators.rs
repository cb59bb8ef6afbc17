//! Decides how variants of a union are told apart: discriminator, constant member, JSON type, required
//! member, or in order.

use std::collections::VecDeque;

use foldhash::HashSet;

use super::draft::Draft;
use crate::diagnostic::Code;
use crate::ir::{
    Field, JsonType, MAX_TYPE_DEPTH, ModelKind, Presence, Struct, Tagging, Type, Union, Value, Variant, kind,
};
use crate::location::Location;
use crate::lower::models::Discriminator;
use crate::lower::reference::LONGEST_CHAIN;
use crate::lower::reporter::Reporter;

/// Decides for one union; all models are known.
pub(crate) fn decide(
    reporter: &mut Reporter<'_>,
    models: &[Draft],
    union: &Union,
    discriminator: Option<&Discriminator<'_>>,
    place: &Location,
) -> Union {
    if let Some(discriminator) = discriminator
        && let Some(union) = by_discriminator(reporter, models, union, discriminator)
    {
        return union;
    }
    let unambiguous = by_constant(models, union, 1)
        .or_else(|| by_json_type(models, union))
        .or_else(|| by_member(models, union))
        .or_else(|| by_constant(models, union, usize::MAX));
    match unambiguous {
        Some(tagging) => Union { tagging, ..union.clone() },
        None => in_order(reporter, models, union, place),
    }
}

fn by_discriminator(
    reporter: &mut Reporter<'_>,
    models: &[Draft],
    union: &Union,
    discriminator: &Discriminator<'_>,
) -> Option<Union> {
    let member = &discriminator.member;
    let mut own = own_tags(models, union, discriminator);
    let mut variants = union.variants.clone();
    let mut default = discriminator.default;
    // The base has no tag of its own; the others have all of them.
    if let Some(base) = discriminator.base.filter(|base| own[*base].is_empty() && variants.len() > 2) {
        own.remove(base);
        variants.remove(base);
        default = default.filter(|index| *index != base).map(|index| index - usize::from(index > base));
    }
    if let Some(why) = why_unusable(models, &variants, &own, discriminator) {
        let diagnostic = reporter.report(Code::DiscriminatorUnusable, &discriminator.node.location, why);
        diagnostic.label("the discriminator is not used");
        return None;
    }
    let mut tags: Vec<(String, usize)> = Vec::new();
    for (index, (variant, own)) in variants.iter().zip(own).enumerate() {
        for tag in own {
            if let Some((_, first)) = tags.iter().find(|(other, _)| *other == tag) {
                reporter
                    .report(
                        Code::DiscriminatorUnusable,
                        &discriminator.node.location,
                        format!("`{}` and `{}` have the tag `{tag}`", variants[*first].rust, variant.rust),
                    )
                    .label("the first one is taken")
                    .help("give each variant its own tag in `mapping`");
            } else {
                tags.push((tag, index));
            }
        }
    }
    let written_by_variant: Vec<_> =
        variants.iter().map(|variant| has_member(models, &variant.value, member)).collect();
    for (index, variant) in variants.iter().enumerate().filter(|(index, _)| !written_by_variant[*index]) {
        let mut own = tags.iter().filter(|(_, of)| *of == index).map(|(tag, _)| tag);
        let Some(first) = own.next() else { continue };
        for tag in own {
            let place = discriminator.node.location.members(&["mapping", tag]).name();
            let message = format!("`{}` has no member `{member}` that keeps the tag `{tag}`", variant.rust);
            reporter
                .report(Code::DiscriminatorUnusable, &place, message)
                .label(format!("it is read, but written as `{first}`"))
                .help(format!("declare `{member}` in the properties of `{}`", variant.rust));
        }
    }
    let tagging = Tagging::Discriminator {
        member: member.clone(),
        tags,
        written_by_variant,
        untagged: default.into_iter().collect(),
        unmapped: default,
    };
    Some(Union { variants, tagging, ..union.clone() })
}

/// Why tags cannot tell these variants apart.
fn why_unusable(
    models: &[Draft],
    variants: &[Variant],
    tags: &[Vec<String>],
    discriminator: &Discriminator<'_>,
) -> Option<String> {
    // A tag of `mapping` is unambiguous.
    let is_said = |tag: &String| discriminator.mapping.iter().any(|(said, _)| said == tag);
    let why = |(index, variant): (usize, &Variant)| {
        let is_taken = |tag: &String| !is_said(tag) && tags[..index].iter().any(|earlier| earlier.contains(tag));
        let name = &variant.rust;
        if json_types(models, &variant.value) != [JsonType::Object] {
            return Some(format!("the variant `{name}` is not an object"));
        }
        match &tags[index][..] {
            [] => Some(format!("the variant `{name}` has no tag")),
            own if own.iter().all(is_taken) => Some(format!("the variant `{name}` has no unique tag")),
            _ => None,
        }
    };
    variants.iter().enumerate().find_map(why)
}

/// The tags of each variant: from the discriminator, else declared by the variant, else its name. If several
/// declare the same tags, such as an enum in their base, each gets its name.
fn own_tags(models: &[Draft], union: &Union, discriminator: &Discriminator<'_>) -> Vec<Vec<String>> {
    let declared: Vec<_> =
        union.variants.iter().map(|variant| declared_tags(models, &variant.value, &discriminator.member, 0)).collect();
    let is_shared = |index: usize, tag: &String| {
        let mut others = declared.iter().enumerate().filter(|(other, _)| *other != index);
        others.any(|(_, tags)| tags.as_ref().is_some_and(|tags| tags.contains(tag)))
    };
    let implied = |index: usize| discriminator.implied.get(index).cloned().flatten();
    let said: Vec<Vec<String>> = declared
        .iter()
        .enumerate()
        .map(|(index, declared)| {
            let mapped = discriminator.mapping.iter().filter(|(_, variant)| *variant == index);
            let member = &discriminator.member;
            let mapped: Vec<_> =
                mapped.map(|(tag, _)| as_sent(models, &union.variants[index].value, member, tag)).collect();
            let is_own = |tag: &String| declared.as_ref().is_some_and(|tags| tags.contains(tag));
            let name = implied(index).filter(|tag| mapped.is_empty() && is_own(tag) && is_shared(index, tag));
            mapped.into_iter().chain(name).collect()
        })
        .collect();
    let is_said = |tag: &String| said.iter().any(|tags| tags.contains(tag));
    declared
        .iter()
        .enumerate()
        .map(|(index, declared)| match declared {
            _ if !said[index].is_empty() => said[index].clone(),
            Some(tags) => {
                let rest: Vec<_> = tags.iter().filter(|tag| !is_said(tag)).cloned().collect();
                match discriminator.base {
                    Some(base) if base == index && rest.is_empty() && union.variants.len() == 2 => {
                        implied(index).into_iter().collect()
                    }
                    Some(base) if base == index => rest,
                    _ if rest.is_empty() => tags.clone(),
                    _ => rest,
                }
            }
            None => implied(index).into_iter().collect(),
        })
        .collect()
}

/// A tag in canonical form, as the runtime compares it: mapping keys are texts, but `2.0` is the number 2.
fn as_sent(models: &[Draft], value: &Value, member: &str, tag: &str) -> String {
    let field = struct_of(models, value).and_then(|found| found.fields.iter().find(|field| field.name.wire == member));
    let is_number = field.is_some_and(|field| field.value.ty.json() == Some(JsonType::Number));
    match tag.parse::<f64>() {
        Ok(number) if is_number && number.is_finite() => number.to_string(),
        _ => tag.to_owned(),
    }
}

/// A member with different values in each variant. At most `optional` variants may lack it; several of those
/// are tried in order for a value without it, the most specific first.
fn by_constant(models: &[Draft], union: &Union, optional: usize) -> Option<Tagging> {
    let structs = structs(models, union)?;
    let members = structs.first()?.fields.iter().map(|field| &field.name.wire);
    'members: for member in members {
        let mut tags: Vec<(String, usize)> = Vec::new();
        let mut untagged = Vec::new();
        for (index, struct_) in structs.iter().enumerate() {
            let field = struct_.fields.iter().find(|field| field.name.wire == *member);
            let Some(field) = field.filter(|field| is_tag(field)) else { continue 'members };
            let Some(values) = values(models, field) else { continue 'members };
            if field.presence == Presence::Optional {
                untagged.push(index);
            }
            if values.iter().any(|value| tags.iter().any(|(other, _)| other == value)) {
                continue 'members;
            }
            tags.extend(values.into_iter().map(|value| (value, index)));
        }
        if untagged.len() > optional {
            continue;
        }
        let written_by_variant = vec![true; structs.len()];
        untagged.sort_by_key(|index| rank(models, &union.variants[*index].value, 0));
        let member = member.clone();
        return Some(Tagging::Discriminator { member, tags, written_by_variant, untagged, unmapped: None });
    }
    None
}

/// Whether a tag can be read from it in both directions.
pub(crate) fn is_tag(field: &Field) -> bool {
    matches!(field.presence, Presence::Required | Presence::Optional) && !field.read_only && !field.write_only
}

fn by_json_type(models: &[Draft], union: &Union) -> Option<Tagging> {
    let mut types = Vec::new();
    for variant in &union.variants {
        let [ty] = json_types(models, &variant.value)[..] else { return None };
        if types.contains(&ty) {
            return None;
        }
        types.push(ty);
    }
    Some(Tagging::JsonType(types))
}

fn by_member(models: &[Draft], union: &Union) -> Option<Tagging> {
    let structs = structs(models, union)?;
    let mut members = Vec::new();
    for (index, struct_) in structs.iter().enumerate() {
        let mut others = structs.iter().enumerate().filter(|(other, _)| *other != index).map(|(_, other)| other);
        let unique = struct_.fields.iter().find(|field| {
            is_certain(field)
                && others.clone().all(|other| other.fields.iter().all(|known| known.name.wire != field.name.wire))
        });
        let free = others.all(|other| other.additional.is_none());
        members.push(unique.filter(|_| free)?.name.wire.clone());
    }
    Some(Tagging::RequiredMember(members))
}

/// Whether it is always present in both directions.
fn is_certain(field: &Field) -> bool {
    matches!(field.presence, Presence::Required | Presence::Nullable) && !field.read_only && !field.write_only
}

/// Orders the most specific variants first. Reports variants that can be confused.
fn in_order(reporter: &mut Reporter<'_>, models: &[Draft], union: &Union, place: &Location) -> Union {
    let mut variants = union.variants.clone();
    variants.sort_by_key(|variant| rank(models, &variant.value, 0));
    for (index, first) in variants.iter().enumerate() {
        let Some(struct_) = struct_of(models, &first.value) else { continue };
        let hidden = variants[index + 1..]
            .iter()
            .find(|later| struct_of(models, &later.value).is_some_and(|later| covers(models, struct_, later)));
        if let Some(hidden) = hidden {
            reporter
                .report(
                    Code::OverlappingVariants,
                    place,
                    format!("a value of the variant `{}` may be read as `{}`", hidden.rust, first.rust),
                )
                .label("nothing tells all variants apart, so they are tried in turn")
                .help("add a `discriminator`, or a required member with an `enum` of one value to each variant");
            break;
        }
    }
    Union { variants, tagging: Tagging::Ordered, ..union.clone() }
}

/// Rank; lower is tried earlier.
fn rank(models: &[Draft], value: &Value, depth: usize) -> (u8, isize) {
    match &value.ty {
        Type::Boolean => (0, 0),
        Type::Integer(_) => (1, 0),
        Type::DecimalNumber | Type::Float | Type::Double => (2, 0),
        Type::Date
        | Type::Time
        | Type::DateTime
        | Type::DateTimeLocal
        | Type::Duration
        | Type::Uuid
        | Type::Ipv4
        | Type::Ipv6
        | Type::Decimal => (3, 0),
        Type::Base64 => (5, 0),
        // Constrained strings come before plain ones.
        Type::String => (6, -isize::from(!value.rules.is_empty())),
        Type::Binary => (7, 0),
        Type::Array(item) => {
            let (item, by) = if depth > MAX_TYPE_DEPTH { (0, 0) } else { rank(models, item, depth + 1) };
            (8, isize::from(item) * 1000 + by)
        }
        Type::Tuple(_) => (8, -1),
        Type::Map(_) => (10, 0),
        Type::Any => (11, 0),
        Type::Foreign(foreign) => match foreign.json {
            Some(JsonType::Boolean | JsonType::Null) => (0, 0),
            Some(JsonType::Number) => (2, 0),
            Some(JsonType::String) => (3, 0),
            Some(JsonType::Array) => (8, 0),
            Some(JsonType::Object) => (9, 0),
            None => (11, 0),
        },
        Type::Model(id) => match &models[id.0].kind {
            ModelKind::Enum(_) => (0, 1),
            ModelKind::Struct(struct_) => {
                let required = struct_.fields.iter().filter(|field| is_certain(field)).count();
                (9, -isize::try_from(required).unwrap_or(0))
            }
            ModelKind::Union(_) => (9, 0),
            ModelKind::Alias(alias) if depth <= MAX_TYPE_DEPTH => rank(models, &alias.value, depth + 1),
            ModelKind::Alias(_) => (11, 0),
        },
    }
}

/// Whether a valid `later` may be read as `first`, judging by members.
pub(crate) fn covers(models: &[Draft], first: &Struct, later: &Struct) -> bool {
    let known = |name: &str| later.fields.iter().any(|field| field.name.wire == name);
    let demands = first.fields.iter().any(|field| is_certain(field) && !known(&field.name.wire));
    let refuses = first.closed
        && later
            .fields
            .iter()
            .any(|field| is_certain(field) && first.fields.iter().all(|own| own.name.wire != field.name.wire));
    let differs = first.fields.iter().filter(|field| is_certain(field)).any(|field| {
        let other = later.fields.iter().find(|other| other.name.wire == field.name.wire && is_certain(other));
        other.is_some_and(|other| {
            let (own, others) = (json_types(models, &field.value), json_types(models, &other.value));
            own.iter().all(|ty| !others.contains(ty))
                || matches!((values(models, field), values(models, other)), (Some(own), Some(others)) if own.iter().all(|value| !others.contains(value)))
        })
    });
    !demands && !refuses && !differs
}

fn structs<'m>(models: &'m [Draft], union: &Union) -> Option<Vec<&'m Struct>> {
    union.variants.iter().map(|variant| struct_of(models, &variant.value)).collect()
}

fn struct_of<'m>(models: &'m [Draft], value: &Value) -> Option<&'m Struct> {
    match kind(models, &value.ty)? {
        ModelKind::Struct(struct_) => Some(struct_),
        ModelKind::Alias(_) | ModelKind::Enum(_) | ModelKind::Union(_) => None,
    }
}

/// The allowed values of a member, if they are listed.
fn values(models: &[Draft], field: &Field) -> Option<Vec<String>> {
    if let Some(constant) = &field.constant {
        return Some(vec![constant.text()]);
    }
    match kind(models, &field.value.ty)? {
        ModelKind::Enum(enum_) => Some(enum_.texts()),
        ModelKind::Alias(_) | ModelKind::Struct(_) | ModelKind::Union(_) => None,
    }
}

/// The values that the variant declares for the member; for a union, those of all its variants.
fn declared_tags(models: &[Draft], value: &Value, member: &str, depth: usize) -> Option<Vec<String>> {
    match kind(models, &value.ty)? {
        ModelKind::Struct(struct_) => values(models, struct_.fields.iter().find(|field| field.name.wire == member)?),
        ModelKind::Union(_) if depth > MAX_TYPE_DEPTH => None,
        ModelKind::Union(union) => match &union.tagging {
            Tagging::Discriminator { member: inner, tags, .. } if inner == member => {
                Some(tags.iter().map(|(tag, _)| tag.clone()).collect())
            }
            _ => union.variants.iter().try_fold(Vec::new(), |mut all, variant| {
                all.extend(declared_tags(models, &variant.value, member, depth + 1)?);
                Some(all)
            }),
        },
        ModelKind::Enum(_) | ModelKind::Alias(_) => None,
    }
}

fn has_member(models: &[Draft], value: &Value, member: &str) -> bool {
    match kind(models, &value.ty) {
        Some(ModelKind::Struct(struct_)) => struct_.fields.iter().any(|field| field.name.wire == member),
        Some(ModelKind::Union(_)) => true,
        Some(ModelKind::Enum(_) | ModelKind::Alias(_)) | None => false,
    }
}

/// The types of JSON.
const EVERY_TYPE: [JsonType; 6] =
    [JsonType::Null, JsonType::Boolean, JsonType::Number, JsonType::String, JsonType::Array, JsonType::Object];

/// The distinct JSON types of a value; beyond the maximum depth, any.
pub(crate) fn json_types(models: &[Draft], value: &Value) -> Vec<JsonType> {
    let mut types = Vec::new();
    // Variants may refer back to their union.
    let mut seen = HashSet::default();
    let mut next = VecDeque::from([(value, 0)]);
    while let Some((value, depth)) = next.pop_front() {
        let json = value.ty.json();
        let found: &[JsonType] = match &value.ty {
            Type::Model(id) if !seen.insert(*id) => &[],
            Type::Model(id) => match &models[id.0].kind {
                ModelKind::Struct(_) => &[JsonType::Object],
                ModelKind::Enum(enum_) if enum_.integer.is_some() => &[JsonType::Number],
                ModelKind::Enum(_) => &[JsonType::String],
                ModelKind::Alias(_) | ModelKind::Union(_) if depth == LONGEST_CHAIN => &EVERY_TYPE,
                ModelKind::Alias(alias) => {
                    next.push_back((&alias.value, depth + 1));
                    &[]
                }
                ModelKind::Union(union) => {
                    next.extend(union.variants.iter().map(|variant| (&variant.value, depth + 1)));
                    &[]
                }
            },
            _ => json.as_ref().map_or(&EVERY_TYPE[..], std::slice::from_ref),
        };
        for ty in found {
            if !types.contains(ty) {
                types.push(*ty);
            }
        }
    }
    types
}
