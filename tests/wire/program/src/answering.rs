//! The service's side: notes what has arrived, and answers with random values.

use proc_macro2::TokenStream;
use quote::quote;
use specwright::ir::{Api, Content, ContentKind, Failure, Operation, Part, Response, Responses, Success, Tag};
use specwright::{Side, wire};

use super::{answers, content, declared, ident, is_head, key, parts};

/// The method of the tag's trait.
pub(super) fn method(api: &Api, tag: &Tag, operation: &Operation) -> TokenStream {
    let module = ident(&tag.module);
    let name = ident(&operation.method_rust);
    let request = ident(&operation.name.rust);
    let principal = if operation.security.optional && !operation.security.alternatives.is_empty() {
        quote!(Option<()>)
    } else {
        quote!(())
    };
    let success = wire::success_type(api, operation);
    let success = match &operation.responses.success {
        Success::Struct { .. } | Success::Enum { .. } => quote!(server_crate::#module::#success),
        Success::Body(response) if is_of_module(response) => quote!(server_crate::#module::#success),
        Success::Body(_) | Success::Nothing(_) => success,
    };
    let parameters = operation.parameters.iter().map(|parameter| {
        let (place, field) = (content::parameter(parameter), ident(&parameter.name.rust));
        if let Some(default) = parameter.default.as_ref().filter(|_| parameter.filled) {
            let default = wire::default_literal(api, &parameter.value.ty, default);
            quote!(self.stage.received_or_filled(#place, &request.#field, request.#field == #default);)
        } else if parameter.required && !parameter.value.nullable {
            quote!(self.stage.received(#place, &request.#field);)
        } else {
            quote! {
                if let Some(value) = &request.#field {
                    self.stage.received(#place, value);
                }
            }
        }
    });
    let body = operation.request_body.as_ref().map(|body| {
        let receive = match body.contents.as_slice() {
            [content] => received(tag, content),
            contents => {
                let name = ident(&body.rust);
                let arms = contents.iter().map(|content| {
                    let variant = ident(&content.variant);
                    let received = received(tag, content);
                    quote!(server_crate::#module::#name::#variant(body) => { #received })
                });
                quote!(match body { #(#arms)* })
            }
        };
        if body.required {
            quote! {
                let body = request.body;
                #receive
            }
        } else {
            quote! {
                if let Some(body) = request.body {
                    #receive
                }
            }
        }
    });
    let arms = answers(operation).into_iter().enumerate().map(|(index, (response, content))| {
        let (index, answer) = (wire::number(index), answer(api, tag, operation, response, content));
        quote!(#index => { #answer })
    });
    let id = &operation.name.wire;
    let request_name =
        if operation.parameters.is_empty() && operation.request_body.is_none() { quote!(_) } else { quote!(request) };
    quote! {
        async fn #name(
            &self,
            _: server_crate::runtime::server::Call<#principal>,
            #request_name: server_crate::#module::#request,
        ) -> Result<#success, server_crate::runtime::server::Failure<server_crate::#module::#request>> {
            self.stage.arrived(#id);
            #(#parameters)*
            #body
            match self.stage.choice() {
                #(#arms)*
                _ => Err(server_crate::runtime::server::Failure::not_implemented(#id).into()),
            }
        }
    }
}

/// Whether the type of the body stands in the module of the tag.
fn is_of_module(response: &Response) -> bool {
    match response.contents.as_slice() {
        [content] => matches!(content.kind, ContentKind::Multipart(_)),
        contents => contents.len() > 1,
    }
}

/// Notes the content `body`.
fn received(tag: &Tag, content: &Content) -> TokenStream {
    let place = content::body(content);
    match &content.kind {
        ContentKind::Json(_) | ContentKind::Xml(_) | ContentKind::Form(_) | ContentKind::Text(_) => {
            quote!(self.stage.received(#place, &body);)
        }
        ContentKind::Events(_) | ContentKind::JsonLines(_) => {
            let item = content::item(content);
            quote! {
                let mut items = body;
                while let Some(item) = items.next().await? {
                    self.stage.received(#place, #item);
                }
            }
        }
        ContentKind::Bytes => quote!(self.stage.received_bytes(#place, &body.bytes().await?);),
        ContentKind::Multipart(multipart) => {
            let place = |part: &Part| content::part(content, part);
            parts::noted(Side::Server, tag, multipart, &quote!(body), &TokenStream::new(), place)
        }
    }
}

/// Answers with one of the responses in one of its forms.
fn answer(api: &Api, tag: &Tag, operation: &Operation, response: &Response, content: Option<&Content>) -> TokenStream {
    let module = ident(&tag.module);
    let Responses { success, failure } = &operation.responses;
    let is_failure = failure.responses().iter().any(|failure| std::ptr::eq(failure, response));
    let body = content.map(|content| body(tag, operation, response, content));
    let key = key(response.status);
    let known = declared(operation);
    let status = quote!(let status = self.stage.status(#key, #known, #is_failure););
    if let Some(value) = failure.shared().filter(|_| is_failure) {
        let ty = wire::value_type(api, value);
        let media_type = content.and_then(|content| content.media_types.first()).map_or("", String::as_str);
        return quote! {
            #status
            let body: #ty = #body;
            let status = server_crate::runtime::server::status(status);
            let reply = server_crate::runtime::server::Reply::of(#media_type);
            Err(server_crate::runtime::server::Failure::answer(reply.json(status, &body)))
        };
    }
    let rust = match (success, failure) {
        (_, Failure::Enum { rust, .. }) if is_failure => rust,
        (Success::Nothing(_), _) => {
            return quote! {
                self.stage.status_of_only(#key);
                Ok(())
            };
        }
        (Success::Body(_), _) => {
            return quote! {
                self.stage.status_of_only(#key);
                Ok(#body)
            };
        }
        (Success::Struct { rust, .. }, _) => {
            let name = ident(rust);
            let headers = headers(response);
            let body = body.map(|body| quote!(body: #body));
            if wire::has_status(response) {
                return quote! {
                    #status
                    let status = server_crate::runtime::server::status(status);
                    Ok(server_crate::#module::#name { status, #headers #body })
                };
            }
            return quote! {
                self.stage.status_of_only(#key);
                Ok(server_crate::#module::#name { #headers #body })
            };
        }
        (Success::Enum { rust, .. }, _) => rust,
    };
    let (name, variant) = (ident(rust), ident(&response.rust));
    let value = if wire::has_fields(response) {
        let headers = headers(response);
        let body = body.map(|body| quote!(body: #body));
        let status = wire::has_status(response).then(|| quote!(status: server_crate::runtime::server::status(status),));
        quote!(server_crate::#module::#name::#variant { #status #headers #body })
    } else if let Some(body) = body {
        quote!(server_crate::#module::#name::#variant(#body))
    } else {
        quote!(server_crate::#module::#name::#variant)
    };
    let status =
        if wire::has_status(response) { status } else { quote!(self.stage.status(#key, #known, #is_failure);) };
    if is_failure {
        quote! {
            #status
            Err(#value.into())
        }
    } else {
        quote! {
            #status
            Ok(#value)
        }
    }
}

fn headers(response: &Response) -> TokenStream {
    let headers = response.headers.iter().map(|header| {
        let (field, place) = (ident(&header.name.rust), content::header(response, header));
        if header.required {
            quote!(#field: answer(&self.stage, #place)?,)
        } else {
            quote!(#field: answer_if(&self.stage, #place)?,)
        }
    });
    quote!(#(#headers)*)
}

fn body(tag: &Tag, operation: &Operation, response: &Response, content: &Content) -> TokenStream {
    let place = content::answer(response, content);
    let seen = !is_head(operation);
    let one = match &content.kind {
        ContentKind::Json(_) | ContentKind::Xml(_) | ContentKind::Form(_) => quote!(answer(&self.stage, #place)?),
        ContentKind::Text(_) => quote!(self.stage.answers_text(#place)?),
        ContentKind::JsonLines(_) => items(&quote!(answer(&self.stage, #place)?)),
        ContentKind::Events(Some(_)) => {
            items(&quote!(server_crate::runtime::stream::Event::new(answer(&self.stage, #place)?)))
        }
        ContentKind::Events(None) => {
            let data = quote!(format!("{:?}", self.stage.answers_bytes(#place, #seen)));
            items(&quote!(server_crate::runtime::stream::Event::new(#data)))
        }
        ContentKind::Multipart(multipart) => {
            let rust = match response.contents.as_slice() {
                [_] => response.body_rust.clone(),
                _ => wire::variant_rust(content, &response.body_rust),
            };
            let place = |part: &Part| content::answer_part(response, content, part);
            parts::filled(Side::Server, tag, multipart, &rust, place)
        }
        ContentKind::Bytes => {
            quote!(server_crate::runtime::server::Download::bytes(self.stage.answers_bytes(#place, #seen)))
        }
    };
    if response.contents.len() < 2 {
        return one;
    }
    let (module, name) = (ident(&tag.module), ident(&response.body_rust));
    let variant = ident(&content.variant);
    quote!(server_crate::#module::#name::#variant(#one))
}

/// A stream of one item.
fn items(item: &TokenStream) -> TokenStream {
    quote! {{
        let (sender, receiver) = tokio::sync::mpsc::channel(1);
        let _ = sender.try_send(Ok(#item));
        server_crate::runtime::server_stream::ItemStream::from(receiver)
    }}
}
