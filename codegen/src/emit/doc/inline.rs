//! Marks within a paragraph: code, links, HTML, addresses.

/// What is in parentheses behind a label is a target up to this many bytes; nobody reads on for the end of it.
const LONGEST_TARGET: usize = 2048;

/// `text`, one paragraph, with everything that rustdoc would take for a broken link, HTML or a bare address escaped.
pub(super) fn safe(text: &str) -> String {
    let mut safe = String::with_capacity(text.len() + 16);
    let mut rest = text;
    while let Some(first) = rest.chars().next() {
        let taken = match first {
            '\\' => backslash(rest, &mut safe),
            '`' => code(rest, &mut safe),
            '<' => angle(rest, &mut safe),
            '[' => link(rest, &mut safe),
            'h' if is_address(rest) => address(rest, &mut safe),
            _ => {
                let is_mark = |byte| matches!(byte, b'\\' | b'`' | b'<' | b'[' | b'h');
                let length = rest.bytes().skip(1).position(is_mark).map_or(rest.len(), |index| index + 1);
                safe.push_str(&rest[..length]);
                length
            }
        };
        rest = &rest[taken..];
    }
    safe
}

/// A backslash and the mark it escapes.
fn backslash(text: &str, safe: &mut String) -> usize {
    let escaped = text[1..].chars().next().filter(char::is_ascii_punctuation);
    safe.push('\\');
    if let Some(mark) = escaped {
        safe.push(mark);
        return 2;
    }
    // At the end of a line it would be a line break, before a letter it stands for itself.
    safe.push('\\');
    1
}

/// Code between backticks, as it is; backticks that are never closed are escaped.
fn code(text: &str, safe: &mut String) -> usize {
    let ticks = text.bytes().take_while(|byte| *byte == b'`').count();
    let mut end = ticks;
    while let Some(start) = text[end..].find('`').map(|start| end + start) {
        let run = text[start..].bytes().take_while(|byte| *byte == b'`').count();
        if run == ticks {
            safe.push_str(&text[..start + run]);
            return start + run;
        }
        end = start + run;
    }
    for _ in 0..ticks {
        safe.push_str("\\`");
    }
    ticks
}

/// `<https://example.com>` stays, any other tag is escaped.
fn angle(text: &str, safe: &mut String) -> usize {
    if is_address(&text[1..])
        && let Some(length) = text[1..].find(|character: char| "<>".contains(character) || character.is_whitespace())
        && let end = 1 + length
        && text[end..].starts_with('>')
    {
        safe.push_str(&text[..=end]);
        return end + 1;
    }
    // Only these open a tag; `a < b` is fine.
    if text[1..].starts_with(|next: char| next.is_ascii_alphabetic() || "/!?".contains(next)) {
        safe.push('\\');
    }
    safe.push('<');
    1
}

/// `[text](https://example.com)` stays; what links to anywhere else is a name that rustdoc would look for.
fn link(text: &str, safe: &mut String) -> usize {
    if let Some((label, target, length)) = parts_of_link(text) {
        // A label in quotes looks like a forgotten backtick to clippy.
        let label = if is_address(label) { "link" } else { label.trim_matches(['"', '\'']) };
        let link = if target.starts_with('#') {
            label.to_owned()
        } else if !is_absolute(target) {
            format!("{label} (`{target}`)")
        } else if target.contains(['(', ')']) {
            format!("[{label}](<{target}>)")
        } else {
            format!("[{label}]({target})")
        };
        safe.push_str(&link);
        return length;
    }
    safe.push_str("\\[");
    1
}

/// The label, the target and the length of a link that `text` starts with.
fn parts_of_link(text: &str) -> Option<(&str, &str, usize)> {
    // A label with a mark in it is none.
    let end = 1 + text[1..].find([']', '[', '<', '`', '\\'])?;
    let rest = text[end..].strip_prefix("](")?;
    let close = rest[..rest.floor_char_boundary(LONGEST_TARGET)].find(')')?;
    let inside = rest[..close].trim();
    // A title in quotes may follow the target.
    let (target, title) = inside.split_once(char::is_whitespace).unwrap_or((inside, ""));
    let title = title.trim();
    let is_title = title.is_empty() || title.len() > 1 && title.starts_with('"') && title.ends_with('"');
    let target = target.strip_prefix('<').and_then(|target| target.strip_suffix('>')).unwrap_or(target);
    let is_plain = !target.is_empty() && !target.contains(['<', '>', '\\', '`']) && !text[1..end].trim().is_empty();
    (is_title && is_plain).then_some((&text[1..end], target, end + 1 + 1 + close + 1))
}

fn is_absolute(target: &str) -> bool {
    is_address(target) || target.starts_with("mailto:")
}

fn is_address(text: &str) -> bool {
    text.starts_with("http://") || text.starts_with("https://")
}

/// A bare address, in angle brackets.
fn address(text: &str, safe: &mut String) -> usize {
    let end =
        text.find(|character: char| character.is_whitespace() || "<>\"`\\|".contains(character)).unwrap_or(text.len());
    let mut address = text[..end].trim_end_matches(['.', ',', ';', ':', '!', '?', '\'', '*', '_', ']', '}']);
    // `(see https://example.com)`
    let unopened = address.matches(')').count().saturating_sub(address.matches('(').count());
    for _ in 0..unopened {
        let Some(rest) = address.strip_suffix(')') else { break };
        address = rest.trim_end_matches(['.', ',', ';', ':', '!', '?', '\'', '*', '_']);
    }
    if address.len() <= "https://".len() {
        safe.push_str(&text[..end]);
        return end;
    }
    safe.push('<');
    safe.push_str(address);
    safe.push('>');
    address.len()
}

#[cfg(test)]
mod tests {
    use super::safe;

    #[test]
    fn marks_that_are_never_closed_take_no_time() {
        for mark in ["[", "[a](", "`a[", "<", "<https://", "[a]"] {
            let text = mark.repeat(100_000);
            assert!(safe(&text).len() >= text.len(), "{mark}");
        }
    }

    #[test]
    fn marks() {
        for (text, expected) in [
            ("plain *text* with `code<T>`", "plain *text* with `code<T>`"),
            ("a `tick", "a \\`tick"),
            ("``a ` b`` `c", "``a ` b`` \\`c"),
            ("see https://example.com/a_b.", "see <https://example.com/a_b>."),
            ("(https://example.com/x(1))", "(<https://example.com/x(1)>)"),
            ("<https://example.com>", "<https://example.com>"),
            ("<br>line", "\\<br>line"),
            ("a < b", "a < b"),
            ("[docs](https://example.com)", "[docs](https://example.com)"),
            ("[docs](#section)", "docs"),
            ("[docs](../other.md)", "docs (`../other.md`)"),
            ("[x] and [^1]", "\\[x] and \\[^1]"),
            ("[https://a.b](https://a.b)", "[link](https://a.b)"),
            ("\\[x\\]", "\\[x\\]"),
            ("C:\\dir", "C:\\\\dir"),
            ("https://", "https://"),
        ] {
            assert_eq!(safe(text), expected, "{text}");
        }
    }
}
