//! A long YAML text in pieces that can be read side by side: the members of the document, and of its long members.

/// Pieces have about this many bytes; a text of less than two of them is read as fast at once.
pub(crate) const SIZE: usize = 1 << 17;

/// What ends a line as well for YAML 1.1, but not here.
const BREAKS: [char; 4] = ['\r', '\u{85}', '\u{2028}', '\u{2029}'];

/// A document of its own.
pub(crate) struct Piece<'a> {
    /// What it is put together from: whole lines.
    parts: Vec<&'a str>,
    /// It has more members of the last member of the piece before, and nothing else.
    pub(crate) continues: bool,
}

impl Piece<'_> {
    /// All of it. The copy is for whoever reads the piece to make: there are as many bytes of them as of the document.
    pub(crate) fn text(&self) -> String {
        self.parts.concat()
    }
}

/// The pieces, each of about `size` bytes, which have all members in their order. `None` when the text is not seen to be
/// made of members.
///
/// A piece may end in the middle of a text in quotes or of a collection in brackets, for only the start of a line is looked
/// at. It is no YAML then, and the text has to be read at once; so has one whose anchors are used in other pieces.
pub(crate) fn of(text: &str, size: usize) -> Option<Vec<Piece<'_>>> {
    let text = text.strip_prefix("---\n").unwrap_or(text);
    // What is merged stands behind all the other members.
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

/// A long member in several pieces, which all begin with its name, if its value begins on the next line.
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

/// No line begins before that many spaces, and what begins there is a name, an item or a comment.
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

/// The members whose names stand after that many spaces: it is cut before each line that begins with one.
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

/// How far the first line that says something is indented, if it is.
pub(crate) fn indent(text: &str) -> Option<usize> {
    let first = text.lines().find(|line| !line.trim().is_empty() && !line.trim_start().starts_with('#'))?;
    Some(first.len() - first.trim_start_matches(' ').len()).filter(|indent| *indent > 0)
}

/// Only what starts a name for certain: no item of a list, comment, bracket, tag or anchor.
fn is_of_name(character: char) -> bool {
    character.is_alphanumeric() || matches!(character, '/' | '_' | '$' | '"' | '\'')
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What the pieces begin with, and how many there are.
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
