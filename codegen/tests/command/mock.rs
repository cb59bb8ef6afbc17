//! `specwright mock`

use std::process::Command;

use serde_json::json;

use crate::folder::Folder;
use crate::service::{Mock, PETS};

const TOKEN: (&str, &str) = ("authorization", "Bearer any");
const JSON: (&str, &str) = ("content-type", "application/json");
const FORM: (&str, &str) = ("content-type", "application/x-www-form-urlencoded");

fn start(arguments: &str) -> Mock {
    Mock::start(&Folder::new(&[("pets.yaml", PETS)]), &format!("pets.yaml {arguments}"))
}

#[tokio::test]
async fn examples_are_answered() {
    let mock = start("");
    let pet = mock.get("/pets/7").await;
    assert_eq!((pet.status, pet.json()), (200, json!({ "id": 7, "name": "Bella" })));
    let text = mock.send("GET", "/pets/7", &[("accept", "text/plain")], "").await;
    assert_eq!((text.status, text.text.as_str()), (200, "Bella"));
    let max = mock.send("GET", "/pets/7", &[("prefer", "example=max")], "").await;
    assert_eq!(max.json()["name"], "Max");
    let missing = mock.send("GET", "/pets/7", &[("prefer", "code=404")], "").await;
    assert_eq!((missing.status, missing.json()), (404, json!({ "message": "There is none." })));
    let strange = mock.send("GET", "/pets/7", &[("prefer", "code=418")], "").await;
    assert_eq!(strange.status, 501, "the description does not have it");
    assert_eq!(mock.send("GET", "/pets/7", &[("accept", "image/png")], "").await.status, 406);
}

#[tokio::test]
async fn random_values_follow_from_the_seed() {
    let (one, same, other) = (start("--seed 1"), start("--seed 1"), start("--seed 2"));
    let mut answers = Vec::new();
    for mock in [one, same, other] {
        let list = mock.get("/pets?limit=5").await;
        assert_eq!(list.status, 200);
        assert!(list.headers["x-count"].to_str().unwrap().parse::<u64>().is_ok(), "it is required");
        let dynamic = mock.send("GET", "/pets/7", &[("prefer", "dynamic=true")], "").await;
        assert_ne!(dynamic.json()["name"], "Bella");
        answers.push((list.text, dynamic.text));
    }
    assert_eq!(answers[0], answers[1]);
    assert_ne!(answers[0], answers[2]);
}

#[tokio::test]
async fn requests_are_checked_as_the_generated_server_does() {
    let mock = start("");
    for (target, errors) in [
        ("/pets?limit=5&tags=a%7Cb&near%5Bx%5D=1", &[][..]),
        ("/pets?limit=0", &["query limit minimum"]),
        ("/pets?limit=many", &["query limit type"]),
        ("/pets?limit=+5", &["query limit type"]),
        ("/pets?limit=5.0", &["query limit type"]),
        ("/pets?limit=005", &[]),
        ("/pets?limit=1&limit=2", &["query limit duplicate"]),
        ("/pets?tags=%FF", &["query tags syntax"]),
        ("/pets/1e0", &["path id type"]),
        ("/pets/%FF", &["path id syntax"]),
        ("/pets?tags=a%7CB", &["query tags/1 pattern"]),
        ("/pets?near%5By%5D=1", &["query near required"]),
        ("/pets?near%5Bx%5D=1&near%5Bz%5D=1", &["query near additionalProperties"]),
        ("/pets?limit=", &["query limit type"]),
        ("/pets?limit=9223372036854775808", &["query limit format"]),
        ("/pets?near%5Bx%5D=1&near%5Bx%5D=2", &["query near/x duplicate"]),
        ("/pets?near%5Bx%5D=9223372036854775808", &["query near/x format"]),
        ("/pets/x", &["path id type"]),
        ("/pets/0", &["path id minimum"]),
    ] {
        let answer = mock.get(target).await;
        if errors.is_empty() {
            assert_eq!(answer.status, 200, "{target}: {}", answer.text);
        } else {
            assert_eq!((answer.status, answer.errors()), (400, errors.iter().map(ToString::to_string).collect()));
        }
    }
    let traced = mock.send("GET", "/pets", &[("x-trace", "1")], "").await;
    assert_eq!(traced.errors(), ["header X-Trace format"]);
    for (content_type, body, status, errors) in [
        (JSON, r#"{"name":"Bella","age":3}"#, 201, &[][..]),
        (
            JSON,
            r#"{"name":"","age":41,"kinds":["cow"]}"#,
            422,
            &["body /name minLength", "body /age maximum", "body /kinds/0 enum"],
        ),
        (JSON, "{}", 422, &["body required"]),
        (JSON, r#"{"name":"a","name":"b"}"#, 422, &["body /name duplicate"]),
        (JSON, r#"{"name":"a","more":{"b":1,"b":2}}"#, 201, &[]),
        (JSON, r#"{"name":"a","age":9223372036854775808}"#, 422, &["body /age format"]),
        (JSON, "{", 400, &["body syntax"]),
        (JSON, "", 400, &["body required"]),
        (FORM, "name=Bella&kinds=cat&kinds=dog", 201, &[]),
        (FORM, "name=Bella&age=x&kinds=cow", 422, &["body /age type", "body /kinds/0 enum"]),
        (FORM, "name=a&name=b", 422, &["body /name duplicate"]),
        (FORM, "name=%FF", 400, &["body /name syntax"]),
        (("content-type", "text/plain"), "Bella", 415, &["body mediaType"]),
    ] {
        let answer = mock.send("POST", "/pets", &[TOKEN, content_type], body).await;
        assert_eq!(answer.status, status, "{body}: {}", answer.text);
        if !errors.is_empty() {
            let (mut found, mut errors) = (answer.errors(), errors.to_vec());
            found.sort();
            errors.sort_unstable();
            assert_eq!(found, errors, "{body}");
        }
    }
}

#[tokio::test]
async fn texts_are_read_as_the_generated_server_does() {
    let document = "openapi: 3.1.0\ninfo: { title: A, version: '1' }\npaths:\n  /a:\n    post:\n      parameters: [{ name: any, in: query, schema: {} }, { name: is, in: query, schema: { type: boolean } }, { name: price, in: query, schema: { type: number } }]\n      requestBody: { content: { text/plain: { schema: { type: string } }, application/x-www-form-urlencoded: { schema: { type: object } } } }\n      responses: { '204': { description: Done. } }\n";
    let mock = Mock::start(&Folder::new(&[("a.yaml", document)]), "a.yaml");
    for (query, status) in
        [("any=1", 204), ("any=1&any=2", 400), ("is=True", 204), ("is=1", 400), ("price=1.", 204), ("price=-", 400)]
    {
        assert_eq!(mock.send("POST", &format!("/a?{query}"), &[], "").await.status, status, "{query}");
    }
    for (content_type, status) in [("text/plain", 400), (FORM.1, 400), ("text/plain; charset=latin1", 204)] {
        let request = reqwest::Client::new().post(format!("{}/a", mock.url)).header("content-type", content_type);
        assert_eq!(request.body(vec![0xff]).send().await.unwrap().status(), status, "{content_type}");
    }
}

#[tokio::test]
async fn a_required_file_may_be_empty() {
    let content = |media_type: &str| format!("requestBody: {{ required: true, content: {{ {media_type}: {{}} }} }}");
    let (picture, json) = (content("image/png"), content("application/json"));
    let document = format!(
        "openapi: 3.1.0\ninfo: {{ title: A, version: '1' }}\npaths:\n  /a:\n    put: {{ {picture}, responses: {{ '204': {{ description: \
         Done. }} }} }}\n    post: {{ {json}, responses: {{ '204': {{ description: Done. }} }} }}\n"
    );
    let mock = Mock::start(&Folder::new(&[("a.yaml", &document)]), "a.yaml");
    assert_eq!(mock.send("PUT", "/a", &[], "").await.status, 204);
    assert_eq!(mock.send("POST", "/a", &[], "").await.errors(), ["body required"]);
}

#[tokio::test]
async fn paths_methods_and_credentials_are_those_of_the_description() {
    let mock = start("");
    assert_eq!(mock.get("/cats").await.status, 404);
    let patched = mock.send("PATCH", "/pets/7", &[], "").await;
    assert_eq!((patched.status, patched.headers["allow"].to_str().unwrap()), (405, "DELETE, GET, HEAD, PUT"));
    let unknown = mock.send("DELETE", "/pets/7", &[], "").await;
    assert_eq!((unknown.status, unknown.headers["www-authenticate"].to_str().unwrap()), (401, "Bearer"));
    assert_eq!(mock.send("DELETE", "/pets/7", &[TOKEN], "").await.status, 204);
    assert_eq!(mock.send("HEAD", "/pets/8", &[], "").await.status, 200);
    // With and without the path of the server.
    let mut bare = start("");
    bare.url = bare.url.trim_end_matches("/v1").to_owned();
    assert_eq!(bare.get("/pets/7").await.status, 200);
}

#[tokio::test]
async fn what_was_created_is_read_changed_and_deleted() {
    let mock = start("");
    let sent = r#"{"name":"Bella","age":3}"#;
    let made = mock.send("POST", "/pets", &[TOKEN, JSON], sent).await;
    assert_eq!((made.status, &made.json()["name"], &made.json()["age"]), (201, &json!("Bella"), &json!(3)));
    let path = format!("/pets/{}", made.json()["id"]);
    assert_eq!(mock.get(&path).await.json(), made.json());
    assert_eq!(mock.send("PUT", &path, &[TOKEN, JSON], r#"{"name":"Max"}"#).await.status, 204);
    let changed = mock.get(&path).await.json();
    assert_eq!((&changed["name"], &changed["age"]), (&json!("Max"), &json!(3)));
    assert_eq!(mock.send("DELETE", &path, &[TOKEN], "").await.status, 204);
    assert_eq!(mock.get(&path).await.status, 404);
    assert_eq!(mock.get("/pets/7").await.status, 200, "others are answered by their examples");
}

#[tokio::test]
async fn write_only_members_are_never_answered() {
    let account = "\
openapi: 3.1.0
info: { title: Accounts, version: '1' }
paths:
  /accounts:
    post:
      operationId: addAccount
      requestBody: { required: true, content: { application/json: { schema: { $ref: '#/components/schemas/Account' } } } }
      responses: { '201': { description: It., content: { application/json: { schema: { $ref: '#/components/schemas/Account' } } } } }
  /accounts/{id}:
    get:
      operationId: getAccount
      parameters: [{ name: id, in: path, required: true, schema: { type: integer } }]
      responses: { '200': { description: It., content: { application/json: { schema: { $ref: '#/components/schemas/Account' }, examples: { one: { value: { id: 7, name: Bella, keys: { pin: 1 } } } } } } } }
components:
  schemas:
    Account:
      type: object
      required: [name, keys]
      properties:
        id: { type: integer, readOnly: true }
        name: { type: string }
        keys: { type: object, properties: { hint: { type: string }, pin: { type: integer, writeOnly: true } } }
";
    let mock = Mock::start(&Folder::new(&[("a.yaml", account)]), "a.yaml");
    for prefer in ["", "example=one"] {
        let example = mock.send("GET", "/accounts/7", &[("prefer", prefer)], "").await;
        assert_eq!(example.json(), json!({ "id": 7, "name": "Bella", "keys": {} }));
    }
    let sent = r#"{"id":3,"name":"Max","keys":{"hint":"h","pin":2}}"#;
    let made = mock.send("POST", "/accounts", &[JSON], sent).await.json();
    assert_ne!(made["id"], 3, "a request has no read-only members");
    assert_eq!((&made["name"], &made["keys"]), (&json!("Max"), &json!({ "hint": "h" })));
    if let Some(id) = made["id"].as_i64() {
        assert_eq!(mock.get(&format!("/accounts/{id}")).await.json(), made);
    }
}

#[tokio::test]
async fn the_last_requests_are_listed() {
    let mut mock = start("");
    mock.get("/pets/7").await;
    mock.get("/pets/x").await;
    mock.url = mock.url.trim_end_matches("/v1").to_owned();
    let page = mock.get("/__mock").await.json();
    assert_eq!(page["requests"].as_array().unwrap().len(), 2);
    let newest = &page["requests"][0];
    assert_eq!((&newest["url"], &newest["status"]), (&json!("/v1/pets/x"), &json!(400)));
    assert_eq!(newest["violations"][0]["code"], "type");
}

#[tokio::test]
async fn a_browser_gets_a_page_of_the_last_requests() {
    let mut mock = start("");
    mock.get("/pets?limit=1000&<b>").await;
    mock.send(
        "POST",
        "/pets",
        &[TOKEN, JSON],
        r#"{"name":"<img src=x onerror=alert(1)>\"'& and more than the longest name"}"#,
    )
    .await;
    mock.url = mock.url.trim_end_matches("/v1").to_owned();
    let page = mock.send("GET", "/__mock", &[("accept", "text/html,*/*;q=0.8")], "").await;
    assert_eq!((page.status, &page.headers["content-type"]), (200, &"text/html; charset=utf-8".parse().unwrap()));
    let policy = page.headers["content-security-policy"].to_str().unwrap();
    assert!(policy.starts_with("default-src 'none'; style-src 'self';"), "{policy}");
    insta::assert_snapshot!(page.text);
    for markup in ["<b>", "<img", "<script", "style=\""] {
        assert!(!page.text.contains(markup), "{}", page.text);
    }
    let style = mock.get("/__mock/style.css").await;
    assert_eq!((style.status, &style.headers["content-type"]), (200, &"text/css; charset=utf-8".parse().unwrap()));
    assert_eq!(mock.get("/__mock/other").await.status, 404);
    let list = mock.get("/__mock").await.json();
    assert_eq!(list["requests"].as_array().unwrap().len(), 3, "the list itself is not in it");
}

#[tokio::test]
async fn the_status_that_is_preferred_is_one_of_an_answer() {
    let document = "openapi: 3.1.0\ninfo: { title: A, version: '1' }\npaths:\n  /a: { get: { responses: { default: { description: A., content: { text/plain: { schema: { type: string }, example: a } } } } } }\n";
    let mock = Mock::start(&Folder::new(&[("a.yaml", document)]), "a.yaml");
    for code in ["100", "199", "600", "999", "many"] {
        let answer = mock.send("GET", "/a", &[("prefer", &format!("code={code}"))], "").await;
        let detail = format!("`Prefer: code={code}` is not the status of an answer: expected 200 to 599");
        assert_eq!((answer.status, &answer.json()["detail"]), (400, &json!(detail)));
    }
    let found = mock.send("GET", "/a", &[("prefer", "code=404")], "").await;
    assert_eq!((found.status, found.text.as_str()), (404, "a"));
    let none = mock.send("GET", "/a", &[("prefer", "code=204")], "").await;
    assert_eq!((none.status, none.headers.get("content-type")), (204, None));
}

#[tokio::test]
async fn lists_have_items() {
    for seed in 0..20 {
        let list = start(&format!("--seed {seed}")).get("/pets").await.json();
        assert_ne!(list, json!([]), "{seed}");
    }
}

#[tokio::test]
async fn an_address_may_have_the_name_of_a_host() {
    let mock = Mock::start_at("localhost:0", &Folder::new(&[("pets.yaml", PETS)]), "pets.yaml");
    assert_eq!(mock.get("/pets/7").await.status, 200);
}

#[test]
fn the_printed_line_works() {
    let mock = start("");
    assert_eq!(mock.curl, format!("curl -i {}/pets", mock.url), "without optional parameters");
    // Without `curl`, the line is only looked at.
    if let Ok(output) = Command::new("sh").args(["-c", &mock.curl]).output()
        && output.status.code() != Some(127)
    {
        let text = String::from_utf8_lossy(&output.stdout).into_owned();
        assert!(text.starts_with("HTTP/1.1 200"), "{text}");
    }
}

#[test]
fn a_description_that_cannot_be_read_is_not_served() {
    let folder = Folder::new(&[("empty.yaml", "openapi: 3.1.0\n"), ("broken.yaml", "a: [\n")]);
    for (file, code) in [("empty.yaml", 1), ("broken.yaml", 1), ("missing.yaml", 2)] {
        let run = folder.run(&format!("mock {file}"));
        assert_eq!(run.code, Some(code), "{}", run.stderr);
        assert!(run.stderr.contains("error"), "{}", run.stderr);
    }
    assert_eq!(folder.run("mock empty.yaml --delay 5").code, Some(2), "a time has a unit");
}

#[test]
fn what_is_not_a_description_is_explained_as_lint_does() {
    let files = [
        ("four.yaml", "openapi: 4.0.0\ninfo: { title: A, version: '1' }\npaths: {}\n"),
        (
            "later.yaml",
            "openapi: 4.0.0\ninfo: { title: A, version: '1' }\npaths: { /a: { get: { responses: { '204': { description: Done. } } } } }\n",
        ),
        ("async.yaml", "asyncapi: 3.0.0\ninfo: { title: A, version: '1' }\nchannels: {}\n"),
        ("text.yaml", "Some text.\n"),
        ("nothing.json", "{}"),
        ("empty.yaml", ""),
        ("syntax.yaml", "openapi: 3.1.0\npaths: [\n"),
        ("syntax.json", "{\"openapi\": \"3.1.0\",}"),
    ];
    let folder = Folder::new(&files);
    for (file, _) in files {
        let lint = folder.run(&format!("lint {file}"));
        assert_eq!(lint.code, Some(1), "{file}: {}", lint.stderr);
        for command in ["mock", "prove --url http://127.0.0.1:9", "proxy --url http://127.0.0.1:9"] {
            let run = folder.run(&format!("{command} {file}"));
            assert_eq!((run.code, &run.stderr), (lint.code, &lint.stderr), "{command} {file}");
        }
    }
}

#[tokio::test]
async fn xml_is_answered_and_read_by_its_description() {
    let fixture = format!("{}/../tests/fixtures/xml.yaml", env!("CARGO_MANIFEST_DIR"));
    let mock = Mock::start(&Folder::new(&[]), &fixture);
    let list = mock.send("GET", "/pets", &[("accept", "application/xml")], "").await;
    assert_eq!((list.status, &list.headers["content-type"]), (200, &"application/xml".parse().unwrap()));
    assert!(list.text.starts_with("<root"), "{}", list.text);
    let sent = "<pet xmlns='urn:pets' id='3'><name>Bella</name><photoUrl>a</photoUrl></pet>";
    let xml = ("content-type", "application/xml");
    let pet = mock.send("POST", "/pets", &[xml, ("accept", "application/xml")], sent).await;
    assert!(pet.text.starts_with("<pet xmlns=\"urn:pets\" id=\"3\"><name>Bella</name>"), "{}", pet.text);
    let json = mock.send("POST", "/pets", &[xml], sent).await;
    assert_eq!((&json.json()["name"], &json.json()["photoUrls"]), (&json!("Bella"), &json!(["a"])));
    for (document, errors) in [
        ("<pet><name>a</name>", &["body syntax"][..]),
        ("<dog><name>a</name></dog>", &["body type"]),
        ("<pet id='0'/>", &["body required", "body /id minimum"]),
        ("<pet><name>a</name><dog/></pet>", &["body additionalProperties"]),
    ] {
        let refused = mock.send("POST", "/pets", &[xml], document).await;
        let (mut found, mut errors) = (refused.errors(), errors.to_vec());
        found.sort();
        errors.sort_unstable();
        let status = if found == ["body syntax"] { 400 } else { 422 };
        assert_eq!((refused.status, found), (status, errors.into_iter().map(str::to_owned).collect()), "{document}");
    }
}

#[tokio::test]
async fn parts_of_every_multipart_body_are_checked() {
    let content = "{ schema: { type: object, required: [meta], properties: { meta: { type: object, required: [n], properties: { n: { type: integer } } }, scan: { type: string, format: binary } } }, \
                   encoding: { meta: { contentType: application/json }, scan: { contentType: image/png } } }";
    let body = |of: &str| format!("requestBody: {{ required: true, content: {{ {of}: {content} }} }}");
    let done = "responses: { '204': { description: Done. } }";
    let document = format!(
        "openapi: 3.1.0\ninfo: {{ title: A, version: '1' }}\npaths:\n  /related: {{ post: {{ {}, {done} }} }}\n  /mixed: {{ post: {{ {}, {done} }} }}\n  /any: {{ post: {{ requestBody: {{ required: true, content: {{ multipart/mixed: {{}} }} }}, {done} }} }}\n",
        body("multipart/related"),
        body("multipart/mixed"),
    );
    let mock = Mock::start(&Folder::new(&[("a.yaml", &document)]), "a.yaml");
    let part = |head: &str, text: &str| format!("--b\r\n{head}\r\n\r\n{text}\r\n");
    let named = "Content-Disposition: form-data; name=\"meta\"";
    for subtype in ["related", "mixed"] {
        for (parts, errors) in [
            (part(named, r#"{"n":1}"#), &[][..]),
            (part("Content-ID: <meta>", r#"{"n":1}"#), &[]),
            (part("Content-Type: application/json", r#"{"n":1}"#) + &part("Content-Type: image/png", "png"), &[]),
            (part(named, r#"{"n":"a"}"#), &["body /meta/n type"]),
            (part("Content-Type: image/png", "png"), &["body required"]),
            (part(&format!("{named}\r\nContent-Type: text/csv"), r#"{"n":1}"#), &["body /meta contentType"]),
            (part(named, r#"{"n":1}"#) + &part(named, r#"{"n":2}"#), &["body /meta duplicate"]),
        ] {
            let content_type = format!("multipart/{subtype}; boundary=b");
            let header = ("content-type", content_type.as_str());
            let answer = mock.send("POST", &format!("/{subtype}"), &[header], &format!("{parts}--b--\r\n")).await;
            if errors.is_empty() {
                assert_eq!(answer.status, 204, "{parts}: {}", answer.text);
            } else {
                assert_eq!(
                    (answer.status, answer.errors()),
                    (422, errors.iter().map(ToString::to_string).collect()),
                    "{parts}"
                );
            }
        }
        let bare = format!("multipart/{subtype}");
        let answer = mock.send("POST", &format!("/{subtype}"), &[("content-type", &bare)], "text").await;
        assert_eq!((answer.status, answer.errors()), (400, vec!["body syntax".to_owned()]));
    }
    // Without names, a server takes the bytes.
    assert_eq!(mock.send("POST", "/any", &[("content-type", "multipart/mixed")], "text").await.status, 204);
}

#[tokio::test]
async fn parts_without_names_are_checked_by_their_positions() {
    let document = "openapi: 3.2.0\ninfo: { title: A, version: '1' }\npaths:\n  /a:\n    post:\n      requestBody:\n        required: true\n        content:\n          multipart/mixed:\n            schema: { type: array, minItems: 2, prefixItems: [{ type: object, required: [n], properties: { n: { type: integer } } }], items: { type: integer } }\n            prefixEncoding: [{ headers: { X-A: { required: true, schema: { type: string } } } }]\n            itemEncoding: { contentType: text/plain }\n      responses: { '204': { description: Done. } }\n  /b:\n    post:\n      requestBody: { required: true, content: { multipart/mixed: { itemSchema: { type: integer } } } }\n      responses: { '204': { description: Done. } }\n";
    let mock = Mock::start(&Folder::new(&[("a.yaml", document)]), "a.yaml");
    let first = "X-A: 1\r\n\r\n{\"n\":1}";
    for (path, parts, errors) in [
        ("/a", &[first, "\r\n1", "Content-Type: text/plain\r\n\r\n2"][..], &[][..]),
        ("/a", &[first], &["body minItems"]),
        ("/a", &["\r\n{\"n\":1}", "\r\n1"], &["body /0 required"]),
        ("/a", &["X-A: 1\r\n\r\n{\"n\":\"a\"}", "\r\n1"], &["body /0/n type"]),
        ("/a", &[first, "\r\n1", "\r\na"], &["body /2 type"]),
        ("/a", &["X-A: 1\r\n\r\n{", "\r\n1"], &["body /0 syntax"]),
        ("/a", &[first, "Content-Type: text/csv\r\n\r\n1"], &["body /1 contentType"]),
        ("/b", &[], &[]),
        ("/b", &["\r\n1", "\r\na"], &["body /1 type"]),
    ] {
        let body = parts.iter().map(|part| format!("--b\r\n{part}\r\n")).collect::<Vec<_>>().concat();
        let header = ("content-type", "multipart/mixed; boundary=b");
        let answer = mock.send("POST", path, &[header], &format!("{body}--b--\r\n")).await;
        let status = match errors {
            [] => 204,
            ["body /0 syntax"] => 400,
            _ => 422,
        };
        let expected: Vec<_> = errors.iter().map(ToString::to_string).collect();
        let found = if errors.is_empty() { Vec::new() } else { answer.errors() };
        assert_eq!((answer.status, found), (status, expected), "{path} {parts:?}");
    }
}

#[tokio::test]
async fn each_created_record_has_its_own_id() {
    let mut runs = Vec::new();
    for mock in [start(""), start("")] {
        let mut pets = Vec::new();
        for name in ["Bella", "Max", "Bella"] {
            let made = mock.send("POST", "/pets", &[TOKEN, JSON], &json!({ "name": name }).to_string()).await.json();
            assert_eq!(mock.get(&format!("/pets/{}", made["id"])).await.json(), made);
            pets.push(made);
        }
        assert_ne!(pets[0]["id"], pets[2]["id"]);
        for pet in &pets {
            assert_eq!(mock.get(&format!("/pets/{}", pet["id"])).await.json(), *pet);
        }
        runs.push(pets);
    }
    assert_eq!(runs[0], runs[1]);
}

/// As in the Petstore: the identifier is optional, has another name than the parameter, and PUT has it in the body.
const STORE: &str = "\
openapi: 3.0.4
info: { title: Store, version: '1' }
paths:
  /pet:
    post: { operationId: addPet, requestBody: &pet { required: true, content: { application/json: { schema: &schema { type: object, required: [name], properties: { id: { type: integer, example: 321 }, name: { type: string, example: Bella } } } } } }, responses: &pets { '200': { description: It., content: { application/json: { schema: *schema } } } } }
    put: { operationId: updatePet, requestBody: *pet, responses: *pets }
  /pet/{petId}:
    parameters: [{ name: petId, in: path, required: true, schema: { type: integer } }]
    get: { operationId: getPet, responses: { '200': { description: It., content: { application/json: { schema: *schema } } }, '404': { description: None. } } }
    delete: { operationId: deletePet, responses: { '200': { description: Done. } } }
  /key:
    post: { operationId: addKey, responses: &keys { '201': { description: It., content: { application/json: { schema: { type: object, required: [key], properties: { key: { type: string, format: uuid } } } } } } } }
  /key/{key}:
    parameters: [{ name: key, in: path, required: true, schema: { type: string, format: uuid } }]
    get: { operationId: getKey, responses: *keys }
";

#[tokio::test]
async fn records_are_found_by_the_id_that_is_asked_for() {
    let mock = Mock::start(&Folder::new(&[("a.yaml", STORE)]), "a.yaml");
    let made = mock.send("POST", "/pet", &[JSON], r#"{"name":"Max"}"#).await.json();
    assert!(made["id"].is_i64(), "{made}");
    let path = format!("/pet/{}", made["id"]);
    assert_eq!(mock.get(&path).await.json(), made);
    assert_eq!(mock.get("/pet/10").await.json(), json!({ "id": 10, "name": "Bella" }));
    for (id, name) in [(made["id"].clone(), "Rex"), (json!(12), "Leo")] {
        let pet = json!({ "id": id, "name": name });
        assert_eq!(mock.send("PUT", "/pet", &[JSON], &pet.to_string()).await.json(), pet);
        assert_eq!(mock.get(&format!("/pet/{id}")).await.json(), pet);
    }
    for path in [path.as_str(), "/pet/10"] {
        assert_eq!(mock.send("DELETE", path, &[], "").await.status, 200);
        assert_eq!(mock.get(path).await.status, 404);
    }
    let sent = json!({ "id": 10, "name": "Kim" });
    assert_eq!(mock.send("POST", "/pet", &[JSON], &sent.to_string()).await.json(), sent);
    assert_eq!(mock.get("/pet/10").await.json(), sent);
    let (one, other) = (mock.send("POST", "/key", &[], "").await.json(), mock.send("POST", "/key", &[], "").await);
    assert_ne!(one, other.json());
    let path = format!("/key/{}", one["key"].as_str().unwrap());
    assert_eq!((mock.get(&path).await.json(), other.status), (one, 201));
}
