//! Standbys that serve reads, with two services.

use generated_client::Client;
use service::{
    domain::{caller::Visibility, tenant::TenantId},
    store::{Location, Options, Store},
};
use tests_postgres::{Durability, Server, execute, for_service};

use crate::{
    app::App,
    operations::operations,
    records::{account, create},
    scene,
    waiting::eventually,
};

/// A primary with a standby, and a database on them.
struct Pair {
    primary: Server,
    standby: Server,
    database: String,
}

impl Pair {
    fn start() -> Self {
        let primary = Server::start(Durability::None);
        let standby = primary.standby();
        execute(&standby.url("postgres"), "ALTER SYSTEM SET log_statement = 'all'");
        execute(&standby.url("postgres"), "SELECT pg_reload_conf()");
        let database = primary.database();
        Self { database: database.rsplit('/').next().unwrap_or_default().to_owned(), primary, standby }
    }

    fn store(&self) -> String {
        for_service(&self.primary.url(&self.database))
    }

    fn replica(&self) -> String {
        for_service(&self.standby.url(&self.database))
    }

    /// The number of reads that the standby has served.
    fn reads(&self) -> usize {
        let log = std::fs::read(self.standby.log()).expect("the log of the standby");
        String::from_utf8_lossy(&log).matches("BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY").count()
    }

    async fn app(&self) -> App {
        App::start_on(self.store(), |config| {
            config.store_read_replicas = vec![self.replica()];
            config.limits.calls_per_hour = 0;
        })
        .await
    }
}

/// Reads until the standby responds.
async fn is_read_again(pair: &Pair, client: &Client, id: Option<i32>, name: &str) {
    let before = pair.reads();
    eventually("the standby is read", async || {
        assert_eq!(read(client, id).await.as_deref(), Some(name));
        pair.reads() > before
    })
    .await;
}

async fn read(client: &Client, id: Option<i32>) -> Option<String> {
    let id = id.expect("an id");
    client.accounts().get_account_summary(id).await.expect("read").body.account_name.into_option()
}

#[tokio::test(flavor = "multi_thread")]
async fn a_replica_answers_what_is_read_and_never_from_before_a_write_that_was_acknowledged() {
    let pair = Pair::start();
    let (one, other) = (pair.app().await, pair.app().await);
    let (here, there) = (one.client(), other.client());
    for number in 0..100 {
        let name = format!("Written {number}");
        let created = create(&here, account(&name)).await;
        // Another process knows of the write only from the database.
        assert_eq!(read(&there, created.id).await.as_ref(), Some(&name));
        assert_eq!(read(&here, created.id).await.as_ref(), Some(&name));
    }

    // A standby that lags is not used.
    execute(&pair.standby.url("postgres"), "SELECT pg_wal_replay_pause()");
    let created = create(&here, account("Not replayed")).await;
    let before = pair.reads();
    for _ in 0..50 {
        assert_eq!(read(&there, created.id).await.as_deref(), Some("Not replayed"));
    }
    assert_eq!(pair.reads(), before);

    // It has caught up.
    execute(&pair.standby.url("postgres"), "SELECT pg_wal_replay_resume()");
    is_read_again(&pair, &there, created.id, "Not replayed").await;
}

#[tokio::test(flavor = "multi_thread")]
async fn no_read_fails_because_a_replica_does() {
    let pair = Pair::start();
    let app = pair.app().await;
    let client = app.client();
    let created = create(&client, account("Always there")).await;
    is_read_again(&pair, &client, created.id, "Always there").await;
    pair.standby.kill();
    for _ in 0..200 {
        assert_eq!(read(&client, created.id).await.as_deref(), Some("Always there"));
    }
    pair.standby.restart();
    is_read_again(&pair, &client, created.id, "Always there").await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_replica_answers_every_read_as_the_primary_does() {
    let pair = Pair::start();
    let with = pair.app().await;
    let without = App::start_on(pair.store(), |config| config.limits.calls_per_hour = 0).await;
    let all = scene::token(&with, TenantId::FIRST, Visibility::All).await;
    let before = pair.reads();
    let mut answered = 0;
    for operation in operations().iter().filter(|operation| operation.method == reqwest::Method::GET) {
        let answer = operation.request().send(&with, &all).await;
        assert_eq!(answer, operation.request().send(&without, &all).await, "{}", operation.id);
        assert!(answer.status < 500, "{}: {answer:?}", operation.id);
        answered += 1;
    }
    assert!(answered > 20, "{answered}");
    let by_standby = pair.reads() - before;
    assert!(by_standby >= answered / 2, "the standby has answered {by_standby} of {answered}");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_server_that_is_not_a_standby_is_reported_and_not_used() {
    let (pair, foreign) = (Pair::start(), Pair::start());
    let nowhere = "postgres://service@127.0.0.1:1/none".to_owned();
    let replicas = vec![pair.replica(), pair.store(), nowhere, foreign.replica()];
    let app = App::start_on(pair.store(), |config| config.store_read_replicas.clone_from(&replicas)).await;
    let created = create(&app.client(), account("Here")).await;
    for _ in 0..10 {
        assert_eq!(read(&app.client(), created.id).await.as_deref(), Some("Here"));
    }
    let store = Store::open_read_only(Location::Postgres(pair.store()), &Options { replicas, ..Options::default() });
    let about = store.expect("open").about_replicas().await;
    assert!(
        about[0].contains("a standby that has everything") || about[0].contains("bytes of changes behind"),
        "{about:?}"
    );
    assert!(about[1].contains("no standby: it is never read"), "{about:?}");
    assert!(about[2].contains("cannot be read: Connection refused"), "{about:?}");
    assert!(about[3].contains("with another database: it is never read"), "{about:?}");
    assert!(about.iter().all(|line| line.contains("postgres://")), "{about:?}");
}
