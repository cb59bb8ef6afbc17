//! Writing accounts.

use generated_server::models::AccountSummary;
use rusqlite::{OptionalExtension, Row, named_params};

use super::{
    account,
    change::{Change, accepted},
};
use crate::{
    domain::{
        account::{AccountFields, NewAccount, NewAddress, NewLocation},
        change::Subject,
        refusal::Refusal,
    },
    store::{
        Condition, Error,
        sql::{
            account::{DEPTH, REFERENCES},
            fold, text,
        },
    },
};

pub(super) fn create(change: &Change<'_>, new: &NewAccount) -> Result<AccountSummary, Error> {
    let mut refusals = Vec::new();
    check(change, None, &new.fields, &mut refusals)?;
    let id = change.next_id("accounts")?;
    let mut addresses = Vec::new();
    for (at, location) in new.locations.iter().enumerate() {
        for (position, address) in location.addresses.iter().enumerate() {
            addresses.push(references(
                change,
                address,
                &format!("/Locations/{at}/Addresses/{position}"),
                &mut refusals,
            )?);
        }
    }
    let mut addresses = accepted(refusals, addresses)?.into_iter();

    insert(change, id, &new.fields)?;
    for location in &new.locations {
        let location_id = insert_location(change, id, location)?;
        for (address, references) in location.addresses.iter().zip(&mut addresses) {
            insert_address(change, (id, location_id), address, references)?;
        }
    }
    let created = written(change, id)?;
    change.note(&subject(id), None, Some(text::json(&created)))?;
    Ok(created)
}

/// `None` when there is no such account.
pub(super) fn update(
    change: &Change<'_>,
    id: i32,
    condition: &Condition<AccountSummary>,
    work: &dyn Fn(AccountFields) -> Result<AccountFields, Vec<Refusal>>,
) -> Result<Option<AccountSummary>, Error> {
    let Some(mut present) = fields(change, change.view.account(id))? else { return Ok(None) };
    let before = written(change, id)?;
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
    check(change, Some(id), &fields, &mut refusals)?;
    fields.parent_id = fields.parent_id.or(hidden);
    accepted(refusals, ())?;
    replace(change, id, &fields)?;
    let after = written(change, id)?;
    change.note(&subject(id), Some(text::json(&before)), Some(text::json(&after)))?;
    Ok(Some(after))
}

fn subject(id: i32) -> Subject {
    Subject::new("Account", id).of_account(Some(id))
}

fn written(change: &Change<'_>, id: i32) -> Result<AccountSummary, Error> {
    account::summary(&change.view, id)?
        .ok_or_else(|| Error::Damaged(format!("account {id} is gone while it is written")))
}

/// Notes every reference that leads nowhere.
fn check(
    change: &Change<'_>,
    id: Option<i32>,
    fields: &AccountFields,
    refusals: &mut Vec<Refusal>,
) -> Result<(), Error> {
    for (pointer, table, reference) in REFERENCES {
        change.check(refusals, (*pointer).into(), *table, reference(fields))?;
    }
    let Some(parent) = fields.parent_id else { return Ok(()) };
    if !account::exists(&change.view, parent)? {
        refusals.push(Refusal::reference("/ParentId", "account", parent));
    } else if let Some(id) = id
        && is_below(change, parent, id)?
    {
        let detail = format!("is {parent}, which is the account itself or stands below it");
        refusals.push(Refusal::new("/ParentId", "reference", detail));
    }
    Ok(())
}

/// Whether `account` is `above` or stands below it.
fn is_below(change: &Change<'_>, account: i32, above: i32) -> Result<bool, Error> {
    let sql = "SELECT parent_id FROM accounts WHERE tenant_id = ?1 AND id = ?2";
    let mut statement = change.connection().prepare_cached(sql)?;
    let mut account = Some(account);
    for _ in 0..DEPTH {
        match account {
            None => return Ok(false),
            Some(id) if id == above => return Ok(true),
            Some(id) => {
                account = statement.query_row((change.tenant(), id), |row| row.get(0)).optional()?.flatten();
            }
        }
    }
    Ok(true)
}

/// The ids of country and type.
fn references(
    change: &Change<'_>,
    address: &NewAddress,
    pointer: &str,
    refusals: &mut Vec<Refusal>,
) -> Result<(Option<i32>, Option<i32>), Error> {
    let pointers = |id: &str, name: &str| (format!("{pointer}/{id}"), format!("{pointer}/{name}"));
    let country = change.named(
        refusals,
        pointers("CountryId", "Country"),
        ("country", "countries"),
        address.country_id,
        address.country.as_deref(),
    )?;
    let kind = change.named(
        refusals,
        pointers("AddressTypeId", "AddressType"),
        ("address type", "address_types"),
        address.address_type_id,
        address.address_type.as_deref(),
    )?;
    Ok((country, kind))
}

fn insert(change: &Change<'_>, id: i32, fields: &AccountFields) -> Result<(), Error> {
    let sql = "INSERT INTO accounts (tenant_id, id, created_by, created_on, modified_by, modified_on, parent_id, code, \
               code_folded, account_type_id, name, name_folded, business_type_id, service_type_id, manager_id, \
               currency_id, credit_limit, net_days, sales_tax_item_id, website, description, class_id, is_active, \
               acquired_date, route_invoice_to_parent) \
               VALUES (:tenant, :id, :by, :on, :by, :on, :parent, :code, :code_folded, :type, :name, :name_folded, \
               :business_type, :service_type, :manager, :currency, :credit_limit, :net_days, :sales_tax_item, \
               :website, :description, :class, :is_active, :acquired, :route)";
    store(change, id, fields, sql)
}

fn replace(change: &Change<'_>, id: i32, fields: &AccountFields) -> Result<(), Error> {
    let sql = "UPDATE accounts SET modified_by = :by, modified_on = :on, parent_id = :parent, code = :code, \
               code_folded = :code_folded, account_type_id = :type, name = :name, name_folded = :name_folded, \
               business_type_id = :business_type, service_type_id = :service_type, manager_id = :manager, \
               currency_id = :currency, credit_limit = :credit_limit, net_days = :net_days, \
               sales_tax_item_id = :sales_tax_item, website = :website, description = :description, \
               class_id = :class, is_active = :is_active, acquired_date = :acquired, \
               route_invoice_to_parent = :route WHERE tenant_id = :tenant AND id = :id";
    store(change, id, fields, sql)
}

fn store(change: &Change<'_>, id: i32, fields: &AccountFields, sql: &str) -> Result<(), Error> {
    change.connection().prepare_cached(sql)?.execute(named_params! {
        ":tenant": change.tenant(),
        ":id": id,
        ":by": change.assignee,
        ":on": change.now(),
        ":parent": fields.parent_id,
        ":code": fields.code,
        ":code_folded": fields.code.as_deref().map(fold),
        ":type": fields.type_id,
        ":name": fields.name,
        ":name_folded": fold(&fields.name),
        ":business_type": fields.business_type_id,
        ":service_type": fields.service_type_id,
        ":manager": fields.manager_id,
        ":currency": fields.currency_id,
        ":credit_limit": fields.credit_limit,
        ":net_days": fields.net_days,
        ":sales_tax_item": fields.sales_tax_item_id,
        ":website": fields.website,
        ":description": fields.description,
        ":class": fields.class_id,
        ":is_active": fields.is_active,
        ":acquired": fields.acquired_date.map(jiff::Timestamp::as_microsecond),
        ":route": fields.route_invoice_to_parent,
    })?;
    Ok(())
}

fn insert_location(change: &Change<'_>, account: i32, location: &NewLocation) -> Result<i32, Error> {
    let id = change.next_id("account_locations")?;
    let sql = "INSERT INTO account_locations (tenant_id, account_id, id, created_by, created_on, modified_by, \
               modified_on, name, is_main, is_active) VALUES (?1, ?2, ?3, ?4, ?5, ?4, ?5, ?6, ?7, ?8)";
    change.connection().prepare_cached(sql)?.execute((
        change.tenant(),
        account,
        id,
        change.assignee,
        change.now(),
        &location.name,
        location.is_main,
        location.is_active,
    ))?;
    Ok(id)
}

fn insert_address(
    change: &Change<'_>,
    (account, location): (i32, i32),
    address: &NewAddress,
    (country, kind): (Option<i32>, Option<i32>),
) -> Result<(), Error> {
    let sql = "INSERT INTO account_addresses (tenant_id, account_id, location_id, id, created_by, created_on, \
               modified_by, modified_on, address1, address2, city, state, zip_code, country_id, phone, fax, latitude, \
               longitude, email_address, is_main, is_billing, address_type_id) \
               VALUES (:tenant, :account, :location, :id, :by, :on, :by, :on, :address1, :address2, :city, :state, \
               :zip_code, :country, :phone, :fax, :latitude, :longitude, :email, :is_main, :is_billing, :type)";
    change.connection().prepare_cached(sql)?.execute(named_params! {
        ":tenant": change.tenant(),
        ":account": account,
        ":location": location,
        ":id": change.next_id("account_addresses")?,
        ":by": change.assignee,
        ":on": change.now(),
        ":address1": address.address1,
        ":address2": address.address2,
        ":city": address.city,
        ":state": address.state,
        ":zip_code": address.zip_code,
        ":country": country,
        ":phone": address.phone,
        ":fax": address.fax,
        ":latitude": address.latitude,
        ":longitude": address.longitude,
        ":email": address.email_address,
        ":is_main": address.is_main,
        ":is_billing": address.is_billing,
        ":type": kind,
    })?;
    Ok(())
}

fn fields(change: &Change<'_>, id: i32) -> Result<Option<AccountFields>, Error> {
    let sql = "SELECT parent_id, code, account_type_id, name, description, website, business_type_id, service_type_id, \
               currency_id, sales_tax_item_id, class_id, manager_id, is_active, acquired_date, credit_limit, net_days, \
               route_invoice_to_parent FROM accounts WHERE tenant_id = ?1 AND id = ?2";
    let mut statement = change.connection().prepare_cached(sql)?;
    Ok(statement.query_row((change.tenant(), id), read_fields).optional()?)
}

fn read_fields(row: &Row<'_>) -> rusqlite::Result<AccountFields> {
    let acquired: Option<i64> = row.get(13)?;
    Ok(AccountFields {
        parent_id: row.get(0)?,
        code: row.get(1)?,
        type_id: row.get(2)?,
        name: row.get(3)?,
        description: row.get(4)?,
        website: row.get(5)?,
        business_type_id: row.get(6)?,
        service_type_id: row.get(7)?,
        currency_id: row.get(8)?,
        sales_tax_item_id: row.get(9)?,
        class_id: row.get(10)?,
        manager_id: row.get(11)?,
        is_active: row.get(12)?,
        acquired_date: acquired.and_then(|moment| jiff::Timestamp::from_microsecond(moment).ok()),
        credit_limit: row.get(14)?,
        net_days: row.get(15)?,
        route_invoice_to_parent: row.get(16)?,
    })
}
