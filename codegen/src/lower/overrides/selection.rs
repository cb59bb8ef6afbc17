//! Selects the operations to lower, and drops unused models.

use std::borrow::Cow;
use std::collections::BTreeSet;

use foldhash::{HashMap, HashSet};
use serde_json::Value;

use crate::Options;
use crate::diagnostic::{Code, nearest};
use crate::location::{self, Location};
use crate::lower::overrides::Overrides;
use crate::lower::reference::Resolver;
use crate::lower::reporter::Reporter;
use crate::selection::{Selection, matches, matches_path};

/// Selects operations, and records the candidates.
pub(crate) struct Selected<'o> {
    include: &'o Selection,
    exclude: &'o Selection,
    tags: BTreeSet<String>,
    operations: BTreeSet<String>,
    paths: BTreeSet<String>,
    kept: HashSet<Location>,
    left_out: Vec<Location>,
}

impl<'o> Selected<'o> {
    pub(crate) fn new(options: &'o Options) -> Self {
        Self {
            include: &options.include,
            exclude: &options.exclude,
            tags: BTreeSet::new(),
            operations: BTreeSet::new(),
            paths: BTreeSet::new(),
            kept: HashSet::default(),
            left_out: Vec::new(),
        }
    }

    /// Whether only a part of the description is selected.
    pub(crate) fn is_active(&self) -> bool {
        !self.include.is_empty() || !self.exclude.is_empty()
    }

    /// All tags in the description.
    pub(crate) fn tags(&self) -> &BTreeSet<String> {
        &self.tags
    }

    /// The ids of all operations in the description.
    pub(crate) fn operations(&self) -> &BTreeSet<String> {
        &self.operations
    }

    /// Whether the operation at this location is selected. It has at least one tag; a webhook has no path.
    pub(crate) fn selects(&mut self, location: &Location, tags: &[&str], operation: &str, path: Option<&str>) -> bool {
        self.tags.extend(tags.iter().map(|&tag| tag.to_owned()));
        self.operations.insert(operation.to_owned());
        self.paths.extend(path.map(str::to_owned));
        let is_included = self.include.is_empty() || self.include.matches(tags, operation, path);
        let is_selected = is_included && !self.exclude.matches(tags, operation, path);
        if is_selected {
            self.kept.insert(location.clone());
        } else {
            self.leave_out(location);
        }
        is_selected
    }

    /// Leaves out the operation or path at this location.
    pub(crate) fn leave_out(&mut self, location: &Location) {
        self.left_out.push(location.clone());
    }

    /// The description without the paths that are left out.
    pub(crate) fn prune<'t>(&self, tree: &'t Value) -> Cow<'t, Value> {
        if self.left_out.is_empty() {
            return Cow::Borrowed(tree);
        }
        let mut tree = tree.clone();
        // Two paths may share operations.
        for location in self.left_out.iter().filter(|location| !self.kept.contains(*location)) {
            if let Some((parent, _)) = location.pointer().rsplit_once('/')
                && let Some(Value::Object(parent)) = tree.pointer_mut(parent)
                && let Some(name) = location::tokens(location.pointer()).last()
            {
                parent.shift_remove(&name);
            }
        }
        Cow::Owned(tree)
    }

    /// Whether there are operations, but none is selected.
    fn leaves_nothing(&self) -> bool {
        !self.operations.is_empty() && self.kept.is_empty()
    }

    /// The patterns without effect.
    fn unmatched(&self) -> Vec<Unmatched> {
        let mut unmatched = Vec::new();
        for (table, selection) in [(INCLUDE, self.include), (EXCLUDE, self.exclude)] {
            let mut find = |kind, patterns: &[String], names: &BTreeSet<String>, matches: fn(&str, &str) -> bool| {
                for (index, pattern) in patterns.iter().enumerate() {
                    if !names.iter().any(|name| matches(pattern, name)) {
                        let meant = nearest(pattern, names.iter().map(String::as_str)).map(str::to_owned);
                        let message = format!("there is no {kind} `{pattern}`");
                        unmatched.push(Unmatched { message, meant, table, kind, index });
                    }
                }
            };
            find("tag", &selection.tags, &self.tags, matches);
            find("operation", &selection.operations, &self.operations, matches);
            find("path", &selection.paths, &self.paths, matches_path);
        }
        unmatched
    }
}

/// The tables of the configuration.
const INCLUDE: &str = "include";
const EXCLUDE: &str = "exclude";

/// A pattern that matches nothing.
struct Unmatched {
    message: String,
    meant: Option<String>,
    /// Where the pattern stands in the configuration.
    table: &'static str,
    kind: &'static str,
    index: usize,
}

/// Reports patterns without effect.
pub(crate) fn report_unmatched(resolver: &mut Resolver<'_>, overrides: &Overrides<'_>, selection: &Selected<'_>) {
    let paths = resolver.document.root.member("paths").name();
    for Unmatched { message, meant, table, kind, index } in selection.unmatched() {
        let place = overrides.settings_place(table, &format!("{kind}s")).map(|patterns| patterns.item(index));
        let label = match place {
            Some(_) => "no operation matches this pattern",
            None => "a pattern of the configuration matches none of these operations",
        };
        let place = place.as_ref().unwrap_or(&paths);
        let diagnostic = resolver.reporter.report_each(Code::NothingMatched, place, message);
        diagnostic.label(label);
        if let Some(meant) = meant {
            diagnostic.help(format!("did you mean `{meant}`?"));
        }
    }
}

/// Reports an empty selection, because it would empty existing crates.
pub(crate) fn report_empty(resolver: &mut Resolver<'_>, overrides: &Overrides<'_>, selection: &Selected<'_>) {
    if !selection.leaves_nothing() {
        return;
    }
    let table = if selection.include.is_empty() { EXCLUDE } else { INCLUDE };
    let settings = overrides.options.settings.as_ref().map(|file| Location::root(file).member(table).name());
    let place = settings.unwrap_or_else(|| resolver.document.root.member("paths").name());
    resolver
        .reporter
        .report_each(Code::NothingSelected, &place, "the selection leaves no operation")
        .label("`include` and `exclude` leave out each operation of the description")
        .help(format!(
            "without {}, `specwright list` shows the operations, with their tags and paths",
            keys(selection).join(" and ")
        ));
}

/// The keys of the configuration that select: `` `include.tags` ``
fn keys(Selected { include, exclude, .. }: &Selected<'_>) -> Vec<String> {
    let tables = [(INCLUDE, *include), (EXCLUDE, *exclude)].into_iter();
    let keys = tables.flat_map(|(table, Selection { tags, operations, paths })| {
        [("tags", tags), ("operations", operations), ("paths", paths)].map(|(key, patterns)| (table, key, patterns))
    });
    keys.filter(|(.., patterns)| !patterns.is_empty()).map(|(table, key, _)| format!("`{table}.{key}`")).collect()
}

/// Drops diagnostics about unused models. `models` are their locations, and whether they are used.
pub(crate) fn drop_reports_of_unused(reporter: &mut Reporter<'_>, models: &[(Location, bool)]) {
    let models: HashMap<&str, bool> = models.iter().map(|(place, used)| (place.pointer(), *used)).collect();
    reporter.retain(|diagnostic| {
        let mut pointer = diagnostic.location.pointer();
        loop {
            if let Some(used) = models.get(pointer) {
                return *used;
            }
            match pointer.rfind('/') {
                Some(slash) => pointer = &pointer[..slash],
                None => return true,
            }
        }
    });
}

#[cfg(test)]
mod tests {
    use crate::Options;
    use crate::lower::tests::lowered::{Lowered, document_with};
    use crate::selection::Selection;

    const DOCUMENT: &str = "
        openapi: 3.1.0
        info: { title: T, version: '1' }
        paths:
          /a: { $ref: '#/components/pathItems/shared' }
          /b: { $ref: '#/components/pathItems/shared' }
          /c/{broken:
            get: { operationId: broken, tags: [internal], responses: { '200': { $ref: '#/components/responses/one' } } }
        webhooks:
          heard: { post: { operationId: heard, tags: [hooks], requestBody: { content: { application/json: { schema: { $ref: '#/components/schemas/Heard' } } } }, responses: { '204': { description: Done. } } } }
        components:
          pathItems:
            shared: { get: { tags: [shared], responses: { '200': { description: Two., content: { application/json: { schema: { $ref: '#/components/schemas/Two' } } } } } } }
          responses:
            one: { description: One., content: { application/json: { schema: { $ref: '#/components/schemas/One' } } } }
          schemas:
            One: { type: object, properties: { two: { $ref: '#/components/schemas/Two' }, three: { $ref: '#/components/schemas/Three' } } }
            Two: { type: object, properties: { a: { type: string } } }
            Three: { type: object, properties: { a: { type: number, enum: [0.5] } } }
            Heard: { type: object, properties: { a: { type: string } } }
    ";

    fn lowered(include: Selection, exclude: Selection) -> (Vec<String>, Lowered) {
        let lowered = document_with(DOCUMENT, &Options { include, exclude, ..Options::default() });
        (lowered.api.models.iter().map(|model| model.name.rust.clone()).collect(), lowered)
    }

    fn of(text: &str) -> Vec<String> {
        text.split_whitespace().map(str::to_owned).collect()
    }

    #[test]
    fn only_what_is_wanted_is_lowered() {
        let exclude = Selection { tags: of("int*"), ..Selection::default() };
        let (models, lowered) = lowered(Selection::default(), exclude);
        assert_eq!(models, ["Heard", "Two"]);
        // Problems in the path and in the enum of `Three` are not reported.
        assert_eq!(lowered.problems, Vec::<String>::new());
        assert!(!lowered.api.source.contains("broken"), "{}", lowered.api.source);
    }

    #[test]
    fn operations_without_a_tag_are_selected_as_default() {
        let yaml = "
            openapi: 3.1.0
            info: { title: T, version: '1' }
            paths:
              /a: { get: { operationId: a, responses: { '204': { description: Done. } } } }
              /b: { get: { operationId: b, tags: [b], responses: { '204': { description: Done. } } } }
        ";
        let include = Selection { tags: of("default"), ..Selection::default() };
        let lowered = document_with(yaml, &Options { include, ..Options::default() });
        assert_eq!(lowered.only().name.wire, "a");
        assert_eq!(lowered.problems, Vec::<String>::new());
    }

    #[test]
    fn paths_that_share_their_operations_are_told_apart() {
        let include = Selection { paths: of("/a"), tags: of("hooks"), ..Selection::default() };
        let (models, lowered) = lowered(include, Selection { operations: of("heard"), ..Selection::default() });
        assert_eq!(models, ["Two"]);
        assert_eq!(lowered.only().path, "/a");
    }

    #[test]
    fn a_selection_of_nothing_is_reported() {
        let error = "W0210 /paths".to_owned();
        let include = Selection { tags: of("sharde"), ..Selection::default() };
        assert!(lowered(include, Selection::default()).1.problems.contains(&error));
        let exclude = Selection { tags: of("*"), ..Selection::default() };
        assert!(lowered(Selection::default(), exclude).1.problems.contains(&error));
        // A webhook is an operation, too.
        let include = Selection { tags: of("hooks"), ..Selection::default() };
        assert!(!lowered(include, Selection::default()).1.problems.contains(&error));
    }

    #[test]
    fn patterns_without_effect_are_reported() {
        let include = Selection { tags: of("shared hook"), ..Selection::default() };
        let exclude = Selection { paths: of("/c/**"), operations: of("braken get_b nothing*"), ..Selection::default() };
        let (models, lowered) = lowered(include, exclude);
        assert_eq!(models, ["Two"]);
        assert_eq!(lowered.problems.iter().filter(|problem| *problem == "W0208 /paths").count(), 3);
    }
}
