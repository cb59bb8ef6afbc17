//! The chart of accounts: deprecated but working.

#![expect(deprecated, reason = "what is deprecated still has to work")]

use generated_client::chart_of_account::*;

use crate::{app::App, records::refusal};

#[tokio::test]
async fn the_chart_of_accounts_is_filtered_and_looked_up_below_an_entry() {
    let app = App::start().await;
    let client = app.client();
    let chart = async |request: GetChartOfAccounts| {
        let answer = client.chart_of_account().get_chart_of_accounts(request).await.expect("a list").body;
        let records = answer.result.into_option().expect("records");
        assert_eq!(answer.total_records.map(usize::try_from), Some(Ok(records.len())));
        records
    };
    let all = chart(GetChartOfAccounts::default()).await;
    let child = all.iter().find(|entry| entry.parent_id.value().is_some()).expect("the sample has children").clone();
    let parent = *child.parent_id.value().expect("a parent");
    assert!(child.parent_name.value().is_some() && child.type_name.value().is_some(), "names are filled in");
    assert_eq!(
        chart(GetChartOfAccounts { filter_id: child.id, ..Default::default() }).await,
        std::slice::from_ref(&child)
    );
    let code = child.code.as_deref().map(str::to_lowercase);
    assert_eq!(
        chart(GetChartOfAccounts { filter_code: code, ..Default::default() }).await,
        std::slice::from_ref(&child)
    );
    let children = chart(GetChartOfAccounts { filter_parent_id: Some(parent), ..Default::default() }).await;
    assert!(children.contains(&child) && children.len() < all.len());
    let inactive = chart(GetChartOfAccounts { filter_is_active: Some(false), ..Default::default() }).await;
    assert!(inactive.len() < all.len());
    let kind = chart(GetChartOfAccounts { filter_type_id: child.type_id, ..Default::default() }).await;
    assert!(kind.contains(&child));

    let lookup = |parent_account_code_id, page_size| {
        let request = GetChartOfAccountsLookup { parent_account_code_id, page_size, page_number: None, after: None };
        client.chart_of_account().get_chart_of_accounts_lookup(request)
    };
    let below = lookup(parent, None).await.expect("without a page size every entry is answered");
    assert_eq!(below.link, None);
    let records = below.body.result.into_option().expect("records");
    assert_eq!(records.len(), children.len());
    assert!(records.iter().any(|entry| entry.id == child.id && entry.code == child.code));
    let page = lookup(parent, Some(1)).await.expect("a page").body;
    assert_eq!(page.result.value().map(Vec::len), Some(1));
    assert_eq!(page.total_records.map(usize::try_from), Some(Ok(children.len())));
    assert_eq!(refusal(lookup(987_654, None).await.expect_err("no such entry")).0, 404);
    assert_eq!(refusal(lookup(parent, Some(1001)).await.expect_err("too many")).0, 400);
}

#[tokio::test]
async fn types_of_the_chart_are_listed_and_looked_up() {
    let app = App::start().await;
    let client = app.client();
    let request = GetChartOfAccountTypes { sort: Some("Name".into()), ..Default::default() };
    let listed = client.chart_of_account().get_chart_of_account_types(request).await.expect("a list").body;
    let records = listed.result.into_option().expect("records");
    let names: Vec<_> = records.iter().filter_map(|kind| kind.name.as_deref()).collect();
    assert!(!names.is_empty() && names.is_sorted(), "{names:?}");
    let lookup = client.chart_of_account().get_chart_of_account_types_look_up(()).await.expect("a lookup");
    assert_eq!(lookup.total_records, listed.total_records);
    assert_eq!(lookup.result.value().map(Vec::len), Some(records.len()));
    let bad = GetChartOfAccountTypes { exclude: Some("Shoes".into()), ..Default::default() };
    assert_eq!(refusal(client.chart_of_account().get_chart_of_account_types(bad).await.expect_err("refused")).0, 400);
}
