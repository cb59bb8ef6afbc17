//! What the user wants otherwise: extensions of the description, and the configuration.

mod derives;
mod name;
mod rust;
pub(crate) mod selection;
mod ty;

use std::collections::{BTreeMap, BTreeSet};

use foldhash::{HashMap, HashSet};

use super::{Context, Node, Schema};
use crate::Options;
use crate::diagnostic::{Code, nearest};
use crate::ir::{Dependency, ForeignForm};
use crate::location::{self, Location};

pub(crate) use name::{Asked, is_variant, word};

/// The wishes, and which of them have stood for something.
pub(crate) struct Wishes<'o> {
    options: &'o Options,
    /// Entries of the configuration, by their table and key.
    granted: HashSet<(&'static str, String)>,
    /// How each type of another crate is read and written, and where that was decided.
    forms: BTreeMap<String, (ForeignForm, Location)>,
    /// The crates that are needed, and where they were asked for.
    crates: BTreeMap<String, (Dependency, Location)>,
    /// The crates that types are from, as code calls them, and where the first of them was asked for.
    mentioned: BTreeMap<String, Location>,
    /// The methods that were asked for, by the place of the operation.
    methods: HashMap<Location, Asked>,
}

impl<'o> Wishes<'o> {
    pub(crate) fn new(options: &'o Options) -> Self {
        Self {
            options,
            granted: HashSet::default(),
            forms: BTreeMap::new(),
            crates: BTreeMap::new(),
            mentioned: BTreeMap::new(),
            methods: HashMap::default(),
        }
    }

    /// The method that was asked for an operation.
    pub(crate) fn method(&self, operation: &Location) -> Option<Asked> {
        self.methods.get(operation).cloned()
    }

    /// The entry of a table.
    fn entry<T>(&mut self, table: &'static str, entries: &'o BTreeMap<String, T>, key: &str) -> Option<&'o T> {
        let entry = entries.get(key)?;
        self.granted.insert((table, key.to_owned()));
        Some(entry)
    }

    /// The entry for the node at `origin`, the place where it is written; `entry_file` is where the description starts.
    fn at<T>(
        &mut self,
        table: &'static str,
        entries: &'o BTreeMap<String, T>,
        origin: &Location,
        entry_file: &str,
    ) -> Option<&'o T> {
        let pointer = origin.pointer();
        let keys = if origin.file() == entry_file {
            vec![pointer.to_owned(), format!("#{pointer}")]
        } else {
            vec![format!("{}#{pointer}", origin.file())]
        };
        keys.iter().find_map(|key| self.entry(table, entries, key))
    }

    /// The keys of a table that have stood for nothing.
    fn idle<'t, T>(&self, table: &'static str, entries: &'t BTreeMap<String, T>) -> Vec<&'t str> {
        let is_idle = |key: &&String| !self.granted.contains(&(table, (*key).clone()));
        entries.keys().filter(is_idle).map(String::as_str).collect()
    }
}

impl<'a> Context<'a> {
    /// The entry of a table by pointer for one of the nodes that a schema is written at.
    fn wish_at<T>(
        &mut self,
        table: &'static str,
        entries: &'a BTreeMap<String, T>,
        nodes: &[Node<'a>],
    ) -> Option<(&'a T, Location)> {
        if entries.is_empty() {
            return None;
        }
        let file = self.document.root.file();
        nodes.iter().find_map(|node| {
            let origin = self.document.origin(&node.location);
            Some((self.wishes.at(table, entries, &origin, file)?, node.location.clone()))
        })
    }

    /// The entry of a table by name for a schema that has one.
    fn wish_for_schema<T>(
        &mut self,
        table: &'static str,
        entries: &'a BTreeMap<String, T>,
        schema: &Schema<'a>,
    ) -> Option<(&'a T, Location)> {
        let place = &schema.place.location;
        let name = if entries.is_empty() { None } else { schema_name(place.pointer()) };
        Some((self.wishes.entry(table, entries, &name?)?, place.clone()))
    }

    /// Says which entries of the configuration have no effect, and hands over the crates that are needed.
    pub(crate) fn finish_wishes(&mut self) -> BTreeMap<String, Dependency> {
        let options = self.wishes.options;
        let (types, rename) = (&options.types, &options.rename);
        let mut idle = Vec::new();
        for name in self.wishes.idle(ty::FORMATS, &types.formats) {
            idle.push((self.document.root.clone(), format!("no schema has the format `{name}`"), None));
        }
        let schemas = self.document.root.members(&["components", "schemas"]);
        let node = self.node(&schemas);
        let known: BTreeSet<String> =
            node.iter().flat_map(Node::own_members).map(|(name, _)| name.to_owned()).collect();
        let place = node.map_or_else(|| self.document.root.clone(), |_| schemas.name());
        let paths = self.document.root.member("paths").name();
        for (kind, names, known, place) in [
            ("schema", self.wishes.idle(ty::SCHEMAS, &types.schemas), &known, &place),
            ("schema", self.wishes.idle(name::SCHEMAS, &rename.schemas), &known, &place),
            ("operation", self.wishes.idle(name::OPERATIONS, &rename.operations), self.chooser.operations(), &paths),
            ("tag", self.wishes.idle(name::TAGS, &rename.tags), self.chooser.tags(), &paths),
        ] {
            for name in names.into_iter().filter(|name| !known.contains(*name)) {
                let meant = nearest(name, known.iter().map(String::as_str)).map(str::to_owned);
                idle.push((place.clone(), format!("there is no {kind} `{name}`"), meant));
            }
        }
        // What is left out has places too, but nobody has looked at them.
        if !self.chooser.is_active() {
            for pointer in self.wishes.idle(ty::POINTERS, &types.pointers) {
                idle.push((self.document.root.clone(), format!("there is no schema at `{pointer}`"), None));
            }
            for pointer in self.wishes.idle(name::POINTERS, &rename.pointers) {
                idle.push((self.document.root.clone(), format!("nothing at `{pointer}` has a name in Rust"), None));
            }
        }
        for (place, message, meant) in idle {
            let diagnostic = self.diagnostics.report(Code::NothingMatched, &place, message);
            diagnostic.label("an entry of the configuration stands for nothing");
            if let Some(meant) = meant {
                diagnostic.help(format!("did you mean `{meant}`?"));
            }
        }
        let crates = std::mem::take(&mut self.wishes.crates).into_iter().map(|(name, (wanted, _))| (name, wanted));
        let mut crates: BTreeMap<String, Dependency> = crates.collect();
        crates.extend(options.dependencies.clone());
        self.report_unknown_crates(&crates);
        crates
    }
}

/// The name of the schema at this place, if it has one.
fn schema_name(pointer: &str) -> Option<String> {
    let mut tokens = location::tokens(pointer);
    let is_schema = tokens.next()? == "components" && tokens.next()? == "schemas";
    let name = tokens.next()?;
    (is_schema && tokens.next().is_none()).then_some(name)
}
