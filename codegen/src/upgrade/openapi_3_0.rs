//! The Objects of OpenAPI 3.0 and what later versions add to them, in the order of the specification.

pub(super) mod rules;
pub(super) mod schema;

pub(super) use schema::{DISCRIMINATOR, SCHEMA, XML, repair};

use super::shape::{Field, Object, Shape, detail, optional, required, since};
use super::version::Version::{OpenApi3_1, OpenApi3_2};

/// The whole document.
pub(super) static OPENAPI: Object = Object::new("OpenAPI").rule(rules::openapi).fields(&[
    required(&["openapi"], Shape::String),
    since(OpenApi3_2, optional(&["$self"], Shape::String)),
    required(&["info"], Shape::Object(&INFO)),
    since(OpenApi3_1, detail(&["jsonSchemaDialect"], Shape::String)),
    detail(&["servers"], SERVERS),
    required(&["paths"], Shape::Object(&PATHS)),
    since(OpenApi3_1, optional(&["webhooks"], Shape::Map(&Shape::Object(&PATH_ITEM)))),
    optional(&["components"], Shape::Object(&COMPONENTS)),
    optional(&["security"], SECURITY),
    detail(&["tags"], Shape::Array(&Shape::Object(&TAG))),
    EXTERNAL_DOCS,
]);

const SERVERS: Shape = Shape::Array(&Shape::Object(&SERVER));
pub(super) const SECURITY: Shape = Shape::Array(&Shape::Map(&Shape::Array(&Shape::String)));
pub(super) const EXTERNAL_DOCS: Field = detail(&["externalDocs"], Shape::Object(&EXTERNAL_DOCUMENTATION));
pub(super) const DESCRIPTION: Field = detail(&["description"], Shape::String);

pub(super) static INFO: Object = Object::new("Info").rule(rules::info).fields(&[
    required(&["title", "version"], Shape::String),
    since(OpenApi3_1, detail(&["summary"], Shape::String)),
    DESCRIPTION,
    detail(&["termsOfService"], Shape::String),
    detail(&["contact"], Shape::Object(&CONTACT)),
    detail(&["license"], Shape::Object(&LICENSE)),
]);

static CONTACT: Object = Object::new("Contact").fields(&[detail(&["name", "url", "email"], Shape::String)]);

static LICENSE: Object = Object::new("License").fields(&[
    required(&["name"], Shape::String),
    since(OpenApi3_1, detail(&["identifier"], Shape::String)),
    detail(&["url"], Shape::String),
]);

static SERVER: Object = Object::new("Server").fields(&[
    required(&["url"], Shape::String),
    DESCRIPTION,
    since(OpenApi3_2, detail(&["name"], Shape::String)),
    optional(&["variables"], Shape::Map(&Shape::Object(&SERVER_VARIABLE))),
]);

static SERVER_VARIABLE: Object = Object::new("Server Variable").fields(&[
    optional(&["enum"], Shape::Array(&Shape::String)),
    required(&["default"], Shape::String),
    DESCRIPTION,
]);

static COMPONENTS: Object = Object::new("Components").fields(&[
    optional(&["schemas"], Shape::Map(&Shape::Schema)),
    optional(&["responses"], Shape::Map(&Shape::Object(&RESPONSE))),
    optional(&["parameters"], Shape::Map(&Shape::Object(&PARAMETER))),
    detail(&["examples"], Shape::Map(&Shape::Object(&EXAMPLE))),
    optional(&["requestBodies"], Shape::Map(&Shape::Object(&REQUEST_BODY))),
    optional(&["headers"], Shape::Map(&Shape::Object(&HEADER))),
    optional(&["securitySchemes"], Shape::Map(&Shape::Object(&SECURITY_SCHEME))),
    detail(&["links"], Shape::Map(&Shape::Object(&LINK))),
    optional(&["callbacks"], Shape::Map(&Shape::Object(&CALLBACK))),
    since(OpenApi3_1, optional(&["pathItems"], Shape::Map(&Shape::Object(&PATH_ITEM)))),
    since(OpenApi3_2, optional(&["mediaTypes"], Shape::Map(&Shape::Object(&MEDIA_TYPE)))),
]);

static PATHS: Object = Object::new("Paths").others(Shape::Object(&PATH_ITEM)).rule(rules::paths);

pub(super) static PATH_ITEM: Object = Object::new("Path Item").referable().fields(&[
    detail(&["summary"], Shape::String),
    DESCRIPTION,
    optional(&["get", "put", "post", "delete", "options", "head", "patch", "trace"], Shape::Object(&OPERATION)),
    since(OpenApi3_2, optional(&["query"], Shape::Object(&OPERATION))),
    since(OpenApi3_2, optional(&["additionalOperations"], Shape::Map(&Shape::Object(&OPERATION)))),
    detail(&["servers"], SERVERS),
    optional(&["parameters"], Shape::Array(&Shape::Object(&PARAMETER))),
]);

pub(super) static OPERATION: Object = Object::new("Operation").rule(rules::operation).fields(&[
    optional(&["tags"], Shape::Array(&Shape::String)),
    detail(&["summary"], Shape::String),
    DESCRIPTION,
    EXTERNAL_DOCS,
    optional(&["operationId"], Shape::String),
    optional(&["parameters"], Shape::Array(&Shape::Object(&PARAMETER))),
    optional(&["requestBody"], Shape::Object(&REQUEST_BODY)),
    required(&["responses"], Shape::Object(&RESPONSES)),
    optional(&["callbacks"], Shape::Map(&Shape::Object(&CALLBACK))),
    optional(&["deprecated"], Shape::Boolean),
    optional(&["security"], SECURITY),
    detail(&["servers"], SERVERS),
]);

static EXTERNAL_DOCUMENTATION: Object =
    Object::new("External Documentation").fields(&[DESCRIPTION, required(&["url"], Shape::String)]);

pub(super) static PARAMETER: Object = Object::new("Parameter").rule(rules::parameter).referable().fields(&[
    required(&["name"], Shape::String),
    required(&["in"], Shape::OneOf(&["query", "header", "path", "cookie"])),
    DESCRIPTION,
    optional(&["required", "deprecated", "allowEmptyValue", "explode", "allowReserved"], Shape::Boolean),
    optional(&["style"], Shape::String),
    optional(&["schema"], Shape::Schema),
    optional(&["content"], Shape::Map(&Shape::Object(&MEDIA_TYPE))),
    detail(&["example"], Shape::Any),
    detail(&["examples"], Shape::Map(&Shape::Object(&EXAMPLE))),
]);

pub(super) static REQUEST_BODY: Object = Object::new("Request Body").rule(rules::request_body).referable().fields(&[
    DESCRIPTION,
    required(&["content"], Shape::Map(&Shape::Object(&MEDIA_TYPE))),
    optional(&["required"], Shape::Boolean),
]);

static MEDIA_TYPE: Object = Object::new("Media Type").referable().fields(&[
    optional(&["schema"], Shape::Schema),
    since(OpenApi3_2, optional(&["itemSchema"], Shape::Schema)),
    detail(&["example"], Shape::Any),
    detail(&["examples"], Shape::Map(&Shape::Object(&EXAMPLE))),
    optional(&["encoding"], Shape::Map(&Shape::Object(&ENCODING))),
    since(OpenApi3_2, optional(&["prefixEncoding"], Shape::Array(&Shape::Object(&ENCODING)))),
    since(OpenApi3_2, optional(&["itemEncoding"], Shape::Object(&ENCODING))),
]);

static ENCODING: Object = Object::new("Encoding").fields(&[
    optional(&["contentType"], Shape::String),
    optional(&["headers"], Shape::Map(&Shape::Object(&HEADER))),
    optional(&["style"], Shape::OneOf(&["form", "spaceDelimited", "pipeDelimited", "deepObject"])),
    optional(&["explode", "allowReserved"], Shape::Boolean),
    since(OpenApi3_2, optional(&["encoding"], Shape::Map(&Shape::Object(&ENCODING)))),
    since(OpenApi3_2, optional(&["prefixEncoding"], Shape::Array(&Shape::Object(&ENCODING)))),
    since(OpenApi3_2, optional(&["itemEncoding"], Shape::Object(&ENCODING))),
]);

static RESPONSES: Object = Object::new("Responses")
    .others(Shape::Object(&RESPONSE))
    .rule(rules::responses)
    .fields(&[optional(&["default"], Shape::Object(&RESPONSE))]);

pub(super) static RESPONSE: Object = Object::new("Response").rule(rules::response).referable().fields(&[
    since(OpenApi3_2, detail(&["summary"], Shape::String)),
    DESCRIPTION,
    optional(&["headers"], Shape::Map(&Shape::Object(&HEADER))),
    optional(&["content"], Shape::Map(&Shape::Object(&MEDIA_TYPE))),
    detail(&["links"], Shape::Map(&Shape::Object(&LINK))),
]);

static CALLBACK: Object = Object::new("Callback").others(Shape::Object(&PATH_ITEM)).referable();

static EXAMPLE: Object = Object::new("Example").referable().fields(&[
    detail(&["summary", "description", "externalValue"], Shape::String),
    detail(&["value"], Shape::Any),
    since(OpenApi3_2, detail(&["dataValue"], Shape::Any)),
    since(OpenApi3_2, detail(&["serializedValue"], Shape::String)),
]);

static LINK: Object = Object::new("Link").rule(rules::link).referable().fields(&[
    optional(&["operationRef", "operationId"], Shape::String),
    optional(&["parameters"], Shape::Map(&Shape::Any)),
    optional(&["requestBody"], Shape::Any),
    DESCRIPTION,
    optional(&["server"], Shape::Object(&SERVER)),
]);

pub(super) static HEADER: Object = Object::new("Header").rule(rules::header).referable().fields(&[
    DESCRIPTION,
    optional(&["required", "deprecated", "explode"], Shape::Boolean),
    optional(&["style"], Shape::OneOf(&["simple"])),
    optional(&["schema"], Shape::Schema),
    optional(&["content"], Shape::Map(&Shape::Object(&MEDIA_TYPE))),
    detail(&["example"], Shape::Any),
    detail(&["examples"], Shape::Map(&Shape::Object(&EXAMPLE))),
]);

pub(super) static TAG: Object = Object::new("Tag").fields(&[
    required(&["name"], Shape::String),
    since(OpenApi3_2, detail(&["summary", "parent", "kind"], Shape::String)),
    DESCRIPTION,
    EXTERNAL_DOCS,
]);

pub(super) static SECURITY_SCHEME: Object =
    Object::new("Security Scheme").rule(rules::security_scheme).referable().fields(&[
        required(&["type"], Shape::OneOf(&["apiKey", "http", "mutualTLS", "oauth2", "openIdConnect"])),
        DESCRIPTION,
        optional(&["name", "scheme", "bearerFormat"], Shape::String),
        optional(&["in"], Shape::OneOf(&["query", "header", "cookie"])),
        detail(&["flows"], Shape::Object(&OAUTH_FLOWS)),
        detail(&["openIdConnectUrl"], Shape::String),
        since(OpenApi3_2, detail(&["oauth2MetadataUrl"], Shape::String)),
        since(OpenApi3_2, optional(&["deprecated"], Shape::Boolean)),
    ]);

static OAUTH_FLOWS: Object = Object::new("OAuth Flows").fields(&[
    optional(&["implicit"], Shape::Object(&IMPLICIT_FLOW)),
    optional(&["password"], Shape::Object(&TOKEN_FLOW)),
    optional(&["clientCredentials"], Shape::Object(&TOKEN_FLOW)),
    optional(&["authorizationCode"], Shape::Object(&AUTHORIZATION_CODE_FLOW)),
    since(OpenApi3_2, optional(&["deviceAuthorization"], Shape::Object(&DEVICE_AUTHORIZATION_FLOW))),
]);

const SCOPES: Field = required(&["scopes"], Shape::Map(&Shape::String));

static IMPLICIT_FLOW: Object = Object::new("OAuth Flow").fields(&[
    required(&["authorizationUrl"], Shape::String),
    optional(&["tokenUrl", "refreshUrl"], Shape::String),
    SCOPES,
]);

/// `password` and `clientCredentials`.
static TOKEN_FLOW: Object = Object::new("OAuth Flow").fields(&[
    detail(&["authorizationUrl"], Shape::String),
    required(&["tokenUrl"], Shape::String),
    optional(&["refreshUrl"], Shape::String),
    SCOPES,
]);

static AUTHORIZATION_CODE_FLOW: Object = Object::new("OAuth Flow").fields(&[
    required(&["authorizationUrl", "tokenUrl"], Shape::String),
    optional(&["refreshUrl"], Shape::String),
    SCOPES,
]);

static DEVICE_AUTHORIZATION_FLOW: Object = Object::new("OAuth Flow").fields(&[
    required(&["deviceAuthorizationUrl", "tokenUrl"], Shape::String),
    optional(&["refreshUrl"], Shape::String),
    required(&["scopes"], Shape::Map(&Shape::String)),
]);
