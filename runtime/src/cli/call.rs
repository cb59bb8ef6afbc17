//! Sends the request of a command, and prints the response.

use std::path::Path;

use clap::ArgMatches;

use super::failure::Failure;
use super::output::{self, Format, Output};
use super::profile::Settings;
use super::{Command, Page, text};
use crate::arguments::answer::{self, Received, chain};
use crate::client::{Download, Error, Facts, Request, RequestProblem};

/// Sends a request, and follows the pages of a list if it is asked to.
pub(super) async fn call(
    command: &Command,
    request: Request,
    matches: &ArgMatches,
    settings: &Settings,
) -> Result<(), Failure> {
    let mut output = Output::new(matches);
    if let Some(page) = &command.page {
        let limit = matches.get_one::<u64>("limit").copied();
        if limit.is_some() || matches.get_flag("all") {
            return pages(request, page, limit.unwrap_or(u64::MAX), &mut output, settings).await;
        }
    }
    let mut received = send(request, settings).await?;
    output.head(&received)?;
    if let Some(path) = matches.get_one::<String>("out") {
        return save(&mut received, path.as_ref()).await;
    }
    if output.format == Format::Raw || !output::is_value(&received) {
        return output.stream(&mut received).await;
    }
    let body = output::whole(&mut received).await?;
    output.json(&body, command.page.map(|page| page.items).unwrap_or_default())
}

/// Prints the items of all pages as one list, at most `limit`.
async fn pages(
    request: Request,
    page: &Page,
    limit: u64,
    output: &mut Output,
    settings: &Settings,
) -> Result<(), Failure> {
    let (mut request, mut position) = request.of_page();
    let (mut count, mut bodies) = (0, Vec::new());
    while count < limit {
        let Some(mut next) = request.again() else { break };
        let mut received = send(request, settings).await?;
        output.head(&received)?;
        let body = output::whole(&mut received).await?;
        let found = text::at(&body, page.items).and_then(text::items);
        let items = found.ok_or_else(|| Failure::refused(format!("the response has no list: {body}")))?;
        let of_page = items.len() as u64;
        let kept = &items[..items.len().min(usize::try_from(limit - count).unwrap_or(usize::MAX))];
        match output.format {
            Format::Json => output.array_items(kept, count)?,
            Format::Ndjson | Format::Raw => output.lines(kept)?,
            Format::Table => bodies.extend(kept.iter().map(|&item| item.to_owned())),
        }
        count += kept.len() as u64;
        let of = |whole, path: &[&str]| text::at(whole, path).filter(|value| !path.is_empty() && *value != "null");
        let value = |path| of(&body, path);
        let last = || of(items.last()?, page.last);
        let is_last = !page.more.is_empty() && value(page.more) != Some("true");
        let url = received.url.as_ref();
        let Some(url) = url else { break };
        let facts = Facts {
            count: of_page,
            total: value(page.total).and_then(|total| total.parse().ok()),
            next: value(page.next).or_else(last).filter(|_| !is_last).map(text::plain),
            headers: &received.headers,
            body: body.as_bytes(),
            url,
        };
        if !position.turn(&mut next, &facts).map_err(|problem| Failure::refused(problem.to_string()))? {
            break;
        }
        request = next;
    }
    match output.format {
        Format::Json => output.array_end(count),
        Format::Table => output.table(&bodies.iter().map(String::as_str).collect::<Vec<_>>()),
        Format::Ndjson | Format::Raw => Ok(()),
    }
}

/// Sends a request and returns its success.
async fn send(request: Request, settings: &Settings) -> Result<Received, Failure> {
    let mut received = match answer::send(request, None).await {
        Ok(received) => received,
        Err(error) => return Err(unsent(&error, settings)),
    };
    if !received.is_failure {
        return Ok(received);
    }
    let body = output::whole(&mut received).await?;
    let body = body.trim();
    let shown = if text::is_json(body) { text::layout(body, true, 0) } else { body.to_owned() };
    Err(Failure::refused(format!("the service answered {}\n{shown}", received.status).trim_end()))
}

/// The failure of a request that got no response.
fn unsent(error: &Error<Download>, settings: &Settings) -> Failure {
    match error {
        Error::Request(problem) if matches!(problem.problem(), RequestProblem::NoCredentials { .. }) => {
            Failure::usage(format!("{}\n{}", chain(error), settings.hint()))
        }
        Error::Request(_) => Failure::usage(chain(error)),
        _ => Failure::unanswered(chain(error)),
    }
}

/// Writes the body to a file.
async fn save(received: &mut Received, path: &Path) -> Result<(), Failure> {
    use tokio::io::AsyncWriteExt;

    let failed = |error: std::io::Error| Failure::usage(format!("{}: {error}", path.display()));
    let mut file = tokio::fs::File::create(path).await.map_err(failed)?;
    while let Some(chunk) = received.chunk().await.map_err(|error| Failure::unanswered(chain(&error)))? {
        file.write_all(&chunk).await.map_err(failed)?;
    }
    file.flush().await.map_err(failed)
}
