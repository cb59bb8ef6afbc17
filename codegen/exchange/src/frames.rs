//! The JSON texts in a body: usually one, and one per item in a stream.

/// The form of a body of a media type.
#[derive(PartialEq)]
enum Form {
    Whole,
    Lines,
    Events,
}

fn form(media_type: &str) -> Form {
    let bare = media_type.split(';').next().unwrap_or_default().trim().to_ascii_lowercase();
    if bare == "text/event-stream" {
        return Form::Events;
    }
    let is_lines = ["jsonl", "ndjson", "json-seq", "stream+json"].iter().any(|end| bare.ends_with(end));
    if is_lines { Form::Lines } else { Form::Whole }
}

/// Whether the service reads the items one by one, after it has been called.
pub fn is_stream(media_type: &str) -> bool {
    form(media_type) != Form::Whole
}

/// The JSON texts in a body of the media type.
pub fn texts(media_type: &str, body: &[u8]) -> Vec<Vec<u8>> {
    let form = form(media_type);
    if form == Form::Events {
        return events(&String::from_utf8_lossy(body));
    }
    if form == Form::Lines {
        let items = body.split(|byte| matches!(byte, b'\n' | 0x1e)).filter(|item| !item.trim_ascii().is_empty());
        return items.map(<[u8]>::to_vec).collect();
    }
    if body.is_empty() { Vec::new() } else { vec![body.to_vec()] }
}

/// The body of a stream with the items.
pub(crate) fn written(media_type: &str, items: &[serde_json::Value]) -> Vec<u8> {
    let bare = media_type.split(';').next().unwrap_or_default().trim().to_ascii_lowercase();
    let text = |item| match form(media_type) {
        Form::Events => format!("data: {item}\n\n"),
        _ if bare.ends_with("json-seq") => format!("\u{1e}{item}\n"),
        _ => format!("{item}\n"),
    };
    items.iter().map(text).collect::<String>().into_bytes()
}

/// The data of each event.
fn events(body: &str) -> Vec<Vec<u8>> {
    let body = body.replace("\r\n", "\n");
    let data = body.split("\n\n").map(|event| {
        let lines = event.lines().filter_map(|line| line.strip_prefix("data:"));
        lines.map(|line| line.strip_prefix(' ').unwrap_or(line)).collect::<Vec<_>>().join("\n")
    });
    data.filter(|data| !data.is_empty() && data != "[DONE]").map(String::into_bytes).collect()
}

#[cfg(test)]
mod tests {
    use super::{is_stream, texts};

    #[test]
    fn a_stream_has_a_text_for_each_item() {
        let of = |media_type: &str, body: &str| {
            let texts = texts(media_type, body.as_bytes());
            texts.into_iter().map(|text| String::from_utf8(text).expect("it was text")).collect::<Vec<_>>()
        };
        assert!(is_stream("application/ndjson") && !is_stream("application/json"));
        assert_eq!(of("application/json", "{\n}"), ["{\n}"]);
        assert_eq!(of("application/json", ""), [""; 0]);
        assert_eq!(of("application/x-ndjson; charset=utf-8", "1\n{}\n"), ["1", "{}"]);
        assert_eq!(of("application/json-seq", "\u{1e}1\n\u{1e}2\n"), ["1", "2"]);
        assert_eq!(of("text/event-stream", "event: a\ndata: [1,\ndata:2]\n\ndata: [DONE]\n\n"), ["[1,\n2]"]);
    }
}
