//! Contents in a bucket of S3 or a compatible service.

use std::{sync::Arc, time::Duration};

use object_store::{
    BackoffConfig, ClientOptions, Result, RetryConfig,
    aws::{AmazonS3, AmazonS3Builder, AmazonS3ConfigKey},
    path::Path as Key,
    signer::{Method, SignedUrlOptions, Signer as _},
};

/// Read timeout.
const SILENCE: Duration = Duration::from_secs(15);
/// Time limit of retries. With [`SILENCE`] it is below the limit of requests.
const RETRIES: Duration = Duration::from_secs(10);
/// Connect timeout.
const CONNECT: Duration = Duration::from_secs(3);
/// Validity of presigned URLs; clients use them at once.
const SIGNED: Duration = Duration::from_mins(5);

/// Opens a bucket as the variables `AWS_…` say; other variables are ignored. Sends no request yet.
pub(super) fn open(bucket: &str, variables: &[(String, String)]) -> Result<Arc<AmazonS3>> {
    // `reqwest` is built without a provider. An error means that one is already installed.
    let _ = rustls::crypto::ring::default_provider().install_default();
    // Responses are read at the pace of callers, so there is no total timeout.
    let client = ClientOptions::new().with_timeout_disabled().with_read_timeout(SILENCE).with_connect_timeout(CONNECT);
    let mut builder = AmazonS3Builder::new().with_client_options(client);
    for (name, value) in variables {
        let name = name.to_ascii_lowercase();
        let Some(key) = name.starts_with("aws_").then(|| name.parse().ok()).flatten() else { continue };
        if matches!(key, AmazonS3ConfigKey::Endpoint | AmazonS3ConfigKey::S3Endpoint) && value.starts_with("http://") {
            builder = builder.with_allow_http(true);
        }
        builder = builder.with_config(key, value);
    }
    let backoff = BackoffConfig { max_backoff: Duration::from_secs(2), ..BackoffConfig::default() };
    let retry = RetryConfig { backoff, max_retries: 3, retry_timeout: RETRIES };
    let s3 = builder.with_bucket_name(bucket).with_retry(retry).build()?;
    Ok(Arc::new(s3))
}

/// A presigned URL for an object, with these headers, valid for some minutes.
pub(super) async fn signed_url(
    s3: &AmazonS3,
    key: &Key,
    media_type: &str,
    disposition: Option<&str>,
) -> Result<String> {
    let headers = [("response-content-type", Some(media_type)), ("response-content-disposition", disposition)];
    let query = headers.into_iter().filter_map(|(name, value)| Some((name, value?)));
    let options = SignedUrlOptions::new().with_query(query);
    Ok(s3.signed_url_opts(Method::GET, key, SIGNED, &options).await?.into())
}
