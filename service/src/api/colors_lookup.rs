//! The operations tagged `ColorsLookup`.

use generated_server::{colors_lookup::*, models::*};

use super::prelude::*;

impl ColorsLookup for Service {
    type Principal = Token;

    async fn get_colors_lookup(
        &self,
        call: Call<Token>,
        request: GetColorsLookup,
    ) -> Result<ColorLookupList, Failure<GetColorsLookup>> {
        let filter = Filter::default().and("ModuleId", Test::is, request.module_id);
        let listed = self.records(&call).list(&resource::COLOR, ListQuery { filter, ..ListQuery::default() }).await?;
        Ok(answer!(ColorLookupList, listed.records))
    }
}
