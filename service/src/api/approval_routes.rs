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
        let listed = self.records(&call).list(&resource::APPROVAL_ROUTE, ListQuery::default()).await?;
        Ok(answer!(ApprovalRouteLookupList, listed.records))
    }
}
