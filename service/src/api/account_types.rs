//! The operations tagged `AccountTypes`.

use generated_server::{account_types::*, models::*};

use super::prelude::*;

impl AccountTypes for Service {
    type Principal = Token;

    async fn get_account_types_lookup(
        &self,
        call: Call<Token>,
        _: GetAccountTypesLookup,
    ) -> Result<AccountTypeLookupList, Failure<GetAccountTypesLookup>> {
        let listed = self.records(&call).list(&resource::ACCOUNT_TYPE, ListQuery::default()).await?;
        Ok(answer!(AccountTypeLookupList, listed.records))
    }
}
