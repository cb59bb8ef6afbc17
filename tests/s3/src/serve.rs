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

/// What every request looks at.
#[derive(Debug, Default)]
pub(crate) struct State {
    /// Read by all, so that who holds it to write makes all of them wait.
    pub(crate) gate: Arc<RwLock<()>>,
    /// Whether the next completion of an upload in parts gets no answer.
    pub(crate) loses_completion: AtomicBool,
}

/// Serves the folder until its task is dropped.
pub(crate) async fn serve(listener: TcpListener, s3: S3Service, folder: PathBuf, state: Arc<State>) {
    // Dropped with this task, it ends them.
    let mut connections = JoinSet::new();
    while let Ok((stream, _)) = listener.accept().await {
        let (s3, folder, state) = (s3.clone(), folder.clone(), Arc::clone(&state));
        let answer = service_fn(move |request| answer(s3.clone(), folder.clone(), Arc::clone(&state), request));
        connections.spawn(async move {
            // Who hangs up is part of the tests.
            let _ = hyper::server::conn::http1::Builder::new().serve_connection(TokioIo::new(stream), answer).await;
        });
    }
}

/// An error closes the connection.
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
    // Refused as if it were another's; S3 says that it is not there.
    if is_of_none && answer.status() == StatusCode::FORBIDDEN {
        *answer.status_mut() = StatusCode::NOT_FOUND;
        answer.headers_mut().remove(CONTENT_LENGTH);
        *answer.body_mut() = s3s::Body::from("<Error><Code>NoSuchUpload</Code></Error>".to_owned());
    }
    Ok(answer)
}

/// The upload in parts that a request is about.
fn upload_of(request: &Request<Incoming>) -> Option<&str> {
    request.uri().query()?.split('&').find_map(|pair| pair.strip_prefix("uploadId="))
}
