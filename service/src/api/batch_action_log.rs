//! The operations tagged `BatchActionLog`.

use generated_server::{batch_action_log::*, models::*};

use super::{list::Paging, prelude::*};

impl BatchActionLog for Service {
    type Principal = Token;

    async fn get_all_batch_action_logs(
        &self,
        call: Call<Token>,
        request: GetAllBatchActionLogs,
    ) -> Result<GetAllBatchActionLogsResponse, Failure<GetAllBatchActionLogs>> {
        let paging = Paging {
            sort: request.sort.as_deref(),
            exclude: request.exclude.as_deref(),
            page_size: Some(request.page_size),
            page_number: request.page_number,
            // Lines have binary ids.
            after: None,
        };
        let query = paging.query(Filter::default(), &resource::JOB_LOG)?;
        let listed = self.records(&call).job_logs(request.job_id, query).await?;
        let listed = listed.ok_or_else(|| Failure::not_found("job", request.job_id))?;
        let link = paging.links(call.uri(), &listed);
        Ok(GetAllBatchActionLogsResponse { link, body: answer!(JobLogPage, listed.records, total: listed.total) })
    }
}
