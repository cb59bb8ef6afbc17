//! What stands between the service and its database, counts what the service sends, and loses one of it.

use std::{
    io::{self, Read as _, Write as _},
    net::{Shutdown, SocketAddr, TcpListener, TcpStream},
    os::unix::net::UnixStream,
    path::PathBuf,
    sync::{
        Arc,
        atomic::{AtomicBool, AtomicU32, AtomicU64, Ordering},
    },
};

use anyhow::Result;

/// What is lost, and the connection with it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Loss {
    /// What the service sends: the database never sees it.
    Call,
    /// What the database answers: it has done what it was asked.
    Reply,
}

/// A proxy on a port of its own.
pub struct Proxy {
    /// Where it listens.
    pub address: SocketAddr,
    calls: Arc<Calls>,
}

#[derive(Default)]
struct Calls {
    seen: AtomicU64,
    /// The number of the call that is lost; none is 0.
    lost: AtomicU64,
    /// Of that, the reply.
    is_reply: AtomicBool,
    losses: AtomicU32,
}

impl Proxy {
    /// Stands before the socket of a database server.
    pub fn start(socket: PathBuf) -> Result<Self> {
        let listener = TcpListener::bind("127.0.0.1:0")?;
        let address = listener.local_addr()?;
        let calls = Arc::<Calls>::default();
        let shared = Arc::clone(&calls);
        std::thread::spawn(move || {
            for service in listener.incoming().map_while(Result::ok) {
                // Closed at once when the server does not accept.
                if let Ok(database) = UnixStream::connect(&socket) {
                    let _ = join(&service, &database, &shared);
                }
            }
        });
        Ok(Self { address, calls })
    }

    /// How often the service has sent something.
    pub fn calls(&self) -> u64 {
        self.calls.seen.load(Ordering::SeqCst)
    }

    /// How many losses there were.
    pub fn losses(&self) -> u32 {
        self.calls.losses.load(Ordering::SeqCst)
    }

    /// Loses the `n`-th call from now on.
    pub fn lose(&self, n: u64, loss: Loss) {
        self.calls.is_reply.store(loss == Loss::Reply, Ordering::SeqCst);
        self.calls.lost.store(self.calls() + n, Ordering::SeqCst);
    }

    /// Loses nothing more.
    pub fn lose_nothing(&self) {
        self.calls.lost.store(0, Ordering::SeqCst);
    }
}

/// Passes on what either says, until one of them has ended or something is lost.
fn join(service: &TcpStream, database: &UnixStream, calls: &Arc<Calls>) -> io::Result<()> {
    service.set_nodelay(true)?;
    let is_reply_lost = Arc::new(AtomicBool::new(false));
    let [from_service, to_service] = [service.try_clone()?, service.try_clone()?];
    let [from_database, to_database] = [database.try_clone()?, database.try_clone()?];
    let (calls, is_lost) = (Arc::clone(calls), Arc::clone(&is_reply_lost));
    std::thread::spawn(move || {
        let _ = pass_calls(&from_service, &to_database, &calls, &is_lost);
        let _ = (from_service.shutdown(Shutdown::Both), to_database.shutdown(Shutdown::Write));
    });
    std::thread::spawn(move || {
        let _ = pass_replies(&from_database, &to_service, &is_reply_lost);
        let _ = (from_database.shutdown(Shutdown::Both), to_service.shutdown(Shutdown::Both));
    });
    Ok(())
}

fn pass_calls(
    mut service: &TcpStream,
    mut database: &UnixStream,
    calls: &Calls,
    is_reply_lost: &AtomicBool,
) -> io::Result<()> {
    let mut buffer = vec![0; 1 << 16];
    loop {
        let length = service.read(&mut buffer)?;
        if length == 0 {
            return Ok(());
        }
        let number = calls.seen.fetch_add(1, Ordering::SeqCst) + 1;
        if number == calls.lost.load(Ordering::SeqCst) {
            calls.losses.fetch_add(1, Ordering::SeqCst);
            if !calls.is_reply.load(Ordering::SeqCst) {
                return Ok(());
            }
            is_reply_lost.store(true, Ordering::SeqCst);
        }
        database.write_all(&buffer[..length])?;
    }
}

fn pass_replies(mut database: &UnixStream, mut service: &TcpStream, is_lost: &AtomicBool) -> io::Result<()> {
    let mut buffer = vec![0; 1 << 16];
    loop {
        let length = database.read(&mut buffer)?;
        if length == 0 || is_lost.load(Ordering::SeqCst) {
            return Ok(());
        }
        service.write_all(&buffer[..length])?;
    }
}
