//! Measures what the store costs on 100,000 accounts: `cargo run --release --example measure_store`.

use std::{
    error::Error,
    time::{Duration, Instant},
};

use generated_server::{models::AccountPost, runtime::json};
use service::{
    domain::{
        list::{Exclude, Filter, ListQuery, Members as _, Sort, Test, Window},
        tenant::TenantId,
    },
    store::{
        Options, Store, TenantStore,
        record::Record,
        resource::{ACCOUNT_SUMMARY, ACCOUNTS},
    },
};

const COUNT: u32 = 100_000;
const WRITERS: usize = 64;

fn main() -> Result<(), Box<dyn Error>> {
    let folder = std::env::args().nth(1).map_or_else(std::env::temp_dir, Into::into);
    let file = folder.join("measure_store.db");
    let store = Store::open(&file, &Options::default())?;
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build()?;
    let tenant = store.tenant(TenantId::FIRST);
    if store.is_new() {
        reference_data(&file)?;
        runtime.block_on(fill(&tenant))?;
    }
    let store_tenant = tenant.clone();
    runtime.block_on(async move { tokio::spawn(measure(store_tenant)).await })??;
    Ok(())
}

fn reference_data(file: &std::path::Path) -> Result<(), Box<dyn Error>> {
    let connection = rusqlite::Connection::open(file)?;
    for table in ["account_types", "business_types", "service_types", "currencies", "countries", "address_types"] {
        for id in 1..=5 {
            let sql = format!("INSERT INTO {table} (tenant_id, id, name, name_folded) VALUES (1, ?1, ?2, ?3)");
            connection.execute(&sql, (id, format!("{table} {id}"), format!("{table} {id}")))?;
        }
    }
    for id in 1..=50 {
        let sql = "INSERT INTO assignees (tenant_id, id, name, name_folded, user_name) VALUES (1, ?1, ?2, ?2, ?2)";
        connection.execute(sql, (id, format!("person {id}")))?;
    }
    Ok(())
}

async fn fill(tenant: &TenantStore) -> Result<(), Box<dyn Error>> {
    let (begin, before) = (Instant::now(), cpu());
    let writers: Vec<_> = (0..WRITERS)
        .map(|writer| {
            let tenant = tenant.clone();
            tokio::spawn(async move {
                for number in (0..COUNT).skip(writer).step_by(WRITERS) {
                    tenant.create_account(account(number), None).await?;
                }
                Ok::<_, service::store::Error>(())
            })
        })
        .collect();
    for writer in writers {
        writer.await??;
    }
    let taken = begin.elapsed();
    println!(
        "{COUNT} durable creates, {WRITERS} at a time: {:.0}/s, {:.0} µs of CPU each",
        f64::from(COUNT) / taken.as_secs_f64(),
        (cpu() - before) / f64::from(COUNT)
    );
    Ok(())
}

fn account(number: u32) -> Record {
    let id = number.cast_signed();
    let name = ["Acme", "Bright", "Corner", "Delta", "Élan"][number as usize % 5];
    let (kind, manager, is_active) = (id % 5 + 1, id % 50 + 1, id % 10 != 0);
    let text = format!(
        r#"{{"AccountCode":"ACC-{number:06}","AccountTypeId":{},"AccountName":"{name} Tools {number}",
        "Description":"A customer of long standing, with a description of ordinary length.",
        "Website":"https://www.example{number}.com","BusinessTypeId":{kind},"ServiceTypeId":{kind},"CurrencyId":1,
        "AccountManagerId":{manager},"IsActive":{is_active},"NetDays":30,
        "Locations":[{{"LocationName":"Main","IsMain":true,"Addresses":[{{"Address1":"{number} High Street",
        "City":"Springfield","State":"IL","ZipCode":"62701","CountryId":{kind},"Phone":"+1 555 0100","Latitude":39.78,
        "Longitude":-89.65,"EmailAddress":"info{number}@example.com","IsMain":true,"AddressTypeId":{kind}}}]}}]}}"#,
        id % 3 + 1
    );
    let post: AccountPost = json::from_slice(text.as_bytes()).expect("the body of a POST");
    Record::of_body(&ACCOUNTS, &post, Vec::new()).expect("a valid account")
}

async fn measure(tenant: TenantStore) -> Result<(), service::store::Error> {
    let page = |sort: &str, exclude: &str, filter: Filter, offset: u64| ListQuery {
        filter,
        sort: if sort.is_empty() { Sort::default() } else { Sort::parse(sort, &ACCOUNT_SUMMARY).unwrap_or_default() },
        exclude: Exclude::parse(exclude, &ACCOUNT_SUMMARY).unwrap_or_default(),
        window: Window { offset, limit: Some(25), after: None },
    };
    let none = Filter::default;
    let named = |part: &str| none().and("AccountName", Test::Contains, Some(part.to_owned()));
    let rest = ACCOUNT_SUMMARY
        .members()
        .into_iter()
        .map(|(name, _)| name)
        .filter(|name| !["Id", "AccountName"].contains(name));
    let rest = rest.collect::<Vec<_>>().join(",");
    let cases = [
        ("25 accounts with locations and addresses", page("", "", none(), 0)),
        ("the same without locations", page("", "Locations", none(), 0)),
        ("only Id and AccountName", page("", &rest, none(), 0)),
        ("by name", page("AccountName", "", none(), 0)),
        ("by name, from 50,000", page("AccountName", "", none(), 50_000)),
        ("by id, from 50,000", page("", "", none(), 50_000)),
        ("active ones by name", page("AccountName", "", none().and("IsActive", Test::is, Some(true)), 0)),
        ("part of a rare name", page("", "", named("tools 7777"), 0)),
        ("part of every name", page("", "", named("tools"), 0)),
        ("part of every fifth name, by date", page("-CreatedOn", "", named("éLAN"), 0)),
        ("by code", page("", "", none().and("AccountCode", Test::is, Some("acc-070707".to_owned())), 0)),
        ("a type, by name", page("AccountName", "", none().and("AccountTypeId", Test::is, Some(2)), 0)),
        ("name of a type", page("", "", none().and("AccountType", Test::Contains, Some("types 2".to_owned())), 0)),
        ("a type, by type and name", page("AccountTypeId, AccountName desc", "", none(), 0)),
    ];
    for (what, query) in cases {
        let total = tenant.account_summaries(query.clone()).await?.total;
        let (begin, before) = (Instant::now(), cpu());
        let mut times = 0_u32;
        while begin.elapsed() < Duration::from_millis(600) {
            let listed = tenant.account_summaries(query.clone()).await?;
            std::hint::black_box(&listed);
            times += 1;
        }
        println!("{what:<42} {:>9.1} µs of CPU, {total} matches", (cpu() - before) / f64::from(times));
    }
    let before = cpu();
    for id in 1..=20_000 {
        std::hint::black_box(tenant.account_summary(id).await?);
    }
    println!("{:<42} {:>9.1} µs of CPU", "one account", (cpu() - before) / 20_000.0);
    Ok(())
}

/// Microseconds that the threads of this process have run so far, as Linux counts them.
fn cpu() -> f64 {
    let Ok(threads) = std::fs::read_dir("/proc/self/task") else { return 0.0 };
    threads
        .flatten()
        .filter_map(|thread| std::fs::read_to_string(thread.path().join("schedstat")).ok())
        .filter_map(|text| text.split(' ').next()?.parse::<f64>().ok())
        .sum::<f64>()
        / 1000.0
}
