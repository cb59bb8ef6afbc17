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
        let colors = self.records(&call).colors(request.module_id).await?;
        Ok(answer!(ColorLookupList, colors))
    }
}
