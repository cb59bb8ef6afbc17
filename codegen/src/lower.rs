//! OpenAPI → Api: references followed, `allOf` merged, unions decided, names given.

mod models;
mod name;
mod node;
mod operation;
mod overrides;
mod passes;
mod reference;
mod schema;
#[cfg(test)]
mod testing;

pub(crate) use operation::is_method;
#[cfg(test)]
pub(crate) use passes::TAKEN;

use std::collections::BTreeMap;

use foldhash::HashSet;

use models::Models;
use node::Node;
use reference::LONGEST_CHAIN;
use schema::all_of::Schema;

use crate::Options;
use crate::diagnostic::{Code, Diagnostic, Diagnostics, Severity};
use crate::ir::{Api, Name};
use crate::location::Location;
use crate::parallel;
use crate::upgrade::Document;

/// Puts a description into Rust's terms. When an error is reported, the result is only good for finding more of them.
pub(crate) fn lower(document: &Document, options: &Options, diagnostics: &mut Diagnostics) -> Api {
    let mut context = Context {
        document,
        diagnostics,
        reported: HashSet::default(),
        models: Models::default(),
        unfolding: Vec::new(),
        combinations: None,
        nullable: schema::nullable::Nullable::default(),
        family: schema::inheritance::Family::default(),
        security: operation::security::Schemes::default(),
        chooser: overrides::selection::Chooser::new(options),
        wishes: overrides::Wishes::new(options),
        unsaid: unsaid(&document.root),
    };
    context.find_named_schemas();
    let operations = context.operations();
    let webhooks = context.webhooks();
    context.report_unmatched();
    context.report_empty();
    context.build_models();
    let tags = context.tags(operations, !webhooks.is_empty());
    let webhooks = context.tags(webhooks, false);

    let info = &document.openapi.info;
    let mut api = Api {
        location: document.root.clone(),
        title: info.title.clone(),
        description: info.description.clone(),
        version: info.version.clone(),
        servers: operation::server::urls(document),
        tags,
        webhooks,
        models: Vec::new(),
        security_schemes: std::mem::take(&mut context.security.list),
        credentials: std::mem::take(&mut context.security.credentials),
        source: String::new(),
        any_case: any_case(document),
        nesting: 0,
        dependencies: BTreeMap::new(),
        runtime: options.runtime.clone(),
    };
    let source = context.chooser.prune(&document.tree);
    // It is long, and nothing needs it before the crates are written.
    let (source, ()) = parallel::both(
        || format!("{source:#}\n"),
        || {
            context.tell_routes_apart(&mut api);
            passes::finish(&mut context, &mut api);
        },
    );
    api.source = source;
    api.dependencies = context.finish_wishes();
    api
}

/// What all steps share.
pub(crate) struct Context<'a> {
    document: &'a Document,
    diagnostics: &'a mut Diagnostics,
    /// One problem of a shared component is reported once, however often it is used.
    reported: HashSet<(Code, Location)>,
    models: Models<'a>,
    /// The schemas without a name that are being read, the outer ones first.
    unfolding: Vec<(Location, Option<&'static str>, Vec<String>)>,
    /// How many variants have been put together with others beside them, while the outermost of them is read.
    combinations: Option<usize>,
    nullable: schema::nullable::Nullable,
    family: schema::inheritance::Family<'a>,
    security: operation::security::Schemes,
    chooser: overrides::selection::Chooser<'a>,
    wishes: overrides::Wishes<'a>,
    /// Takes the notes of problems that have been reported before.
    unsaid: Diagnostic,
}

impl<'a> Context<'a> {
    /// Reports a problem, unless it has been reported.
    fn report(&mut self, code: Code, location: &Location, message: impl Into<String>) -> &mut Diagnostic {
        if self.reported.insert((code, location.clone())) {
            self.diagnostics.report(code, location, message)
        } else {
            &mut self.unsaid
        }
    }

    /// Every schema with a name becomes a model, used or not.
    fn find_named_schemas(&mut self) {
        let root = Node::new(&self.document.tree, self.document.root.clone());
        let Some(components) = root.get("components") else { return };
        let schemas = components.members("schemas");
        self.find_family(&schemas);
        for (name, node) in schemas {
            let name = Name { rust: name::pascal(name), wire: name.to_owned() };
            match self.written_elsewhere(&node) {
                Some((target, between)) => {
                    let id = self.models.find(name, target, true);
                    for place in [node.location].iter().chain(&between) {
                        self.models.lead(place, id);
                    }
                }
                None => {
                    self.models.find(name, node, true);
                }
            }
        }
    }

    /// `Pet: { $ref: pet.yaml }` gives a schema of another file its name, and is no second one. With it come the places
    /// between the two, each of which is nothing but a `$ref` as well.
    fn written_elsewhere(&mut self, node: &Node<'a>) -> Option<(Node<'a>, Vec<Location>)> {
        let is_reference =
            |node: &Node<'_>| node.value.as_object().is_some_and(|said| said.len() == 1 && said.contains_key("$ref"));
        if !is_reference(node) || self.is_related(node) {
            return None;
        }
        let mut target = self.step(node)?;
        let mut between = Vec::new();
        loop {
            let is_new = self.models.at(&target.location).is_none();
            let is_elsewhere = self.document.origin(&target.location).file() != self.document.root.file();
            if !is_new || !is_elsewhere {
                return None;
            }
            if !is_reference(&target) || between.contains(&target.location) || between.len() == LONGEST_CHAIN {
                return Some((target, between));
            }
            let next = self.step(&target)?;
            between.push(target.location);
            target = next;
        }
    }

    fn build_models(&mut self) {
        let mut next = 0;
        while let Some(id) = self.models.unread(next) {
            self.build(id);
            next = id.0 + 1;
        }
    }
}

/// A problem that nobody is told.
fn unsaid(location: &Location) -> Diagnostic {
    Diagnostic {
        code: Code::LeftOut,
        severity: Severity::Warning,
        message: String::new(),
        location: location.clone(),
        label: None,
        related: Vec::new(),
        help: Vec::new(),
        notes: Vec::new(),
    }
}

/// `x-name-matching: ascii-case-insensitive`
fn any_case(document: &Document) -> bool {
    let said = document.tree.get("x-name-matching").or_else(|| document.tree.pointer("/info/x-name-matching"));
    said.and_then(serde_json::Value::as_str) == Some("ascii-case-insensitive")
}

#[cfg(test)]
mod tests {
    use super::testing::files;
    use super::testing::schemas;
    use crate::Options;

    #[test]
    fn schemas_of_other_files_have_the_names_of_the_first_one() {
        let entry = "
openapi: 3.0.3
info: { title: T, version: '1' }
paths: {}
components:
  schemas:
    Pet: { $ref: index.yaml#/Pet }
    Owner: { $ref: owner.yaml }
    Round: { $ref: index.yaml#/Round }
";
        let index = "{ Pet: { $ref: pet.yaml }, Round: { $ref: '#/Round' } }";
        let pet = "{ type: object, properties: { owner: { $ref: owner.yaml }, mother: { $ref: index.yaml#/Pet } } }";
        let owner = "{ type: object, properties: { pet: { $ref: 'index.yaml#/Pet' } } }";
        let texts = [("test.yaml", entry), ("index.yaml", index), ("pet.yaml", pet), ("owner.yaml", owner)];
        let lowered = files(&texts, &Options::default());
        let expected = ["Owner { pet?: Box<Pet> }", "Pet { owner?: Box<Owner>, mother?: Box<Pet> }", "Round = Any"];
        assert_eq!(lowered.models(), expected);
    }

    #[test]
    fn an_all_of_is_closed_by_what_stands_beside_it() {
        let yaml = "
openapi: 3.1.0
info: { title: T, version: '1' }
components:
  schemas:
    A: { allOf: [{ $ref: '#/components/schemas/B' }, { properties: { a: { type: string } } }], unevaluatedProperties: false }
    B: { type: object, properties: { b: { type: string } } }
    C: { $ref: '#/components/schemas/B', unevaluatedProperties: false }
    D: { $ref: '#/components/schemas/B', unevaluatedProperties: true }
";
        let lowered = files(&[("test.yaml", yaml)], &Options::default());
        let closed = lowered.api.models.iter().map(|model| match &model.kind {
            crate::ir::ModelKind::Struct(struct_) => format!("{} {}", model.name.rust, struct_.closed),
            _ => model.name.rust.clone(),
        });
        assert_eq!(closed.collect::<Vec<_>>(), ["A true", "B false", "C true", "D"]);
    }

    #[test]
    fn titles_that_are_names_say_nothing() {
        let lowered = schemas(&["
            ToolCall:
              title: Tool Call
              properties:
                call_id: { title: Call Id, type: string }
                other: { title: Another one, type: string }
                inner: { title: Inner, description: Said., type: object }
        "]);
        assert_eq!(lowered.api.models[0].doc, None);
        let crate::ir::ModelKind::Struct(struct_) = &lowered.api.models[0].kind else { panic!("it is one") };
        let docs: Vec<_> = struct_.fields.iter().map(|field| field.doc.as_deref()).collect();
        assert_eq!(docs, [None, Some("Another one"), Some("Said.")]);
    }
}
