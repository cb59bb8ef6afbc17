//! The operations of a description, with what their requests and responses may contain.

use std::borrow::Cow;
use std::collections::BTreeSet;

use http::HeaderName;
use serde_json::{Map, Value, json};

use crate::document::{Document, Named, Parameter, decoded};
use crate::media_type;
use crate::place::Place;
use crate::status;
use crate::style::{self, Style};
use crate::template::{self, Template};

/// An operation of a description.
#[derive(Clone, Debug)]
pub struct Operation {
    /// `operationId`, or method and path.
    pub id: String,
    /// The HTTP method.
    pub method: String,
    /// The key in `paths`.
    pub key: String,
    /// The path template without a fragment and a query.
    pub path: String,
    /// The pairs of the query that are part of the path.
    pub fixed: Vec<(String, String)>,
    /// Path, query, header and cookie parameters.
    pub parameters: Vec<Parameter>,
    /// The body, if it has one.
    pub body: Option<Body>,
    /// The responses, in the order of the description.
    pub responses: Vec<Response>,
    /// The names of header parameters that no request has, because they are not names of HTTP (RFC 9110, section 5.1).
    pub unsendable: Vec<String>,
    /// What may authorise a call: each alternative is a list of credentials. Empty if none are needed.
    pub security: Vec<Vec<Credential>>,
    pub(crate) template: Template,
}

/// The body of a request.
#[derive(Clone, Debug)]
pub struct Body {
    /// Whether a request must have it.
    pub required: bool,
    /// The media types and media type ranges.
    pub media_types: Vec<String>,
    /// The names of the parts of a multipart body, or their positions.
    pub parts: Vec<String>,
}

/// A response of an operation.
#[derive(Clone, Debug)]
pub struct Response {
    /// The status, a range such as `2XX`, or `default`, as it is meant.
    pub key: String,
    /// The media types and media type ranges of its body.
    pub media_types: Vec<String>,
    /// The names of the parts of a multipart body, or their positions.
    pub parts: Vec<String>,
    /// Its headers.
    pub headers: Vec<Header>,
    /// Operations that can be called with its values.
    pub links: Vec<Link>,
}

/// A header of a response.
#[derive(Clone, Debug)]
pub struct Header {
    /// The name.
    pub name: String,
    /// Whether it is required.
    pub required: bool,
    /// How its value is written.
    pub style: Style,
}

/// An operation that can be called with values of a response.
#[derive(Clone, Debug)]
pub struct Link {
    /// The id of the operation.
    pub operation: String,
    /// The name of each parameter, and its value or an expression.
    pub parameters: Vec<(String, Value)>,
}

/// Where a credential is sent.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Credential {
    /// `Authorization` with this scheme, such as `Bearer`.
    Authorization(String),
    /// A header of this name.
    Header(String),
    /// A query parameter of this name.
    Query(String),
    /// A cookie of this name.
    Cookie(String),
    /// It is not part of the message.
    Other,
}

/// The methods of a path item.
const METHODS: &[&str] = &["post", "get", "head", "options", "query", "put", "patch", "trace", "delete"];

impl Operation {
    /// Its name for a [`Document`].
    pub fn named(&self) -> Named<'_> {
        Named { id: &self.id, method: &self.method, path: &self.key }
    }

    /// Whether a path template is this one, whatever its parameters are called, or ends with it after the path of a server.
    pub fn has_template(&self, path: &str) -> bool {
        let path = path.split(['?', '#']).next().unwrap_or_default();
        let starts = path.match_indices('/').map(|(start, _)| start);
        starts.into_iter().any(|start| self.template.is_like(&Template::new(&path[start..])))
    }

    /// The response for a status.
    pub fn response(&self, status: u16) -> Option<&Response> {
        let named = |key: &str| self.responses.iter().find(|response| response.key == key);
        named(&status.to_string()).or_else(|| named(&format!("{}XX", status / 100))).or_else(|| named("default"))
    }

    /// Whether it has a response that ends a call. Those with a status below 200 come before one, or answer `Upgrade`, which
    /// requests here do not have (RFC 9110, 15.2).
    pub fn has_final_response(&self) -> bool {
        self.responses.iter().any(|response| !response.key.starts_with('1'))
    }

    /// The parameter that is the last segment of the path.
    pub fn last_parameter(&self) -> Option<&Parameter> {
        let (_, last) = self.path.rsplit_once('/')?;
        let name = last.strip_prefix('{')?.strip_suffix('}')?;
        self.parameters.iter().find(|parameter| parameter.within == "path" && parameter.name == name)
    }

    /// Whether calling it is not supposed to change anything (RFC 9110, section 9.2.1).
    pub fn is_safe(&self) -> bool {
        matches!(self.method.as_str(), "GET" | "HEAD" | "OPTIONS" | "TRACE" | "QUERY")
    }
}

impl Document {
    /// The operations, in the order of the description.
    pub fn operations(&self) -> Vec<Operation> {
        let mut found = Vec::new();
        for (key, item) in self.root().get("paths").and_then(Value::as_object).into_iter().flatten() {
            let item = self.follow(item);
            let usual = METHODS.iter().filter_map(|method| Some((method.to_ascii_uppercase(), item.get(*method)?)));
            let more = item.get("additionalOperations").and_then(Value::as_object).into_iter().flatten();
            for (method, node) in usual.chain(more.map(|(method, node)| (method.clone(), node))) {
                let is_path = key.starts_with('/') || !key.starts_with("x-") && !key.contains("://");
                if node.is_object() && is_path {
                    found.push(self.operation_of(key, method, item, node));
                }
            }
        }
        found
    }

    /// The path of the first server, without a slash at the end.
    pub fn base_path(&self) -> String {
        let root = self.root();
        let url = root.pointer("/servers/0/url").or(root.get("basePath")).and_then(Value::as_str).unwrap_or_default();
        let mut url = url.to_owned();
        let variables = root.pointer("/servers/0/variables").and_then(Value::as_object);
        for (name, variable) in variables.into_iter().flatten() {
            url = url.replace(&format!("{{{name}}}"), variable["default"].as_str().unwrap_or_default());
        }
        let path = match url.split_once("://") {
            Some((_, rest)) => rest.split_once('/').map(|(_, path)| format!("/{path}")).unwrap_or_default(),
            None => url,
        };
        template::literal_of(path.trim_end_matches('/'))
    }

    fn operation_of(&self, key: &str, method: String, item: &Value, node: &Value) -> Operation {
        let in_path = self.parameters(item, node).filter(|parameter| parameter["in"] == "path");
        let declared =
            in_path.filter_map(|found| Some((found["name"].as_str()?, found["style"].as_str().unwrap_or_default())));
        let (whole, in_query) = template::plain(key, &declared.collect::<Vec<_>>());
        let whole = whole.split('#').next().unwrap_or_default();
        let (path, query) = whole.split_once('?').unwrap_or((whole, ""));
        let path = if path.starts_with('/') { path.to_owned() } else { format!("/{path}") };
        let pairs = query.split('&').filter_map(|pair| pair.split_once('='));
        let fixed = pairs.filter(|(_, text)| !text.contains('{'));
        let id = id_of(node, &method, key);
        let named = Named { id: &id, method: &method, path: key };
        let mut parameters = self.parameters_of(named);
        for parameter in &mut parameters {
            // A path parameter that the template does not name is read from the query (W0312).
            if parameter.within == "path" && !path.contains(&format!("{{{}", parameter.name)) {
                "query".clone_into(&mut parameter.within);
            }
        }
        let template = Template::new(&path);
        let in_path = template.names().map(|name| ("path", name.to_owned(), Style::header(false)));
        // What a template names is a text unless it is declared (W0313).
        for (within, name, style) in in_path.chain(in_query.into_iter().map(|name| ("query", name, Style::form()))) {
            if !parameters.iter().any(|found| found.within == within && found.name == name) {
                let (schema, required) = (json!({ "type": "string" }), within == "path");
                parameters.push(Parameter { within: within.to_owned(), name, schema, required, style });
            }
        }
        // OpenAPI ignores headers that belong to HTTP.
        let negotiated = ["accept", "content-type", "authorization", "content-length", "host"];
        parameters.retain(|parameter| {
            parameter.within != "header" || !negotiated.iter().any(|name| parameter.name.eq_ignore_ascii_case(name))
        });
        let is_unsendable =
            |parameter: &mut Parameter| parameter.within == "header" && !is_header_name(&parameter.name);
        let unsendable = parameters.extract_if(.., is_unsendable).map(|parameter| parameter.name).collect();
        Operation {
            fixed: fixed.map(|(name, text)| (name.to_owned(), text.to_owned())).collect(),
            body: self.body_of(item, node),
            responses: self.responses_of(node),
            unsendable,
            security: self.security_of(node),
            template,
            path,
            key: key.to_owned(),
            parameters,
            id,
            method,
        }
    }

    fn body_of(&self, item: &Value, node: &Value) -> Option<Body> {
        if let Some(body) = node.get("requestBody").map(|body| self.follow(body)) {
            let media_types: Vec<String> = keys(body.get("content"));
            let parts = self.parts_of(body, &media_types);
            return (!media_types.is_empty()).then(|| Body { required: body["required"] == true, media_types, parts });
        }
        let within =
            |place: &'static str| self.parameters(item, node).filter(move |parameter| parameter["in"] == place);
        let consumed = node.get("consumes").or(self.root().get("consumes")).and_then(Value::as_array);
        let consumed = || consumed.into_iter().flatten().filter_map(Value::as_str).map(str::to_owned);
        if let Some(body) = within("body").next() {
            let media_types: Vec<String> = consumed().collect();
            let media_types = if media_types.is_empty() { vec![media_type::JSON.to_owned()] } else { media_types };
            return Some(Body { required: body["required"] == true, media_types, parts: Vec::new() });
        }
        within("formData").next()?;
        let has_file = within("formData").any(|field| field["type"] == "file");
        let form = if has_file { media_type::MULTIPART } else { media_type::FORM };
        let said: Vec<String> = consumed().filter(|found| found == media_type::MULTIPART || found == form).collect();
        let required = within("formData").any(|field| field["required"] == true);
        let parts = within("formData").filter_map(|field| field["name"].as_str().map(str::to_owned)).collect();
        Some(Body { required, media_types: if said.is_empty() { vec![form.to_owned()] } else { said }, parts })
    }

    /// The names of the parts of a request or response body, or their positions.
    fn parts_of(&self, body: &Value, media_types: &[String]) -> Vec<String> {
        let mut parts = Vec::new();
        for media_type in media_types.iter().filter(|found| media_type::is_multipart(found)) {
            let content = self.follow(&body["content"][media_type.as_str()]);
            match (self.positions_in(content, media_type), content.get("schema")) {
                (Some(positions), _) => parts.extend(positions.names()),
                (None, Some(schema)) => style::properties(self, schema, &mut parts, 0),
                (None, None) => {}
            }
        }
        let mut seen = BTreeSet::new();
        parts.retain(|name| seen.insert(name.clone()));
        parts
    }

    /// The members of a form that say how they are written.
    pub(crate) fn encodings(&self, named: Named<'_>, media_type: &str) -> Vec<(String, Style)> {
        let Some((item, node)) = self.operation(named) else { return Vec::new() };
        let content = node.get("requestBody").and_then(|body| self.follow(body).get("content")?.get(media_type));
        let fields = self.parameters(item, node).filter(|field| field["in"] == "formData");
        let fields = fields.filter_map(|field| Some((field["name"].as_str()?.to_owned(), Style::of(field))));
        styles(content).chain(fields).collect()
    }

    /// The same for the form of a response.
    pub(crate) fn answer_encodings(&self, named: Named<'_>, key: &str, media_type: &str) -> Vec<(String, Style)> {
        let response = self.operation(named).and_then(|(_, node)| self.response(node, key));
        let content = response.and_then(|response| response.get("content")?.get(media_type));
        styles(content).collect()
    }

    fn part_encoding(&self, named: Named<'_>, place: Place<'_>) -> Option<Cow<'_, Value>> {
        if let Some(positions) = self.positions(named, place) {
            return positions.encoding(place.part).cloned().map(Cow::Owned);
        }
        self.content_of(named, place)?.get("encoding")?.get(place.part).map(Cow::Borrowed)
    }

    /// The media types and ranges that a part may have; any if there are none.
    pub(crate) fn part_types(&self, named: Named<'_>, place: Place<'_>) -> Vec<String> {
        // With a style, they have no meaning.
        let said = self.part_encoding(named, place).filter(|said| self.is_old || !is_styled(said));
        let said = said.as_ref().and_then(|said| said.get("contentType")?.as_str()).unwrap_or_default();
        said.split(',').map(media_type::essence).filter(|found| !found.is_empty()).collect()
    }

    /// The style of a list or an object that is one part.
    pub(crate) fn part_style(&self, named: Named<'_>, place: Place<'_>) -> Option<Style> {
        let said = self.part_encoding(named, place).filter(|_| !self.is_old)?;
        Some(Style::of(&said)).filter(|style| is_styled(&said) && style.is_joined())
    }

    /// The headers that a part requires.
    pub(crate) fn part_headers(&self, named: Named<'_>, place: Place<'_>) -> Vec<String> {
        let said = self.part_encoding(named, place);
        let said = said.as_ref().and_then(|said| said.get("headers")?.as_object());
        let required = |(name, header): &(&String, &Value)| {
            self.follow(header)["required"] == true
                && !name.eq_ignore_ascii_case("content-type")
                && is_header_name(name)
        };
        said.into_iter().flatten().filter(required).map(|(name, _)| name.clone()).collect()
    }

    fn responses_of(&self, node: &Value) -> Vec<Response> {
        let produced = node.get("produces").or(self.root().get("produces")).and_then(Value::as_array);
        let produced = || produced.into_iter().flatten().filter_map(Value::as_str).map(str::to_owned);
        let mut found = Vec::new();
        for (key, response) in node.get("responses").and_then(Value::as_object).into_iter().flatten() {
            let Some(key) = status::meant(key).filter(|key| !found.iter().any(|found: &Response| found.key == *key))
            else {
                continue;
            };
            let response = self.follow(response);
            let mut media_types = keys(response.get("content"));
            // Swagger 2.0
            if response.get("schema").is_some() {
                media_types = produced().collect();
                if media_types.is_empty() {
                    media_types.push(media_type::JSON.to_owned());
                }
            }
            let headers = response.get("headers").and_then(Value::as_object).into_iter().flatten();
            let header = |(name, header): (&String, &Value)| {
                let header = self.follow(header);
                let explode = header["explode"] == true;
                Header { name: name.clone(), required: header["required"] == true, style: Style::header(explode) }
            };
            let is_described =
                |(name, _): &(&String, &Value)| !name.eq_ignore_ascii_case("content-type") && is_header_name(name);
            let links = response.get("links").and_then(Value::as_object).into_iter().flatten();
            found.push(Response {
                key,
                parts: self.parts_of(response, &media_types),
                media_types,
                headers: headers.filter(is_described).map(header).collect(),
                links: links.filter_map(|(_, link)| self.link_of(link)).collect(),
            });
        }
        found
    }

    fn link_of(&self, link: &Value) -> Option<Link> {
        let link = self.follow(link);
        let parameters = link.get("parameters").and_then(Value::as_object).into_iter().flatten();
        let named = link["operationId"].as_str().map(str::to_owned);
        Some(Link {
            operation: named.or_else(|| self.id_at(link["operationRef"].as_str()?))?,
            parameters: parameters.map(|(name, value)| (name.clone(), value.clone())).collect(),
        })
    }

    /// The id of the operation that an `operationRef` leads to.
    fn id_at(&self, reference: &str) -> Option<String> {
        let (key, method) = reference.strip_prefix("#/paths/")?.rsplit_once('/')?;
        let (key, method) = (decoded(key).replace("~1", "/").replace("~0", "~"), method.to_ascii_uppercase());
        let (_, node) = self.operation(Named { id: "", method: &method, path: &key })?;
        Some(id_of(node, &method, &key))
    }

    fn security_of(&self, node: &Value) -> Vec<Vec<Credential>> {
        let root = self.root();
        let schemes = root.pointer("/components/securitySchemes").or(root.get("securityDefinitions"));
        let asked = node.get("security").or(root.get("security")).and_then(Value::as_array);
        let alternatives: Vec<Vec<Credential>> = asked
            .into_iter()
            .flatten()
            .filter_map(Value::as_object)
            .map(|all| {
                let scheme = |name: &String| schemes.and_then(|schemes| schemes.get(name));
                all.keys().filter_map(scheme).map(|scheme| credential(self.follow(scheme))).collect()
            })
            .collect();
        // An empty alternative allows calls without credentials.
        if alternatives.iter().any(Vec::is_empty) { Vec::new() } else { alternatives }
    }
}

/// `operationId`, or method and path.
fn id_of(node: &Value, method: &str, key: &str) -> String {
    node["operationId"].as_str().map_or_else(|| format!("{method} {key}"), str::to_owned)
}

fn credential(scheme: &Value) -> Credential {
    let name = scheme["name"].as_str().unwrap_or_default().to_owned();
    match (scheme["type"].as_str(), scheme["in"].as_str()) {
        (Some("apiKey"), Some("query")) => Credential::Query(name),
        (Some("apiKey"), Some("cookie")) => Credential::Cookie(name),
        (Some("apiKey"), _) => Credential::Header(name),
        (Some("basic"), _) => Credential::Authorization("Basic".to_owned()),
        (Some("http"), _) => {
            let scheme = scheme["scheme"].as_str().unwrap_or_default();
            Credential::Authorization(match scheme.to_ascii_lowercase().as_str() {
                "bearer" => "Bearer".to_owned(),
                "basic" => "Basic".to_owned(),
                _ => scheme.to_owned(),
            })
        }
        (Some("oauth2" | "openIdConnect"), _) => Credential::Authorization("Bearer".to_owned()),
        _ => Credential::Other,
    }
}

/// Whether HTTP has a header of this name: a token.
fn is_header_name(name: &str) -> bool {
    HeaderName::try_from(name).is_ok()
}

fn keys(members: Option<&Value>) -> Vec<String> {
    members.and_then(Value::as_object).into_iter().flat_map(Map::keys).cloned().collect()
}

/// The members of a form in a content that say how they are written.
fn styles(content: Option<&Value>) -> impl Iterator<Item = (String, Style)> {
    let said = content.and_then(|content| content.get("encoding")?.as_object()).into_iter().flatten();
    let said = said.filter(|(_, encoding)| is_styled(encoding) || Style::is_json_in_form(encoding));
    said.map(|(name, encoding)| (name.clone(), Style::of(encoding)))
}

/// Whether an `encoding` has a style, so that its `contentType` has no meaning.
fn is_styled(encoding: &Value) -> bool {
    ["style", "explode", "allowReserved"].iter().any(|keyword| encoding.get(keyword).is_some())
}
