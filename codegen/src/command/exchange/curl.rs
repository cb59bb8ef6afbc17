//! Requests as command lines of `curl`.

use std::fmt::Write as _;

use specwright_exchange::Message;

/// The command line that sends the request to the service at `base`. Each of `headers` is a line, which is quoted so that
/// variables of the shell are replaced.
pub(in crate::command) fn line(base: &str, message: &Message, headers: &[String]) -> String {
    let Message { method, target, headers: own, body } = message;
    let mut line = "curl -i".to_owned();
    let default = if body.is_empty() { "GET" } else { "POST" };
    match method.as_str() {
        "HEAD" => line.push_str(" --head"),
        method if method == default => {}
        // Writing to a `String` cannot fail.
        method => {
            let _ = write!(line, " -X {method}");
        }
    }
    if target.contains(['[', '{']) {
        line.push_str(" --globoff");
    }
    let _ = write!(line, " {}", quoted(format!("{base}{target}").as_bytes()));
    for header in headers {
        let _ = write!(line, " -H \"{header}\"");
    }
    for (name, value) in own {
        // `curl` leaves out headers without a value unless they end with a semicolon.
        let header = if value.is_empty() { format!("{name};") } else { format!("{name}: {value}") };
        let _ = write!(line, " -H {}", quoted(header.as_bytes()));
    }
    if !body.is_empty() {
        let _ = write!(line, " --data-raw {}", quoted(body));
    }
    line
}

/// An argument for a shell; with `$'…'` where it has bytes that are not visible.
fn quoted(bytes: &[u8]) -> String {
    let is_plain = |byte: u8| byte.is_ascii_alphanumeric() || b"-_./:=,@%+~".contains(&byte);
    if !bytes.is_empty() && bytes.iter().all(|byte| is_plain(*byte)) {
        return String::from_utf8_lossy(bytes).into_owned();
    }
    match std::str::from_utf8(bytes) {
        Ok(text) if !text.chars().any(char::is_control) => format!("'{}'", text.replace('\'', r"'\''")),
        _ => {
            let mut quoted = "$'".to_owned();
            for byte in bytes {
                match byte {
                    b'\'' | b'\\' => {
                        quoted.push('\\');
                        quoted.push(char::from(*byte));
                    }
                    b'\n' => quoted.push_str("\\n"),
                    b'\r' => quoted.push_str("\\r"),
                    b' '..=b'~' => quoted.push(char::from(*byte)),
                    byte => {
                        // Three octal digits end the escape, whatever follows.
                        let _ = write!(quoted, "\\{byte:03o}");
                    }
                }
            }
            quoted + "'"
        }
    }
}

#[cfg(test)]
mod tests {
    use specwright_exchange::Message;

    use super::{line, quoted};

    #[test]
    fn arguments_survive_the_shell() {
        assert_eq!(quoted(b"/a?b=1"), "'/a?b=1'");
        assert_eq!(quoted(b"it's"), r"'it'\''s'");
        assert_eq!(quoted(b"a\r\n\x01\xff'"), r"$'a\r\n\001\377\''");
    }

    #[test]
    fn a_request_is_one_line() {
        let headers = vec![("Content-Type".to_owned(), "application/json".to_owned())];
        let message = Message { method: "POST".to_owned(), target: "/pets".to_owned(), headers, body: b"{}".to_vec() };
        let expected = "curl -i http://127.0.0.1/pets -H \"Authorization: Bearer $TOKEN\" \
                        -H 'Content-Type: application/json' --data-raw '{}'";
        assert_eq!(line("http://127.0.0.1", &message, &["Authorization: Bearer $TOKEN".to_owned()]), expected);
    }
}
