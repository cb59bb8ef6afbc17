//! `specwright mock`

mod answer;
mod last;
mod prefer;
mod problem;
mod records;

use std::iter::zip;
use std::process::ExitCode;
use std::sync::Arc;
use std::time::Duration;

use axum::Router;
use clap::Args;
use specwright_exchange::{Credential, Operation, Sent, Values, escaped};

use super::exchange::{self, curl};
use super::{Described, Failure, duration, output};

const CHECKED: &str = "\
Requests are checked as the generated server does. A wrong one is refused with a problem
document that lists each violation; `/__mock` lists the last requests with theirs, as a page
for a browser, or as JSON.

A request chooses its response with the header `Prefer`: `code=404`, `example=NAME`,
`dynamic=true` (random values instead of examples), `wait=SECONDS`.";

#[derive(Args)]
#[command(after_help = CHECKED)]
pub(super) struct Arguments {
    #[command(flatten)]
    described: Described,
    /// The address to listen on, such as `localhost:4010`; port 0 is a free port.
    #[arg(long, value_name = "ADDRESS", default_value = "127.0.0.1:4010")]
    listen: String,
    /// Random values follow from this number, the operation and the URL.
    #[arg(long, default_value_t = 0)]
    seed: u64,
    /// How long each answer takes, such as `200ms`.
    #[arg(long, value_name = "TIME", value_parser = duration::parse, default_value = "0ms")]
    delay: Duration,
}

pub(super) fn run(arguments: &Arguments) -> Result<ExitCode, Failure> {
    let Arguments { described, listen, seed, delay } = arguments;
    let (document, operations) = exchange::read(described)?;
    let base_path = document.base_path();
    let mut values = Values::new(document).plain();
    let failure = |error: std::io::Error| Failure::usage(format!("{listen}: {error}"));
    exchange::runtime()?.block_on(async {
        let listener = tokio::net::TcpListener::bind(listen).await.map_err(failure)?;
        let base = format!("http://{}", listener.local_addr().map_err(failure)?);
        let first = first_request(&format!("{base}{base_path}"), operations, &mut values);
        output::print(&format!("listening on {base}{base_path}\n{}\n", first.unwrap_or_default()))?;
        let mock = answer::Mock::new(operations, values, base_path, *seed, *delay);
        let router = Router::new().fallback(answer::answer).with_state(Arc::new(mock));
        axum::serve(listener, router).await.map_err(failure)
    })?;
    Ok(ExitCode::SUCCESS)
}

/// A request to try first: one that only reads, if there is one.
fn first_request(base: &str, operations: &'static [Operation], values: &mut Values<'static>) -> Option<String> {
    let reading = operations.iter().filter(|operation| operation.method == "GET");
    let mut random = fastrand::Rng::with_seed(0);
    reading.chain(operations).find_map(|operation| {
        let request = values.request(operation, &mut random)?;
        let mut plain = request.clone();
        for (parameter, sent) in zip(&operation.parameters, &mut plain.parameters) {
            if !parameter.required {
                *sent = Sent::Absent;
            }
        }
        let mut message = plain.message(operation);
        if !values.is_valid(operation, &message) {
            message = request.message(operation);
        }
        for credential in operation.security.first().into_iter().flatten() {
            if let Credential::Query(name) = credential {
                let sign = if message.target.contains('?') { '&' } else { '?' };
                message.target = format!("{}{sign}{}=any", message.target, escaped(name));
            }
        }
        let needed = operation.security.first().into_iter().flatten();
        let headers = needed.filter_map(|credential| match credential {
            Credential::Authorization(scheme) => Some(format!("Authorization: {scheme} any")),
            Credential::Header(name) => Some(format!("{name}: any")),
            Credential::Cookie(name) => Some(format!("Cookie: {name}=any")),
            Credential::Query(_) | Credential::Other => None,
        });
        Some(curl::line(base, &message, &headers.collect::<Vec<_>>()))
    })
}
