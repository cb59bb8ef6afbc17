use printing::{after_attributes, after_inner_attributes, items, tokens};

/// What the attributes of the root said of all is said of each item, and what only a module can be blamed for: it may be
/// called like one in it, and need not be used as a whole.
const ALLOW: &str = "#[allow(clippy::module_inception, dead_code, deprecated, unused_imports, unused_macros, reason = \"its crate names it and uses what it needs\")] ";

/// Makes `crate::models` mean `models` of the module at the path `module`, `crate::api`.
pub(super) fn moved(code: &str, module: &str) -> String {
    let tokens = tokens(code).unwrap_or_default();
    let mut result = String::with_capacity(code.len() + code.len() / 8);
    let mut end = 0;
    for pair in tokens.windows(2) {
        // `pub(crate)` is the whole crate still.
        if pair[0].text == "crate" && pair[1].text == "::" {
            result.push_str(&code[end..pair[0].start]);
            result.push_str(module);
            end = pair[0].start + pair[0].text.len();
        }
    }
    result.push_str(&code[end..]);
    result
}

/// The same for a file of the runtime, whose texts and comments have no such path that means something else.
pub(super) fn text_moved(text: &str, module: &str) -> String {
    text.replace("crate::", &format!("{module}::"))
}

/// A file of the runtime whose macros are for the crate that it is moved into, and not for others.
pub(super) fn without_exports(text: &str) -> String {
    text.replace("#[macro_export]\n", "").replace("#[doc(hidden)]\npub use ", "#[doc(hidden)]\npub(crate) use ")
}

/// Takes away what `include!` cannot stand in front of items.
pub(super) fn includable(root: &str) -> String {
    let tokens = tokens(root).unwrap_or_default();
    let mut result = String::with_capacity(root.len());
    for item in items(&tokens, after_inner_attributes(&tokens)) {
        let head = after_attributes(&tokens, item.start);
        let is_blamed = tokens[head..item.end].iter().take(2).any(|token| matches!(token.text, "mod" | "const"));
        let (start, middle, end) = (tokens[item.start].start, tokens[head].start, tokens[item.end].start);
        result.push_str(&root[start..middle]);
        result.push_str(if is_blamed { ALLOW } else { "" });
        result.push_str(&root[middle..end]);
    }
    result
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_paths_of_the_crate_move() {
        let code =
            "use crate::models::{self, Pet}; pub(crate) fn text() -> crate::runtime::Text { \"crate::models\".into() }";
        let expected = "use crate::api::models::{self, Pet}; pub(crate) fn text() -> crate::api::runtime::Text { \"crate::models\".into() }";
        assert_eq!(moved(code, "crate::api"), expected);
    }
}
