//! Writes a program that sends random values through the client into the server and back, to prove that the two agree.

mod answering;
mod asking;
mod content;
mod parts;

use proc_macro2::{Ident, TokenStream};
use quote::{format_ident, quote};
use specwright::ir::{Api, Content, CredentialKind, Method, ModelKind, Operation, Response, Status, Tag};
use specwright::{Diagnostics, File, Generator, Side, Source, wire};

/// A program that proves that what the client sends is what the server receives, and the other way round.
#[derive(Clone, Debug)]
pub struct Proof {
    /// The server crate, whose models can be read and written both ways, with its `Cargo.toml`.
    pub server: Vec<File>,
    /// The client crate, likewise.
    pub client: Vec<File>,
    /// The program below `src`, which depends on both and on the crate `wire` of this repository.
    pub program: Vec<File>,
}

/// Writes the proof of a description.
pub fn proof(generator: &Generator, source: &Source<'_>) -> Result<Proof, Diagnostics> {
    let mut api = generator.read(source)?.api().clone();
    go_both_ways(&mut api);
    let [server, client] = wire::crates(generator, &api);
    Ok(Proof { server, client, program: program(generator, &api) })
}

/// Lets both sides read and write every member of every model: values are made by reading them. A member with a single
/// value is not made; in a closed object it has to be read nevertheless.
fn go_both_ways(api: &mut Api) {
    for model in &mut api.contents.models {
        model.in_request = true;
        model.in_response = true;
        if let ModelKind::Struct(struct_) = &mut model.kind {
            let closed = struct_.closed;
            for field in struct_.fields.iter_mut().filter(|field| closed || field.constant.is_none()) {
                field.read_only = false;
                field.write_only = false;
            }
        }
    }
}

fn program(generator: &Generator, api: &Api) -> Vec<File> {
    let marker = wire::marker(generator);
    let file = |path: String, text: &str| File { path, text: format!("// {marker}\n\n{text}") };
    let [server_crate, client_crate] = [Side::Server, Side::Client].map(|side| wire::crate_name(generator, side));
    let root = wire::code(main(api, &server_crate, &client_crate));
    let mut files =
        vec![file("src/main.rs".to_owned(), &root), file("src/support.rs".to_owned(), include_str!("../support.rs"))];
    let tags = api.tags.iter();
    files.extend(tags.map(|found| file(format!("src/tag/{}.rs", found.module), &wire::code(tag(api, found)))));
    files
}

/// The names by which the files of tags know the two crates, and the server's modules that types are from.
fn main(api: &Api, server_crate: &str, client_crate: &str) -> TokenStream {
    let about = wire::file_doc("Sends random values through the client into the server and back.");
    let (server_crate, client_crate) = (ident(server_crate), ident(client_crate));
    let tags: Vec<_> = api.tags.iter().map(|tag| ident(&tag.module)).collect();
    let models = (!api.models.is_empty()).then(|| quote!(use #server_crate::models;));
    let operations = api.tags.iter().flat_map(|tag| tag.operations.iter().map(|operation| listed(tag, operation)));
    let credentials = wire::security_schemes(api).into_iter().map(|scheme| {
        let method = wire::credential_method(scheme);
        match &scheme.kind {
            CredentialKind::Basic => quote!(.#method("user", "password")),
            CredentialKind::Bearer => quote!(.#method("token")),
            CredentialKind::ApiKeyHeader(_) | CredentialKind::ApiKeyQuery(_) | CredentialKind::ApiKeyCookie(_) => {
                quote!(.#method("key"))
            }
            CredentialKind::Other => TokenStream::new(),
        }
    });
    let is_secured = wire::is_secured(api);
    let authenticator = is_secured.then(|| {
        quote! {
            impl server_crate::security::Authenticator for Service {
                type Principal = ();

                async fn authenticate(
                    &self,
                    _: server_crate::security::Credentials,
                    _: &'static [&'static str],
                    _: server_crate::runtime::server::Call<()>,
                ) -> Result<(), server_crate::runtime::server::Failure> {
                    Ok(())
                }
            }
        }
    });
    let second = is_secured.then(|| quote!(service.clone(),));
    quote! {
        #about

        #![allow(deprecated, reason = "what the description deprecates is called too")]

        use #client_crate as client_crate;
        use #server_crate as server_crate;
        #models
        use #server_crate::runtime;

        mod support;
        mod tag {
            #(pub(crate) mod #tags;)*
        }

        /// Answers with random values.
        #[derive(Clone)]
        pub(crate) struct Service {
            stage: wire::Stage,
        }

        #authenticator

        #[tokio::main]
        async fn main() -> std::process::ExitCode {
            let stage = wire::Stage::default();
            let service = Service { stage: stage.clone() };
            let options = server_crate::runtime::server::Options::default();
            let router = server_crate::router(service.clone(), #second &options);
            let client = |address: &str| {
                let builder = client_crate::Client::builder(address)?
                    .http_client(wire::http())
                    .retry(client_crate::Retry::never())
                    #(#credentials)*;
                builder.build()
            };
            wire::run(stage, router, client, operations()).await
        }

        fn operations() -> Vec<wire::Operation<client_crate::Client>> {
            vec![#(#operations),*]
        }
    }
}

/// What the crate `wire` has to know of an operation.
fn listed(tag: &Tag, operation: &Operation) -> TokenStream {
    let module = ident(&tag.module);
    let name = function(operation);
    let id = &operation.name.wire;
    // As the description has it, where it is found there by its path.
    let place = wire::pointer_tokens(operation.location.pointer());
    let path = match &place[..] {
        [paths, path, _] if paths == "paths" => path,
        _ => &operation.path,
    };
    let method = operation.method.as_str();
    let answers = answers(operation).into_iter().map(|(response, content)| {
        let key = key(response.status);
        let media_type = content.and_then(|content| content.media_types.first()).map_or("", String::as_str);
        quote!((#key, #media_type))
    });
    quote! {
        wire::Operation {
            id: #id,
            method: #method,
            path: #path,
            answers: &[#(#answers),*],
            call: |client, stage| Box::pin(tag::#module::#name(client, stage)),
        }
    }
}

/// The service's side and the caller's side of a tag's operations.
fn tag(api: &Api, tag: &Tag) -> TokenStream {
    let about = wire::file_doc(&wire::about(tag));
    let module = ident(&tag.module);
    let name = ident(&tag.name.rust);
    let principal = tag.operations.iter().any(|operation| !operation.security.alternatives.is_empty()).then(|| {
        quote!(
            type Principal = ();
        )
    });
    let methods = tag.operations.iter().map(|operation| answering::method(api, tag, operation));
    let calls = tag.operations.iter().map(|operation| asking::call(tag, operation));
    quote! {
        #about

        use crate::support::{answer, answer_if, sent, sent_if};
        use crate::{client_crate, server_crate};

        impl server_crate::#module::#name for crate::Service {
            #principal

            #(#methods)*
        }

        #(#calls)*
    }
}

fn ident(rust: &str) -> Ident {
    wire::ident(rust)
}

/// The name of the function that calls an operation.
fn function(operation: &Operation) -> Ident {
    format_ident!("call_{}", operation.method_rust)
}

/// Every answer there can be: each response in each of its forms.
fn answers(operation: &Operation) -> Vec<(&Response, Option<&Content>)> {
    let mut answers = Vec::new();
    for response in operation.responses.all() {
        if response.contents.is_empty() {
            answers.push((response, None));
        }
        answers.extend(response.contents.iter().map(|content| (response, Some(content))));
    }
    answers
}

/// The key of `responses`.
fn key(status: Status) -> String {
    match status {
        Status::Code(code) => code.to_string(),
        Status::Range(hundred) => format!("{hundred}XX"),
        Status::Default => "default".to_owned(),
    }
}

/// The statuses that the description gives a meaning of their own.
fn declared(operation: &Operation) -> TokenStream {
    let keys = operation.responses.all().map(|response| key(response.status));
    quote!(&[#(#keys),*])
}

/// The answer to `HEAD` has no body.
fn is_head(operation: &Operation) -> bool {
    operation.method == Method::HEAD
}
