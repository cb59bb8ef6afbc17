//! From a request to the answer of an operation: authenticate, read, call, answer.

use http::StatusCode;

use super::{Answer, Call, Fails, Failure, Fit, Incoming, Operation, Reply, RequestReader, Scheme, Target};

/// The request of an operation: how it is read, and how what the service gives back is answered.
pub trait Request: Fails + Sized + Send + 'static {
    /// What the description says of the operation.
    const OPERATION: &'static Operation;

    /// [`fits`](Self::fits) looks into the body.
    const FITS_BY_BODY: bool = false;

    /// What the service gives back.
    type Success;

    /// Reads the request. Every violation is noted in `request`; with one, there may be nothing to give.
    fn read(request: &mut RequestReader<'_>) -> Option<Self>;

    /// The answer.
    fn answer(success: Self::Success, reply: Reply) -> Answer;

    /// How a request fits this one of several operations of the same route; `None`: it is for another one.
    fn fits(_target: &Target<'_>) -> Option<Fit> {
        Some(Fit::ANY)
    }
}

/// A function that finds out who calls: `P` is what the operation is told of it.
pub trait Identify<'a, A, P>: Copy + Send + Sync + 'static {
    /// The call with its caller, as `authenticator` knows it.
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

/// A method of a service that an operation calls.
pub trait Serve<'a, S, P, R: Request>: Copy + Send + Sync + 'static {
    /// Calls it.
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

/// Answers a request of the operation of `R`.
pub(super) async fn handle<'a, S, A, P, R: Request>(
    (service, authenticator): (&'a S, &'a A),
    incoming: Incoming,
    identify: impl Identify<'a, A, P>,
    method: impl Serve<'a, S, P, R>,
) -> Result<Answer, Failure> {
    let call = identify.identify(authenticator, incoming.call()).await?;
    let (request, reply) = incoming.read(R::read).await?;
    let success = method.serve(service, call, request).await?;
    Ok(R::answer(success, reply))
}

/// Asks nobody: the operation may be called by anyone.
///
/// # Errors
/// None.
pub async fn anyone<A: Sync>(_: &A, call: Call<()>) -> Result<Call<()>, Failure> {
    Ok(call)
}

/// The credentials that the operations of a description accept.
pub trait Credentials: Sized + Send {
    /// Those of all `schemes` in a request; `None` when one is missing.
    fn find(schemes: &[&Scheme], call: &Call<()>) -> Option<Self>;
}

/// The call with its caller, to whom the first credentials belong that are in the request and right by `ask`.
///
/// # Errors
/// The failure of `ask`; 401 when there are no credentials.
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
            Err(failure) if failure.status() == StatusCode::UNAUTHORIZED => refused = Some(failure),
            Err(failure) => return Err(failure),
        }
    }
    Err(refused.unwrap_or_else(|| Failure::unauthorized("no credentials were sent").into()))
}

/// The same where callers may stay unknown: credentials that are sent have to be right.
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
