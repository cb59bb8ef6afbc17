//! Operation ids that a framework derived from a function, path and method: the function's name.

use foldhash::{HashMap, HashSet};

use super::methods;
use crate::lower::name;
use crate::lower::reference::node_at;
use crate::upgrade::Document;

/// The function names, by FastAPI's operation ids, if most ids of the description have that form:
/// `list_models` for `list_models_v1_models_get`. Ambiguous ones are left out.
pub(crate) fn function_names(document: &Document) -> HashMap<String, String> {
    let root = document.root.member("paths");
    let mut names: Vec<(String, Option<String>)> = Vec::new();
    for path in document.openapi.paths.paths.keys() {
        let Some(item) = node_at(document, &root.member(path)) else { continue };
        for (_, method, operation) in methods(&item, document.version) {
            let Some(id) = operation.text("operationId") else { continue };
            let name = id.strip_suffix(&made_of(path, method)).filter(|name| !name.is_empty());
            names.push((id.to_owned(), name.map(str::to_owned)));
        }
    }
    if names.iter().filter(|(_, name)| name.is_some()).count() * 2 <= names.len() {
        return HashMap::default();
    }

    let (mut taken, mut twice) = (HashSet::default(), HashSet::default());
    for (id, short) in &names {
        let rust = name::snake(short.as_ref().unwrap_or(id));
        if !taken.insert(rust.clone()) {
            twice.insert(rust);
        }
    }
    let own = names.into_iter().filter_map(|(id, name)| Some((id, name?)));
    own.filter(|(_, name)| !twice.contains(&name::snake(name))).collect()
}

/// The suffix that FastAPI appends to the name of a function.
fn made_of(path: &str, method: &str) -> String {
    let word = |letter: char| if letter.is_alphanumeric() { letter } else { '_' };
    path.chars().map(word).chain("_".chars()).chain(method.chars()).collect()
}
