//! The only part of `lower` that reads Rust: what users write of it is refused here, so that emission cannot fail.

use syn::{GenericArgument, PathArguments, Type, TypePath};

/// Types that generated code reads and writes item by item, by their last name.
const CONTAINERS: &[&str] = &["Vec", "Option", "Box", "BTreeMap"];

/// The whole path of a type: `::money::Money`, or why it is none.
pub(super) fn type_path(text: &str) -> Result<String, &'static str> {
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
    if matches!(first.as_str(), "crate" | "self" | "super" | "Self") {
        return Err("is in the generated crate, which has no types of yours");
    }
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
    let text = text.trim();
    Ok(if path.leading_colon.is_some() { text.to_owned() } else { format!("::{text}") })
}

/// The crate that a whole path starts with, unless every program has it.
pub(super) fn crate_of(path: &str) -> Option<&str> {
    let first = path.trim_start_matches(':').split([':', '<', ' ']).next()?;
    (!matches!(first, "std" | "core" | "alloc")).then_some(first)
}
