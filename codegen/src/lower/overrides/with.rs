//! Types with conversion functions of the user.

use super::ty::{WantedFor, has_one_form, note_crate_of, own_type, require_crate, valid_path};
use super::{Overrides, rust};
use crate::customise::RustType;
use crate::diagnostic::Code;
use crate::ir::{Codec, Foreign, Functions, JsonType, Type};
use crate::location::Location;
use crate::lower::name;
use crate::lower::reporter::Reporter;

/// The type at `path`, read and written with the functions of `module`.
pub(crate) fn type_with(
    reporter: &mut Reporter<'_>,
    overrides: &mut Overrides<'_>,
    wanted: &RustType,
    (path, module): (&str, &str),
    of: WantedFor<'_>,
    place: &Location,
) -> Option<Type> {
    let second = own_type(path, of.json).is_some();
    // `String` and `i64` need no full path.
    let path = if second && !path.contains("::") { Some(path.to_owned()) } else { valid_path(reporter, path, place) };
    let module = valid_module(reporter, module, place);
    has_texts(reporter, of, place)?;
    let (path, module) = (path?, module?);
    let rust = overrides.name_of_functions(&module);
    let functions = Functions { module, rust, second };
    let foreign = Foreign { path, json: of.json, codec: Codec::With(functions.clone()) };
    if !second {
        has_one_form(reporter, overrides, &foreign, place)?;
    }
    require_crate(reporter, overrides, wanted, &foreign, place);
    // The declared crate may be that of the functions.
    note_crate_of(overrides, &foreign.path, place);
    note_crate_of(overrides, &functions.module, place);
    Some(Type::Foreign(foreign))
}

/// The full path of the module.
fn valid_module(reporter: &mut Reporter<'_>, module: &str, place: &Location) -> Option<String> {
    let found = rust::module_path(module);
    if let Err(why) = found {
        reporter
            .report(Code::InvalidRustType, &place.member("with"), format!("`{module}` {why}"))
            .help("write the whole path of the module that has `to_text` and `from_text`: `::my_crate::my_module`");
    }
    found.ok()
}

/// Checks that the schema is a string or a number.
fn has_texts(reporter: &mut Reporter<'_>, of: WantedFor<'_>, place: &Location) -> Option<()> {
    if matches!(of.json, Some(JsonType::String | JsonType::Number)) {
        return Some(());
    }
    let message = "`with` is for strings and numbers, but the schema is neither";
    let diagnostic = reporter.report(Code::InvalidRustType, &place.member("with"), message);
    diagnostic.help("leave it out: the type is read and written by serde");
    if of.schema.file() != place.file() {
        diagnostic.related(of.schema, "the schema");
    }
    None
}

impl Overrides<'_> {
    /// The type that represents a module in generated code.
    fn name_of_functions(&mut self, module: &str) -> String {
        if let Some(rust) = self.functions.get(module) {
            return rust.clone();
        }
        let last = module.rsplit("::").next().unwrap_or(module);
        let rust = self.names_of_functions.claim(&name::pascal(last.trim_start_matches("r#")), &[]);
        self.functions.insert(module.to_owned(), rust.clone());
        rust
    }
}

#[cfg(test)]
mod tests {
    use crate::lower::tests::lowered::schemas;

    #[test]
    fn the_crates_of_the_type_and_of_the_module_are_needed() {
        let lowered = schemas(&["
            A:
              properties:
                a: { type: string, x-rust-type: { path: '::a::A', with: '::b::c', crate: { name: a, version: '1' } } }
                d: { type: string, x-rust-type: { path: '::d::D', with: '::e::f', crate: { name: e, version: '1' } } }
        "]);
        let of = |member: &str| format!("W0603 /components/schemas/A/properties/{member}/x-rust-type");
        assert_eq!(lowered.problems, [of("a"), of("d")]);
        assert_eq!(lowered.api.dependencies.keys().collect::<Vec<_>>(), ["a", "e"]);
    }
}
