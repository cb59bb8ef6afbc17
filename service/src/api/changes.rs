//! The operations tagged `Changes`.

use generated_server::{
    agent_notes::GetAgentNotes,
    changes::*,
    models::{ChangesResponse, RecordChange},
    runtime::server::Request as _,
};

use super::{list::with_parameters, prelude::*};
use crate::{
    domain::change::Feed,
    store::resource::{AGENT_NOTES, AGENTS, ATTACHMENTS, RESOURCES},
};

impl Changes for Service {
    type Principal = Token;

    async fn get_changes(
        &self,
        call: Call<Token>,
        request: GetChanges,
    ) -> Result<GetChangesResponse, Failure<GetChanges>> {
        let changes = match self.records(&call).changes(request.after, request.page_size.unsigned_abs()).await? {
            Feed::Changes(changes) => changes,
            Feed::Removed { first } => {
                let detail = format!("changes up to {} are not kept any more", first - 1);
                return Err(Failure::declared::<410>(detail).into());
            }
            Feed::Ahead { last } => {
                let detail = format!("the last change is {last}: the store was replaced, start again");
                return Err(Failure::declared::<410>(detail).into());
            }
        };
        let grants = &call.principal().grants;
        // Reading them takes a function, too.
        let notes = GetAgentNotes::OPERATION.security.iter().flat_map(|requirement| requirement.scopes);
        let reads_notes = notes.into_iter().all(|scope| grants.allow(scope));
        let is_readable = |change: &RecordChange| {
            if change.kind == AGENT_NOTES.kind { reads_notes } else { grants.allow(&scope(&change.kind)) }
        };
        let next = |after: i64| with_parameters(call.uri(), &[("After", Some(after.unsigned_abs()))]);
        Ok(GetChangesResponse {
            link: changes.has_more.then(|| format!("<{}>; rel=\"next\"", next(changes.next_after))),
            body: ChangesResponse {
                success: Some(true),
                error: None,
                result: changes.changes.into_iter().filter(is_readable).collect(),
                next_after: changes.next_after,
            },
        })
    }
}

/// The scope for reading records of a kind: tokens without it do not see changes of them.
fn scope(kind: &str) -> String {
    let resource = RESOURCES.iter().copied().chain([&ATTACHMENTS]).find(|resource| resource.kind == kind);
    let area = match kind {
        "TemporaryAttachment" => ATTACHMENTS.area,
        "MissingPatches" | "PatchScanSchedule" => AGENTS.area,
        _ => resource.map_or("system", |resource| resource.area),
    };
    format!("read:{area}")
}
