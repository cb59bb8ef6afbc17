//! Client addresses, including those behind trusted proxies, and their numbers of connections.

use std::{
    collections::HashMap,
    net::{IpAddr, Ipv4Addr, Ipv6Addr},
    sync::Arc,
};

use axum::http::HeaderMap;
use ipnet::IpNet;
use parking_lot::Mutex;

/// The address of the caller: the peer's, or what trusted proxies say of it in `X-Forwarded-For`.
///
/// Each proxy appends the address of its client; entries before the last untrusted one may be forged.
pub(super) fn of_caller(peer: IpAddr, headers: &HeaderMap, trusted: &[IpNet]) -> IpAddr {
    let is_trusted = |address: IpAddr| trusted.iter().any(|network| network.contains(&address));
    let mut caller = peer.to_canonical();
    if !is_trusted(caller) {
        return caller;
    }
    let lists = headers.get_all("x-forwarded-for").iter().filter_map(|value| value.to_str().ok());
    let chain: Vec<&str> = lists.flat_map(|list| list.split(',')).collect();
    for text in chain.into_iter().rev() {
        let Some(address) = address(text) else { break };
        caller = address;
        if !is_trusted(caller) {
            break;
        }
    }
    caller
}

/// An address, perhaps in brackets and with a port.
fn address(text: &str) -> Option<IpAddr> {
    let text = text.trim();
    let address = match text.strip_prefix('[') {
        Some(rest) => rest.split(']').next()?.parse().ok(),
        None => text.parse().ok().or_else(|| text.rsplit_once(':')?.0.parse().ok()),
    };
    address.map(|address: IpAddr| address.to_canonical())
}

/// The address or network that limits apply to: an IPv6 customer has a whole network.
pub(crate) fn counted(address: IpAddr) -> IpAddr {
    match address.to_canonical() {
        IpAddr::V6(address) => IpAddr::V6(Ipv6Addr::from_bits(address.to_bits() & !u128::from(u64::MAX))),
        address @ IpAddr::V4(_) => address,
    }
}

/// The number of connections per address.
#[derive(Clone, Debug)]
pub struct Addresses {
    limit: usize,
    trusted: Arc<[IpNet]>,
    open: Arc<Mutex<HashMap<IpAddr, usize>>>,
}

/// A counted connection, until dropped.
#[derive(Debug)]
pub struct Counted {
    address: Option<IpAddr>,
    open: Arc<Mutex<HashMap<IpAddr, usize>>>,
}

impl Addresses {
    /// At most `limit` connections per address; 0 means no limit. Trusted proxies are unlimited.
    pub fn new(limit: usize, trusted: &[IpNet]) -> Self {
        Self { limit, trusted: trusted.into(), open: Arc::default() }
    }

    /// Counts a connection; `None` if the address is at its limit.
    pub fn count(&self, peer: IpAddr) -> Option<Counted> {
        let peer = peer.to_canonical();
        // A proxy on the same machine carries the connections of all clients.
        let is_local = [IpAddr::from(Ipv4Addr::LOCALHOST), IpAddr::from(Ipv6Addr::LOCALHOST)].contains(&peer);
        let is_exempt = self.limit == 0 || is_local || self.trusted.iter().any(|network| network.contains(&peer));
        let address = (!is_exempt).then(|| counted(peer));
        if let Some(address) = address {
            let mut open = self.open.lock();
            let count = open.entry(address).or_default();
            if *count >= self.limit {
                return None;
            }
            *count += 1;
        }
        Some(Counted { address, open: Arc::clone(&self.open) })
    }
}

impl Drop for Counted {
    fn drop(&mut self) {
        let Some(address) = self.address else { return };
        let mut open = self.open.lock();
        if let Some(count) = open.get_mut(&address) {
            *count -= 1;
            if *count == 0 {
                open.remove(&address);
            }
        }
    }
}
