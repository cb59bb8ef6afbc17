//! Brings what other files hold into the tree of the entry, checked as what the `$ref` to it wants.

use std::collections::{HashSet, VecDeque};

use serde_json::{Map, Value};

use super::structure::{Checker, Object};
use super::version::Version;
use super::{identifier, section};
use crate::diagnostic::{Code, Diagnostics};
use crate::load::{self, Files, Reference};
use crate::location::{self, Location, Path};

/// The member of the root that holds the other files, by their path.
pub(super) const FILES: &str = "x-codegen-files";

/// A part of another file that is in use.
pub(super) struct Outside {
    /// Where it is in the tree.
    pub pointer: String,
    /// What it was checked as.
    pub object: &'static Object,
}

/// Checks the tree of the entry and all that its references lead to in other files. Afterwards every `$ref` leads into
/// the tree. Returns what of other files is in use.
pub(super) fn bundle(
    files: &dyn Files,
    entry: &str,
    tree: &mut Value,
    object: &'static Object,
    version: Version,
    diagnostics: &mut Diagnostics,
) -> Vec<Outside> {
    let mut parts = Vec::new();
    section::expand(files, entry, tree, diagnostics);
    if version >= Version::OpenApi3_1 {
        identifier::resolve(tree);
    }
    let mut bundle = Bundle { files, entry, version, diagnostics, wanted: VecDeque::new() };
    bundle.check(tree, object, &Location::root(entry));
    let mut seen = HashSet::new();
    while let Some(Wanted { file, fragment, object, location }) = bundle.wanted.pop_front() {
        let pointer = load::pointer(&fragment).into_owned();
        // The entry has been checked as a whole, whatever leads into it.
        if file == entry || !seen.insert((file.clone(), pointer.clone(), object.name)) {
            continue;
        }
        // What is not there is told where the reference is followed.
        if let Some(content) = bundle.content(tree, &file, &location)
            && let Some(value) = content.pointer_mut(&pointer)
        {
            bundle.check(value, object, &Location::at(&file, pointer.as_str()));
            parts.push(Outside { pointer: location::joined("", &[FILES, &file]) + &pointer, object });
        }
    }
    parts
}

/// A place in another file that something refers to.
struct Wanted {
    file: String,
    fragment: String,
    object: &'static Object,
    /// Of the `$ref`.
    location: Location,
}

/// What stays the same while one file after another is brought in, and what is still to come.
struct Bundle<'a> {
    files: &'a dyn Files,
    entry: &'a str,
    version: Version,
    diagnostics: &'a mut Diagnostics,
    wanted: VecDeque<Wanted>,
}

impl Bundle<'_> {
    /// Checks a part of a file, and notes what it refers to.
    fn check(&mut self, value: &mut Value, object: &'static Object, start: &Location) {
        let Self { files, entry, version, diagnostics, wanted } = self;
        let file = start.file();
        let mut on_reference = |text: &mut String, object, location: Location, diagnostics: &mut Diagnostics| {
            // A node that two references lead to is walked twice.
            if text.strip_prefix("#/").is_some_and(|rest| rest.starts_with(FILES)) {
                return;
            }
            let (target, fragment) = match Reference::parse(text, file) {
                Reference::Here(fragment) => (file.to_owned(), fragment),
                Reference::File(target, fragment) => (target, fragment),
                Reference::Network(url, fragment) if files.read(&url).is_ok() => (url, fragment),
                Reference::Network(..) => {
                    diagnostics
                        .report(Code::ExternalReference, &location, format!("`{text}` is not fetched from the network"))
                        .help("save it beside the description, and refer to the file");
                    return;
                }
            };
            *text = bundled(entry, &target, &fragment);
            wanted.push_back(Wanted { file: target, fragment, object, location });
        };
        Checker { file, version: *version, diagnostics, on_reference: &mut on_reference }.start(
            value,
            object,
            &Path::Start(start.pointer()),
        );
    }

    /// The tree of another file, which is read when it is wanted for the first time. One that cannot be read is `null`.
    fn content<'t>(&mut self, tree: &'t mut Value, file: &str, location: &Location) -> Option<&'t mut Value> {
        let members =
            tree.as_object_mut()?.entry(FILES).or_insert_with(|| Value::Object(Map::new())).as_object_mut()?;
        if !members.contains_key(file) {
            let content = load::load(self.files, file, Some(location), self.diagnostics).unwrap_or_default();
            members.insert(file.to_owned(), content);
        }
        members.get_mut(file).filter(|content| !content.is_null())
    }
}

/// The reference to a place of a file once all are in one tree.
fn bundled(entry: &str, file: &str, fragment: &str) -> String {
    let mut reference = "#".to_owned();
    if file != entry {
        location::push(&mut reference, FILES);
        location::push(&mut reference, &file.replace('%', "%25"));
    }
    reference + fragment
}

/// A location in the tree as the place in the file it came from.
pub(super) fn origin(location: &Location) -> Option<Location> {
    let mut tokens = location::tokens(location.pointer());
    if tokens.next()? != FILES {
        return None;
    }
    let file = tokens.next()?;
    let names: Vec<String> = tokens.collect();
    let names: Vec<&str> = names.iter().map(String::as_str).collect();
    Some(location.elsewhere(&file, location::joined("", &names)))
}
