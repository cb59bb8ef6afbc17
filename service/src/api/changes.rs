//! The operations tagged `Changes`.

use generated_server::{
    changes::*,
    models::{ChangeAction, ChangesResponse, RecordChange},
    runtime::server::{Call, Failure},
};

use super::{Service, list::with_parameters};
use crate::domain::{
    caller::Caller,
    change::{Action, Change, ChangeQuery, Feed},
};

impl Changes for Service {
    type Principal = Caller;

    async fn get_changes(
        &self,
        call: Call<Caller>,
        request: GetChanges,
    ) -> Result<GetChangesResponse, Failure<GetChanges>> {
        let query = ChangeQuery {
            after: request.after,
            limit: request.page_size.unsigned_abs(),
            visible: call.principal().visible.clone(),
        };
        let changes = match self.records(&call).changes(query).await? {
            Feed::Changes(changes) => changes,
            Feed::Removed { first } => {
                let detail = format!("changes up to {} are not kept any more", first - 1);
                return Err(Failure::declared::<410>(detail).into());
            }
        };
        let next = |after: i64| with_parameters(call.uri(), &[("After", Some(after.unsigned_abs()))]);
        Ok(GetChangesResponse {
            link: changes.has_more.then(|| format!("<{}>; rel=\"next\"", next(changes.next_after))),
            body: ChangesResponse {
                success: Some(true),
                error: None,
                result: changes.changes.into_iter().map(output).collect(),
                next_after: changes.next_after,
            },
        })
    }
}

fn output(change: Change) -> RecordChange {
    RecordChange {
        sequence: change.sequence,
        changed_on: change.on,
        kind: change.kind,
        record_id: change.record,
        account_id: change.account,
        action: match change.action {
            Action::Created => ChangeAction::Created,
            Action::Updated => ChangeAction::Updated,
            Action::Deleted => ChangeAction::Deleted,
        },
    }
}
