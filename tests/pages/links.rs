//! Links between the documents of the repository.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use pulldown_cmark::{Event, Parser, Tag, TagEnd};

/// The text of a document, with the files and headings that it links to.
struct Page {
    path: PathBuf,
    text: String,
}

#[test]
fn every_link_leads_somewhere() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let docs = root.join("docs");
    let mut pages = pages(&docs);
    pages.extend(["README.md", "ARCHITECTURE.md", "CONTRIBUTING.md", "SECURITY.md"].map(|name| page(root.join(name))));
    let mut broken = Vec::new();
    for page in &pages {
        for link in links(&page.text) {
            let (file, anchor) =
                link.split_once('#').map_or((link.as_str(), None), |(file, anchor)| (file, Some(anchor)));
            let folder = page.path.parent().unwrap_or(&root);
            let target = if file.is_empty() { page.path.clone() } else { folder.join(file) };
            let has = |anchor: &str| fs::read_to_string(&target).is_ok_and(|text| anchors(&text).contains(anchor));
            let leaves_the_book = page.path.starts_with(&docs) && escapes(&target, &docs);
            if leaves_the_book || !target.exists() || anchor.is_some_and(|anchor| !has(anchor)) {
                broken.push(format!("{}: {link}", page.path.display()));
            }
        }
    }
    assert!(broken.is_empty(), "{}", broken.join("\n"));
}

#[test]
fn the_book_has_every_page() {
    let docs = Path::new(env!("CARGO_MANIFEST_DIR")).join("../docs");
    let summary = docs.join("SUMMARY.md");
    let mut listed: Vec<_> = links(&page(summary.clone()).text).into_iter().map(|link| docs.join(link)).collect();
    let mut there: Vec<_> = pages(&docs).into_iter().map(|page| page.path).filter(|path| *path != summary).collect();
    listed.sort();
    there.sort();
    assert_eq!(listed, there, "docs/SUMMARY.md lists each page of the book once");
}

fn page(path: PathBuf) -> Page {
    let text = fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    Page { path, text }
}

/// Whether a path is outside of the folder.
fn escapes(path: &Path, folder: &Path) -> bool {
    let real = |path: &Path| path.canonicalize().unwrap_or_else(|_| path.to_owned());
    !real(path).starts_with(real(folder))
}

/// The documents in a folder and below.
fn pages(folder: &Path) -> Vec<Page> {
    let entries = fs::read_dir(folder).expect("a folder").map(|entry| entry.expect("an entry").path());
    let read = |path: PathBuf| match path.extension() {
        _ if path.is_dir() => pages(&path),
        Some(ending) if ending == "md" => vec![page(path)],
        _ => Vec::new(),
    };
    entries.flat_map(read).collect()
}

/// The relative links of a document.
fn links(text: &str) -> Vec<String> {
    let target = |event| match event {
        Event::Start(Tag::Link { dest_url, .. }) => Some(dest_url.into_string()),
        _ => None,
    };
    Parser::new(text).filter_map(target).filter(|link| !link.contains("://") && !link.starts_with("mailto:")).collect()
}

/// The anchors of a document's headings, as mdBook and code hosts make them.
fn anchors(text: &str) -> BTreeSet<String> {
    let mut anchors = BTreeSet::new();
    let mut heading: Option<String> = None;
    for event in Parser::new(text) {
        match event {
            Event::Start(Tag::Heading { .. }) => heading = Some(String::new()),
            Event::Text(text) | Event::Code(text) => {
                if let Some(heading) = &mut heading {
                    heading.push_str(&text);
                }
            }
            Event::End(TagEnd::Heading(_)) => anchors.extend(heading.take().map(|heading| slug(&heading))),
            _ => {}
        }
    }
    anchors
}

fn slug(heading: &str) -> String {
    let kept = |letter: char| match letter {
        ' ' => Some('-'),
        letter if letter.is_alphanumeric() || letter == '-' || letter == '_' => Some(letter),
        _ => None,
    };
    heading.to_lowercase().chars().filter_map(kept).collect()
}
