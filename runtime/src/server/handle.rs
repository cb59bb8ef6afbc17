//! Handles a request: authenticate, read, call, respond.

use http::StatusCode;

use super::incoming::Incoming;
use super::{Answer, Call, Fails, Failure, Fit, Operation, Reply, RequestReader, Scheme, Target};

/// The request of an operation: how it is read, and how its result is sent.
pub trait Request: Fails + Sized + Send + 'static {
    /// The operation.
    const OPERATION: &'static Operation;

    /// Whether [`fits`](Self::fits) reads the body.
    const FITS_BY_BODY: bool = false;

    /// The result of the service's method.
    type Success;

    /// Reads the request. Violations are noted in `request`; with one, the result may be `None`.
    fn read(request: &mut RequestReader<'_>) -> Option<Self>;

    /// Makes the response.
    fn answer(success: Self::Success, reply: Reply) -> Answer;

    /// How well a request fits this one of several operations of the same route; `None`: it does not.
    fn fits(_target: &Target<'_>) -> Option<Fit> {
        Some(Fit::ANY)
    }
}

/// A function that identifies the caller; `P` is what the operation sees of it.
pub trait Identify<'a, A, P>: Copy + Send + Sync + 'static {
    /// Adds the caller, identified by `authenticator`, to the call.
    fn identify(self, authenticator: &'a A, call: Call<()>) -> impl Future<Output = Result<Call<P>, Failure>> + Send;
}

impl<'a, A, P, F, I> Identify<'a, A, P> for I
where
    A: 'a,
    F: Future<Output = Result<Call<P>, Failure>> + Send,
    I: Fn(&'a A, Call<()>) -> F + Copy + Send + Sync + 'static,
{
    fn identify(self, authenticator: &'a A, call: Call<()>) -> impl Future<Output = Result<Call<P>, Failure>> + Send {
        self(authenticator, call)
    }
}

/// A method of a service that implements an operation.
pub trait Serve<'a, S, P, R: Request>: Copy + Send + Sync + 'static {
    /// Calls the method.
    fn serve(
        self,
        service: &'a S,
        call: Call<P>,
        request: R,
    ) -> impl Future<Output = Result<R::Success, Failure<R>>> + Send;
}

impl<'a, S, P, R, F, M> Serve<'a, S, P, R> for M
where
    S: 'a,
    R: Request,
    F: Future<Output = Result<R::Success, Failure<R>>> + Send,
    M: Fn(&'a S, Call<P>, R) -> F + Copy + Send + Sync + 'static,
{
    fn serve(
        self,
        service: &'a S,
        call: Call<P>,
        request: R,
    ) -> impl Future<Output = Result<R::Success, Failure<R>>> + Send {
        self(service, call, request)
    }
}

/// Handles a request of the operation of `R`.
pub(super) async fn handle<'a, S, A, P, R: Request>(
    (service, authenticator): (&'a S, &'a A),
    incoming: &mut Incoming,
    identify: impl Identify<'a, A, P>,
    method: impl Serve<'a, S, P, R>,
) -> Result<Answer, Failure> {
    let call = identify.identify(authenticator, incoming.call()).await?;
    let (request, reply) = incoming.read(R::read).await?;
    let success = method.serve(service, call, request).await?;
    Ok(R::answer(success, reply))
}

/// Identifies no caller: the operation is public.
///
/// # Errors
/// None.
pub async fn anyone<A: Sync>(_: &A, call: Call<()>) -> Result<Call<()>, Failure> {
    Ok(call)
}

/// The credentials that the operations of a description accept.
pub trait Credentials: Sized + Send {
    /// Finds the credentials of all `schemes` in a request; `None` if one is missing.
    fn find(schemes: &[&Scheme], call: &Call<()>) -> Option<Self>;
}

/// Identifies the caller by the first credentials in the request that `ask` accepts.
///
/// # Errors
/// The failure of `ask`, of which 401 and 403 let it try other credentials or scopes; 401 without credentials.
pub async fn authenticate<C, P, F>(
    call: Call<()>,
    ask: impl Fn(C, &'static [&'static str], Call<()>) -> F,
) -> Result<Call<P>, Failure>
where
    C: Credentials,
    F: Future<Output = Result<P, Failure>>,
{
    let mut refused = None;
    for requirement in call.operation().security {
        let Some(credentials) = C::find(requirement.schemes, &call) else { continue };
        match ask(credentials, requirement.scopes, call.clone()).await {
            Ok(principal) => return Ok(call.by(principal)),
            Err(failure) if failure.status() == StatusCode::FORBIDDEN => refused = Some(failure),
            Err(failure) if failure.status() == StatusCode::UNAUTHORIZED => refused = refused.or(Some(failure)),
            Err(failure) => return Err(failure),
        }
    }
    Err(refused.unwrap_or_else(|| Failure::unauthorized("no credentials were sent").into()))
}

/// The same for optional authentication: credentials that are sent must be valid.
///
/// # Errors
/// The failure of `ask`.
pub async fn authenticate_optional<C, P, F>(
    call: Call<()>,
    ask: impl Fn(C, &'static [&'static str], Call<()>) -> F,
) -> Result<Call<Option<P>>, Failure>
where
    C: Credentials,
    F: Future<Output = Result<P, Failure>>,
{
    let is_sent = |requirement: &super::Requirement| C::find(requirement.schemes, &call).is_some();
    if !call.operation().security.iter().any(is_sent) {
        return Ok(call.by(None));
    }
    authenticate(call, ask).await.map(|call| call.map(Some))
}
