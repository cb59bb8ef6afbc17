//! The operations tagged `CompanySettings`.

use std::collections::BTreeMap;

use generated_server::{
    company_settings::*,
    models::*,
    runtime::json::{self, Value},
};

use super::{etag, failure::refused, prelude::*};
use crate::domain::{refusal::Refusal, text::pointer_token};

/// Maximum length of the value of a setting, as JSON.
const MOST_VALUE: usize = 64 << 10;

impl CompanySettings for Service {
    type Principal = Token;

    async fn get_company_settings(
        &self,
        call: Call<Token>,
        request: GetCompanySettings,
    ) -> Result<CompanySettingsResponse, Failure<GetCompanySettings>> {
        let settings = self.records(&call).settings(request.setting_key).await?;
        Ok(answer(&settings))
    }

    async fn put_company_settings(
        &self,
        call: Call<Token>,
        request: PutCompanySettings,
    ) -> Result<(), Failure<PutCompanySettings>> {
        let PutCompanySettings { if_match, body } = request;
        let refusals = too_long(&body.settings);
        if !refusals.is_empty() {
            return Err(refused(refusals).into());
        }
        let condition = etag::condition(&call, if_match, answer);
        Ok(self.records(&call).put_settings(body.module_id, body.settings, condition).await?)
    }
}

/// The response to a GET of these settings.
fn answer(settings: &BTreeMap<String, Value>) -> CompanySettingsResponse {
    answer!(CompanySettingsResponse, settings.clone())
}

/// The values that are too long.
fn too_long(settings: &BTreeMap<String, Value>) -> Vec<Refusal> {
    let mut refusals = Vec::new();
    for (key, value) in settings {
        let bytes = json::to_vec(value).len();
        if bytes > MOST_VALUE {
            let detail = format!("has {bytes} bytes as JSON, at most {MOST_VALUE}");
            refusals.push(Refusal::new(format!("/Settings/{}", pointer_token(key)), "maxLength", detail));
        }
    }
    refusals
}
