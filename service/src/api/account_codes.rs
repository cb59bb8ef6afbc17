//! The operations tagged `AccountCodes`.

use generated_server::{account_codes::*, models::*};

use super::prelude::*;

impl AccountCodes for Service {
    type Principal = Token;

    async fn get_account_codes_lookup(
        &self,
        call: Call<Token>,
        request: GetAccountCodesLookup,
    ) -> Result<GetAccountCodesLookupResponse, Failure<GetAccountCodesLookup>> {
        let paging = paging!(request);
        let filter = Filter::default().and("Name", Test::Contains, request.filter_name);
        let query = paging.query(filter, &resource::ACCOUNT_CODE)?;
        let listed = self.records(&call).list(&resource::ACCOUNT_CODE, query).await?;
        let link = paging.links(call.uri(), &listed);
        Ok(GetAccountCodesLookupResponse { link, body: answer!(AccountCodeLookupList, listed.records) })
    }
}
