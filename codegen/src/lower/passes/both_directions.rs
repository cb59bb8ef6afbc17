//! Lets both sides read and write every member of every model, for the wire proof, which makes values by reading them.

use crate::ir::{Api, ModelKind};

/// Lifts what restricts models and their members to one direction. A member with a single value is not made; in a closed
/// object it has to be read nevertheless.
pub(crate) fn allow(api: &mut Api) {
    for model in &mut api.models {
        model.in_request = true;
        model.in_response = true;
        if let ModelKind::Struct(struct_) = &mut model.kind {
            let closed = struct_.closed;
            for field in struct_.fields.iter_mut().filter(|field| closed || field.constant.is_none()) {
                field.read_only = false;
                field.write_only = false;
            }
        }
    }
}
