//! How operations and parameters are distinguished.

use serde_json::{Value, json};

use super::{Document, Named};
use crate::multipart::Part;
use crate::place::Place;
use crate::values::Values;

#[test]
fn values_of_their_own_tell_operations_apart() {
    let action = |name: &str, within: &str, required: bool| {
        let schema = json!({ "type": "string", "enum": [name] });
        json!({ "post": { "parameters": [{ "name": "Action", "in": within, "required": required, "schema": schema }] } })
    };
    let document = Document::of(json!({ "openapi": "3.0.0", "paths": {
        "/#a": action("a", "query", true),
        "/#b": action("b", "query", true),
        "/#c": action("b", "query", false),
        "/#d": action("d", "header", true),
        "/#e": { "post": { "parameters": [{ "name": "Action", "in": "query", "required": true, "schema": {} }] } },
    } }));
    let apart = |one, other| {
        let named = |path| Named { id: "", method: "POST", path };
        document.are_told_apart(named(one), named(other))
    };
    assert!(apart("/#a", "/#b"));
    assert!(!apart("/#b", "/#b"));
    assert!(!apart("/#a", "/#c"), "it may be left out");
    assert!(apart("/#a", "/#d"), "only one has it");
    assert!(!apart("/#a", "/#e"), "it has every value");
}

#[test]
fn exploded_objects_may_share_names() {
    let object = |name: &str, style: &str| {
        let schema = json!({ "type": "object", "properties": { "$gt": {}, "$or": {} } });
        json!({ "name": name, "in": "query", "style": style, "schema": schema })
    };
    let text = |name: &str| json!({ "name": name, "in": "query", "schema": { "type": "string" } });
    let variants = json!({ "oneOf": [{ "type": "string" }, { "properties": { "$eq": {} } }] });
    let several = json!({ "name": "seen", "in": "query", "schema": variants });
    let document = Document::of(json!({ "openapi": "3.0.0", "paths": { "/": { "get": { "parameters": [
        object("made", "form"), object("gone", "deepObject"), text("$or"), text("q"), several, text("$eq")
    ] } } } }));
    let named = Named { id: "", method: "GET", path: "/" };
    let is_ambiguous = |name| document.is_ambiguous(named, Place::query(name));
    assert_eq!(["made", "gone", "$or", "q"].map(is_ambiguous), [true, false, true, false]);
    assert_eq!(["seen", "$eq"].map(is_ambiguous), [true, true]);
}

#[test]
fn a_parameter_may_be_the_key_of_a_security_scheme() {
    let parameter = |name: &str, within: &str| json!({ "name": name, "in": within, "required": true, "schema": {} });
    let parameters = [parameter("key", "query"), parameter("KEY", "query"), parameter("x-token", "header")];
    let document = Document::of(json!({
        "openapi": "3.0.0",
        "security": [{ "Token": [] }, { "Key": [], "Login": [] }],
        "paths": {
            "/all": { "get": { "parameters": parameters } },
            "/one": { "get": { "parameters": parameters, "security": [{ "Token": [] }] } },
            "/open": { "get": { "parameters": parameters, "security": [] } },
        },
        "components": { "securitySchemes": {
            "Key": { "$ref": "#/components/securitySchemes/Query" },
            "Query": { "type": "apiKey", "in": "query", "name": "key" },
            "Token": { "type": "apiKey", "in": "header", "name": "X-Token" },
            "Login": { "type": "http", "scheme": "basic" },
        } },
    }));
    let keys = |path| {
        let named = Named { id: "", method: "GET", path };
        let mut parameters = document.parameters_of(named);
        parameters.retain(|parameter| document.is_key(named, parameter));
        parameters.into_iter().map(|parameter| parameter.name).collect::<Vec<_>>()
    };
    assert_eq!(keys("/all"), ["key", "x-token"]);
    assert_eq!(keys("/one"), ["x-token"]);
    assert_eq!(keys("/open"), [""; 0]);
}

#[test]
fn a_template_has_the_items_that_are_bound() {
    let page = |schema: Value| json!({ "get": { "responses": { "200": { "content": { "application/json": { "schema": schema } } } } } });
    let reference = |name: &str| json!({ "$ref": format!("#/components/schemas/{name}") });
    let document = Document::of(json!({
        "openapi": "3.1.0",
        "paths": {
            "/users": page(reference("UserPage")),
            "/orders": page(reference("OrderPage")),
            "/books": page(json!({ "type": "object", "properties": { "first": reference("UserPage"), "more": reference("OrderPage") } })),
            "/pages": page(reference("Page")),
            "/trees": page(reference("Strict")),
            "/numbers": page(json!({ "$ref": "array_of_numbers" })),
        },
        "components": { "schemas": {
            "Page": {
                "type": "object",
                "properties": { "items": { "type": "array", "items": { "$dynamicRef": "#item" } }, "next": reference("Page") },
                "$defs": { "item": { "$dynamicAnchor": "item", "not": {} } },
            },
            "UserPage": { "$ref": "#/components/schemas/Page", "$defs": { "item": { "$dynamicAnchor": "item", "type": "string" } } },
            "OrderPage": {
                "allOf": [reference("Page")],
                "$defs": { "item": { "$dynamicAnchor": "item", "type": "integer" } },
            },
            "Tree": {
                "$dynamicAnchor": "node",
                "type": "object",
                "properties": { "children": { "type": "array", "items": { "$dynamicRef": "#node" } } },
            },
            "Strict": { "$dynamicAnchor": "node", "$ref": "#/components/schemas/Tree", "unevaluatedProperties": false },
            "Generic": {
                "$id": "generic",
                "type": "array",
                "items": { "$dynamicRef": "#array-item" },
                "$defs": { "all": { "$dynamicAnchor": "array-item" } },
            },
            "Numbers": { "$id": "array_of_numbers", "$ref": "generic", "$defs": { "number": { "$dynamicAnchor": "array-item", "type": "number" } } },
        } },
    }));
    let operations = document.operations();
    let mut values = Values::new(document.into());
    for (path, valid, broken) in [
        ("/users", json!({ "items": ["a"] }), json!({ "items": [1] })),
        ("/users", json!({ "next": { "items": ["a"] } }), json!({ "next": { "items": [1] } })),
        ("/orders", json!({ "items": [1] }), json!({ "items": ["a"] })),
        (
            "/books",
            json!({ "first": { "items": ["a"] }, "more": { "items": [1] } }),
            json!({ "first": { "items": [1] } }),
        ),
        ("/pages", json!({ "items": [] }), json!({ "items": [1] })),
        ("/trees", json!({ "children": [{ "children": [] }] }), json!({ "children": [{ "childen": [] }] })),
        ("/numbers", json!([1, 2.5]), json!([1, "a"])),
    ] {
        let operation = operations.iter().find(|operation| operation.path == path).unwrap();
        let mut check = |value: &Value| {
            values.check_response_body(operation, 200, "application/json", value.to_string().as_bytes())
        };
        assert_eq!(check(&valid), [], "{path} {valid}");
        assert_ne!(check(&broken), [], "{path} {broken}");
    }
    for operation in &operations {
        for seed in 0..20 {
            let place = Place::json_answer("200", "application/json");
            let made = values.make(operation.named(), place, &mut fastrand::Rng::with_seed(seed));
            assert!(made.is_some(), "{}", operation.path);
        }
        assert_eq!(values.meant_of(&operation.id), [""; 0]);
    }
}

#[test]
fn parts_are_described_behind_references() {
    let list = json!({ "type": "array", "items": { "type": "object", "properties": {
        "a": { "type": "integer" }, "secret": { "type": "string", "writeOnly": true },
    } } });
    let document = Document::of(json!({
        "openapi": "3.2.0",
        "paths": { "/": { "get": { "responses": {
            "200": { "content": { "multipart/form-data": { "$ref": "#/components/mediaTypes/Form" } } },
            "201": { "content": { "multipart/mixed": { "schema": list } } },
        } } } },
        "components": { "mediaTypes": { "Form": {
            "schema": { "type": "object", "properties": { "a": { "type": "string" } } },
            "encoding": { "a": { "contentType": "text/csv" } },
        } } },
    }));
    let operations = document.operations();
    let mut values = Values::new(document.into());
    let mut check = |status, media_type: &str, part: &str| {
        let body = format!("--b\r\n{part}\r\n--b--\r\n");
        let content_type = format!("{media_type}; boundary=b");
        let found = values.check_response_body(&operations[0], status, &content_type, body.as_bytes());
        found.into_iter().map(|found| format!("{} {}", found.pointer, found.rule)).collect::<Vec<_>>()
    };
    let named =
        |media_type: &str| format!("Content-Disposition: form-data; name=\"a\"\r\nContent-Type: {media_type}\r\n\r\n1");
    assert_eq!(check(200, "multipart/form-data", &named("text/csv")), [""; 0]);
    assert_eq!(check(200, "multipart/form-data", &named("text/html")), ["/a contentType"]);
    assert_eq!(check(201, "multipart/mixed", "\r\n{\"a\":1}"), [""; 0]);
    assert_eq!(check(201, "multipart/mixed", "\r\n{\"a\":\"b\"}"), ["/0/a type"]);
    assert_eq!(check(201, "multipart/mixed", "\r\n{\"secret\":\"b\"}"), ["/0/secret writeOnly"]);
}

#[test]
fn hidden_parts_are_sent_in_neither_direction() {
    let schema = json!({ "type": "object", "required": ["a", "id", "secret"], "properties": {
        "a": { "type": "string" },
        "id": { "type": "string", "readOnly": true },
        "secret": { "type": "string", "writeOnly": true },
    } });
    let content = json!({ "multipart/form-data": { "schema": schema } });
    let document = Document::of(json!({ "openapi": "3.1.0", "paths": { "/": { "post": {
        "requestBody": { "required": true, "content": content },
        "responses": { "200": { "content": content } },
    } } } }));
    let operations = document.operations();
    let mut values = Values::new(document.into());
    for (place, expected) in [
        (Place::body("multipart/form-data"), ["a", "secret"]),
        (Place::answer("200", "multipart/form-data"), ["a", "id"]),
    ] {
        let parts = values.parts(&operations[0], place, None, &mut fastrand::Rng::with_seed(0)).unwrap();
        assert_eq!(parts.iter().map(Part::name).collect::<Vec<_>>(), expected, "{place}");
    }
}
