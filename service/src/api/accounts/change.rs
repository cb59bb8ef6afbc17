//! Creates, replaces and patches accounts.

use std::sync::Arc;

use generated_server::{
    accounts::{PatchAccount, PostAccount, PostAccountResponse, PutAccount},
    models::{AccountLocationInput, AccountPost, AccountPut, AccountSummary, AccountSummaryResponse},
    runtime::{
        json::{self, Value},
        server::{Call, Declares, Failure},
        violation::Violation,
    },
};

use crate::{
    api::{Service, etag, failure::refused, idempotency, prelude::answer},
    domain::{
        json_patch::{self, MOST_OPERATIONS, Step},
        refusal::Refusal,
        token::Token,
    },
    store::{AccountChange, record::Record, resource::ACCOUNTS},
};

/// The scope that allows reading an account.
const READ: &str = "read:crm";

/// `POST /v2/crm/accounts`
pub(super) async fn create(
    service: &Service,
    call: &Call<Token>,
    request: PostAccount,
) -> Result<PostAccountResponse, Failure<PostAccount>> {
    if call.principal().visible.is_limited() {
        // The new account would not be visible to its creator.
        return Err(Failure::forbidden("the token is limited to accounts, and cannot create others").into());
    }
    let key = idempotency::key(service, request.idempotency_key, &[&json::to_vec(&request.body)]);
    let record = Record::of_body(&ACCOUNTS, &request.body, check(&request.body)).map_err(refused)?;
    let created = service.records(call).create_account(record, key).await?;
    Ok(PostAccountResponse {
        idempotency_replayed: idempotency::replayed(created.is_replayed),
        body: answer(call, created.value),
    })
}

/// `PUT /v2/crm/accounts/{id}`: omitted members become `null`; `IsActive` and the locations are kept.
pub(super) async fn replace(
    service: &Service,
    call: &Call<Token>,
    PutAccount { id, if_match, body }: PutAccount,
) -> Result<AccountSummaryResponse, Failure<PutAccount>> {
    Record::of_body(&ACCOUNTS, &body, Vec::new()).map_err(refused)?;
    update(service, call, id, if_match, Arc::new(move |present| present.replaced(&ACCOUNTS, &body))).await
}

/// `PATCH /v2/crm/accounts/{id}`: all operations or none.
pub(super) async fn patch(
    service: &Service,
    call: &Call<Token>,
    PatchAccount { id, if_match, body: operations }: PatchAccount,
) -> Result<AccountSummaryResponse, Failure<PatchAccount>> {
    if operations.len() > MOST_OPERATIONS {
        let detail = format!("has {} operations, at most {MOST_OPERATIONS}", operations.len());
        return Err(refused(vec![Refusal::new("", "maxItems", detail)]).into());
    }
    let members: Vec<&str> = ACCOUNTS.written().collect();
    let steps = json_patch::read(&members, &operations).map_err(|refusal| refused(vec![refusal]))?;
    if steps.iter().any(|step| matches!(step, Step::Test(..))) && !call.principal().grants.allow(READ) {
        let detail = format!("`test` reads the account, and the token has no scope that covers `{READ}`");
        return Err(Failure::forbidden(detail).into());
    }
    update(service, call, id, if_match, Arc::new(move |present| patched(present, steps.clone()))).await
}

async fn update<O: Declares<404>>(
    service: &Service,
    call: &Call<Token>,
    id: i32,
    if_match: Option<String>,
    change: AccountChange,
) -> Result<AccountSummaryResponse, Failure<O>> {
    let updated = service
        .records(call)
        .update_account(id, etag::condition(call, if_match, AccountSummary::clone), change)
        .await?;
    Ok(answer(call, updated.ok_or_else(|| Failure::not_found("account", id))?))
}

/// The account after these steps. They are applied to the members as JSON, which is then read like the body of a PUT.
fn patched(present: &Record, steps: Vec<Step>) -> Result<Record, Vec<Refusal>> {
    let (members, mut values): (Vec<&str>, Vec<Value>) = present.written(&ACCOUNTS).into_iter().unzip();
    json_patch::apply(&members, &mut values, steps).map_err(|refusal| vec![refusal])?;
    let object = Value::Object(members.into_iter().map(str::to_owned).zip(values).collect());
    let body = json::from_slice_strict::<AccountPut>(&json::to_vec(&object)).map_err(|violations| {
        let refusal = |violation: Violation| Refusal::new(violation.pointer, violation.code, violation.detail);
        violations.into_iter().map(refusal).collect::<Vec<_>>()
    })?;
    present.replaced(&ACCOUNTS, &body)
}

/// The account, or only its id if the token may not read accounts.
fn answer(call: &Call<Token>, account: AccountSummary) -> AccountSummaryResponse {
    let is_readable = call.principal().grants.allow(READ);
    let id = account.id;
    let account = if is_readable { account } else { AccountSummary { id, ..AccountSummary::default() } };
    answer!(AccountSummaryResponse, account)
}

/// At least one location, each with an address; exactly one main location and address.
fn check(body: &AccountPost) -> Vec<Refusal> {
    let locations: &[AccountLocationInput] = &body.locations;
    let mut refusals = Vec::new();
    if locations.is_empty() {
        refusals.push(Refusal::new("/Locations", "minItems", "is empty; an account has at least one location"));
    }
    for (index, location) in locations.iter().enumerate() {
        if location.addresses.is_empty() {
            let detail = "is empty; a location has at least one address";
            refusals.push(Refusal::new(format!("/Locations/{index}/Addresses"), "minItems", detail));
        }
    }
    let main = locations.iter().filter(|location| location.is_main.unwrap_or(false)).count();
    if main != 1 && !locations.is_empty() {
        let detail = format!("has {main} locations with `IsMain`; there is exactly one");
        refusals.push(Refusal::new("/Locations", "contains", detail));
    }
    refusals
}
