//! The caller's side: sends random values, and notes what comes back.

use proc_macro2::TokenStream;
use quote::quote;
use specwright::ir::{Content, ContentKind, Failure, Operation, Part, RequestBody, Response, Success, Tag};
use specwright::{Side, wire};

use super::{content, function, ident, key, parts};

/// The function that calls the operation once.
pub(super) fn call(tag: &Tag, operation: &Operation) -> TokenStream {
    let (function, module) = (function(operation), ident(&tag.module));
    let method = ident(&operation.method_rust);
    let entry = wire::entry_method(tag);
    let name = ident(&operation.name.rust);
    let parameters = operation.parameters.iter().map(|parameter| {
        let (place, field) = (content::parameter(parameter), ident(&parameter.name.rust));
        if parameter.required && !parameter.value.nullable {
            quote!(#field: sent(&stage, #place)?,)
        } else {
            quote!(#field: sent_if(&stage, #place, || sent(&stage, #place))?,)
        }
    });
    let body = operation.request_body.as_ref().map(|body| request_body(tag, body));
    let call = quote!(client.#entry().#method(client_crate::#module::#name { #(#parameters)* #body }));
    let success = success(tag, operation);
    let failure = failure(tag, operation);
    quote! {
        pub(crate) async fn #function(
            client: client_crate::Client,
            stage: wire::Stage,
        ) -> Result<(), wire::Failed> {
            let call = #call;
            match call.await {
                Ok(value) => { #success }
                #failure
                Err(error) => return Err(stage.unanswered(&error, error.status(), error.bytes())),
            }
            Ok(())
        }
    }
}

fn request_body(tag: &Tag, body: &RequestBody) -> TokenStream {
    let module = ident(&tag.module);
    let value = match body.contents.as_slice() {
        [content] => one(tag, content, &body.rust),
        contents => {
            let name = ident(&body.rust);
            let count = wire::number(contents.len());
            let last = contents.len() - 1;
            let arms = contents.iter().enumerate().map(|(index, content)| {
                let variant = ident(&content.variant);
                let value = one(tag, content, &wire::variant_rust(content, &body.rust));
                let pattern = if index == last { quote!(_) } else { wire::number(index) };
                quote!(#pattern => client_crate::#module::#name::#variant(#value),)
            });
            quote!(match stage.pick(#count) { #(#arms)* })
        }
    };
    if body.required {
        quote!(body: #value,)
    } else {
        quote!(body: if stage.leaves_out_body() { None } else { Some(#value) },)
    }
}

fn one(tag: &Tag, content: &Content, rust: &str) -> TokenStream {
    let place = content::body(content);
    match &content.kind {
        ContentKind::Json(_) | ContentKind::Xml(_) | ContentKind::Form(_) => quote!(sent(&stage, #place)?),
        ContentKind::Text(_) => quote!(stage.sends_text(#place)?),
        ContentKind::JsonLines(_) => quote!(vec![sent(&stage, #place)?].into()),
        ContentKind::Events(Some(_)) => quote!(vec![client_crate::Event::new(sent(&stage, #place)?)].into()),
        ContentKind::Events(None) => {
            quote!(vec![client_crate::Event::new(format!("{:?}", stage.sends_bytes(#place)))].into())
        }
        ContentKind::Bytes => quote!(client_crate::Body::bytes(stage.sends_bytes(#place))),
        ContentKind::Multipart(multipart) => {
            parts::filled(Side::Client, tag, multipart, rust, |part| content::part(content, part))
        }
    }
}

/// Notes `value`.
fn success(tag: &Tag, operation: &Operation) -> TokenStream {
    let module = ident(&tag.module);
    match &operation.responses.success {
        Success::Nothing(response) => {
            let key = key(response.status);
            quote! {
                let () = value;
                stage.seen_status(#key);
            }
        }
        Success::Body(response) => {
            let (key, seen) = (key(response.status), seen_body(tag, response, &quote!(value)));
            quote! {
                stage.seen_status(#key);
                #seen
            }
        }
        Success::Struct { rust, response } => {
            let name = ident(rust);
            let (status, fields, seen) = (seen_status(response), fields(response), seen(tag, response));
            quote! {
                let client_crate::#module::#name { #fields } = value;
                stage.seen_status(#status);
                #seen
            }
        }
        Success::Enum { rust, responses } => {
            let arms = responses.iter().map(|response| arm(tag, rust, response));
            quote!(match value { #(#arms)* })
        }
    }
}

fn failure(tag: &Tag, operation: &Operation) -> Option<TokenStream> {
    match &operation.responses.failure {
        Failure::Undocumented => None,
        Failure::Shared { responses } => {
            let response = responses.first()?;
            let place = content::answer(response, response.contents.first()?);
            Some(quote! {
                Err(client_crate::Error::Api(failure)) => {
                    stage.seen_status(failure.status().as_str());
                    stage.seen(#place, &failure.body);
                }
            })
        }
        Failure::Enum { rust, responses } => {
            let arms = responses.iter().map(|response| arm(tag, rust, response));
            Some(quote! {
                Err(client_crate::Error::Api(failure)) => match failure.body { #(#arms)* },
            })
        }
    }
}

fn arm(tag: &Tag, rust: &str, response: &Response) -> TokenStream {
    let module = ident(&tag.module);
    let (name, variant) = (ident(rust), ident(&response.rust));
    let key = key(response.status);
    if wire::has_fields(response) {
        let (fields, seen) = (fields(response), seen(tag, response));
        let status = seen_status(response);
        return quote! {
            client_crate::#module::#name::#variant { #fields } => {
                stage.seen_status(#status);
                #seen
            }
        };
    }
    if response.contents.is_empty() {
        return quote!(client_crate::#module::#name::#variant => stage.seen_status(#key),);
    }
    let seen = seen_body(tag, response, &quote!(body));
    quote! {
        client_crate::#module::#name::#variant(body) => {
            stage.seen_status(#key);
            #seen
        }
    }
}

/// The status of a response with fields.
fn seen_status(response: &Response) -> TokenStream {
    let key = key(response.status);
    if wire::has_status(response) { quote!(status.as_str()) } else { quote!(#key) }
}

/// The fields of the variant of a response.
fn fields(response: &Response) -> TokenStream {
    let status = wire::has_status(response).then(|| quote!(status,));
    let headers = response.headers.iter().map(|header| ident(&header.name.rust));
    let body = (!response.contents.is_empty()).then(|| quote!(body));
    quote!(#status #(#headers,)* #body)
}

fn seen(tag: &Tag, response: &Response) -> TokenStream {
    let headers = response.headers.iter().map(|header| {
        let (field, place) = (ident(&header.name.rust), content::header(response, header));
        if header.required {
            quote! {
                stage.seen(#place, #field.as_ref().map_err(|error| stage.unread(#place, "client", b"", error))?);
            }
        } else {
            quote! {
                if let Some(value) = #field {
                    stage.seen(#place, &value);
                }
            }
        }
    });
    let body = (!response.contents.is_empty()).then(|| seen_body(tag, response, &quote!(body)));
    quote!(#(#headers)* #body)
}

fn seen_body(tag: &Tag, response: &Response, value: &TokenStream) -> TokenStream {
    let one = |content: &Content, value: &TokenStream| {
        let place = content::answer(response, content);
        match &content.kind {
            ContentKind::Json(_) | ContentKind::Xml(_) | ContentKind::Form(_) | ContentKind::Text(_) => {
                quote!(stage.seen(#place, &#value);)
            }
            ContentKind::Events(_) | ContentKind::JsonLines(_) => {
                let item = content::item(content);
                quote! {
                    let mut items = #value;
                    while let Some(item) = items.next().await.map_err(|error| stage.broken_off(&error))? {
                        stage.seen(#place, #item);
                    }
                }
            }
            ContentKind::Multipart(multipart) => {
                let failed = quote!(.map_err(|error| stage.broken_off(&error)));
                let place = |part: &Part| content::answer_part(response, content, part);
                parts::noted(Side::Client, tag, multipart, value, &failed, place)
            }
            ContentKind::Bytes => {
                quote!(stage.seen_bytes(#place, &#value.bytes().await.map_err(|error| stage.broken_off(&error))?);)
            }
        }
    };
    if let [content] = response.contents.as_slice() {
        return one(content, value);
    }
    let (module, name) = (ident(&tag.module), ident(&response.body_rust));
    let arms = response.contents.iter().map(|content| {
        let variant = ident(&content.variant);
        let seen = one(content, &quote!(content));
        quote!(client_crate::#module::#name::#variant(content) => { #seen })
    });
    quote!(match #value { #(#arms)* })
}
