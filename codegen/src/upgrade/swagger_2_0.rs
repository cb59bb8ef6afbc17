//! The Objects of Swagger 2.0, in the order of the specification.

mod convert;
mod rules;
mod schema;

pub(super) use convert::upgrade;

pub(super) use schema::SCHEMA;

use super::openapi_3_0::rules as rules_3_0;
use super::openapi_3_0::{DESCRIPTION, EXTERNAL_DOCS, INFO, SECURITY, TAG};
use super::shape::{Field, Object, Shape, detail, optional, required};

/// The whole document.
pub(super) static SWAGGER: Object = Object::new("Swagger").rule(rules::swagger).fields(&[
    required(&["swagger"], Shape::String),
    required(&["info"], Shape::Object(&INFO)),
    optional(&["host", "basePath"], Shape::String),
    optional(&["schemes"], SCHEMES),
    optional(&["consumes", "produces"], MEDIA_TYPES),
    required(&["paths"], Shape::Object(&PATHS)),
    optional(&["definitions"], Shape::Map(&Shape::Object(&SCHEMA))),
    optional(&["parameters"], Shape::Map(&Shape::Object(&PARAMETER))),
    optional(&["responses"], Shape::Map(&Shape::Object(&RESPONSE))),
    optional(&["securityDefinitions"], Shape::Map(&Shape::Object(&SECURITY_SCHEME))),
    optional(&["security"], SECURITY),
    optional(&["tags"], Shape::Array(&Shape::Object(&TAG))),
    EXTERNAL_DOCS,
]);

const SCHEMES: Shape = Shape::Array(&Shape::OneOf(&["http", "https", "ws", "wss"]));
const MEDIA_TYPES: Shape = Shape::Array(&Shape::String);

static PATHS: Object = Object::new("Paths").others(Shape::Object(&PATH_ITEM)).rule(rules_3_0::paths);

/// The fields of a Path Item that hold an operation.
const METHODS: &[&str] = &["get", "put", "post", "delete", "options", "head", "patch"];

static PATH_ITEM: Object = Object::new("Path Item").referable().fields(&[
    optional(&["get", "put", "post", "delete", "options", "head", "patch"], Shape::Object(&OPERATION)),
    optional(&["parameters"], PARAMETERS),
]);

const PARAMETERS: Shape = Shape::Array(&Shape::Object(&PARAMETER));

static OPERATION: Object = Object::new("Operation").rule(rules::operation).fields(&[
    optional(&["tags"], Shape::Array(&Shape::String)),
    detail(&["summary"], Shape::String),
    DESCRIPTION,
    EXTERNAL_DOCS,
    optional(&["operationId"], Shape::String),
    optional(&["consumes", "produces"], MEDIA_TYPES),
    optional(&["parameters"], PARAMETERS),
    required(&["responses"], Shape::Object(&RESPONSES)),
    optional(&["schemes"], SCHEMES),
    optional(&["deprecated"], Shape::Boolean),
    optional(&["security"], SECURITY),
]);

static PARAMETER: Object = Object::new("Parameter").rule(rules::parameter).referable().fields(&[
    required(&["name"], Shape::String),
    required(&["in"], Shape::OneOf(&["query", "header", "path", "formData", "body"])),
    DESCRIPTION,
    // The last two are keywords of OpenAPI 3.0, handled by the rule.
    optional(&["required", "allowEmptyValue", "nullable", "deprecated"], Shape::Boolean),
    optional(&["schema"], Shape::Object(&SCHEMA)),
    optional(&["type"], Shape::OneOf(&["string", "number", "integer", "boolean", "array", "file"])),
    TEXTS,
    NUMBERS,
    COUNTS,
    FLAGS,
    DEFAULT,
    ENUM,
    optional(&["items"], Shape::Object(&ITEMS)),
    optional(&["collectionFormat"], Shape::OneOf(&["csv", "ssv", "tsv", "pipes", "multi"])),
    detail(&["example"], Shape::Any),
]);

/// Constraints of parameters, headers, items and schemas.
const NUMBERS: Field = optional(&["maximum", "minimum", "multipleOf"], Shape::Number);
const COUNTS: Field = optional(&["maxLength", "minLength", "maxItems", "minItems"], Shape::Count);
const FLAGS: Field = optional(&["exclusiveMaximum", "exclusiveMinimum", "uniqueItems"], Shape::Boolean);
const TEXTS: Field = optional(&["format", "pattern"], Shape::String);
const DEFAULT: Field = optional(&["default"], Shape::Any);
const ENUM: Field = optional(&["enum"], Shape::Array(&Shape::Any));

/// Items; a reference here is a mistake with an obvious meaning.
static ITEMS: Object = Object::new("Items").rule(rules::items).referable().fields(&[
    TEXTS,
    NUMBERS,
    COUNTS,
    FLAGS,
    DEFAULT,
    ENUM,
    optional(&["type"], Shape::OneOf(&["string", "number", "integer", "boolean", "array"])),
    optional(&["items"], Shape::Object(&ITEMS)),
    optional(&["collectionFormat"], Shape::OneOf(&["csv", "ssv", "tsv", "pipes"])),
    // Only headers have these, but they are common here, too.
    DESCRIPTION,
    detail(&["example"], Shape::Any),
]);

static HEADER: Object = Object::new("Header").rule(rules::header).fields(ITEMS.fields);

static RESPONSES: Object = Object::new("Responses")
    .others(Shape::Object(&RESPONSE))
    .rule(rules_3_0::responses)
    .fields(&[optional(&["default"], Shape::Object(&RESPONSE))]);

static RESPONSE: Object = Object::new("Response").rule(rules_3_0::response).referable().fields(&[
    DESCRIPTION,
    optional(&["schema"], Shape::Object(&SCHEMA)),
    optional(&["headers"], Shape::Map(&Shape::Object(&HEADER))),
    detail(&["examples"], Shape::Map(&Shape::Any)),
]);

static SECURITY_SCHEME: Object = Object::new("Security Scheme").rule(rules::security_scheme).fields(&[
    required(&["type"], Shape::OneOf(&["basic", "apiKey", "oauth2"])),
    DESCRIPTION,
    optional(&["name", "authorizationUrl", "tokenUrl"], Shape::String),
    optional(&["in"], Shape::OneOf(&["query", "header"])),
    optional(&["flow"], Shape::OneOf(&["implicit", "password", "application", "accessCode"])),
    optional(&["scopes"], Shape::Map(&Shape::String)),
]);
