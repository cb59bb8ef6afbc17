//! The operations tagged `ApprovalRoutes`.

use generated_server::{
    approval_routes::*,
    models::*,
    runtime::{
        json::Maybe,
        server::{Call, Failure},
    },
};

use super::{Service, failure::of_store};
use crate::domain::caller::Caller;

impl ApprovalRoutes for Service {
    type Principal = Caller;

    async fn get_approval_routes_lookup(
        &self,
        call: Call<Caller>,
        _: GetApprovalRoutesLookup,
    ) -> Result<ApprovalRouteLookupList, Failure> {
        let records = self.records(&call).approval_routes().await.map_err(of_store)?;
        Ok(ApprovalRouteLookupList { success: Some(true), result: Maybe::Value(records), ..Default::default() })
    }
}
