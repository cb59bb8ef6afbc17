//! Modules: the kinds of objects that attachments belong to.

/// A module whose objects the service stores.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Module {
    /// 1: accounts.
    Accounts,
    /// 2: contacts, each of which belongs to an account.
    Contacts,
}

impl Module {
    /// Every module.
    pub const ALL: [Self; 2] = [Self::Accounts, Self::Contacts];

    /// The module with this `moduleId`.
    pub fn of_id(id: i32) -> Option<Self> {
        Self::ALL.into_iter().find(|module| module.id() == id)
    }

    /// Its `moduleId`.
    pub fn id(self) -> i32 {
        match self {
            Self::Accounts => 1,
            Self::Contacts => 2,
        }
    }

    /// The noun for one of its objects.
    pub fn object(self) -> &'static str {
        match self {
            Self::Accounts => "account",
            Self::Contacts => "contact",
        }
    }
}
