//! Breaks alias cycles; copies alias constraints to their uses.

use super::cycles;
use super::draft::{Draft, Drafts};
use crate::diagnostic::Code;
use crate::ir::{
    Alias, JsonType, ModelKind, Presence, Rule, Tagging, TextForm, Type, Union, UnionForm, Value, Variant,
};
use crate::lower::reference::LONGEST_CHAIN;
use crate::lower::reporter::Reporter;

/// An alias cannot contain itself: `Tree: { type: array, items: { $ref: Tree } }` becomes a union of one variant.
pub(crate) fn break_cycles(reporter: &mut Reporter<'_>, models: &mut [Draft]) {
    // Breaking one cycle may leave another.
    loop {
        let leads_to: Vec<Vec<usize>> = models.iter().map(leads_to).collect();
        let groups = cycles::groups(&leads_to).into_iter();
        let cyclic = groups.filter(|group| group.len() > 1 || leads_to[group[0]].contains(&group[0]));
        let mut first: Vec<usize> = cyclic.filter_map(|group| group.into_iter().min()).collect();
        if first.is_empty() {
            break;
        }
        first.sort_unstable();
        for index in first {
            break_cycle(reporter, &mut models[index]);
        }
    }
    cut_chains(models);
}

/// The compiler expands aliases: deeply nested lists become a union of one variant, too.
fn cut_chains(models: &mut [Draft]) {
    let leads_to: Vec<Vec<usize>> = models.iter().map(leads_to).collect();
    let mut known = vec![0; models.len()];
    for index in cycles::groups(&leads_to).into_iter().flatten() {
        let ModelKind::Alias(alias) = &models[index].kind else { continue };
        match levels(&alias.value.ty, &known) {
            LONGEST_CHAIN.. => as_union(&mut models[index]),
            levels => known[index] = levels,
        }
    }
}

/// Nesting depth of lists, tuples and maps.
fn levels(ty: &Type, known: &[usize]) -> usize {
    match ty {
        Type::Array(item) | Type::Map(item) => 1 + levels(&item.ty, known),
        Type::Tuple(tuple) => 1 + tuple.values().map(|item| levels(&item.ty, known)).max().unwrap_or(0),
        Type::Model(id) => known[id.0],
        _ => 0,
    }
}

/// The models that an alias mentions; empty for other models.
fn leads_to(model: &Draft) -> Vec<usize> {
    if let ModelKind::Alias(_) = model.kind { model.kind.models() } else { Vec::new() }
}

fn break_cycle(reporter: &mut Reporter<'_>, model: &mut Draft) {
    let ModelKind::Alias(alias) = &model.kind else { return };
    if matches!(alias.value.ty, Type::Array(_) | Type::Tuple(_) | Type::Map(_)) {
        as_union(model);
    } else {
        reporter.report(Code::UnresolvedReference, &model.location, "this schema refers only to itself");
        model.kind = ModelKind::Alias(Alias { value: Value::plain(Type::Any) });
    }
}

/// Turns an alias of a list or a map into a union of one variant.
fn as_union(model: &mut Draft) {
    let ModelKind::Alias(alias) = &model.kind else { return };
    let (rust, ty) = match &alias.value.ty {
        Type::Map(_) => ("Members", JsonType::Object),
        _ => ("Items", JsonType::Array),
    };
    let variant = Variant {
        rust: rust.to_owned(),
        doc: None,
        value: alias.value.clone(),
        exact: false,
        form: TextForm::default(),
    };
    model.kind = ModelKind::Union(Union {
        variants: vec![variant],
        tagging: Tagging::JsonType(vec![ty]),
        any_of: false,
        form: UnionForm::default(),
    });
}

/// Copies the rules of an alias to the values that use it.
pub(crate) fn copy_rules(api: &mut Drafts) {
    let rules: Vec<Vec<Rule>> = ends(&api.models).into_iter().map(|end| rules_of(&api.models[end])).collect();
    api.visit_mut(&mut |value| {
        if let Type::Model(id) = value.ty
            && value.rules.is_empty()
        {
            value.rules.clone_from(&rules[id.0]);
        }
    });
}

/// Arbitrary JSON includes `null`, so it needs no `Option`.
pub(crate) fn drop_null_of_any(api: &mut Drafts) {
    let any: Vec<bool> = ends(&api.models).into_iter().map(|end| is_any(&api.models[end])).collect();
    let is_any = |ty: &Type| match ty {
        Type::Any => true,
        Type::Model(id) => any[id.0],
        _ => false,
    };
    api.visit_mut(&mut |value| value.nullable &= !is_any(&value.ty));
    for model in &mut api.models {
        let ModelKind::Struct(struct_) = &mut model.kind else { continue };
        for field in struct_.fields.iter_mut().filter(|field| is_any(&field.value.ty)) {
            field.presence = match field.presence {
                Presence::Required | Presence::Nullable => Presence::Required,
                Presence::Optional | Presence::OptionalNullable => Presence::Optional,
            };
        }
    }
}

fn is_any(model: &Draft) -> bool {
    matches!(&model.kind, ModelKind::Alias(alias) if matches!(alias.value.ty, Type::Any))
}

fn rules_of(model: &Draft) -> Vec<Rule> {
    if let ModelKind::Alias(alias) = &model.kind { alias.value.rules.clone() } else { Vec::new() }
}

/// The model at the end of each alias chain. Alias cycles have been broken.
fn ends(models: &[Draft]) -> Vec<usize> {
    let next = |model: &Draft| match &model.kind {
        ModelKind::Alias(Alias { value: Value { ty: Type::Model(id), .. } }) => vec![id.0],
        _ => Vec::new(),
    };
    let next: Vec<Vec<usize>> = models.iter().map(next).collect();
    let mut ends: Vec<usize> = (0..models.len()).collect();
    for index in cycles::groups(&next).into_iter().flatten() {
        if let Some(id) = next[index].first() {
            ends[index] = ends[*id];
        }
    }
    ends
}

#[cfg(test)]
mod tests {
    use crate::lower::tests::lowered::schemas;

    #[test]
    fn long_chains_of_lists_are_cut() {
        let link = |number| {
            let next = number + 1;
            format!("A{number}: {{ type: array, items: {{ $ref: '#/components/schemas/A{next}' }} }}\n")
        };
        for (last, cut) in [("{ type: string }", 31), ("{ $ref: '#/components/schemas/A0' }", 32)] {
            let chain: String = (0..2_000).map(link).collect();
            let lowered = schemas(&[&chain, &format!("A2000: {last}")]);
            let unions = lowered.models().into_iter().filter(|model| model.contains(": Items("));
            assert_eq!(unions.count(), cut, "{last}");
        }
    }
}
