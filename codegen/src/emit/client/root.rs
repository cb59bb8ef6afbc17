//! `client.rs`: the client of this description, over that of the runtime.

use crate::emit::doc;
use proc_macro2::TokenStream;
use quote::quote;

/// The file.
pub(super) fn root() -> TokenStream {
    let about = doc::own_inner("The client, and its settings.");
    let builder = builder();
    quote! {
        #about

        use std::time::Duration;

        /// A connection pool with the settings of one server. Cloning is cheap, and all clones share the pool.
        #[derive(Clone, Debug)]
        pub struct Client(client::Client);

        impl Client {
            /// Begins a client of the server at `base_url`; a path in it goes before the paths of all operations but
            /// those for which the description names another server: `/v2` is found on the same host, and one on
            /// another host is left aside unless [`described_servers`](ClientBuilder::described_servers) is asked for.
            pub fn builder(base_url: &str) -> Result<ClientBuilder, client::BuildError> {
                client::Client::builder(base_url).map(ClientBuilder::of)
            }

            /// Begins a client that has no server: each of its calls is told where to go.
            pub fn sender() -> ClientBuilder {
                ClientBuilder::of(client::Client::sender())
            }
        }

        /// What sends its requests.
        impl AsRef<client::Client> for Client {
            fn as_ref(&self) -> &client::Client {
                &self.0
            }
        }

        #builder
    }
}

fn builder() -> TokenStream {
    quote! {
        /// What the client of [`Client::builder`] will be like.
        #[derive(Debug)]
        #[must_use = "a client is made by `build`"]
        pub struct ClientBuilder(client::ClientBuilder);

        impl ClientBuilder {
            fn of(settings: client::ClientBuilder) -> Self {
                Self(settings.agent(concat!(env!("CARGO_PKG_NAME"), "/", env!("CARGO_PKG_VERSION"))))
            }

            /// The credential of a scheme.
            pub fn credential(self, scheme: &'static client::Scheme, credential: client::Credential) -> Self {
                Self(self.0.credential(scheme, credential))
            }

            /// Where the credentials of all schemes come from that have none of their own.
            pub fn credential_provider(self, provider: impl client::CredentialProvider) -> Self {
                Self(self.0.credential_provider(provider))
            }

            /// Sends operations for which the description names another server there, and their credentials with
            /// them. Without it, the base URL is the server of all.
            pub fn described_servers(self) -> Self {
                Self(self.0.described_servers())
            }

            /// How long a call may take, repetitions included; a call may say otherwise. Without it, it takes as long
            /// as the connection is alive.
            pub fn timeout(self, timeout: Duration) -> Self {
                Self(self.0.timeout(timeout))
            }

            /// When calls are sent again; a call may say otherwise.
            pub fn retry(self, retry: client::Retry) -> Self {
                Self(self.0.retry(retry))
            }

            /// A header of every request; a call may say otherwise.
            pub fn header(self, name: &str, value: &str) -> Self {
                Self(self.0.header(name, value))
            }

            /// What the client calls itself, instead of this crate's name and version.
            pub fn user_agent(self, user_agent: &str) -> Self {
                Self(self.0.user_agent(user_agent))
            }

            /// The longest body of an answer that is read into memory, in bytes. A [`Download`](client::Download) has
            /// no limit as long as it is read chunk by chunk.
            pub fn response_limit(self, bytes: u64) -> Self {
                Self(self.0.response_limit(bytes))
            }

            /// A connection pool of one's own: with a proxy, certificates, other timeouts, or other redirections. The
            /// pool of a client without one follows redirections that are no answer by the description, but not to
            /// another server when a key may stand in a header, which is so with an API key, a provider, or a
            /// [`header`](Self::header): only `Authorization` and cookies are known to be secrets on the way.
            pub fn http_client(self, http: reqwest::Client) -> Self {
                Self(self.0.http_client(http))
            }

            /// A service of tower that all requests are sent by, repetitions too, in the place of the connection pool:
            /// the router of a server in memory, or what a test answers. It follows no redirections.
            pub fn transport(self, transport: impl client::IntoTransport) -> Self {
                Self(self.0.transport(transport))
            }

            /// A service of tower around what the requests are sent by: around the connection pool, unless there is a
            /// [`transport`](Self::transport). The last one that was asked for is the outermost.
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
