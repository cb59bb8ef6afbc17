//! A primary that stops responding, and the standby that takes over.

use std::sync::Arc;

use futures_util::future::join_all;
use generated_client::accounts::PostAccount;
use tests_postgres::{Durability, Server, for_service};
use tokio::{
    io::copy_bidirectional,
    net::{TcpListener, TcpStream, UnixStream},
    sync::watch,
};

use crate::{app::App, records::account, waiting::eventually};

/// Forwards connections until it is silenced: then it accepts none, and forwards nothing.
async fn proxy(server: &Server) -> (u16, watch::Sender<bool>) {
    let (silence, silent) = watch::channel(false);
    let listener = TcpListener::bind("127.0.0.1:0").await.expect("a free port");
    let port = listener.local_addr().expect("an address").port();
    let socket = Arc::new(server.socket());
    tokio::spawn(async move {
        let mut end = silent.clone();
        loop {
            let accepted = tokio::select! {
                accepted = listener.accept() => accepted,
                _ = end.wait_for(|silent| *silent) => return,
            };
            let (socket, silent) = (Arc::clone(&socket), silent.clone());
            tokio::spawn(pass(accepted.expect("a connection").0, socket, silent));
        }
    });
    (port, silence)
}

async fn pass(mut caller: TcpStream, socket: Arc<std::path::PathBuf>, mut silent: watch::Receiver<bool>) {
    let mut server = UnixStream::connect(&*socket).await.expect("the server");
    let is_silent = tokio::select! {
        _ = copy_bidirectional(&mut caller, &mut server) => false,
        silent = silent.wait_for(|silent| *silent) => silent.is_ok(),
    };
    if is_silent {
        std::future::pending::<()>().await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_silent_primary_is_given_up() {
    let primary = Server::start(Durability::None);
    let database = primary.database();
    let name = database.rsplit('/').next().expect("a name").to_owned();
    let standby = primary.standby();
    let (port, silence) = proxy(&primary).await;
    let second = standby.url(&name).replacen("postgres://postgres@", "", 1);
    let store = format!("postgres://postgres@127.0.0.1:{port},{second}?target_session_attrs=read-write");
    let app = App::start_on(for_service(&store), |config| config.store_connections = 4).await;
    let client = app.client();
    let request = || PostAccount { idempotency_key: None, body: account("There") };
    let many = async || join_all((0..8).map(async |_| client.accounts().post_account(request()).await)).await;
    assert!(many().await.iter().all(Result::is_ok));

    silence.send(true).expect("the proxy runs");
    primary.kill();
    standby.promote();
    eventually("the standby is written", async || many().await.iter().all(Result::is_ok)).await;
}
