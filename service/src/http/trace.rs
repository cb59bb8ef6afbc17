//! What is known of a request beside what HTTP says of it.

use std::{net::IpAddr, sync::OnceLock};

use crate::domain::tenant::TenantId;

/// Where a request comes from, and who calls once that is known. It stands in the extensions of the request.
#[derive(Debug)]
pub struct Trace {
    /// Where the request comes from.
    pub address: IpAddr,
    caller: OnceLock<(TenantId, i32)>,
}

impl Trace {
    /// A request from there.
    pub fn new(address: IpAddr) -> Self {
        Self { address, caller: OnceLock::new() }
    }

    /// Notes the tenant and the number of the token.
    pub fn is_by(&self, tenant: TenantId, token: i32) {
        let _ = self.caller.set((tenant, token));
    }

    /// The tenant and the number of the token, once they are known.
    pub fn caller(&self) -> Option<(TenantId, i32)> {
        self.caller.get().copied()
    }
}
