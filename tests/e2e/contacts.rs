//! Creating, reading and listing contacts.

use generated_client::{Client, accounts::*, contacts::*, models::*, runtime::json::Maybe};
use service::domain::caller::Visibility;

use crate::{
    app::App,
    records::{account, create, location, refusal},
};

/// The body of a valid contact of an account.
fn contact(account: &AccountSummary, first: &str, last: &str) -> ContactInput {
    ContactInput {
        first_name: Maybe::Value(first.to_owned()),
        last_name: Maybe::Value(last.to_owned()),
        account_id: account.id,
        location_id: place(account, 0),
        ..ContactInput::default()
    }
}

fn place(account: &AccountSummary, position: usize) -> Option<i32> {
    account.locations.value().and_then(|locations| locations.get(position)).and_then(|location| location.id)
}

fn phone(number: &str, is_default: bool) -> PhoneInput {
    PhoneInput { phone_number: Maybe::Value(number.to_owned()), phone_type_id: Some(2), is_default: Some(is_default) }
}

fn email(address: &str) -> EmailInput {
    EmailInput { email_address: Maybe::Value(address.to_owned()), email_type_id: Some(1), is_default: Some(true) }
}

async fn post(client: &Client, body: ContactInput) -> ContactSummary {
    let answer =
        client.contacts().post_contact_summary_info(PostContactSummaryInfo { idempotency_key: None, body }).await;
    answer.expect("the contact is created").body.result.expect("the contact")
}

/// An account with two locations.
async fn two_places(client: &Client, name: &str) -> AccountSummary {
    let mut body = account(name);
    body.locations.push(location("Depot", false));
    create(client, body).await
}

#[tokio::test]
async fn a_contact_is_created_with_phones_emails_and_custom_fields_and_read_back() {
    let app = App::start().await;
    let client = app.client();
    let account = two_places(&client, "Contact Works").await;
    let mut body = contact(&account, "Eve", "Stone");
    body.phones = Maybe::Value(vec![phone("+1 555 1001", false), phone("+1 555 1002", true)]);
    body.emails = Maybe::Value(vec![email("eve@works.example")]);
    let field = CustomFieldDataInput {
        custom_field_id: Some(9),
        data: Maybe::Value("green".into()),
        ..CustomFieldDataInput::default()
    };
    body.custom_fields_data = Maybe::Value(vec![field]);
    let created = post(&client, body).await;
    let id = created.id.expect("an id");
    assert_eq!((created.first_name.as_deref(), created.last_name.as_deref()), (Some("Eve"), Some("Stone")));
    assert_eq!(created.account_name.as_deref(), Some("Contact Works"));
    assert_eq!(created.location_name.as_deref(), Some("Main"));
    assert_eq!(created.phone_number.as_deref(), Some("+1 555 1002"), "the default phone");
    assert_eq!(created.email_address.as_deref(), Some("eve@works.example"));
    let fields = created.custom_fields_data.into_option().expect("custom fields");
    assert_eq!(fields[0].data.as_deref(), Some("green"));
    assert!(fields[0].name.as_deref().is_some_and(|name| !name.is_empty()), "the name of the field is filled in");

    let account_id = account.id.expect("an id");
    let info = GetAccountContactSummaryInfo { account_id, contact_id: id };
    let info = client.accounts().get_account_contact_summary_info(info).await.expect("info").result.expect("info");
    assert_eq!(info.contact_name.as_deref(), Some("Eve Stone"));
    assert_eq!(info.contact_phone.as_deref(), Some("+1 555 1002"));
    assert_eq!(info.contact_email_address.as_deref(), Some("eve@works.example"));
    assert_eq!(info.client_name.as_deref(), Some("Contact Works"));
    assert_eq!((info.address1.as_deref(), info.city.as_deref()), (Some("1 High St"), Some("Springfield")));
    assert_eq!(info.latitude, Maybe::Value(39.78));
    assert_eq!((info.account_id, info.location_id), (account.id, place(&account, 0)));

    let listed = GetContactsListSummary { filter_account_id: account.id, ..GetContactsListSummary::default() };
    let listed = client.contacts().get_contacts_list_summary(listed).await.expect("listed").body;
    let listed = listed.result.into_option().expect("records");
    assert_eq!(listed[0].phones.value().map(Vec::len), Some(2));
    let emails = listed[0].emails.value().expect("emails");
    assert!(emails[0].email_type.as_deref().is_some_and(|name| !name.is_empty()));
    assert!(listed[0].created_on.value().is_some());
}

#[tokio::test]
async fn invalid_contacts_are_refused_as_a_whole() {
    let app = App::start().await;
    let client = app.client();
    let account = create(&client, account("Refusals")).await;
    let other = create(&client, self::account("Elsewhere")).await;
    let refused = async |body: ContactInput| {
        let call = client.contacts().post_contact_summary_info(PostContactSummaryInfo { idempotency_key: None, body });
        let (status, texts) = refusal(call.await.expect_err("refused"));
        assert_eq!(status, 422);
        texts.join("\n")
    };

    let mut body = ContactInput {
        phones: Maybe::Value(vec![PhoneInput::default()]),
        emails: Maybe::Value(vec![email("no address")]),
        ..ContactInput::default()
    };
    let all = refused(body.clone()).await;
    for place in ["/AccountId", "/LocationId", "FirstName", "/Phones/0/PhoneNumber", "/Emails/0/EmailAddress"] {
        assert!(all.contains(place), "{place} is missing in {all}");
    }
    body.first_name = Maybe::Value("  ".into());
    assert!(refused(body).await.contains("FirstName"), "blanks are not a name");

    let lost = ContactInput { account_id: Some(987_654), ..contact(&account, "A", "B") };
    assert!(refused(lost).await.contains("/AccountId"));
    let misplaced = ContactInput { location_id: place(&other, 0), ..contact(&account, "A", "B") };
    assert!(refused(misplaced).await.contains("/LocationId"), "a location of another account");
    let mut bad = contact(&account, "A", "B");
    bad.phones = Maybe::Value(vec![PhoneInput { phone_type_id: Some(9999), ..phone("+1 555 0", true) }]);
    assert!(refused(bad).await.contains("/Phones/0/PhoneTypeId"));
    let mut bad = contact(&account, "A", "B");
    bad.emails = Maybe::Value(vec![EmailInput { email_type_id: Some(9999), ..email("a@b.example") }]);
    assert!(refused(bad).await.contains("/Emails/0/EmailTypeId"));
    let mut bad = contact(&account, "A", "B");
    let field = CustomFieldDataInput { custom_field_id: Some(9999), ..CustomFieldDataInput::default() };
    bad.custom_fields_data = Maybe::Value(vec![field]);
    assert!(refused(bad).await.contains("/CustomFieldsData/0/CustomFieldId"));

    let listed = GetContactsListSummary { filter_account_id: account.id, ..GetContactsListSummary::default() };
    let listed = client.contacts().get_contacts_list_summary(listed).await.expect("listed").body;
    assert_eq!(listed.total_records, Some(0));
}

#[tokio::test]
async fn a_contact_has_no_more_text_than_a_list_has_room_for() {
    let app = App::start().await;
    let client = app.client();
    let account = two_places(&client, "Loud Works").await;
    let mut body = contact(&account, "Long", "Numbers");
    body.phones = Maybe::Value(vec![phone(&"🦀".repeat(255), false); 20]);
    let call = client.contacts().post_contact_summary_info(PostContactSummaryInfo { idempotency_key: None, body });
    let (status, told) = refusal(call.await.expect_err("refused"));
    assert_eq!(status, 422, "{told:?}");
}

#[tokio::test]
async fn contacts_of_an_account_are_looked_up_by_name_and_place() {
    let app = App::start().await;
    let client = app.client();
    let account = two_places(&client, "Lookup").await;
    for (first, last) in [("Ann", "Able"), ("Bob", "Able"), ("Cid", "Baker")] {
        post(&client, contact(&account, first, last)).await;
    }
    let away = ContactInput { location_id: place(&account, 1), ..contact(&account, "Dot", "Able") };
    post(&client, away).await;
    let lookup = GetAccountContacts {
        account_id: account.id.expect("an id"),
        filter_name: None,
        filter_location_id: None,
        sort: Some("Name desc".into()),
        exclude: None,
        page_size: None,
        page_number: None,
        after: None,
    };
    let names = async |request: GetAccountContacts| {
        let answer = client.accounts().get_account_contacts(request).await.expect("a lookup");
        let contacts = answer.body.result.into_option().expect("records");
        (contacts.into_iter().filter_map(|contact| contact.name.into_option()).collect::<Vec<_>>(), answer.link)
    };
    let (all, link) = names(lookup.clone()).await;
    assert_eq!((all.join(", "), link), ("Dot Able, Cid Baker, Bob Able, Ann Able".to_owned(), None));
    let (able, _) = names(GetAccountContacts { filter_name: Some("aBLe".into()), ..lookup.clone() }).await;
    assert_eq!(able.join(", "), "Dot Able, Bob Able, Ann Able");
    let (depot, _) = names(GetAccountContacts { filter_location_id: place(&account, 1), ..lookup.clone() }).await;
    assert_eq!(depot, ["Dot Able"]);
    let (page, link) = names(GetAccountContacts { page_size: Some(3), page_number: Some(2), ..lookup.clone() }).await;
    assert_eq!(page, ["Ann Able"]);
    assert!(link.is_some_and(|link| link.contains("rel=\"prev\"")));

    let lost = GetAccountContacts { account_id: 987_654, ..lookup };
    assert_eq!(refusal(client.accounts().get_account_contacts(lost).await.expect_err("no account")).0, 404);
}

#[tokio::test]
async fn contacts_are_filtered_sorted_and_paged() {
    let app = App::start().await;
    let client = app.client();
    let account = create(&client, account("Filter Works")).await;
    for number in 0..12 {
        let mut body = contact(&account, &format!("First {number:02}"), if number % 2 == 0 { "Even" } else { "Odd" });
        body.phones = Maybe::Value(vec![phone(&format!("+1 777 {number:04}"), true)]);
        body.emails = Maybe::Value(vec![email(&format!("c{number:02}@filter.example"))]);
        post(&client, body).await;
    }
    let all =
        GetContactsListSummary { filter_account_name: Some("FILTER wo".into()), ..GetContactsListSummary::default() };
    let total = async |request: GetContactsListSummary| {
        client.contacts().get_contacts_list_summary(request).await.expect("filtered").body.total_records
    };
    assert_eq!(total(all.clone()).await, Some(12));
    assert_eq!(total(GetContactsListSummary { filter_last_name: Some("oDd".into()), ..all.clone() }).await, Some(6));
    assert_eq!(
        total(GetContactsListSummary { filter_first_name: Some("first 1".into()), ..all.clone() }).await,
        Some(2)
    );
    assert_eq!(total(GetContactsListSummary { filter_phone: Some("777 0007".into()), ..all.clone() }).await, Some(1));
    assert_eq!(total(GetContactsListSummary { filter_email: Some("C03@".into()), ..all.clone() }).await, Some(1));
    assert_eq!(total(GetContactsListSummary { filter_is_active: Some(false), ..all.clone() }).await, Some(0));
    let past = Some(jiff::Timestamp::now() - jiff::SignedDuration::from_hours(1));
    assert_eq!(total(GetContactsListSummary { filter_created_on_to: past, ..all.clone() }).await, Some(0));
    assert_eq!(total(GetContactsListSummary { filter_modified_on_from: past, ..all.clone() }).await, Some(12));

    let page = GetContactsListSummary {
        sort: Some("LastName desc, FirstName".into()),
        exclude: Some("Emails".into()),
        page_size: Some(5),
        page_number: Some(2),
        ..all.clone()
    };
    let page = client.contacts().get_contacts_list_summary(page).await.expect("a page");
    let records = page.body.result.into_option().expect("records");
    let names: Vec<_> = records.iter().filter_map(|contact| contact.first_name.as_deref()).collect();
    assert_eq!(names, ["First 11", "First 00", "First 02", "First 04", "First 06"]);
    assert!(records.iter().all(|contact| contact.emails.is_absent() && contact.phones.value().is_some()));
    assert!(page.link.is_some_and(|link| link.contains("rel=\"next\"") && link.contains("rel=\"prev\"")));

    let bad = GetContactsListSummary { sort: Some("Shoes".into()), ..all };
    let (status, texts) = refusal(client.contacts().get_contacts_list_summary(bad).await.expect_err("refused"));
    assert_eq!(status, 400);
    assert!(texts[0].contains("LastName"), "the allowed names are told: {texts:?}");
}

#[tokio::test]
async fn contacts_of_hidden_accounts_are_not_there() {
    let app = App::start().await;
    let all = app.client();
    let (mine, other) = (create(&all, account("Mine")).await, create(&all, account("Other")).await);
    post(&all, contact(&mine, "Seen", "One")).await;
    let hidden = post(&all, contact(&other, "Hidden", "Two")).await.id.expect("an id");
    let visible = Visibility::Accounts([mine.id.expect("an id")].into());
    let limited = app.client_with(&["*"], &[], visible).await;

    let listed = limited.contacts().get_contacts_list_summary(GetContactsListSummary::default()).await.expect("listed");
    assert_eq!(listed.body.total_records, Some(1));
    let call = PostContactSummaryInfo { idempotency_key: None, body: contact(&other, "New", "Three") };
    assert_eq!(refusal(limited.contacts().post_contact_summary_info(call).await.expect_err("hidden")).0, 422);
    let account_id = other.id.expect("an id");
    let info = GetAccountContactSummaryInfo { account_id, contact_id: hidden };
    let error = limited.accounts().get_account_contact_summary_info(info.clone()).await.expect_err("hidden");
    assert_eq!(refusal(error).0, 404);
    let seen = all.accounts().get_account_contact_summary_info(info.clone()).await.expect("seen").result;
    assert_eq!(seen.expect("info").id, Some(hidden));
    let wrong = GetAccountContactSummaryInfo { account_id: mine.id.expect("an id"), ..info };
    let error = all.accounts().get_account_contact_summary_info(wrong).await.expect_err("of another account");
    assert_eq!(refusal(error).0, 404);
}

#[tokio::test]
async fn the_largest_contacts_fit_into_lists() {
    let app = App::start().await;
    let client = app.client();
    let account = create(&client, account("Heavy")).await;
    let heavy = |count: usize, number: &str| ContactInput {
        phones: Maybe::Value((0..count).map(|_| phone(number, false)).collect()),
        emails: Maybe::Value((0..count).map(|_| email(&format!("{number}@x"))).collect()),
        ..contact(&account, "Very", "Heavy")
    };
    let request = PostContactSummaryInfo { idempotency_key: None, body: heavy(100, &"\u{1f600}".repeat(250)) };
    let (status, texts) = refusal(client.contacts().post_contact_summary_info(request).await.expect_err("too large"));
    assert_eq!(status, 422);
    assert!(texts.iter().any(|text| text.contains("bytes as JSON, at most 16384")), "{texts:?}");
    // A full page of the largest allowed contacts.
    let body = heavy(32, &"\u{1f600}".repeat(40));
    let bytes = generated_client::runtime::json::to_vec(&body).len();
    assert!((13_000..=16_384).contains(&bytes), "{bytes}");
    for _ in 0..100 {
        post(&client, body.clone()).await;
    }
    let all = client.contacts().get_contacts_list_summary(GetContactsListSummary::default()).await.expect("a page");
    assert_eq!(all.body.result.value().map(Vec::len), Some(100));
}

#[tokio::test]
async fn names_are_found_however_their_letters_are_composed() {
    let app = App::start().await;
    let client = app.client();
    let account = create(&client, account("Cafe\u{301} M\u{fc}nchen")).await;
    for name in ["caf\u{e9}", "CAFE\u{301} mu\u{308}nchen"] {
        let filter = GetAccountsListSummary { filter_account_name: Some(name.into()), ..Default::default() };
        let found = client.accounts().get_accounts_list_summary(filter).await.expect("a page").body;
        assert_eq!(found.total_records, Some(1), "{name}");
        let found = found.result.into_option().expect("accounts").remove(0);
        assert_eq!(
            (found.id, found.account_name),
            (account.id, account.account_name.clone()),
            "kept as it was written"
        );
    }
}

#[tokio::test]
async fn a_whole_name_is_without_blanks_around_it_and_keeps_other_white_space() {
    let app = App::start().await;
    let client = app.client();
    let account = create(&client, account("White")).await;
    let mut names = Vec::new();
    for (first, last) in [(" Ann", "Lee "), ("\tAnn", "Lee\u{a0}"), ("Ann", "\u{3000}")] {
        let id = post(&client, contact(&account, first, last)).await.id.expect("an id");
        let account_id = account.id.expect("an id");
        let found = client.accounts().get_account_contacts(account_id).await.expect("contacts").body.result;
        let found = found.into_option().unwrap_or_default().into_iter().find(|contact| contact.id == Some(id));
        names.push(found.expect("it").name.into_option().expect("a name"));
    }
    assert_eq!(names, ["Ann Lee", "\tAnn Lee\u{a0}", "Ann \u{3000}"]);
}
