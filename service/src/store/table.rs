//! The tables of a store and their keys. Copies, backups and checks use this list.

use std::sync::LazyLock;

use super::{
    Error,
    record::Resource,
    resource::RESOURCES,
    session::Session,
    statement::{Dialect, Statement, placeholders},
    value::{Row, Value},
};

/// A table with rows of tenants.
#[derive(Clone, Debug)]
pub(super) struct Table {
    pub(super) name: &'static str,
    /// The key within a tenant.
    pub(super) key: Vec<&'static str>,
    /// The column that refers to another row of the same table.
    pub(super) parent: Option<&'static str>,
}

/// The number of rows that are read at once.
pub(super) const BATCH: usize = 500;

/// All other tables except that of tenants. Rows refer to rows of earlier tables only.
pub(super) static TABLES: LazyLock<Vec<Table>> = LazyLock::new(|| {
    let table = |(name, key): &(&'static str, &[&'static str])| Table { name, key: key.to_vec(), parent: None };
    let resources = RESOURCES.iter().map(|resource| Table::of(resource));
    resources.chain(OTHERS.iter().map(table)).collect()
});

/// The tables without a resource.
const OTHERS: &[(&str, &[&str])] = &[
    ("sequences", &["name"]),
    ("tokens", &["id"]),
    ("contents", &["hash"]),
    ("unused_blobs", &["blob"]),
    ("attachments", &["module_id", "object_id", "id"]),
    ("temporary_uploads", &["alias"]),
    ("jobs", &["id"]),
    ("job_logs", &["job_id", "id"]),
    ("scan_schedules", &["agent_id"]),
    ("scan_runs", &["agent_id", "schedule", "occurrence"]),
    ("audit_log", &["sequence"]),
    ("idempotency_keys", &["token_id", "operation", "key"]),
];

/// A walk over the rows of a table.
pub(super) struct Walk<'a> {
    table: &'a Table,
    session: &'a Session,
    columns: &'a [String],
    tenant: i32,
    after: Option<Vec<Value>>,
}

impl Walk<'_> {
    /// The next rows, at most [`BATCH`]; `None` if there are no more.
    pub(super) async fn next(&mut self) -> Result<Option<Vec<Row>>, Error> {
        let rows = self.session.rows(self.page()).await?;
        let Some(last) = rows.last() else { return Ok(None) };
        let position = |name: &&str| self.columns.iter().position(|column| column == name);
        self.after = Some(self.table.key.iter().filter_map(position).map(|at| last.0[at].clone()).collect());
        Ok(Some(rows))
    }

    fn page(&self) -> Statement {
        let mut values = vec![self.tenant.into()];
        let key = self.table.key.join(", ");
        let behind = self.after.as_ref().map_or_else(String::new, |after| {
            values.extend_from_slice(after);
            format!("AND ({key}) > ({})", placeholders(2..=values.len()))
        });
        let (rows, columns) = (self.rows(), self.columns.join(", "));
        let sql = format!("SELECT {columns} FROM {rows} WHERE tenant_id = $1 {behind} ORDER BY {key} LIMIT {BATCH}");
        Statement::new(sql, values)
    }

    /// The rows with these columns. On PostgreSQL, changes without a number get the next ones.
    fn rows(&self) -> String {
        let (dialect, table, columns) = (self.session.dialect(), self.table.name, self.columns);
        if dialect == Dialect::Sqlite || table != "audit_log" || !columns.iter().any(|name| name == "sequence") {
            return table.to_owned();
        }
        let number = "coalesce((SELECT next FROM sequences WHERE tenant_id = $1 AND name = 'audit_log'), 1) - 1
                      + row_number() OVER (ORDER BY entry) AS sequence";
        let numbered = |name: &String| if name == "sequence" { number.to_owned() } else { name.clone() };
        let numbered: Vec<_> = columns.iter().map(numbered).collect();
        let (columns, numbered) = (columns.join(", "), numbered.join(", "));
        format!(
            "(SELECT {columns} FROM audit_log WHERE tenant_id = $1 AND sequence IS NOT NULL
              UNION ALL SELECT {numbered} FROM audit_log WHERE tenant_id = $1 AND sequence IS NULL) AS audit_log"
        )
    }
}

impl Table {
    /// The table of a resource.
    pub(super) fn of(resource: &Resource) -> Self {
        let parent = resource.parent().map(|position| resource.members[position].column);
        Self { name: resource.table, key: resource.key_columns().split_off(1), parent }
    }

    /// Walks over the rows of a tenant in the order of keys, from the one after a key.
    pub(super) fn walk<'a>(
        &'a self,
        session: &'a Session,
        columns: &'a [String],
        tenant: i32,
        after: Option<Vec<Value>>,
    ) -> Walk<'a> {
        Walk { table: self, session, columns, tenant, after }
    }

    /// The largest key of a tenant.
    pub(super) fn last(&self, tenant: i32) -> Statement {
        let order: Vec<_> = self.key.iter().map(|column| format!("{column} DESC")).collect();
        let (key, order) = (self.key.join(", "), order.join(", "));
        let sql = format!("SELECT {key} FROM {} WHERE tenant_id = $1 ORDER BY {order} LIMIT 1", self.name);
        Statement::new(sql, vec![tenant.into()])
    }
}

/// The columns of a table; empty if the table does not exist.
pub(super) async fn columns(session: &Session, table: &str) -> Result<Vec<String>, Error> {
    let sql = match session.dialect() {
        Dialect::Sqlite => "SELECT name FROM pragma_table_info($1) ORDER BY cid",
        Dialect::Postgres => {
            "SELECT column_name::text FROM information_schema.columns
             WHERE table_schema = current_schema() AND table_name = $1 ORDER BY ordinal_position"
        }
    };
    session.texts(Statement::new(sql, vec![table.into()])).await
}
