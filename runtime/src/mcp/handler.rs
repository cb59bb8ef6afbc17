//! Answers the messages of the protocol.

use std::sync::Arc;

use rmcp::ServerHandler;
use rmcp::model::{
    CallToolRequestParams, CallToolResponse, CallToolResult, ErrorData, Implementation, ListToolsResult,
    PaginatedRequestParams, ServerCapabilities, ServerConfig,
};
use rmcp::service::{RequestContext, RoleServer};
use serde_json::{Map, Value};

use super::catalog::{Catalog, Entry};
use super::result::{self, Limits};
use super::{Options, Server, outline};
use crate::arguments::Files;
use crate::client::Client;
use crate::json;

/// The server; clones share everything.
#[derive(Clone)]
pub(super) struct Handler {
    shared: Arc<Shared>,
}

struct Shared {
    server: Server,
    client: Client,
    options: Options,
    catalog: Catalog,
}

impl Handler {
    pub(super) fn new(server: Server, client: Client, options: Options) -> Result<Self, serde_json::Error> {
        let catalog = Catalog::new(server.tools, server.arguments, options.allow)?;
        Ok(Self { shared: Arc::new(Shared { server, client, options, catalog }) })
    }
}

impl ServerHandler for Handler {
    fn get_info(&self) -> ServerConfig {
        let Server { name, version, instructions, .. } = self.shared.server;
        ServerConfig::new(ServerCapabilities::builder().enable_tools().build())
            .with_server_info(Implementation::new(name, version))
            .with_instructions(instructions)
    }

    async fn list_tools(
        &self,
        _: Option<PaginatedRequestParams>,
        _: RequestContext<RoleServer>,
    ) -> Result<ListToolsResult, ErrorData> {
        Ok(ListToolsResult::with_all_items(self.shared.catalog.listed().to_vec()))
    }

    async fn call_tool(
        &self,
        call: CallToolRequestParams,
        _: RequestContext<RoleServer>,
    ) -> Result<CallToolResponse, ErrorData> {
        let arguments = call.arguments.unwrap_or_default();
        match self.shared.catalog.find(&call.name) {
            None => Err(ErrorData::invalid_params(format!("unknown tool `{}`", call.name), None)),
            Some(Err(refused)) => Ok(result::refusal(refused).into()),
            Some(Ok(entry)) => Ok(self.shared.call(entry, arguments).await.into()),
        }
    }
}

impl Shared {
    async fn call(&self, entry: &Entry, mut arguments: Map<String, Value>) -> CallToolResult {
        let tool = entry.tool;
        // Models write `null` for what they leave out, and a parameter cannot be `null`.
        arguments
            .retain(|name, value| !value.is_null() || tool.arguments.body.is_some_and(|body| body.argument == name));
        let arguments = Value::Object(arguments);
        let problems = entry.problems(&arguments);
        if !problems.is_empty() {
            return result::refusal(format!("The arguments are not valid:\n- {}", problems.join("\n- ")));
        }
        let arguments: json::Value = match json::from_slice(arguments.to_string().as_bytes()) {
            Ok(arguments) => arguments,
            Err(_) => return result::refusal("The arguments cannot be read."),
        };
        let request = match tool.arguments.request(&self.client, &arguments, Files::new()) {
            Ok(request) => request,
            Err(problem) => return result::refusal(format!("The arguments are not valid:\n- {problem}")),
        };
        if self.options.dry_run {
            return outline::outline(request, self.options.max_bytes);
        }
        let limits = Limits { bytes: self.options.max_bytes, time: self.options.timeout() };
        result::send(tool, &arguments, request, limits).await
    }
}
