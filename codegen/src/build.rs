//! Generates into `OUT_DIR`, for build scripts: the code becomes a module of the crate that is built.
//!
//! ```no_run
//! use specwright::{Generator, build};
//!
//! fn main() -> Result<(), build::Failure> {
//!     build::server("petstore.yaml", "crate::petstore", &Generator::new())
//! }
//! ```
//!
//! Include it where the module path says, here in `lib.rs` or `main.rs`.
//!
//! ```ignore
//! pub mod petstore {
//!     include!(concat!(env!("OUT_DIR"), "/petstore/lib.rs"));
//! }
//! ```

mod config;
mod dependency;
mod problem;

use std::cell::RefCell;
use std::collections::BTreeSet;
use std::fmt::{self, Write as _};
use std::io;
use std::path::{Path, PathBuf};

use crate::emit::{self, SERDE, TRACING, WEBHOOKS};
use proc_macro2::TokenStream;

use crate::ir::Api;
use crate::{CrateFolder, Description, DocumentFolder, File, Files, Generator, Owned, Runtime, Side, Source, render};

pub use config::Config;

/// Why nothing was generated. `Debug` prints the message, because that is what `main` shows for an error.
pub struct Failure(String);

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl fmt::Debug for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for Failure {}

/// Generates the server of the description at `document` as the module at the path `module`.
///
/// The root is `lib.rs` in a folder of `OUT_DIR` named after the module. Cargo runs the script again when a
/// file that was read changes. Overlays are relative to the folder of the description.
pub fn server(document: impl AsRef<Path>, module: &str, generator: &Generator) -> Result<(), Failure> {
    let directives = Script::from_environment()?.generate(Side::Server, document.as_ref(), module, generator)?;
    print!("{directives}");
    Ok(())
}

/// Generates the client of the description at `document` as the module at the path `module`.
pub fn client(document: impl AsRef<Path>, module: &str, generator: &Generator) -> Result<(), Failure> {
    let directives = Script::from_environment()?.generate(Side::Client, document.as_ref(), module, generator)?;
    print!("{directives}");
    Ok(())
}

/// Generates the models of the description at `document` as the module at the path `module`, without operations.
pub fn models(document: impl AsRef<Path>, module: &str, generator: &Generator) -> Result<(), Failure> {
    let directives = Script::from_environment()?.generate(Side::Models, document.as_ref(), module, generator)?;
    print!("{directives}");
    Ok(())
}

/// The cargo features that generated code tests.
const FEATURES: [&str; 3] = [SERDE, TRACING, WEBHOOKS];

/// What cargo passes to a build script.
struct Script {
    out_dir: PathBuf,
    manifest: PathBuf,
    /// The enabled features among those that generated code tests.
    features: Vec<&'static str>,
}

impl Script {
    fn from_environment() -> Result<Self, Failure> {
        let variable = |name: &str| {
            let missing = || Failure(format!("there is no `{name}`, which cargo sets for build scripts"));
            std::env::var_os(name).map(PathBuf::from).ok_or_else(missing)
        };
        let is_on = |feature: &&str| std::env::var_os(format!("CARGO_FEATURE_{}", feature.to_uppercase())).is_some();
        Ok(Self {
            out_dir: variable("OUT_DIR")?,
            manifest: variable("CARGO_MANIFEST_DIR")?.join("Cargo.toml"),
            features: FEATURES.into_iter().filter(is_on).collect(),
        })
    }

    /// Writes the module, and returns the directives for cargo.
    fn generate(&self, side: Side, document: &Path, module: &str, generator: &Generator) -> Result<String, Failure> {
        let name = name_of(module)?;
        let Read { api, files, warnings } = read(document, generator)?;
        let manifest = (self.manifest.as_path(), ["dependencies"].as_slice());
        let code = code(&api, side, generator, Some(module), manifest, &self.features)?;
        let target = self.out_dir.join(name);
        let code = code.into_iter().map(|File { path, text }| {
            // A module has no `src` folder.
            File { path: path.strip_prefix("src/").map_or(path.clone(), str::to_owned), text }
        });
        CrateFolder::new(&target, code)
            .owned(Owned::Below(String::new()))
            .write()
            .map_err(|error| Failure(format!("{}: {error}", target.display())))?;

        let mut directives = String::new();
        for warning in warnings {
            let _ = writeln!(directives, "cargo::warning={warning}");
        }
        for path in files {
            let _ = writeln!(directives, "cargo::rerun-if-changed={}", path.display());
        }
        directives.push_str(&check_cfg());
        Ok(directives)
    }
}

/// The code of one side as the items of a module.
pub struct Items {
    /// The items; they refer to each other by relative paths.
    pub items: TokenStream,
    /// The files that were read.
    pub files: Vec<PathBuf>,
    /// The warnings about the description, one line each.
    pub warnings: Vec<String>,
}

/// The code of a side, for a macro in the crate with this `manifest`.
pub fn items(side: Side, document: &Path, manifest: &Path, generator: &Generator) -> Result<Items, Failure> {
    let Read { api, files, warnings } = read(document, generator)?;
    // The module may be one of a test.
    let manifest = (manifest, ["dependencies", "dev-dependencies"].as_slice());
    let code = code(&api, side, generator, None, manifest, &[])?;
    Ok(Items { items: render::items(&code), files, warnings })
}

/// The files of a side, as a module at the path `module` if given. The tables of the manifest have its dependencies.
fn code(
    api: &Api,
    side: Side,
    generator: &Generator,
    module: Option<&str>,
    manifest: (&Path, &[&str]),
    features: &[&str],
) -> Result<Vec<File>, Failure> {
    let options = &generator.options;
    let name = module.and_then(|module| module.rsplit("::").next()).unwrap_or("crate");
    let api = &emit::part(api, side);
    let code = render::render(&emit::files(api, side, name), &options.marker, module);
    let runtime = options.runtime.clone().or_else(Runtime::of_checkout).unwrap_or_default();
    dependency::check(api, side, &code, &runtime, manifest, features)?;
    Ok(code)
}

/// A description that was read.
struct Read {
    api: Api,
    files: Vec<PathBuf>,
    warnings: Vec<String>,
}

fn read(document: &Path, generator: &Generator) -> Result<Read, Failure> {
    let (mut folder, entry) = DocumentFolder::of(document);
    let settings = &generator.options.settings;
    folder.name(generator.options.overlays.iter().chain(settings).cloned());
    let files = Watched { folder: &folder, read: RefCell::default() };
    let Description { mut api, warnings, .. } = generator
        .read(&Source::files(&files, entry))
        .map_err(|found| Failure(problem::errors(document, &folder, &found)))?;
    api.compile_always();
    let settings = settings.iter().map(|settings| folder.path().join(settings));
    let read: BTreeSet<_> = files.read.take().into_iter().chain(settings).collect();
    let mut warnings = problem::warnings(document, &folder, &warnings);
    if let Some(limit) = emit::recursion_limit(&api) {
        let line = format!("`#![recursion_limit = \"{limit}\"]` at the top of the crate");
        warnings.push(format!("{} has deep types: the compiler may need {line}", document.display()));
    }
    Ok(Read { api, files: read.into_iter().collect(), warnings })
}

/// Declares the features, so that the crate need not have them.
fn check_cfg() -> String {
    let values: Vec<_> = FEATURES.iter().map(|feature| format!("{feature:?}")).collect();
    format!("cargo::rustc-check-cfg=cfg(feature, values({}))\n", values.join(", "))
}

/// The last segment of a module path.
fn name_of(module: &str) -> Result<&str, Failure> {
    let names = module.strip_prefix("crate::").unwrap_or_default();
    let is_name = |name: &str| syn::parse_str::<syn::Ident>(name).is_ok() && !name.starts_with("r#");
    if names.split("::").all(is_name) {
        Ok(names.rsplit("::").next().unwrap_or(names))
    } else {
        Err(Failure(format!("`{module}` is not a module path such as `crate::petstore`")))
    }
}

/// A folder that records which of its files are read.
struct Watched<'a> {
    folder: &'a DocumentFolder,
    read: RefCell<BTreeSet<PathBuf>>,
}

impl Files for Watched<'_> {
    fn read(&self, path: &str) -> io::Result<Vec<u8>> {
        self.read.borrow_mut().insert(self.folder.path().join(path));
        self.folder.read(path)
    }
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    const DOCUMENT: &str = "\
openapi: 3.0.3
info: { title: Pets, version: '1' }
paths:
  /pets:
    get:
      operationId: listPets
      responses: { '200': { description: All., content: { application/json: { schema: { $ref: 'pet.yaml' } } } } }
";

    /// A folder with a crate.
    fn package(dependencies: &str) -> (tempfile::TempDir, Script) {
        let folder = tempfile::tempdir().unwrap();
        let path = |name: &str| folder.path().join(name);
        fs::write(path("pets.yaml"), DOCUMENT).unwrap();
        fs::write(path("pet.yaml"), "{ type: object, properties: { name: { type: string } } }").unwrap();
        fs::write(path("Cargo.toml"), format!("[dependencies]\n{dependencies}")).unwrap();
        let script = Script { out_dir: path("out"), manifest: path("Cargo.toml"), features: Vec::new() };
        (folder, script)
    }

    fn generate(folder: &Path, script: &Script) -> Result<String, Failure> {
        script.generate(Side::Client, &folder.join("pets.yaml"), "crate::api::pets", &Generator::new())
    }

    #[test]
    fn cargo_hears_of_every_file_and_the_folder_holds_the_module_alone() {
        let (folder, script) = package("specwright-runtime = '*'\nreqwest = '*'\n");
        fs::create_dir_all(folder.path().join("out/pets/old")).unwrap();
        fs::write(folder.path().join("out/pets/old/toy.rs"), "").unwrap();
        let directives = generate(folder.path(), &script).unwrap();
        let files: Vec<_> = ["pet.yaml", "pets.yaml"]
            .map(|file| format!("cargo::rerun-if-changed={}\n", folder.path().join(file).display()))
            .into();
        let check = "cargo::rustc-check-cfg=cfg(feature, values(\"serde\", \"tracing\", \"webhooks\"))\n";
        assert_eq!(directives, files.concat() + check);
        let root = fs::read_to_string(folder.path().join("out/pets/lib.rs")).unwrap();
        assert!(!root.contains("//!") && !root.contains("#!["), "{root}");
        let default = fs::read_to_string(folder.path().join("out/pets/default.rs")).unwrap();
        assert!(default.contains("use crate::api::pets::runtime::client"), "{default}");
        assert!(!folder.path().join("out/pets/old").exists());
    }

    #[test]
    fn the_settings_of_a_file_apply_and_cargo_hears_of_it() {
        let (folder, script) = package("specwright-runtime = '*'\nreqwest = '*'\n");
        let path = |name: &str| folder.path().join(name);
        fs::write(path("specwright.toml"), "[rename.operations]\nlistPets = \"all_pets\"\n").unwrap();
        let generator = Config::generator_of(&path("specwright.toml"), &path("pets.yaml")).unwrap();
        let directives = script.generate(Side::Client, &path("pets.yaml"), "crate::pets", &generator).unwrap();
        assert!(
            directives.contains(&format!("rerun-if-changed={}\n", path("specwright.toml").display())),
            "{directives}"
        );
        assert!(path("out/pets/default/all_pets.rs").exists());
    }

    #[test]
    fn dependencies_that_are_missing_are_named() {
        let (folder, script) = package("reqwest = '*'\n");
        let said = generate(folder.path(), &script).unwrap_err().to_string();
        assert!(said.contains("specwright-runtime = { path = ") && !said.contains("\nreqwest = "), "{said}");
        assert!(!folder.path().join("out").exists());
    }

    #[test]
    fn a_description_at_fault_is_shown_with_its_place() {
        let (folder, script) = package("");
        fs::write(folder.path().join("pet.yaml"), "type: 3\n").unwrap();
        let said = generate(folder.path(), &script).unwrap_err().to_string();
        assert!(said.contains("pets.yaml has 1 error\n\nerror[") && said.contains("pet.yaml:1:7"), "{said}");
    }

    #[test]
    fn the_path_of_a_module_starts_at_the_crate() {
        assert_eq!(name_of("crate::api::petstore").ok(), Some("petstore"));
        for wrong in ["petstore", "crate", "crate::", "crate::3d", "crate::../x", "crate::a b", "crate::r#type"] {
            let said = name_of(wrong).map_err(|failure| failure.to_string());
            assert_eq!(said, Err(format!("`{wrong}` is not a module path such as `crate::petstore`")));
        }
    }
}
