//! Arguments become the request of the operation; a dry run shows it.

use serde_json::{Value, json};

use crate::PROGRAM;
use crate::caller::{Caller, text};

async fn start(allow: &str) -> Caller {
    let environment = [("COMPILED_URL", "http://api.test"), ("COMPILED_BEARER", "hush-hush")];
    Caller::start(PROGRAM, &["--dry-run", "--allow", allow], &environment).await
}

/// The request that a call would send.
async fn request(caller: &mut Caller, tool: &str, arguments: Value) -> Value {
    let result = caller.call(tool, arguments).await;
    assert_eq!(result["isError"], json!(false), "{result}");
    result["structuredContent"].clone()
}

#[tokio::test]
async fn parameters_are_written_in_their_styles() {
    let mut caller = start("read").await;
    let arguments = json!({
        "value": "a b", "required": 7, "reserved": "a/b", "list": ["x", "y"], "listInOne": ["x", "y"], "spaced": ["x", "y"],
        "piped": ["x", "y"], "pointInOne": { "x": 1, "y": 2 }, "deep": { "x": 1, "y": 2 }, "json": { "x": 1, "y": 2 },
        "oneOrMany": ["p", "q"], "at": "2024-03-05T09:30:00Z",
    });
    let request = request(&mut caller, "query", arguments).await;
    assert_eq!(request["method"], "GET");
    let url = request["url"].as_str().expect("a URL");
    for part in [
        "value=a%20b",
        "required=7",
        "reserved=a/b",
        "&list=x&list=y",
        "listInOne=x,y",
        "spaced=x%20y",
        "piped=x%7Cy",
        "pointInOne=x,1,y,2",
        "deep[x]=1&deep[y]=2",
        "json={%22x%22:1,%22y%22:2}",
        "oneOrMany=p&oneOrMany=q",
    ] {
        let decoded = url.replace("%5B", "[").replace("%5D", "]").replace("%7B", "{").replace("%7D", "}");
        let decoded = decoded.replace("%3A", ":").replace("%2C", ",");
        assert!(decoded.contains(part), "{part}: {url}");
    }
}

/// What the client sends, in the order of names.
const UNTYPED: &str = "lines%5B0%5D%5Bextra%5D=%5B2%5D&lines%5B0%5D%5Bsettings%5D=%7B%22i%22%3A%22j%22%7D&lines%5B1%5D%5Bextra%5D=k\
                       &more=m&note=hello&notes=a&notes=1&notes=%7B%22b%22%3A%5B%5D%7D&other=%7B%22n%22%3Anull%7D\
                       &owner%5Bextra%5D=%7B%22g%22%3A1%7D&owner%5Bname%5D=f&owner%5Bsettings%5D=%7B%22h%22%3Atrue%7D\
                       &settings=%7B%22c%22%3A%7B%22d%22%3A%22e%22%7D%7D&strict=%22l%22";

#[tokio::test]
async fn every_kind_of_body_is_sent() {
    let mut caller = start("destructive").await;
    let form = json!({ "body": { "title": "a&b", "stars": 3, "tags": ["x", "y"], "done": true } });
    let lines = json!({ "body": [1, 2] });
    let untyped = json!({
        "note": "hello", "notes": ["a", 1, { "b": [] }], "settings": { "c": { "d": "e" } },
        "owner": { "name": "f", "extra": { "g": 1 }, "settings": { "h": true } },
        "lines": [{ "extra": [2], "settings": { "i": "j" } }, { "extra": "k" }],
        "strict": "l", "more": "m", "other": { "n": null },
    });
    for (tool, arguments, media_type, body) in [
        ("sendText", json!({ "body": "hello" }), "text/plain", "hello"),
        ("sendBytes", json!({ "body": { "base64": "AAEC" } }), "application/octet-stream", "\u{0}\u{1}\u{2}"),
        ("sendBytes", json!({ "body": { "text": "abc", "mediaType": "text/csv" } }), "text/csv", "abc"),
        ("sendForm", form, "application/x-www-form-urlencoded", "done=true&stars=3&tags=x&tags=y&title=a%26b"),
        ("sendUntypedForm", json!({ "body": untyped }), "application/x-www-form-urlencoded", UNTYPED),
        ("sendAnything", json!({ "body": null }), "application/json", "null"),
        ("sendAnything", json!({ "body": [1, "a"] }), "application/json", "[1,\"a\"]"),
        ("echoSequence", lines, "application/json-seq", "\u{1e}1\n\u{1e}2\n"),
    ] {
        let request = request(&mut caller, tool, arguments).await;
        assert_eq!(request["headers"]["content-type"], media_type, "{tool}");
        assert_eq!(request["body"], body, "{tool}");
    }
    let absent = request(&mut caller, "sendAnything", json!({})).await;
    assert_eq!(absent.get("body"), None, "an optional body may be left out");
}

#[tokio::test]
async fn files_are_parts_with_their_names() {
    let mut caller = start("write").await;
    let body = json!({
        "file": { "text": "one", "fileName": "a.txt", "mediaType": "text/plain" },
        "more": [{ "base64": "dHdv" }, { "text": "three", "fileName": "c.txt" }],
        "title": "Three files",
        "tags": ["x", "y"],
    });
    let request = request(&mut caller, "uploadFiles", json!({ "body": body })).await;
    assert!(request["headers"]["content-type"].as_str().is_some_and(|text| text.starts_with("multipart/form-data; ")));
    let sent = request["body"].as_str().expect("a text");
    for part in [
        "name=\"file\"; filename=\"a.txt\"\r\nContent-Type: text/plain\r\n\r\none\r\n",
        "name=\"more\"; filename=\"more\"\r\nContent-Type: application/octet-stream\r\n\r\ntwo\r\n",
        "name=\"more\"; filename=\"c.txt\"\r\nContent-Type: application/octet-stream\r\n\r\nthree\r\n",
        "name=\"title\"\r\n\r\nThree files\r\n",
        "name=\"tags\"\r\n\r\nx\r\n",
        "name=\"tags\"\r\n\r\ny\r\n",
    ] {
        assert!(sent.contains(part), "{part}: {sent}");
    }
    let pictures = json!([{ "text": "1" }, { "text": "2", "mediaType": "image/jpeg" }]);
    let body = json!({ "first": { "title": "a" }, "second": "T", "rest": pictures });
    let request = self::request(&mut caller, "sendBundle", json!({ "body": body })).await;
    let sent = request["body"].as_str().expect("a text");
    let parts: Vec<_> = sent.split("\r\n").filter(|line| !line.is_empty() && !line.starts_with("--")).collect();
    let expected = [
        "Content-Type: application/vnd.note+json",
        "{\"title\":\"a\"}",
        "Content-Type: text/plain",
        "T",
        "Content-Disposition: attachment; filename=\"rest\"",
        "Content-Type: image/png",
        "1",
        "Content-Disposition: attachment; filename=\"rest\"",
        "Content-Type: image/jpeg",
        "2",
    ];
    assert_eq!(parts, expected);
    let wrong = json!({ "body": { "file": { "text": "a", "base64": "YQ==" }, "title": "t" } });
    assert!(caller.refused("uploadFiles", wrong).await.contains("`body.file` has its content in"));
    let wrong = json!({ "body": { "file": { "base64": "?" }, "title": "t" } });
    assert!(caller.refused("uploadFiles", wrong).await.contains("`body.file.base64` is not base64"));
}

#[tokio::test]
async fn a_wrong_argument_is_named() {
    let mut caller = start("destructive").await;
    for (tool, arguments, named) in [
        ("query", json!({}), "`required`: is missing"),
        ("query", json!({ "required": "seven" }), "`required`: "),
        ("query", json!({ "required": 1, "valeu": "a" }), "'valeu' was unexpected"),
        ("query", json!({ "required": 1, "at": "tomorrow" }), "`at`: "),
        ("sendForm", json!({ "body": { "title": "" } }), "`body.title`: "),
        ("uploadFiles", json!({ "body": { "title": "t" } }), "`body.file`: is missing"),
    ] {
        let refused = caller.refused(tool, arguments).await;
        assert!(
            refused.starts_with("The arguments are not valid:\n- ") && refused.contains(named),
            "{tool}: {refused}"
        );
    }
    // Models write `null` for what they leave out.
    request(&mut caller, "query", json!({ "required": 1, "value": null })).await;
}

#[tokio::test]
async fn a_tool_of_another_tier_is_neither_listed_nor_called() {
    let mut caller = start("read").await;
    let tools = caller.tools().await;
    assert!(tools.iter().all(|tool| tool["annotations"]["readOnlyHint"] == json!(true)), "{tools:?}");
    let refused = caller.refused("sendText", json!({ "body": "a" })).await;
    assert_eq!(refused, "`sendText` is a tool of the tier `write`; this server was started with `--allow read`");
    let unknown = caller.ask("tools/call", json!({ "name": "nothing", "arguments": {} })).await;
    assert_eq!(unknown["error"]["message"], "unknown tool `nothing`");
    caller.end().await;
}

#[tokio::test]
async fn every_tool_has_a_schema_of_its_own() {
    let mut caller = start("destructive").await;
    for tool in caller.tools().await {
        let schema = &tool["inputSchema"];
        assert_eq!(schema["type"], "object", "{tool}");
        let text = schema.to_string();
        for reference in text.split("\"$ref\":\"#/$defs/").skip(1).filter_map(|rest| rest.split('"').next()) {
            assert!(schema["$defs"].get(reference).is_some(), "{reference}: {tool}");
        }
    }
    // A schema that cannot be checked would be noted there.
    let first = caller.call("sendText", json!({ "body": "a" })).await;
    assert!(!text(&first).contains("hush-hush"), "{first}");
    assert_eq!(caller.end().await, "");
}
