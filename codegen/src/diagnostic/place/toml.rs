//! Locations in TOML.

use toml::de::{DeTable, DeValue};

use super::Wanted;
use crate::location;

/// Records the range of each requested node; none if the text is not TOML.
pub(super) fn walk(text: &str, wanted: &mut Wanted) {
    if let Ok(table) = DeTable::parse(text) {
        members(table.get_ref(), "", wanted);
    }
}

fn members(table: &DeTable<'_>, pointer: &str, wanted: &mut Wanted) {
    for (key, value) in table {
        let mut inner = pointer.to_owned();
        location::push(&mut inner, key.get_ref());
        if wanted.contains(&inner) {
            wanted.name(&inner, key.span());
            node(value.get_ref(), &inner, value.span(), wanted);
        }
    }
}

fn node(value: &DeValue<'_>, pointer: &str, span: std::ops::Range<usize>, wanted: &mut Wanted) {
    match value {
        DeValue::Table(table) => {
            wanted.value(pointer, span, false);
            members(table, pointer, wanted);
        }
        DeValue::Array(items) => {
            wanted.value(pointer, span, false);
            for (index, item) in items.iter().enumerate() {
                let inner = format!("{pointer}/{index}");
                if wanted.contains(&inner) {
                    node(item.get_ref(), &inner, item.span(), wanted);
                }
            }
        }
        _ => wanted.value(pointer, span, true),
    }
}
