//! Values and their documents.

use serde_json::{Value, json};

use crate::document::Document;

/// A document of OpenAPI with these named schemas, and a reference to the first.
fn of(version: &str, schemas: &str) -> (Document, Value) {
    let schemas: Value = serde_yaml::from_str(schemas).unwrap();
    let first = schemas.as_object().unwrap().keys().next().unwrap().clone();
    let document = Document::of(json!({ "openapi": version, "components": { "schemas": schemas } }));
    (document, json!({ "$ref": format!("openapi.json#/components/schemas/{first}") }))
}

const PET: &str = "
Pet:
  type: object
  required: [urls]
  xml: { name: pet, namespace: 'urn:pets' }
  properties:
    id: { type: integer, xml: { attribute: true } }
    name: { type: string }
    kind: { type: object, xml: { name: kind, prefix: k, namespace: 'urn:kinds' }, properties: { good: { type: boolean } } }
    urls: { type: array, items: { type: string, xml: { name: url } } }
    tags: { type: array, xml: { wrapped: true }, items: { $ref: '#/components/schemas/Tag' } }
    weight: { type: number, nullable: true }
    parent: { $ref: '#/components/schemas/Pet' }
Tag: { type: object, xml: { name: tag }, properties: { text: { type: string, xml: { attribute: true } } } }
";

fn written(document: &Document, schema: &Value, value: &Value) -> String {
    let bytes = document.to_xml(schema, value).unwrap();
    String::from_utf8(bytes).unwrap()
}

#[test]
fn values_are_written_by_their_xml() {
    let (document, pet) = of("3.0.4", PET);
    assert!(document.has_xml(&pet));
    let value = json!({
        "id": 7, "name": "a & <b>\r\n", "kind": { "good": true }, "urls": ["", "x"], "tags": [{ "text": "\n\"" }, {}],
        "weight": null, "parent": { "urls": [] },
    });
    let expected = "<pet xmlns=\"urn:pets\" id=\"7\"><name>a &amp; &lt;b&gt;&#13;\n</name>\
        <k:kind xmlns:k=\"urn:kinds\"><good>true</good></k:kind><url></url><url>x</url>\
        <tags><tag text=\"&#10;&quot;\"></tag><tag></tag></tags>\
        <weight xmlns:xsi=\"http://www.w3.org/2001/XMLSchema-instance\" xsi:nil=\"true\"/><pet></pet></pet>";
    assert_eq!(written(&document, &pet, &value), expected);
    assert_eq!(document.through_xml(&pet, &value), Some(value));
    assert_eq!(document.through_xml(&pet, &json!({ "tags": [] })), Some(json!({ "urls": [], "tags": [] })));
    assert_eq!(document.to_xml(&pet, &json!({ "name": "\u{1}" })), None);
}

#[test]
fn names_are_those_of_the_version() {
    let schemas = "
Box: { type: object, properties: { one: { $ref: '#/components/schemas/Thing' }, text: { type: string, xml: { nodeType: text } } } }
Thing: { type: object, properties: { more: { type: array, xml: { wrapped: true, name: all }, items: { type: integer } } } }
";
    for (version, expected) in [
        ("3.0.4", "<Box><one><all><all>1</all></all></one></Box>"),
        ("3.2.0", "<Box><Thing><all><all>1</all></all></Thing></Box>"),
    ] {
        let (document, schema) = of(version, schemas);
        assert_eq!(written(&document, &schema, &json!({ "one": { "more": [1] } })), expected);
        let value = json!({ "text": " a " });
        assert_eq!(document.through_xml(&schema, &value), Some(value));
    }
}

#[test]
fn variants_with_one_form_are_one_object() {
    let (document, shape) = of(
        "3.1.0",
        "
Shape: { oneOf: [{ $ref: '#/components/schemas/Circle' }, { $ref: '#/components/schemas/Square' }, { type: 'null' }] }
Circle: { type: object, required: [kind], properties: { kind: { const: circle }, radius: { type: number } } }
Square: { type: object, required: [kind], properties: { kind: { const: square }, sides: { type: array, items: { type: number } } } }
",
    );
    assert!(document.has_xml(&shape));
    let (either, schema) = of(
        "3.0.4",
        "A: { type: object, properties: { a: { type: string }, b: { type: string } }, anyOf: [{ required: [a] }, { required: [b] }] }",
    );
    assert_eq!(either.through_xml(&schema, &json!({ "b": "x" })), Some(json!({ "b": "x" })));
    for value in [json!({ "kind": "circle", "radius": 1.5 }), json!({ "kind": "square", "sides": [1, 2] }), json!(null)]
    {
        assert_eq!(document.through_xml(&shape, &value), Some(value));
    }
}

#[test]
fn faults_have_places() {
    let (document, pet) = of("3.0.4", PET);
    for (xml, expected) in [
        ("<pet xmlns='urn:pets'><url/></pet>", ""),
        ("<p:pet xmlns:p='urn:pets'><kind xmlns='urn:kinds'><good>1</good></kind></p:pet>", ""),
        ("<pet><url/></pet>", " namespace"),
        ("<pet xmlns='urn:pets'><kind/></pet>", "/kind namespace"),
        ("<dog xmlns='urn:pets'/>", " type"),
        ("<pet xmlns='urn:pets'>a<name/></pet>", " type"),
        ("<pet xmlns='urn:pets'><name/><name/></pet>", "/name duplicate"),
        ("<pet xmlns='urn:pets'><pet><tags><tog/></tags></pet></pet>", "/parent/tags type"),
    ] {
        let reading = document.from_xml(&pet, xml.as_bytes()).unwrap();
        let faults: Vec<_> = reading.faults.iter().map(|fault| format!("{} {}", fault.pointer, fault.rule)).collect();
        let expected: Vec<&str> = expected.split(',').filter(|fault| !fault.is_empty()).collect();
        assert_eq!(faults, expected, "{xml}");
    }
    for xml in
        ["", "<pet", "<pet>", "<pet/><pet/>", "<!DOCTYPE a><pet/>", "<pet>&b;</pet>", "<pet>&#1;</pet>", "a<pet/>"]
    {
        let fault = document.from_xml(&pet, xml.as_bytes()).unwrap_err();
        assert_eq!(fault.rule, "syntax", "{xml}");
    }
    let deep = "<pet>".repeat(100_000);
    assert!(document.from_xml(&pet, deep.as_bytes()).is_err());
}

#[test]
fn values_of_several_forms_have_none() {
    for schemas in [
        "A: { type: object }",
        "A: { type: object, properties: { a: {} } }",
        "A: { type: object, properties: { a: { type: [string, integer] } } }",
        "A: { type: object, properties: { a: { oneOf: [{ type: string }, { type: object, properties: { b: { type: string } } }] } } }",
        "A: { type: object, properties: { a: { type: string }, b: { type: string, xml: { name: a } } } }",
        "A: { type: object, properties: { a: { type: array, items: { type: string }, xml: { attribute: true } } } }",
        "A: { type: object, properties: { a: { type: string }, discriminator: {} }, discriminator: { propertyName: a } }",
        "A: { type: object, properties: { a: { type: string, xml: { name: 'a b' } } } }",
        "A: { type: string }",
        "A: { oneOf: [{ $ref: '#/components/schemas/A' }, { $ref: '#/components/schemas/A' }] }",
    ] {
        let (document, schema) = of("3.1.0", schemas);
        assert!(!document.has_xml(&schema), "{schemas}");
    }
}
