//! Rewrites Markdown of a description so that rustdoc and Clippy accept it: code is never Rust, links are
//! URLs, and everything else is escaped.

use std::sync::LazyLock;

use pulldown_cmark::{Alignment, CodeBlockKind, Event, LinkType, Options, Parser, Tag, TagEnd, TextMergeStream};
use regex::Regex;
use textwrap::{WordSeparator, WordSplitter, WrapAlgorithm};

use super::html;

/// Maximum width of a line of prose, without indentation and slashes.
const WIDTH: usize = 100;

/// Maximum depth of lists and quotations; deeper ones lose their markers.
const DEEPEST: usize = 8;

/// A space at which no line may break.
const NO_BREAK: char = '\0';

/// The text for a doc comment.
pub(super) fn safe(text: &str) -> String {
    if is_plain(text) {
        return text.trim().to_owned();
    }
    let text = dedented(&visible(text));
    let text = html::markdown(&text);
    let mut writer = Writer::default();
    // Of rustdoc's extensions only tables are enabled; others are escaped.
    TextMergeStream::new(Parser::new_ext(&text, Options::ENABLE_TABLES)).for_each(|event| writer.event(event));
    writer.lines.join("\n")
}

/// Whether it is one line without markup, as most texts are.
fn is_plain(text: &str) -> bool {
    let text = text.trim();
    let is_plain = |byte: u8| byte.is_ascii_alphanumeric() || b" ,.;'\"()/?!".contains(&byte);
    text.len() <= WIDTH && text.starts_with(|first: char| first.is_ascii_alphabetic()) && text.bytes().all(is_plain)
}

/// The text without invisible characters, with `\n` line ends.
fn visible(text: &str) -> String {
    let text = text.replace("\r\n", "\n").replace(['\r', '\u{2028}', '\u{2029}', '\u{85}', '\u{b}', '\u{c}'], "\n");
    let text = text.replace('\t', "    ").replace('\u{a0}', " ");
    text.chars().filter(|character| *character == '\n' || !is_hidden(*character)).collect()
}

/// Control characters and bidirectional marks, which rustc refuses in comments.
pub(super) fn is_hidden(character: char) -> bool {
    character.is_control() || matches!(character, '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}' | '\u{feff}')
}

/// Removes common indentation; the first line has none, because YAML removed it.
fn dedented(text: &str) -> String {
    let text = text.trim_start_matches('\n');
    let Some((first, rest)) = text.split_once('\n') else { return text.trim().to_owned() };
    if first.starts_with(' ') {
        return textwrap::dedent(text);
    }
    let rest_dedented = textwrap::dedent(rest);
    let cut = |rest: &str| rest.lines().find(|line| !line.trim().is_empty()).map_or(0, str::len);
    if cut(rest) >= cut(&rest_dedented) + 4 { format!("{first}\n{rest_dedented}") } else { text.to_owned() }
}

/// The prefix of lines in a quotation or list item.
struct Prefix {
    /// The marker of a list item, until it is written.
    first: Option<String>,
    rest: String,
}

#[derive(Default)]
struct Writer {
    lines: Vec<String>,
    prefixes: Vec<Prefix>,
    /// The next number of each open list, if it is numbered.
    lists: Vec<Option<u64>>,
    /// Whether the next block is a separate paragraph.
    is_apart: bool,
    /// The text of the paragraph, heading or cell.
    inline: String,
    /// The targets of open links, and where their labels start.
    links: Vec<(String, usize)>,
    /// The cells of the row.
    row: Vec<String>,
    columns: Vec<Alignment>,
    /// The language of the code block.
    language: Option<&'static str>,
}

impl Writer {
    fn event(&mut self, event: Event<'_>) {
        match event {
            Event::Start(tag) => self.start(tag),
            Event::End(tag) => self.end(tag),
            Event::Text(text) if self.language.is_some() => self.inline.push_str(&text),
            Event::Text(text) | Event::Html(text) | Event::InlineHtml(text) => self.text(&text),
            Event::Code(code) => self.code(&code),
            Event::SoftBreak | Event::HardBreak => self.inline.push('\n'),
            Event::Rule => {
                self.begin();
                self.line("***");
                self.is_apart = true;
            }
            Event::InlineMath(_) | Event::DisplayMath(_) | Event::FootnoteReference(_) | Event::TaskListMarker(_) => {}
        }
    }

    fn start(&mut self, tag: Tag<'_>) {
        match tag {
            Tag::Paragraph | Tag::HtmlBlock => self.begin(),
            Tag::Heading { level, .. } => {
                self.begin();
                self.inline = "#".repeat(level as usize) + " ";
            }
            Tag::BlockQuote(_) => {
                self.begin();
                self.prefixes.push(Prefix { first: None, rest: "> ".to_owned() });
            }
            Tag::CodeBlock(kind) => {
                self.begin();
                self.language = Some(match &kind {
                    CodeBlockKind::Fenced(info) => language(info),
                    CodeBlockKind::Indented => "text",
                });
            }
            Tag::List(number) => {
                self.begin();
                self.lists.push(number);
            }
            Tag::Item => {
                self.begin();
                let marker = match self.lists.last_mut() {
                    Some(Some(number)) => {
                        *number += 1;
                        format!("{}. ", *number - 1)
                    }
                    _ => "- ".to_owned(),
                };
                let rest = " ".repeat(marker.len());
                self.prefixes.push(Prefix { first: Some(marker), rest });
            }
            Tag::Table(columns) => {
                self.begin();
                self.columns = columns;
            }
            Tag::Emphasis => self.inline.push('*'),
            Tag::Strong => self.inline.push_str("**"),
            Tag::Link { link_type, dest_url, .. } => {
                let is_email = link_type == LinkType::Email;
                let url = if is_email { format!("mailto:{dest_url}") } else { dest_url.into_string() };
                self.links.push((url, self.inline.len()));
            }
            Tag::Image { dest_url, .. } => self.links.push((dest_url.into_string(), self.inline.len())),
            _ => {}
        }
    }

    fn end(&mut self, tag: TagEnd) {
        match tag {
            TagEnd::Paragraph | TagEnd::HtmlBlock => {
                self.paragraph();
                self.is_apart = true;
            }
            TagEnd::Heading(_) => {
                let heading = std::mem::take(&mut self.inline).replace(['\n', NO_BREAK], " ");
                self.line(heading.trim_end());
                self.is_apart = true;
            }
            TagEnd::CodeBlock => self.code_block(),
            TagEnd::BlockQuote(_) | TagEnd::Item => {
                self.paragraph();
                // A list item without text.
                if self.prefixes.last().is_some_and(|prefix| prefix.first.is_some()) {
                    self.line("");
                }
                self.prefixes.pop();
            }
            TagEnd::List(_) => {
                self.lists.pop();
                self.is_apart |= self.lists.is_empty();
            }
            TagEnd::TableCell => {
                let cell = std::mem::take(&mut self.inline).replace(['\n', NO_BREAK], " ");
                self.row.push(cell.replace('|', "\\|"));
            }
            TagEnd::TableRow => self.row(),
            TagEnd::TableHead => {
                self.row();
                self.row = self.columns.iter().map(|column| delimiter(*column).to_owned()).collect();
                self.row();
            }
            TagEnd::Table => self.is_apart = true,
            TagEnd::Emphasis => self.inline.push('*'),
            TagEnd::Strong => self.inline.push_str("**"),
            TagEnd::Link | TagEnd::Image => self.link(),
            _ => {}
        }
    }

    /// Starts a block: ends the previous one, with a blank line if needed.
    fn begin(&mut self) {
        self.paragraph();
        let is_first = self.prefixes.last().is_some_and(|prefix| prefix.first.is_some());
        if std::mem::take(&mut self.is_apart) && !is_first {
            let prefix: String = self.prefixes.iter().take(DEEPEST).map(|prefix| prefix.rest.as_str()).collect();
            self.lines.push(prefix.trim_end().to_owned());
        }
    }

    fn line(&mut self, text: &str) {
        let mut line = String::new();
        for prefix in self.prefixes.iter_mut().take(DEEPEST) {
            match prefix.first.take() {
                Some(first) => line.push_str(&first),
                None => line.push_str(&prefix.rest),
            }
        }
        self.prefixes.iter_mut().skip(DEEPEST).for_each(|prefix| prefix.first = None);
        line.push_str(text);
        self.lines.push(line.trim_end().to_owned());
    }

    /// Writes the collected text, wrapped.
    fn paragraph(&mut self) {
        let text = std::mem::take(&mut self.inline);
        let indent: usize = self.prefixes.iter().take(DEEPEST).map(|prefix| prefix.rest.len()).sum();
        let options = textwrap::Options::new(WIDTH - indent)
            .break_words(false)
            .word_separator(WordSeparator::AsciiSpace)
            .word_splitter(WordSplitter::NoHyphenation)
            .wrap_algorithm(WrapAlgorithm::FirstFit);
        for line in text.trim().lines() {
            // Keep a line that is only slightly longer as written.
            let is_short = line.chars().count() <= WIDTH + WIDTH / 5 - indent;
            let wrapped = if is_short { vec![line.into()] } else { textwrap::wrap(line, &options) };
            for line in wrapped {
                self.line(&escaped_start(line.replace(NO_BREAK, " ").trim()));
            }
        }
    }

    fn row(&mut self) {
        let row = std::mem::take(&mut self.row);
        self.line(&format!("| {} |", row.join(" | ")));
    }

    fn code_block(&mut self) {
        let code = std::mem::take(&mut self.inline);
        let language = self.language.take().unwrap_or("text");
        let fence = "`".repeat(longest_run(&code).max(2) + 1);
        self.line(&format!("{fence}{language}"));
        for line in code.lines() {
            self.line(line);
        }
        self.line(&fence);
        self.is_apart = true;
    }

    fn code(&mut self, code: &str) {
        let fence = "`".repeat(longest_run(code) + 1);
        let pad = if code.starts_with('`') || code.ends_with('`') { " " } else { "" };
        self.inline.push_str(&format!("{fence}{pad}{code}{pad}{fence}").replace(' ', &NO_BREAK.to_string()));
    }

    /// Ends a link. A link without a URL becomes text.
    fn link(&mut self) {
        let Some((url, start)) = self.links.pop() else { return };
        let label = self.inline.split_off(start);
        let is_absolute = ["http://", "https://", "mailto:"].iter().any(|scheme| url.starts_with(scheme));
        let is_plain = !url.contains(|character: char| character.is_whitespace() || "<>\\`".contains(character));
        // Clippy mistakes a quoted label for code.
        let label = label.trim().trim_matches(['"', '\'']);
        let link = if !self.links.is_empty() || url.is_empty() || url.starts_with('#') {
            label.to_owned()
        } else if !is_absolute || !is_plain {
            format!("{label} ({})", escaped(&url))
        } else if label.is_empty() || is_address(label) || url.strip_prefix("mailto:") == Some(label) {
            format!("<{url}>")
        } else if url.contains(['(', ')']) {
            format!("[{label}](<{url}>)")
        } else {
            format!("[{label}]({url})")
        };
        self.inline.push_str(&link);
    }

    fn text(&mut self, text: &str) {
        static ADDRESS: LazyLock<Option<Regex>> = LazyLock::new(|| Regex::new(r#"https?://[^\s<>"`\\|*]+"#).ok());
        let mut end = 0;
        let addresses = ADDRESS.iter().flat_map(|regex| regex.find_iter(text)).filter(|_| self.links.is_empty());
        let mut written = String::new();
        for found in addresses {
            let address = without_punctuation(found.as_str());
            if address.len() > "https://".len() {
                written.push_str(&escaped(&text[end..found.start()]));
                written.extend(["<", address, ">"]);
                end = found.start() + address.len();
            }
        }
        written.push_str(&escaped(&text[end..]));
        self.inline.push_str(&written);
    }
}

fn is_address(text: &str) -> bool {
    text.starts_with("http://") || text.starts_with("https://")
}

/// A URL without trailing punctuation: `(see https://example.com).`
fn without_punctuation(address: &str) -> &str {
    let ends = |character: char| ".,;:!?'_]}".contains(character);
    let mut address = address.trim_end_matches(ends);
    while address.ends_with(')') && address.matches(')').count() > address.matches('(').count() {
        address = address[..address.len() - 1].trim_end_matches(ends);
    }
    address
}

/// Escapes every character that would be Markdown.
fn escaped(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len() + 8);
    let mut before = None;
    for (index, character) in text.char_indices() {
        let rest = &text[index + character.len_utf8()..];
        let after = rest.chars().next();
        let is_blank = |side: Option<char>| side.is_none_or(char::is_whitespace);
        let is_word = |side: Option<char>| side.is_some_and(char::is_alphanumeric);
        let is_mark = match character {
            '`' | '[' => true,
            '\\' => after.is_none_or(|after| after.is_ascii_punctuation() || after.is_whitespace()),
            '*' => !(is_blank(before) && is_blank(after)),
            '_' => !(is_blank(before) && is_blank(after) || is_word(before) && is_word(after)),
            '~' => before == Some('~') || after == Some('~'),
            '<' => after.is_some_and(|after| after.is_ascii_alphabetic() || "/!?".contains(after)),
            '&' => rest.split(char::is_whitespace).next().is_some_and(|word| word.contains(';')),
            _ => false,
        };
        if is_mark {
            escaped.push('\\');
        }
        escaped.push(character);
        before = Some(character);
    }
    escaped
}

/// Escapes the start of a line that would begin another block.
fn escaped_start(line: &str) -> String {
    let digits = line.bytes().take_while(u8::is_ascii_digit).count();
    let marks = &line[digits..];
    let mut characters = marks.chars();
    let (first, next) = (characters.next(), characters.next());
    let is_alone = next.is_none_or(|next| next == ' ');
    let is_block = match first {
        Some('.' | ')') => digits > 0 && is_alone,
        _ if digits > 0 => false,
        Some('-' | '+' | '=') => is_alone || next == first || next == Some('|'),
        Some('*' | '_') => is_alone,
        Some(':') => next == Some('-'),
        Some('#' | '>' | '|') => true,
        _ => false,
    };
    if is_block { format!("{}\\{marks}", &line[..digits]) } else { line.to_owned() }
}

fn delimiter(column: Alignment) -> &'static str {
    match column {
        Alignment::None => "---",
        Alignment::Left => ":--",
        Alignment::Center => ":-:",
        Alignment::Right => "--:",
    }
}

/// The longest run of backticks.
fn longest_run(code: &str) -> usize {
    code.split(|character| character != '`').map(str::len).max().unwrap_or(0)
}

/// Languages that rustdoc does not interpret.
fn language(info: &str) -> &'static str {
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quotations_are_followed_to_a_depth() {
        assert_eq!(safe("> a\n>> b\nc"), "> a\n>\n> > b\n> > c");
        let marks = "> ".repeat(DEEPEST);
        assert_eq!(safe(&("> ".repeat(5_000) + "a")), format!("{marks}a"));
    }

    #[test]
    fn marks_that_are_never_closed_take_no_time() {
        for mark in ["[", "[a](", "`a[", "<", "<https://", "[a]", "**a", "<b>a"] {
            let text = mark.repeat(20_000);
            assert!(!safe(&text).is_empty(), "{mark}");
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
            ("<tag>line", "\\<tag>line"),
            ("a < b", "a < b"),
            ("[docs](https://example.com)", "[docs](https://example.com)"),
            ("[docs](#section)", "docs"),
            ("[docs](../other.md)", "docs (../other.md)"),
            ("[x] and [^1]", "\\[x] and \\[^1]"),
            ("[https://a.b](https://a.b)", "<https://a.b>"),
            ("\\[x\\]", "\\[x]"),
            ("C:\\dir", "C:\\dir"),
            ("https://", "https://"),
            ("snake_case _it_ __init__x", "snake_case *it* \\_\\_init\\_\\_x"),
            ("2 * 3, a*b", "2 * 3, a\\*b"),
            ("-     panic!()", "- ```text\n  panic!()\n  ```"),
            ("1. a\n2. b\n\nc", "1. a\n2. b\n\nc"),
            ("~~~rust\nfn x( {\n~~~", "```text\nfn x( {\n```"),
            ("| a | b |\n|---|--:|\n| `x` | [z] |", "| a | b |\n| --- | --: |\n| `x` | \\[z] |"),
            ("Costs\n1\\. a day\n\\# no", "Costs\n1\\. a day\n\\# no"),
        ] {
            assert_eq!(safe(text), expected, "{text}");
        }
    }
}
