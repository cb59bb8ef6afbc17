//! What the user wants otherwise: extensions of the description, and the configuration.

mod rust;
mod ty;

use std::collections::{BTreeMap, HashSet};

use super::{Context, Node, Schema};
use crate::Options;
use crate::diagnostic::{Code, nearest};
use crate::ir::{Dependency, ForeignForm};
use crate::location::{self, Location};

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
}

impl<'o> Wishes<'o> {
    pub(crate) fn new(options: &'o Options) -> Self {
        Self {
            options,
            granted: HashSet::new(),
            forms: BTreeMap::new(),
            crates: BTreeMap::new(),
            mentioned: BTreeMap::new(),
        }
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
        let mut idle = Vec::new();
        for name in self.wishes.idle(ty::FORMATS, &options.types.formats) {
            idle.push((self.document.root.clone(), format!("no schema has the format `{name}`"), None));
        }
        let schemas = self.document.root.members(&["components", "schemas"]);
        let node = self.node(&schemas);
        let known: Vec<&str> = node.iter().flat_map(Node::own_members).map(|(name, _)| name).collect();
        let place = node.map_or_else(|| self.document.root.clone(), |_| schemas.name());
        for name in self.wishes.idle(ty::SCHEMAS, &options.types.schemas) {
            let meant = nearest(name, known.iter().copied()).map(str::to_owned);
            if !known.contains(&name) {
                idle.push((place.clone(), format!("there is no schema `{name}`"), meant));
            }
        }
        for pointer in self.wishes.idle(ty::POINTERS, &options.types.pointers) {
            if !self.chooser.is_active() {
                idle.push((self.document.root.clone(), format!("there is no schema at `{pointer}`"), None));
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
