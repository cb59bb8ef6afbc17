//! One small interface, served and called by generated code and by code written by hand.

mod call;
mod generated;
mod handwritten;
mod json;
mod sample;

use std::{env, net::SocketAddr, time::Duration};

use anyhow::{Context as _, Result, bail};
use axum::Router;
use tokio::net::TcpListener;

const USAGE: &str = "usage: baseline serve SIDE | call SIDE ADDRESS OPERATION SECONDS | json\n\
                     SIDE is `generated` or `handwritten`";

#[tokio::main]
async fn main() -> Result<()> {
    let arguments: Vec<String> = env::args().skip(1).collect();
    match arguments.iter().map(String::as_str).collect::<Vec<_>>().as_slice() {
        ["serve", "generated"] => serve(generated::router()).await,
        ["serve", "handwritten"] => serve(handwritten::router()).await,
        ["call", side, address, operation, seconds] => {
            let address: SocketAddr = address.parse().context("ADDRESS is an IP address with a port")?;
            let time = Duration::from_secs(seconds.parse().context("SECONDS is a number")?);
            let calls = match *side {
                "generated" => call::repeat(time, generated::Caller::new(address)?, operation).await?,
                "handwritten" => call::repeat(time, handwritten::Caller::new(address)?, operation).await?,
                _ => bail!(USAGE),
            };
            println!("{calls}");
            Ok(())
        }
        ["json"] => json::compare(),
        _ => bail!(USAGE),
    }
}

/// Serves on a free port, which is printed, until the process is killed.
async fn serve(router: Router) -> Result<()> {
    let listener = TcpListener::bind("127.0.0.1:0").await?;
    println!("{}", listener.local_addr()?);
    Ok(axum::serve(listener, router).await?)
}
