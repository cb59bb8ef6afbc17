//! The allowed tools with the schemas of their arguments.

use std::collections::BTreeMap;
use std::sync::{Arc, OnceLock};

use http::Method;
use jsonschema::Validator;
use rmcp::model::{self, ToolAnnotations};
use serde_json::{Map, Value};

use super::{Tier, Tool};
use crate::arguments::schema::{self, Schemas};

/// The tools that may be called.
#[derive(Debug)]
pub(super) struct Catalog {
    allowed: Tier,
    entries: BTreeMap<&'static str, Entry>,
    /// In the order of the description.
    listed: Vec<model::Tool>,
}

/// A tool with the schema of its arguments.
#[derive(Debug)]
pub(super) struct Entry {
    pub(super) tool: &'static Tool,
    schema: Arc<Map<String, Value>>,
    /// Made at the first call; `None` if the schema cannot be checked.
    validator: OnceLock<Option<Validator>>,
}

impl Catalog {
    /// The tools up to the tier `allowed`. `arguments` has a schema for each, and the types that these refer to.
    pub(super) fn new(
        tools: &'static [&'static [Tool]],
        arguments: &str,
        allowed: Tier,
    ) -> Result<Self, serde_json::Error> {
        let schemas = Schemas::read(arguments)?;
        let (mut entries, mut listed) = (BTreeMap::new(), Vec::new());
        for tool in tools.iter().copied().flatten() {
            let schema = Arc::new(schemas.of(tool.name));
            if tool.tier <= allowed {
                listed.push(described(tool, &schema));
            }
            entries.insert(tool.name, Entry { tool, schema, validator: OnceLock::new() });
        }
        Ok(Self { allowed, entries, listed })
    }

    pub(super) fn listed(&self) -> &[model::Tool] {
        &self.listed
    }

    /// The tool with this name, or why it may not be called; `None` if there is none.
    pub(super) fn find(&self, name: &str) -> Option<Result<&Entry, String>> {
        let entry = self.entries.get(name)?;
        let Self { allowed, .. } = self;
        Some(if entry.tool.tier <= *allowed {
            Ok(entry)
        } else {
            let (tier, allowed) = (entry.tool.tier.word(), allowed.word());
            Err(format!("`{name}` is a tool of the tier `{tier}`; this server was started with `--allow {allowed}`"))
        })
    }
}

impl Entry {
    /// What is wrong with the arguments, a line each.
    pub(super) fn problems(&self, arguments: &Value) -> Vec<String> {
        let validator = self.validator.get_or_init(|| schema::validator(self.tool.name, &self.schema));
        let problems = validator.iter().flat_map(|validator| schema::problems(validator, arguments));
        problems.map(|problem| problem.to_string()).collect()
    }
}

fn described(tool: &'static Tool, schema: &Arc<Map<String, Value>>) -> model::Tool {
    let method = tool.arguments.operation.method();
    let reads = tool.tier == Tier::Read;
    let annotations = ToolAnnotations::new()
        .read_only(reads)
        .destructive(tool.destructive)
        .idempotent(reads || method.is_idempotent() || method == Method::TRACE);
    model::Tool::new(tool.name, tool.description, Arc::clone(schema)).annotate(annotations)
}
