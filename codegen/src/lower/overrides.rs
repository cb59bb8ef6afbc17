//! Overrides by the user: extensions of the description, and the configuration.

pub(crate) mod derives;
mod moment;
pub(crate) mod name;
mod rust;
pub(crate) mod selection;
pub(crate) mod ty;
mod with;

use std::collections::{BTreeMap, BTreeSet};

use foldhash::{HashMap, HashSet};

use super::TAKEN_BY_MODELS;
use super::name::Scope;
use super::node::Node;
use super::reference::{Resolver, node_at};
use crate::Options;
use crate::diagnostic::{Code, nearest};
use crate::ir::{Codec, Dependency, ForeignForm};
use crate::location::{self, Location};
use crate::upgrade::Document;
use selection::Selected;
use ty::report_unknown_crates;

pub(crate) use name::{RequestedName, client_name, is_variant};

/// The overrides of the user, and which entries of the configuration were used.
pub(crate) struct Overrides<'o> {
    options: &'o Options,
    /// Used entries of the configuration, by table and key.
    used: HashSet<(&'static str, String)>,
    /// How each foreign type is read and written, and where this was decided.
    forms: BTreeMap<String, ((ForeignForm, Codec), Location)>,
    /// The types that represent modules of functions, by path, with their names.
    functions: BTreeMap<String, String>,
    names_of_functions: Scope,
    /// The required crates, and where they were declared.
    crates: BTreeMap<String, (Dependency, Location)>,
    /// The crates of types, by name in code, and where each was first used.
    mentioned: BTreeMap<String, Location>,
    /// The requested methods, by the location of the operation.
    methods: HashMap<Location, RequestedName>,
}

impl<'o> Overrides<'o> {
    pub(crate) fn new(options: &'o Options) -> Self {
        Self {
            options,
            used: HashSet::default(),
            forms: BTreeMap::new(),
            functions: BTreeMap::new(),
            names_of_functions: Scope::reserving(TAKEN_BY_MODELS),
            crates: BTreeMap::new(),
            mentioned: BTreeMap::new(),
            methods: HashMap::default(),
        }
    }

    /// The requested method of an operation.
    pub(crate) fn method(&self, operation: &Location) -> Option<RequestedName> {
        self.methods.get(operation).cloned()
    }

    /// The entry of a table.
    fn entry<T>(&mut self, table: &'static str, entries: &'o BTreeMap<String, T>, key: &str) -> Option<&'o T> {
        let entry = entries.get(key)?;
        self.used.insert((table, key.to_owned()));
        Some(entry)
    }

    /// The entry for the node at `origin`; `entry_file` is the entry of the description.
    fn at<T>(
        &mut self,
        table: &'static str,
        entries: &'o BTreeMap<String, T>,
        origin: &Location,
        entry_file: &str,
    ) -> Option<(&'o T, String)> {
        let pointer = origin.pointer();
        let keys = if origin.file() == entry_file {
            vec![pointer.to_owned(), format!("#{pointer}")]
        } else {
            vec![format!("{}#{pointer}", origin.file())]
        };
        keys.into_iter().find_map(|key| Some((self.entry(table, entries, &key)?, key)))
    }

    /// The location of an entry of a table such as `types.formats` in the settings file, if there is one.
    pub(crate) fn settings_place(&self, table: &str, key: &str) -> Option<Location> {
        let settings = Location::root(self.options.settings.as_ref()?);
        let names: Vec<&str> = table.split('.').chain([key]).collect();
        Some(settings.members(&names))
    }

    /// The keys of a table that matched nothing.
    fn unused<'t, T>(&self, table: &'static str, entries: &'t BTreeMap<String, T>) -> Vec<&'t str> {
        let is_unused = |key: &&String| !self.used.contains(&(table, (*key).clone()));
        entries.keys().filter(is_unused).map(String::as_str).collect()
    }

    /// Reports unused entries of the configuration, and returns the required crates.
    pub(crate) fn finish(
        mut self,
        resolver: &mut Resolver<'_>,
        selection: &Selected<'_>,
    ) -> BTreeMap<String, Dependency> {
        let options = self.options;
        let (types, rename) = (&options.types, &options.rename);
        let mut unused = Vec::new();
        let place_of = |overrides: &Self, table: &str, key: &str, otherwise: &Location| {
            overrides.settings_place(table, key).map_or_else(|| otherwise.clone(), |place| place.name())
        };
        let root = resolver.document.root.clone();
        for name in self.unused(ty::FORMATS, &types.formats) {
            unused.push((
                place_of(&self, ty::FORMATS, name, &root),
                format!("no schema has the format `{name}`"),
                None,
            ));
        }
        let schemas = resolver.document.root.members(&["components", "schemas"]);
        let node = node_at(resolver.document, &schemas);
        let known: BTreeSet<String> =
            node.iter().flat_map(Node::own_members).map(|(name, _)| name.to_owned()).collect();
        let place = node.map_or_else(|| resolver.document.root.clone(), |_| schemas.name());
        let paths = resolver.document.root.member("paths").name();
        for (kind, table, names, known, place) in [
            ("schema", ty::SCHEMAS, self.unused(ty::SCHEMAS, &types.schemas), &known, &place),
            ("schema", name::SCHEMAS, self.unused(name::SCHEMAS, &rename.schemas), &known, &place),
            (
                "operation",
                name::OPERATIONS,
                self.unused(name::OPERATIONS, &rename.operations),
                selection.operations(),
                &paths,
            ),
            ("tag", name::TAGS, self.unused(name::TAGS, &rename.tags), selection.tags(), &paths),
        ] {
            for name in names.into_iter().filter(|name| !known.contains(*name)) {
                let meant = nearest(name, known.iter().map(String::as_str)).map(str::to_owned);
                unused.push((place_of(&self, table, name, place), format!("there is no {kind} `{name}`"), meant));
            }
        }
        // Parts that are left out have not been visited.
        if !selection.is_active() {
            for pointer in self.unused(ty::POINTERS, &types.pointers) {
                unused.push((
                    place_of(&self, ty::POINTERS, pointer, &root),
                    format!("there is no schema at `{pointer}`"),
                    None,
                ));
            }
            for pointer in self.unused(name::POINTERS, &rename.pointers) {
                unused.push((
                    place_of(&self, name::POINTERS, pointer, &root),
                    format!("nothing at `{pointer}` has a name in Rust"),
                    None,
                ));
            }
        }
        for (place, message, meant) in unused {
            let diagnostic = resolver.reporter.report_each(Code::NothingMatched, &place, message);
            diagnostic.label("an entry of the configuration has no effect");
            if let Some(meant) = meant {
                diagnostic.help(format!("did you mean `{meant}`?"));
            }
        }
        let crates = std::mem::take(&mut self.crates).into_iter().map(|(name, (wanted, _))| (name, wanted));
        let mut crates: BTreeMap<String, Dependency> = crates.collect();
        crates.extend(options.dependencies.clone());
        report_unknown_crates(&mut resolver.reporter, self.mentioned, &crates);
        crates
    }
}

/// The entry by pointer for a schema, which may be written at several nodes.
fn override_at<'a, T>(
    document: &'a Document,
    overrides: &mut Overrides<'a>,
    table: &'static str,
    entries: &'a BTreeMap<String, T>,
    nodes: &[Node<'a>],
) -> Option<(&'a T, Location)> {
    if entries.is_empty() {
        return None;
    }
    let file = document.root.file();
    nodes.iter().find_map(|node| {
        let origin = document.origin(&node.location);
        let (entry, key) = overrides.at(table, entries, &origin, file)?;
        Some((entry, overrides.settings_place(table, &key).unwrap_or_else(|| node.location.clone())))
    })
}

/// The entry by name for a named schema.
fn override_for_schema<'a, T>(
    overrides: &mut Overrides<'a>,
    table: &'static str,
    entries: &'a BTreeMap<String, T>,
    place: &Location,
) -> Option<(&'a T, Location)> {
    let name = if entries.is_empty() { None } else { schema_name(place.pointer()) };
    let name = name?;
    let entry = overrides.entry(table, entries, &name)?;
    Some((entry, overrides.settings_place(table, &name).unwrap_or_else(|| place.clone())))
}

/// The name of the schema at this location, if it has one.
fn schema_name(pointer: &str) -> Option<String> {
    let mut tokens = location::tokens(pointer);
    let is_schema = tokens.next()? == "components" && tokens.next()? == "schemas";
    let name = tokens.next()?;
    (is_schema && tokens.next().is_none()).then_some(name)
}
