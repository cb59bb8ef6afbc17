//! Token lookups, cached for a second.

use std::{
    collections::HashMap,
    sync::{Arc, Mutex},
    time::{Duration, Instant},
};

use axum::http::{HeaderMap, StatusCode, header};
use sha2::{Digest as _, Sha256};

use crate::{Database, failed};

/// Recently used tokens.
#[derive(Clone, Default)]
pub struct Known(Arc<Mutex<HashMap<[u8; 32], (Instant, i32)>>>);

impl Known {
    /// The tenant of the request's token.
    pub async fn tenant(&self, database: &impl Database, headers: &HeaderMap) -> Result<i32, StatusCode> {
        let header = headers.get(header::AUTHORIZATION).and_then(|value| value.to_str().ok());
        let secret = header.and_then(|value| value.strip_prefix("Bearer ")).ok_or(StatusCode::UNAUTHORIZED)?;
        let hash: [u8; 32] = Sha256::digest(secret).into();
        if let Some((seen, tenant)) = self.0.lock().unwrap().get(&hash)
            && seen.elapsed() < Duration::from_secs(1)
        {
            return Ok(*tenant);
        }
        let tenant = database.tenant(&hash).await.map_err(failed)?.ok_or(StatusCode::UNAUTHORIZED)?;
        self.0.lock().unwrap().insert(hash, (Instant::now(), tenant));
        Ok(tenant)
    }
}
