//! The Objects of Swagger 2.0, in the order of the specification.

mod convert;
mod rules;
mod schema;

pub(super) use convert::upgrade;

pub(super) use schema::SCHEMA;

use super::openapi_3_0::rules as rules_3_0;
use super::openapi_3_0::{DESCRIPTION, EXTERNAL_DOCS, INFO, SECURITY, TAG};
use super::structure::{Field, Object, Shape, detail, optional, required};

/// The whole document.
pub(super) static SWAGGER: Object = Object {
    name: "Swagger",
    fields: &[
        required("swagger", Shape::String),
        required("info", Shape::Object(&INFO)),
        optional("host", Shape::String),
        optional("basePath", Shape::String),
        optional("schemes", SCHEMES),
        optional("consumes", MEDIA_TYPES),
        optional("produces", MEDIA_TYPES),
        required("paths", Shape::Object(&PATHS)),
        optional("definitions", Shape::Map(&Shape::Object(&SCHEMA))),
        optional("parameters", Shape::Map(&Shape::Object(&PARAMETER))),
        optional("responses", Shape::Map(&Shape::Object(&RESPONSE))),
        optional("securityDefinitions", Shape::Map(&Shape::Object(&SECURITY_SCHEME))),
        optional("security", SECURITY),
        optional("tags", Shape::Array(&Shape::Object(&TAG))),
        EXTERNAL_DOCS,
    ],
    others: None,
    rule: Some(rules::swagger),
    reference: false,
};

const SCHEMES: Shape = Shape::Array(&Shape::OneOf(&["http", "https", "ws", "wss"]));
const MEDIA_TYPES: Shape = Shape::Array(&Shape::String);

static PATHS: Object = Object {
    name: "Paths",
    fields: &[],
    others: Some(Shape::Object(&PATH_ITEM)),
    rule: Some(rules_3_0::paths),
    reference: false,
};

/// The fields of a Path Item that hold an operation.
const METHODS: &[&str] = &["get", "put", "post", "delete", "options", "head", "patch"];

static PATH_ITEM: Object = Object {
    name: "Path Item",
    fields: &[
        optional("get", Shape::Object(&OPERATION)),
        optional("put", Shape::Object(&OPERATION)),
        optional("post", Shape::Object(&OPERATION)),
        optional("delete", Shape::Object(&OPERATION)),
        optional("options", Shape::Object(&OPERATION)),
        optional("head", Shape::Object(&OPERATION)),
        optional("patch", Shape::Object(&OPERATION)),
        optional("parameters", PARAMETERS),
    ],
    others: None,
    rule: None,
    reference: true,
};

const PARAMETERS: Shape = Shape::Array(&Shape::Object(&PARAMETER));

static OPERATION: Object = Object {
    name: "Operation",
    fields: &[
        optional("tags", Shape::Array(&Shape::String)),
        detail("summary", Shape::String),
        DESCRIPTION,
        EXTERNAL_DOCS,
        optional("operationId", Shape::String),
        optional("consumes", MEDIA_TYPES),
        optional("produces", MEDIA_TYPES),
        optional("parameters", PARAMETERS),
        required("responses", Shape::Object(&RESPONSES)),
        optional("schemes", SCHEMES),
        optional("deprecated", Shape::Boolean),
        optional("security", SECURITY),
    ],
    others: None,
    rule: Some(rules::operation),
    reference: false,
};

static PARAMETER: Object = Object {
    name: "Parameter",
    fields: &[
        required("name", Shape::String),
        required("in", Shape::OneOf(&["query", "header", "path", "formData", "body"])),
        DESCRIPTION,
        optional("required", Shape::Boolean),
        optional("schema", Shape::Object(&SCHEMA)),
        optional("allowEmptyValue", Shape::Boolean),
        optional("type", Shape::OneOf(&["string", "number", "integer", "boolean", "array", "file"])),
        FORMAT,
        optional("items", Shape::Object(&ITEMS)),
        optional("collectionFormat", Shape::OneOf(&["csv", "ssv", "tsv", "pipes", "multi"])),
        DEFAULT,
        MAXIMUM,
        EXCLUSIVE_MAXIMUM,
        MINIMUM,
        EXCLUSIVE_MINIMUM,
        MAX_LENGTH,
        MIN_LENGTH,
        PATTERN,
        MAX_ITEMS,
        MIN_ITEMS,
        UNIQUE_ITEMS,
        ENUM,
        MULTIPLE_OF,
        // Words of OpenAPI 3.0, which the rule speaks of.
        optional("deprecated", Shape::Boolean),
        optional("nullable", Shape::Boolean),
        detail("example", Shape::Any),
    ],
    others: None,
    rule: Some(rules::parameter),
    reference: true,
};

const FORMAT: Field = optional("format", Shape::String);
const DEFAULT: Field = optional("default", Shape::Any);
const MAXIMUM: Field = optional("maximum", Shape::Number);
const EXCLUSIVE_MAXIMUM: Field = optional("exclusiveMaximum", Shape::Boolean);
const MINIMUM: Field = optional("minimum", Shape::Number);
const EXCLUSIVE_MINIMUM: Field = optional("exclusiveMinimum", Shape::Boolean);
const MAX_LENGTH: Field = optional("maxLength", Shape::Count);
const MIN_LENGTH: Field = optional("minLength", Shape::Count);
const PATTERN: Field = optional("pattern", Shape::String);
const MAX_ITEMS: Field = optional("maxItems", Shape::Count);
const MIN_ITEMS: Field = optional("minItems", Shape::Count);
const UNIQUE_ITEMS: Field = optional("uniqueItems", Shape::Boolean);
const ENUM: Field = optional("enum", Shape::Array(&Shape::Any));
const MULTIPLE_OF: Field = optional("multipleOf", Shape::Number);

/// A reference in its place is a mistake with an obvious meaning.
static ITEMS: Object = Object {
    name: "Items",
    // Only headers have a `description` and an example, but many write them here as well.
    fields: &[
        DESCRIPTION,
        optional("type", Shape::OneOf(&["string", "number", "integer", "boolean", "array"])),
        FORMAT,
        optional("items", Shape::Object(&ITEMS)),
        optional("collectionFormat", Shape::OneOf(&["csv", "ssv", "tsv", "pipes"])),
        DEFAULT,
        MAXIMUM,
        EXCLUSIVE_MAXIMUM,
        MINIMUM,
        EXCLUSIVE_MINIMUM,
        MAX_LENGTH,
        MIN_LENGTH,
        PATTERN,
        MAX_ITEMS,
        MIN_ITEMS,
        UNIQUE_ITEMS,
        ENUM,
        MULTIPLE_OF,
        detail("example", Shape::Any),
    ],
    others: None,
    rule: Some(rules::items),
    reference: true,
};

static HEADER: Object =
    Object { name: "Header", fields: ITEMS.fields, others: None, rule: Some(rules::header), reference: false };

static RESPONSES: Object = Object {
    name: "Responses",
    fields: &[optional("default", Shape::Object(&RESPONSE))],
    others: Some(Shape::Object(&RESPONSE)),
    rule: Some(rules_3_0::responses),
    reference: false,
};

static RESPONSE: Object = Object {
    name: "Response",
    fields: &[
        DESCRIPTION,
        optional("schema", Shape::Object(&SCHEMA)),
        optional("headers", Shape::Map(&Shape::Object(&HEADER))),
        detail("examples", Shape::Map(&Shape::Any)),
    ],
    others: None,
    rule: Some(rules_3_0::response),
    reference: true,
};

static SECURITY_SCHEME: Object = Object {
    name: "Security Scheme",
    fields: &[
        required("type", Shape::OneOf(&["basic", "apiKey", "oauth2"])),
        DESCRIPTION,
        optional("name", Shape::String),
        optional("in", Shape::OneOf(&["query", "header"])),
        optional("flow", Shape::OneOf(&["implicit", "password", "application", "accessCode"])),
        optional("authorizationUrl", Shape::String),
        optional("tokenUrl", Shape::String),
        optional("scopes", Shape::Map(&Shape::String)),
    ],
    others: None,
    rule: Some(rules::security_scheme),
    reference: false,
};
