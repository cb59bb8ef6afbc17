use super::*;
use crate::{
    domain::{
        caller::Visibility,
        list::{Members as _, Shape, Sort, SortKey, Window, shape},
        tenant::TenantId,
    },
    store::{
        Options,
        sql::{Dialect, account, assignee, attachment, job, reference},
        sqlite::{Database, names::Cache, reader::Reader, watch::Patience},
    },
};

/// What a list must keep to.
fn check<T: Default>(connection: &Connection, resource: &Resource<T>, shape: &Shape, owner: &[(&'static str, i64)]) {
    let names: Vec<_> = resource.columns.iter().map(|column| column.name).collect();
    let members: Vec<_> = shape.members().into_iter().map(|(name, _)| name).collect();
    let is_sortable = |position: usize| shape.members()[position].1;
    assert_eq!(names, members);
    for (position, column) in resource.columns.iter().enumerate() {
        assert_eq!(column.order.is_some(), is_sortable(position), "{}", column.name);
    }

    let conditions = Conditions::within_scope(Dialect::Sqlite, TenantId::FIRST, owner);
    let sortable = (0..names.len()).filter(|member| is_sortable(*member));
    for (member, descending) in sortable.flat_map(|member| [(member, false), (member, true)]) {
        let sort = Sort(vec![SortKey { member, descending }]);
        for offset in [0, 5000] {
            let window = Window { offset, limit: Some(25), after: None };
            let part = Part { sort: &sort, exclude: Exclude::default(), window };
            let plan = plan(connection, &resource.page(&conditions, part, 10_000, Some(10_000)));
            assert!(plan.iter().all(|step| !step.starts_with("SCAN")), "{}: {plan:?}", names[member]);
            if offset == 0 {
                assert!(plan.iter().all(|step| !step.contains("ORDER BY")), "{}: {plan:?}", names[member]);
            }
        }
    }
}

/// The steps of a statement, apart from those of the small lookups beside each record.
fn plan(connection: &Connection, sql: &str) -> Vec<String> {
    let mut statement = connection.prepare(&format!("EXPLAIN QUERY PLAN {sql}")).unwrap();
    let parameters = params_from_iter(vec![1; statement.parameter_count()]);
    let steps = statement.query_map(parameters, |row| Ok((row.get(1)?, row.get(3)?))).unwrap().map(Result::unwrap);
    steps.filter(|(parent, _): &(i64, String)| *parent == 0).map(|(_, step)| step).collect()
}

#[test]
fn every_order_that_is_offered_has_its_index() {
    let folder = tempfile::tempdir().unwrap();
    let database = Database::open(&folder.path().join("store.db"), &Options::default()).unwrap();
    let of_object = [("module_id", 1), ("object_id", 1)];
    database
        .read_blocking(|reader| {
            let connection = reader.connection();
            check(connection, &account::SUMMARY, &shape::ACCOUNT_SUMMARY, &[]);
            check(connection, &account::LOOKUP, &shape::ACCOUNT_LOOKUP, &[]);
            check(connection, &reference::ACCOUNT_CODE, &shape::ACCOUNT_CODE, &[]);
            check(connection, &reference::CHART_OF_ACCOUNT, &shape::CHART_OF_ACCOUNT, &[]);
            check(connection, &reference::CHART_OF_ACCOUNT_TYPE, &shape::CHART_OF_ACCOUNT_TYPE, &[]);
            check(connection, &assignee::ASSIGNEE, &shape::ASSIGNEE, &[]);
            check(connection, &assignee::LOOKUP, &shape::ASSIGNEE_LOOKUP, &[]);
            check(connection, &attachment::ATTACHMENT, &shape::ATTACHMENT, &of_object);
            check(connection, &job::LOG, &shape::JOB_LOG, &[("job_id", 1)]);
            Ok(())
        })
        .unwrap();
}

#[test]
fn a_long_page_is_no_work_for_a_thread_that_serves() {
    let folder = tempfile::tempdir().unwrap();
    let database = Database::open(&folder.path().join("store.db"), &Options::default()).unwrap();
    let [all, _] = account::SUMMARY.counters.unwrap();
    database.execute(&format!("INSERT OR REPLACE INTO counters VALUES (1, '{all}', 49000)"));
    let conditions = Conditions::within_scope(Dialect::Sqlite, TenantId::FIRST, &[]);
    let page = |limit| {
        let window = Window { offset: 0, limit: Some(limit), after: None };
        let conditions = &conditions;
        move |reader: &Reader| {
            let cache = Cache::default();
            let view = View::of(reader, TenantId::FIRST, &Visibility::All, &cache);
            let part = Part { sort: &Sort(Vec::new()), exclude: Exclude::default(), window };
            Ok(account::SUMMARY.list(&view, &Names::default(), conditions, part)?.total)
        }
    };
    assert!(matches!(database.with_reader(&Patience::Short, &page(25)), Ok(Some(49_000))));
    assert!(matches!(database.with_reader(&Patience::Short, &page(1_000)), Ok(None)));
    assert!(matches!(database.with_reader(&Patience::Endless, &page(1_000)), Ok(Some(49_000))));
}
