//! Used security schemes, and requirements of operations.

use std::collections::BTreeSet;

use openapiv3::SecurityRequirement;

use super::Site;
use crate::diagnostic::{Code, nearest};
use crate::ir::{Alternative, CredentialKind, Name, Security, SecurityScheme};
use crate::location::Location;
use crate::lower::name;
use crate::lower::reference::{Resolver, follow, node_at};

/// The functions that `ClientBuilder` has without any scheme.
pub(crate) const TAKEN_BY_BUILDER: &[&str] = &[
    "build",
    "credential",
    "credential_provider",
    "described_servers",
    "header",
    "http_client",
    "of",
    "response_limit",
    "retry",
    "timeout",
    "transport",
    "user_agent",
    "wrap_transport",
];

/// The schemes and sets of schemes used so far.
#[derive(Debug)]
pub(crate) struct Schemes {
    pub(crate) list: Vec<SecurityScheme>,
    pub(crate) credentials: Vec<Alternative>,
    names: name::Scope,
    builder_methods: name::Scope,
    variants: name::Scope,
}

impl Default for Schemes {
    fn default() -> Self {
        Self {
            list: Vec::new(),
            credentials: Vec::new(),
            names: name::Scope::default(),
            builder_methods: name::Scope::reserving(TAKEN_BY_BUILDER),
            variants: name::Scope::default(),
        }
    }
}

/// The index of a set of schemes, and the scopes of each scheme.
type Required = (usize, Vec<Vec<String>>);

/// The forms of the `Authorization` header, of which a request has only one. A key may look like the others,
/// so it is tried last.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Authorization {
    Basic,
    Bearer,
    Key,
}

impl Authorization {
    /// The form in which credentials of this kind use `Authorization`, if they do.
    fn of(kind: &CredentialKind) -> Option<Self> {
        match kind {
            CredentialKind::Basic => Some(Self::Basic),
            CredentialKind::Bearer => Some(Self::Bearer),
            CredentialKind::ApiKeyHeader(header) => header.eq_ignore_ascii_case("authorization").then_some(Self::Key),
            CredentialKind::ApiKeyQuery(_) | CredentialKind::ApiKeyCookie(_) | CredentialKind::Other => None,
        }
    }
}

/// The requirement of one operation: its own list, else that of the document. The document's applies to
/// callers of the server, not to webhooks.
pub(crate) fn read_security(
    resolver: &mut Resolver<'_>,
    schemes: &mut Schemes,
    operation: &openapiv3::Operation,
    site: &Site<'_>,
) -> Security {
    let document = resolver.document;
    let (requirements, location) = match (&operation.security, &document.openapi.security) {
        (Some(own), _) => (own.as_slice(), site.location.member("security")),
        (None, Some(all)) if !site.is_webhook => (all.as_slice(), document.root.member("security")),
        (None, _) => return Security { alternatives: Vec::new(), optional: false },
    };
    let mut security = Security { alternatives: Vec::new(), optional: false };
    for (index, requirement) in requirements.iter().enumerate() {
        if requirement.is_empty() {
            security.optional = true;
            continue;
        }
        for alternative in read_requirement(resolver, schemes, requirement, &location.item(index)) {
            if !security.alternatives.contains(&alternative) {
                security.alternatives.push(alternative);
            }
        }
    }
    // Credentials that are never sent always match, so they come last.
    security.alternatives.sort_by_key(|(index, _)| {
        let needed = &schemes.credentials[*index].schemes;
        needed.iter().any(|scheme| schemes.list[*scheme].kind == CredentialKind::Other)
    });
    // Without alternatives the operation is public anyway.
    security.optional &= !security.alternatives.is_empty();
    security
}

/// The sets of schemes that satisfy a requirement: one, unless its schemes exclude each other.
fn read_requirement(
    resolver: &mut Resolver<'_>,
    schemes: &mut Schemes,
    requirement: &SecurityRequirement,
    location: &Location,
) -> Vec<Required> {
    let mut needed = Vec::new();
    for (scheme, scopes) in requirement {
        needed.push((scheme_index(resolver, schemes, scheme, &location.member(scheme)), scopes.clone()));
    }
    let authorization = |scheme: usize| Authorization::of(&schemes.list[scheme].kind);
    let forms: BTreeSet<_> = needed.iter().filter_map(|(scheme, _)| authorization(*scheme)).collect();
    if forms.len() < 2 {
        return vec![schemes.set(needed)];
    }
    let sets: Vec<Vec<_>> = forms
        .iter()
        .map(|form| {
            let fits = |scheme: usize| authorization(scheme).is_none_or(|other| other == *form);
            needed.iter().filter(|(scheme, _)| fits(*scheme)).cloned().collect()
        })
        .collect();
    let names = needed.iter().filter(|(scheme, _)| authorization(*scheme).is_some());
    let names: Vec<_> = names.map(|(scheme, _)| format!("`{}`", schemes.list[*scheme].name.wire)).collect();
    let message = format!(
        "{} are required together, but each of them is the value of the header `Authorization`",
        names.join(" and ")
    );
    resolver
        .report(Code::ExclusiveSecuritySchemes, location, message)
        .label("no request can have both; they are read as alternatives")
        .help("list them as alternatives, or use another header for each `apiKey`");
    sets.into_iter().map(|set| schemes.set(set)).collect()
}

impl Schemes {
    /// Adds the set of these schemes, with the scopes of each.
    fn set(&mut self, needed: Vec<(usize, Vec<String>)>) -> Required {
        let (schemes, scopes): (Vec<_>, Vec<_>) = needed.into_iter().unzip();
        let known = self.credentials.iter().position(|alternative| alternative.schemes == schemes);
        let index = known.unwrap_or_else(|| {
            let names = schemes.iter().map(|scheme| name::pascal(&self.list[*scheme].name.wire));
            let wanted = names.collect::<Vec<_>>().join("And");
            let rust = self.variants.claim(&wanted, &[]);
            self.credentials.push(Alternative { rust, schemes });
            self.credentials.len() - 1
        });
        (index, scopes)
    }
}

/// The index of the scheme with this name.
fn scheme_index(resolver: &mut Resolver<'_>, schemes: &mut Schemes, wire: &str, place: &Location) -> usize {
    if let Some(index) = schemes.list.iter().position(|scheme| scheme.name.wire == wire) {
        return index;
    }
    let (kind, doc) = declared_scheme(resolver, wire, place).unwrap_or((CredentialKind::Other, None));
    let doc = doc.filter(|text| !text.trim().is_empty());
    let rust = schemes.names.claim(&name::snake(wire), &[]);
    let builder_method = schemes.builder_methods.claim(&rust, &[format!("{rust}_")]);
    schemes.list.push(SecurityScheme { name: Name { wire: wire.to_owned(), rust }, builder_method, doc, kind });
    schemes.list.len() - 1
}

/// The kind of the scheme with this name, and its description.
fn declared_scheme(
    resolver: &mut Resolver<'_>,
    wire: &str,
    place: &Location,
) -> Option<(CredentialKind, Option<String>)> {
    let schemes = resolver.document.root.members(&["components", "securitySchemes"]);
    let schemes = node_at(resolver.document, &schemes).map(|schemes| schemes.own_members()).unwrap_or_default();
    let Some((_, node)) = schemes.iter().find(|(name, _)| *name == wire) else {
        let close = nearest(wire, schemes.iter().map(|(name, _)| *name));
        let message = format!("there is no security scheme `{wire}`");
        let diagnostic = resolver.report(Code::UnknownSecurityScheme, &place.name(), message).label(LEFT_TO_OTHERS);
        if let Some(close) = close {
            diagnostic.help(format!("did you mean `{close}`?"));
        }
        return None;
    };
    let node = follow(resolver, node)?;
    let other = |resolver: &mut Resolver<'_>, member: &str, what: String| {
        resolver
            .report(Code::UnsupportedSecurityScheme, &node.location.member(member), what)
            .label(LEFT_TO_OTHERS)
            .help("http basic and bearer, apiKey, oauth2 and openIdConnect are read and sent by generated code");
        CredentialKind::Other
    };
    let description = node.text("description").map(str::to_owned);
    let kind = match (node.text("type")?, node.text("in"), node.text("name"), node.text("scheme")) {
        ("apiKey", Some("header"), Some(name), _) => CredentialKind::ApiKeyHeader(name.to_owned()),
        ("apiKey", Some("query"), Some(name), _) => CredentialKind::ApiKeyQuery(name.to_owned()),
        ("apiKey", Some("cookie"), Some(name), _) => CredentialKind::ApiKeyCookie(name.to_owned()),
        ("http", _, _, Some(scheme)) => match scheme.to_ascii_lowercase().as_str() {
            "basic" => CredentialKind::Basic,
            "bearer" => CredentialKind::Bearer,
            _ => other(resolver, "scheme", format!("nothing reads the http scheme `{scheme}`")),
        },
        ("oauth2" | "openIdConnect", ..) => CredentialKind::Bearer,
        ("mutualTLS", ..) => other(resolver, "type", "a client certificate is not part of a request".to_owned()),
        // The structure check has reported what is missing.
        _ => CredentialKind::Other,
    };
    Some((kind, description))
}

/// The treatment of credentials that generated code neither reads nor sends.
const LEFT_TO_OTHERS: &str = "the authenticator has to look for it in the request, and the client sends nothing for it";
