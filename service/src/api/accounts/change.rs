//! Accounts created, replaced and patched.

use std::sync::Arc;

use generated_server::{
    accounts::{PatchAccount, PostAccount, PostAccountResponse, PutAccount},
    models::{AccountSummary, AccountSummaryResponse, PatchOperation},
    runtime::{
        json::{self, Value},
        server::{Call, Common, Declares, Failure},
    },
};

use super::input;
use crate::{
    api::{Service, etag, failure::violation, idempotency},
    domain::{
        account::AccountFields,
        caller::Caller,
        json_patch::{self, MOST_OPERATIONS, Step},
        refusal::Refusal,
    },
};

/// `POST /v2/crm/accounts`
pub(super) async fn create(
    service: &Service,
    call: &Call<Caller>,
    request: PostAccount,
) -> Result<PostAccountResponse, Failure<PostAccount>> {
    if call.principal().visible.is_limited() {
        // It would not be one of them: nobody could see what they have just created.
        return Err(Failure::forbidden("the token is limited to accounts, and cannot create others").into());
    }
    let key = idempotency::key(service, request.idempotency_key, &[&json::to_vec(&request.body)]);
    let account = input::new_account(request.body).map_err(refused)?;
    let created = service.records(call).create_account(account, key).await?;
    Ok(PostAccountResponse {
        idempotency_replayed: idempotency::replayed(created.is_replayed),
        body: answer(created.value),
    })
}

/// `PUT /v2/crm/accounts/{id}`: what is not sent becomes `null`; `IsActive` and the locations stay.
pub(super) async fn replace(
    service: &Service,
    call: &Call<Caller>,
    PutAccount { id, if_match, body }: PutAccount,
) -> Result<AccountSummaryResponse, Failure<PutAccount>> {
    let fields = input::fields(body.clone(), true);
    input::check(&fields).map_err(refused)?;
    update(service, call, id, if_match, Arc::new(move |present| Ok(input::fields(body.clone(), present.is_active))))
        .await
}

/// `PATCH /v2/crm/accounts/{id}`: all operations, or none.
pub(super) async fn patch(
    service: &Service,
    call: &Call<Caller>,
    PatchAccount { id, if_match, body: operations }: PatchAccount,
) -> Result<AccountSummaryResponse, Failure<PatchAccount>> {
    if operations.len() > MOST_OPERATIONS {
        let detail = format!("has {} operations, at most {MOST_OPERATIONS}", operations.len());
        return Err(refused(vec![Refusal::new("", "maxItems", detail)]).into());
    }
    let steps = steps(&operations).map_err(refused)?;
    update(service, call, id, if_match, Arc::new(move |fields| patched(&fields, steps.clone()))).await
}

type Change = Arc<dyn Fn(AccountFields) -> Result<AccountFields, Vec<Refusal>> + Send + Sync>;

async fn update<O: Declares<404>>(
    service: &Service,
    call: &Call<Caller>,
    id: i32,
    if_match: Option<String>,
    change: Change,
) -> Result<AccountSummaryResponse, Failure<O>> {
    let updated =
        service.records(call).update_account(id, etag::condition(if_match, AccountSummary::clone), change).await?;
    Ok(answer(updated.ok_or_else(|| Failure::not_found("account", id))?))
}

/// What the operations do to the members of an account.
fn steps(operations: &[PatchOperation]) -> Result<Vec<Step<Value>>, Vec<Refusal>> {
    let members: Vec<&str> = input::members(&AccountFields::default()).into_iter().map(|(name, _)| name).collect();
    let operations: Vec<json_patch::Operation<'_, Value>> = operations
        .iter()
        .map(|operation| json_patch::Operation {
            op: &operation.op,
            path: &operation.path,
            from: operation.from.as_deref(),
            value: operation.value.clone(),
        })
        .collect();
    json_patch::read(&members, &operations).map_err(refusal)
}

/// The account after these steps. They are taken on the members as JSON, which is read back by the rules of PUT.
fn patched(fields: &AccountFields, steps: Vec<Step<Value>>) -> Result<AccountFields, Vec<Refusal>> {
    let (members, mut record): (Vec<&str>, Vec<Value>) = input::members(fields).into_iter().unzip();
    json_patch::apply(&members, &mut record, steps, |value| json::to_vec(value).len()).map_err(refusal)?;
    let fields = input::from_members(members.into_iter().zip(record), fields.is_active)?;
    input::check(&fields)?;
    Ok(fields)
}

fn refusal(error: json_patch::Error) -> Vec<Refusal> {
    vec![Refusal::new(format!("/{}/{}", error.index, error.member), "patch", error.reason)]
}

fn answer(account: AccountSummary) -> AccountSummaryResponse {
    AccountSummaryResponse { success: Some(true), result: Some(account), ..Default::default() }
}

fn refused(refusals: Vec<Refusal>) -> Failure<Common> {
    Failure::unprocessable(refusals.into_iter().map(violation).collect())
}
