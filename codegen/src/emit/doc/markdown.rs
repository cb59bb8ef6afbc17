//! Markdown from strangers, made harmless for rustdoc and clippy: lists indented as they want it, code that is not taken
//! for Rust, nothing that links nowhere.

use super::{inline, wrap};

/// A quotation within so many others is text: nobody follows deeper, and each level is another pass.
const DEEPEST_QUOTE: usize = 8;

/// The same text, in which rustdoc and clippy find nothing to complain about.
pub(super) fn safe(text: &str) -> String {
    let lines: Vec<String> = clean(text);
    let lines: Vec<&str> = lines.iter().map(String::as_str).collect();
    let mut out = Vec::new();
    blocks(&lines, 0, &mut out);
    while out.last().is_some_and(String::is_empty) {
        out.pop();
    }
    out.join("\n")
}

/// Lines without tabs, control characters and what they are all indented by.
fn clean(text: &str) -> Vec<String> {
    // Nearly all text is plain.
    let is_plain = text.bytes().all(|byte| matches!(byte, b' '..=b'~' | b'\n'));
    let lines: Vec<String> =
        if is_plain { text.lines().map(|line| line.trim_end().to_owned()).collect() } else { visible(text) };
    let first = lines.iter().position(|line| !line.is_empty()).unwrap_or(lines.len());
    // The first line of a YAML string has lost its indentation already.
    let rest = || lines.iter().skip(first + 1).filter(|line| !line.is_empty()).map(|line| indent(line));
    let own = lines.get(first).map_or(0, |line| indent(line));
    let common = rest().min().unwrap_or(0);
    let common = if own == 0 && rest().next().is_some_and(|_| common >= 4) { common } else { common.min(own) };
    lines
        .iter()
        .skip(first)
        .enumerate()
        .map(|(index, line)| {
            let cut = if index == 0 { own } else { common.min(indent(line)) };
            line[cut..].to_owned()
        })
        .collect()
}

/// Its lines, wherever they end, without what cannot be seen.
fn visible(text: &str) -> Vec<String> {
    let text = text
        .replace("\r\n", "\n")
        .replace(['\r', '\u{2028}', '\u{2029}', '\u{85}', '\u{b}', '\u{c}'], "\n")
        .replace('\t', "    ");
    let visible = |line: &str| line.chars().filter(|character| !is_hidden(*character)).collect::<String>();
    text.lines().map(|line| visible(line).trim_end().to_owned()).collect()
}

/// Control characters, and those that turn the direction of text, which rustc refuses in comments.
pub(super) fn is_hidden(character: char) -> bool {
    character.is_control() || matches!(character, '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}' | '\u{feff}')
}

/// A list item that lines may belong to.
struct Item {
    /// Where its text starts in the input.
    text_indent: usize,
    /// Where its text starts in the output.
    out_indent: usize,
}

/// Puts the lines out, block by block; `depth` is in how many quotations they stand.
fn blocks(lines: &[&str], depth: usize, out: &mut Vec<String>) {
    let mut items: Vec<Item> = Vec::new();
    let mut index = 0;
    let mut after_blank = true;
    while let Some(line) = lines.get(index) {
        let text = line.trim_start();
        if text.is_empty() {
            blank(out);
            after_blank = true;
            index += 1;
            continue;
        }

        let indent = indent(line);
        let in_paragraph = !after_blank && out.last().is_some_and(|line| !line.is_empty());
        if let Some((marker, width)) = list_marker(text, in_paragraph && items.is_empty()) {
            items.retain(|item| item.text_indent <= indent);
            let out_indent = items.last().map_or(0, |item| item.out_indent);
            let item = Item { text_indent: indent + width, out_indent: out_indent + marker.len() + 1 };
            let inner: Vec<String> = std::iter::once(text[width.min(text.len())..].to_owned()).collect();
            let end = paragraph_end(lines, index + 1);
            let body = inner.into_iter().chain(lines[index + 1..end].iter().map(|line| line.trim_start().to_owned()));
            let body: Vec<String> = body.collect();
            paragraph(&body, &format!("{:out_indent$}{marker} ", ""), item.out_indent, out);
            items.push(item);
            index = end;
            after_blank = false;
            continue;
        }

        if after_blank || starts_alone(text) {
            items.retain(|item| item.text_indent <= indent);
        }
        let base = items.last().map_or(0, |item| item.text_indent);
        let out_indent = items.last().map_or(0, |item| item.out_indent);
        index = if let Some(fence) = fence(text) {
            fenced(lines, index, fence, out_indent, out)
        } else if after_blank && indent >= base + 4 {
            indented_code(lines, index, base + 4, out_indent, out)
        } else if text.starts_with('>') {
            quote(lines, index, depth, out_indent, out)
        } else if text.starts_with('#') || is_rule(text) {
            out.push(format!("{:out_indent$}{}", "", inline::safe(text)));
            index + 1
        } else {
            let end = paragraph_end(lines, index + 1);
            let body: Vec<String> = lines[index..end].iter().map(|line| line.trim_start().to_owned()).collect();
            paragraph(&body, &" ".repeat(out_indent), out_indent, out);
            end
        };
        after_blank = false;
    }
}

fn blank(out: &mut Vec<String>) {
    if out.last().is_some_and(|line| !line.is_empty()) {
        out.push(String::new());
    }
}

/// Where the paragraph ends that goes on at `index`.
fn paragraph_end(lines: &[&str], index: usize) -> usize {
    let ends = |line: &&&str| {
        let text = line.trim_start();
        text.is_empty() || starts_alone(text) || list_marker(text, true).is_some()
    };
    lines[index..].iter().position(|line| ends(&line)).map_or(lines.len(), |length| index + length)
}

/// The text interrupts a paragraph.
fn starts_alone(text: &str) -> bool {
    fence(text).is_some() || text.starts_with('>') || is_heading(text) || is_rule(text)
}

fn is_heading(text: &str) -> bool {
    let marks = text.bytes().take_while(|byte| *byte == b'#').count();
    (1..=6).contains(&marks) && text[marks..].starts_with([' ']) || marks == text.len() && marks > 0
}

/// `---`, `***`, `===`: a rule, or the underline of a heading.
fn is_rule(text: &str) -> bool {
    let mut marks = text.bytes().filter(|byte| *byte != b' ');
    let Some(mark @ (b'-' | b'*' | b'_' | b'=')) = marks.next() else { return false };
    let mut count = 1;
    let are_same = marks.all(|byte| {
        count += 1;
        byte == mark
    });
    are_same && count >= 3
}

/// One paragraph, its first line after `first`, the others indented. Tables keep their lines.
fn paragraph(lines: &[String], first: &str, indent: usize, out: &mut Vec<String>) {
    let is_table =
        lines.iter().any(|line| line.starts_with('|')) || lines.iter().skip(1).any(|line| is_delimiter(line));
    let safe = inline::safe(&lines.join("\n"));
    let wrapped: Vec<String> =
        if is_table { safe.lines().map(str::to_owned).collect() } else { wrap::wrap(&safe, indent) };
    if wrapped.is_empty() {
        out.push(first.trim_end().to_owned());
    }
    for (index, line) in wrapped.iter().enumerate() {
        let start = if index == 0 { first.to_owned() } else { " ".repeat(indent) };
        out.push(format!("{start}{line}").trim_end().to_owned());
    }
}

/// `--- | :---:`, below the head of a table.
fn is_delimiter(line: &str) -> bool {
    line.contains('|') && line.contains('-') && line.chars().all(|character| "|-: ".contains(character))
}

/// The marker of a list item, and how far its text is from it. A number other than 1 does not interrupt a paragraph.
fn list_marker(text: &str, in_paragraph: bool) -> Option<(String, usize)> {
    if is_rule(text) {
        return None;
    }
    let digits = text.bytes().take_while(u8::is_ascii_digit).count();
    let (marker, length) = if digits == 0 {
        let bullet = text.chars().next().filter(|first| matches!(first, '-' | '*' | '+' | '•'))?;
        ("-".to_owned(), bullet.len_utf8())
    } else {
        let number: u32 = text[..digits].parse().ok().filter(|_| digits <= 9)?;
        if in_paragraph && number != 1 || !text[digits..].starts_with(['.', ')']) {
            return None;
        }
        (format!("{number}{}", &text[digits..=digits]), digits + 1)
    };
    let after = &text[length..];
    let spaces = indent(after);
    match (after.is_empty(), spaces) {
        (true, _) if in_paragraph => None,
        (false, 0) => None,
        (false, 1..=4) => Some((marker, length + spaces)),
        (true | false, _) => Some((marker, length + 1)),
    }
}

/// The mark of a fence, and how often it is repeated.
fn fence(text: &str) -> Option<(char, usize)> {
    let mark = text.chars().next().filter(|mark| matches!(mark, '`' | '~'))?;
    let length = text.chars().take_while(|character| *character == mark).count();
    let info = &text[length..];
    (length >= 3 && !(mark == '`' && info.contains('`'))).then_some((mark, length))
}

/// A fenced block, which never is a Rust example.
fn fenced(
    lines: &[&str],
    start: usize,
    (mark, length): (char, usize),
    out_indent: usize,
    out: &mut Vec<String>,
) -> usize {
    let opening = lines[start];
    let own = indent(opening);
    let is_closing = |line: &&&str| {
        let text = line.trim_start();
        text.len() >= length && text.chars().all(|character| character == mark)
    };
    let end = lines[start + 1..].iter().position(|line| is_closing(&line)).map_or(lines.len(), |end| start + 1 + end);
    let language = language(opening.trim_start().trim_start_matches(mark));
    let code = lines[start + 1..end].iter().map(|line| &line[own.min(indent(line))..]);
    code_block(code, language, out_indent, out);
    end + 1
}

/// A block that is code because it is indented.
fn indented_code(lines: &[&str], start: usize, base: usize, out_indent: usize, out: &mut Vec<String>) -> usize {
    let is_code = |line: &str| line.is_empty() || indent(line) >= base;
    let mut end = lines[start..].iter().position(|line| !is_code(line)).map_or(lines.len(), |length| start + length);
    while end > start + 1 && lines[end - 1].is_empty() {
        end -= 1;
    }
    let code = lines[start..end].iter().map(|line| &line[base.min(line.len())..]);
    code_block(code, "text", out_indent, out);
    end
}

fn code_block<'a>(code: impl Iterator<Item = &'a str>, language: &str, out_indent: usize, out: &mut Vec<String>) {
    let code: Vec<&str> = code.collect();
    let ticks = code.iter().map(|line| line.bytes().take_while(|byte| *byte == b'`').count()).max().unwrap_or(0);
    let fence = "`".repeat(ticks.max(2) + 1);
    let pad = " ".repeat(out_indent);
    out.push(format!("{pad}{fence}{language}"));
    out.extend(code.iter().map(|line| if line.is_empty() { String::new() } else { format!("{pad}{line}") }));
    out.push(format!("{pad}{fence}"));
}

/// The languages that are worth naming; to rustdoc every other word might be one of its own.
fn language(info: &str) -> &str {
    const LANGUAGES: &[&str] = &[
        "bash",
        "css",
        "curl",
        "go",
        "graphql",
        "html",
        "http",
        "java",
        "javascript",
        "js",
        "json",
        "jsonc",
        "php",
        "python",
        "ruby",
        "sh",
        "shell",
        "sql",
        "toml",
        "ts",
        "typescript",
        "xml",
        "yaml",
        "yml",
    ];
    let word = info.trim().split(|character: char| !character.is_ascii_alphanumeric()).next().unwrap_or_default();
    LANGUAGES.iter().find(|language| language.eq_ignore_ascii_case(word)).copied().unwrap_or("text")
}

/// A quotation: every line of it is marked, and what it holds is made safe by itself.
fn quote(lines: &[&str], start: usize, depth: usize, out_indent: usize, out: &mut Vec<String>) -> usize {
    let end = lines[start..].iter().position(|line| line.is_empty()).map_or(lines.len(), |length| start + length);
    let inner: Vec<&str> = lines[start..end]
        .iter()
        .map(|line| {
            let text = line.trim_start();
            if depth >= DEEPEST_QUOTE {
                return text.trim_start_matches(|character: char| character == '>' || character.is_whitespace());
            }
            text.strip_prefix('>').map_or(text, |rest| rest.strip_prefix(' ').unwrap_or(rest))
        })
        .collect();
    let mut quoted = Vec::new();
    blocks(&inner, depth + 1, &mut quoted);
    out.extend(quoted.iter().map(|line| format!("{:out_indent$}> {line}", "").trim_end().to_owned()));
    end
}

fn indent(line: &str) -> usize {
    line.len() - line.trim_start_matches(' ').len()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quotations_are_followed_to_a_depth() {
        assert_eq!(safe("> a\n>> b\nc"), "> a\n> > b\n> > c");
        let marks = "> ".repeat(DEEPEST_QUOTE + 1);
        assert_eq!(safe(&format!("{marks}> a\n{marks}>>> b")), format!("{marks}a\n{marks}b"));
        assert_eq!(safe(&("> ".repeat(50_000) + "a")), format!("{marks}a"));
    }
}
