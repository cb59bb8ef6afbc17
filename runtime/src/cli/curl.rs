//! A request as a line of curl, with credentials as variables of the shell.

use std::io::{self, Write};

use super::failure::Failure;
use super::{Command, Program};
use crate::arguments::{Body, BodyKind, PartKind};
use crate::client::{Operation, Outline, Request, Scheme, SchemeKind};
use crate::json::Value;

/// Prints the line. `sources` are the files, with the places of the values that they stand for.
pub(super) fn print(
    program: &Program,
    command: &Command,
    request: Request,
    values: &Value,
    sources: &[(String, String)],
) -> Result<(), Failure> {
    let Outline { operation, url, headers, body } =
        request.outline().map_err(|problem| Failure::usage(problem.to_string()))?;
    let mut url = quoted(url.as_str());
    let mut options = Vec::new();
    let described = command.arguments.body.as_ref().filter(|_| body.is_some());
    let is_multipart = described.is_some_and(|body| matches!(body.kind, BodyKind::Multipart(_)));
    for (name, value) in &headers {
        // curl chooses the boundary of the parts.
        if !(is_multipart && *name == http::header::CONTENT_TYPE) {
            options.push(format!("-H {}", quoted(&format!("{name}: {}", String::from_utf8_lossy(value.as_bytes())))));
        }
    }
    for (scheme, variable) in credentials(program, operation) {
        match scheme.kind {
            SchemeKind::Basic => options.push(format!("-u \"${variable}\"")),
            SchemeKind::Bearer => options.push(format!("-H \"Authorization: Bearer ${variable}\"")),
            SchemeKind::ApiKeyHeader(name) => options.push(format!("-H \"{name}: ${variable}\"")),
            SchemeKind::ApiKeyCookie(name) => options.push(format!("-b \"{name}=${variable}\"")),
            SchemeKind::ApiKeyQuery(name) => {
                let separator = if url.contains('?') { '&' } else { '?' };
                url = format!("{url}\"{separator}{name}=${variable}\"");
            }
            SchemeKind::Other => {}
        }
    }
    match (described, body) {
        (Some(Body { argument, kind: BodyKind::Multipart(_), .. }), _) => {
            options.extend(parts(command, values.get(argument).unwrap_or(&Value::Null), sources));
        }
        (Some(body), Some(text)) => {
            let file = sources.iter().find(|(place, _)| place == body.argument).map(|(_, source)| source);
            let data = file.map_or_else(
                || format!("--data-raw {}", quoted(&text)),
                |file| format!("--data-binary {}", quoted(file)),
            );
            options.push(data);
        }
        _ => {}
    }
    let method = if operation.method == "GET" { String::new() } else { format!("-X {} ", operation.method) };
    let line = [vec![format!("curl {method}{url}")], options].concat().join(" \\\n  ");
    Ok(writeln!(io::stdout(), "{line}")?)
}

/// The schemes of the first alternative, with the variables of their credentials.
fn credentials(program: &Program, operation: &Operation) -> Vec<(&'static Scheme, String)> {
    let first = operation.security.alternatives.first().copied().unwrap_or_default();
    let variable = |scheme: &&'static Scheme| {
        let credential = program.credentials.iter().find(|credential| credential.scheme == *scheme)?;
        Some((*scheme, program.variable(credential.variable)))
    };
    first.iter().filter_map(variable).collect()
}

/// The parts of a multipart body.
fn parts(command: &Command, values: &Value, sources: &[(String, String)]) -> Vec<String> {
    let Some(Body { argument, kind: BodyKind::Multipart(parts), .. }) = command.arguments.body else {
        return Vec::new();
    };
    let mut options = Vec::new();
    for part in parts {
        let Some(value) = values.get(part.name) else { continue };
        let place = format!("{argument}.{}", part.name);
        let files: Vec<_> = sources.iter().filter(|(of, _)| *of == place).map(|(_, source)| source).collect();
        let media_type = part.content_type.map(|media_type| format!(";type={media_type}")).unwrap_or_default();
        if !files.is_empty() {
            let file = |file: &&String| format!("-F {}", quoted(&format!("{}={file}{media_type}", part.name)));
            options.extend(files.iter().map(file));
            continue;
        }
        let values = if part.repeated { value.as_array().unwrap_or_default() } else { std::slice::from_ref(value) };
        for value in values {
            let text = match (part.kind, value) {
                (PartKind::File, value) => value.get("text").and_then(Value::as_str).unwrap_or_default().to_owned(),
                (_, Value::String(text)) if part.kind == PartKind::Text => text.clone(),
                (_, value) => value.to_string(),
            };
            options.push(format!("--form-string {}", quoted(&format!("{}={text}", part.name))));
        }
    }
    options
}

/// The text as one word of a shell.
fn quoted(text: &str) -> String {
    format!("'{}'", text.replace('\'', "'\\''"))
}
