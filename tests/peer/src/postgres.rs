//! The operations on PostgreSQL.

use jiff::Timestamp;
use sqlx::{AssertSqlSafe, PgPool, postgres::PgPoolOptions};

use crate::{
    Ids,
    model::{ACCOUNT, ADDRESS, Account, LOCATION, NewAccount, joined},
};

#[derive(Clone)]
pub struct Database(PgPool);

impl Database {
    pub async fn open(url: &str) -> sqlx::Result<Self> {
        Ok(Self(PgPoolOptions::new().max_connections(16).connect(url).await?))
    }

    /// The accounts with their locations.
    async fn whole(&self, tenant: i32, accounts: Vec<Account>) -> sqlx::Result<Vec<Account>> {
        let ids: Vec<i32> = accounts.iter().map(|account| account.id).collect();
        let sql = format!("SELECT {LOCATION} WHERE tenant_id = $1 AND account_id = ANY ($2) ORDER BY account_id, id");
        let locations = sqlx::query_as(AssertSqlSafe(sql)).bind(tenant).bind(&ids).fetch_all(&self.0).await?;
        let sql =
            format!("SELECT {ADDRESS} WHERE a.tenant_id = $1 AND a.account_id = ANY ($2) ORDER BY a.account_id, a.id");
        let addresses = sqlx::query_as(AssertSqlSafe(sql)).bind(tenant).bind(&ids).fetch_all(&self.0).await?;
        Ok(joined(accounts, locations, addresses))
    }
}

impl crate::Database for Database {
    async fn tenant(&self, secret_hash: &[u8]) -> sqlx::Result<Option<i32>> {
        let sql = "SELECT tenant_id FROM tokens WHERE secret_hash = $1 AND revoked_on IS NULL";
        sqlx::query_scalar(sql).bind(secret_hash).fetch_optional(&self.0).await
    }

    async fn list(&self, tenant: i32, limit: i64, offset: i64) -> sqlx::Result<(Vec<Account>, i64)> {
        let sql = ACCOUNT.replace("{accounts}", "tenant_id = $1 ORDER BY id LIMIT $2 OFFSET $3");
        let query = sqlx::query_as(AssertSqlSafe(sql)).bind(tenant).bind(limit).bind(offset);
        let accounts = query.fetch_all(&self.0).await?;
        let sql = "SELECT coalesce(sum(value), 0)::bigint FROM counters WHERE tenant_id = $1 AND name = 'accounts'";
        let total = sqlx::query_scalar(sql).bind(tenant).fetch_one(&self.0).await?;
        Ok((self.whole(tenant, accounts).await?, total))
    }

    async fn find(&self, tenant: i32, id: i32) -> sqlx::Result<Option<Account>> {
        let sql = ACCOUNT.replace("{accounts}", "tenant_id = $1 AND id = $2");
        let accounts = sqlx::query_as(AssertSqlSafe(sql)).bind(tenant).bind(id).fetch_all(&self.0).await?;
        Ok(self.whole(tenant, accounts).await?.pop())
    }

    async fn create(&self, tenant: i32, new: NewAccount, ids: &Ids) -> sqlx::Result<Account> {
        let (id, now) = (ids.next(), Timestamp::now().as_microsecond());
        let mut transaction = self.0.begin().await?;
        sqlx::query(
            "INSERT INTO accounts (tenant_id, id, created_on, modified_on, account_type_id, name, name_folded, business_type_id,
                 manager_id, website, description) VALUES ($1, $2, $3, $3, $4, $5, $6, $7, $8, $9, $10)",
        )
        .bind(tenant)
        .bind(id)
        .bind(now)
        .bind(new.account_type_id)
        .bind(&new.account_name)
        .bind(new.account_name.to_lowercase())
        .bind(new.business_type_id)
        .bind(new.account_manager_id)
        .bind(new.website)
        .bind(new.description)
        .execute(&mut *transaction)
        .await?;
        for location in new.locations {
            let location_id = ids.next();
            sqlx::query(
                "INSERT INTO account_locations (tenant_id, account_id, id, created_on, modified_on, name, is_main)
                 VALUES ($1, $2, $3, $4, $4, $5, $6)",
            )
            .bind(tenant)
            .bind(id)
            .bind(location_id)
            .bind(now)
            .bind(location.location_name)
            .bind(location.is_main)
            .execute(&mut *transaction)
            .await?;
            for address in location.addresses {
                sqlx::query(
                    "INSERT INTO account_addresses (tenant_id, account_id, location_id, id, created_on, modified_on, address1,
                         city, state, zip_code, phone, is_main) VALUES ($1, $2, $3, $4, $5, $5, $6, $7, $8, $9, $10, $11)",
                )
                .bind(tenant)
                .bind(id)
                .bind(location_id)
                .bind(ids.next())
                .bind(now)
                .bind(address.address1)
                .bind(address.city)
                .bind(address.state)
                .bind(address.zip_code)
                .bind(address.phone)
                .bind(address.is_main)
                .execute(&mut *transaction)
                .await?;
            }
        }
        transaction.commit().await?;
        self.find(tenant, id).await?.ok_or(sqlx::Error::RowNotFound)
    }
}
