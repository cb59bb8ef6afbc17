//! Splits a long YAML text into pieces that can be parsed in parallel: the members of the document, and of
//! its long members.

/// Approximate size of a piece in bytes; a text shorter than two pieces is parsed at once.
pub(crate) const SIZE: usize = 1 << 17;

/// Line breaks of YAML 1.1 that this splitter does not know.
const BREAKS: [char; 4] = ['\r', '\u{85}', '\u{2028}', '\u{2029}'];

/// A piece, a document of its own.
pub(crate) struct Piece<'a> {
    /// The whole lines it consists of.
    parts: Vec<&'a str>,
    /// It only continues the last member of the previous piece.
    pub(crate) continues: bool,
}

impl Piece<'_> {
    /// Its text. Readers copy it in their own thread; all copies together are as long as the document.
    pub(crate) fn text(&self) -> String {
        self.parts.concat()
    }
}

/// Splits `text` into pieces of about `size` bytes, in order. `None` if the text does not consist of plain
/// members.
///
/// Only the starts of lines are examined, so a piece may end inside quotes or brackets. It is invalid YAML
/// then, as is a piece that uses anchors of another one, and the text has to be parsed at once.
pub(crate) fn of(text: &str, size: usize) -> Option<Vec<Piece<'_>>> {
    let text = text.strip_prefix("---\n").unwrap_or(text);
    // Merged members come after all others.
    if text.len() < 2 * size || text.contains("<<") || text.contains(BREAKS) || !is_made_of_names(text, 0) {
        return None;
    }
    let mut pieces = Vec::new();
    let mut short = Vec::new();
    for section in members(text, 0) {
        if section.len() < size {
            short.push(section);
            continue;
        }
        if !short.is_empty() {
            pieces.push(Piece { parts: std::mem::take(&mut short), continues: false });
        }
        pieces.extend(of_section(section, size)?);
    }
    if !short.is_empty() {
        pieces.push(Piece { parts: short, continues: false });
    }
    (pieces.len() > 1).then_some(pieces)
}

/// Splits a long member into pieces that each repeat its name, if its value begins on the next line.
fn of_section(section: &str, size: usize) -> Option<Vec<Piece<'_>>> {
    let name = section.split_inclusive('\n').next().unwrap_or_default();
    let rest = &section[name.len()..];
    let Some(indent) = indent(rest).filter(|_| name.trim_end().ends_with(':')) else {
        return Some(vec![Piece { parts: vec![section], continues: false }]);
    };
    if !is_made_of_names(rest, indent) {
        return None;
    }
    let mut pieces: Vec<Piece<'_>> = Vec::new();
    let (mut start, mut end) = (0, 0);
    for member in members(rest, indent) {
        if end > start && name.len() + end - start + member.len() > size {
            pieces.push(Piece { parts: vec![name, &rest[start..end]], continues: !pieces.is_empty() });
            start = end;
        }
        end += member.len();
    }
    pieces.push(Piece { parts: vec![name, &rest[start..]], continues: !pieces.is_empty() });
    Some(pieces)
}

/// Whether no line is indented less than `indent`, and each line at that indent starts with a name, an item
/// or a comment.
fn is_made_of_names(text: &str, indent: usize) -> bool {
    let mut lines = text.lines().filter(|line| !line.trim().is_empty() && !line.trim_start().starts_with('#'));
    let mut is_first = true;
    lines.all(|line| {
        let found = line.len() - line.trim_start_matches(' ').len();
        let is_item = line[found..].starts_with("- ") || &line[found..] == "-";
        let is_name = line[found..].starts_with(is_of_name);
        let is_fine = if is_first { found == indent } else { found >= indent };
        is_first = false;
        is_fine && (found > indent || is_name || is_item)
    })
}

/// Splits at each line that starts with a name at this indent.
pub(crate) fn members(text: &str, indent: usize) -> Vec<&str> {
    let mut parts = Vec::new();
    let (mut start, mut end) = (0, 0);
    for line in text.split_inclusive('\n') {
        let begins =
            line.len() - line.trim_start_matches(' ').len() == indent && line[indent..].starts_with(is_of_name);
        if begins && end > start && !text[start..end].trim().is_empty() {
            parts.push(&text[start..end]);
            start = end;
        }
        end += line.len();
    }
    parts.push(&text[start..]);
    parts
}

/// The indent of the first line with content, if it is indented.
pub(crate) fn indent(text: &str) -> Option<usize> {
    let first = text.lines().find(|line| !line.trim().is_empty() && !line.trim_start().starts_with('#'))?;
    Some(first.len() - first.trim_start_matches(' ').len()).filter(|indent| *indent > 0)
}

/// Whether the character certainly starts a name, and not a list item, comment, bracket, tag or anchor.
fn is_of_name(character: char) -> bool {
    character.is_alphanumeric() || matches!(character, '/' | '_' | '$' | '"' | '\'')
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The first words of each piece, and whether it continues the one before.
    fn pieces(text: &str) -> Vec<(String, bool)> {
        let first_two = |text: &str| text.lines().take(2).collect::<Vec<_>>().join("|");
        of(text, SIZE).unwrap_or_default().iter().map(|piece| (first_two(&piece.text()), piece.continues)).collect()
    }

    #[test]
    fn long_members_are_cut_between_their_members() {
        let member = format!("    description: '{}'\n", "x".repeat(SIZE * 2 / 3));
        let text = format!(
            "openapi: 3.0.3\ntags:\n- name: a\npaths:\n  # All.\n  /a:\n{member}  /b:\n{member}\n  - c\n  /d:\n{member}info:\n  title: T\n"
        );
        let expected = [
            ("openapi: 3.0.3|tags:", false),
            ("paths:|  # All.", false),
            ("paths:|  /b:", true),
            ("paths:|  /d:", true),
            ("info:|  title: T", false),
        ];
        assert_eq!(pieces(&text), expected.map(|(text, continues)| (text.to_owned(), continues)));
        assert_eq!(pieces(&text.replace("# All.", "<<: *all")), [], "what is merged comes last");
        assert_eq!(pieces(&format!("---\n{text}")), pieces(&text), "its start may be marked");
        assert_eq!(pieces(&format!("{text}---\n")), [], "there may be several documents");
        assert_eq!(pieces(&format!("  {}", text.replace('\n', "\n  "))), [], "its names stand elsewhere");
        assert_eq!(pieces(&text.replace(&member, "")), [], "it is short");
    }
}
