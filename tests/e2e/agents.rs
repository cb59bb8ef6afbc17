//! Agent notes, and missing patches of agents.

use generated_client::{
    Client, Error,
    agent_notes::*,
    models::{AgentErrorResponse, AgentNote, AgentNotesResponse, MissingPatch},
    patch::*,
};
use service::domain::caller::Visibility;

use crate::{app::App, records::agent_refusal};

async fn notes(client: &Client, request: GetAgentNotes) -> AgentNotesResponse {
    let answer = client.agent_notes().get_agent_notes(request).await.expect("notes");
    assert_eq!((answer.response_code, answer.status.as_str(), answer.error.as_str()), (200, "OK", "None"));
    answer
}

async fn filtered(client: &Client, filter: &str) -> Vec<AgentNote> {
    notes(client, GetAgentNotes { filter: Some(filter.to_owned()), ..GetAgentNotes::default() }).await.result
}

async fn refused(client: &Client, request: GetAgentNotes) -> String {
    let error = client.agent_notes().get_agent_notes(request).await.expect_err("refused");
    let (status, text, explanation) = agent_refusal(error);
    assert_eq!((status, text.as_str()), (400, "Bad Request"));
    explanation
}

#[tokio::test]
async fn notes_come_in_their_envelope_and_need_a_function() {
    let app = App::start().await;
    let all = notes(&app.client(), GetAgentNotes::default()).await;
    assert!(all.result.len() > 2, "the sample has notes");
    assert_eq!(usize::try_from(all.total_records), Ok(all.result.len()));
    assert!(all.result.is_sorted_by_key(|note| note.id), "oldest id first");

    let other = app.client_with(&["*"], &[560_207], Visibility::All).await;
    let error = other.agent_notes().get_agent_notes(GetAgentNotes::default()).await.expect_err("refused");
    let (status, text, explanation) = agent_refusal(error);
    assert_eq!((status, text.as_str()), (403, "Unauthorized"));
    assert_eq!(explanation, "Access to function 560206 is required");
    let function = app.client_with(&["read:agents"], &[560_206], Visibility::All).await;
    assert_eq!(notes(&function, GetAgentNotes::default()).await, all);
}

#[tokio::test]
async fn notes_are_filtered_ordered_and_paged_as_odata_says() {
    let app = App::start().await;
    let client = app.client();
    let all = notes(&client, GetAgentNotes::default()).await.result;
    let (first, last) = (&all[0], &all[all.len() - 1]);
    assert_eq!(filtered(&client, &format!("ID eq {}", first.id)).await, all[..1]);
    assert_eq!(
        filtered(&client, &format!("id gt {} and not (ID ge {})", first.id, last.id)).await,
        all[1..all.len() - 1]
    );
    let both = format!("ID eq {} or ID eq {}", first.id, last.id);
    assert_eq!(filtered(&client, &both).await, [first.clone(), last.clone()]);
    let name = first.user_name.to_uppercase();
    assert!(filtered(&client, &format!("UserName eq '{name}'")).await.contains(first), "letter case does not matter");
    let word: String = first.description.chars().take(5).collect();
    assert!(filtered(&client, &format!("substringof('{word}', Description)")).await.contains(first));
    assert!(filtered(&client, &format!("startswith(Description, '{word}')")).await.contains(first));
    let later = filtered(&client, &format!("CreationDate gt datetime'{}'", first.creation_date)).await;
    assert!(!later.is_empty() && !later.contains(first));
    let without = filtered(&client, "Email eq null").await;
    assert!(without.iter().all(|note| note.email.is_none()));

    let page = GetAgentNotes {
        orderby: Some("CreationDate desc".into()),
        skip: Some(1),
        top: Some(1),
        ..GetAgentNotes::default()
    };
    let page = notes(&client, page).await;
    assert_eq!(usize::try_from(page.total_records), Ok(all.len()), "the total is that of all pages");
    let mut newest = all.clone();
    newest.sort_by_key(|note| std::cmp::Reverse(note.creation_date));
    assert_eq!(page.result, newest[1..2]);
}

#[tokio::test]
async fn odata_options_that_cannot_be_read_are_refused_with_the_reason() {
    let app = App::start().await;
    let client = app.client();
    for (filter, reason) in [
        ("Nme eq 1", "UserName"),
        ("ID like 1", "not an operator"),
        ("ID eq 'x'", "whole number"),
        ("(ID eq 1", "`)`"),
        ("UserName eq 'x", "closing quote"),
    ] {
        let request = GetAgentNotes { filter: Some(filter.to_owned()), ..GetAgentNotes::default() };
        let explanation = refused(&client, request).await;
        assert!(explanation.contains(reason), "{filter}: {explanation}");
    }
    let order = GetAgentNotes { orderby: Some("ID sideways".into()), ..GetAgentNotes::default() };
    assert!(refused(&client, order).await.contains("sideways"));
    for (skip, top, name) in [(Some(-1), None, "$skip"), (None, Some(101), "$top"), (None, Some(0), "$top")] {
        let explanation = refused(&client, GetAgentNotes { skip, top, ..GetAgentNotes::default() }).await;
        assert!(explanation.contains(name), "{explanation}");
    }
}

async fn missing(
    client: &Client,
    agent_id: &str,
    hide_denied_patches: bool,
    filter: Option<&str>,
) -> Result<Vec<MissingPatch>, Error<AgentErrorResponse>> {
    let request = GetMissingPatches {
        agent_id: agent_id.to_owned(),
        hide_denied_patches,
        filter: filter.map(str::to_owned),
        orderby: None,
        skip: None,
        top: None,
    };
    let answer = client.patch().get_missing_patches(request).await?;
    assert_eq!((answer.response_code, answer.status.as_str(), answer.error.as_str()), (200, "OK", "None"));
    assert_eq!(usize::try_from(answer.total_records), Ok(answer.result.len()));
    Ok(answer.result)
}

/// The agent with notes that misses the most patches.
async fn agent(client: &Client) -> (String, Vec<MissingPatch>) {
    let mut found = (String::new(), Vec::new());
    for note in notes(client, GetAgentNotes::default()).await.result {
        let patches = missing(client, &note.agent_guid, false, None).await.expect("patches");
        if patches.len() > found.1.len() {
            found = (note.agent_guid, patches);
        }
    }
    found
}

#[tokio::test]
async fn missing_patches_are_listed_with_and_without_denied_ones() {
    let app = App::start().await;
    let client = app.client();
    let (agent, all) = agent(&client).await;
    let allowed = missing(&client, &agent, true, None).await.expect("patches");
    assert!(allowed.len() < all.len(), "the sample has a denied patch");
    assert!(allowed.iter().all(|patch| patch.status != 1));
    let expected: Vec<_> = all.iter().filter(|patch| patch.status != 1).cloned().collect();
    assert_eq!(allowed, expected);
    for (hidden, count) in [("True", allowed.len()), ("FALSE", all.len())] {
        let answer = app
            .raw(&format!("GET /assetmgmt/patch/{agent}/machineupdate/{hidden} HTTP/1.1\nhost: x\nauthorization: Bearer {{token}}\nconnection: close\n\n"))
            .await;
        assert!(answer.contains(&format!("\"TotalRecords\":{count},")), "{answer}");
    }
}

#[tokio::test]
async fn missing_patches_are_filtered_and_ordered() {
    let app = App::start().await;
    let client = app.client();
    let (agent, all) = agent(&client).await;
    let one = all[1].clone();
    let found = missing(&client, &agent, false, Some(&format!("KBArticle eq '{}'", one.kb_article))).await;
    assert_eq!(found.expect("patches"), [one]);
    let found = missing(&client, &agent, false, Some("IsSuperseded eq false")).await.expect("patches");
    assert!(found.iter().all(|patch| !patch.is_superseded));
    let request = GetMissingPatches {
        agent_id: agent.clone(),
        hide_denied_patches: false,
        filter: None,
        orderby: Some("ReleaseDate desc".into()),
        skip: None,
        top: Some(2),
    };
    let page = client.patch().get_missing_patches(request).await.expect("patches");
    assert_eq!(usize::try_from(page.total_records), Ok(all.len()));
    assert_eq!(page.result.first().map(|patch| patch.release_date), all.iter().map(|patch| patch.release_date).max());

    let (status, text, _) = agent_refusal(missing(&client, "987654", false, None).await.expect_err("no such agent"));
    assert_eq!((status, text.as_str()), (404, "Not Found"));
    let (status, _, explanation) = agent_refusal(missing(&client, "12x", false, None).await.expect_err("no id"));
    assert_eq!(status, 400);
    assert!(explanation.contains("agentId"), "{explanation}");
    let (status, _, explanation) =
        agent_refusal(missing(&client, &agent, false, Some("Shoes eq 1")).await.expect_err("no field"));
    assert_eq!(status, 400);
    assert!(explanation.contains("PatchDataId"), "{explanation}");
}

#[tokio::test]
async fn agents_of_hidden_accounts_are_not_there() {
    let app = App::start().await;
    let all = app.client();
    let total = |client: Client| async move {
        client.agent_notes().get_agent_notes(GetAgentNotes::default()).await.expect("notes").total_records
    };
    let visible = |accounts: &[i32]| app.client_with(&["*"], &[560_206], Visibility::Accounts(accounts.into()));
    let (first, none) = (visible(&[101]).await, visible(&[]).await);
    let all_notes = total(all.clone()).await;
    assert_eq!(total(none.clone()).await, 0);
    let seen = total(first.clone()).await;
    assert!(0 < seen && seen < all_notes, "{seen} of {all_notes}");
}
