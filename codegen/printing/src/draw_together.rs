//! Calls whose last argument is a block and attributes with one list, which prettyplease sets on lines of their own.

use std::borrow::Cow;

/// What a line may be wide: prettyplease keeps to it too.
const WIDTH: usize = 89;

/// The lines of `code` as prettyplease prints it, with
///
/// ```text
/// call(
///     first,
///     |last| match last {
///         …
///     },
/// )?;
/// ```
///
/// drawn together to
///
/// ```text
/// call(first, |last| match last {
///     …
/// })?;
/// ```
///
/// and `#[cfg(` above `any(` to `#[cfg(any(`.
pub(crate) fn draw_together(code: &str) -> Vec<Cow<'_, str>> {
    let mut start = 0;
    let ends = memchr::memchr_iter(b'\n', code.as_bytes());
    let lines = ends.map(|end| Cow::Borrowed(&code[std::mem::replace(&mut start, end + 1)..end]));
    let mut lines: Vec<Cow<'_, str>> = lines.collect();
    let mut index = 0;
    while index < lines.len() {
        if let Some(attribute) = Attribute::at(&lines, index) {
            attribute.draw_together(&mut lines);
        } else if let Some(call) = Call::at(&lines, index) {
            call.draw_together(&mut lines);
        }
        index += 1;
    }
    lines
}

/// A call that can be drawn together.
struct Call {
    /// The line that ends with the opening parenthesis.
    start: usize,
    /// The line of the last argument, which opens a block.
    block: usize,
    /// The line that starts with the closing parenthesis.
    end: usize,
    /// What the first line will be.
    head: String,
}

impl Call {
    fn at(lines: &[Cow<'_, str>], start: usize) -> Option<Self> {
        let first = &lines[start];
        if !first.ends_with('(') || first.trim_start().starts_with("//") {
            return None;
        }
        let indent = indent(first);

        let mut head = first.to_string();
        let mut block = start + 1;
        loop {
            let line = lines.get(block)?;
            if self::indent(line) != indent + 4 {
                return None;
            }
            head.push_str(line.trim_start());
            if line.ends_with('{') {
                break;
            }
            if !line.ends_with(',') {
                return None;
            }
            head.push(' ');
            block += 1;
        }
        if head.chars().count() > WIDTH {
            return None;
        }

        let end = (block + 1..lines.len())
            .find(|&line| self::indent(&lines[line]) <= indent + 4 && !lines[line].is_empty())?;
        let closes = lines[end].trim_start() == "}," && self::indent(&lines[end]) == indent + 4;
        let after = lines.get(end + 1)?;
        let is_last = after.trim_start().starts_with(')') && self::indent(after) == indent;
        (closes && is_last).then_some(Self { start, block, end: end + 1, head })
    }

    fn draw_together(self, lines: &mut Vec<Cow<'_, str>>) {
        let after = lines[self.end].trim_start();
        let last = format!("{:indent$}}}{after}", "", indent = indent(&lines[self.start]));
        let body: Vec<_> = lines[self.block + 1..self.end - 1].iter().map(less_indented).collect();
        lines.splice(self.start..=self.end, [self.head.into()].into_iter().chain(body).chain([last.into()]));
    }
}

/// An attribute with one list, both on several lines.
struct Attribute {
    start: usize,
    /// The line that closes the attribute.
    end: usize,
}

impl Attribute {
    fn at(lines: &[Cow<'_, str>], start: usize) -> Option<Self> {
        let first = &lines[start];
        if !first.ends_with('(') || !first.trim_start().starts_with('#') || !lines.get(start + 1)?.ends_with('(') {
            return None;
        }
        let indent = indent(first);
        let inner = (start + 2..lines.len()).find(|&line| self::indent(&lines[line]) <= indent + 4)?;
        let ends = lines[inner].trim_start() == ")" && lines.get(inner + 1)?.trim_start() == ")]";
        ends.then_some(Self { start, end: inner + 1 })
    }

    fn draw_together(self, lines: &mut Vec<Cow<'_, str>>) {
        let head = format!("{}{}", lines[self.start], lines[self.start + 1].trim_start());
        let last = format!("{:indent$}))]", "", indent = indent(&lines[self.start]));
        let body: Vec<_> = lines[self.start + 2..self.end - 1].iter().map(less_indented).collect();
        lines.splice(self.start..=self.end, [head.into()].into_iter().chain(body).chain([last.into()]));
    }
}

fn less_indented<'a>(line: &Cow<'a, str>) -> Cow<'a, str> {
    match line {
        Cow::Borrowed(line) => Cow::Borrowed(line.strip_prefix("    ").unwrap_or(line)),
        Cow::Owned(line) => Cow::Owned(line.strip_prefix("    ").unwrap_or(line).to_owned()),
    }
}

fn indent(line: &str) -> usize {
    line.len() - line.trim_start_matches(' ').len()
}

#[cfg(test)]
mod tests {
    use super::draw_together;

    #[test]
    fn a_closure_with_a_match() {
        let code = "    json.object(\n        &MEMBERS,\n        &mut |json, member| match member {\n            _ => 1,\n        },\n    )?;\n";
        assert_eq!(
            draw_together(code),
            ["    json.object(&MEMBERS, &mut |json, member| match member {", "        _ => 1,", "    })?;"]
        );
    }

    #[test]
    fn an_attribute_with_one_list() {
        let code = "    #[cfg(\n        any(\n            feature = \"a\",\n            feature = \"b\"\n        )\n    )]\n    pub fn a();\n";
        let drawn =
            ["    #[cfg(any(", "        feature = \"a\",", "        feature = \"b\"", "    ))]", "    pub fn a();"];
        assert_eq!(draw_together(code), drawn);
    }

    #[test]
    fn a_block_that_is_not_the_last_argument() {
        let code = "call(\n    Some {\n        a,\n    },\n    b,\n)\n";
        assert_eq!(draw_together(code), code.lines().collect::<Vec<_>>());
    }
}
