//! Accounts, their locations and alerts.

use std::sync::Arc;

use generated_server::{
    models::{AccountAlert, AccountAlertType, AccountLocation, AccountLocationLookup, AccountSummary},
    runtime::json::Maybe,
};

use super::{
    operation::*,
    resource::{ACCOUNT_SUMMARY, ACCOUNTS, ADDRESS, LOCATION, LOCATION_LOOKUP, attach, by_owner},
    text,
    view::Answers,
};

/// The new state of an account: PUT ignores the present one, PATCH modifies it. May be called more than once.
pub type AccountChange = Arc<dyn Fn(&Record) -> Result<Record, Vec<Refusal>> + Send + Sync>;

/// Maximum depth of the account tree, which bounds the time to follow parents.
pub(super) const DEPTH: i64 = 100;

/// The lock for writes that move an account.
pub(super) const TREE: &str = "accounts.tree";

impl TenantStore {
    /// Accounts with their related records; see [`ACCOUNT_SUMMARY`].
    pub async fn account_summaries(&self, query: ListQuery) -> Result<Listed<AccountSummary>, Error> {
        self.page(&ACCOUNT_SUMMARY, self.seen(&ACCOUNTS), query, summaries).await
    }

    /// One account.
    pub async fn account_summary(&self, id: i32) -> Result<Option<AccountSummary>, Error> {
        self.view(Cost::Short, id, |view, id| async move { Ok(summary(&view.unbounded(), id, Vec::new()).await?.1) })
            .await
    }

    /// The locations of an account; `None` if the account does not exist.
    pub async fn account_locations(&self, account: i32) -> Result<Option<Listed<AccountLocationLookup>>, Error> {
        let account = self.scope.visible.sought(account);
        self.list_below(("accounts", "account_id"), account, &LOCATION_LOOKUP, ListQuery::default()).await
    }

    /// One location of an account.
    pub async fn account_location(&self, account: i32, location: i32) -> Result<Option<AccountLocation>, Error> {
        self.view(Cost::Short, (account, location), |view, (account, location)| async move {
            let ids = [view.visible.sought(account).into()];
            let reads = [LOCATION.of(&view, &ids), ADDRESS.of(&view, &ids)];
            let locations = locations(&mut view.named(reads).await?)?.into_iter();
            Ok(locations.map(|(_, location)| location).find(|found| found.id == Some(location)))
        })
        .await
    }

    /// An alert; without id and details if the account has none of this kind, `None` if there is no such
    /// account.
    pub async fn account_alert(&self, account: i32, kind: AccountAlertType) -> Result<Option<AccountAlert>, Error> {
        let sql = "SELECT id, details FROM account_alerts WHERE tenant_id = $1 AND account_id = $2 AND kind = $3";
        let alert = Statement::new(sql, values![self.tenant().0, account, kind as i64]);
        let account = self.exists("accounts", self.scope.visible.sought(account));
        self.view(Cost::Short, [account, alert], |view, statements| async move {
            let [account, alert] = view.session.run(statements).await?;
            if account.is_empty() {
                return Ok(None);
            }
            let Some(alert) = alert.first() else {
                return Ok(Some(AccountAlert { id: None, details: Maybe::Value(Vec::new()) }));
            };
            let details = text::read(&alert.get::<String>(1)?)?;
            Ok(Some(AccountAlert { id: Some(alert.get(0)?), details: Maybe::Value(details) }))
        })
        .await
    }

    /// Creates an account with its locations and addresses, once per key.
    pub async fn create_account(
        &self,
        new: Record,
        key: Option<IdempotencyKey>,
    ) -> Result<Done<AccountSummary>, Error> {
        self.change_once(key, new, create).await
    }

    /// Changes an account if the condition holds; other writes are excluded meanwhile. If `work` changes
    /// nothing, nothing is written. `None` if the account does not exist.
    pub async fn update_account(
        &self,
        id: i32,
        condition: Condition<AccountSummary>,
        work: AccountChange,
    ) -> Result<Option<AccountSummary>, Error> {
        self.change((id, condition, work), update).await
    }
}

async fn summaries(view: View, asked: Asked<AccountSummary>) -> Result<Listed<AccountSummary>, Error> {
    let (list, conditions, query) = &*asked;
    let mut found = view.list(list, conditions, query).await?;
    if !ACCOUNT_SUMMARY.excludes(query.exclude, "Locations") {
        let ids = found.ids();
        found.answers.follow(vec![LOCATION.of(&view, &ids), ADDRESS.of(&view, &ids)]).await?;
        let locations = locations(&mut found.answers)?;
        attach(&mut found.records, locations, |account, locations| account.locations = Maybe::Value(locations));
    }
    Ok(found.without_ids())
}

/// One account, after other statements, whose rows come first.
async fn summary(
    view: &View,
    id: i32,
    before: Vec<Statement>,
) -> Result<(Vec<Vec<Row>>, Option<AccountSummary>), Error> {
    let id = view.visible.sought(id);
    let conditions = view.conditions().of("id", id);
    let ids = [id.into()];
    let reads = [ACCOUNT_SUMMARY.found(&conditions), LOCATION.of(view, &ids), ADDRESS.of(view, &ids)];
    let (rows, mut answers) = view.named_after(before, reads).await?;
    let mut accounts = answers.records(&ACCOUNT_SUMMARY)?;
    let locations = locations(&mut answers)?;
    attach(&mut accounts, locations, |account, locations| account.locations = Maybe::Value(locations));
    Ok((rows, accounts.pop().map(|(_, account)| account)))
}

/// Locations with their addresses, which come next in the answers.
fn locations(answers: &mut Answers) -> Result<Vec<(i64, AccountLocation)>, Error> {
    let mut locations = answers.records(&LOCATION)?;
    let mut addresses = by_owner(answers.records(&ADDRESS)?);
    for (_, location) in &mut locations {
        let own = location.id.and_then(|id| addresses.remove(&id.into()));
        location.addresses = Maybe::Value(own.unwrap_or_default());
    }
    Ok(locations)
}

async fn create(change: Change, mut record: Record) -> Result<AccountSummary, Error> {
    let mut refusals = Vec::new();
    check_parent(&change, 0, record.get(&ACCOUNTS, "ParentId")?, &mut refusals).await?;
    change.check(&ACCOUNTS, &mut record, None, &mut refusals).await?;
    accepted(refusals)?;
    let (record, inserts) = change.insert(&ACCOUNTS, record).await?;
    let id = record.get(&ACCOUNTS, "Id")?.clone().read()?;
    let created = current(&change, id, inserts).await?;
    change.note(&subject(id), None, Some(text::json(&created)));
    Ok(created)
}

async fn update(
    change: Change,
    (id, condition, work): (i32, Condition<AccountSummary>, AccountChange),
) -> Result<Option<AccountSummary>, Error> {
    let of_id = format!("id = $2{}", change.session.dialect().for_update());
    let select = ACCOUNTS.select(&of_id, values![change.tenant.0, change.visible.sought(id)]);
    // The row is locked before the others are read.
    let (rows, before) = summary(&change.view, id, vec![select]).await?;
    let Some((row, before)) = rows.into_iter().flatten().next().zip(before) else { return Ok(None) };
    let mut present = ACCOUNTS.record(row);
    if condition.is_some_and(|expected| !expected(&before)) {
        return Err(Error::NotAsExpected);
    }
    // A hidden parent reads as null, and is kept when null is written.
    let parent = present.get(&ACCOUNTS, "ParentId")?.clone();
    let is_hidden = before.parent_id.value().is_none() && parent != Value::Null;
    if is_hidden {
        present.set(&ACCOUNTS, "ParentId", Value::Null);
    }
    let mut record = work(&present).map_err(Error::Refused)?;
    if record == present {
        return Ok(Some(before));
    }
    let mut refusals = Vec::new();
    let wanted = record.get(&ACCOUNTS, "ParentId")?.clone();
    if wanted != *present.get(&ACCOUNTS, "ParentId")? {
        check_parent(&change, id, &wanted, &mut refusals).await?;
    }
    change.check(&ACCOUNTS, &mut record, Some(&present), &mut refusals).await?;
    accepted(refusals)?;
    if is_hidden && wanted == Value::Null {
        record.set(&ACCOUNTS, "ParentId", parent);
    }
    record.set(&ACCOUNTS, "ModifiedBy", change.actor.assignee.into());
    record.set(&ACCOUNTS, "ModifiedOn", change.now.into());
    let after = current(&change, id, vec![ACCOUNTS.update(change.tenant.0, &record)]).await?;
    change.note(&subject(id), Some(text::json(&before)), Some(text::json(&after)));
    Ok(Some(after))
}

fn subject(id: i32) -> Subject {
    Subject::new(ACCOUNTS.kind, id).of_account(Some(id))
}

/// The account after `writes`, which are sent together with the reads.
async fn current(change: &Change, id: i32, writes: Vec<Statement>) -> Result<AccountSummary, Error> {
    let (_, account) = summary(&change.view, id, writes).await?;
    account.ok_or_else(|| Error::Damaged(format!("account {id} is gone while it is written")))
}

/// Checks that an account may be below that parent. A new account has the id 0.
async fn check_parent(change: &Change, id: i32, parent: &Value, refusals: &mut Vec<Refusal>) -> Result<(), Error> {
    let Value::Integer(parent) = parent else { return Ok(()) };
    // A hidden one is refused like a missing one, with the other references.
    if !i32::try_from(*parent).is_ok_and(|parent| change.visible.includes(parent)) {
        return Ok(());
    }
    // Serialize moves: two valid moves could form a cycle together.
    let above = above(change.tenant.0, *parent, id.into());
    let [_, above] = change.session.run([change.hold(TREE), above]).await?;
    let detail = match first(&above)? {
        Some(1) => format!("is {parent}, which is the account itself or stands below it"),
        Some(2) => format!("is {parent}, below which it cannot stand: accounts stand {DEPTH} deep at most"),
        _ => return Ok(()),
    };
    refusals.push(Refusal::new("/ParentId", "reference", detail));
    Ok(())
}

/// Selects whether `id` is `parent` or above it (1), or whether the tree would be too deep with what is below `id` (2).
fn above(tenant: i32, parent: i64, id: i64) -> Statement {
    let sql = "WITH RECURSIVE above (id, depth) AS (
                   SELECT CAST($2 AS integer), 1
                   UNION ALL
                   SELECT a.parent_id, above.depth + 1 FROM above
                   JOIN accounts AS a ON a.tenant_id = $1 AND a.id = above.id
                   WHERE a.parent_id IS NOT NULL AND above.id <> $3 AND above.depth < $4),
               below (id, height) AS (
                   SELECT CAST($3 AS integer), 1
                   UNION ALL
                   SELECT a.id, below.height + 1 FROM below
                   JOIN accounts AS a ON a.tenant_id = $1 AND a.parent_id = below.id WHERE below.height < $4)
               SELECT CAST(CASE WHEN max(CASE WHEN id = $3 THEN 1 ELSE 0 END) = 1 THEN 1
                   WHEN max(depth) + (SELECT max(height) FROM below) > $4 THEN 2 ELSE 0 END AS bigint) FROM above";
    Statement::new(sql, values![tenant, parent, id, DEPTH])
}
