//! The examples of README.md, compiled and run.

use std::error::Error;
use std::path::PathBuf;

const README: &str = include_str!("../README.md");
const THIS: &str = include_str!("readme.rs");

#[test]
fn every_example_is_compiled_here() {
    let lines = |text: &str| -> Vec<String> { text.lines().map(|line| line.trim().to_owned()).collect() };
    let here = lines(THIS);
    let examples: Vec<_> =
        README.split("```rust,ignore\n").skip(1).map(|rest| rest.split("```").next().unwrap()).collect();
    assert_eq!(examples.len(), 4);
    for example in examples {
        for part in example.trim().split("\n\n") {
            let part = lines(part);
            assert!(
                here.windows(part.len()).any(|window| window == part),
                "not in tests/readme.rs:\n{}",
                part.join("\n")
            );
        }
    }
}

#[allow(dead_code, reason = "it is compiled")]
async fn call(token: &str) -> Result<(), Box<dyn Error>> {
    use generated_client::{Client, accounts::GetAccountsListSummary};

    let client = Client::builder("http://127.0.0.1:8080")?.bearer(token).build()?;
    let request = GetAccountsListSummary { filter_account_name: Some("acme".into()), ..Default::default() };
    let page = client.accounts().get_accounts_list_summary(request.clone()).await?.body;

    let mut accounts = client.accounts().get_accounts_list_summary(request).items();
    while let Some(account) = accounts.try_next().await? {
        println!("{}", account.account_name.as_deref().unwrap_or("(no name)"));
    }

    println!("{:?} in all", page.total_records);
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
        ) -> Result<ColorLookupList, Failure> {
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
    let folder = PathBuf::from(concat!(env!("CARGO_MANIFEST_DIR"), "/../spec"));
    let target = tempfile::tempdir()?.keep();

    let files = |path: &str| std::fs::read(folder.join(path));
    let generated = codegen::generate(&files, "openapi.yaml", &codegen::Options::default())?;
    for file in generated.server {
        let path = target.join(file.path);
        std::fs::create_dir_all(path.parent().unwrap_or(&target))?;
        std::fs::write(path, file.text)?;
    }

    assert!(target.join("src/lib.rs").is_file());
    std::fs::remove_dir_all(&target)?;
    Ok(())
}

#[test]
fn what_is_wrong_with_a_description_is_an_error_of_rust() {
    let files = |_: &str| Ok(b"openapi: 3.0.3\ninfo: { title: A }\n".to_vec());
    let run = || -> Result<(), Box<dyn Error>> {
        codegen::generate(&files, "a.yaml", &codegen::Options::default())?;
        Ok(())
    };
    let text = run().expect_err("it has no version").to_string();
    assert!(text.ends_with("error[E0202] a.yaml#: `paths` is missing"), "{text}");
}

#[allow(dead_code, reason = "it is compiled")]
async fn listen(client: &compiled_client::Client) -> Result<(), Box<dyn Error>> {
    let mut ticks = client.streams().watch_ticks().await?;
    while let Some(event) = ticks.next().await? {
        println!("{}", event.data.at);
    }

    Ok(())
}
