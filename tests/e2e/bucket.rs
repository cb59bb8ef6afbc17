//! Attachments in a bucket: the same behaviour as in a folder, also when the bucket is slow or unavailable.

use generated_client::{Client, Error, attachments::*, models::ErrorResponse, runtime::multipart::Part};
use reqwest::{StatusCode, header};
use service::blob::{Blobs, Location};
use tests_s3::{BUCKET, Server};

use crate::{
    app::App,
    attachments::{listed, sweep_later},
    downloads::whole,
    records::file,
    waiting::eventually,
};

const MIB: usize = 1 << 20;

/// A service with attachments in a bucket.
async fn app(server: &Server) -> App {
    app_with(server, false).await
}

async fn app_with(server: &Server, redirects: bool) -> App {
    let aws = server.environment();
    App::start_with(|config| {
        config.attachments = format!("s3://{BUCKET}/of the/service");
        config.attachments_redirect = redirects;
        config.aws.0 = aws;
    })
    .await
}

async fn attach(client: &Client, name: &str, bytes: Vec<u8>) -> Result<i32, Error<ErrorResponse>> {
    let body = file(Part::bytes(name, bytes));
    let request = PostAttachment { module_id: 1, object_id: 101, idempotency_key: None, body };
    let answer = client.attachments().post_attachment(request).await?;
    Ok(answer.body.result.into_option().expect("the attachment")[0].id.expect("an id"))
}

async fn download(client: &Client, id: i32, range: Option<&str>) -> Result<Vec<u8>, Error<ErrorResponse>> {
    let request = DownloadAttachment { range: range.map(str::to_owned), ..whole(id) };
    match client.attachments().download_attachment(request).await? {
        DownloadAttachmentResponse::Ok { body, .. } | DownloadAttachmentResponse::PartialContent { body, .. } => {
            Ok(body.bytes().await.expect("all bytes").to_vec())
        }
        other => panic!("{other:?}"),
    }
}

/// Bytes that differ at every position.
fn bytes(count: usize) -> Vec<u8> {
    (0..count).map(|index| (index / 251 + index % 251).to_le_bytes()[0]).collect()
}

async fn is_ready(app: &App) -> bool {
    let answer = app.http.get(format!("http://{}/readyz", app.address)).send().await.expect("an answer");
    answer.status() == StatusCode::OK
}

#[tokio::test]
async fn files_go_into_the_bucket_and_come_back_in_whole_and_in_part() {
    let server = Server::start().await;
    let app = app(&server).await;
    let client = app.client();
    let large = bytes(19 * MIB + 5);
    let id = attach(&client, "small.txt", b"the content".to_vec()).await.expect("attached");
    let parts = attach(&client, "large.bin", large.clone()).await.expect("attached");
    attach(&client, "again.bin", large.clone()).await.expect("attached");
    assert_eq!(download(&client, id, None).await.expect("all"), b"the content");
    assert_eq!(download(&client, id, Some("bytes=4-")).await.expect("a part"), b"content");
    assert!(download(&client, parts, None).await.expect("all") == large);
    let seam = format!("bytes={}-{}", 8 * MIB - 3, 8 * MIB + 2);
    assert_eq!(download(&client, parts, Some(&seam)).await.expect("a part"), large[8 * MIB - 3..8 * MIB + 3]);

    let objects = server.objects();
    assert_eq!(objects.len(), 2, "equal files of a tenant are kept once, and nothing is staged: {objects:?}");
    assert!(objects.iter().all(|path| path.to_string_lossy().contains("of the/service/content/")), "{objects:?}");
    assert_eq!(server.parts(), 0);

    client.attachments().delete_attachments(id.to_string()).await.expect("deleted");
    assert_eq!(sweep_later(&app, 2).await, 1);
    assert_eq!(server.objects().len(), 1);
    assert!(app.service.missing_blobs().await.expect("listed").is_empty());
    assert!(download(&client, parts, None).await.expect("all") == large);
}

#[tokio::test]
async fn disconnected_uploads_leave_no_parts_in_the_bucket() {
    use tokio::io::AsyncWriteExt as _;
    let server = Server::start().await;
    let app = app(&server).await;
    let mut stream = tokio::net::TcpStream::connect(app.address).await.expect("connected");
    let head = format!(
        "POST /v2/system/attachments/1/101 HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer {}\r\n\
         Content-Type: multipart/form-data; boundary=b\r\nContent-Length: {}\r\n\r\n\
         --b\r\nContent-Disposition: form-data; name=\"formFile\"; filename=\"large.bin\"\r\n\r\n",
        app.token(),
        19 * MIB
    );
    stream.write_all(head.as_bytes()).await.expect("written");
    stream.write_all(&bytes(17 * MIB)).await.expect("written");
    eventually("two parts are in the bucket", async || server.parts() >= 2).await;
    drop(stream);
    eventually("they are taken back", async || server.parts() == 0).await;
    assert_eq!(server.objects(), Vec::<std::path::PathBuf>::new());
}

#[tokio::test]
async fn an_upload_whose_completion_is_sent_twice_is_complete() {
    let server = Server::start().await;
    let app = app(&server).await;
    server.lose_completion();
    let id = attach(&app.client(), "large.bin", bytes(9 * MIB)).await.expect("attached");
    assert!(download(&app.client(), id, None).await.expect("all") == bytes(9 * MIB));
    assert_eq!(server.objects().len(), 1, "nothing is staged");
}

#[tokio::test]
async fn an_unavailable_bucket_is_reported_and_nothing_is_lost() {
    let mut server = Server::start().await;
    let app = app(&server).await;
    let client = app.client();
    let id = attach(&client, "kept.bin", bytes(9 * MIB)).await.expect("attached");
    assert!(is_ready(&app).await);

    server.stop().await;
    eventually("the service says that it is not ready", async || !is_ready(&app).await).await;
    let refused = |error: Error<ErrorResponse>| {
        let Error::Api(failure) = error else { panic!("not a declared failure: {error}") };
        assert_eq!(failure.status(), StatusCode::SERVICE_UNAVAILABLE);
        assert_eq!(failure.headers().get(header::RETRY_AFTER).expect("a time"), "5");
    };
    for size in [10, 9 * MIB] {
        refused(attach(&client, "lost.bin", vec![7; size]).await.expect_err("refused"));
    }
    refused(download(&client, id, None).await.expect_err("refused"));
    // Operations that need no content still work.
    assert_eq!(listed(&client).await.len(), 1);

    server.start_again().await;
    eventually("the service is ready again", async || is_ready(&app).await).await;
    assert!(download(&client, id, None).await.expect("all") == bytes(9 * MIB));
    attach(&client, "lost.bin", vec![7; 9 * MIB]).await.expect("attached");
}

#[tokio::test]
async fn a_bucket_that_refuses_the_keys_is_reported() {
    let server = Server::start().await;
    let app = app(&server).await;
    let id = attach(&app.client(), "kept.bin", bytes(10)).await.expect("attached");
    let app = app
        .restart_with(|config| {
            config.attachments = format!("s3://{BUCKET}/of the/service");
            config.aws.0 = server.environment();
            config.aws.0.push(("AWS_SECRET_ACCESS_KEY".into(), "another".into()));
        })
        .await;
    let refused = download(&app.client(), id, None).await.expect_err("refused");
    assert!(refused.to_string().contains("503"), "{refused}");
    assert!(!is_ready(&app).await);
    let location = Location::parse(&format!("s3://{BUCKET}")).expect("a bucket");
    let variables = [server.environment(), vec![("AWS_SECRET_ACCESS_KEY".into(), "another".into())]].concat();
    let error = Blobs::open(&location, &variables).expect("opened").ready().await.expect_err("refused");
    assert_eq!(error.to_string(), "the bucket of attachments refuses the keys");
}

#[tokio::test]
async fn a_bucket_that_does_not_answer_is_reported_too() {
    let server = Server::start().await;
    let app = app(&server).await;
    let stalled = server.stall().await;
    eventually("the service says that it is not ready", async || !is_ready(&app).await).await;
    drop(stalled);
    eventually("the service is ready again", async || is_ready(&app).await).await;
}

#[tokio::test]
async fn callers_are_sent_to_the_bucket_when_it_is_wanted() {
    let server = Server::start().await;
    let app = app_with(&server, true).await;
    let client = app.client();
    let id = attach(&client, "Übersicht.txt", b"the content".to_vec()).await.expect("attached");
    let request = whole(id);
    let DownloadAttachmentResponse::TemporaryRedirect { location } =
        client.attachments().download_attachment(request).await.expect("an address")
    else {
        panic!("not sent elsewhere")
    };
    let location = location.expect("an address");
    assert!(location.contains("response-content-disposition=attachment"), "{location}");
    assert!(location.contains("response-content-type=application%2Foctet-stream"), "{location}");
    let elsewhere = async |address: &str| app.http.get(address).send().await.expect("an answer");
    assert_eq!(elsewhere(&location).await.text().await.expect("a text"), "the content");
    let changed = location.replace("content-type=application", "content-type=text");
    assert_eq!(elsewhere(&changed).await.status(), StatusCode::FORBIDDEN, "who has the address cannot change it");

    // Other clients follow the redirection by themselves, and send their token only to the service.
    let address = format!("http://{}/v2/system/attachments/1/101/{id}/download", app.address);
    let range = app.http.get(address).bearer_auth(app.token()).header(header::RANGE, "bytes=4-");
    let answer = range.send().await.expect("an answer");
    assert_eq!(answer.status(), StatusCode::PARTIAL_CONTENT);
    assert_eq!(answer.text().await.expect("a text"), "content");
}
