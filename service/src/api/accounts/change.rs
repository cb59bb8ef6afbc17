//! Accounts created, replaced and patched.

use std::sync::Arc;

use generated_server::{
    models::{
        AccountPostInputDto, AccountPutInputDto, AccountSummaryOutputDto, AccountSummaryOutputDtoResponse, Operation,
    },
    runtime::{
        json::Value,
        server::{Call, Failure},
    },
};

use super::input;
use crate::{
    api::{
        Service,
        failure::{of_store, violation},
    },
    domain::{
        account::AccountFields,
        caller::Caller,
        json_patch::{self, MOST_OPERATIONS},
        refusal::Refusal,
    },
};

/// `POST /v2/crm/accounts`
pub(super) async fn create(
    service: &Service,
    call: &Call<Caller>,
    body: AccountPostInputDto,
) -> Result<AccountSummaryOutputDtoResponse, Failure> {
    if call.principal().visible.is_limited() {
        // It would not be one of them: nobody could see what they have just created.
        return Err(Failure::forbidden("the token is limited to accounts, and cannot create others"));
    }
    let account = input::new_account(body).map_err(refused)?;
    let created = service.records(call).create_account(account).await.map_err(of_store)?;
    Ok(answer(created))
}

/// `PUT /v2/crm/accounts/{id}`: what is not sent becomes `null`; the locations stay.
pub(super) async fn replace(
    service: &Service,
    call: &Call<Caller>,
    id: i32,
    body: AccountPutInputDto,
) -> Result<AccountSummaryOutputDtoResponse, Failure> {
    let fields = input::fields(body);
    input::check(&fields).map_err(refused)?;
    update(service, call, id, Arc::new(move |_| Ok(fields.clone()))).await
}

/// `PATCH /v2/crm/accounts/{id}`: all operations, or none.
pub(super) async fn patch(
    service: &Service,
    call: &Call<Caller>,
    id: i32,
    operations: Vec<Operation>,
) -> Result<AccountSummaryOutputDtoResponse, Failure> {
    if operations.len() > MOST_OPERATIONS {
        let detail = format!("has {} operations, at most {MOST_OPERATIONS}", operations.len());
        return Err(refused(vec![Refusal::new("", "maxItems", detail)]));
    }
    update(service, call, id, Arc::new(move |fields| patched(&fields, &operations))).await
}

type Change = Arc<dyn Fn(AccountFields) -> Result<AccountFields, Vec<Refusal>> + Send + Sync>;

async fn update(
    service: &Service,
    call: &Call<Caller>,
    id: i32,
    change: Change,
) -> Result<AccountSummaryOutputDtoResponse, Failure> {
    let updated = service.records(call).update_account(id, change).await.map_err(of_store)?;
    Ok(answer(updated.ok_or_else(|| Failure::not_found("account", id))?))
}

/// The account after the patch. It is applied to the members as JSON, and read back by the rules of PUT.
fn patched(fields: &AccountFields, operations: &[Operation]) -> Result<AccountFields, Vec<Refusal>> {
    let (members, mut record): (Vec<&str>, Vec<Value>) = input::members(fields).into_iter().unzip();
    let steps: Vec<json_patch::Operation<'_, Value>> = operations
        .iter()
        .map(|operation| json_patch::Operation {
            op: operation.op.as_deref().unwrap_or_default(),
            path: operation.path.as_deref().unwrap_or_default(),
            from: operation.from.as_deref(),
            value: operation.value.clone(),
        })
        .collect();
    json_patch::apply(&members, &mut record, &steps)
        .map_err(|error| vec![Refusal::new(format!("/{}/{}", error.index, error.member), "patch", error.reason)])?;
    let fields = input::from_members(members.into_iter().zip(record))?;
    input::check(&fields)?;
    Ok(fields)
}

fn answer(account: AccountSummaryOutputDto) -> AccountSummaryOutputDtoResponse {
    AccountSummaryOutputDtoResponse { success: Some(true), result: Some(account), ..Default::default() }
}

fn refused(refusals: Vec<Refusal>) -> Failure {
    Failure::unprocessable(refusals.into_iter().map(violation).collect())
}
