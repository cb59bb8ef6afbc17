//! Tenants: the owners of data.

/// The id of a tenant. Every row belongs to exactly one tenant.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct TenantId(pub i32);

impl TenantId {
    /// The first tenant of a new store.
    pub const FIRST: Self = Self(1);
}

/// A tenant.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Tenant {
    /// Its number.
    pub id: TenantId,
    /// Its name, shown as `TenantName`.
    pub name: String,
}
