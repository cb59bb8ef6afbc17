//! `main.rs`: the command line, and the start of the server.

use proc_macro2::TokenStream;
use quote::quote;

use crate::emit::client::credential_method;
use crate::emit::section::Section;
use crate::emit::{doc, ty};
use crate::ir::{Api, CredentialKind, SecurityScheme};

/// The names of the settings that every program has.
const TAKEN: &[&str] =
    &["allow", "client", "dry_run", "help", "listen", "max_bytes", "options", "timeout", "url", "version"];

/// A setting with the credential of a scheme.
pub(crate) struct Setting<'api> {
    /// The scheme.
    pub(crate) scheme: &'api SecurityScheme,
    /// Its name in code; the option has `-` for `_`.
    pub(crate) rust: String,
    /// Its environment variable.
    pub(crate) variable: String,
    /// What it holds: `token`
    pub(crate) what: &'static str,
    /// How its value is written: `USER:PASSWORD`
    pub(crate) form: &'static str,
}

/// The settings for credentials that the client sends. `name` is the base name of the crates.
pub(crate) fn settings<'api>(api: &'api Api, name: &str) -> Vec<Setting<'api>> {
    let setting = |scheme: &'api SecurityScheme| {
        let (what, form) = match scheme.kind {
            CredentialKind::Basic => ("user and password", "USER:PASSWORD"),
            CredentialKind::Bearer => ("token", "TOKEN"),
            CredentialKind::ApiKeyHeader(_) | CredentialKind::ApiKeyQuery(_) | CredentialKind::ApiKeyCookie(_) => {
                ("key", "KEY")
            }
            CredentialKind::Other => return None,
        };
        let own = scheme.name.rust.trim_end_matches('_').trim_start_matches("r#");
        let rust = if TAKEN.contains(&own) { format!("{own}_credential") } else { scheme.name.rust.clone() };
        let variable = variable(name, own);
        Some(Setting { scheme, rust, variable, what, form })
    };
    Section::paths(api).security_schemes().into_iter().filter_map(setting).collect()
}

/// The environment variable with the URL of the service.
pub(crate) fn url_variable(name: &str) -> String {
    variable(name, "url")
}

fn variable(name: &str, setting: &str) -> String {
    let word = |text: &str| text.replace('-', "_").to_uppercase();
    format!("{}_{}", word(name), word(setting))
}

/// The first URL of `servers` that needs no base.
pub(crate) fn server(api: &Api) -> Option<&str> {
    let is_whole = |server: &&String| server.starts_with("http") && server.contains("://") && !server.contains('{');
    api.servers.iter().find(is_whole).map(String::as_str)
}

/// The title and the description.
pub(crate) fn instructions(api: &Api) -> String {
    let text = doc::paragraphs([Some(api.title.as_str()), api.description.as_deref()]);
    format!("{text}\n")
}

/// The file.
pub(super) fn program(api: &Api, name: &str, client: &str) -> TokenStream {
    let title = api.title.split_whitespace().collect::<Vec<_>>().join(" ");
    let about = format!("Serves the operations of {title} as tools of the Model Context Protocol.");
    let inner = doc::own_inner(&about);
    let settings = settings(api, name);
    let fields = settings.iter().map(field);
    let names: Vec<_> = settings.iter().map(|setting| ty::ident(&setting.rust)).collect();
    let credentials = settings.iter().map(credential);
    let binding = if settings.is_empty() { quote!(client) } else { quote!(mut client) };
    let variable = url_variable(name);
    let default = server(api).map(|server| quote!(, default_value = #server));
    let client = ty::ident(client);
    quote! {
        #inner

        use std::error::Error;
        use std::process::ExitCode;

        use clap::Parser;
        use #client::Client;
        use specwright_runtime as runtime;
        use crate::runtime::mcp;

        mod tools;

        #[derive(Parser)]
        #[command(version, about = #about)]
        struct Arguments {
            /// The URL of the service, before the paths of its operations.
            #[arg(long, value_name = "URL", env = #variable #default)]
            url: String,
            #(#fields)*
            #[command(flatten)]
            options: mcp::Options,
        }

        #[tokio::main]
        async fn main() -> ExitCode {
            match serve(Arguments::parse()).await {
                Ok(()) => ExitCode::SUCCESS,
                Err(error) => {
                    eprintln!("error: {error}");
                    ExitCode::FAILURE
                }
            }
        }

        async fn serve(arguments: Arguments) -> Result<(), Box<dyn Error>> {
            let Arguments { url, #(#names,)* options } = arguments;
            let #binding = Client::builder(&url)?;
            #(#credentials)*
            let server = mcp::Server {
                name: env!("CARGO_PKG_NAME"),
                version: env!("CARGO_PKG_VERSION"),
                instructions: include_str!("instructions.md"),
                tools: tools::TOOLS,
                arguments: include_str!("arguments.json"),
            };
            mcp::serve(server, client.build()?.as_ref().clone(), options).await
        }
    }
}

fn field(setting: &Setting<'_>) -> TokenStream {
    let Setting { scheme, rust, variable, what, form } = setting;
    let text = doc::own(&format!("The {what} of `{}`.", scheme.name.wire));
    let name = ty::ident(rust);
    quote! {
        #text
        #[arg(long, value_name = #form, env = #variable, hide_env_values = true)]
        #name: Option<String>,
    }
}

/// The lines that give the credential to the client.
fn credential(setting: &Setting<'_>) -> TokenStream {
    let name = ty::ident(&setting.rust);
    let method = credential_method(setting.scheme);
    let value = if setting.scheme.kind == CredentialKind::Basic {
        quote! {
            let (user, password) = credential.split_once(':').unwrap_or((&credential, ""));
            client = client.#method(user, password);
        }
    } else {
        quote!(client = client.#method(credential);)
    };
    quote! {
        if let Some(credential) = #name {
            #value
        }
    }
}

#[cfg(test)]
mod tests {
    use super::TAKEN;

    #[test]
    fn the_options_of_every_server_are_taken() {
        let options = include_str!("../../../../runtime/src/mcp/options.rs");
        let (_, fields) = options.split_once("pub struct Options {").expect("the options");
        let (fields, _) = fields.split_once("\n}\n").expect("the end of the options");
        let names = fields.lines().filter(|line| line.ends_with(',')).filter_map(|line| line.split_once(": "));
        let names: Vec<_> = names.filter_map(|(name, _)| name.split_whitespace().last()).collect();
        assert!(names.len() > 3, "{names:?}");
        for name in names {
            assert!(TAKEN.contains(&name), "{name}");
        }
    }
}
