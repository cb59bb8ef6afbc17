//! The package of the crate with a command-line program.

use super::{manifest, words};
use crate::Options;
use crate::emit::cli::{groups, schemes, variable};
use crate::ir::Api;
use crate::render::File;

/// `Cargo.toml`, `rustfmt.toml` and `README.md`; `client` is the folder of the client crate, relative to this one.
pub(crate) fn package(api: &Api, client: &str, options: &Options) -> Vec<File> {
    let marker = &options.marker;
    vec![
        File { path: "Cargo.toml".to_owned(), text: manifest(api, client, options) },
        super::layout(marker),
        File { path: "README.md".to_owned(), text: readme(api, options) },
    ]
}

fn about(api: &Api) -> String {
    format!("The operations of {}, version {}, on the command line.", words(&api.title), words(&api.version))
}

/// The name of the program: the base name of the crates.
fn program(options: &Options) -> String {
    options.name.replace('_', "-")
}

fn manifest(api: &Api, client: &str, options: &Options) -> String {
    let text = manifest::over_client(&options.cli_name(), &about(api), client, options, "cli", Vec::new());
    format!("{text}\n[[bin]]\nname = {}\npath = \"src/main.rs\"\n", manifest::string(&program(options)))
}

fn readme(api: &Api, options: &Options) -> String {
    let (name, marker) = (program(options), &options.marker);
    let about = super::readme::escaped(&about(api));
    let prefix = name.replace('-', "_").to_uppercase();
    let variables =
        schemes(api).map(|scheme| format!("export {prefix}_{}=…    # `{}`\n", variable(scheme), scheme.name.wire));
    let variables: String = variables.collect();
    let all = groups(api);
    let first = all.iter().flat_map(|group| &group.commands).next();
    let words = first.map(|command| command.words.as_str()).unwrap_or_default();
    format!(
        "<!-- {marker} -->

# {name}

{about}

```sh
cargo install --path .
export {prefix}_URL=https://…
{variables}{name} --help
{name} {words} --help
{name} completions bash > {name}.bash
```

A command is an operation. Parameters in the path are its arguments, others are options, and so are the members of a body. \
`--dry-run` prints the request as a line of `curl`, and `--output table` a list as a table.
"
    )
}
