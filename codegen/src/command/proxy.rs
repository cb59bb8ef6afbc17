//! `specwright proxy`

mod forward;
mod record;

use std::process::ExitCode;
use std::sync::Arc;

use axum::Router;
use clap::Args;
use reqwest::Url;
use specwright_exchange::Values;

use super::{Described, Failure, Format, exchange, output};

const SHOWN: &str = "\
Every exchange is a line with its method, URL, status and operation, followed by what the request and the
response do not keep of the description. Nothing is refused or changed on the way, except that responses are
not compressed.";

#[derive(Args)]
#[command(after_help = SHOWN)]
pub(super) struct Arguments {
    #[command(flatten)]
    described: Described,
    /// The service; paths of the description follow it.
    #[arg(long, value_name = "URL")]
    url: Url,
    /// The address to listen on, such as `localhost:4010`; port 0 is a free port.
    #[arg(long, value_name = "ADDRESS", default_value = "127.0.0.1:4011")]
    listen: String,
    /// The format of the exchanges; `json` is an object in each line.
    #[arg(long, value_enum, default_value = "human")]
    format: Format,
}

pub(super) fn run(arguments: &Arguments) -> Result<ExitCode, Failure> {
    let Arguments { described, url, listen, format } = arguments;
    let (document, operations) = exchange::read(described)?;
    let base_path = document.base_path();
    let recorder = record::Recorder::new(operations, base_path.clone(), Values::new(document), *format);
    let proxy = forward::Proxy::new(url, base_path.clone(), recorder)?;
    let failure = |error: std::io::Error| Failure::usage(format!("{listen}: {error}"));
    exchange::runtime()?.block_on(async {
        let listener = tokio::net::TcpListener::bind(listen).await.map_err(failure)?;
        let base = format!("http://{}{base_path}", listener.local_addr().map_err(failure)?);
        output::print(&format!("listening on {base}\n"))?;
        let router = Router::new().fallback(forward::forward).with_state(Arc::new(proxy));
        axum::serve(listener, router).await.map_err(failure)
    })?;
    Ok(ExitCode::SUCCESS)
}
