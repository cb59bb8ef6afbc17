//! How operations and parameters are distinguished.

use serde_json::json;

use super::{Document, Named};
use crate::place::Place;

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
