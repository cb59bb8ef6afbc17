//! How long a function gets: clippy finds one of more than 100 lines too long, and so would a reader.

use printing::Tokens;

/// How many lines a function may have.
const LINES: usize = 100;

/// Whether a function, as the only one of an `impl`, has too many lines once it is laid out.
pub(super) fn is_long(function: &Tokens) -> bool {
    printing::code(function).lines().count() > LINES
}

#[cfg(test)]
mod tests {
    use std::fmt::Write as _;

    use crate::{Generator, Source, Style};

    /// The functions of more lines than clippy allows, each with its first line.
    fn long(text: &str) -> Vec<String> {
        let lines: Vec<&str> = text.lines().collect();
        let starts = lines.iter().enumerate().filter(|(_, line)| {
            let line = line.trim_start().trim_start_matches("pub(super) ").trim_start_matches("pub ");
            line.trim_start_matches("async ").starts_with("fn ")
        });
        let functions = starts.map(|(start, line)| {
            let end = format!("{}}}", &line[..line.len() - line.trim_start().len()]);
            let length = lines[start..].iter().position(|line| *line == end).unwrap_or(0);
            // The line of the closing brace is no line of the function.
            (length.saturating_sub(1), *line)
        });
        functions.filter(|(length, _)| *length > 100).map(|(length, line)| format!("{length} {line}")).collect()
    }

    #[test]
    fn no_function_is_too_long_however_many_parameters_there_are() {
        let mut yaml = "openapi: 3.0.3\ninfo: { title: T, version: '1' }\npaths:\n".to_owned();
        for (path, required) in [("a", false), ("b", true)] {
            let _ = writeln!(yaml, "  /{path}:\n    post:\n      responses: {{ '204': {{ description: Done. }} }}");
            let _ = writeln!(yaml, "      requestBody: {{ content: {{ application/json: {{}}, text/plain: {{}} }} }}");
            let _ = writeln!(yaml, "      parameters:");
            for index in 0..200 {
                let schema = match index % 4 {
                    0 => "explode: false, schema: { type: array, maxItems: 3, minItems: 1, items: { type: string } }",
                    1 => "schema: { type: string, maxLength: 20 }",
                    2 => "content: { application/json: { schema: { type: integer } } }",
                    _ => "schema: { type: integer }",
                };
                let required = if required && index % 2 == 0 { "required: true, " } else { "" };
                let name = if index % 8 == 3 { "a-name-that-is-longer-than-most-are" } else { "p" };
                let _ = writeln!(yaml, "        - {{ name: {name}-{index}, in: query, {required}{schema} }}");
            }
        }
        let files = |_: &str| Ok(yaml.clone().into_bytes());
        let generated = Generator::new()
            .generate(&Source::files(&files, "long.yaml"))
            .unwrap_or_else(|problems| panic!("{}", problems.render(&files, Style::Plain)));
        for file in generated.server.files.iter().chain(&generated.client.files) {
            assert_eq!(long(&file.text), Vec::<String>::new(), "{}", file.path);
        }
    }
}
