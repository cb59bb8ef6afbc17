//! Writing accounts.

use std::sync::Arc;

use generated_server::models::AccountSummary;
use serde_json::json;
use tokio_postgres::Row;

use super::{
    account,
    change::{Change, References, accepted, hold},
    numbers::Numbers,
    session::{Query, parameters},
    value::Parameter,
};
use crate::{
    domain::{
        account::{AccountFields, NewAccount, NewAddress},
        change::Subject,
        refusal::Refusal,
    },
    store::{
        AccountChange, Condition, Error,
        sql::{
            account::{DEPTH, REFERENCES},
            fold, text,
        },
    },
};

/// The kinds of numbers that a new account takes, and how many of each.
pub(super) fn wanted(new: &NewAccount) -> [(&'static str, usize); 3] {
    let addresses = new.locations.iter().map(|location| location.addresses.len()).sum();
    [("accounts", 1), ("account_locations", new.locations.len()), ("account_addresses", addresses)]
}

pub(super) async fn create(
    change: Change,
    mut numbers: Numbers,
    new: Arc<NewAccount>,
) -> Result<AccountSummary, Error> {
    let mut refusals = Vec::new();
    let mut references = references(&new.fields);
    let own = references.len();
    for (at, location) in new.locations.iter().enumerate() {
        for (position, address) in location.addresses.iter().enumerate() {
            add_address(&mut references, address, &format!("/Locations/{at}/Addresses/{position}"));
        }
    }
    let found = resolve(&change, None, &new.fields, references, &mut refusals).await?;
    let found = accepted(refusals, found)?;
    let (countries, types) = (found.iter().skip(own).step_by(2), found.iter().skip(own + 1).step_by(2));
    let mut places = countries.zip(types);

    let id = numbers.id("accounts")?;
    let (mut locations, mut addresses) = (Vec::new(), Vec::new());
    for location in &new.locations {
        let location_id = numbers.id("account_locations")?;
        locations.push(json!({
            "tenant_id": change.tenant(),
            "account_id": id,
            "id": location_id,
            "created_by": change.assignee,
            "created_on": change.now(),
            "modified_by": change.assignee,
            "modified_on": change.now(),
            "name": location.name,
            "is_main": location.is_main,
            "is_active": location.is_active,
        }));
        for (address, (country, kind)) in location.addresses.iter().zip(&mut places) {
            addresses.push(json!({
                "tenant_id": change.tenant(),
                "account_id": id,
                "location_id": location_id,
                "id": numbers.id("account_addresses")?,
                "created_by": change.assignee,
                "created_on": change.now(),
                "modified_by": change.assignee,
                "modified_on": change.now(),
                "address1": address.address1,
                "address2": address.address2,
                "city": address.city,
                "state": address.state,
                "zip_code": address.zip_code,
                "country_id": country,
                "phone": address.phone,
                "fax": address.fax,
                "latitude": address.latitude,
                "longitude": address.longitude,
                "email_address": address.email_address,
                "is_main": address.is_main,
                "is_billing": address.is_billing,
                "address_type_id": kind,
            }));
        }
    }
    let mut queries = vec![insert(&change, id, &new.fields)];
    if !locations.is_empty() {
        let columns = "tenant_id, account_id, id, created_by, created_on, modified_by, modified_on, name, is_main, \
                       is_active";
        queries.push(Change::insert("account_locations", columns, locations));
    }
    if !addresses.is_empty() {
        let columns = "tenant_id, account_id, location_id, id, created_by, created_on, modified_by, modified_on, \
                       address1, address2, city, state, zip_code, country_id, phone, fax, latitude, longitude, \
                       email_address, is_main, is_billing, address_type_id";
        queries.push(Change::insert("account_addresses", columns, addresses));
    }
    change.session().all(&queries).await?;
    let created = written(&change, id).await?;
    change.note(&subject(id), None, Some(text::json(&created)));
    Ok(created)
}

/// `None` when there is no such account.
pub(super) async fn update(
    change: Change,
    id: i32,
    condition: &Condition<AccountSummary>,
    work: AccountChange,
) -> Result<Option<AccountSummary>, Error> {
    // Whoever changes the same account meanwhile waits for it.
    let sql = "SELECT parent_id, code, account_type_id, name, description, website, business_type_id, service_type_id, \
               currency_id, sales_tax_item_id, class_id, manager_id, is_active, acquired_date, credit_limit, net_days, \
               route_invoice_to_parent FROM accounts WHERE tenant_id = $1 AND id = $2 FOR NO KEY UPDATE";
    let rows = change.rows(sql, parameters![change.tenant(), change.view.account(id)]).await?;
    let Some(mut present) = rows.first().map(fields).transpose()? else { return Ok(None) };
    let before = written(&change, id).await?;
    if !condition.holds(&before) {
        return Err(Error::NotAsExpected);
    }
    // A parent that may not be seen reads as none, and stays when it is written so.
    let hidden = present.parent_id.take_if(|parent| !change.view.visible.includes(*parent));
    let mut fields = work(present.clone()).map_err(Error::Refused)?;
    if fields == present {
        return Ok(Some(before));
    }
    let mut refusals = Vec::new();
    resolve(&change, Some(id), &fields, references(&fields), &mut refusals).await?;
    fields.parent_id = fields.parent_id.or(hidden);
    accepted(refusals, ())?;
    change.session().rows(replace(&change, id, &fields)).await?;
    let after = written(&change, id).await?;
    change.note(&subject(id), Some(text::json(&before)), Some(text::json(&after)));
    change.finish([]).await?;
    Ok(Some(after))
}

fn subject(id: i32) -> Subject {
    Subject::new("Account", id).of_account(Some(id))
}

async fn written(change: &Change, id: i32) -> Result<AccountSummary, Error> {
    let account = account::summary(change.view.clone(), id).await?;
    account.ok_or_else(|| Error::Damaged(format!("account {id} is gone while it is written")))
}

/// The other records that an account names, apart from its parent.
fn references(fields: &AccountFields) -> References {
    let mut references = References::default();
    for (pointer, kind, id) in REFERENCES {
        references.id(*pointer, *kind, id(fields));
    }
    references
}

/// The country and the type of an address.
fn add_address(references: &mut References, address: &NewAddress, pointer: &str) {
    let pointers = |id: &str, name: &str| (format!("{pointer}/{id}"), format!("{pointer}/{name}"));
    let country = address.country.as_deref();
    references.named(pointers("CountryId", "Country"), ("country", "countries"), address.country_id, country);
    let kind = address.address_type.as_deref();
    let pointers = pointers("AddressTypeId", "AddressType");
    references.named(pointers, ("address type", "address_types"), address.address_type_id, kind);
}

/// The ids that references stand for; every one that leads nowhere is noted, the parent behind the account's own.
async fn resolve(
    change: &Change,
    id: Option<i32>,
    fields: &AccountFields,
    references: References,
    refusals: &mut Vec<Refusal>,
) -> Result<Vec<Option<i32>>, Error> {
    let found = change.resolve(references, refusals).await?;
    let own = refusals.iter().take_while(|refusal| !refusal.pointer.starts_with("/Locations")).count();
    if let Some(parent) = fields.parent_id
        && let Some(refusal) = wrong_parent(change, id, parent).await?
    {
        refusals.insert(own, refusal);
    }
    Ok(found)
}

/// Why an account cannot stand below that parent.
async fn wrong_parent(change: &Change, id: Option<i32>, parent: i32) -> Result<Option<Refusal>, Error> {
    let tree = hold(change.tenant(), "accounts.tree");
    let sql = "WITH RECURSIVE above (id, depth) AS (
                   SELECT $2::integer, 1
                   UNION ALL
                   SELECT a.parent_id, above.depth + 1 FROM above
                   JOIN accounts AS a ON a.tenant_id = $1 AND a.id = above.id
                   WHERE a.parent_id IS NOT NULL AND above.id IS DISTINCT FROM $3::integer AND above.depth < $4)
               SELECT coalesce(bool_or(id = $3), false) OR max(depth) >= $4 FROM above";
    let above = Query::new(sql, parameters![change.tenant(), parent, id, i64::from(DEPTH)]);
    let exists = account::exists(&change.view, parent);
    if id.is_none() {
        let rows = change.session().rows(exists).await?;
        return Ok(rows.is_empty().then(|| Refusal::reference("/ParentId", "account", parent)));
    }
    // One after the other: two moves could be right each by itself, and make a circle together.
    let [_, exists, above] = change.session().run([tree, exists, above]).await?;
    if exists.is_empty() {
        return Ok(Some(Refusal::reference("/ParentId", "account", parent)));
    }
    let is_below: bool = above.first().map(|row| row.try_get(0)).transpose()?.unwrap_or(false);
    let detail = || format!("is {parent}, which is the account itself or stands below it");
    Ok(is_below.then(|| Refusal::new("/ParentId", "reference", detail())))
}

fn values(change: &Change, id: i32, fields: &AccountFields) -> Vec<Parameter> {
    parameters![
        change.tenant(),
        id,
        change.assignee,
        change.now(),
        fields.parent_id,
        fields.code.as_deref(),
        fields.code.as_deref().map(fold),
        fields.type_id,
        &fields.name,
        fold(&fields.name),
        fields.business_type_id,
        fields.service_type_id,
        fields.manager_id,
        fields.currency_id,
        fields.credit_limit,
        fields.net_days,
        fields.sales_tax_item_id,
        fields.website.as_deref(),
        fields.description.as_deref(),
        fields.class_id,
        fields.is_active,
        fields.acquired_date.map(jiff::Timestamp::as_microsecond),
        fields.route_invoice_to_parent,
    ]
}

fn insert(change: &Change, id: i32, fields: &AccountFields) -> Query {
    let sql = "INSERT INTO accounts (tenant_id, id, created_by, created_on, modified_by, modified_on, parent_id, code, \
               code_folded, account_type_id, name, name_folded, business_type_id, service_type_id, manager_id, \
               currency_id, credit_limit, net_days, sales_tax_item_id, website, description, class_id, is_active, \
               acquired_date, route_invoice_to_parent) \
               VALUES ($1, $2, $3, $4, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18, $19, \
               $20, $21, $22, $23)";
    Query::new(sql, values(change, id, fields))
}

fn replace(change: &Change, id: i32, fields: &AccountFields) -> Query {
    let sql = "UPDATE accounts SET modified_by = $3, modified_on = $4, parent_id = $5, code = $6, code_folded = $7, \
               account_type_id = $8, name = $9, name_folded = $10, business_type_id = $11, service_type_id = $12, \
               manager_id = $13, currency_id = $14, credit_limit = $15, net_days = $16, sales_tax_item_id = $17, \
               website = $18, description = $19, class_id = $20, is_active = $21, acquired_date = $22, \
               route_invoice_to_parent = $23 WHERE tenant_id = $1 AND id = $2";
    Query::new(sql, values(change, id, fields))
}

fn fields(row: &Row) -> Result<AccountFields, Error> {
    let acquired: Option<i64> = row.try_get(13)?;
    Ok(AccountFields {
        parent_id: row.try_get(0)?,
        code: row.try_get(1)?,
        type_id: row.try_get(2)?,
        name: row.try_get(3)?,
        description: row.try_get(4)?,
        website: row.try_get(5)?,
        business_type_id: row.try_get(6)?,
        service_type_id: row.try_get(7)?,
        currency_id: row.try_get(8)?,
        sales_tax_item_id: row.try_get(9)?,
        class_id: row.try_get(10)?,
        manager_id: row.try_get(11)?,
        is_active: row.try_get(12)?,
        acquired_date: acquired.and_then(|moment| jiff::Timestamp::from_microsecond(moment).ok()),
        credit_limit: row.try_get(14)?,
        net_days: row.try_get(15)?,
        route_invoice_to_parent: row.try_get(16)?,
    })
}
