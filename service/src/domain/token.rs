//! Bearer tokens: their rights, and the storage of their secrets.

use std::{collections::BTreeSet, fmt, sync::Arc};

use jiff::Timestamp;
use sha2::{Digest, Sha256};

use super::{
    attachment::ContentHash,
    caller::{Actor, Visibility},
    tenant::TenantId,
};

/// Prefix of secrets, known to secret scanners.
const PREFIX: &str = "bms_";

/// A stored token; cheap to clone.
#[derive(Clone, Debug)]
pub struct Token {
    /// Its id within the tenant.
    pub id: i32,
    /// The tenant it is for.
    pub tenant: TenantId,
    /// Its name.
    pub name: Arc<str>,
    /// Its rights.
    pub grants: Arc<Grants>,
    /// The accounts it may see.
    pub visible: Visibility,
    /// The assignee it acts for.
    pub assignee: Option<i32>,
    /// When it was created.
    pub created_on: Timestamp,
    /// When it expires.
    pub expires_on: Option<Timestamp>,
    /// When it was last used, to the minute.
    pub last_used_on: Option<Timestamp>,
    /// When it was revoked.
    pub revoked_on: Option<Timestamp>,
}

/// A token to create.
#[derive(Clone, Debug, Default)]
pub struct NewToken {
    /// Its name.
    pub name: String,
    /// Its rights.
    pub grants: Grants,
    /// The accounts it may see.
    pub visible: Visibility,
    /// The assignee it acts for.
    pub assignee: Option<i32>,
    /// When it expires.
    pub expires_on: Option<Timestamp>,
}

impl Token {
    /// Whether it is neither revoked nor expired.
    pub fn is_usable(&self, now: Timestamp) -> bool {
        self.revoked_on.is_none() && self.expires_on.is_none_or(|end| now < end)
    }

    /// The token as the author of an operation's writes.
    pub fn actor(&self, operation: &'static str) -> Actor {
        Actor { token: Some((self.id, Arc::clone(&self.name))), assignee: self.assignee, operation }
    }
}

/// The areas of scopes.
pub const AREAS: [&str; 8] = ["crm", "finance", "hr", "attachments", "settings", "agents", "system", "changes"];

/// The rights of a token.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Grants {
    /// Function identifiers of agent operations, such as 560206.
    pub functions: BTreeSet<u32>,
    /// Scopes such as `read:crm` and `write:attachments`; `*` matches any part.
    pub scopes: BTreeSet<String>,
}

impl Grants {
    /// Every right.
    pub fn all(functions: impl IntoIterator<Item = u32>) -> Self {
        Self { functions: functions.into_iter().collect(), scopes: BTreeSet::from(["*".to_owned()]) }
    }

    /// Whether they include a required scope such as `read:crm`, or a function as `function:560206`.
    pub fn allow(&self, asked: &str) -> bool {
        match function(asked) {
            Some(function) => self.functions.contains(&function),
            None => self.scopes.iter().any(|granted| covers(granted, asked)),
        }
    }

    /// A scope that matches nothing, probably misspelt.
    pub fn empty_scope(&self) -> Option<&str> {
        let covers_any = |scope: &&String| {
            ["read", "write"].iter().any(|verb| AREAS.iter().any(|area| covers(scope, &format!("{verb}:{area}"))))
        };
        self.scopes.iter().find(|scope| !covers_any(scope)).map(String::as_str)
    }
}

/// The id in `function:560206`; `None` for a scope.
pub fn function(asked: &str) -> Option<u32> {
    asked.strip_prefix("function:")?.parse().ok()
}

fn covers(granted: &str, scope: &str) -> bool {
    let part = |granted: &str, part: &str| granted == "*" || granted == part;
    granted == "*"
        || match (granted.split_once(':'), scope.split_once(':')) {
            (Some((verb, area)), Some((wanted_verb, wanted_area))) => {
                part(verb, wanted_verb) && part(area, wanted_area)
            }
            _ => granted == scope,
        }
}

/// The secret, shown once when the token is created, and never stored.
#[derive(Clone, PartialEq, Eq)]
pub struct Secret(String);

impl Secret {
    /// A new one, of 256 random bits.
    pub fn generate() -> Result<Self, getrandom::Error> {
        let mut bytes = [0; 32];
        getrandom::fill(&mut bytes)?;
        Ok(Self(format!("{PREFIX}{}", ContentHash(bytes))))
    }

    /// One that was presented.
    pub fn presented(text: impl Into<String>) -> Self {
        Self(text.into())
    }

    /// Its text, to be shown to the one it is for.
    pub fn reveal(&self) -> &str {
        &self.0
    }

    /// What the store keeps of it.
    pub fn hash(&self) -> SecretHash {
        SecretHash(Sha256::digest(self.0.as_bytes()).into())
    }
}

impl fmt::Debug for Secret {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("Secret(…)")
    }
}

/// The SHA-256 of a secret. The secret is random, so that the hash needs neither salt nor cost.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct SecretHash(pub [u8; 32]);
