use rusqlite::Connection;

use super::*;
use crate::{
    domain::{
        list::{SortKey, Window},
        tenant::TenantId,
    },
    store::{Options, Store, export::among_keys, resource::*, statement::Dialect, value::Value},
};

/// Checks that every order of a list uses an index, also for a page far from the start.
fn check<T: Default>(connection: &Connection, list: &List<T>, conditions: &Conditions) {
    let sortable = list.members.iter().enumerate().filter(|(_, member)| member.is_sorted);
    for ((position, member), descending) in sortable.flat_map(|found| [(found, false), (found, true)]) {
        let sort = Sort(vec![SortKey { member: position, descending }]);
        for offset in [0, 5000] {
            let window = Window { offset, limit: Some(25), after: None };
            let query = ListQuery { sort: sort.clone(), window, ..ListQuery::default() };
            let plan = plan(connection, &list.page(conditions, &query).sql);
            assert!(plan.iter().all(|step| !step.starts_with("SCAN")), "{}: {plan:?}", member.name);
            if offset == 0 {
                assert!(plan.iter().all(|step| !step.contains("ORDER BY")), "{}: {plan:?}", member.name);
            }
        }
    }
}

/// The steps of a query plan, except lookups of each record's references.
fn plan(connection: &Connection, sql: &str) -> Vec<String> {
    let mut statement = connection.prepare(&format!("EXPLAIN QUERY PLAN {}", sql.replace('$', "?"))).unwrap();
    let parameters = rusqlite::params_from_iter(vec![1; statement.parameter_count()]);
    let steps = statement.query_map(parameters, |row| Ok((row.get(1)?, row.get(3)?))).unwrap().map(Result::unwrap);
    steps.filter(|(parent, _): &(i64, String)| *parent == 0).map(|(_, step)| step).collect()
}

#[test]
fn every_order_that_is_offered_has_its_index() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("store.db");
    let store = Store::open(&file, &Options::default()).unwrap();
    check_all(&store, &Connection::open(&file).unwrap());
    let filled = Connection::open(&file).unwrap();
    let rows = "PRAGMA foreign_keys = OFF;
        CREATE TEMP TABLE n AS WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 5000) SELECT i FROM n;
        INSERT INTO accounts (tenant_id, id, account_type_id, name, name_folded, business_type_id, manager_id, is_active)
            SELECT 1, i, i % 3, 'Name ' || i, 'name ' || i, i % 2, i % 20, i % 10 <> 0 FROM n;
        INSERT INTO contacts (tenant_id, id, account_id, location_id, first_name_folded, last_name_folded, name_folded)
            SELECT 1, i, i % 900 + 1, i, 'a' || i % 50, 'b' || i, 'a' || i FROM n;
        PRAGMA optimize = 0x10002;";
    filled.execute_batch(rows).unwrap();
    check_all(&store, &Connection::open(&file).unwrap());
}

#[test]
fn nested_records_are_found_by_the_index_of_the_outermost_record() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("store.db");
    Store::open(&file, &Options::default()).unwrap();
    let connection = Connection::open(&file).unwrap();
    for resource in RESOURCES.iter().filter(|resource| resource.above > 0) {
        let (among, _) = among_keys(Dialect::Sqlite, resource.members[0].column, &[Value::Integer(1)]);
        let plan = plan(&connection, &resource.select(&among, Vec::new()).sql);
        let outermost = format!("{}=?", resource.members[0].column);
        assert!(plan.iter().any(|step| step.contains(&outermost)), "{}: {plan:?}", resource.name);
    }
}

/// The lists of the interface.
fn check_all(store: &Store, connection: &Connection) {
    let all = store.tenant(TenantId::FIRST).conditions();
    let of_account = all.clone().of("account_id", 1);
    check(connection, &ACCOUNT_SUMMARY, &all);
    check(connection, &ACCOUNT_LOOKUP, &all);
    check(connection, &CONTACT_SUMMARY, &all);
    check(connection, &CONTACT_LOOKUP, &of_account);
    check(connection, &ACCOUNT_CODE, &all);
    check(connection, &CHART_OF_ACCOUNT, &all);
    check(connection, &CHART_OF_ACCOUNT_TYPE, &all);
    check(connection, &ASSIGNEE, &all);
    check(connection, &ASSIGNEE_LOOKUP, &all);
    let of_object = all.of("module_id", 1).of("object_id", 1);
    check(connection, &ATTACHMENT, &of_object);
}
