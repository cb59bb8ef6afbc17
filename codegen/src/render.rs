//! Source files → text: marker, `use` lines, and the layout.

mod imports;
mod module;
#[cfg(feature = "build")]
mod nested;
mod print;

use crate::emit::{Content, Places, SourceFile, ty};
use crate::parallel;
use proc_macro2::TokenStream;
use quote::quote;

/// The root module.
const ROOT: &str = "src/lib.rs";

/// A file of a generated crate.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct File {
    /// Path in the crate's folder: `src/models/account.rs`.
    pub path: String,
    /// Its text.
    pub text: String,
}

/// The text of every file of a crate, ordered by path; `marker` becomes the first line of all code. With
/// `module` the files are included as the module at that path instead of being a crate.
pub(crate) fn render(files: &[SourceFile<'_>], marker: &str, module: Option<&str>) -> Vec<File> {
    let [files] = render_all([files], marker, module);
    files
}

/// Renders several crates at once.
pub(crate) fn render_all<const CRATES: usize>(
    crates: [&[SourceFile<'_>]; CRATES],
    marker: &str,
    module: Option<&str>,
) -> [Vec<File>; CRATES] {
    // A description may have thousands of models; each file is independent.
    let files = crates.iter().copied().flatten().collect::<Vec<_>>();
    let mut rendered =
        parallel::map(&files, |file| File { path: file.path.clone(), text: text(file, marker, module) }).into_iter();
    crates.map(|files| {
        let mut files: Vec<_> = rendered.by_ref().take(files.len()).collect();
        files.sort();
        files
    })
}

/// The files of a crate as the items of one module, at any path.
#[cfg(feature = "build")]
pub(crate) fn items(files: &[File]) -> TokenStream {
    let (code, included): (Vec<_>, Vec<_>) = files.iter().partition(|file| is_code(&file.path));
    let parsed = |file: &&File| Ok((file.path.clone(), syn::parse_file(&file.text)?));
    let code: syn::Result<_> = code.iter().map(parsed).collect();
    code.and_then(|code| nested::items(code, ROOT, &included)).unwrap_or_else(|error| error.to_compile_error())
}

fn text(file: &SourceFile<'_>, marker: &str, module: Option<&str>) -> String {
    match (&file.content, module) {
        (Content::Tokens(tokens), _) => {
            format!("// {marker}\n\n{}", printed(tokens(), file.places, module, file.path == ROOT))
        }
        // The marker tells later runs which files are generated.
        (Content::Verbatim(text), _) if is_code(&file.path) => format!("// {marker}\n\n{text}"),
        (Content::Verbatim(text), _) => text.clone().into_owned(),
    }
}

/// Whether the file is Rust.
pub(crate) fn is_code(path: &str) -> bool {
    std::path::Path::new(path).extension().is_some_and(|extension| extension == "rs")
}

/// The text of a file of a crate.
pub(crate) fn code(tokens: TokenStream, places: Places) -> String {
    printed(tokens, places, None, false)
}

/// A function without its body, in one line.
pub(crate) fn signature(tokens: &TokenStream) -> String {
    let text = printed(quote!(#tokens {}), Places::default(), None, false);
    // The `use` lines of its types come before the blank line.
    let function = text.rsplit("\n\n").next().unwrap_or_default();
    let line = function.split_whitespace().collect::<Vec<_>>().join(" ");
    let line = line.replace("( ", "(").replace(", )", ")").replace("< ", "<").replace(", >", ">");
    line.trim_end_matches(" {}").to_owned()
}

/// The text of a file, below the path `module` if given.
fn printed(tokens: TokenStream, places: Places, module: Option<&str>, is_root: bool) -> String {
    let tokens = match module {
        Some(module) => module::moved(tokens, &ty::tokens(module)),
        None => tokens,
    };
    match syn::parse2::<syn::File>(tokens) {
        Ok(mut file) => {
            if module.is_some() && is_root {
                module::make_includable(&mut file);
            }
            imports::add(&mut file, |path| placed(path, places, module.unwrap_or("crate")));
            print::file(file)
        }
        // A bug of an emitter; compiling the generated crate shows where.
        Err(error) => format!("compile_error!({:?});\n", error.to_string()),
    }
}

/// A path of the import table, with the crate's modules at `root`.
fn placed(path: &str, places: Places, root: &str) -> String {
    let (first, rest) = path.split_once("::").map_or((path, None), |(first, rest)| (first, Some(rest)));
    let side = places.side.name();
    let first = match first {
        "crate" => root.to_owned(),
        "section" => places.section.replacen("crate", root, 1),
        "side" => format!("{root}::runtime::{side}"),
        "side_stream" => format!("{root}::runtime::{side}_stream"),
        first => first.to_owned(),
    };
    rest.map_or_else(|| first.clone(), |rest| format!("{first}::{rest}"))
}
