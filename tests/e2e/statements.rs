//! The parts that the store composes statements of.

use std::{
    fmt::Write as _,
    path::{Path, PathBuf},
};

/// Statements are composed of constants: names of tables and columns, and conditions from lists. The snapshot
/// lists every part, by file, so that a new one is reviewed.
#[test]
fn statements_are_composed_of_reviewed_parts() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../service/src/store");
    let mut files = Vec::new();
    collect(&folder, &mut files);
    files.sort();
    let mut seen = String::new();
    for file in files {
        let text = std::fs::read_to_string(&file).expect("readable");
        let code = text.split("#[cfg(test)]").next().unwrap_or_default();
        let mut parts: Vec<String> = composed(code);
        parts.sort();
        parts.dedup();
        if !parts.is_empty() {
            let name = file.strip_prefix(&folder).expect("below").display().to_string();
            writeln!(seen, "{name}").expect("text");
            for part in parts {
                writeln!(seen, "    {part}").expect("text");
            }
        }
    }
    insta::assert_snapshot!(seen);
}

fn collect(folder: &Path, files: &mut Vec<PathBuf>) {
    for entry in std::fs::read_dir(folder).expect("a folder") {
        let path = entry.expect("an entry").path();
        if path.is_dir() && path.file_name().is_some_and(|name| name != "tests") {
            collect(&path, files);
        } else if path.extension().is_some_and(|extension| extension == "rs")
            && path.file_stem().is_none_or(|name| name != "tests")
        {
            files.push(path);
        }
    }
}

/// The arguments of each `format!`, `write!` and `push_str` whose text is part of a statement.
fn composed(code: &str) -> Vec<String> {
    const WORDS: [&str; 13] = [
        "SELECT ", "INSERT ", "UPDATE ", "DELETE ", " WHERE ", "FROM ", "ORDER BY", " AND ", " IN (", "LIMIT ",
        "PRAGMA ", " = ?", " = $",
    ];
    let mut parts = Vec::new();
    for (start, _) in code.match_indices("format!(").chain(code.match_indices("write!(")) {
        let open = start + code[start..].find('(').expect("a bracket");
        let call = &code[open + 1..open + 1 + balanced(&code[open..])];
        if !WORDS.iter().any(|word| call.contains(word)) {
            continue;
        }
        let Some(begin) = call.find('"') else { continue };
        let text_end = begin + 1 + literal(&call[begin + 1..]);
        let (text, rest) = (&call[begin + 1..text_end], call[text_end + 1..].trim());
        let mut pieces = text.split('{').skip(1);
        parts.extend(
            pieces
                .by_ref()
                .filter_map(|piece| piece.split('}').next())
                .filter(|name| !name.is_empty())
                .map(str::to_owned),
        );
        if !rest.trim_matches(',').is_empty() {
            parts.push(rest.split_whitespace().collect::<Vec<_>>().join(" "));
        }
    }
    parts
}

/// The length of the text up to the matching bracket.
fn balanced(code: &str) -> usize {
    let (mut depth, mut in_text, mut escaped) = (0_usize, false, false);
    for (at, letter) in code.char_indices() {
        match letter {
            _ if escaped => escaped = false,
            '\\' if in_text => escaped = true,
            '"' => in_text = !in_text,
            '(' if !in_text => depth += 1,
            ')' if !in_text => {
                depth -= 1;
                if depth == 0 {
                    return at - 1;
                }
            }
            _ => {}
        }
    }
    0
}

/// The length of a text up to its closing quote.
fn literal(code: &str) -> usize {
    let mut escaped = false;
    for (at, letter) in code.char_indices() {
        match letter {
            _ if escaped => escaped = false,
            '\\' => escaped = true,
            '"' => return at,
            _ => {}
        }
    }
    code.len()
}
