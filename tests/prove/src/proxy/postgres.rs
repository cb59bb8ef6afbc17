//! Between the service and PostgreSQL: whatever the service sends at a time is a call.

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

/// What is lost, and the connection with it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Loss {
    /// What the service sends: the database never sees it.
    Call,
    /// What the database answers: it has done what it was asked.
    Reply,
}

impl Proxy<Loss> {
    /// Stands before the socket of a database server.
    pub fn before_postgres(socket: PathBuf) -> Result<Self> {
        Self::start(move |service, calls| {
            // Closed at once when the server does not accept.
            if let Ok(database) = UnixStream::connect(&socket) {
                let _ = join(&service, &database, calls);
            }
        })
    }
}

/// Passes on what either says, until one of them has ended or something is lost.
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
