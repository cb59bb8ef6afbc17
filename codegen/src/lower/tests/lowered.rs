//! Lowers short descriptions and prints a line for each model or operation.

use std::fmt::Write as _;
use std::io;

use crate::Options;
use crate::diagnostic::Diagnostics;
use crate::files::Files;
use crate::ir::{
    Api, Content, ContentKind, Failure, Field, MemberPath, ModelKind, Operation, Parameter, ParameterEncoding, Part,
    PartKind, Presence, Response, Rule, SecurityScheme, Success, Tag, Tagging, Type, UrlPiece, Value, XmlName, XmlNode,
    XmlOthers, XmlShape,
};
use crate::load;
use crate::lower::lower;
use crate::upgrade;

/// The result of lowering.
pub(crate) struct Lowered {
    pub(crate) api: Api,
    /// `W0402 /components/schemas/A`, in order.
    pub(crate) problems: Vec<String>,
}

struct Texts<'t>(&'t [(&'t str, &'t str)]);

impl Files for Texts<'_> {
    fn read(&self, path: &str) -> io::Result<Vec<u8>> {
        let found = self.0.iter().find(|(name, _)| *name == path);
        found.map(|(_, text)| text.as_bytes().to_vec()).ok_or_else(|| io::ErrorKind::NotFound.into())
    }
}

/// Lowers a whole description in YAML.
pub(crate) fn document(yaml: &str) -> Lowered {
    document_with(yaml, &Options::default())
}

/// Lowers a part of a whole description in YAML.
pub(crate) fn document_with(yaml: &str, options: &Options) -> Lowered {
    files(&[("test.yaml", yaml)], options)
}

/// Lowers a description in several files, which starts in the first one.
pub(crate) fn files(files: &[(&str, &str)], options: &Options) -> Lowered {
    let mut diagnostics = Diagnostics::default();
    let (entry, files) = (files[0].0, Texts(files));
    let tree = load::load(&files, entry, None, &mut diagnostics);
    let document = tree.and_then(|tree| upgrade::upgrade(&files, entry, &[], tree, &mut diagnostics));
    let shown = diagnostics.render(&files, crate::Style::Plain);
    let document = document.unwrap_or_else(|| panic!("{shown}"));
    let mut diagnostics = Diagnostics::default();
    let api = lower(&document, options, &mut diagnostics);
    crate::check::check(&api, &mut diagnostics);
    let problems = diagnostics.iter().map(|found| format!("{} {}", found.code.number(), found.location.pointer()));
    Lowered { api, problems: problems.collect() }
}

/// Lowers `components.schemas`, given in parts that may be indented differently.
pub(crate) fn schemas(parts: &[&str]) -> Lowered {
    let mut text = "openapi: 3.0.3\ninfo: { title: T, version: '1' }\npaths: {}\ncomponents:\n  schemas:\n".to_owned();
    for part in parts {
        indent(&mut text, part, 4);
    }
    document(&text)
}

/// Lowers `paths`.
pub(crate) fn paths(yaml: &str) -> Lowered {
    let mut text = "openapi: 3.0.3\ninfo: { title: T, version: '1' }\npaths:\n".to_owned();
    indent(&mut text, yaml, 2);
    document(&text)
}

/// Lowers one operation, `POST /`.
pub(crate) fn operation(yaml: &str) -> Lowered {
    let mut text = "openapi: 3.0.3\ninfo: { title: T, version: '1' }\npaths:\n  /:\n    post:\n".to_owned();
    if !yaml.contains("operationId:") {
        text.push_str("      operationId: send\n");
    }
    if !yaml.contains("responses:") {
        text.push_str("      responses: { '204': { description: Done. } }\n");
    }
    indent(&mut text, yaml, 6);
    document(&text)
}

fn indent(text: &mut String, yaml: &str, columns: usize) {
    let margin =
        yaml.lines().filter(|line| !line.trim().is_empty()).map(|line| line.len() - line.trim_start().len()).min();
    for line in yaml.lines().filter(|line| !line.trim().is_empty()) {
        let _ = writeln!(text, "{:columns$}{}", "", line.get(margin.unwrap_or(0)..).unwrap_or_default());
    }
}

impl Lowered {
    /// All models, one line each.
    pub(crate) fn models(&self) -> Vec<String> {
        self.api.models.iter().map(|model| self.line(&model.name.rust)).collect()
    }

    /// One model: `A { id: i64, name?: String }`, `A = String`, `A: red Red | blue Blue`.
    pub(crate) fn line(&self, rust: &str) -> String {
        let Some(model) = self.api.models.iter().find(|model| model.name.rust == rust) else {
            return "none".to_owned();
        };
        match &model.kind {
            ModelKind::Struct(struct_) => {
                let mut parts: Vec<_> = struct_.fields.iter().map(|field| self.field(field)).collect();
                parts.extend(
                    struct_
                        .additional
                        .iter()
                        .map(|additional| format!("..{}{}", self.value(&additional.value), rules(&additional.rules))),
                );
                parts.extend(struct_.closed.then(|| "closed".to_owned()));
                parts.extend(struct_.rules.iter().map(Rule::to_string));
                format!("{rust} {{ {} }}", parts.join(", "))
            }
            ModelKind::Enum(enum_) => {
                let variants: Vec<_> =
                    enum_.variants.iter().map(|variant| format!("{} {}", variant.value, variant.rust)).collect();
                format!("{rust}: {}", variants.join(" | "))
            }
            ModelKind::Union(union) => {
                let variants: Vec<_> = union
                    .variants
                    .iter()
                    .map(|variant| {
                        let exact = if variant.exact { " if exact" } else { "" };
                        format!("{}({}{exact})", variant.rust, self.value(&variant.value))
                    })
                    .collect();
                let tagging = match &union.tagging {
                    Tagging::Discriminator { member, tags, written_by_variant, untagged, unmapped } => {
                        let tags: Vec<_> = tags.iter().map(|(tag, index)| format!("{tag}={index}")).collect();
                        let written: String =
                            written_by_variant.iter().map(|written| if *written { 'v' } else { 'u' }).collect();
                        let untagged =
                            untagged.iter().map(|index| format!(" else {index}")).collect::<Vec<_>>().concat();
                        let unmapped = unmapped.map_or_else(String::new, |index| format!(" others {index}"));
                        format!("{member} {} {written}{untagged}{unmapped}", tags.join(" "))
                    }
                    Tagging::JsonType(_) => "by type".to_owned(),
                    Tagging::RequiredMember(members) => format!("has {}", members.join(" ")),
                    Tagging::Ordered => "in order".to_owned(),
                };
                format!("{rust}: {} [{tagging}]", variants.join(" | "))
            }
            ModelKind::Alias(alias) => format!("{rust} = {}", self.value(&alias.value)),
        }
    }

    fn field(&self, field: &Field) -> String {
        let mark = match field.presence {
            Presence::Required => "",
            Presence::Optional => "?",
            Presence::Nullable => "~",
            Presence::OptionalNullable => "?~",
        };
        let value = field.constant.as_ref().map_or_else(
            || self.value(&Value { nullable: false, ..field.value.clone() }),
            |constant| format!("'{}'", constant.text()),
        );
        let mut text = format!("{}{mark}: {value}", field.name.rust);
        if let Some(default) = &field.default {
            let _ = write!(text, " = {default:?}");
        }
        text.push_str(if field.read_only { " read" } else { "" });
        text.push_str(if field.write_only { " write" } else { "" });
        text
    }

    /// A type: `Vec<String>(minItems 1)`, `Box<A>?` when it may be `null`.
    pub(crate) fn value(&self, value: &Value) -> String {
        let ty = match &value.ty {
            Type::Array(item) => format!("Vec<{}>", self.value(item)),
            Type::Map(item) => format!("Map<{}>", self.value(item)),
            Type::Tuple(tuple) => {
                let (required, optional) = tuple.places.split_at(tuple.least);
                let mut places: Vec<_> = required.iter().map(|place| self.value(place)).collect();
                places.extend(optional.iter().map(|place| format!("optional {}", self.value(place))));
                places.extend(tuple.further.iter().map(|item| format!("further {}", self.value(item))));
                format!("({})", places.join(", "))
            }
            Type::Model(id) => self.api.model(*id).name.rust.clone(),
            Type::Integer(kind) => format!("{kind:?}").to_lowercase(),
            Type::Foreign(foreign) => foreign.text(),
            other => format!("{other:?}"),
        };
        let ty = if value.boxed { format!("Box<{ty}>") } else { ty };
        format!("{ty}{}{}", rules(&value.rules), if value.nullable { "?" } else { "" })
    }

    /// All lines: operations with requests and responses, models, problems.
    pub(super) fn lines(&self) -> Vec<String> {
        let schemes = self.api.security_schemes.iter();
        let scheme = |scheme: &SecurityScheme| {
            let set_by = another("set by", &scheme.builder_method, &scheme.name.rust);
            format!("scheme {} {:?}{set_by}", scheme.name.rust, scheme.kind)
        };
        let mut lines: Vec<_> = schemes.map(scheme).collect();
        for tag in &self.api.tags {
            self.tag("", tag, &mut lines);
        }
        for tag in &self.api.webhooks {
            self.tag("webhook ", tag, &mut lines);
        }
        lines.extend(self.models());
        lines.extend(self.problems.iter().cloned());
        lines
    }

    fn tag(&self, kind: &str, tag: &Tag, lines: &mut Vec<String>) {
        if !tag.untagged || self.api.tags.len() + self.api.webhooks.len() > 1 {
            let untagged = if tag.untagged { " of the untagged" } else { "" };
            let reached_by = another("reached by", &tag.client_method, &tag.module);
            lines.push(format!("{kind}tag {} {}{untagged}{reached_by}", tag.name.rust, tag.module));
        }
        for operation in &tag.operations {
            let Operation { method, path, name, method_rust, security, .. } = operation;
            let mut line = format!("{kind}{} {path} {method_rust} {}", method.as_str(), name.rust);
            let server = operation.server.iter().map(|server| format!("on {server}"));
            let expression = operation.webhook.iter().filter_map(|webhook| webhook.expression.clone());
            let alternatives = security.alternatives.iter().map(|(index, scopes)| {
                let scopes = scopes.iter().map(|scopes| scopes.join(" ")).collect::<Vec<_>>().join("; ");
                let scopes =
                    if scopes.trim_matches([';', ' ']).is_empty() { String::new() } else { format!(" ({scopes})") };
                format!("by {}{scopes}", self.api.credentials[*index].rust)
            });
            let anonymous = security.optional.then(|| "by no one".to_owned());
            let pages = operation.pagination.iter().map(|pages| {
                let member =
                    |path: &[crate::ir::Name]| path.iter().map(|name| name.rust.as_str()).collect::<Vec<_>>().join(".");
                let members = &pages.members;
                let total = members.total.iter().map(|total| format!(" of {}", member(total)));
                let next = members.next.iter().map(|next| {
                    let of = if next.is_of_last_item { " of the last" } else { "" };
                    let more = next.more.as_ref().map(|more| format!(" if {}", member(more))).unwrap_or_default();
                    format!(" then {}{of}{more}", member(&next.value))
                });
                let rest: String = total.chain(next).collect();
                format!("pages {:?} {}{rest}", pages.style, member(&members.items))
            });
            let bodies =
                operation.body_discriminators.iter().map(|by| format!("told by {} {:?}", by.member, by.values));
            let told = operation
                .parameter_discriminators()
                .map(|(parameter, by)| format!("told by {} {by:?}", parameter.name.wire));
            for part in
                server.chain(expression).chain(alternatives).chain(anonymous).chain(told).chain(bodies).chain(pages)
            {
                let _ = write!(line, ", {part}");
            }
            lines.push(line);
            lines.extend(operation.parameters.iter().map(|parameter| format!("  {}", self.parameter(parameter))));
            for url in &operation.callback_urls {
                let member = |path: &MemberPath| {
                    path.steps.iter().map(|step| step.name.rust.as_str()).collect::<Vec<_>>().join(".")
                };
                let pieces = url.pieces.iter().map(|piece| match piece {
                    UrlPiece::Text(text) => format!("{text:?}"),
                    UrlPiece::Status => "status".to_owned(),
                    UrlPiece::Parameter(path) => format!("parameter {}", member(path)),
                    UrlPiece::RequestMember(path) => format!("request {}", member(path)),
                    UrlPiece::VariantMember(members) => {
                        let members = members.iter().map(|of| format!("content {} {}", of.content, member(&of.path)));
                        members.collect::<Vec<_>>().join(" or ")
                    }
                    UrlPiece::ResponseMember(path) => format!("response {}", member(path)),
                });
                lines.push(format!("  {}: {}", url.rust, pieces.collect::<Vec<_>>().join(" + ")));
            }
            let contents = operation.request_body.iter().flat_map(|body| &body.contents);
            lines.extend(contents.map(|content| format!("  {}", self.content(content))));
            if let Success::Nothing(Response { rust, headers, .. }) = &operation.responses.success
                && rust == "NoContent"
                && headers.is_empty()
                && operation.responses.failure.responses().is_empty()
            {
                continue;
            }
            let success = match &operation.responses.success {
                Success::Nothing(_) => "nothing",
                Success::Body(_) => "the body",
                Success::Struct { rust, .. } | Success::Enum { rust, .. } => rust,
            };
            let failure = match (&operation.responses.failure, operation.responses.failure.shared()) {
                (Failure::Enum { rust, .. }, _) => rust.clone(),
                (_, Some(value)) => format!("each {}", self.value(value)),
                (_, None) => "undocumented".to_owned(),
            };
            lines.push(format!("  gives {success}, fails {failure}"));
            for response in operation.responses.all() {
                self.response(response, lines);
            }
        }
    }

    fn response(&self, response: &Response, lines: &mut Vec<String>) {
        lines.push(format!("  {}", response.rust));
        lines.extend(response.headers.iter().map(|header| {
            let mark = if header.required { "" } else { "?" };
            let value = self.value(&header.value);
            format!("    {} {}{mark}: {value} {:?}", header.name.wire, header.name.rust, header.shape)
        }));
        lines.extend(response.contents.iter().map(|content| format!("    {}", self.content(content))));
    }

    /// `Json: application/json json i64`
    /// `<pet> { @id, category }`, with the objects inside once.
    fn xml(&self, root: &str) -> String {
        let Some(root) = self.api.xml.roots.iter().find(|known| known.rust == root) else { return String::new() };
        let name = root.name.as_ref().map_or_else(|| "?".to_owned(), xml_name);
        format!("<{name}>{}", self.xml_shape(&root.shape, &mut Vec::new()))
    }

    fn xml_shape(&self, shape: &XmlShape, open: &mut Vec<usize>) -> String {
        match shape {
            XmlShape::Text => String::new(),
            XmlShape::Number => " number".to_owned(),
            XmlShape::Boolean => " boolean".to_owned(),
            XmlShape::List(name, item) => format!(" [<{}>{}]", xml_name(name), self.xml_shape(item, open)),
            XmlShape::Object(index) if open.contains(index) => " …".to_owned(),
            XmlShape::Object(index) => {
                open.push(*index);
                let object = &self.api.xml.objects[*index];
                let members = object.members.iter().map(|member| {
                    let name = xml_name(&member.name);
                    let name = match member.node {
                        XmlNode::Attribute => format!("@{name}"),
                        XmlNode::Element => format!("<{name}>"),
                        XmlNode::Items => format!("<{name}>*"),
                        XmlNode::Text => "text()".to_owned(),
                    };
                    format!("{} = {name}{}", member.json, self.xml_shape(&member.shape, open))
                });
                let mut members: Vec<_> = members.collect();
                match &object.others {
                    XmlOthers::Skipped => {}
                    XmlOthers::Refused => members.push("closed".to_owned()),
                    XmlOthers::Elements(shape) => members.push(format!("* = <*>{}", self.xml_shape(shape, open))),
                }
                open.pop();
                format!(" {{ {} }}", members.join(", "))
            }
        }
    }

    fn content(&self, content: &Content) -> String {
        let kind = match &content.kind {
            ContentKind::Json(value) => format!("json {}", self.value(value)),
            ContentKind::Xml(xml) => format!("xml {} {}", self.value(&xml.value), self.xml(&xml.root)),
            ContentKind::Form(form) => {
                let members = form.members.iter().map(|member| {
                    let spread = if member.spread.is_empty() {
                        String::new()
                    } else {
                        format!(" ({})", member.spread.join(" "))
                    };
                    format!(" {} {}{spread}", member.name, encoding(&member.encoding))
                });
                format!("form {}{}", self.value(&form.value), members.collect::<String>())
            }
            ContentKind::Text(value) => format!("text {}", self.value(value)),
            ContentKind::Bytes => "bytes".to_owned(),
            ContentKind::Events(None) => "text events".to_owned(),
            ContentKind::Events(Some(data)) => format!("events {}", self.value(data)),
            ContentKind::JsonLines(item) => format!("lines {}", self.value(item)),
            ContentKind::Multipart(multipart) => {
                let parts = multipart.parts.iter().map(|part| {
                    let kind = match part.kind {
                        PartKind::File => "file",
                        PartKind::Text => "text",
                        PartKind::Json => "json",
                    };
                    let Part { field, repeated, rules, style, headers, .. } = part;
                    let repeated = if *repeated { "*" } else { "" };
                    let style = style.map(|style| format!(" {style:?}")).unwrap_or_default();
                    let headers = headers
                        .iter()
                        .map(|header| format!(" {}{}", header.name, if header.required { "" } else { "?" }));
                    let value = self.value(&field.value);
                    format!(
                        "{}:{kind}{repeated}{}:{value}{style}{}",
                        field.name.rust,
                        self::rules(rules),
                        headers.collect::<String>()
                    )
                });
                let how = multipart.positional.then(|| "positional".to_owned());
                how.into_iter()
                    .chain(multipart.rules.iter().map(Rule::to_string))
                    .chain(parts)
                    .collect::<Vec<_>>()
                    .join(" ")
            }
        };
        format!("{}: {} {kind}", content.variant, content.media_types.join(" "))
    }

    /// The only operation.
    pub(crate) fn only(&self) -> &Operation {
        self.api.operations().next().expect("the test describes an operation")
    }

    /// A parameter: `query ids?: Vec<i64> Form explode Array`.
    pub(crate) fn parameter(&self, parameter: &Parameter) -> String {
        let encoding = encoding(&parameter.encoding);
        let mark = if parameter.required { "" } else { "?" };
        let place = parameter.location.word();
        let excluded = match parameter.excluded_names.as_slice() {
            [] => String::new(),
            names => format!(" but {}", names.join(" ")),
        };
        format!("{place} {}{mark}: {} {encoding}{excluded}", parameter.name.rust, self.value(&parameter.value))
    }
}

fn encoding(encoding: &ParameterEncoding) -> String {
    match encoding {
        ParameterEncoding::Json => "json".to_owned(),
        ParameterEncoding::JsonItems => "items as json".to_owned(),
        ParameterEncoding::Style { style, explode, allow_reserved, shape } => {
            let explode = if *explode { " explode" } else { "" };
            let reserved = if *allow_reserved { " reserved" } else { "" };
            format!("{style:?}{explode}{reserved} {shape:?}")
        }
    }
}

/// `(minItems: 2)`
/// A name that differs from the one before it.
fn another(kind: &str, name: &str, from: &str) -> String {
    if name == from { String::new() } else { format!(" {kind} {name}") }
}

fn rules(rules: &[Rule]) -> String {
    let rules: Vec<_> = rules.iter().map(Rule::to_string).collect();
    if rules.is_empty() { String::new() } else { format!("({})", rules.join(", ")) }
}

/// `p:name`, with `{namespace}` in front.
fn xml_name(name: &XmlName) -> String {
    let namespace = name.namespace.as_ref().map(|namespace| format!("{{{namespace}}}"));
    let prefix = name.prefix.as_ref().map(|prefix| format!("{prefix}:"));
    [namespace, prefix, Some(name.local.clone())].into_iter().flatten().collect()
}
