//! What operations are written with, and how they run: short ones at once, long ones with a permit, writes in one transaction.

use std::{any::Any, sync::Arc};

use futures_util::{FutureExt as _, future::BoxFuture};
use generated_server::runtime::json::{Read, Write};

pub(super) use super::{
    Condition, Error, Store, TenantStore,
    change::{Change, accepted},
    record::Record,
    statement::{Conditions, Dialect, Statement, array, first},
    value::{Row, Value, values},
    view::View,
};
use super::{
    backend::Backend,
    record::{Resource, audited::owner},
    resource::{ACCOUNTS, List},
};
pub(super) use crate::domain::{
    caller::Visibility,
    change::Subject,
    idempotency::{Done, IdempotencyKey},
    list::{Exclude, ListQuery, Listed, Window},
    refusal::Refusal,
    tenant::TenantId,
};

/// Maximum page size of a short read.
const SHORT_PAGE: u32 = 200;

/// Maximum offset of a short read.
const SHORT_WAY: u64 = 1000;

/// The expected cost of a read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Cost {
    /// A few lookups by key, or a page along an index.
    Short,
    /// A search, or any number of records.
    Long,
}

impl Cost {
    /// The cost of a window of records with conditions.
    pub(super) fn of(conditions: &Conditions, window: Window) -> Self {
        // Other matches are counted one by one.
        let is_counted = conditions.is_narrow || conditions.is_empty() || conditions.only_active.is_some();
        let is_short =
            is_counted && window.offset <= SHORT_WAY && window.limit.is_some_and(|limit| limit <= SHORT_PAGE);
        if is_short { Self::Short } else { Self::Long }
    }
}

/// A list, the conditions of its records and the query, shared by retries.
pub(super) type Asked<T> = Arc<(&'static List<T>, Conditions, ListQuery)>;

/// What a write does with what is asked.
type Work<A, F> = fn(Change, A) -> F;

/// Work and its result without their types: the databases' code is then compiled once, not for each operation.
pub(super) type AnyWork<C> = Box<dyn Fn(C) -> BoxFuture<'static, Result<AnyValue, Error>> + Send + Sync>;
pub(super) type AnyValue = Box<dyn Any + Send>;

fn any_work<C, A, T, F>(asked: A, work: fn(C, A) -> F) -> AnyWork<C>
where
    C: 'static,
    A: Clone + Send + Sync + 'static,
    T: Send + 'static,
    F: Future<Output = Result<T, Error>> + Send + 'static,
{
    Box::new(move |context| {
        let work = work(context, asked.clone());
        async move { work.await.map(|value| Box::new(value) as AnyValue) }.boxed()
    })
}

/// The result of work that returned a `T`.
fn typed<T: 'static>(result: AnyValue) -> Result<T, Error> {
    result
        .downcast()
        .map_or_else(|_| Err(Error::Damaged("an operation has the result of another one".into())), |value| Ok(*value))
}

impl TenantStore {
    /// Conditions on records of the tenant.
    pub(super) fn conditions(&self) -> Conditions {
        let dialect = match &self.backend {
            Backend::Sqlite(_) => Dialect::Sqlite,
            Backend::Postgres(_) => Dialect::Postgres,
        };
        Conditions::new(dialect, self.scope.tenant.0)
    }

    /// Conditions on records of the tenant that the caller may see.
    pub(super) fn seen(&self, resource: &'static Resource) -> Conditions {
        let mut conditions = self.conditions();
        if let Some((position, _)) = owner(resource).filter(|(_, owner)| owner.table == ACCOUNTS.table) {
            let column = resource.members[position].column;
            let parent = resource.parent().map(|position| resource.members[position].column);
            conditions.visible(column, parent, &self.scope.visible);
        }
        conditions
    }

    /// Reads a snapshot. `work` may be called more than once, each time with what is asked.
    pub(super) async fn view<A, T, F>(&self, cost: Cost, asked: A, work: fn(View, A) -> F) -> Result<T, Error>
    where
        A: Clone + Send + Sync + 'static,
        T: Send + 'static,
        F: Future<Output = Result<T, Error>> + Send + 'static,
    {
        let work = any_work(asked, work);
        typed(match &self.backend {
            Backend::Sqlite(database) => database.read_as(&self.scope, cost, work).await?,
            Backend::Postgres(database) => database.read_as(&self.scope, cost, work).await?,
        })
    }

    /// Writes, and returns when it is durable. Completes even if the caller is gone, and retries conflicts as
    /// a whole.
    pub(super) async fn change<A, T, F>(&self, asked: A, work: Work<A, F>) -> Result<T, Error>
    where
        A: Clone + Send + Sync + 'static,
        T: Send + 'static,
        F: Future<Output = Result<T, Error>> + Send + 'static,
    {
        let work = any_work(asked, work);
        typed(match &self.backend {
            Backend::Sqlite(database) => database.submit(&self.scope, work)?.await?,
            Backend::Postgres(database) => database.write_as(&self.scope, work).await?,
        })
    }

    /// The same, unless the same request with that key has been done: then returns its result.
    pub(super) async fn change_once<A, T, F>(
        &self,
        key: Option<IdempotencyKey>,
        asked: A,
        work: Work<A, F>,
    ) -> Result<Done<T>, Error>
    where
        A: Clone + Send + Sync + 'static,
        T: Read + Write + Send + 'static,
        F: Future<Output = Result<T, Error>> + Send + 'static,
    {
        let once = |change: Change, (key, work, asked): (Option<IdempotencyKey>, Work<A, F>, A)| async move {
            change.once(key.as_ref(), |change| work(change, asked)).await
        };
        self.change((key, work, asked), once).await
    }

    /// The records of a list of the interface that the caller may see.
    pub async fn list<T: Send + 'static>(&self, list: &'static List<T>, query: ListQuery) -> Result<Listed<T>, Error> {
        self.page(list, self.seen(list.resource), query, plain).await
    }

    /// A page of a list, read by `work`. A page that is too large is cut where the next one can continue.
    pub(super) async fn page<T, F>(
        &self,
        list: &'static List<T>,
        mut conditions: Conditions,
        mut query: ListQuery,
        work: fn(View, Asked<T>) -> F,
    ) -> Result<Listed<T>, Error>
    where
        T: Send + 'static,
        F: Future<Output = Result<Listed<T>, Error>> + Send + 'static,
    {
        list.filter(&query.filter, &self.scope.visible, &mut conditions)?;
        let limit = query.window.limit;
        let is_by_key = list.is_by_key(&query.sort);
        loop {
            let asked = Arc::new((list, conditions.clone(), query.clone()));
            let read = self.view(Cost::of(&conditions, query.window), (asked, work), |view, (asked, work)| {
                let is_one = asked.2.window.limit == Some(1);
                work(if is_one { view.unbounded() } else { view }, asked)
            });
            match (read.await, query.window.limit) {
                (Err(Error::TooLarge), Some(most)) if is_by_key && most > 1 => query.window.limit = Some(most / 2),
                (read, most) => return read.map(|listed| Listed { is_cut: most != limit, ..listed }),
            }
        }
    }

    /// The records of a list whose `column` has the id of a record of `table`; `None` if that record does not exist.
    pub(super) async fn list_below<T: Send + 'static>(
        &self,
        (table, column): (&str, &str),
        id: impl Into<Value> + Copy,
        list: &'static List<T>,
        query: ListQuery,
    ) -> Result<Option<Listed<T>>, Error> {
        let owner = self.exists(table, id);
        let mut conditions = self.conditions().of(column, id);
        list.filter(&query.filter, &self.scope.visible, &mut conditions)?;
        let asked = Arc::new((owner, list, conditions, query));
        self.view(Cost::of(&asked.2, asked.3.window), asked, |view, asked| async move {
            let (owner, list, conditions, query) = &*asked;
            if view.rows(owner.clone()).await?.is_empty() {
                return Ok(None);
            }
            Ok(Some(view.list(list, conditions, query).await?.without_ids()))
        })
        .await
    }

    /// The statement that finds a row if the record exists.
    pub(super) fn exists(&self, table: &str, id: impl Into<Value>) -> Statement {
        let sql = format!("SELECT 1 FROM {table} WHERE tenant_id = $1 AND id = $2");
        Statement::new(sql, [self.scope.tenant.0.into(), id.into()])
    }
}

/// Reads a page of records without nested ones.
pub(super) async fn plain<T>(view: View, asked: Asked<T>) -> Result<Listed<T>, Error> {
    let (list, conditions, query) = &*asked;
    Ok(view.list(list, conditions, query).await?.without_ids())
}
