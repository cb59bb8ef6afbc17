//! A proxy that counts the service's calls, and makes some of them fail.

mod postgres;
mod s3;

use std::{
    net::{SocketAddr, TcpListener, TcpStream},
    ops::RangeInclusive,
    sync::{Arc, Mutex, PoisonError},
};

use anyhow::Result;

pub use postgres::Loss;
pub use s3::Fault;

/// A proxy on its own port; `F` is the type of faults.
pub struct Proxy<F> {
    /// The address it listens on.
    pub address: SocketAddr,
    calls: Arc<Calls<F>>,
}

/// The calls so far, and the planned fault.
struct Calls<F>(Mutex<Counts<F>>);

struct Counts<F> {
    seen: u64,
    spoilt: u64,
    /// The numbers of the calls to fail.
    planned: Option<(RangeInclusive<u64>, F)>,
}

impl<F: Copy + Send + 'static> Proxy<F> {
    /// Passes each connection to `serve`, which must not block.
    fn start(serve: impl Fn(TcpStream, &Arc<Calls<F>>) + Send + 'static) -> Result<Self> {
        let listener = TcpListener::bind("127.0.0.1:0")?;
        let (address, calls) = (listener.local_addr()?, Calls::new());
        let shared = Arc::clone(&calls);
        std::thread::spawn(move || {
            for service in listener.incoming().map_while(Result::ok) {
                serve(service, &shared);
            }
        });
        Ok(Self { address, calls })
    }
}

impl<F: Copy> Proxy<F> {
    /// The number of calls.
    pub fn calls(&self) -> u64 {
        self.calls.with(|counts| counts.seen)
    }

    /// The number of failed calls.
    pub fn spoilt(&self) -> u64 {
        self.calls.with(|counts| counts.spoilt)
    }

    /// Fails these calls, counted from now; the first is 1.
    pub fn spoil(&self, calls: RangeInclusive<u64>, fault: F) {
        self.calls.with(|counts| {
            let (start, end) = calls.into_inner();
            let range = counts.seen.saturating_add(start)..=counts.seen.saturating_add(end);
            counts.planned = Some((range, fault));
        });
    }

    /// Stops failing calls.
    pub fn spoil_nothing(&self) {
        self.calls.with(|counts| counts.planned = None);
    }
}

impl<F: Copy> Calls<F> {
    fn new() -> Arc<Self> {
        Arc::new(Self(Mutex::new(Counts { seen: 0, spoilt: 0, planned: None })))
    }

    /// Counts a call; returns its fault.
    fn next(&self) -> Option<F> {
        self.with(|counts| {
            counts.seen += 1;
            let (_, fault) = counts.planned.as_ref().filter(|(range, _)| range.contains(&counts.seen))?;
            counts.spoilt += 1;
            Some(*fault)
        })
    }

    fn with<T>(&self, look: impl FnOnce(&mut Counts<F>) -> T) -> T {
        look(&mut self.0.lock().unwrap_or_else(PoisonError::into_inner))
    }
}
