//! Documents with any number of operations, each with models of its own.

use serde_json::{Map, Value, json};

/// A document with this number of operations: half of them read a record, half of them write one.
pub(super) fn document(operations: u32) -> Value {
    let (mut paths, mut schemas) = (Map::new(), Map::new());
    for number in 0..operations.div_ceil(2) {
        let name = format!("Record{number}");
        let record = json!({"application/json": {"schema": {"$ref": format!("#/components/schemas/{name}")}}});
        let parameter = |name: &str, place: &str| {
            let text = json!({"type": "string", "maxLength": 40});
            json!({"name": name, "in": place, "required": place == "path", "schema": text})
        };
        let mut item = json!({"get": {
            "operationId": format!("read{name}"),
            "tags": [format!("group{}", number / 50)],
            "parameters": [parameter("id", "path"), parameter("expand", "query")],
            "responses": {"200": {"description": "The record", "content": record}},
        }});
        if number * 2 + 1 < operations {
            item["put"] = json!({
                "operationId": format!("write{name}"),
                "tags": [format!("group{}", number / 50)],
                "parameters": [parameter("id", "path")],
                "requestBody": {"required": true, "content": record},
                "responses": {"204": {"description": "Written"}},
            });
        }
        paths.insert(format!("/records{number}/{{id}}"), item);
        schemas.insert(name, schema());
    }
    json!({
        "openapi": "3.1.0",
        "info": {"title": "Records", "version": "1"},
        "servers": [{"url": "https://records.example"}],
        "paths": paths,
        "components": {"schemas": schemas},
    })
}

fn schema() -> Value {
    json!({
        "type": "object",
        "required": ["id", "name"],
        "properties": {
            "id": {"type": "string", "maxLength": 40},
            "name": {"type": "string"},
            "count": {"type": "integer", "format": "int32", "minimum": 0},
            "created": {"type": "string", "format": "date-time"},
            "labels": {"type": "array", "items": {"type": "string"}},
            "state": {"type": "string", "enum": ["open", "closed"]},
        },
    })
}
