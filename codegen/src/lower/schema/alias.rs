//! Resolves aliases of a value's type.

use super::build_model;
use super::reader::Reader;
use crate::ir::{ModelKind, Type, Value};
use crate::lower::reference::LONGEST_CHAIN;

/// The value with its resolved type, and with the rules of all aliases.
pub(crate) fn without_aliases(reader: &mut Reader<'_>, value: &Value) -> Value {
    let mut value = value.clone();
    for _ in 0..LONGEST_CHAIN {
        let Type::Model(id) = value.ty else { break };
        build_model(reader, id);
        let Some(ModelKind::Alias(alias)) = reader.models.kind(id) else { break };
        value.nullable |= alias.value.nullable;
        value.rules.extend(alias.value.rules.iter().cloned());
        value.ty = alias.value.ty.clone();
    }
    value
}

/// What a model is, aliases of models followed.
pub(crate) fn resolved_kind(reader: &mut Reader<'_>, ty: &Type) -> Option<ModelKind> {
    let mut ty = ty.clone();
    for _ in 0..LONGEST_CHAIN {
        let Type::Model(id) = ty else { return None };
        build_model(reader, id);
        match reader.models.kind(id)?.clone() {
            ModelKind::Alias(alias) if matches!(alias.value.ty, Type::Model(_)) => ty = alias.value.ty,
            kind => return Some(kind),
        }
    }
    None
}
