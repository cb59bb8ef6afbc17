//! The table of all problems.

use std::error::Error;
use std::fmt;
use std::str::FromStr;

use super::{Severity, nearest};

/// Makes the enum and the table from one list.
macro_rules! codes {
    ($($variant:ident $number:literal $name:literal $severity:ident $explanation:literal)*) => {
        /// A kind of problem.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
        #[non_exhaustive]
        pub enum Code {
            $(#[doc = $explanation] $variant,)*
        }

        /// The entries of all codes, in the order of the enum.
        const TABLE: &[Entry] = &[
            $(Entry { code: Code::$variant, number: $number, name: $name, severity: Severity::$severity, explanation: $explanation },)*
        ];
    };
}

struct Entry {
    code: Code,
    number: &'static str,
    name: &'static str,
    severity: Severity,
    explanation: &'static str,
}

// E01: text. E02: structure. E03: references, paths, operations, parameters, bodies, security. E04: schemas.
// E05: names, and rules for the whole description. E06: settings of the user. A number is never reused.
codes! {
    UnreadableFile "E0101" "unreadable-file" Error
        "A file of the description could not be read, or is not UTF-8."
    InvalidSyntax "E0102" "invalid-syntax" Error
        "The text is neither JSON nor YAML."
    DuplicateName "E0103" "duplicate-name" Error
        "An object has two members with the same name. Readers disagree on which one counts, so neither is taken."
    TooManyAliases "E0104" "too-many-aliases" Error
        "YAML aliases make the document many times larger than its text."
    UnknownVersion "E0201" "unknown-version" Error
        "The document does not say in `openapi` (or `swagger`) which version of OpenAPI it is written in, or it is a version that is not supported."
    MissingField "E0202" "missing-field" Error
        "OpenAPI requires a field here."
    WrongType "E0203" "wrong-type" Error
        "OpenAPI wants another kind of value here, such as an object where there is a string."
    InvalidValue "E0204" "invalid-value" Error
        "OpenAPI allows a fixed list of values or a fixed form here, and this is none of them."
    UnknownField "W0205" "unknown-field" Warning
        "OpenAPI has no field of that name here, so it means nothing and is not read. Own fields start with `x-`."
    Repaired "W0206" "repaired" Warning
        "A mistake with one obvious meaning was read as what it means."
    LeftOut "W0207" "left-out" Warning
        "A part is wrong that means nothing to the generated code, so it is left out."
    NothingMatched "W0208" "nothing-matched" Warning
        "The target of an action of an overlay is not there, or a pattern of the configuration stands for nothing, so it has no effect."
    Skipped "W0209" "skipped" Warning
        "A part of the description has a problem for which the policy is `skip`, so it is left out with the operations that need it."
    NothingSelected "W0210" "nothing-selected" Warning
        "The configuration includes some operations or leaves some out so that none is left. Crates that were there would be emptied, so that it is denied unless somebody decides otherwise about this code."
    UnresolvedReference "W0301" "unresolved-reference" Warning
        "A `$ref` leads nowhere. Where a schema is wanted any value is accepted; anything else is left out."
    MisspelledReference "E0321" "misspelled-reference" Error
        "A `$ref` leads nowhere, and something beside that place has almost the same name. With another policy, any value is accepted where a schema is wanted, and anything else is left out."
    ExternalReference "E0302" "external-reference" Error
        "A `$ref` leads to a URL. Nothing is fetched from the network; a folder with copies does, which `--offline` names."
    PathParameterOutsideTemplate "W0312" "path-parameter-outside-template" Warning
        "A parameter says `in: path`, but the template of the path has no `{name}` for it, so there is no place to send it. It is taken for a query parameter."
    DuplicateParameter "W0311" "duplicate-parameter" Warning
        "An operation declares two parameters of the same name in the same place, of which the first one counts, or an exploded object in the query with a member that is called like another parameter or its member, or two of them with members of any names, which both are given; or its path has one parameter in several places, which all have its value."
    PathParameterNotDeclared "W0313" "path-parameter-not-declared" Warning
        "The template of a path has a `{name}`, but no parameter says `name` and `in: path`. It is taken for a string."
    NotUsed "W0314" "not-used" Warning
        "This part of the description has no effect on the generated code."
    NoSuccess "W0315" "no-success" Warning
        "An operation declares no response that says it succeeded."
    UntypedBody "W0316" "untyped-body" Warning
        "A body has a structure, but its media type is none that generated code reads or writes. It is passed on as it is."
    UntypedParameter "W0320" "untyped-parameter" Warning
        "A parameter or a header has a type that cannot be written as one text, a list of texts, or named texts."
    UnknownSecurityScheme "W0317" "unknown-security-scheme" Warning
        "A security requirement names a scheme that `components.securitySchemes` does not have. The authenticator of the server has to look for its credentials in the request, and the client sends none."
    UnsupportedSecurityScheme "W0318" "unsupported-security-scheme" Warning
        "No generated code reads or sends the credentials of this kind of security scheme. The authenticator of the server has to look for them, and the client sends none by itself."
    ExclusiveSecuritySchemes "W0322" "exclusive-security-schemes" Warning
        "One requirement names security schemes whose credentials all stand in the header `Authorization`, in different forms: no request can have two of them, so a server that insisted on both would refuse everybody. They are read as alternatives, of which one is enough."
    InvalidPagination "E0319" "invalid-pagination" Error
        "`x-pagination` names a parameter or a member that the operation does not have."
    OverlappingVariants "W0401" "overlapping-variants" Warning
        "Nothing tells the variants of a `oneOf` or `anyOf` apart. They are tried in turn, those that require most first, so a value of one may be taken for another."
    UncheckedConstraint "W0402" "unchecked-constraint" Warning
        "A keyword restricts the values further than generated code checks. Values that break it are accepted."
    Contradiction "W0403" "contradiction" Warning
        "Two parts of a schema cannot both be true, so no value is valid. They do not count, and the warning says what does."
    InvalidDefault "W0404" "invalid-default" Warning
        "A `default` is not a value of the schema it stands in."
    DiscriminatorUnusable "W0405" "discriminator-unusable" Warning
        "A `discriminator` does not tell the variants apart as it says."
    RequiredMemberUnknown "W0406" "required-member-unknown" Warning
        "`required` names a member that `properties` does not describe, which is usually a typing mistake. The server insists on it, with any value; the client takes `null` where it is missing."
    DuplicateOperationId "W0501" "duplicate-operation-id" Warning
        "Two operations have the same `operationId`. It names their methods, so the second one is named after its method and path."
    AmbiguousRoute "W0502" "ambiguous-route" Warning
        "Two paths with the same method differ only in the names of their parameters or behind `#`, and nothing tells them apart that only one of them requires in the query or a header, or with values of its own there or in the body, nor a media type that only one is sent or answers: a request belongs to both. The server gives it to the one whose parameters in the path it can read as their types, or whose values the body has, else to the one with a parameter in the query or a header that it requires and the other only may have, else to the first; the client calls both."
    BodyWithoutMeaning "W0503" "body-without-meaning" Warning
        "HTTP gives the body of this method no meaning, so clients, proxies and servers may drop it."
    TooManyTags "W0504" "too-many-tags" Warning
        "Every tag is a cargo feature of the generated crates, but crates.io takes 300 of them. The crates have no feature per tag then, and compile as a whole."
    InvalidRustType "E0601" "invalid-rust-type" Error
        "A type that `x-rust-type` or the configuration asks for is no path of a type, or one that cannot hold what the schema describes."
    RustTypeInTwoForms "E0602" "rust-type-in-two-forms" Error
        "One type of another crate is asked for where JSON has a string and where it has a number, say, or with two modules of functions. It can be read and written in one way only, unless the runtime knows the type."
    UnknownRustCrate "W0603" "unknown-rust-crate" Warning
        "Nothing says which crate a type is from that was asked for. The generated `Cargo.toml` lacks it; with one of your own, allow this."
    RustCrateInTwoVersions "W0604" "rust-crate-in-two-versions" Warning
        "Two types ask for the same crate in different ways. The first one counts."
    InvalidRustAttribute "E0607" "invalid-rust-attribute" Error
        "What `x-rust-derive`, `x-rust-attributes` or the configuration asks a type to derive, or to be marked with, is not Rust, or not the whole path of something."
    RustTypeOfAnotherFormat "E0608" "rust-type-of-another-format" Error
        "A type that is asked for a date, a time or a duration is known to be written in another form than the `format` of the schema says, or in none, so that others could not read it."
    InvalidRustName "E0605" "invalid-rust-name" Error
        "A name that `x-rust-name` or the configuration asks for cannot be one in Rust, or is not in the case that such names have."
    RustNameTaken "E0606" "rust-name-taken" Error
        "Two things that stand beside each other are to have the same name in Rust, or one that generated code uses for something else."
}

impl Code {
    /// Every code.
    pub fn all() -> impl Iterator<Item = Self> {
        TABLE.iter().map(|entry| entry.code)
    }

    /// `E0312`
    pub fn number(self) -> &'static str {
        self.entry().number
    }

    /// `path-parameter-outside-template`
    pub fn name(self) -> &'static str {
        self.entry().name
    }

    /// The severity without a policy.
    pub fn severity(self) -> Severity {
        self.entry().severity
    }

    /// A paragraph that introduces the problem.
    pub fn explanation(self) -> &'static str {
        self.entry().explanation
    }

    fn entry(self) -> &'static Entry {
        &TABLE[self as usize]
    }
}

/// Parses a name, or a number: the digits identify the problem, the letter is its severity.
impl FromStr for Code {
    type Err = UnknownCode;

    fn from_str(wanted: &str) -> Result<Self, UnknownCode> {
        let digits = wanted.strip_prefix(['E', 'e', 'W', 'w']).unwrap_or(wanted);
        Self::all().find(|code| code.name() == wanted || code.number()[1..] == *digits).ok_or_else(|| UnknownCode {
            wanted: wanted.to_owned(),
            meant: nearest(wanted, Self::all().map(Self::name)),
        })
    }
}

/// The code does not exist.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UnknownCode {
    wanted: String,
    meant: Option<&'static str>,
}

impl fmt::Display for UnknownCode {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "there is no `{}`; ", self.wanted)?;
        match self.meant {
            Some(meant) => write!(f, "did you mean `{meant}`?"),
            None => f.write_str("`codegen explain` lists all"),
        }
    }
}

impl Error for UnknownCode {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_and_names_are_unique() {
        for (index, code) in Code::all().enumerate() {
            assert!(
                Code::all().skip(index + 1).all(|other| other.number() != code.number() && other.name() != code.name())
            );
            assert_eq!(code.number().starts_with('E'), code.severity() == Severity::Error, "{}", code.number());
        }
    }
}
