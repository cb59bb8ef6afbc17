//! Names that users want: `x-rust-name` and `[rename]` as they are, the words of other generators as words.

use foldhash::HashMap;

use crate::diagnostic::Code;
use crate::location::{self, Location};
use crate::lower::name;
use crate::lower::name::{Case, Scope};
use crate::lower::{Context, Node, Schema};

/// The tables of the configuration.
pub(crate) const SCHEMAS: &str = "rename.schemas";
pub(crate) const OPERATIONS: &str = "rename.operations";
pub(crate) const TAGS: &str = "rename.tags";
pub(crate) const POINTERS: &str = "rename.pointers";

/// The extension of whatever has a name.
pub(crate) const EXTENSION: &str = "x-rust-name";

/// A name of Rust that somebody asked for, and where.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Asked {
    pub(crate) rust: String,
    pub(crate) place: Location,
}

impl<'a> Context<'a> {
    /// The name asked for at a node that is not a schema, or at a schema that is a member or a variant.
    pub(crate) fn asked_name(&mut self, nodes: &[Node<'a>], case: Case) -> Option<Asked> {
        let renames = &self.wishes.options.rename;
        let configured = self.wish_at(POINTERS, &renames.pointers, nodes);
        let (rust, place) = if let Some((rust, place)) = configured {
            (rust.as_str(), place)
        } else {
            let node = nodes.iter().find_map(|node| node.get(EXTENSION))?;
            let Some(rust) = node.value.as_str() else {
                self.report(Code::InvalidRustName, &node.location, "this is no name: names are strings");
                return None;
            };
            (rust, node.location)
        };
        self.valid(rust, place, case)
    }

    /// The name asked for the model of a schema; a member or a variant has its name for itself.
    pub(crate) fn asked_type_name(&mut self, schema: &Schema<'a>) -> Option<Asked> {
        let renames = &self.wishes.options.rename;
        let is_silent = !schema.place.has(EXTENSION) && renames.schemas.is_empty() && renames.pointers.is_empty();
        if is_silent || self.is_named_by_owner(&schema.place.location) {
            return None;
        }
        if let Some((rust, place)) = self.wish_for_schema(SCHEMAS, &renames.schemas, schema) {
            return self.valid(rust, place, Case::Type);
        }
        self.asked_name(std::slice::from_ref(&schema.place), Case::Type)
    }

    /// The name asked for the method of an operation.
    pub(crate) fn asked_method_name(&mut self, operation: &Node<'a>, id: &str) -> Option<Asked> {
        let renames = &self.wishes.options.rename;
        match self.wishes.entry(OPERATIONS, &renames.operations, id) {
            Some(rust) => self.valid(rust, operation.location.clone(), Case::Value),
            None => self.asked_name(std::slice::from_ref(operation), Case::Value),
        }
    }

    /// The name asked for the trait of a tag.
    pub(crate) fn asked_trait_name(&mut self, tag: &str) -> Option<Asked> {
        let tags = self.node(&self.document.root)?.items("tags");
        let node = tags.into_iter().find(|node| node.text("name") == Some(tag));
        let renames = &self.wishes.options.rename;
        match (self.wishes.entry(TAGS, &renames.tags, tag), node) {
            (Some(rust), node) => {
                let place = node.map_or_else(|| self.document.root.member("paths").name(), |node| node.location);
                self.valid(rust, place, Case::Type)
            }
            (None, node) => self.asked_name(node.as_slice(), Case::Type),
        }
    }

    /// The name of an operation in Pascal case, by what the user wants its method to be called, else by `name`.
    pub(crate) fn operation_name(&mut self, operation: &Location, id: &str, name: &str) -> String {
        let asked = self.node(operation).and_then(|node| self.asked_method_name(&node, id));
        let rust = name::pascal(asked.as_ref().map_or(name, |asked| &asked.rust));
        self.wishes.methods.extend(asked.map(|asked| (operation.clone(), asked)));
        rust
    }

    /// The name asked for a variant.
    pub(crate) fn asked_variant_name(&mut self, variant: &Node<'a>) -> Option<Asked> {
        if is_variant(variant) { self.asked_name(std::slice::from_ref(variant), Case::Type) } else { None }
    }

    /// What the type of a schema that has a name would like to be called.
    pub(crate) fn schema_rust_name(&mut self, node: &Node<'a>) -> String {
        let schema = self.schema(node);
        let hint = name::pascal(&self.schema_key(&node.location));
        self.type_hint(&schema, &hint)
    }

    /// What the type of the schema would like to be called, and types inside of it are called after.
    pub(crate) fn type_hint(&mut self, schema: &Schema<'a>, hint: &str) -> String {
        let asked = self.asked_type_name(schema).map(|asked| asked.rust);
        asked.or_else(|| type_word(schema)).unwrap_or_else(|| hint.to_owned())
    }

    /// Says that the name asked for a schema is nobody's, because its type has none.
    pub(crate) fn report_idle_name(&mut self, schema: &Schema<'a>) {
        if let Some(Asked { place, .. }) = self.asked_type_name(schema) {
            self.report(Code::NotUsed, &place, "the type of this schema has no name of its own")
                .label("so it is not called that");
        }
    }

    /// A member's name is that of a field, and a variant's that of a variant. A parameter of Swagger 2.0 is its own schema.
    fn is_named_by_owner(&self, location: &Location) -> bool {
        let written = self.document.origin(location);
        let last = |pointer: &str| location::tokens(pointer).last();
        matches!(owner(location.pointer()).as_deref(), Some("properties" | "oneOf" | "anyOf"))
            || last(location.pointer()) != last(written.pointer())
    }

    fn valid(&mut self, rust: &str, place: Location, case: Case) -> Option<Asked> {
        if name::is_valid(rust, case) {
            return Some(Asked { rust: rust.to_owned(), place });
        }
        let (kind, meant) = match case {
            Case::Type => ("a type, a trait or a variant", name::pascal(rust)),
            Case::Value => ("a method, a field or a parameter", name::snake(rust)),
        };
        let diagnostic =
            self.report(Code::InvalidRustName, &place, format!("`{rust}` is no name that {kind} can have in Rust"));
        if name::is_valid(&meant, case) {
            diagnostic.help(format!("did you mean `{meant}`?"));
        }
        None
    }

    /// Gives those who asked for a name theirs, before others come; `None` for all others. Two who ask for the same one,
    /// and names that mean something else already, are reported.
    pub(crate) fn claim_asked(&mut self, asked: &[Option<Asked>], scope: &mut Scope) -> Vec<Option<String>> {
        let mut owners: HashMap<&str, &Location> = HashMap::default();
        let mut given = Vec::with_capacity(asked.len());
        for asked in asked {
            let Some(Asked { rust, place }) = asked else {
                given.push(None);
                continue;
            };
            if scope.is_free(rust) {
                owners.insert(rust, place);
                given.push(Some(scope.claim(rust, &[])));
                continue;
            }
            given.push(None);
            match owners.get(rust.as_str()) {
                // One object that is used twice.
                Some(owner) if *owner == place => {}
                Some(owner) => {
                    let owner = (*owner).clone();
                    self.report(Code::RustNameTaken, place, format!("two are to be called `{rust}`"))
                        .related(&owner, "the other one");
                }
                None => {
                    self.report(Code::RustNameTaken, place, format!("`{rust}` means something else in generated code"));
                }
            }
        }
        given
    }

    /// Gives every name of a scope its own: the ones that were asked for first, then as [`name::unique`] does.
    pub(crate) fn unique_names(
        &mut self,
        wanted: &[String],
        asked: &[Option<Asked>],
        scope: &mut Scope,
    ) -> Vec<String> {
        let given = self.claim_asked(asked, scope);
        let rest: Vec<String> =
            wanted.iter().zip(&given).filter(|(_, given)| given.is_none()).map(|(wanted, _)| wanted.clone()).collect();
        let mut rest = name::unique(&rest, scope).into_iter();
        given.into_iter().filter_map(|given| given.or_else(|| rest.next())).collect()
    }
}

/// What others call a node: `x-ms-client-name`, else the name that it has.
pub(crate) fn word<'w>(nodes: &[Node<'w>], name: &'w str) -> &'w str {
    nodes.iter().find_map(|node| node.text("x-ms-client-name")).unwrap_or(name)
}

/// What others call the type of a schema without a name: `x-ms-enum: { name }`
pub(crate) fn type_word(schema: &Schema<'_>) -> Option<String> {
    let said = schema.annotation("x-ms-enum").and_then(|node| node.text("name"));
    said.filter(|word| !word.trim().is_empty()).map(name::pascal)
}

/// A schema that stands among variants, whose name is that of the variant.
pub(crate) fn is_variant(node: &Node<'_>) -> bool {
    matches!(owner(node.location.pointer()).as_deref(), Some("oneOf" | "anyOf"))
}

/// What a schema is one of.
fn owner(pointer: &str) -> Option<String> {
    let tokens: Vec<String> = location::tokens(pointer).collect();
    let [.., owner, _] = &tokens[..] else { return None };
    Some(owner.clone())
}
