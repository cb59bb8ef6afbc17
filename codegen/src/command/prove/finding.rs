//! What a service does not keep of its description.

use specwright_exchange::Operation;

/// The most other places that a finding lists.
const LISTED: usize = 20;

/// The kinds of findings.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Kind {
    /// The service failed.
    ServerError,
    /// The connection broke off, or the answer took too long.
    NoAnswer,
    /// A request that breaks the description succeeded.
    Accepted,
    /// A request without credentials succeeded.
    Unprotected,
    /// The description has no response with the status.
    UndeclaredStatus,
    /// The response has no such media type.
    UndeclaredMediaType,
    /// The body breaks its schema.
    ResponseBody,
    /// A header is missing or breaks its schema.
    ResponseHeader,
    /// A method that is not described succeeded.
    UndescribedMethod,
    /// A write-only member, which a response should not have.
    WriteOnly,
    /// The description has no body.
    UndescribedBody,
    /// A method was refused without saying which ones are allowed.
    Allow,
    /// A valid request was refused as invalid; a rule that the description does not have may be the reason.
    Refused,
    /// The operation could not be called.
    NotCalled,
    /// A parameter could not be sent.
    NotSent,
    /// No answer keeps the description.
    Contradiction,
}

impl Kind {
    /// The name in reports.
    pub(super) fn name(self) -> &'static str {
        match self {
            Self::ServerError => "server-error",
            Self::NoAnswer => "no-answer",
            Self::Accepted => "accepted",
            Self::Unprotected => "unprotected",
            Self::UndeclaredStatus => "undeclared-status",
            Self::UndeclaredMediaType => "undeclared-media-type",
            Self::ResponseBody => "response-body",
            Self::ResponseHeader => "response-header",
            Self::UndescribedMethod => "undescribed-method",
            Self::WriteOnly => "write-only",
            Self::UndescribedBody => "undescribed-body",
            Self::Allow => "allow",
            Self::Refused => "refused",
            Self::NotCalled => "not-called",
            Self::NotSent => "not-sent",
            Self::Contradiction => "contradiction",
        }
    }

    /// Whether the service may keep the description nevertheless.
    pub(super) fn is_warning(self) -> bool {
        match self {
            Self::ServerError
            | Self::NoAnswer
            | Self::Accepted
            | Self::Unprotected
            | Self::UndeclaredStatus
            | Self::UndeclaredMediaType
            | Self::ResponseBody
            | Self::ResponseHeader
            | Self::UndescribedMethod => false,
            Self::WriteOnly
            | Self::UndescribedBody
            | Self::Allow
            | Self::Refused
            | Self::NotCalled
            | Self::NotSent
            | Self::Contradiction => true,
        }
    }
}

/// A deviation of an operation.
#[derive(Clone, Debug)]
pub(super) struct Finding {
    pub(super) kind: Kind,
    pub(super) operation: &'static Operation,
    pub(super) detail: String,
    /// The line that repeats it; empty if no request was sent.
    pub(super) curl: String,
    /// Others of the kind, by their rules or statuses.
    pub(super) others: Vec<String>,
}

/// All findings, one for each operation and kind.
#[derive(Clone, Debug, Default)]
pub(super) struct Findings {
    list: Vec<(Finding, String)>,
}

impl Findings {
    /// Adds a finding. `key` distinguishes it from others of the operation and kind.
    pub(super) fn add(&mut self, operation: &'static Operation, kind: Kind, key: &str, detail: String, curl: String) {
        let known = self.list.iter_mut().find(|(known, _)| known.kind == kind && known.operation.id == operation.id);
        match known {
            Some((known, first)) if first != key && known.others.len() < LISTED => {
                if !known.others.iter().any(|other| other == key) {
                    known.others.push(key.to_owned());
                }
            }
            Some(_) => {}
            None => {
                self.list.push((Finding { kind, operation, detail, curl, others: Vec::new() }, key.to_owned()));
            }
        }
    }

    /// All findings: errors first, then in the order of the calls.
    pub(super) fn sorted(&self) -> Vec<&Finding> {
        let mut sorted: Vec<&Finding> = self.list.iter().map(|(finding, _)| finding).collect();
        sorted.sort_by_key(|finding| finding.kind.is_warning());
        sorted
    }

    /// The number of findings, and of warnings.
    pub(super) fn count(&self) -> (usize, usize) {
        let warnings = self.list.iter().filter(|(finding, _)| finding.kind.is_warning()).count();
        (self.list.len() - warnings, warnings)
    }

    /// Whether the service breaks the description.
    pub(super) fn has_errors(&self) -> bool {
        self.count().0 > 0
    }
}
