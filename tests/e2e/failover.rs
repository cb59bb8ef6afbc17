//! A primary that stops responding, and the standby that takes over.

use std::{sync::Arc, time::Duration};

use futures_util::future::join_all;
use generated_client::accounts::PostAccount;
use tests_postgres::{Durability, Server, execute, for_service};
use tokio::{
    io::copy_bidirectional,
    net::{TcpListener, TcpStream, UnixStream},
    sync::watch,
};

use crate::{
    app::App,
    records::{account, refusal},
    waiting::eventually,
};

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
async fn a_commit_without_an_answer_may_have_been_made() {
    let primary = Server::start(Durability::None);
    let database = primary.database();
    let name = database.rsplit('/').next().expect("a name");
    let (port, silence) = proxy(&primary).await;
    let store = format!("postgres://postgres@127.0.0.1:{port}/{name}");
    let app = App::start_on(for_service(&store), |config| {
        config.store_owner.clone_from(&database);
        config.bounds.write = Duration::from_secs(1);
    })
    .await;
    execute(
        &database,
        "CREATE FUNCTION sleeps() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN PERFORM pg_sleep(1); RETURN NULL; END $$;
         CREATE CONSTRAINT TRIGGER sleeps AFTER INSERT ON accounts DEFERRABLE INITIALLY DEFERRED FOR EACH ROW
         EXECUTE FUNCTION sleeps()",
    );
    let client = app.client();
    let created = client.accounts().post_account(PostAccount { idempotency_key: None, body: account("Unsure") });
    let silenced = async {
        let sql = "SELECT count(*) FROM pg_stat_activity WHERE wait_event = 'PgSleep'";
        eventually("the transaction commits", async || execute(&database, sql).trim() == "1").await;
        silence.send(true).expect("the proxy runs");
    };
    let (created, ()) = tokio::join!(created.into_future(), silenced);
    let (status, texts) = refusal(created.expect_err("no answer"));
    assert_eq!(status, 503);
    assert!(texts[0].contains("may have been made"), "{texts:?}");
    let sql = "SELECT count(*) FROM accounts WHERE name = 'Unsure'";
    eventually("the change has been made", async || execute(&database, sql).trim() == "1").await;
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
