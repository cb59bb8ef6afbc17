//! The operations tagged `ApprovalRoutes`.

use generated_server::{approval_routes::*, models::*};

use super::prelude::*;

impl ApprovalRoutes for Service {
    type Principal = Token;

    async fn get_approval_routes_lookup(
        &self,
        call: Call<Token>,
        _: GetApprovalRoutesLookup,
    ) -> Result<ApprovalRouteLookupList, Failure<GetApprovalRoutesLookup>> {
        let records = self.records(&call).approval_routes().await?;
        Ok(answer!(ApprovalRouteLookupList, records))
    }
}
