//! A temporary S3 server for tests, with one bucket in a temporary folder.

mod serve;

use std::{
    fs, io,
    net::{Ipv4Addr, SocketAddr},
    path::{Path, PathBuf},
    sync::{Arc, atomic::Ordering},
};

use s3s::{auth::SimpleAuth, service::S3ServiceBuilder};
use tempfile::TempDir;
use tokio::{net::TcpListener, sync::OwnedRwLockWriteGuard, task::JoinHandle};

use serve::{State, serve};

/// The existing bucket.
pub const BUCKET: &str = "bucket";
/// The valid access key.
const KEY: &str = "key";
const SECRET: &str = "a secret of the tests";

/// A running server. Dropping it stops it and removes its folder.
#[derive(Debug)]
pub struct Server {
    folder: TempDir,
    address: SocketAddr,
    state: Arc<State>,
    task: Option<JoinHandle<()>>,
}

impl Server {
    /// Starts a server with an empty bucket.
    ///
    /// # Panics
    ///
    /// When it cannot be started.
    pub async fn start() -> Self {
        let folder = tempfile::tempdir().expect("a temporary folder");
        fs::create_dir(folder.path().join(BUCKET)).expect("a bucket");
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).await.expect("a free port");
        let address = listener.local_addr().expect("an address");
        let mut server = Self { folder, address, state: Arc::default(), task: None };
        server.serve(listener);
        server
    }

    /// The address it listens on.
    pub fn address(&self) -> SocketAddr {
        self.address
    }

    /// The environment variables that direct a client to it.
    pub fn environment(&self) -> Vec<(String, String)> {
        self.environment_at(self.address)
    }

    /// The same for a proxy at this address.
    pub fn environment_at(&self, address: SocketAddr) -> Vec<(String, String)> {
        let address = format!("http://{address}");
        let variables = [
            ("AWS_ENDPOINT_URL", &*address),
            ("AWS_REGION", "us-east-1"),
            ("AWS_ACCESS_KEY_ID", KEY),
            ("AWS_SECRET_ACCESS_KEY", SECRET),
        ];
        variables.map(|(name, value)| (name.to_owned(), value.to_owned())).to_vec()
    }

    /// The files of all objects in the bucket.
    ///
    /// # Panics
    ///
    /// When its folder cannot be read.
    pub fn objects(&self) -> Vec<PathBuf> {
        let mut objects = Vec::new();
        walk(&self.folder.path().join(BUCKET), &mut objects).expect("a folder");
        objects
    }

    /// The number of multipart upload files that were neither completed nor aborted.
    ///
    /// # Panics
    ///
    /// When its folder cannot be read.
    pub fn parts(&self) -> usize {
        let entries = fs::read_dir(self.folder.path()).expect("a folder").flatten();
        entries.filter(|entry| entry.file_name().to_string_lossy().starts_with(".upload")).count()
    }

    /// Blocks all responses until the guard is dropped.
    pub async fn stall(&self) -> OwnedRwLockWriteGuard<()> {
        Arc::clone(&self.state.gate).write_owned().await
    }

    /// Completes the next multipart upload, but closes the connection instead of responding.
    pub fn lose_completion(&self) {
        self.state.loses_completion.store(true, Ordering::SeqCst);
    }

    /// Refuses connections, and closes open ones.
    pub async fn stop(&mut self) {
        if let Some(task) = self.task.take() {
            task.abort();
            // The task has been aborted.
            let _ = task.await;
        }
    }

    /// Listens again after [`Self::stop`].
    ///
    /// # Panics
    ///
    /// When its port is taken.
    pub async fn start_again(&mut self) {
        let listener = TcpListener::bind(self.address).await.expect("its port");
        self.serve(listener);
    }

    fn serve(&mut self, listener: TcpListener) {
        let files = s3s_fs::FileSystem::new(self.folder.path()).expect("a folder");
        let mut builder = S3ServiceBuilder::new(files);
        builder.set_auth(SimpleAuth::from_single(KEY, SECRET));
        let folder = self.folder.path().to_owned();
        self.task = Some(tokio::spawn(serve(listener, builder.build(), folder, Arc::clone(&self.state))));
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        if let Some(task) = &self.task {
            task.abort();
        }
    }
}

fn walk(folder: &Path, files: &mut Vec<PathBuf>) -> io::Result<()> {
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        if path.is_dir() {
            walk(&path, files)?;
        } else {
            files.push(path);
        }
    }
    Ok(())
}
