//! Source files → text: marker, `use` lines, and the layout.

mod module;

use crate::emit::{Content, Places, Side, SourceFile};
use crate::parallel;
use printing::Tokens;

/// What the other files are modules of.
const ROOT: &str = "src/lib.rs";

/// A file of a generated crate.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct File {
    /// Below the crate's folder, `src/models/account.rs`.
    pub path: String,
    /// All of its text.
    pub text: String,
}

/// The text of every file of a crate, in the order of their paths; `marker` becomes the first line of all code. With
/// `module` they are not a crate but are included as the module at that path.
pub(crate) fn render(files: &[SourceFile<'_>], marker: &str, module: Option<&str>) -> Vec<File> {
    let [files] = render_all([files], marker, module);
    files
}

/// The same for several crates at once.
pub(crate) fn render_all<const CRATES: usize>(
    crates: [&[SourceFile<'_>]; CRATES],
    marker: &str,
    module: Option<&str>,
) -> [Vec<File>; CRATES] {
    // A description may have thousands of models, and each file stands for itself.
    let files = crates.iter().copied().flatten().collect::<Vec<_>>();
    let mut rendered =
        parallel::map(&files, |file| File { path: file.path.clone(), text: text(file, marker, module) }).into_iter();
    crates.map(|files| {
        let mut files: Vec<_> = rendered.by_ref().take(files.len()).collect();
        files.sort();
        files
    })
}

fn text(file: &SourceFile<'_>, marker: &str, module: Option<&str>) -> String {
    match (&file.content, module) {
        (Content::Tokens(tokens), None) => format!("// {marker}\n\n{}", code(&tokens(), file.places)),
        (Content::Tokens(tokens), Some(module)) => {
            let code = tokens().into_string();
            let code = if file.path == ROOT { module::includable(&code) } else { code };
            format!("// {marker}\n\n{}", laid_out(&module::moved(&code, module), file.places, module))
        }
        (Content::Runtime(text), None) => format!("// {marker}\n\n{}", module::text_moved(text, "crate::runtime")),
        (Content::Runtime(text), Some(module)) => {
            let text = module::text_moved(text, &format!("{module}::runtime"));
            format!("// {marker}\n\n{}", module::without_exports(&text))
        }
        // Whoever cleans up knows by the marker what is generated.
        (Content::Verbatim(text), _) if is_code(&file.path) => format!("// {marker}\n\n{text}"),
        (Content::Verbatim(text), _) => (*text).to_owned(),
    }
}

/// The file is Rust.
pub(crate) fn is_code(path: &str) -> bool {
    std::path::Path::new(path).extension().is_some_and(|extension| extension == "rs")
}

/// Tokens as they are read.
pub(crate) fn code(tokens: &Tokens, places: Places) -> String {
    laid_out(tokens.as_str(), places, "crate")
}

/// The code of a file of the crate whose modules are at the path `root`.
fn laid_out(code: &str, places: Places, root: &str) -> String {
    let side = match places.side {
        Side::Server => "server",
        Side::Client => "client",
    };
    let section = &*places.section.replacen("crate", root, 1);
    let side = &*format!("{root}::runtime::{side}");
    let side_stream = &*format!("{side}_stream");
    let places = [("crate", root), ("section", section), ("side", side), ("side_stream", side_stream)];
    printing::file(code, &places)
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::path::{Path, PathBuf};
    use std::process::Command;

    use crate::emit::Content;
    use crate::{Crate, Generator, Runtime, Source, emit};

    /// The fixtures that give crates, by name.
    fn fixtures() -> Vec<String> {
        let entries = fs::read_dir(folder()).unwrap().map(|entry| entry.unwrap().path());
        let files = entries.filter(|path| path.is_file());
        files.filter_map(|path| Some(path.file_name()?.to_str()?.to_owned())).collect()
    }

    fn folder() -> PathBuf {
        Path::new(env!("CARGO_MANIFEST_DIR")).join("../tests/fixtures")
    }

    /// The code of every file that the fixture gives.
    fn codes(name: &str) -> Vec<String> {
        let files = |path: &str| fs::read(folder().join(path));
        let Ok(description) = Generator::new().read(&Source::files(&files, name)) else { return Vec::new() };
        let api = description.api();
        let files = emit::server(api).into_iter().chain(emit::client(api, "a_client"));
        let codes = files.filter_map(|file| match file.content {
            Content::Tokens(tokens) => Some(tokens().into_string()),
            Content::Verbatim(_) | Content::Runtime(_) => None,
        });
        codes.collect()
    }

    #[test]
    fn a_layout_keeps_all_words() {
        let (mut count, mut unknown) = (0, 0);
        for name in fixtures() {
            for code in codes(&name) {
                for item in printing::compare(&code).unwrap() {
                    count += 1;
                    unknown += usize::from(item.laid_out.is_none());
                    assert!(item.keeps_words(), "{name}: {}\n{:?}", item.written, item.laid_out);
                }
            }
        }
        // Whatever is emitted often should be known.
        assert!(count > 1000 && unknown * 100 < count, "{unknown} of {count} items have a form that is not known");
    }

    #[test]
    fn rustfmt_changes_nothing() {
        let root = std::env::temp_dir().join(format!("codegen-layout-{}", std::process::id()));
        fs::create_dir_all(&root).unwrap();
        fs::write(root.join("rustfmt.toml"), "edition = \"2024\"\n").unwrap();
        let mut crates = Vec::new();
        for name in fixtures() {
            let files = |path: &str| fs::read(folder().join(path));
            let generator = Generator::new().runtime(Runtime::Version("1".to_owned()));
            let Ok(generated) = generator.generate(&Source::files(&files, &name)) else { continue };
            for (side, Crate { files, .. }) in [("server", generated.server), ("client", generated.client)] {
                let folder = root.join(&name).join(side);
                for file in files {
                    let path = folder.join(file.path);
                    fs::create_dir_all(path.parent().unwrap()).unwrap();
                    fs::write(path, file.text).unwrap();
                }
                crates.push(folder.join("src/lib.rs"));
            }
        }
        assert!(crates.len() > 100);
        let rustfmt = Command::new("rustfmt").arg("--check").args(crates).output();
        fs::remove_dir_all(&root).unwrap();
        let output = rustfmt.expect("rustfmt comes with the toolchain");
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stdout));
    }
}
