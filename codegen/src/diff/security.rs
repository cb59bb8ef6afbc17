//! Security: credentials that were accepted, and that will be.

use super::change::Party;
use super::rule::Rule;
use super::site::{Context, Site};
use crate::ir::{Api, CredentialKind, Operation};

/// A required scheme with its scopes.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Need<'a> {
    scheme: &'a str,
    kind: &'a CredentialKind,
    scopes: &'a [String],
}

/// Schemes that are required together; empty for anonymous callers.
type Way<'a> = Vec<Need<'a>>;

/// The alternatives of a security requirement, including anonymous access.
fn ways<'a>(api: &'a Api, operation: &'a Operation) -> Vec<Way<'a>> {
    let security = &operation.security;
    let way = |(index, scopes): &'a (usize, Vec<Vec<String>>)| {
        let schemes = api.credentials[*index].schemes.iter().map(|scheme| &api.security_schemes[*scheme]);
        let need = |(scheme, scopes): (&'a crate::ir::SecurityScheme, &'a Vec<String>)| Need {
            scheme: &scheme.name.wire,
            kind: &scheme.kind,
            scopes,
        };
        schemes.zip(scopes).map(need).collect()
    };
    let mut ways: Vec<Way<'_>> = security.alternatives.iter().map(way).collect();
    if security.optional || security.alternatives.is_empty() {
        ways.push(Vec::new());
    }
    ways
}

/// Compares the credentials that one operation requires.
pub(super) fn compare(context: &mut Context<'_>, site: &Site<'_>, old: &Operation, new: &Operation) {
    let (before, after) = (ways(context.old, old), ways(context.new, new));
    let is_refused = |way: &&Way<'_>| !after.iter().any(|other| will_do(way, other));
    for way in before.iter().filter(is_refused) {
        refused(context, site, way, &after);
    }
    // A replacement has been reported with what it replaces.
    if !before.iter().any(|way| is_refused(&way)) {
        for way in after.iter().filter(|way| !before.contains(way)) {
            welcome(context, site, &before, way);
        }
    }
    let (before, after) = (principal(old), principal(new));
    if before != after {
        context
            .report(Rule::PrincipalChanged, site, format!("the method {after}; before, it {before}"))
            .breaking(Party::Servers, "the `Call` that the method of the trait takes has another type");
    }
}

/// How the method of the trait receives a principal.
fn principal(operation: &Operation) -> &'static str {
    match (operation.security.alternatives.is_empty(), operation.security.optional) {
        (true, _) => "receives no principal",
        (false, true) => "may receive a principal",
        (false, false) => "receives a principal",
    }
}

/// Reports credentials that are newly accepted.
fn welcome(context: &mut Context<'_>, site: &Site<'_>, before: &[Way<'_>], way: &Way<'_>) {
    let reason = "credentials as before are still accepted";
    match before.iter().find(|other| is_like(other, way)) {
        Some(same) => {
            for need in way {
                let had = same.iter().filter(|had| had.scheme == need.scheme).flat_map(|had| had.scopes);
                for scope in had.filter(|scope| !need.scopes.contains(scope)) {
                    let message = format!("`{}` does not need the scope `{scope}` any more", need.scheme);
                    context.report(Rule::ScopeNotRequired, site, message).harmless(Party::Callers, reason);
                }
            }
        }
        None if way.is_empty() => {
            let message = "credentials are no longer required";
            context.report(Rule::CredentialsNotRequired, site, message).harmless(Party::Callers, reason);
        }
        None => {
            context
                .report(Rule::SecurityAlternativeAdded, site, format!("{} will do, too", text(way)))
                .harmless(Party::Callers, reason);
        }
    }
}

/// Whether credentials that satisfy `old` satisfy `new`.
fn will_do(old: &Way<'_>, new: &Way<'_>) -> bool {
    new.iter().all(|need| {
        old.iter().any(|had| {
            had.scheme == need.scheme
                && had.kind == need.kind
                && need.scopes.iter().all(|scope| had.scopes.contains(scope))
        })
    })
}

/// Whether both have the same schemes, whatever the scopes.
fn is_like(left: &Way<'_>, right: &Way<'_>) -> bool {
    left.len() == right.len() && left.iter().all(|need| right.iter().any(|other| other.scheme == need.scheme))
}

/// Reports why credentials are no longer accepted.
fn refused(context: &mut Context<'_>, site: &Site<'_>, way: &Way<'_>, after: &[Way<'_>]) {
    let reason = "requests with credentials as before are refused";
    if way.is_empty() {
        let needed: Vec<_> = after.iter().map(text).collect();
        let message = format!("credentials are now required: {}", needed.join(" or "));
        context.report(Rule::CredentialsRequired, site, message).breaking(Party::Callers, "anyone could call");
        return;
    }
    if let Some(same) = after.iter().find(|other| is_like(way, other)) {
        for need in same {
            let Some(had) = way.iter().find(|had| had.scheme == need.scheme) else { continue };
            if had.kind != need.kind {
                let message = format!("`{}` is {} now, not {}", need.scheme, sent(need.kind), sent(had.kind));
                context.report(Rule::SecuritySchemeChanged, site, message).breaking(Party::Callers, reason);
            }
            for scope in need.scopes.iter().filter(|scope| !had.scopes.contains(scope)) {
                let message = format!("`{}` needs the scope `{scope}`", need.scheme);
                context.report(Rule::ScopeRequired, site, message).breaking(Party::Callers, reason);
            }
        }
        return;
    }
    let contains = |other: &&Way<'_>| way.iter().all(|had| other.iter().any(|need| need.scheme == had.scheme));
    if let Some(larger) = after.iter().find(contains) {
        for need in larger.iter().filter(|need| way.iter().all(|had| had.scheme != need.scheme)) {
            let message = format!("`{}` is required in addition to {}", need.scheme, text(way));
            context.report(Rule::SchemeRequired, site, message).breaking(Party::Callers, reason);
        }
        return;
    }
    context
        .report_gone(Rule::SecurityAlternativeRemoved, site, format!("{} will not do any more", text(way)))
        .breaking(Party::Callers, reason);
}

/// Compares the variants of `Credentials`, which a server's authenticator matches on.
pub(super) fn credentials(context: &mut Context<'_>, site: &Site<'_>) {
    let names =
        |api: &Api| -> Vec<String> { api.credentials.iter().map(|alternative| alternative.rust.clone()).collect() };
    let (before, after) = (names(context.old), names(context.new));
    for name in after.iter().filter(|name| !before.contains(name)) {
        context
            .report(Rule::CredentialsAdded, site, format!("callers may send `Credentials::{name}`"))
            .breaking(Party::Servers, "the authenticator has to take them, and a `match` needs an arm for them");
    }
    for name in before.iter().filter(|name| !after.contains(name)) {
        context
            .report_gone(Rule::CredentialsRemoved, site, format!("no operation takes `Credentials::{name}` any more"))
            .breaking(Party::Servers, "the authenticator names a variant that is gone")
            .breaking(Party::Rust, "code that names it does not compile");
    }
}

fn text(way: &Way<'_>) -> String {
    match way.as_slice() {
        [] => "saying nothing".to_owned(),
        needs => needs.iter().map(|need| format!("`{}`", need.scheme)).collect::<Vec<_>>().join(" and "),
    }
}

fn sent(kind: &CredentialKind) -> String {
    match kind {
        CredentialKind::Basic => "a user and a password".to_owned(),
        CredentialKind::Bearer => "a token".to_owned(),
        CredentialKind::ApiKeyHeader(name) => format!("a key in the header `{name}`"),
        CredentialKind::ApiKeyQuery(name) => format!("a key in the query parameter `{name}`"),
        CredentialKind::ApiKeyCookie(name) => format!("a key in the cookie `{name}`"),
        CredentialKind::Other => "something that the authenticator looks for".to_owned(),
    }
}
