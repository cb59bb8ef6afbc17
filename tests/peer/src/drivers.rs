//! The cost of the account list with each PostgreSQL driver: the same statements, read into the same structs.

use std::{
    sync::{
        Arc,
        atomic::{AtomicU32, Ordering},
    },
    time::{Duration, Instant},
};

use anyhow::{Context as _, Result};
use deadpool_postgres::{Manager, Pool, Runtime};
use futures_util::{FutureExt as _, future::BoxFuture, try_join};
use tokio_postgres::{NoTls, Row};

use crate::{
    Database as _,
    model::{ACCOUNT, ADDRESS, Account, Address, LOCATION, Location, joined},
    postgres,
};

const TENANT: i32 = 1;
const LIMIT: i64 = 25;

/// Number of connections, and of concurrent lists.
const CONNECTIONS: usize = 16;

/// Number of rounds per driver, and their duration.
const ROUNDS: u32 = 5;
const TURN: Duration = Duration::from_secs(2);

/// `/proc/self/stat` counts in hundredths of a second.
const TICK: f64 = 1e4;

type List = Arc<dyn Fn() -> BoxFuture<'static, Result<usize>> + Send + Sync>;

/// Prints the cost of a list: processor time of this process, and lists per second.
pub async fn measure(url: &str) -> Result<()> {
    let by_sqlx = postgres::Database::open(url).await?;
    let pool =
        Pool::builder(Manager::new(url.parse()?, NoTls)).max_size(CONNECTIONS).runtime(Runtime::Tokio1).build()?;
    let together = pool.clone();
    let lists: [(&str, List); 3] = [
        (
            "sqlx",
            Arc::new(move || {
                let database = by_sqlx.clone();
                async move { Ok(database.list(TENANT, LIMIT, 0).await?.0.len()) }.boxed()
            }),
        ),
        ("tokio-postgres", Arc::new(move || list(pool.clone(), false).boxed())),
        ("tokio-postgres, statements together", Arc::new(move || list(together.clone(), true).boxed())),
    ];
    let mut spent = [(0.0, 0); 3];
    for round in 0..=ROUNDS {
        for ((name, list), (cpu, count)) in lists.iter().zip(&mut spent) {
            let before = ticks()?;
            let done = load(list).await.with_context(|| format!("a list by {name} failed"))?;
            // The first round warms up: it opens connections and prepares statements.
            if round > 0 {
                *cpu += (ticks()? - before) * TICK;
                *count += done;
            }
        }
    }
    for ((name, _), (cpu, count)) in lists.iter().zip(spent) {
        let a_second = f64::from(count) / (TURN * ROUNDS).as_secs_f64();
        println!("{name}\t{:.1}\t{a_second:.0}", cpu / f64::from(count));
    }
    Ok(())
}

/// Runs concurrent lists repeatedly; returns their number.
async fn load(list: &List) -> Result<u32> {
    let (count, end) = (Arc::new(AtomicU32::new(0)), Instant::now() + TURN);
    let callers: Vec<_> = (0..CONNECTIONS)
        .map(|_| {
            let (list, count) = (Arc::clone(list), Arc::clone(&count));
            tokio::spawn(async move {
                while Instant::now() < end {
                    anyhow::ensure!(list().await? == usize::try_from(LIMIT)?, "the page is not full");
                    count.fetch_add(1, Ordering::Relaxed);
                }
                Ok(())
            })
        })
        .collect();
    for caller in callers {
        caller.await??;
    }
    Ok(count.load(Ordering::Relaxed))
}

/// The same as `postgres::Database` with sqlx. With `together`, statements that need the account ids are
/// pipelined, and so are the others.
async fn list(pool: Pool, together: bool) -> Result<usize> {
    let connection = pool.get().await?;
    let accounts = ACCOUNT.replace("{accounts}", "tenant_id = $1 ORDER BY id LIMIT $2 OFFSET $3");
    let accounts = connection.prepare_cached(&accounts).await?;
    let total = "SELECT coalesce(sum(value), 0)::bigint FROM counters WHERE tenant_id = $1 AND name = 'accounts'";
    let total = connection.prepare_cached(total).await?;
    let locations = format!("SELECT {LOCATION} WHERE tenant_id = $1 AND account_id = ANY ($2) ORDER BY account_id, id");
    let locations = connection.prepare_cached(&locations).await?;
    let addresses =
        format!("SELECT {ADDRESS} WHERE a.tenant_id = $1 AND a.account_id = ANY ($2) ORDER BY a.account_id, a.id");
    let addresses = connection.prepare_cached(&addresses).await?;

    let page: [&(dyn tokio_postgres::types::ToSql + Sync); 3] = [&TENANT, &LIMIT, &0i64];
    let (rows, count) = if together {
        try_join!(connection.query(&accounts, &page), connection.query_one(&total, &[&TENANT]))?
    } else {
        (connection.query(&accounts, &page).await?, connection.query_one(&total, &[&TENANT]).await?)
    };
    let _: i64 = count.try_get(0)?;
    let accounts = rows.iter().map(account).collect::<Result<Vec<_>, _>>()?;
    let ids: Vec<i32> = accounts.iter().map(|account| account.id).collect();
    let of_page: [&(dyn tokio_postgres::types::ToSql + Sync); 2] = [&TENANT, &ids];
    let (locations, addresses) = if together {
        try_join!(connection.query(&locations, &of_page), connection.query(&addresses, &of_page))?
    } else {
        (connection.query(&locations, &of_page).await?, connection.query(&addresses, &of_page).await?)
    };
    let locations = locations.iter().map(location).collect::<Result<Vec<_>, _>>()?;
    let addresses = addresses.iter().map(address).collect::<Result<Vec<_>, _>>()?;
    Ok(joined(accounts, locations, addresses).len())
}

/// Builds a struct with each field from the column of its name.
macro_rules! read {
    ($row:ident, $type:ident { $($field:ident),* $(,)? } $($inner:ident)?) => {
        Ok($type { $($field: $row.try_get(stringify!($field))?,)* $($inner: Vec::new())? })
    };
}

type Read<T> = Result<T, tokio_postgres::Error>;

#[rustfmt::skip]
fn account(row: &Row) -> Read<Account> {
    read!(row, Account {
        id, created_by, created_on, modified_by, modified_on, parent_id, account_code, account_type_id, account_type,
        account_name, business_type_id, business_type, service_type_id, service_type, account_manager_id,
        account_manager_user_name, currency_id, currency_name, credit_limit, net_days, sales_tax_item_id,
        sales_tax_item_name, website, description, class_id, class_name, is_active, is_billing, acquired_date, tenant_name,
    } locations)
}

#[rustfmt::skip]
fn location(row: &Row) -> Read<Location> {
    read!(row, Location {
        account_id, id, created_by, created_on, modified_by, modified_on, location_name, is_main, is_active, time_zone_id,
        date_format_id, time_format_id,
    } addresses)
}

#[rustfmt::skip]
fn address(row: &Row) -> Read<Address> {
    read!(row, Address {
        location_id, id, created_by, created_on, modified_by, modified_on, address1, address2, city, state, zip_code,
        country_id, country, phone, fax, latitude, longitude, email_address, is_main, is_billing, address_type_id,
        address_type,
    })
}

/// Processor time of this process, in ticks.
fn ticks() -> Result<f64> {
    let stat = std::fs::read_to_string("/proc/self/stat").context("only Linux says what a process has spent")?;
    let fields = stat.rsplit_once(')').context("a name in parentheses")?.1;
    let ticks = fields.split_whitespace().skip(11).take(2).map(str::parse::<f64>);
    Ok(ticks.collect::<Result<Vec<_>, _>>()?.iter().sum())
}
