//! The examples of docs/client.md.
#![allow(dead_code, reason = "it is compiled")]

use std::error::Error as StdError;
use std::time::Duration;

use generated_client::accounts::{GetAccountContacts, PatchAccount};
use generated_client::attachments::DownloadAttachment;
use generated_client::models::PatchOperation;
use generated_client::runtime::client::Operation;
use generated_client::{Client, Error, Retry};

async fn call(token: &str) -> Result<(), Box<dyn StdError>> {
    let client = Client::builder("https://api.example.com")?.bearer_auth(token).build()?;

    let call = client.accounts().get_accounts_list_summary(());
    let answer = call.timeout(Duration::from_secs(5)).header("x-request-id", "42").with_response().await?;
    println!("{}: {:?}", answer.status(), answer.headers().get("etag"));

    Ok(())
}

mod servers {
    use compiled_client::runtime::client::BuildError;
    use compiled_client::{Client, Server, ServerScheme};

    fn chosen() -> Result<Client, BuildError> {
        let server = Server { scheme: ServerScheme::Http };
        let client = Client::builder(&server.url())?.build()?;

        Ok(client)
    }
}

async fn requests(client: Client, etag: String, steps: Vec<PatchOperation>) -> Result<(), Box<dyn StdError>> {
    let account = client.accounts().get_account_summary(101).await?.body;
    let colors = client.colors_lookup().get_colors_lookup(()).await?;

    let contacts = GetAccountContacts { page_size: Some(50), ..GetAccountContacts::from(101) };
    let contacts = client.accounts().get_account_contacts(contacts).await?.body;

    let image =
        DownloadAttachment { module_id: 1, object_id: 101, attachment_id: 7, width: Some(640), ..Default::default() };
    let image = client.attachments().download_attachment(image).await?;

    let patch = PatchAccount { if_match: Some(etag), ..PatchAccount::new(101, steps) };
    client.accounts().patch_account(patch).await?;

    println!("{account:?} {colors:?} {contacts:?} {image:?}");
    Ok(())
}

mod provider {
    use std::error::Error;
    use std::time::Duration;

    use generated_client::{Client, Credential, CredentialProvider, runtime::client::Scheme};

    struct TokenFile;

    impl CredentialProvider for TokenFile {
        async fn credential(
            &self,
            _scheme: &'static Scheme,
            _refused: Option<&Credential>,
        ) -> Result<Credential, Box<dyn Error + Send + Sync>> {
            let token = tokio::fs::read_to_string("/run/secrets/token").await?;
            Ok(Credential::bearer(token.trim()).expires_in(Duration::from_mins(5)))
        }
    }

    fn client() -> Result<Client, Box<dyn Error>> {
        let client = Client::builder("https://api.example.com")?.credential_provider(TokenFile).build()?;

        Ok(client)
    }
}

mod oauth {
    use std::error::Error;
    use std::time::Duration;

    use generated_client::{Credential, CredentialProvider, runtime::client::Scheme};

    struct ClientCredentials {
        http: reqwest::Client,
        id: String,
        secret: String,
    }

    impl CredentialProvider for ClientCredentials {
        async fn credential(
            &self,
            _scheme: &'static Scheme,
            _refused: Option<&Credential>,
        ) -> Result<Credential, Box<dyn Error + Send + Sync>> {
            let request = self.http.post("https://auth.example.com/token").basic_auth(&self.id, Some(&self.secret));
            let form = request.header("content-type", "application/x-www-form-urlencoded");
            let answer = form.body("grant_type=client_credentials").send().await?.error_for_status()?;
            let token: serde_json::Value = serde_json::from_slice(&answer.bytes().await?)?;
            let access = token["access_token"].as_str().ok_or("there is no access token")?;
            let seconds = token["expires_in"].as_u64().unwrap_or(300).saturating_sub(30);
            Ok(Credential::bearer(access).expires_in(Duration::from_secs(seconds)))
        }
    }
}

async fn retries() -> Result<(), Box<dyn StdError>> {
    let retry = Retry { times: 4, first_delay: Duration::from_millis(100), ..Retry::default() };
    let client = Client::builder("https://api.example.com")?.timeout(Duration::from_secs(30)).retry(retry).build()?;

    let call = client.accounts().get_accounts_list_summary(());
    let page = call.idempotency_key("f3b1").retry(Retry::never()).await?;

    println!("{page:?}");
    Ok(())
}

async fn failures(client: Client) -> Result<(), Box<dyn StdError>> {
    let call = client.accounts().get_accounts_list_summary(());
    match call.await {
        Ok(page) => println!("{:?} accounts", page.body.total_records),
        // A failure that the description declares, with its type.
        Err(Error::Api(failure)) => println!("{}: {:?}", failure.status(), failure.body),
        // An undeclared status, or a body that does not match: status, headers and bytes are kept.
        Err(Error::Unexpected(answer)) => println!("{}: {} bytes", answer.status(), answer.bytes().len()),
        Err(error) if error.is_timeout() => println!("too slow"),
        // No answer, or the call could not be sent: missing credentials, or a value that the path cannot contain.
        Err(error) => return Err(error.into()),
    }
    Ok(())
}

async fn pages(client: Client) -> Result<(), Box<dyn StdError>> {
    let mut accounts = client.accounts().get_accounts_list_summary(()).items();
    while let Some(account) = accounts.try_next().await? {
        println!("{:?}", account.account_name);
    }

    Ok(())
}

fn connection() -> Result<Client, Box<dyn StdError>> {
    let http = reqwest::Client::builder().no_proxy().connect_timeout(Duration::from_secs(2)).build()?;
    let client = Client::builder("https://api.example.com")?.http_client(http).response_limit(1024 * 1024).build()?;

    Ok(client)
}

fn fake() -> Result<Client, Box<dyn StdError>> {
    let fake = tower::service_fn(|request: http::Request<reqwest::Body>| async move {
        let operation = request.extensions().get::<&'static Operation>().map_or("", |operation| operation.id);
        println!("{operation}: {} {}", request.method(), request.uri());
        http::Response::builder().header("content-type", "application/json").body("[]".to_owned())
    });
    let client = Client::builder("http://in.memory")?.transport(fake).build()?;

    Ok(client)
}

fn traceparent() -> http::HeaderValue {
    http::HeaderValue::from_static("00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01")
}

fn layers() -> Result<Client, Box<dyn StdError>> {
    let client = Client::builder("https://api.example.com")?
        .wrap_transport(|pool| {
            tower::ServiceBuilder::new()
                .concurrency_limit(8)
                .map_request(|mut request: http::Request<reqwest::Body>| {
                    request.headers_mut().insert("traceparent", traceparent());
                    request
                })
                .service(pool)
        })
        .build()?;

    Ok(client)
}
