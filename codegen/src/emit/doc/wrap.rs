//! Long lines of prose.

/// How wide a line of a comment may be, without its indentation and slashes.
const WIDTH: usize = 100;

/// `text`, one paragraph, in lines that are not too long. Existing line breaks stay.
pub(super) fn wrap(text: &str, indent: usize) -> Vec<String> {
    let width = WIDTH.saturating_sub(indent).max(40);
    let mut lines = Vec::new();
    for line in text.lines() {
        if line.chars().count() <= width + width / 5 {
            lines.push(line.to_owned());
        } else {
            wrap_line(line, width, &mut lines);
        }
    }
    lines
}

fn wrap_line(line: &str, width: usize, lines: &mut Vec<String>) {
    let mut current = String::new();
    let mut length = 0;
    for word in words(line) {
        let word_length = word.chars().count();
        if length > 0 && length + 1 + word_length > width && !starts_block(word) {
            lines.push(std::mem::take(&mut current));
            length = 0;
        }
        if length > 0 {
            current.push(' ');
            length += 1;
        }
        current.push_str(word);
        length += word_length;
    }
    lines.push(current);
}

/// The pieces between which a line may be broken: not inside of code and links.
fn words(line: &str) -> Vec<&str> {
    let mut words = Vec::new();
    let mut start = 0;
    let (mut in_code, mut brackets) = (false, 0_i32);
    let mut escaped = false;
    for (index, character) in line.char_indices() {
        match character {
            '\\' if !escaped && !in_code => {
                escaped = true;
                continue;
            }
            '`' if !escaped => in_code = !in_code,
            '[' | '(' if !escaped && !in_code => brackets += i32::from(character == '['),
            ']' if !escaped && !in_code => brackets = (brackets - 1).max(0),
            ' ' if !in_code && brackets == 0 => {
                if start < index {
                    words.push(&line[start..index]);
                }
                start = index + 1;
            }
            _ => {}
        }
        escaped = false;
    }
    if start < line.len() {
        words.push(&line[start..]);
    }
    words
}

/// At the start of a line the word would be a heading, a list, a quote, a table or a rule.
fn starts_block(word: &str) -> bool {
    word.starts_with(['#', '-', '+', '*', '>', '|', '=', '~', '_', '`'])
        || word.starts_with(|first: char| first.is_ascii_digit()) && word.ends_with(['.', ')'])
}
