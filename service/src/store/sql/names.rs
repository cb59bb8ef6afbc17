//! The names that ids of reference data stand for.

use std::collections::BTreeMap;

use super::fold;

/// The names of so many tenants are kept in memory.
pub(in crate::store) const TENANTS: usize = 1000;

/// The tables whose names are kept.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::store) enum Table {
    AccountTypes,
    AddressTypes,
    /// The user names of assignees.
    Assignees,
    BusinessTypes,
    ChartOfAccountTypes,
    Classes,
    Countries,
    Currencies,
    EmailTypes,
    PhoneTypes,
    SalesTaxItems,
    ServiceTypes,
}

/// Every table, in the order of its number: what it is called, and what its names are.
const TABLES: [(Table, &str, &str); 12] = [
    (Table::AccountTypes, "account_types", "name"),
    (Table::AddressTypes, "address_types", "name"),
    (Table::Assignees, "assignees", "coalesce(user_name, name)"),
    (Table::BusinessTypes, "business_types", "name"),
    (Table::ChartOfAccountTypes, "chart_of_account_types", "name"),
    (Table::Classes, "classes", "name"),
    (Table::Countries, "countries", "name"),
    (Table::Currencies, "currencies", "name"),
    (Table::EmailTypes, "email_types", "name"),
    (Table::PhoneTypes, "phone_types", "name"),
    (Table::SalesTaxItems, "sales_tax_items", "name"),
    (Table::ServiceTypes, "service_types", "name"),
];

/// The names of a tenant's reference data.
#[derive(Debug, Default)]
pub(in crate::store) struct Names {
    /// Another one when any of them has changed.
    pub(in crate::store) version: i64,
    tenant: String,
    tables: [BTreeMap<i32, Box<str>>; TABLES.len()],
}

impl Names {
    /// None yet, of a tenant of that name.
    pub(in crate::store) fn new(version: i64, tenant: String) -> Self {
        Self { version, tenant, tables: Default::default() }
    }

    /// For each table its number, and what selects ids and names of the tenant that is the parameter `tenant`.
    pub(in crate::store) fn statements(tenant: &str) -> impl Iterator<Item = (usize, String)> {
        let statement = move |(_, table, name): &(Table, &str, &str)| {
            format!("SELECT id, {name} FROM {table} WHERE tenant_id = {tenant}")
        };
        TABLES.iter().map(statement).enumerate()
    }

    /// Adds a name to the table with that number.
    pub(in crate::store) fn add(&mut self, table: usize, id: i32, name: Box<str>) {
        if let Some(names) = self.tables.get_mut(table) {
            names.insert(id, name);
        }
    }

    pub(in crate::store) fn get(&self, table: Table, id: i32) -> Option<&str> {
        self.tables[table as usize].get(&id).map(AsRef::as_ref)
    }

    /// The ids of the names that `part` is a part of, in any letter case.
    pub(in crate::store) fn ids(&self, table: Table, part: &str) -> Vec<i32> {
        let part = fold(part);
        let names = self.tables[table as usize].iter();
        names.filter(|(_, name)| fold(name).contains(&part)).map(|(id, _)| *id).collect()
    }

    pub(in crate::store) fn tenant(&self) -> &str {
        &self.tenant
    }
}

#[cfg(test)]
mod tests {
    use super::TABLES;

    #[test]
    fn tables_stand_in_the_order_of_their_numbers() {
        assert!(TABLES.iter().enumerate().all(|(number, (table, ..))| *table as usize == number));
    }
}
