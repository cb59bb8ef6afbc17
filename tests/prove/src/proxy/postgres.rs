//! A proxy for PostgreSQL: each write of the service is a call.

use std::{
    io::{self, Read as _, Write as _},
    net::{Shutdown, TcpStream},
    os::unix::net::UnixStream,
    path::PathBuf,
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
};

use anyhow::Result;

use super::{Calls, Proxy};

/// What is lost, together with the connection.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Loss {
    /// The call: the database never receives it.
    Call,
    /// The reply: the database has executed the call.
    Reply,
}

impl Proxy<Loss> {
    /// A proxy in front of a database server's socket.
    pub fn before_postgres(socket: PathBuf) -> Result<Self> {
        Self::start(move |service, calls| {
            // Closed at once if the server does not accept.
            if let Ok(database) = UnixStream::connect(&socket) {
                let _ = join(&service, &database, calls);
            }
        })
    }
}

/// Forwards both directions, until one ends or a fault occurs.
fn join(service: &TcpStream, database: &UnixStream, calls: &Arc<Calls<Loss>>) -> io::Result<()> {
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
    calls: &Calls<Loss>,
    is_reply_lost: &AtomicBool,
) -> io::Result<()> {
    let mut buffer = vec![0; 1 << 16];
    loop {
        let length = service.read(&mut buffer)?;
        if length == 0 {
            return Ok(());
        }
        match calls.next() {
            Some(Loss::Call) => return Ok(()),
            Some(Loss::Reply) => is_reply_lost.store(true, Ordering::SeqCst),
            None => {}
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
