//! The examples of a page, which are compiled in a file of Rust.

/// Panics unless the page has `count` examples of Rust, and every paragraph of them stands in `code`, whatever is around it.
///
/// # Panics
/// If one is missing.
pub fn are_compiled(page: &str, code: &str, count: usize) {
    let lines = |text: &str| -> Vec<String> { text.lines().map(|line| line.trim().to_owned()).collect() };
    let here = lines(code);
    let examples: Vec<_> = page.split("```rust,ignore\n").skip(1).filter_map(|rest| rest.split("```").next()).collect();
    assert_eq!(examples.len(), count);
    for part in examples.iter().flat_map(|example| example.trim().split("\n\n")) {
        let part = lines(part);
        assert!(here.windows(part.len()).any(|window| window == part), "this is not compiled:\n{}", part.join("\n"));
    }
}
