//! Settles the URLs of callbacks: members that only hold a union's tag have become constants, and fields have their final
//! names.

use super::draft::Drafts;
use crate::diagnostic::Code;
use crate::ir::{CallbackUrl, Constant, MemberPath, MemberStep, ModelKind, Operation, UrlPiece, Value, VariantMember};
use crate::lower::reporter::Reporter;

/// Keeps the URLs whose values have texts, and reports the others.
pub(crate) fn settle(reporter: &mut Reporter<'_>, api: &mut Drafts) {
    let mut all = Vec::new();
    for operation in api.operations_and_webhooks() {
        let mut urls = Vec::new();
        for url in &operation.callback_urls {
            let pieces: Option<Vec<_>> = url.pieces.iter().map(|piece| settled(api, operation, piece)).collect();
            match pieces {
                Some(pieces) if pieces.iter().any(UrlPiece::is_computed) => {
                    urls.push(CallbackUrl { pieces, ..url.clone() });
                }
                // The URL is fixed.
                Some(_) => {}
                None => {
                    let message = format!("the URL of the callback `{}` is not computed", url.callback);
                    reporter.report(Code::NotUsed, &url.location, message).label("it leads through a constant member");
                }
            }
        }
        all.push(urls);
    }
    let operations = api.tags.iter_mut().chain(&mut api.webhooks).flat_map(|tag| &mut tag.operations);
    for (operation, urls) in operations.zip(all) {
        operation.callback_urls = urls;
    }
}

/// The piece, or the text that it always is; `None` if it has none.
fn settled(api: &Drafts, operation: &Operation, piece: &UrlPiece) -> Option<UrlPiece> {
    match piece {
        UrlPiece::Text(_) | UrlPiece::Status => Some(piece.clone()),
        UrlPiece::Parameter(path) => {
            let [step] = path.steps.as_slice() else { return None };
            let found = operation.parameters.iter().find(|parameter| parameter.name.rust == step.name.rust)?;
            let ty = api.resolved(&found.value.ty).clone();
            Some(UrlPiece::Parameter(MemberPath { steps: vec![MemberStep::of_parameter(found)], ty }))
        }
        UrlPiece::RequestMember(path) => {
            let body = operation.request_body.as_ref()?;
            let [content] = body.contents.as_slice() else { return None };
            let value = content.kind.whole()?;
            let (_, path) = path.steps.split_first()?;
            Some(at(api, value, path, vec![MemberStep::of_body(body, value)])?.piece(UrlPiece::RequestMember))
        }
        UrlPiece::VariantMember(members) => {
            let contents = &operation.request_body.as_ref()?.contents;
            let members = members.iter().map(|VariantMember { content, path }| {
                let value = contents.get(*content)?.kind.whole()?;
                match at(api, value, &path.steps, Vec::new())? {
                    Member::Value(path) => Some(VariantMember { content: *content, path }),
                    Member::Constant(_) => None,
                }
            });
            Some(UrlPiece::VariantMember(members.collect::<Option<_>>()?))
        }
        UrlPiece::ResponseMember(path) => {
            Some(at(api, operation.responses.success.body()?, &path.steps, Vec::new())?.piece(UrlPiece::ResponseMember))
        }
    }
}

/// A member of a body.
enum Member {
    /// Its value is read.
    Value(MemberPath),
    /// It always has this text.
    Constant(String),
}

impl Member {
    fn piece(self, of_value: fn(MemberPath) -> UrlPiece) -> UrlPiece {
        match self {
            Self::Value(path) => of_value(path),
            Self::Constant(text) => UrlPiece::Text(text),
        }
    }
}

/// The member that the path leads to from a value, which `steps` lead to.
fn at<'a>(api: &'a Drafts, mut value: &'a Value, path: &[MemberStep], mut steps: Vec<MemberStep>) -> Option<Member> {
    for (index, MemberStep { name, .. }) in path.iter().enumerate() {
        let ModelKind::Struct(struct_) = api.kind(&value.ty)? else { return None };
        let field = struct_.fields.iter().find(|field| field.name.wire == name.wire)?;
        if let Some(constant) = &field.constant {
            let text = match constant {
                Constant::String(text) => text.clone(),
                Constant::Integer(number) => number.to_string(),
                Constant::Boolean(flag) => flag.to_string(),
            };
            return (index + 1 == path.len()).then_some(Member::Constant(text));
        }
        steps.push(MemberStep { name: field.name.clone(), presence: field.presence });
        value = &field.value;
    }
    Some(Member::Value(MemberPath { steps, ty: api.resolved(&value.ty).clone() }))
}
