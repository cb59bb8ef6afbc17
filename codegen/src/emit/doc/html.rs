//! HTML in descriptions, as Markdown: what people write to structure a text, and no more.

use std::borrow::Cow;
use std::fmt::Write as _;

const COMMENT_START: &str = "<!--";
const COMMENT_END: &str = "-->";

/// Lists within so many others are indented no further.
const DEEPEST_LIST: usize = 8;

/// The same text with paragraphs, lists, emphasis, code and links in Markdown; other tags stay what they are.
pub(super) fn markdown(text: &str) -> Cow<'_, str> {
    // Behind it no comment is closed.
    let last = text.rfind(COMMENT_END).unwrap_or(0);
    let comment = |rest: &str| {
        let start = text.len() - rest.len() + COMMENT_START.len();
        let inside = rest.strip_prefix(COMMENT_START).filter(|_| start <= last)?;
        inside.find(COMMENT_END).map(|length| COMMENT_START.len() + length + COMMENT_END.len())
    };
    let is_known = |(start, _): (usize, _)| Tag::at(&text[start..]).is_some() || comment(&text[start..]).is_some();
    if !text.match_indices('<').any(is_known) {
        return Cow::Borrowed(text);
    }
    let mut writer = Writer::default();
    let mut rest = text;
    // Code in Markdown is left alone.
    let mut ticks = 0;
    while let Some(first) = rest.chars().next() {
        let taken = match first {
            '`' => {
                let run = rest.bytes().take_while(|byte| *byte == b'`').count();
                if ticks == 0 {
                    ticks = run;
                } else if ticks == run {
                    ticks = 0;
                }
                writer.text(&rest[..run]);
                run
            }
            '<' if ticks == 0 => match comment(rest) {
                Some(length) => length,
                None => writer.tag(rest),
            },
            '&' if ticks == 0 => writer.entity(rest),
            _ => {
                let length = rest[first.len_utf8()..].find(['`', '<', '&']);
                let length = length.map_or(rest.len(), |length| first.len_utf8() + length);
                writer.text(&rest[..length]);
                length
            }
        };
        rest = &rest[taken..];
    }
    writer.end_block();
    Cow::Owned(writer.out)
}

/// A tag that is known, at the start of a text.
struct Tag<'t> {
    name: String,
    closes: bool,
    attributes: &'t str,
    length: usize,
}

/// What tags are turned into something.
const NAMES: &[&str] = &[
    "a",
    "b",
    "br",
    "code",
    "dd",
    "div",
    "dl",
    "dt",
    "em",
    "font",
    "i",
    "important",
    "li",
    "note",
    "ol",
    "p",
    "para",
    "pre",
    "span",
    "strong",
    "u",
    "ul",
];

impl<'t> Tag<'t> {
    fn at(text: &'t str) -> Option<Self> {
        let inside = text.strip_prefix('<')?;
        let closes = inside.starts_with('/');
        let inside = inside.strip_prefix('/').unwrap_or(inside);
        let end = inside.find(|character: char| !character.is_ascii_alphanumeric())?;
        let name = inside[..end].to_ascii_lowercase();
        let known = NAMES.contains(&name.as_str()) && inside[end..].starts_with(['>', '/', ' ', '\n']);
        let close = inside[end..].find(['>', '<']).filter(|_| known)?;
        let attributes = inside[end..end + close].trim();
        let length = text.len() - inside.len() + end + close + 1;
        inside[end + close..].starts_with('>').then_some(Self { name, closes, attributes, length })
    }

    fn attribute(&self, name: &str) -> Option<&'t str> {
        let (_, rest) = self.attributes.split_once(name)?;
        let rest = rest.trim_start().strip_prefix('=')?.trim_start();
        let quote = rest.chars().next().filter(|quote| matches!(quote, '"' | '\''))?;
        rest[1..].split_once(quote).map(|(value, _)| value.trim())
    }
}

/// What has been written.
#[derive(Default)]
struct Writer {
    out: String,
    /// The lists that are open: whether their items have numbers.
    lists: Vec<bool>,
    /// How often emphasis has been opened: `*` and `**`.
    emphasis: [usize; 2],
    /// How far from the end an element of that name is closed for the last time, if it is.
    last: Vec<(String, Option<usize>)>,
}

/// The marks of emphasis.
const MARKS: [&str; 2] = ["*", "**"];

impl Writer {
    fn text(&mut self, text: &str) {
        let starts = self.out.is_empty() || self.out.ends_with([' ', '\n']);
        let is_opened = MARKS.iter().zip(self.emphasis).any(|(mark, open)| open > 0 && self.out.ends_with(mark));
        // Blanks at the start of what has been opened mean nothing, lines do, outside of lists.
        let text = if is_opened || (starts && !self.lists.is_empty()) {
            text.trim_start()
        } else if starts {
            text.trim_start_matches(' ')
        } else {
            text
        };
        self.out.push_str(text);
    }

    /// A tag, or a `<` that is none.
    fn tag(&mut self, text: &str) -> usize {
        let Some(tag) = Tag::at(text) else {
            self.text("<");
            return 1;
        };
        match tag.name.as_str() {
            "b" | "strong" => return self.emphasise(1, &tag, text),
            "i" | "em" => return self.emphasise(0, &tag, text),
            "a" | "code" | "pre" => return self.element(&tag, text),
            "br" => {
                self.end_line();
                self.line();
            }
            "ul" | "ol" | "dl" if tag.closes => {
                self.end_block();
                self.lists.pop();
                self.block();
            }
            "ul" | "ol" | "dl" => {
                self.end_block();
                self.lists.push(tag.name == "ol");
            }
            "li" | "dt" if !tag.closes => self.item(),
            "li" | "dt" => self.end_block(),
            "note" | "important" if !tag.closes => {
                self.block();
                self.out.push_str(if tag.name == "note" { "**Note:** " } else { "**Important:** " });
            }
            "p" | "para" | "div" | "dd" | "note" | "important" => self.block(),
            // How something looks.
            _ => {}
        }
        tag.length
    }

    /// Emphasis that is closed somewhere; marks that are open already are not written again.
    fn emphasise(&mut self, which: usize, tag: &Tag<'_>, text: &str) -> usize {
        if tag.closes {
            if self.emphasis[which] == 0 {
                return tag.length;
            }
            self.emphasis[which] -= 1;
            if self.emphasis[which] == 0 {
                self.close(which);
            }
        } else if self.is_closed(&tag.name, &text[tag.length..]) {
            if self.emphasis[which] == 0 {
                self.out.push_str(MARKS[which]);
            }
            self.emphasis[which] += 1;
        } else {
            self.text("<");
            return 1;
        }
        tag.length
    }

    fn close(&mut self, which: usize) {
        let length = self.out.trim_end().len();
        let has_blank = length < self.out.len();
        self.out.truncate(length);
        if self.out.ends_with(MARKS[which]) {
            // There was nothing to emphasise.
            self.out.truncate(length - MARKS[which].len());
        } else {
            self.out.push_str(MARKS[which]);
        }
        if has_blank {
            self.out.push(' ');
        }
    }

    /// Code or a link, from its tag to the one that closes it.
    fn element(&mut self, tag: &Tag<'_>, text: &str) -> usize {
        if tag.closes {
            return tag.length;
        }
        let inside = &text[tag.length..];
        let Some((end, length)) = self.closing(&tag.name, inside) else {
            self.text("<");
            return 1;
        };
        let content = plain(&inside[..end]);
        let words = content.split_whitespace().collect::<Vec<_>>().join(" ");
        match (tag.name.as_str(), tag.attribute("href")) {
            ("pre", _) => {
                self.block();
                let indent = self.indent();
                self.out.push_str("```text\n");
                for line in content.trim_matches('\n').lines() {
                    let _ = writeln!(self.out, "{indent}{line}");
                }
                let _ = write!(self.out, "{indent}```");
                self.block();
            }
            _ if words.is_empty() => {}
            ("code", _) if !words.contains('`') => {
                let _ = write!(self.out, "`{words}`");
            }
            ("a", Some(href)) if href.starts_with("http") && !words.contains(['[', ']', '`']) => {
                let _ = write!(self.out, "[{words}]({href})");
            }
            _ => self.text(&words),
        }
        tag.length + end + length
    }

    /// Whether an element of that name is closed in what is left of the text.
    fn is_closed(&mut self, name: &str, text: &str) -> bool {
        let known = self.last.iter().find(|(known, _)| known == name).map(|(_, last)| *last);
        let last = known.unwrap_or_else(|| {
            let mut closing = text.rmatch_indices("</").filter(|(start, _)| is_named(&text[*start..], name));
            let last = closing.next().map(|(start, _)| text.len() - start);
            self.last.push((name.to_owned(), last));
            last
        });
        last.is_some_and(|last| text.len() >= last)
    }

    /// Where the element is closed, and how long the tag is that does it.
    fn closing(&mut self, name: &str, text: &str) -> Option<(usize, usize)> {
        if !self.is_closed(name, text) {
            return None;
        }
        text.match_indices("</").find_map(|(start, _)| {
            let tag = Tag::at(&text[start..]).filter(|tag| tag.name == name)?;
            Some((start, tag.length))
        })
    }

    fn entity(&mut self, text: &str) -> usize {
        const ENTITIES: &[(&str, &str)] =
            &[("&nbsp;", " "), ("&quot;", "\""), ("&#39;", "'"), ("&apos;", "'"), ("&amp;", "&")];
        let found = ENTITIES.iter().find(|(entity, _)| text.starts_with(entity));
        let (entity, meant) = found.unwrap_or(&("&", "&"));
        self.out.push_str(meant);
        entity.len()
    }

    /// Emphasis does not reach beyond a paragraph.
    fn end_block(&mut self) {
        for which in [0, 1] {
            if self.emphasis[which] > 0 {
                self.emphasis[which] = 0;
                self.close(which);
            }
        }
        self.end_line();
    }

    fn end_line(&mut self) {
        let length = self.out.trim_end_matches(' ').len();
        self.out.truncate(length);
    }

    fn indent(&self) -> String {
        let width = |ordered: &bool| if *ordered { 3 } else { 2 };
        " ".repeat(self.lists.iter().take(DEEPEST_LIST).map(width).sum())
    }

    fn line(&mut self) {
        self.out.push('\n');
        self.out.push_str(&self.indent());
    }

    /// A new paragraph; the first one of an item stands behind its marker.
    fn block(&mut self) {
        self.end_block();
        let last = self.out.rsplit('\n').next().unwrap_or_default().trim_start();
        if matches!(last, "-" | "1." | "**Note:**" | "**Important:**") {
            self.out.push(' ');
        } else if !self.out.is_empty() {
            let length = self.out.trim_end().len();
            self.out.truncate(length);
            self.out.push('\n');
            self.line();
        }
    }

    fn item(&mut self) {
        self.end_block();
        let ordered = self.lists.pop().unwrap_or_default();
        let is_first = !self.out.trim_end_matches(' ').ends_with('\n') && !self.out.is_empty();
        if is_first {
            self.line();
        } else {
            self.out.push_str(&self.indent());
        }
        self.lists.push(ordered);
        self.out.push_str(if ordered { "1. " } else { "- " });
    }
}

fn is_named(text: &str, name: &str) -> bool {
    Tag::at(text).is_some_and(|tag| tag.name == name)
}

/// Without tags that are known, and with `<` where it was spelled.
fn plain(text: &str) -> String {
    let mut plain = String::new();
    let mut rest = text;
    while let Some(start) = rest.find('<') {
        plain.push_str(&rest[..start]);
        let length = Tag::at(&rest[start..]).map(|tag| tag.length);
        if length.is_none() {
            plain.push('<');
        }
        rest = &rest[start + length.unwrap_or(1)..];
    }
    plain.push_str(rest);
    plain.replace("&lt;", "<").replace("&gt;", ">").replace("&quot;", "\"").replace("&nbsp;", " ").replace("&amp;", "&")
}

#[cfg(test)]
mod tests {
    use super::markdown;

    #[test]
    fn structure_is_kept() {
        for (html, expected) in [
            ("plain <text> & a < b", "plain <text> & a < b"),
            ("<p>The <i>id</i> of the <b> broker </b>.</p>", "The *id* of the **broker** ."),
            ("<p>One.</p> <p>Two.</p>", "One.\n\nTwo."),
            (
                "See <code>Foo&lt;T&gt;</code>, <a href=\"https://a.b/c\">here</a> or <a>Bar</a>.",
                "See `Foo<T>`, [here](https://a.b/c) or Bar.",
            ),
            ("One of:<ul><li>a: first</li> <li> <p>b</p> </li></ul>Then.", "One of:\n- a: first\n- b\n\nThen."),
            ("<ul><li>a<ol><li>b</li></ol></li></ul>", "- a\n  1. b"),
            ("One.<br/>Two.<br />\nThree.", "One.\nTwo.\n\nThree."),
            ("<note> <p>Careful.</p> </note>", "**Note:** Careful."),
            ("a <b>bold", "a <b>bold"),
            ("<!-- theme: warning -->\n> a<!-- b --> c `<!-- d -->`", "> a c `<!-- d -->`"),
            ("a <!-- b", "a <!-- b"),
            ("`<p>` and <p>text", "`<p>` and\n\ntext"),
            ("<pre>a\n  b</pre>", "```text\na\n  b\n```"),
            ("<b></b>a <B>b</B> &amp; c", "a **b** & c"),
        ] {
            assert_eq!(markdown(html).trim(), expected, "{html}");
        }
    }
}
