//! TLS with a certificate and a key from files.

use std::{io::ErrorKind, path::Path, time::Duration};

use reqwest::{Certificate, Client, Version};
use tokio::{
    io::{AsyncReadExt as _, AsyncWriteExt as _},
    net::TcpStream,
};

use crate::app::App;

/// Writes a new certificate for 127.0.0.1 and its key; returns the certificate as PEM.
fn certificate(folder: &Path) -> String {
    let made = rcgen::generate_simple_self_signed(["127.0.0.1".to_owned()]).expect("a certificate");
    let pem = made.cert.pem();
    std::fs::write(folder.join("certificate.pem"), &pem).expect("written");
    std::fs::write(folder.join("key.pem"), made.signing_key.serialize_pem()).expect("written");
    pem
}

async fn app(folder: &Path) -> App {
    let (certificate, key) = (folder.join("certificate.pem"), folder.join("key.pem"));
    App::start_with(|config| {
        (config.tls_certificate, config.tls_key) = (Some(certificate), Some(key));
        config.bounds.head = Duration::from_secs(1);
    })
    .await
}

/// The HTTP version that the service speaks with clients that trust this certificate.
async fn version(app: &App, trusted: &str, is_http1: bool) -> Result<Version, reqwest::Error> {
    // Another test may have installed it.
    let _ = rustls::crypto::ring::default_provider().install_default();
    let builder = Client::builder().tls_certs_only([Certificate::from_pem(trusted.as_bytes()).expect("PEM")]);
    let client = if is_http1 { builder.http1_only() } else { builder }.build().expect("a client");
    let url = format!("https://{}/v2/crm/accounts/summary/101", app.address);
    let answer = client.get(url).bearer_auth(app.token()).send().await?;
    assert_eq!(answer.status(), 200);
    Ok(answer.version())
}

#[tokio::test]
async fn both_versions_of_http_are_spoken_and_a_new_certificate_is_taken_over() {
    let folder = tempfile::tempdir().expect("a folder");
    let first = certificate(folder.path());
    let app = app(folder.path()).await;
    assert_eq!(version(&app, &first, false).await.expect("an answer"), Version::HTTP_2);
    assert_eq!(version(&app, &first, true).await.expect("an answer"), Version::HTTP_11);

    let tls = app.tls.as_ref().expect("TLS");
    assert!(!tls.reload().expect("the same files"));
    let second = certificate(folder.path());
    assert!(tls.reload().expect("new files"));
    assert!(version(&app, &first, false).await.is_err());
    assert_eq!(version(&app, &second, false).await.expect("an answer"), Version::HTTP_2);

    std::fs::write(folder.path().join("key.pem"), "half a file").expect("written");
    assert!(tls.reload().is_err());
    version(&app, &second, false).await.expect("what was good stays");
    let other = rcgen::generate_simple_self_signed(["127.0.0.1".to_owned()]).expect("a certificate");
    std::fs::write(folder.path().join("key.pem"), other.signing_key.serialize_pem()).expect("written");
    assert!(tls.reload().expect_err("another key").to_string().contains("cannot be used together"));
}

#[tokio::test]
async fn clients_without_a_tls_handshake_do_not_block_others() {
    let folder = tempfile::tempdir().expect("a folder");
    certificate(folder.path());
    let app = app(folder.path()).await;
    for sent in [&b"GET /healthz HTTP/1.1\r\nhost: x\r\n\r\n"[..], b"", b"\x16\x03\x01"] {
        let mut stream = TcpStream::connect(app.address).await.expect("connected");
        stream.write_all(sent).await.expect("sent");
        let mut answer = Vec::new();
        let end = tokio::time::timeout(Duration::from_secs(20), stream.read_to_end(&mut answer)).await;
        let end = end.expect("the connection ends");
        assert!(end.is_ok() || end.is_err_and(|error| error.kind() == ErrorKind::ConnectionReset), "{sent:?}");
        assert!(!answer.starts_with(b"HTTP"), "{sent:?}");
    }
}
