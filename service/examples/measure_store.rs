//! Measures what the store costs on 100,000 accounts: `cargo run --release --example measure_store`.

use std::{
    error::Error,
    time::{Duration, Instant},
};

use service::{
    domain::{
        account::{AccountFields, AccountFilter, NewAccount, NewAddress, NewLocation},
        list::{Exclude, ListQuery, Sort, Window, shape::ACCOUNT_SUMMARY},
        tenant::TenantId,
    },
    store::{Options, Store, TenantStore},
};

const ACCOUNTS: u32 = 100_000;
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
                for number in (0..ACCOUNTS).skip(writer).step_by(WRITERS) {
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
        "{ACCOUNTS} durable creates, {WRITERS} at a time: {:.0}/s, {:.0} µs of CPU each",
        f64::from(ACCOUNTS) / taken.as_secs_f64(),
        (cpu() - before) / f64::from(ACCOUNTS)
    );
    Ok(())
}

fn account(number: u32) -> NewAccount {
    let id = number.cast_signed();
    let address = NewAddress {
        address1: Some(format!("{number} High Street")),
        city: Some("Springfield".into()),
        state: Some("IL".into()),
        zip_code: Some("62701".into()),
        country_id: Some(id % 5 + 1),
        phone: Some("+1 555 0100".into()),
        latitude: Some(39.78),
        longitude: Some(-89.65),
        email_address: Some(format!("info{number}@example.com")),
        is_main: true,
        address_type_id: Some(id % 5 + 1),
        ..NewAddress::default()
    };
    NewAccount {
        fields: AccountFields {
            code: Some(format!("ACC-{number:06}")),
            type_id: id % 3 + 1,
            name: format!("{} Tools {number}", ["Acme", "Bright", "Corner", "Delta", "Élan"][number as usize % 5]),
            description: Some("A customer of long standing, with a description of ordinary length.".into()),
            website: Some(format!("https://www.example{number}.com")),
            business_type_id: id % 5 + 1,
            service_type_id: Some(id % 5 + 1),
            currency_id: Some(1),
            manager_id: id % 50 + 1,
            is_active: id % 10 != 0,
            credit_limit: Some(5000.0),
            net_days: Some(30.0),
            ..AccountFields::default()
        },
        locations: vec![NewLocation { name: "Main".into(), is_main: true, is_active: true, addresses: vec![address] }],
    }
}

async fn measure(tenant: TenantStore) -> Result<(), service::store::Error> {
    let page = |sort: &str, exclude: &str, filter: AccountFilter, offset: u64| ListQuery {
        filter,
        sort: if sort.is_empty() { Sort::default() } else { Sort::parse(sort, &ACCOUNT_SUMMARY).unwrap_or_default() },
        exclude: Exclude::parse(exclude, &ACCOUNT_SUMMARY).unwrap_or_default(),
        window: Window { offset, limit: Some(25), after: None },
    };
    let none = AccountFilter::default;
    let cases = [
        ("25 accounts with locations and addresses", page("", "", none(), 0)),
        ("the same without locations", page("", "Locations", none(), 0)),
        (
            "only Id and AccountName",
            page(
                "",
                "CreatedBy,CreatedOn,ModifiedBy,ModifiedOn,ParentId,AccountCode,AccountTypeId,AccountType,BusinessTypeId,BusinessType,ServiceTypeId,ServiceType,AccountManagerId,AccountManagerUserName,CurrencyId,CurrencyName,CreditLimit,NetDays,SalesTaxItemId,SalesTaxItemName,Website,Description,ClassId,ClassName,IsActive,IsBilling,AcquiredDate,TenantName,Locations",
                none(),
                0,
            ),
        ),
        ("by name", page("AccountName", "", none(), 0)),
        ("by name, from 50,000", page("AccountName", "", none(), 50_000)),
        ("by id, from 50,000", page("", "", none(), 50_000)),
        ("active ones by name", page("AccountName", "", AccountFilter { is_active: Some(true), ..none() }, 0)),
        ("part of a rare name", page("", "", AccountFilter { name: Some("tools 7777".into()), ..none() }, 0)),
        ("part of every name", page("", "", AccountFilter { name: Some("tools".into()), ..none() }, 0)),
        (
            "part of every fifth name, by date",
            page("-CreatedOn", "", AccountFilter { name: Some("éLAN".into()), ..none() }, 0),
        ),
        ("by code", page("", "", AccountFilter { code: Some("acc-070707".into()), ..none() }, 0)),
        ("a type, by name", page("AccountName", "", AccountFilter { type_id: Some(2), ..none() }, 0)),
        ("name of a type", page("", "", AccountFilter { type_name: Some("types 2".into()), ..none() }, 0)),
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
