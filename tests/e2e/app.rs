//! A service for one test: on a free port, with a fresh store and the sample data.

use std::{net::SocketAddr, path::Path, sync::Arc, time::Duration};

use generated_client::{Client, runtime::client::Retry};
use service::{
    api::{self, Service},
    config::Config,
    domain::{
        caller::Visibility,
        tenant::TenantId,
        token::{Grants, NewToken, Secret},
    },
    http::Tls,
    sample, start,
};
use tempfile::TempDir;
use tokio::{net::TcpListener, sync::oneshot, task::JoinHandle};

/// A running service. Dropping it stops the service and removes its data.
pub(crate) struct App {
    /// The address it listens on.
    pub(crate) address: SocketAddr,
    /// The service itself, for what the interface cannot do.
    pub(crate) service: Service,
    /// A client for requests that the generated client cannot send.
    pub(crate) http: reqwest::Client,
    /// The TLS settings of its connections, if it has any.
    #[allow(dead_code, reason = "one store is enough for it")]
    pub(crate) tls: Option<Tls>,
    token: Secret,
    data: Arc<TempDir>,
    /// The setting `store`.
    store: String,
    stop: Option<oneshot::Sender<()>>,
    task: Option<JoinHandle<Result<(), String>>>,
}

impl App {
    /// Starts a service on a fresh store.
    pub(crate) async fn start() -> Self {
        let data = Arc::new(tempfile::tempdir().expect("a temporary folder"));
        Self::open(data, crate::store(), |_| {}).await
    }

    /// Starts a service with changed settings.
    pub(crate) async fn start_with(change: impl FnOnce(&mut Config)) -> Self {
        let data = Arc::new(tempfile::tempdir().expect("a temporary folder"));
        Self::open(data, crate::store(), change).await
    }

    /// Starts a service on a given store.
    #[allow(dead_code, reason = "SQLite has no standbys")]
    pub(crate) async fn start_on(store: String, change: impl FnOnce(&mut Config)) -> Self {
        let data = Arc::new(tempfile::tempdir().expect("a temporary folder"));
        Self::open(data, store, change).await
    }

    async fn open(data: Arc<TempDir>, store: String, change: impl FnOnce(&mut Config)) -> Self {
        let (folder, place) = (data.path().to_path_buf(), store.clone());
        let mut config = Config {
            data: folder,
            store_owner: tests_postgres::for_owner(&place),
            store: place,
            time_zone: "UTC".into(),
            ..Config::default()
        };
        config.bounds.stop = Duration::from_secs(2);
        config.bounds.check_responses = true;
        change(&mut config);
        let tls = start::tls(&config).expect("a certificate");
        let opened = start::open(Arc::new(config)).await.expect("the service opens");
        let token = match opened.token {
            Some(token) => token,
            None => token(&opened.service, "first", Grants::all(api::functions()), Visibility::All).await,
        };
        let listener = TcpListener::bind("127.0.0.1:0").await.expect("a free port");
        let address = listener.local_addr().expect("an address");
        let (stop, stopped) = oneshot::channel();
        let serving = start::serve(opened.service.clone(), listener, tls.clone(), async {
            // An error also means that the test is over.
            let _ = stopped.await;
        });
        let task = tokio::spawn(async { serving.await.map_err(|error| format!("{error:#}")) });
        Self {
            address,
            service: opened.service,
            http: reqwest::Client::new(),
            tls,
            token,
            data,
            store,
            stop: Some(stop),
            task: Some(task),
        }
    }

    /// Starts another service on the same data, as another process would.
    #[allow(dead_code, reason = "SQLite has one process")]
    pub(crate) async fn second_process(&self) -> Self {
        self.second_process_with(|_| {}).await
    }

    /// The same with changed settings.
    #[allow(dead_code, reason = "SQLite has one process")]
    pub(crate) async fn second_process_with(&self, change: impl FnOnce(&mut Config)) -> Self {
        Self::open(Arc::clone(&self.data), self.store.clone(), change).await
    }

    /// The setting `store`.
    #[allow(dead_code, reason = "SQLite has no roles")]
    pub(crate) fn store(&self) -> &str {
        &self.store
    }

    /// Stops the service gracefully and starts another one on the same data.
    pub(crate) async fn restart(self) -> Self {
        self.restart_with(|_| {}).await
    }

    /// The same with changed settings.
    pub(crate) async fn restart_with(self, change: impl FnOnce(&mut Config)) -> Self {
        let (data, store) = (Arc::clone(&self.data), self.store.clone());
        self.stop().await;
        Self::open(data, store, change).await
    }

    /// Stops the service gracefully.
    pub(crate) async fn stop(mut self) {
        drop(self.stop.take());
        if let Some(task) = self.task.take() {
            task.await.expect("the service stops without a panic").expect("the service ends well");
        }
    }

    /// Runs SQL on its store, for states that the interface cannot create; returns the result of the last
    /// statement.
    ///
    /// Does not block the service: the SQL may wait for locks that the service holds.
    pub(crate) async fn execute(&self, sql: &str) -> String {
        let (store, sql) = (self.store.clone(), sql.to_owned());
        let path = self.data.path().join(service::folder::STORE);
        let execute = move || match store.as_str() {
            "" => execute_on_sqlite(&path, &sql),
            url => tests_postgres::execute(&tests_postgres::for_owner(url), &sql).trim().to_owned(),
        };
        tokio::task::spawn_blocking(execute).await.expect("no panic")
    }

    /// A client with every right.
    pub(crate) fn client(&self) -> Client {
        self.client_of(&self.token)
    }

    /// The secret of the token with every right.
    pub(crate) fn token(&self) -> &str {
        self.token.reveal()
    }

    /// A client with another token. It sends each request once, so that no test passes by its retries.
    pub(crate) fn client_of(&self, token: &Secret) -> Client {
        let builder = Client::builder(&format!("http://{}", self.address)).expect("a URL");
        builder.bearer_auth(token.reveal()).retry(Retry::never()).build().expect("a client")
    }

    /// A client whose token has only these rights.
    pub(crate) async fn client_with(&self, scopes: &[&str], functions: &[u32], visible: Visibility) -> Client {
        let scopes = scopes.iter().map(|scope| (*scope).to_owned()).collect();
        let grants = Grants { functions: functions.iter().copied().collect(), scopes };
        self.client_of(&token(&self.service, "test", grants, visible).await)
    }

    /// Sends a request as text, which the client would never send; returns the whole response.
    pub(crate) async fn raw(&self, request: &str) -> String {
        use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
        let request = request.replace("{token}", self.token.reveal()).replace('\n', "\r\n");
        let mut stream = tokio::net::TcpStream::connect(self.address).await.expect("connected");
        stream.write_all(request.as_bytes()).await.expect("written");
        let mut answer = Vec::new();
        stream.read_to_end(&mut answer).await.expect("read");
        String::from_utf8_lossy(&answer).into_owned()
    }
}

/// Creates a store with the sample data in an empty database.
#[allow(dead_code, reason = "SQLite makes each store anew")]
pub(crate) fn fill(database: String) {
    let fill = async move {
        let data = tempfile::tempdir().expect("a temporary folder");
        let config = Config {
            data: data.path().into(),
            store_owner: tests_postgres::for_owner(&database),
            store: tests_postgres::for_service(&database),
            time_zone: "UTC".into(),
            ..Config::default()
        };
        let store = start::open_store(&config, true, true).expect("a store");
        sample::load(&store.tenant(TenantId::FIRST)).expect("loaded");
        store.close();
    };
    // A thread that runs one runtime cannot run another.
    let filling = std::thread::spawn(|| tokio::runtime::Runtime::new().expect("a runtime").block_on(fill));
    filling.join().expect("no panic");
}

async fn token(service: &Service, name: &str, grants: Grants, visible: Visibility) -> Secret {
    let new = NewToken { name: name.into(), grants, visible, ..NewToken::default() };
    service.records_of(TenantId::FIRST).create_token(new).await.expect("a token").1
}

fn execute_on_sqlite(path: &Path, sql: &str) -> String {
    let store = rusqlite::Connection::open(path).expect("the store");
    store.busy_timeout(std::time::Duration::from_secs(10)).expect("a timeout");
    if !sql.starts_with("SELECT") {
        store.execute_batch(sql).expect("written");
        return String::new();
    }
    let value: rusqlite::types::Value = store.query_row(sql, (), |row| row.get(0)).expect("a value");
    match value {
        rusqlite::types::Value::Integer(number) => number.to_string(),
        rusqlite::types::Value::Text(text) => text,
        other => panic!("{other:?}"),
    }
}
