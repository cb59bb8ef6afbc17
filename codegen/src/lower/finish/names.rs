//! The final names of models, and their order.

use crate::ir::{Api, ModelId, Type};
use crate::lower::{name, walk};

/// Names that the file of a model mentions without a path.
const TAKEN: &[&str] = &[
    "Base64",
    "Bound",
    "Box",
    "BTreeMap",
    "Bytes",
    "Clone",
    "Copy",
    "Date",
    "DateTime",
    "Debug",
    "Decimal",
    "Default",
    "Eq",
    "Err",
    "From",
    "FromParameter",
    "FromStr",
    "FromText",
    "Hash",
    "Ipv4Addr",
    "Ipv6Addr",
    "Kind",
    "Maybe",
    "Member",
    "Members",
    "None",
    "Notes",
    "Ok",
    "Option",
    "PartialEq",
    "Pattern",
    "Raw",
    "Read",
    "Reader",
    "Result",
    "Rule",
    "Send",
    "Shape",
    "Some",
    "SpanFieldwise",
    "String",
    "Sync",
    "Time",
    "Timestamp",
    "ToParameter",
    "ToText",
    "Unknown",
    "Uuid",
    "Vec",
    "Write",
    "Writer",
];

/// Names every model, those that the description names first, and sorts them.
pub(super) fn give(api: &mut Api, named: &[bool]) {
    let mut types = name::Scope::default();
    for pass in [true, false] {
        for (model, named) in api.models.iter_mut().zip(named) {
            if *named == pass {
                let taken = TAKEN.contains(&model.name.rust.as_str());
                let wanted = if taken { format!("{}Model", model.name.rust) } else { model.name.rust.clone() };
                model.name.rust = types.claim(&wanted, &[]);
            }
        }
    }

    let mut order: Vec<usize> = (0..api.models.len()).collect();
    order.sort_by(|left, right| api.models[*left].name.rust.cmp(&api.models[*right].name.rust));
    let mut ids = vec![ModelId(0); order.len()];
    for (index, old) in order.iter().enumerate() {
        ids[*old] = ModelId(index);
    }
    walk::api(api, &mut |value| {
        if let Type::Model(id) = &mut value.ty {
            *id = ids[id.0];
        }
    });
    api.models.sort_by(|left, right| left.name.rust.cmp(&right.name.rust));

    let mut modules = name::Scope::default();
    for model in &mut api.models {
        model.module = modules.claim(&name::module(&model.name.rust), &[]);
    }
    let rust: Vec<String> = api.models.iter().map(|model| model.name.rust.clone()).collect();
    for operation in api.tags.iter_mut().flat_map(|tag| &mut tag.operations) {
        if let Some(shared) = &operation.responses.shared_failure
            && let Type::Model(id) = shared.ty
        {
            operation.responses.failure_rust.clone_from(&rust[id.0]);
        }
    }
}
