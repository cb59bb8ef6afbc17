//! What stands between the service and what it calls, counts its calls, and spoils some of them.

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

/// A proxy on a port of its own; `F` is what can happen to a call.
pub struct Proxy<F> {
    /// Where it listens.
    pub address: SocketAddr,
    calls: Arc<Calls<F>>,
}

/// What has been called, and what is going to happen.
struct Calls<F>(Mutex<Counts<F>>);

struct Counts<F> {
    seen: u64,
    spoilt: u64,
    /// The numbers of the calls that something happens to.
    planned: Option<(RangeInclusive<u64>, F)>,
}

impl<F: Copy + Send + 'static> Proxy<F> {
    /// Hands each connection that the service makes to `serve`, which does not wait for its end.
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
    /// How often the service has called.
    pub fn calls(&self) -> u64 {
        self.calls.with(|counts| counts.seen)
    }

    /// How many calls something has happened to.
    pub fn spoilt(&self) -> u64 {
        self.calls.with(|counts| counts.spoilt)
    }

    /// Spoils these of the calls from now on, of which the first is 1.
    pub fn spoil(&self, calls: RangeInclusive<u64>, fault: F) {
        self.calls.with(|counts| {
            let (start, end) = calls.into_inner();
            let range = counts.seen.saturating_add(start)..=counts.seen.saturating_add(end);
            counts.planned = Some((range, fault));
        });
    }

    /// Spoils nothing more.
    pub fn spoil_nothing(&self) {
        self.calls.with(|counts| counts.planned = None);
    }
}

impl<F: Copy> Calls<F> {
    fn new() -> Arc<Self> {
        Arc::new(Self(Mutex::new(Counts { seen: 0, spoilt: 0, planned: None })))
    }

    /// Counts a call; answers what happens to it.
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
