//! The Objects of OpenAPI 3.0 and what later versions add to them, in the order of the specification.

pub(super) mod rules;
pub(super) mod schema;

pub(super) use schema::{DISCRIMINATOR, SCHEMA, XML, repair};

use super::structure::Need::{Detail, Optional, Required};
use super::structure::{Field, Object, Shape, detail, optional, required, since};
use super::version::Version::{OpenApi3_0, OpenApi3_1, OpenApi3_2};

/// An Object with fixed fields only.
pub(super) const fn object(name: &'static str, fields: &'static [Field]) -> Object {
    Object { name, fields, others: None, rule: None, reference: false }
}

/// An Object that may be replaced by a reference.
pub(super) const fn referable(name: &'static str, fields: &'static [Field]) -> Object {
    Object { name, fields, others: None, rule: None, reference: true }
}

/// The whole document.
pub(super) static OPENAPI: Object = Object {
    name: "OpenAPI",
    fields: &[
        required("openapi", Shape::String),
        since(OpenApi3_2, optional("$self", Shape::String)),
        required("info", Shape::Object(&INFO)),
        since(OpenApi3_1, detail("jsonSchemaDialect", Shape::String)),
        detail("servers", SERVERS),
        required("paths", Shape::Object(&PATHS)),
        since(OpenApi3_1, optional("webhooks", Shape::Map(&Shape::Object(&PATH_ITEM)))),
        optional("components", Shape::Object(&COMPONENTS)),
        optional("security", SECURITY),
        detail("tags", Shape::Array(&Shape::Object(&TAG))),
        EXTERNAL_DOCS,
    ],
    others: None,
    rule: Some(rules::openapi),
    reference: false,
};

const SERVERS: Shape = Shape::Array(&Shape::Object(&SERVER));
pub(super) const SECURITY: Shape = Shape::Array(&Shape::Map(&Shape::Array(&Shape::String)));
pub(super) const EXTERNAL_DOCS: Field = detail("externalDocs", Shape::Object(&EXTERNAL_DOCUMENTATION));
pub(super) const DESCRIPTION: Field = detail("description", Shape::String);

pub(super) static INFO: Object = Object {
    name: "Info",
    fields: &[
        required("title", Shape::String),
        since(OpenApi3_1, detail("summary", Shape::String)),
        DESCRIPTION,
        detail("termsOfService", Shape::String),
        detail("contact", Shape::Object(&CONTACT)),
        detail("license", Shape::Object(&LICENSE)),
        required("version", Shape::String),
    ],
    others: None,
    rule: Some(rules::info),
    reference: false,
};

static CONTACT: Object =
    object("Contact", &[detail("name", Shape::String), detail("url", Shape::String), detail("email", Shape::String)]);

static LICENSE: Object = object(
    "License",
    &[
        required("name", Shape::String),
        since(OpenApi3_1, detail("identifier", Shape::String)),
        detail("url", Shape::String),
    ],
);

static SERVER: Object = object(
    "Server",
    &[
        required("url", Shape::String),
        DESCRIPTION,
        since(OpenApi3_2, detail("name", Shape::String)),
        optional("variables", Shape::Map(&Shape::Object(&SERVER_VARIABLE))),
    ],
);

static SERVER_VARIABLE: Object = object(
    "Server Variable",
    &[optional("enum", Shape::Array(&Shape::String)), required("default", Shape::String), DESCRIPTION],
);

static COMPONENTS: Object = object(
    "Components",
    &[
        optional("schemas", Shape::Map(&Shape::Schema)),
        optional("responses", Shape::Map(&Shape::Object(&RESPONSE))),
        optional("parameters", Shape::Map(&Shape::Object(&PARAMETER))),
        detail("examples", Shape::Map(&Shape::Object(&EXAMPLE))),
        optional("requestBodies", Shape::Map(&Shape::Object(&REQUEST_BODY))),
        optional("headers", Shape::Map(&Shape::Object(&HEADER))),
        optional("securitySchemes", Shape::Map(&Shape::Object(&SECURITY_SCHEME))),
        detail("links", Shape::Map(&Shape::Object(&LINK))),
        optional("callbacks", Shape::Map(&Shape::Object(&CALLBACK))),
        since(OpenApi3_1, optional("pathItems", Shape::Map(&Shape::Object(&PATH_ITEM)))),
        since(OpenApi3_2, optional("mediaTypes", Shape::Map(&Shape::Object(&MEDIA_TYPE)))),
    ],
);

static PATHS: Object = Object {
    name: "Paths",
    fields: &[],
    others: Some(Shape::Object(&PATH_ITEM)),
    rule: Some(rules::paths),
    reference: false,
};

pub(super) static PATH_ITEM: Object = referable(
    "Path Item",
    &[
        detail("summary", Shape::String),
        DESCRIPTION,
        optional("get", Shape::Object(&OPERATION)),
        optional("put", Shape::Object(&OPERATION)),
        optional("post", Shape::Object(&OPERATION)),
        optional("delete", Shape::Object(&OPERATION)),
        optional("options", Shape::Object(&OPERATION)),
        optional("head", Shape::Object(&OPERATION)),
        optional("patch", Shape::Object(&OPERATION)),
        optional("trace", Shape::Object(&OPERATION)),
        since(OpenApi3_2, optional("query", Shape::Object(&OPERATION))),
        since(OpenApi3_2, optional("additionalOperations", Shape::Map(&Shape::Object(&OPERATION)))),
        detail("servers", SERVERS),
        optional("parameters", Shape::Array(&Shape::Object(&PARAMETER))),
    ],
);

pub(super) static OPERATION: Object = Object {
    name: "Operation",
    fields: &[
        optional("tags", Shape::Array(&Shape::String)),
        detail("summary", Shape::String),
        DESCRIPTION,
        EXTERNAL_DOCS,
        optional("operationId", Shape::String),
        optional("parameters", Shape::Array(&Shape::Object(&PARAMETER))),
        optional("requestBody", Shape::Object(&REQUEST_BODY)),
        required("responses", Shape::Object(&RESPONSES)),
        optional("callbacks", Shape::Map(&Shape::Object(&CALLBACK))),
        optional("deprecated", Shape::Boolean),
        optional("security", SECURITY),
        detail("servers", SERVERS),
    ],
    others: None,
    rule: Some(rules::operation),
    reference: false,
};

static EXTERNAL_DOCUMENTATION: Object =
    object("External Documentation", &[DESCRIPTION, required("url", Shape::String)]);

pub(super) static PARAMETER: Object = Object {
    name: "Parameter",
    fields: &[
        required("name", Shape::String),
        required("in", Shape::OneOf(&["query", "header", "path", "cookie"])),
        DESCRIPTION,
        optional("required", Shape::Boolean),
        optional("deprecated", Shape::Boolean),
        optional("allowEmptyValue", Shape::Boolean),
        optional("style", Shape::String),
        optional("explode", Shape::Boolean),
        optional("allowReserved", Shape::Boolean),
        optional("schema", Shape::Schema),
        optional("content", Shape::Map(&Shape::Object(&MEDIA_TYPE))),
        detail("example", Shape::Any),
        detail("examples", Shape::Map(&Shape::Object(&EXAMPLE))),
    ],
    others: None,
    rule: Some(rules::parameter),
    reference: true,
};

pub(super) static REQUEST_BODY: Object = Object {
    name: "Request Body",
    fields: &[
        DESCRIPTION,
        required("content", Shape::Map(&Shape::Object(&MEDIA_TYPE))),
        optional("required", Shape::Boolean),
    ],
    others: None,
    rule: Some(rules::request_body),
    reference: true,
};

static MEDIA_TYPE: Object = referable(
    "Media Type",
    &[
        optional("schema", Shape::Schema),
        since(OpenApi3_2, optional("itemSchema", Shape::Schema)),
        detail("example", Shape::Any),
        detail("examples", Shape::Map(&Shape::Object(&EXAMPLE))),
        optional("encoding", Shape::Map(&Shape::Object(&ENCODING))),
        since(OpenApi3_2, optional("prefixEncoding", Shape::Array(&Shape::Object(&ENCODING)))),
        since(OpenApi3_2, optional("itemEncoding", Shape::Object(&ENCODING))),
    ],
);

static ENCODING: Object = object(
    "Encoding",
    &[
        optional("contentType", Shape::String),
        optional("headers", Shape::Map(&Shape::Object(&HEADER))),
        optional("style", Shape::OneOf(&["form", "spaceDelimited", "pipeDelimited", "deepObject"])),
        optional("explode", Shape::Boolean),
        optional("allowReserved", Shape::Boolean),
        since(OpenApi3_2, optional("encoding", Shape::Map(&Shape::Object(&ENCODING)))),
        since(OpenApi3_2, optional("prefixEncoding", Shape::Array(&Shape::Object(&ENCODING)))),
        since(OpenApi3_2, optional("itemEncoding", Shape::Object(&ENCODING))),
    ],
);

static RESPONSES: Object = Object {
    name: "Responses",
    fields: &[optional("default", Shape::Object(&RESPONSE))],
    others: Some(Shape::Object(&RESPONSE)),
    rule: Some(rules::responses),
    reference: false,
};

pub(super) static RESPONSE: Object = Object {
    name: "Response",
    fields: &[
        since(OpenApi3_2, detail("summary", Shape::String)),
        DESCRIPTION,
        optional("headers", Shape::Map(&Shape::Object(&HEADER))),
        optional("content", Shape::Map(&Shape::Object(&MEDIA_TYPE))),
        detail("links", Shape::Map(&Shape::Object(&LINK))),
    ],
    others: None,
    rule: Some(rules::response),
    reference: true,
};

static CALLBACK: Object =
    Object { name: "Callback", fields: &[], others: Some(Shape::Object(&PATH_ITEM)), rule: None, reference: true };

static EXAMPLE: Object = referable(
    "Example",
    &[
        detail("summary", Shape::String),
        detail("description", Shape::String),
        detail("value", Shape::Any),
        detail("externalValue", Shape::String),
        since(OpenApi3_2, detail("dataValue", Shape::Any)),
        since(OpenApi3_2, detail("serializedValue", Shape::String)),
    ],
);

static LINK: Object = Object {
    name: "Link",
    fields: &[
        optional("operationRef", Shape::String),
        optional("operationId", Shape::String),
        optional("parameters", Shape::Map(&Shape::Any)),
        optional("requestBody", Shape::Any),
        DESCRIPTION,
        optional("server", Shape::Object(&SERVER)),
    ],
    others: None,
    rule: Some(rules::link),
    reference: true,
};

pub(super) static HEADER: Object = Object {
    name: "Header",
    fields: &[
        DESCRIPTION,
        optional("required", Shape::Boolean),
        optional("deprecated", Shape::Boolean),
        optional("style", Shape::OneOf(&["simple"])),
        optional("explode", Shape::Boolean),
        optional("schema", Shape::Schema),
        optional("content", Shape::Map(&Shape::Object(&MEDIA_TYPE))),
        detail("example", Shape::Any),
        detail("examples", Shape::Map(&Shape::Object(&EXAMPLE))),
    ],
    others: None,
    rule: Some(rules::header),
    reference: true,
};

pub(super) static TAG: Object = object(
    "Tag",
    &[
        required("name", Shape::String),
        since(OpenApi3_2, detail("summary", Shape::String)),
        DESCRIPTION,
        EXTERNAL_DOCS,
        since(OpenApi3_2, detail("parent", Shape::String)),
        since(OpenApi3_2, detail("kind", Shape::String)),
    ],
);

pub(super) static SECURITY_SCHEME: Object = Object {
    name: "Security Scheme",
    fields: &[
        required("type", Shape::OneOf(&["apiKey", "http", "mutualTLS", "oauth2", "openIdConnect"])),
        DESCRIPTION,
        optional("name", Shape::String),
        optional("in", Shape::OneOf(&["query", "header", "cookie"])),
        optional("scheme", Shape::String),
        optional("bearerFormat", Shape::String),
        detail("flows", Shape::Object(&OAUTH_FLOWS)),
        detail("openIdConnectUrl", Shape::String),
        since(OpenApi3_2, detail("oauth2MetadataUrl", Shape::String)),
        since(OpenApi3_2, optional("deprecated", Shape::Boolean)),
    ],
    others: None,
    rule: Some(rules::security_scheme),
    reference: true,
};

static OAUTH_FLOWS: Object = object(
    "OAuth Flows",
    &[
        optional("implicit", Shape::Object(&IMPLICIT_FLOW)),
        optional("password", Shape::Object(&PASSWORD_FLOW)),
        optional("clientCredentials", Shape::Object(&CLIENT_CREDENTIALS_FLOW)),
        optional("authorizationCode", Shape::Object(&AUTHORIZATION_CODE_FLOW)),
        since(OpenApi3_2, optional("deviceAuthorization", Shape::Object(&DEVICE_AUTHORIZATION_FLOW))),
    ],
);

/// The four flows differ in which URLs they need.
const fn flow(authorization: super::structure::Need, token: super::structure::Need) -> [Field; 4] {
    [
        Field { name: "authorizationUrl", shape: Shape::String, need: authorization, since: OpenApi3_0 },
        Field { name: "tokenUrl", shape: Shape::String, need: token, since: OpenApi3_0 },
        optional("refreshUrl", Shape::String),
        required("scopes", Shape::Map(&Shape::String)),
    ]
}

static IMPLICIT_FLOW: Object = object("OAuth Flow", &const { flow(Required, Optional) });
static PASSWORD_FLOW: Object = object("OAuth Flow", &const { flow(Detail, Required) });
static CLIENT_CREDENTIALS_FLOW: Object = object("OAuth Flow", &const { flow(Detail, Required) });
static AUTHORIZATION_CODE_FLOW: Object = object("OAuth Flow", &const { flow(Required, Required) });
static DEVICE_AUTHORIZATION_FLOW: Object = object(
    "OAuth Flow",
    &[
        required("deviceAuthorizationUrl", Shape::String),
        required("tokenUrl", Shape::String),
        optional("refreshUrl", Shape::String),
        required("scopes", Shape::Map(&Shape::String)),
    ],
);
