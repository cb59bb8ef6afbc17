//! The examples of README.md, compiled and run.

use std::error::Error;

use specwright::{CrateFolder, Generator, Side, Source};

#[test]
fn every_example_is_compiled_here() {
    tests::examples::are_compiled(include_str!("../README.md"), include_str!("readme.rs"), 4);
}

#[allow(dead_code, reason = "it is compiled")]
async fn call(token: &str) -> Result<(), Box<dyn Error>> {
    use generated_client::{Client, accounts::GetAccountsListSummary};

    let client = Client::builder("http://127.0.0.1:8080")?.bearer_auth(token).build()?;
    let request = GetAccountsListSummary { filter_account_name: Some("acme".into()), ..Default::default() };
    let page = client.accounts().get_accounts_list_summary(request.clone()).await?.body;
    let account = client.accounts().get_account_summary(101).await?.body;

    let mut accounts = client.accounts().get_accounts_list_summary(request).items();
    while let Some(account) = accounts.try_next().await? {
        println!("{}", account.account_name.as_deref().unwrap_or("(no name)"));
    }

    println!("{:?} in all, {:?} among them", page.total_records, account.account_name);
    Ok(())
}

#[allow(dead_code, reason = "it is compiled")]
mod server {
    #[derive(Clone)]
    pub(crate) struct MyCaller;
    pub(crate) struct MyService;

    use generated_server::{colors_lookup::*, models::ColorLookupList, runtime::server::*};

    impl ColorsLookup for MyService {
        type Principal = MyCaller;

        async fn get_colors_lookup(
            &self,
            _call: Call<MyCaller>,
            _request: GetColorsLookup,
        ) -> Result<ColorLookupList, Failure<GetColorsLookup>> {
            Ok(ColorLookupList { success: Some(true), ..Default::default() })
        }
    }

    pub(crate) fn app(
        authenticator: impl generated_server::security::Authenticator<Principal = MyCaller>,
    ) -> axum::Router {
        let app: axum::Router = router(MyService, authenticator, &Options::default());

        app
    }
}

#[test]
fn a_crate_is_generated() -> Result<(), Box<dyn Error>> {
    let folder = tempfile::tempdir()?;
    std::fs::copy(concat!(env!("CARGO_MANIFEST_DIR"), "/../spec/openapi.yaml"), folder.path().join("openapi.yaml"))?;
    std::env::set_current_dir(folder.path())?;

    let generator = Generator::new().name("accounts").only(Side::Server);
    let generated = generator.generate(&Source::path("openapi.yaml"))?;
    CrateFolder::new("accounts-server", generated.server).write()?;

    assert!(folder.path().join("accounts-server/src/lib.rs").is_file());
    Ok(())
}

#[test]
fn what_is_wrong_with_a_description_is_an_error_of_rust() {
    let run = || -> Result<(), Box<dyn Error>> {
        Generator::new().generate(&Source::text("openapi: 3.0.3\ninfo: { title: A }\n"))?;
        Ok(())
    };
    let error = run().expect_err("it has no paths");
    let text = "\
warning[W0206] description#/info: the description has no `version`; `0.0.0` is taken
error[E0202] description#: `paths` is missing";
    // What `main` shows is the `Debug` of its error.
    assert_eq!((error.to_string(), format!("{error:?}")), (text.to_owned(), text.to_owned()));
}

#[allow(dead_code, reason = "it is compiled")]
async fn listen(client: &compiled_client::Client) -> Result<(), Box<dyn Error>> {
    let mut ticks = client.streams().watch_ticks(()).await?;
    while let Some(event) = ticks.next().await? {
        println!("{}", event.data.at);
    }

    Ok(())
}
