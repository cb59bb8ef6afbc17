//! Merges parts of other files into the tree of the entry, checked as the object that the `$ref` expects.

use std::collections::VecDeque;
use std::io;

use foldhash::{HashMap, HashSet};
use serde_json::{Map, Value};

use super::identifier::Names;
use super::moves::Moves;
use super::repairs::Repairs;
use super::shape::Object;
use super::structure::Checker;
use super::version::Version;
use super::{dynamic, heirs, identifier, openapi_3_0, openapi_3_1, section, swagger_2_0};
use crate::diagnostic::{Code, Diagnostics};
use crate::files::Files;
use crate::load::{self, Reference};
use crate::location::{self, Location, Path};

/// The member of the root that holds other files, by path.
pub(super) const FILES: &str = "x-specwright-files";

/// A used part of another file.
pub(super) struct Outside {
    /// Its location in the tree.
    pub pointer: String,
    /// The object it was checked as.
    pub object: &'static Object,
}

/// Checks the tree of the entry, and everything in other files that it refers to. Afterwards every `$ref`
/// points into the tree. Returns the used parts of other files, and renamed members of the entry.
pub(super) fn bundle(
    files: &dyn Files,
    entry: &str,
    tree: &mut Value,
    object: &'static Object,
    version: Version,
    diagnostics: &mut Diagnostics,
) -> (Vec<Outside>, Moves) {
    let mut parts = Vec::new();
    let mut unknown = HashMap::default();
    section::expand(files, entry, tree, diagnostics);
    if version >= Version::OpenApi3_1 {
        dynamic::expand(tree, entry, diagnostics);
        unknown.extend(identifier::resolve(tree, entry));
    }
    let mut bundle = Bundle {
        files,
        entry,
        version,
        diagnostics,
        wanted: VecDeque::new(),
        copies: HashMap::default(),
        unknown,
        rewritten: HashSet::default(),
        renamed: Moves::default(),
    };
    // The names of files, and the replacements for anchors of other files.
    let mut names = HashMap::default();
    let mut anchors = HashMap::default();
    bundle.check(tree, object, &Location::root(entry));
    let mut seen = HashSet::default();
    while let Some(Wanted { file, fragment, object, location }) = bundle.wanted.pop_front() {
        let mut pointer = location::decoded(&fragment).into_owned();
        if !pointer.is_empty() && !pointer.starts_with('/') {
            let content = bundle.content(tree, &file, &location).filter(|_| version >= Version::OpenApi3_1);
            let Some(content) = content else { continue };
            let names = names.entry(file.clone()).or_insert_with(|| Names::of(content, ""));
            let Some(place) = names.anchor("", &pointer).cloned() else { continue };
            anchors.insert(bundled(entry, &file, &fragment), bundled(entry, &file, &place.replace('%', "%25")));
            pointer = place;
        }
        // The entry has already been checked as a whole.
        if file == entry || !seen.insert((file.clone(), pointer.clone(), object.name)) {
            continue;
        }
        // Missing targets are reported when the reference is resolved.
        let Some(content) = bundle.content(tree, &file, &location) else { continue };
        for heir in heirs::heirs(content, &file, &pointer) {
            let (file, fragment) = (file.clone(), heir.replace('%', "%25"));
            bundle.wanted.push_back(Wanted { file, fragment, object, location: location.clone() });
        }
        if let Some(value) = content.pointer_mut(&pointer) {
            bundle.check(value, object, &Location::at(&file, pointer.as_str()));
            parts.push(Outside { pointer: location::joined("", &[FILES, &file]) + &pointer, object });
        }
    }
    if !anchors.is_empty() {
        identifier::replace(tree, &|reference| anchors.get(reference).cloned());
    }
    (parts, bundle.renamed)
}

/// A referenced place in another file.
struct Wanted {
    file: String,
    fragment: String,
    object: &'static Object,
    /// The location of the `$ref`.
    location: Location,
}

/// The state shared while files are merged, and the pending references.
struct Bundle<'a> {
    files: &'a dyn Files,
    entry: &'a str,
    version: Version,
    diagnostics: &'a mut Diagnostics,
    wanted: VecDeque<Wanted>,
    /// Whether a copy of a URL exists, and the file that a mapping names.
    copies: HashMap<String, io::Result<()>>,
    /// The URLs that no schema has as its `$id`, by the file or URL that is read instead.
    unknown: HashMap<String, String>,
    /// The locations of rewritten references: a node with two references to it is visited twice.
    rewritten: HashSet<Location>,
    renamed: Moves,
}

impl Bundle<'_> {
    /// Checks a part of a file, and collects its references.
    fn check(&mut self, value: &mut Value, object: &'static Object, start: &Location) {
        let Self { files, entry, version, diagnostics, wanted, copies, unknown, rewritten, renamed } = self;
        let file = start.file();
        let mut on_reference =
            |text: &mut String, object: Option<_>, location: Location, diagnostics: &mut Diagnostics| {
                if file != *entry && !rewritten.insert(location.clone()) {
                    return;
                }
                let (target, fragment) = match Reference::parse(text, file) {
                    Reference::Here(fragment) => (file.to_owned(), fragment),
                    Reference::File(target, fragment) => (target, fragment),
                    Reference::Network(url, fragment) if object.is_none() => (url, fragment),
                    Reference::Network(url, _) if url.starts_with("file:") => {
                        diagnostics
                            .report(Code::ExternalReference, &location, format!("`{text}` names a file of one machine"))
                            .help("write the path of the file from the folder of this one: `../shared.yaml`");
                        return;
                    }
                    Reference::Network(url, fragment) => {
                        let copy = copies.entry(url.clone()).or_insert_with_key(|url| files.read(url).map(drop));
                        if let Err(error) = copy {
                            // An error without a message comes from a source that does not fetch.
                            let what = error.get_ref().map_or("is not fetched from the network", |_| "cannot be read");
                            let message = format!("`{text}` {what}");
                            let diagnostic = diagnostics.report(Code::ExternalReference, &location, message);
                            if let Some(why) = error.get_ref() {
                                diagnostic.note(why.to_string());
                            }
                            if unknown.contains_key(&url) {
                                diagnostic.note("no schema has this `$id`");
                            }
                            diagnostic.help("save it in a folder, and name that with `--offline URL-PREFIX=DIR`");
                            return;
                        }
                        (url, fragment)
                    }
                };
                if object.is_none() && target != file {
                    let copy = copies.entry(target.clone()).or_insert_with_key(|path| files.read(path).map(drop));
                    if copy.is_err() {
                        return;
                    }
                }
                *text = bundled(entry, &target, &fragment);
                let object = object.unwrap_or_else(|| schema(*version));
                wanted.push_back(Wanted { file: target, fragment, object, location });
            };
        // Only the entry has paths.
        let mut elsewhere = Moves::default();
        let renamed = if file == *entry { renamed } else { &mut elsewhere };
        let version = *version;
        Checker {
            repairs: Repairs { file, version, diagnostics, renamed },
            schema: schema(version),
            later_word: if version < Version::OpenApi3_1 { openapi_3_1::word } else { |_| None },
            on_reference: &mut on_reference,
        }
        .start(value, object, &Path::Start(start.pointer()));
    }

    /// The tree of a file; files other than the entry are read on first use. An unreadable one is `null`.
    fn content<'t>(&mut self, tree: &'t mut Value, file: &str, location: &Location) -> Option<&'t mut Value> {
        if file == self.entry {
            return Some(tree);
        }
        let members =
            tree.as_object_mut()?.entry(FILES).or_insert_with(|| Value::Object(Map::new())).as_object_mut()?;
        if !members.contains_key(file) {
            let mut content = self.read(file, location).unwrap_or_default();
            if self.version >= Version::OpenApi3_1 {
                dynamic::expand(&mut content, file, self.diagnostics);
                self.unknown.extend(identifier::resolve(&mut content, file));
            }
            members.insert(file.to_owned(), content);
        }
        members.get_mut(file).filter(|content| !content.is_null())
    }

    /// Reads a file. A name of one that does not exist may have been meant as an `$id`.
    fn read(&mut self, file: &str, location: &Location) -> Option<Value> {
        let is_missing = || self.files.read(file).is_err_and(|error| error.kind() == io::ErrorKind::NotFound);
        let Some(url) = self.unknown.get(file).filter(|_| is_missing()) else {
            return load::load(self.files, file, Some(location), self.diagnostics);
        };
        self.diagnostics
            .report(Code::UnreadableFile, location, format!("no schema has the `$id` `{url}`"))
            .help(format!("the reference is relative to the `$id` around it; a file `{file}` would be read, too"));
        None
    }
}

/// The rewritten reference to a place of a file.
fn bundled(entry: &str, file: &str, fragment: &str) -> String {
    let mut reference = "#".to_owned();
    if file != entry {
        location::push(&mut reference, FILES);
        location::push(&mut reference, &file.replace('%', "%25"));
        // An anchor is kept until its location is known.
        if !fragment.is_empty() && !fragment.starts_with('/') {
            reference.push('#');
        }
    }
    reference + fragment
}

/// Maps a location in the tree to the file it came from.
pub(super) fn origin(location: &Location) -> Option<Location> {
    let mut tokens = location::parts(location.pointer());
    if tokens.next()? != FILES {
        return None;
    }
    let file = tokens.next()?;
    let names: Vec<_> = tokens.collect();
    let names: Vec<&str> = names.iter().map(AsRef::as_ref).collect();
    Some(location.elsewhere(&file, location::joined("", &names)))
}

/// The Schema Object of a version.
fn schema(version: Version) -> &'static Object {
    match version {
        Version::Swagger2_0 => &swagger_2_0::SCHEMA,
        Version::OpenApi3_0 => &openapi_3_0::SCHEMA,
        Version::OpenApi3_1 | Version::OpenApi3_2 => &openapi_3_1::SCHEMA,
    }
}
