//! The package of the crate that serves tools of the Model Context Protocol.

use super::manifest;
use super::words;
use crate::Options;
use crate::emit::mcp::{Setting, settings, tools, url_variable};
use crate::ir::{Api, Tier};
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
    let (title, version) = (words(&api.title), words(&api.version));
    format!("The operations of {title}, version {version}, as tools of the Model Context Protocol.")
}

fn manifest(api: &Api, client: &str, options: &Options) -> String {
    let lines = vec![
        "clap = { version = \"4.5\", features = [\"derive\", \"env\"] }\n".to_owned(),
        "tokio = { version = \"1\", features = [\"macros\", \"rt-multi-thread\"] }\n".to_owned(),
    ];
    manifest::over_client(&options.mcp_name(), &about(api), client, options, "mcp", lines)
}

fn readme(api: &Api, options: &Options) -> String {
    let name = options.mcp_name().replace('_', "-");
    let (marker, about) = (&options.marker, super::readme::escaped(&about(api)));
    let settings = settings(api, &options.name);
    let count = |tier| api.tags.iter().flat_map(tools).filter(|(_, tool)| tool.tier == tier).count();
    let (read, write, destructive) = (count(Tier::Read), count(Tier::Write), count(Tier::Destructive));
    let mut environment = vec![(url_variable(&options.name), "https://…")];
    environment.extend(settings.iter().map(|setting| (setting.variable.clone(), setting.form)));
    let values: Vec<_> = environment.iter().map(|(name, value)| format!("        {name:?}: {value:?}")).collect();
    let exports: Vec<_> = environment.iter().map(|(name, value)| format!("export {name}={value}")).collect();
    let rows: String = settings.iter().map(row).collect();
    format!(
        "<!-- {marker} -->

# {name}

{about}

It speaks over standard input and output, or with `--listen 127.0.0.1:8765` over HTTP at `/mcp`. A tool is an operation; its \
arguments are the parameters and the body.

## Add it to a client

```sh
cargo install --path .
```

Most clients take this in their configuration, for example `.mcp.json`:

```json
{{
  \"mcpServers\": {{
    {name:?}: {{
      \"command\": {name:?},
      \"args\": [\"--allow\", \"read\"],
      \"env\": {{
{values}
      }}
    }}
  }}
}}
```

To look at the tools by hand:

```sh
{exports}
npx @modelcontextprotocol/inspector --cli {name} --method tools/list
```

## Options

| option | environment | meaning |
|---|---|---|
| `--url` | `{url}` | the URL of the service, before the paths of its operations |
{rows}| `--allow` | | which tools there are: `read` ({read} tools, the default), `write` ({write} more), `destructive` ({destructive} more) |
| `--dry-run` | | a call returns the request, without credentials, instead of sending it |
| `--max-bytes` | | the maximum size of a result in bytes, 65536 by default; what is cut says so, and how to get the rest |
| `--timeout` | | the maximum duration of a call in seconds, 60 by default; a stream returns what came until then |
| `--listen` | | the address to serve HTTP on. Everyone who reaches it uses your credentials: keep it on this machine |

Give credentials in the environment: other users of the machine see the options of a program. They are in no result, error or log.
",
        values = values.join(",\n"),
        exports = exports.join("\n"),
        url = url_variable(&options.name),
    )
}

fn row(Setting { scheme, rust, variable, what, form }: &Setting<'_>) -> String {
    let option = rust.trim_start_matches("r#").trim_end_matches('_').replace('_', "-");
    format!("| `--{option}` | `{variable}` | the {what} of `{}`: `{form}` |\n", scheme.name.wire)
}
