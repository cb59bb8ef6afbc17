//! Checks the health of a PostgreSQL server and the rights on the tables.

use deadpool_postgres::Pool;

use super::replica::Replicas;
use crate::{
    causes::root_cause,
    store::{
        Error, Finding, Options,
        direct::Direct,
        session::Session,
        statement::Statement,
        value::{Value, values},
    },
};

/// The existing indexes, triggers and views.
pub(in crate::store) const OBJECTS: &str = "
    SELECT relname::text FROM pg_class WHERE relnamespace = quote_ident(current_schema())::regnamespace AND relkind IN ('i', 'I', 'v')
    UNION SELECT t.tgname::text FROM pg_trigger AS t JOIN pg_class AS c ON c.oid = t.tgrelid
    WHERE c.relnamespace = quote_ident(current_schema())::regnamespace AND NOT t.tgisinternal";

/// Each query returns problems and their remedies as text.
const CHECKS: &[&str] = &[
    "SELECT 'the database is a standby, which takes no writes',
         'let `store` name the primary, or all servers with `target_session_attrs=read-write`'
     WHERE pg_is_in_recovery()",
    "SELECT format('the setting `%s` of the server is `%s`: what was acknowledged can be lost', name, setting),
         format('`ALTER SYSTEM SET %s = on`, then `SELECT pg_reload_conf()`', name)
     FROM pg_settings WHERE name IN ('fsync', 'full_page_writes', 'synchronous_commit')
         AND (setting = 'off' OR setting = 'local' AND current_setting('synchronous_standby_names') <> '') ORDER BY 1",
    "SELECT format('the server has read %s pages whose checksum is wrong', checksum_failures),
         'its disk or memory fails: promote a standby, or restore a backup on another machine'
     FROM pg_stat_database WHERE datname = current_database() AND checksum_failures > 0",
    // A role without rights to see standbys gets no rows here.
    "SELECT 'no standby of those that `synchronous_standby_names` names is there: writes wait for one',
         'start it, or take it out of `synchronous_standby_names` until it is back'
     WHERE current_setting('synchronous_standby_names') <> '' AND NOT pg_is_in_recovery()
         AND pg_has_role('pg_read_all_stats', 'USAGE')
         AND NOT EXISTS (SELECT FROM pg_stat_replication WHERE sync_state IN ('sync', 'quorum'))",
    "SELECT format('nobody reads the replication slot `%s`: the server keeps %s MiB of changes for it', slot_name,
             CASE WHEN NOT pg_is_in_recovery()
                 THEN (pg_wal_lsn_diff(pg_current_wal_lsn(), restart_lsn) / 1048576)::bigint END),
         format('start its standby, or `SELECT pg_drop_replication_slot(%L)`, before the disk is full', slot_name)
     FROM pg_replication_slots WHERE NOT active AND restart_lsn IS NOT NULL ORDER BY 1",
    "SELECT format('the index `%s` is not valid: nothing is found by it', i.indexrelid::regclass),
         format('`REINDEX INDEX CONCURRENTLY %s`', i.indexrelid::regclass)
     FROM pg_index AS i JOIN pg_class AS c ON c.oid = i.indexrelid
     WHERE c.relnamespace = quote_ident(current_schema())::regnamespace
         AND NOT (i.indisvalid AND i.indisready) ORDER BY 1",
    "SELECT format('%s triggers of the table `%s` are off: sizes or references are not kept', count(*), t.tgrelid::regclass),
         format('`ALTER TABLE %s ENABLE TRIGGER ALL` as a superuser, then `service doctor` again', t.tgrelid::regclass)
     FROM pg_trigger AS t JOIN pg_class AS c ON c.oid = t.tgrelid
     WHERE c.relnamespace = quote_ident(current_schema())::regnamespace AND t.tgenabled NOT IN ('O', 'A')
     GROUP BY t.tgrelid ORDER BY 1",
    "SELECT format('the rule `%s` of the table `%s` was never checked for the rows that were there', o.conname, o.conrelid::regclass),
         format('`ALTER TABLE %s VALIDATE CONSTRAINT %I`', o.conrelid::regclass, o.conname)
     FROM pg_constraint AS o WHERE o.connamespace = quote_ident(current_schema())::regnamespace AND NOT o.convalidated ORDER BY 1",
    "SELECT format('the table `%s` is not held by row-level security', c.oid::regclass),
         format('as its owner: `ALTER TABLE %1$s ENABLE ROW LEVEL SECURITY`', c.oid::regclass)
     FROM pg_class AS c JOIN pg_attribute AS a ON a.attrelid = c.oid AND a.attname = 'tenant_id'
     WHERE c.relnamespace = quote_ident(current_schema())::regnamespace AND c.relkind IN ('r', 'p')
         AND NOT c.relrowsecurity ORDER BY 1",
    "SELECT format('the table `%s` has no policy: its rows are shown to nobody but its owner', c.oid::regclass),
         format('as its owner: `CREATE POLICY of_tenant ON %s USING (tenant_id = (SELECT nullif(current_setting(%L, true), %L)::integer))`',
             c.oid::regclass, 'service.tenant', '')
     FROM pg_class AS c JOIN pg_attribute AS a ON a.attrelid = c.oid AND a.attname = 'tenant_id'
     WHERE c.relnamespace = quote_ident(current_schema())::regnamespace AND c.relkind IN ('r', 'p')
         AND c.relrowsecurity AND NOT EXISTS (SELECT FROM pg_policy AS p WHERE p.polrelid = c.oid AND p.polname = 'of_tenant')
     ORDER BY 1",
    "SELECT format('the view `%s` shows what its owner may see, so the rows of all tenants', c.oid::regclass),
         format('as its owner: `ALTER VIEW %s SET (security_invoker = true)`', c.oid::regclass)
     FROM pg_class AS c WHERE c.relnamespace = quote_ident(current_schema())::regnamespace AND c.relkind = 'v'
         AND current_setting('server_version_num')::integer >= 150000
         AND NOT coalesce(c.reloptions, '{}') @> ARRAY['security_invoker=true'] ORDER BY 1",
    "SELECT format('the next number of the table `audit_log` is in use: changes of records are refused, up to %s', l.entry),
         format('as its owner: `SELECT setval(%L, %s)`', pg_get_serial_sequence('audit_log', 'entry'), l.entry)
     FROM (SELECT max(entry) AS entry FROM audit_log) AS l JOIN pg_sequences AS s
         ON (quote_ident(s.schemaname) || '.' || quote_ident(s.sequencename))::regclass
            = pg_get_serial_sequence('audit_log', 'entry')::regclass
     WHERE coalesce(s.last_value, 0) < l.entry",
];

/// The same, for the role of the service, which is the role of the session unless it is named.
const ROLE: &str = "SELECT format('the role `%s` %s: the server shows it the rows of all tenants', r.rolname, CASE
             WHEN r.rolsuper THEN 'is a superuser' WHEN r.rolbypassrls THEN 'steps over row-level security'
             ELSE 'owns the tables' END),
         'let another role own the tables, name it in `store_owner`, and run `service migrate`'
     FROM pg_roles AS r WHERE r.rolname::text = coalesce($1, current_user::text) AND (r.rolsuper OR r.rolbypassrls
         OR EXISTS (SELECT FROM pg_class AS c WHERE c.oid = to_regclass('accounts') AND pg_has_role(r.oid, c.relowner, 'USAGE')))";

/// Problems of the server, the rights and the standbys.
pub(in crate::store) async fn server(
    pool: &Pool,
    session: &Session,
    role: Option<&str>,
    options: &Options,
) -> Result<Vec<Finding>, Error> {
    let mut findings = findings(session, ROLE, values![role]).await?;
    for check in CHECKS {
        findings.extend(self::findings(session, check, Vec::new()).await?);
    }
    let replicas = Replicas::new(&options.replicas, 1)?;
    for (about, is_read) in replicas.about(pool).await {
        if !is_read {
            let remedy = "start it, or let `store_read_replicas` name standbys of this database alone";
            findings.push(Finding::new(format!("the replica {about}"), remedy));
        }
    }
    replicas.close();
    Ok(findings)
}

/// Indexes in which the extension amcheck finds a problem; empty without the extension.
pub(in crate::store) async fn integrity(direct: &Direct, session: &Session) -> Result<Vec<String>, Error> {
    let sql = "SELECT i.indexrelid::regclass::text FROM pg_index AS i JOIN pg_class AS c ON c.oid = i.indexrelid
               JOIN pg_am AS m ON m.oid = c.relam
               WHERE EXISTS (SELECT FROM pg_extension WHERE extname = 'amcheck') AND m.amname = 'btree' AND i.indisvalid
                   AND c.relkind = 'i' AND c.relnamespace = quote_ident(current_schema())::regnamespace ORDER BY 1";
    let mut found = Vec::new();
    for index in session.texts(sql).await? {
        // One index per transaction, because an error ends it.
        let check = Statement::new("SELECT bt_index_check($1::text::regclass, true)", values![&index]);
        match direct.write(async |session| session.rows(check).await).await {
            Ok(_) => {}
            Err(Error::Busy) => return Err(Error::Busy),
            Err(error) => found.push(format!("{index}: {}", root_cause(&error))),
        }
    }
    Ok(found)
}

/// References to missing records. The server prevents them, unless its triggers were disabled.
pub(in crate::store) async fn foreign_keys(session: &Session) -> Result<Vec<(String, String, u64)>, Error> {
    // Builds a statement for each foreign key.
    let sql = "SELECT format('SELECT count(*) FROM %s AS f WHERE %s AND NOT EXISTS (SELECT FROM %s AS t WHERE %s)', o.conrelid::regclass,
                   string_agg(format('f.%I IS NOT NULL', f.attname), ' AND '), o.confrelid::regclass,
                   string_agg(format('t.%I = f.%I', t.attname, f.attname), ' AND ')),
                   o.conrelid::regclass::text, o.confrelid::regclass::text
               FROM pg_constraint AS o CROSS JOIN LATERAL unnest(o.conkey, o.confkey) AS k (from_column, to_column)
               JOIN pg_attribute AS f ON f.attrelid = o.conrelid AND f.attnum = k.from_column
               JOIN pg_attribute AS t ON t.attrelid = o.confrelid AND t.attnum = k.to_column
               WHERE o.contype = 'f' AND o.connamespace = quote_ident(current_schema())::regnamespace
               GROUP BY o.oid, o.conrelid, o.confrelid ORDER BY 2, 3";
    let mut found = Vec::new();
    for mut row in session.rows(sql).await? {
        if let Some(count @ 1..) = session.first::<u64>(row.take::<String>(0)?).await? {
            found.push((row.take(1)?, row.take(2)?, count));
        }
    }
    Ok(found)
}

/// The findings of a check: problems and remedies.
async fn findings(session: &Session, sql: &'static str, values: Vec<Value>) -> Result<Vec<Finding>, Error> {
    let rows = session.rows(Statement::new(sql, values)).await?;
    rows.into_iter().map(|mut row| Ok(Finding::new(row.take::<String>(0)?, row.take::<String>(1)?))).collect()
}
