//! Parses Rust written by users; the only part of `lower` that does. Invalid Rust is refused here, so that
//! emission cannot fail.

use syn::parse::Parser as _;
use syn::{Attribute, GenericArgument, Path, PathArguments, Type, TypePath};

/// Types whose items generated code reads and writes, by their last name.
const CONTAINERS: &[&str] = &["Vec", "Option", "Box", "BTreeMap"];

/// Traits that every program can derive.
const STANDARD: &[&str] = &["Clone", "Copy", "Debug", "Default", "Eq", "Hash", "Ord", "PartialEq", "PartialOrd"];

/// The full path of a type: `::money::Money`, or why it is invalid.
pub(crate) fn type_path(text: &str) -> Result<String, &'static str> {
    let Ok(TypePath { attrs, qself: None, path }) = syn::parse_str::<TypePath>(text) else {
        return Err("is not the path of a type");
    };
    if !attrs.is_empty() {
        return Err("has attributes");
    }
    let names: Vec<String> = path.segments.iter().map(|segment| segment.ident.to_string()).collect();
    let [first, .., last] = &names[..] else {
        return Err("is not the whole path of a type");
    };
    let whole = whole(&path, text)?;
    if matches!(first.as_str(), "std" | "core" | "alloc") && CONTAINERS.contains(&last.as_str()) {
        return Err("is a type that the description itself has to ask for");
    }
    let is_plain = path.segments.iter().all(|segment| match &segment.arguments {
        PathArguments::None => true,
        PathArguments::AngleBracketed(arguments) => {
            arguments.args.iter().all(|argument| matches!(argument, GenericArgument::Type(Type::Path(_))))
        }
        PathArguments::Parenthesized(_) => false,
    });
    if !is_plain {
        return Err("has other arguments than types");
    }
    Ok(whole)
}

/// The full path of a module: `::my_crate::local_time`, or why it is invalid.
pub(crate) fn module_path(text: &str) -> Result<String, &'static str> {
    let Ok(path) = syn::parse_str::<Path>(text) else { return Err("is not the path of a module") };
    if path.segments.iter().any(|segment| !segment.arguments.is_none()) {
        return Err("has arguments, which a module has not");
    }
    if path.get_ident().is_some() {
        return Err("is not the whole path of a module");
    }
    whole(&path, text)?;
    // Normalized, so that equal modules have equal paths.
    let names: Vec<String> = path.segments.iter().map(|segment| segment.ident.to_string()).collect();
    Ok(format!("::{}", names.join("::")))
}

/// The crate that a full path starts with, unless it is part of Rust.
pub(crate) fn crate_of(path: &str) -> Option<&str> {
    let first = path.trim_start_matches(':').split([':', '<', ' ']).next()?;
    (!matches!(first, "std" | "core" | "alloc")).then_some(first)
}

/// The crate and the name of a type, without the modules between them: `chrono::DateTime<Utc>`.
pub(crate) fn short(path: &str) -> Option<String> {
    let TypePath { path, .. } = syn::parse_str(path).ok()?;
    let (first, last) = (path.segments.first()?, path.segments.last()?);
    let PathArguments::AngleBracketed(arguments) = &last.arguments else {
        return Some(format!("{}::{}", first.ident, last.ident));
    };
    let arguments = arguments.args.iter().map(|argument| match argument {
        GenericArgument::Type(Type::Path(TypePath { path, .. })) => {
            path.segments.last().map(|last| last.ident.to_string())
        }
        _ => None,
    });
    let arguments: Vec<String> = arguments.collect::<Option<_>>()?;
    Some(format!("{}::{}<{}>", first.ident, last.ident, arguments.join(", ")))
}

/// A derivable macro path or standard trait, or why it is invalid.
pub(crate) fn derive(text: &str) -> Result<String, &'static str> {
    let Ok(path) = syn::parse_str::<Path>(text) else { return Err("is not the path of a derive macro") };
    if path.segments.iter().any(|segment| !segment.arguments.is_none()) {
        return Err("has arguments, which a derive macro has not");
    }
    match path.get_ident() {
        Some(name) if STANDARD.iter().any(|known| name == known) => Ok(text.trim().to_owned()),
        Some(_) => Err("is not the whole path of a derive macro"),
        None => whole(&path, text),
    }
}

/// One or more attributes: `#[serde(rename_all = "camelCase")]`, or why they are invalid.
pub(crate) fn attribute(text: &str) -> Result<String, &'static str> {
    let attributes = Attribute::parse_outer.parse_str(text).map_err(|_| "is not an attribute of Rust")?;
    if attributes.is_empty() {
        return Err("is not an attribute of Rust");
    }
    if attributes.iter().any(|attribute| attribute.path().is_ident("derive")) {
        return Err("derives something, which `x-rust-derive` is for");
    }
    Ok(text.trim().to_owned())
}

/// The path with a leading `::`, which means the same everywhere.
fn whole(path: &Path, text: &str) -> Result<String, &'static str> {
    let first = path.segments.first().map(|first| first.ident.to_string()).unwrap_or_default();
    if matches!(first.as_str(), "crate" | "self" | "super" | "Self") {
        return Err("is in the generated crate, which has nothing of yours");
    }
    let text = text.trim();
    Ok(if path.leading_colon.is_some() { text.to_owned() } else { format!("::{text}") })
}
