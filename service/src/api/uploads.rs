//! Limits concurrent uploads in total, per tenant and per token.

use std::{
    collections::HashMap,
    sync::{Arc, Mutex, PoisonError},
};

use generated_server::runtime::server::{Common, Failure};
use tokio::sync::{OwnedSemaphorePermit, Semaphore};

use crate::{
    domain::{caller::Caller, tenant::TenantId},
    shares::of_tenant,
};

/// `Retry-After` of a refusal, in seconds.
const RETRY_SECONDS: u32 = 2;

/// Admits uploads. A token may have a quarter of all running uploads, and as many waiting ones; a tenant
/// three quarters. Further uploads are refused.
#[derive(Debug)]
pub(crate) struct Uploads {
    all: Arc<Semaphore>,
    share: usize,
    /// The limit of a tenant.
    of_tenant: usize,
    tenants: Mutex<HashMap<TenantId, Arc<Semaphore>>>,
    callers: Mutex<HashMap<(TenantId, i32), Arc<Places>>>,
}

/// The uploads of one token.
#[derive(Debug)]
struct Places {
    /// Permits for running and waiting uploads.
    admitted: Arc<Semaphore>,
    under_way: Arc<Semaphore>,
}

/// A running upload, until dropped.
#[derive(Debug)]
pub(crate) struct Admitted {
    _permits: [OwnedSemaphorePermit; 4],
}

impl Uploads {
    /// Allows this many concurrent uploads.
    pub(crate) fn new(limit: usize) -> Self {
        let limit = limit.max(1);
        Self {
            all: Arc::new(Semaphore::new(limit)),
            share: limit.div_ceil(4),
            of_tenant: of_tenant(limit),
            tenants: Mutex::default(),
            callers: Mutex::default(),
        }
    }

    /// Waits for a permit, or refuses with 503 when too many wait. No byte of the file is read meanwhile.
    pub(crate) async fn admit(&self, caller: &Caller) -> Result<Admitted, Failure<Common>> {
        let places = {
            let mut callers = self.callers.lock().unwrap_or_else(PoisonError::into_inner);
            // Forget tokens without uploads.
            callers.retain(|_, places| places.admitted.available_permits() < self.share * 2);
            let places = callers.entry((caller.tenant, caller.token)).or_insert_with(|| {
                let semaphore = |permits| Arc::new(Semaphore::new(permits));
                Arc::new(Places { admitted: semaphore(self.share * 2), under_way: semaphore(self.share) })
            });
            Arc::clone(places).admit()?
        };
        let (admitted, places) = places;
        // The token's permit first, then the tenant's, so that waiters hold no shared permit.
        let own = Arc::clone(&places.under_way).acquire_owned().await?;
        let of_tenant = self.tenant(caller.tenant).acquire_owned().await?;
        let one = Arc::clone(&self.all).acquire_owned().await?;
        Ok(Admitted { _permits: [admitted, own, of_tenant, one] })
    }

    fn tenant(&self, tenant: TenantId) -> Arc<Semaphore> {
        let mut tenants = self.tenants.lock().unwrap_or_else(PoisonError::into_inner);
        // Waiters and holders keep a reference, too.
        tenants.retain(|_, places| Arc::strong_count(places) > 1);
        Arc::clone(tenants.entry(tenant).or_insert_with(|| Arc::new(Semaphore::new(self.of_tenant))))
    }
}

impl Places {
    fn admit(self: Arc<Self>) -> Result<(OwnedSemaphorePermit, Arc<Self>), Failure<Common>> {
        let permit = Arc::clone(&self.admitted).try_acquire_owned();
        permit.map(|permit| (permit, self)).map_err(|_| Failure::unavailable(RETRY_SECONDS))
    }
}

#[cfg(test)]
pub(super) mod tests {
    use futures_util::FutureExt as _;

    use super::*;
    use crate::domain::{caller::Visibility, token::Grants};

    pub(in crate::api) fn caller(tenant: TenantId, token: i32) -> Caller {
        Caller {
            tenant,
            token,
            name: "test".into(),
            assignee: None,
            grants: Grants::default().into(),
            visible: Visibility::All,
        }
    }

    #[tokio::test]
    async fn a_caller_has_a_quarter_waits_for_more_and_is_refused_beyond() {
        let uploads = Uploads::new(8);
        let (one, other) = (caller(TenantId(1), 1), caller(TenantId(1), 2));
        let first = uploads.admit(&one).await.expect("a place");
        let _second = uploads.admit(&one).await.expect("a place");
        let mut waiting = [Box::pin(uploads.admit(&one)), Box::pin(uploads.admit(&one))];
        for waiting in &mut waiting {
            assert!(waiting.now_or_never().is_none());
        }
        let refused = uploads.admit(&one).await.expect_err("one too many");
        assert_eq!((refused.status().as_u16(), refused.headers()["retry-after"].to_str().ok()), (503, Some("2")));
        let _others = uploads.admit(&other).await.expect("the place of another");

        drop(first);
        let [next, last] = waiting;
        let _next = next.await.expect("the place that became free");
        drop(last);
        assert!(uploads.admit(&one).now_or_never().is_none(), "who gave up waiting made room for one who waits");
    }

    #[tokio::test]
    async fn the_tokens_of_a_tenant_leave_places_to_those_of_others() {
        let uploads = Uploads::new(8);
        let mut under_way = Vec::new();
        for token in 1..=3 {
            for _ in 0..2 {
                under_way.push(uploads.admit(&caller(TenantId(1), token)).await.expect("a place"));
            }
        }
        let fourth = caller(TenantId(1), 4);
        let mut waiting = Box::pin(uploads.admit(&fourth));
        assert!((&mut waiting).now_or_never().is_none(), "the tenant has three quarters");
        let _other = uploads.admit(&caller(TenantId(2), 1)).now_or_never().expect("at once").expect("a place");
        under_way.clear();
        let _fourth = waiting.await.expect("a place that became free");
    }
}
