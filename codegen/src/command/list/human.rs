//! Operations as a table.

use specwright::ir::{Api, Operation, Status};

/// A line for each operation, grouped by tag; webhooks and callbacks at the end.
pub(super) fn table(api: &Api) -> String {
    let mut text = String::new();
    let sections = [("", &api.tags), ("webhooks: ", &api.webhooks)];
    for (section, tag) in sections.into_iter().flat_map(|(section, tags)| tags.iter().map(move |tag| (section, tag))) {
        let rows: Vec<_> = tag.operations.iter().map(|operation| row(api, operation)).collect();
        text.extend([section, tag.name.wire.as_str(), "\n"]);
        for row in &rows {
            let mut line = String::from("  ");
            for (column, cell) in row.iter().enumerate() {
                let width = rows.iter().map(|row| row[column].chars().count()).max().unwrap_or_default();
                line.push_str(cell);
                line.extend(std::iter::repeat_n(' ', width - cell.chars().count() + 2));
            }
            text.push_str(line.trim_end());
            text.push('\n');
        }
        text.push('\n');
    }
    let operations = counted(api.operations().count(), "operation");
    match api.operations_and_webhooks().count() - api.operations().count() {
        0 => text + &format!("{operations}\n"),
        webhooks => text + &format!("{operations}, {}\n", counted(webhooks, "webhook")),
    }
}

fn counted(count: usize, word: &str) -> String {
    format!("{count} {word}{}", if count == 1 { "" } else { "s" })
}

/// The columns: method, path, operationId, parameters (`*` marks required ones), body, credentials.
fn row(api: &Api, operation: &Operation) -> [String; 6] {
    let parameters = operation.parameters.iter().map(|parameter| {
        let mark = if parameter.required { "*" } else { "" };
        format!("{}:{}{mark}", parameter.location.word(), parameter.name.wire)
    });
    let body = operation.request_body.iter().flat_map(|body| &body.contents);
    let body: Vec<_> = body.filter_map(|content| content.media_types.first().cloned()).collect();
    let mut credentials = security(api, operation).iter().map(|schemes| schemes.join("+")).collect::<Vec<_>>();
    if operation.security.optional && !credentials.is_empty() {
        credentials.push("none".to_owned());
    }
    [
        operation.method.as_str().to_owned(),
        operation.path.clone(),
        operation.name.wire.clone(),
        parameters.collect::<Vec<_>>().join(" "),
        body.join(" | "),
        credentials.join(" | "),
    ]
}

/// The alternative sets of schemes.
pub(super) fn security<'api>(api: &'api Api, operation: &Operation) -> Vec<Vec<&'api str>> {
    let schemes = |index: usize| {
        let schemes = api.credentials[index].schemes.iter();
        schemes.map(|scheme| api.security_schemes[*scheme].name.wire.as_str()).collect()
    };
    operation.security.sets().into_iter().map(schemes).collect()
}

/// A key of `responses`.
pub(super) fn status(status: Status) -> String {
    match status {
        Status::Code(code) => code.to_string(),
        Status::Range(first) => format!("{first}XX"),
        Status::Default => "default".to_owned(),
    }
}
