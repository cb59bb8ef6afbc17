//! Tables of JSON values.

use unicode_width::{UnicodeWidthChar, UnicodeWidthStr};

use super::text::{at, items, members, plain};

/// The column of values that are no objects.
const VALUE: &str = "value";
/// Between two columns.
const GAP: usize = 2;
/// No column is made narrower.
const NARROWEST: usize = 8;

/// The items of a list: those at the described path, an array itself, or the only array of an object if it has objects. An
/// array of other values, or an empty one, may be any member of a record.
pub(super) fn rows<'t>(text: &'t str, path: &[&str]) -> Option<Vec<&'t str>> {
    if let Some(rows) = at(text, path).and_then(items) {
        return Some(rows);
    }
    let mut arrays = members(text)?.into_iter().filter_map(|(_, value)| items(value));
    let only = arrays.next().filter(|_| arrays.next().is_none())?;
    (!only.is_empty() && only.iter().all(|item| item.starts_with('{'))).then_some(only)
}

/// A table with a column for each member that is a string, a number or a boolean. What does not fit is cut, and then left
/// out.
pub(super) fn table(rows: &[&str], width: Option<usize>) -> String {
    let mut columns: Vec<String> = Vec::new();
    let rows: Vec<Vec<(String, &str)>> =
        rows.iter().map(|row| members(row).unwrap_or_else(|| vec![(VALUE.to_owned(), row)])).collect();
    for (name, _) in rows.iter().flatten().filter(|(_, value)| is_plain(value) && *value != "null") {
        if !columns.contains(name) {
            columns.push(name.clone());
        }
    }
    let cell = |row: &Vec<(String, &str)>, column: &String| {
        let value = row.iter().find(|(name, _)| name == column).filter(|(_, value)| is_plain(value));
        value.filter(|(_, value)| *value != "null").map(|(_, value)| in_line(value)).unwrap_or_default()
    };
    let head = columns.iter().map(|column| column.to_uppercase()).collect();
    let lines = rows.iter().map(|row| columns.iter().map(|column| cell(row, column)).collect());
    layout(&std::iter::once(head).chain(lines).collect::<Vec<_>>(), width)
}

/// The members of an object, one in a line; `None` for any other value.
pub(super) fn of_object(text: &str) -> Option<String> {
    let line = |(name, value): (String, &str)| {
        let value = if is_plain(value) { in_line(value) } else { super::text::layout(value, false, 0) };
        vec![name, value]
    };
    Some(layout(&members(text)?.into_iter().map(line).collect::<Vec<_>>(), None))
}

fn is_plain(value: &str) -> bool {
    !value.starts_with(['[', '{'])
}

/// A value without characters that would break the line or direct the terminal.
fn in_line(value: &str) -> String {
    plain(value)
        .split(char::is_whitespace)
        .filter(|word| !word.is_empty())
        .collect::<Vec<_>>()
        .join(" ")
        .replace(char::is_control, "")
}

/// The cells in columns.
fn layout(lines: &[Vec<String>], width: Option<usize>) -> String {
    let count = lines.first().map(Vec::len).unwrap_or_default();
    let widest = |column: usize| lines.iter().map(|line| line[column].width()).max().unwrap_or_default();
    let mut widths: Vec<usize> = (0..count).map(widest).collect();
    if let Some(width) = width {
        fit(&mut widths, width);
    }
    let mut text = String::new();
    for line in lines {
        let mut row = String::new();
        for (cell, &width) in line.iter().zip(&widths) {
            let cell = cut(cell, width);
            let pad = width - cell.width() + GAP;
            row.push_str(&cell);
            row.extend(std::iter::repeat_n(' ', pad));
        }
        text.push_str(row.trim_end());
        text.push('\n');
    }
    text
}

/// Makes the widest column narrower until all fit, then leaves out the last.
fn fit(widths: &mut Vec<usize>, width: usize) {
    let total = |widths: &[usize]| widths.iter().map(|width| width + GAP).sum::<usize>().saturating_sub(GAP);
    while total(widths) > width {
        let more = widths.len() > 1;
        match widths.iter_mut().max() {
            Some(widest) if *widest > NARROWEST => *widest -= 1,
            Some(_) if more => drop(widths.pop()),
            _ => return,
        }
    }
}

/// The beginning of a cell that is too wide.
fn cut(cell: &str, width: usize) -> String {
    if cell.width() <= width {
        return cell.to_owned();
    }
    let mut shown = String::new();
    let mut used = 1;
    for character in cell.chars() {
        used += character.width().unwrap_or_default();
        if used > width {
            break;
        }
        shown.push(character);
    }
    shown.push('…');
    shown
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_table_has_the_plain_members_in_their_order() {
        let page = "{\"Result\":[{\"Id\":1,\"Name\":\"Acme\\nLtd\",\"Tags\":[]},{\"Id\":20,\"Active\":true,\"Name\":null}],\"Total\":2}";
        let rows = rows(page, &[]).expect("it has one list");
        assert_eq!(table(&rows, None), "ID  NAME      ACTIVE\n1   Acme Ltd\n20            true\n");
        assert_eq!(table(&["\"a\"", "2"], None), "VALUE\na\n2\n");
        assert_eq!(of_object("{\"Id\":1,\"Tags\":[1, 2]}").as_deref(), Some("Id    1\nTags  [1,2]\n"));
    }

    #[test]
    fn a_list_in_a_record_is_not_the_list() {
        for record in ["{\"id\":1,\"photoUrls\":[]}", "{\"id\":1,\"photoUrls\":[\"a\"]}", "{\"a\":[{}],\"b\":[]}"] {
            assert_eq!(rows(record, &[]), None, "{record}");
        }
        assert_eq!(rows("{\"total\":1,\"items\":[{\"id\":1}]}", &[]), Some(vec!["{\"id\":1}"]));
        assert_eq!(rows("{\"total\":0,\"items\":[]}", &["items"]), Some(vec![]));
        assert_eq!(rows("[]", &[]), Some(vec![]));
    }

    #[test]
    fn a_table_fits_the_terminal() {
        let row = "{\"id\":1,\"text\":\"a long text that has to be cut\",\"more\":\"another long text\"}";
        let shown = table(&[row], Some(24));
        assert!(shown.lines().all(|line| line.width() <= 24), "{shown}");
        assert!(shown.contains('…'), "{shown}");
    }
}
