//! Bearer tokens: what they allow, and how their secrets are kept.

use std::{collections::BTreeSet, fmt, sync::Arc};

use jiff::Timestamp;
use sha2::{Digest, Sha256};

use super::{
    caller::{Caller, Visibility},
    tenant::TenantId,
};

/// What secrets begin with, so that scanners of source code know them.
const PREFIX: &str = "bms_";

/// A token as the store keeps it; cheap to clone.
#[derive(Clone, Debug)]
pub struct Token {
    /// Its number within the tenant.
    pub id: i32,
    /// The tenant it is for.
    pub tenant: TenantId,
    /// What it was named when it was made.
    pub name: Arc<str>,
    /// What it allows.
    pub grants: Arc<Grants>,
    /// The accounts it may see.
    pub visible: Visibility,
    /// The assignee on whose behalf it acts.
    pub assignee: Option<i32>,
    /// When it was made.
    pub created_on: Timestamp,
    /// When it ends by itself.
    pub expires_on: Option<Timestamp>,
    /// When it was last presented, to the minute.
    pub last_used_on: Option<Timestamp>,
    /// When it was revoked.
    pub revoked_on: Option<Timestamp>,
}

/// A token to make.
#[derive(Clone, Debug, Default)]
pub struct NewToken {
    /// A name to know it by.
    pub name: String,
    /// What it allows.
    pub grants: Grants,
    /// The accounts it may see.
    pub visible: Visibility,
    /// The assignee on whose behalf it acts.
    pub assignee: Option<i32>,
    /// When it ends by itself.
    pub expires_on: Option<Timestamp>,
}

impl Token {
    /// Whether it is neither revoked nor expired.
    pub fn is_usable(&self, now: Timestamp) -> bool {
        self.revoked_on.is_none() && self.expires_on.is_none_or(|end| now < end)
    }

    /// Who bears it.
    pub fn caller(self) -> Caller {
        Caller {
            tenant: self.tenant,
            token: self.id,
            name: self.name,
            assignee: self.assignee,
            grants: self.grants,
            visible: self.visible,
        }
    }
}

/// The areas that scopes are about.
pub const AREAS: [&str; 8] = ["crm", "finance", "hr", "attachments", "settings", "agents", "system", "changes"];

/// What a token allows.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Grants {
    /// Function identifiers of agent operations, such as 560206.
    pub functions: BTreeSet<u32>,
    /// Scopes such as `read:crm` and `write:attachments`; `*` in place of either part or of both stands for any.
    pub scopes: BTreeSet<String>,
}

impl Grants {
    /// Everything that can be allowed.
    pub fn all(functions: impl IntoIterator<Item = u32>) -> Self {
        Self { functions: functions.into_iter().collect(), scopes: BTreeSet::from(["*".to_owned()]) }
    }

    /// Whether they hold what an operation asks for: a scope such as `read:crm`, or a function as `function:560206`.
    pub fn allow(&self, asked: &str) -> bool {
        match function(asked) {
            Some(function) => self.functions.contains(&function),
            None => self.scopes.iter().any(|granted| covers(granted, asked)),
        }
    }

    /// A scope that covers nothing, because it is misspelt.
    pub fn empty_scope(&self) -> Option<&str> {
        let covers_any = |scope: &&String| {
            ["read", "write"].iter().any(|verb| AREAS.iter().any(|area| covers(scope, &format!("{verb}:{area}"))))
        };
        self.scopes.iter().find(|scope| !covers_any(scope)).map(String::as_str)
    }
}

/// The identifier in `function:560206`; nothing when a scope is asked for.
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

/// What the bearer presents; shown once, when the token is made, and kept nowhere.
#[derive(Clone, PartialEq, Eq)]
pub struct Secret(String);

impl Secret {
    /// A new one, of 256 random bits.
    pub fn generate() -> Result<Self, getrandom::Error> {
        let mut bytes = [0; 32];
        getrandom::fill(&mut bytes)?;
        Ok(Self(format!("{PREFIX}{}", hexadecimal(&bytes))))
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

fn hexadecimal(bytes: &[u8]) -> String {
    const DIGITS: &[u8; 16] = b"0123456789abcdef";
    bytes.iter().flat_map(|byte| [byte >> 4, byte & 15]).map(|digit| char::from(DIGITS[usize::from(digit)])).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn secrets_are_long_random_and_never_printed() {
        let (one, other) = (Secret::generate().unwrap(), Secret::generate().unwrap());
        assert_eq!(one.reveal().len(), PREFIX.len() + 64);
        assert_ne!(one, other);
        assert_eq!(format!("{one:?}"), "Secret(…)");
        assert_eq!(one.hash(), Secret::presented(one.reveal()).hash());
    }

    #[test]
    fn stars_stand_for_either_part_of_a_scope() {
        let grants = |scopes: &[&str]| Grants {
            functions: BTreeSet::new(),
            scopes: scopes.iter().map(|scope| (*scope).to_owned()).collect(),
        };
        assert!(grants(&["*"]).allow("write:crm"));
        assert!(grants(&["read:*"]).allow("read:crm"));
        assert!(!grants(&["read:*"]).allow("write:crm"));
        assert!(grants(&["*:crm"]).allow("write:crm"));
        assert!(!grants(&["read:crm", "write:system"]).allow("write:crm"));
        assert!(!grants(&[]).allow("read:crm"));
        assert!(!grants(&["*", "function:*", "*:560206", "function:560206"]).allow("function:560206"));
        assert!(Grants::all([560_206]).allow("function:560206") && !Grants::all([560_206]).allow("function:560207"));

        assert_eq!(grants(&["*", "read:*", "*:hr", "write:system"]).empty_scope(), None);
        for misspelt in ["crm", "read:crmm", "reed:crm", "read:", ""] {
            assert_eq!(grants(&["*", misspelt]).empty_scope(), Some(misspelt));
        }
    }
}
