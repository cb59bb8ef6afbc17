//! `client.rs`: the client of this description, over that of the runtime.

use super::server_choice;
use crate::emit::doc;
use crate::emit::section::Section;
use proc_macro2::TokenStream;
use quote::quote;

/// The file.
pub(super) fn root(section: Section<'_>) -> TokenStream {
    let about = doc::own_inner("The client and its settings.");
    let mut operations = section.tags.iter().flat_map(|tag| &tag.operations);
    let has_servers = operations.any(|operation| operation.server.is_some());
    let choices = if section.is_webhooks { TokenStream::new() } else { server_choice::types(section.api) };
    let start = if section.is_webhooks { sender() } else { start(has_servers, !choices.is_empty()) };
    let builder = builder(has_servers);
    quote! {
        #about

        use std::time::Duration;

        /// A client. Its clones share its connections.
        #[derive(Clone, Debug)]
        pub struct Client(client::Client);

        impl Client {
            #start
        }

        impl AsRef<client::Client> for Client {
            fn as_ref(&self) -> &client::Client {
                &self.0
            }
        }

        #builder

        #choices
    }
}

/// `Client::builder`
fn start(has_servers: bool, has_choices: bool) -> TokenStream {
    let choices = has_choices.then(|| doc::own("\n[`Server`] has the URLs of the description."));
    let servers = has_servers.then(|| {
        doc::own(
            "\nIf the description names a server of an operation's own, a path such as `/v2` is looked for on the host of \
             `base_url`; another host is used only with [`described_servers`](ClientBuilder::described_servers).",
        )
    });
    quote! {
        /// Starts a client of the server at `base_url`, whose path precedes the paths of all operations.
        #choices
        #servers
        pub fn builder(base_url: &str) -> Result<ClientBuilder, client::BuildError> {
            client::Client::builder(base_url).map(ClientBuilder::of)
        }
    }
}

/// `Client::sender`, which needs no server.
fn sender() -> TokenStream {
    quote! {
        /// Starts to build a client; each of its calls says where to go.
        pub fn sender() -> ClientBuilder {
            ClientBuilder::of(client::Client::sender())
        }
    }
}

fn builder(has_servers: bool) -> TokenStream {
    let described_servers = has_servers.then(|| {
        quote! {
            /// Sends an operation to the server that the description names for it, with its credentials.
            pub fn described_servers(self) -> Self {
                Self(self.0.described_servers())
            }
        }
    });
    quote! {
        /// The settings of a [`Client`].
        #[derive(Debug)]
        #[must_use = "`build` makes the client"]
        pub struct ClientBuilder(client::ClientBuilder);

        impl ClientBuilder {
            fn of(settings: client::ClientBuilder) -> Self {
                Self(settings.agent(concat!(env!("CARGO_PKG_NAME"), "/", env!("CARGO_PKG_VERSION"))))
            }

            /// Sets the credential of a scheme.
            pub fn credential(self, scheme: &'static client::Scheme, credential: client::Credential) -> Self {
                Self(self.0.credential(scheme, credential))
            }

            /// Sets where the credentials of all other schemes come from.
            pub fn credential_provider(self, provider: impl client::CredentialProvider) -> Self {
                Self(self.0.credential_provider(provider))
            }

            #described_servers

            /// Sets how long a call may take, retries included. A call can override it. By default, a call
            /// lasts as long as its connection.
            pub fn timeout(self, timeout: Duration) -> Self {
                Self(self.0.timeout(timeout))
            }

            /// Sets when calls are sent again. A call can override it.
            pub fn retry(self, retry: client::Retry) -> Self {
                Self(self.0.retry(retry))
            }

            /// Adds a header to every request. A call can override it.
            pub fn header(self, name: &str, value: &str) -> Self {
                Self(self.0.header(name, value))
            }

            /// Sets `User-Agent`, which is this crate's name and version by default.
            pub fn user_agent(self, user_agent: &str) -> Self {
                Self(self.0.user_agent(user_agent))
            }

            /// Sets the maximum length of a response that is held in memory, in bytes. A
            /// [`Download`](client::Download) that is read in chunks has no limit.
            pub fn response_limit(self, bytes: u64) -> Self {
                Self(self.0.response_limit(bytes))
            }

            /// Replaces the connection pool, for example by one with a proxy or with other certificates.
            ///
            /// The default pool follows redirections that the description does not declare. It follows none to another
            /// server if a header may hold a key: with an API key, a provider or a [`header`](Self::header).
            pub fn http_client(self, http: reqwest::Client) -> Self {
                Self(self.0.http_client(http))
            }

            /// Sends all requests by a service of tower instead of the connection pool, for example by the router of a
            /// server in memory. It follows no redirections.
            pub fn transport(self, transport: impl client::IntoTransport) -> Self {
                Self(self.0.transport(transport))
            }

            /// Wraps the connection pool, or the [`transport`](Self::transport), in a service of tower. The last one
            /// is the outermost.
            pub fn wrap_transport<T, F>(self, wrap: F) -> Self
            where
                T: client::IntoTransport,
                F: FnOnce(client::Transport) -> T + Send + Sync + 'static,
            {
                Self(self.0.wrap_transport(wrap))
            }

            /// Makes the client.
            pub fn build(self) -> Result<Client, client::BuildError> {
                self.0.build().map(Client)
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use crate::lower::{TAKEN_BY_BUILDER, TAKEN_BY_CLIENT};
    use crate::{Generator, Source};
    use syn::{ImplItem, Item, Type};

    /// Every function that the file can have, and webhooks for the other start.
    const DESCRIPTION: &str = "{openapi: 3.1.0, info: {title: a, version: '1'}, servers: [{url: /a}, {url: /b}],
paths: {/a: {servers: [{url: /c}], get: {tags: [a], responses: {'204': {description: a}}}}},
webhooks: {b: {post: {tags: [b], responses: {'204': {description: b}}}}}}";

    #[test]
    fn tags_and_schemes_avoid_the_functions_of_the_file() {
        let generated = Generator::new().generate(&Source::text(DESCRIPTION)).expect("it is valid");
        let files = generated.client.files.iter().chain(&generated.server.files);
        let files: Vec<_> = files.filter(|file| file.path.ends_with("client.rs")).collect();
        assert_eq!(files.len(), 2, "of paths, and of webhooks");
        // It is derived.
        let mut of_client = BTreeSet::from(["clone".to_owned()]);
        let mut of_builder = BTreeSet::new();
        for file in files {
            for item in syn::parse_file(&file.text).expect("it is Rust").items {
                let Item::Impl(item) = item else { continue };
                let Type::Path(ty) = *item.self_ty else { continue };
                let names = item.items.iter().filter_map(|item| match item {
                    ImplItem::Fn(function) => Some(function.sig.ident.to_string()),
                    _ => None,
                });
                if ty.path.is_ident("Client") {
                    of_client.extend(names);
                } else if ty.path.is_ident("ClientBuilder") {
                    of_builder.extend(names);
                }
            }
        }
        assert_eq!(of_client.iter().map(String::as_str).collect::<Vec<_>>(), TAKEN_BY_CLIENT);
        assert_eq!(of_builder.iter().map(String::as_str).collect::<Vec<_>>(), TAKEN_BY_BUILDER);
    }
}
