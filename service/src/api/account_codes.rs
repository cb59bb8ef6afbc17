//! The operations tagged `AccountCodes`.

use generated_server::{account_codes::*, models::*};

use super::prelude::*;
use crate::domain::reference::AccountCodeFilter;

impl AccountCodes for Service {
    type Principal = Token;

    async fn get_account_codes_lookup(
        &self,
        call: Call<Token>,
        request: GetAccountCodesLookup,
    ) -> Result<GetAccountCodesLookupResponse, Failure<GetAccountCodesLookup>> {
        let paging = paging!(request);
        let filter = AccountCodeFilter { name: request.filter_name.clone() };
        let query = paging.query(filter, &shape::ACCOUNT_CODE)?;
        let listed = self.records(&call).account_codes(query).await?;
        let link = paging.links(call.uri(), &listed);
        Ok(GetAccountCodesLookupResponse { link, body: answer!(AccountCodeLookupList, listed.records) })
    }
}
