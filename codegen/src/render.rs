//! Tokens → text: marker, `use` lines, layout, blank lines.

mod blank_lines;
mod draw_together;
mod file;
mod format;
mod imports;
mod layout;
mod module;

use crate::emit::{Content, SourceFile};
use crate::parallel;
use crate::tokens::Tokens;

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
        (Content::Tokens(tokens), None) => format!("// {marker}\n\n{}", code(&tokens())),
        (Content::Tokens(tokens), Some(module)) => {
            let code = tokens().into_string();
            let code = if file.path == ROOT { module::includable(&code) } else { code };
            format!("// {marker}\n\n{}", laid_out(&module::moved(&code, module), Some(module)))
        }
        (Content::Runtime(text), module) => {
            let module = format!("{}::runtime", module.unwrap_or("crate"));
            format!("// {marker}\n\n{}", module::text_moved(text, &module))
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
pub(crate) fn code(tokens: &Tokens) -> String {
    laid_out(tokens.as_str(), None)
}

fn laid_out(code: &str, module: Option<&str>) -> String {
    match file::laid_out(code, module) {
        Ok(text) => blank_lines::add(&draw_together::draw_together(&text)),
        // A mistake of an emitter: the compiler of the generated crate shows where.
        Err(error) => format!("compile_error!({error:?});\n{code}\n"),
    }
}
