//! The operations tagged `CompanySettings`.

use generated_server::{
    company_settings::*,
    models::*,
    runtime::{
        json::Maybe,
        server::{Call, Failure},
    },
};

use super::Service;
use crate::domain::caller::Caller;

impl CompanySettings for Service {
    type Principal = Caller;

    async fn get_company_settings(
        &self,
        call: Call<Caller>,
        request: GetCompanySettings,
    ) -> Result<CompanySettingsResponse, Failure<GetCompanySettings>> {
        let settings = self.records(&call).settings(request.setting_key).await?;
        Ok(CompanySettingsResponse { success: Some(true), result: Maybe::Value(settings), ..Default::default() })
    }

    async fn put_company_settings(
        &self,
        call: Call<Caller>,
        request: PutCompanySettings,
    ) -> Result<(), Failure<PutCompanySettings>> {
        let body = request.body;
        Ok(self.records(&call).put_settings(body.module_id, body.settings).await?)
    }
}
