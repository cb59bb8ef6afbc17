//! Connections and requests.

use std::{
    path::PathBuf,
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
};

use hyper::{Method, Request, Response, StatusCode, body::Incoming, header::CONTENT_LENGTH, service::service_fn};
use hyper_util::rt::TokioIo;
use s3s::{HttpError, service::S3Service};
use tokio::{net::TcpListener, sync::RwLock, task::JoinSet};

/// The state shared by all requests.
#[derive(Debug, Default)]
pub(crate) struct State {
    /// Every request reads it, so a writer blocks all of them.
    pub(crate) gate: Arc<RwLock<()>>,
    /// Whether the next completion of a multipart upload gets no response.
    pub(crate) loses_completion: AtomicBool,
}

/// Serves the folder until its task is dropped.
pub(crate) async fn serve(listener: TcpListener, s3: S3Service, folder: PathBuf, state: Arc<State>) {
    // Dropping it with this task ends the connections.
    let mut connections = JoinSet::new();
    while let Ok((stream, _)) = listener.accept().await {
        let (s3, folder, state) = (s3.clone(), folder.clone(), Arc::clone(&state));
        let answer = service_fn(move |request| answer(s3.clone(), folder.clone(), Arc::clone(&state), request));
        connections.spawn(async move {
            // Tests disconnect on purpose.
            let _ = hyper::server::conn::http1::Builder::new().serve_connection(TokioIo::new(stream), answer).await;
        });
    }
}

/// Handles a request; an error closes the connection.
async fn answer(
    s3: S3Service,
    folder: PathBuf,
    state: Arc<State>,
    request: Request<Incoming>,
) -> Result<Response<s3s::Body>, HttpError> {
    drop(Arc::clone(&state.gate).read_owned().await);
    let upload = upload_of(&request);
    let is_of_none = upload.is_some_and(|id| !folder.join(format!(".upload-{id}.json")).exists());
    let is_completion = upload.is_some() && request.method() == Method::POST;
    let mut answer = s3.call(request.map(s3s::Body::from)).await?;
    if is_completion && state.loses_completion.swap(false, Ordering::SeqCst) {
        return Err(HttpError::new("lost".into()));
    }
    // The library responds 403 to an unknown upload; S3 responds 404.
    if is_of_none && answer.status() == StatusCode::FORBIDDEN {
        *answer.status_mut() = StatusCode::NOT_FOUND;
        answer.headers_mut().remove(CONTENT_LENGTH);
        *answer.body_mut() = s3s::Body::from("<Error><Code>NoSuchUpload</Code></Error>".to_owned());
    }
    Ok(answer)
}

/// The multipart upload of a request.
fn upload_of(request: &Request<Incoming>) -> Option<&str> {
    request.uri().query()?.split('&').find_map(|pair| pair.strip_prefix("uploadId="))
}
