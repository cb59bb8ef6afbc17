//! Whose data it is.

/// The number of a tenant. Everything stored belongs to exactly one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct TenantId(pub i32);

impl TenantId {
    /// The tenant that a new store begins with.
    pub const FIRST: Self = Self(1);
}

/// A tenant, as the store knows it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Tenant {
    /// Its number.
    pub id: TenantId,
    /// Its name, shown as `TenantName`.
    pub name: String,
}
