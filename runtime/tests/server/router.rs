//! Every operation as one axum router.

use crate::runtime::server;
use crate::security;

/// Answers every operation with `service`, and everything else with a failure.
pub fn router<S, A>(service: S, authenticator: A, options: &server::Options) -> axum::Router
where
    S: crate::accounts::Accounts<Principal = A::Principal>,
    A: security::Authenticator,
{
    let mut routes = server::Routes::new(service, authenticator);
    crate::accounts::add_routes(&mut routes);
    routes.into_router(options)
}
