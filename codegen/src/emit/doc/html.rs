//! Converts common structural HTML in descriptions to Markdown.

use std::borrow::Cow;
use std::sync::LazyLock;

use pulldown_cmark::{Event, Options, Parser, Tag};
use regex::{Captures, Regex};

/// The Markdown for HTML elements, in the order of replacement.
static RULES: LazyLock<Vec<(Regex, &str)>> = LazyLock::new(|| {
    const RULES: &[(&str, &str)] = &[
        (r"(?s)<!--.*?-->", ""),
        (r"(?is)<pre(?:\s[^<>]*)?>(.*?)</pre>", "\n\n```text\n$1\n```\n\n"),
        (r"(?is)<(?:b|strong)>\s*([^<>*]+?)\s*</(?:b|strong)>", "**$1**"),
        (r"(?is)<(?:i|em)>\s*([^<>*]+?)\s*</(?:i|em)>", "*$1*"),
        (r#"(?is)<a\s[^<>]*href\s*=\s*["'](https?://[^"'<>\s]+)["'][^<>]*>\s*([^<>\[\]]+?)\s*</a>"#, "[$2]($1)"),
        (r"(?i)<br\s*/?>\s*", "\n"),
        (r"(?i)\s*<(?:li|dt)(?:\s[^<>]*)?>\s*(?:<p>\s*)?", "\n- "),
        (r"(?i)<(?:note|important)>\s*(?:<p>\s*)?", "\n\n**Note:** "),
        (
            r"(?i)\s*</?(?:p|para|div|section|ul|ol|dl|dd|table|tr|h[1-6]|hr|blockquote|note|important)(?:\s[^<>]*)?/?>\s*",
            "\n\n",
        ),
        (
            r"(?i)</?(?:a|b|i|u|em|strong|span|font|small|big|sub|sup|center|code|pre|tt|li|dt|td|th|thead|tbody|img|details|summary)(?:\s[^<>]*)?/?>",
            "",
        ),
    ];
    RULES.iter().filter_map(|(pattern, with)| Some((Regex::new(pattern).ok()?, *with))).collect()
});

/// `<code>` and its content.
static CODE: LazyLock<Option<Regex>> =
    LazyLock::new(|| Regex::new(r"(?is)<(?:code|tt)>\s*([^`]*?)\s*</(?:code|tt)>").ok());

/// The text with Markdown instead of HTML elements. Markdown code is left unchanged.
pub(super) fn markdown(text: &str) -> Cow<'_, str> {
    if !text.contains('<') {
        return Cow::Borrowed(text);
    }
    let mut markdown = String::with_capacity(text.len());
    let mut end = 0;
    for (event, range) in Parser::new_ext(text, Options::ENABLE_TABLES).into_offset_iter() {
        if matches!(event, Event::Code(_) | Event::Start(Tag::CodeBlock(_))) && range.start >= end {
            markdown.push_str(&rewritten(&text[end..range.start]));
            markdown.push_str(&text[range.clone()]);
            end = range.end;
        }
    }
    markdown.push_str(&rewritten(&text[end..]));
    Cow::Owned(markdown)
}

fn rewritten(text: &str) -> String {
    let code = |found: &Captures<'_>| {
        let code = RULES.last().map_or_else(|| found[1].into(), |(tag, _)| tag.replace_all(&found[1], ""));
        let entities = [("&lt;", "<"), ("&gt;", ">"), ("&quot;", "\""), ("&nbsp;", " "), ("&amp;", "&")];
        let code = entities.iter().fold(code.into_owned(), |code, (entity, meant)| code.replace(entity, meant));
        if code.is_empty() { code } else { format!("`{code}`") }
    };
    let text = CODE.as_ref().map_or(Cow::Borrowed(text), |regex| regex.replace_all(text, code));
    RULES.iter().fold(text.into_owned(), |text, (regex, with)| regex.replace_all(&text, *with).into_owned())
}

#[cfg(test)]
mod tests {
    use super::markdown;

    #[test]
    fn structure_is_kept() {
        for (html, expected) in [
            ("plain <text> & a < b", "plain <text> & a < b"),
            ("<p>The <i>id</i> of the <b> broker </b>.</p>", "The *id* of the **broker**."),
            ("<p>One.</p> <p>Two.</p>", "One.\n\n\n\nTwo."),
            (
                "See <code>Foo&lt;T&gt;</code>, <a href=\"https://a.b/c\">here</a> or <a>Bar</a>.",
                "See `Foo<T>`, [here](https://a.b/c) or Bar.",
            ),
            ("One of:<ul><li>a: first</li> <li> <p>b</p> </li></ul>Then.", "One of:\n\n- a: first\n- b\n\n\n\nThen."),
            ("One.<br/>Two.<br />\nThree.", "One.\nTwo.\nThree."),
            ("<note> <p>Careful.</p> </note>", "**Note:** Careful."),
            ("<!-- theme: warning -->\n> a<!-- b --> c `<!-- d -->`", "> a c `<!-- d -->`"),
            ("a <!-- b", "a <!-- b"),
            ("`<p>` and <p>text", "`<p>` and\n\ntext"),
            ("<pre>a\n  b</pre>", "```text\na\n  b\n```"),
        ] {
            assert_eq!(markdown(html).trim(), expected, "{html}");
        }
    }
}
