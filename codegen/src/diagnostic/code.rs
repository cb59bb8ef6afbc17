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
        "An object has two members with the same name. Parsers disagree on which one counts, so neither is used."
    TooManyAliases "E0104" "too-many-aliases" Error
        "YAML aliases make the document many times larger than its text."
    UnknownVersion "E0201" "unknown-version" Error
        "`openapi` (or `swagger`) is missing, or names a version that is not supported."
    MissingField "E0202" "missing-field" Error
        "OpenAPI requires a field here."
    WrongType "E0203" "wrong-type" Error
        "OpenAPI requires another type here, such as an object instead of a string."
    InvalidValue "E0204" "invalid-value" Error
        "OpenAPI allows only certain values or a certain format here, and the value is not one of them."
    UnknownField "W0205" "unknown-field" Warning
        "OpenAPI defines no field with this name here, so it is ignored. Extensions start with `x-`."
    Repaired "W0206" "repaired" Warning
        "A mistake with one obvious meaning was read as intended."
    LeftOut "W0207" "left-out" Warning
        "An invalid part does not affect the generated code, so it is left out."
    NothingMatched "W0208" "nothing-matched" Warning
        "The target of an overlay action does not exist, or a pattern of the configuration matches nothing, so it has no effect."
    Skipped "W0209" "skipped" Warning
        "A part of the description has a problem with the policy `skip`, so it is left out, with the operations that need it."
    NothingSelected "W0210" "nothing-selected" Warning
        "The selection of the configuration leaves no operation. Existing crates would be emptied, so this is denied unless a policy for this code allows it."
    UnresolvedReference "W0301" "unresolved-reference" Warning
        "The target of a `$ref` does not exist. A schema becomes any value; anything else is left out."
    MisspelledReference "E0321" "misspelled-reference" Error
        "The target of a `$ref` does not exist, but a sibling has almost the same name. With another policy, a schema becomes any value and anything else is left out."
    ExternalReference "E0302" "external-reference" Error
        "A `$ref` is a URL that cannot be read. A description in a file fetches nothing from the network; name a folder with copies with `--offline`."
    PathParameterOutsideTemplate "W0312" "path-parameter-outside-template" Warning
        "A parameter has `in: path`, but the path template has no `{name}` for it. It is treated as a query parameter."
    DuplicateParameter "W0311" "duplicate-parameter" Warning
        "Two parameters of an operation share a name: two in the same location, of which the first one counts; an exploded object in the query with a member that has the name of another parameter or of its member, or two of them with additional members, both of which get the value; or one path parameter in several places of the template, which all get its value."
    PathParameterNotDeclared "W0313" "path-parameter-not-declared" Warning
        "The path template has a `{name}`, but no parameter has this name and `in: path`. It is treated as a string."
    NotUsed "W0314" "not-used" Warning
        "This part of the description has no effect on the generated code."
    NoSuccess "W0315" "no-success" Warning
        "An operation declares no successful response."
    UntypedBody "W0316" "untyped-body" Warning
        "A body has a structure, but generated code can neither read nor write its media type. It is passed through unchanged."
    UntypedParameter "W0320" "untyped-parameter" Warning
        "The type of a parameter or a header cannot be written as one text, a list of texts, or named texts."
    UnknownSecurityScheme "W0317" "unknown-security-scheme" Warning
        "A security requirement names a scheme that `components.securitySchemes` lacks. The server's authenticator has to read its credentials from the request, and the client sends none."
    UnsupportedSecurityScheme "W0318" "unsupported-security-scheme" Warning
        "Generated code neither reads nor sends the credentials of this kind of security scheme. The server's authenticator has to read them from the request, and the client sends none."
    ExclusiveSecuritySchemes "W0322" "exclusive-security-schemes" Warning
        "One requirement names security schemes that all use the header `Authorization` in different formats. No request can satisfy it, so the schemes are read as alternatives."
    InvalidPagination "E0319" "invalid-pagination" Error
        "`x-pagination` names a parameter or a member that the operation does not have, or other members of a page than another operation."
    InvalidTool "E0323" "invalid-tool" Error
        "`x-mcp` has a key or a value that is not known, or gives an operation the name of another tool."
    OverlappingVariants "W0401" "overlapping-variants" Warning
        "The variants of a `oneOf` or `anyOf` cannot be told apart. They are tried in order, those with the most requirements first, so a value may be read as the wrong variant."
    UncheckedConstraint "W0402" "unchecked-constraint" Warning
        "A keyword restricts values further than generated code checks. Values that violate it are accepted."
    Contradiction "W0403" "contradiction" Warning
        "Two parts of a schema contradict each other, so no value is valid. They are ignored, and the warning says what applies instead."
    InvalidDefault "W0404" "invalid-default" Warning
        "A `default` is not a valid value of its schema."
    DiscriminatorUnusable "W0405" "discriminator-unusable" Warning
        "A `discriminator` does not identify the variants, or has several tags for a variant that cannot keep which one was read."
    RequiredMemberUnknown "W0406" "required-member-unknown" Warning
        "`required` names a member that `properties` lacks, usually a typo. The server requires it, with any value; the client reads a missing one as `null`."
    DuplicateOperationId "W0501" "duplicate-operation-id" Warning
        "Two operations have the same `operationId`. It names their methods, so the second one is named after its method and path."
    AmbiguousRoute "W0502" "ambiguous-route" Warning
        "Two paths with the same method differ only in parameter names or after `#`, and no required parameter, value or media type tells their operations apart, so a request may fit both. The server chooses the operation whose path parameters parse, or whose values the body has; else one that requires a query parameter or header which the other only allows; else the first. The client can call both."
    BodyWithoutMeaning "W0503" "body-without-meaning" Warning
        "HTTP gives the body of this method no meaning, so clients, proxies and servers may drop it."
    TooManyTags "W0504" "too-many-tags" Warning
        "Every tag would be a cargo feature, but crates.io allows only 300. The crates have no feature per tag and compile as a whole."
    InvalidRustType "E0601" "invalid-rust-type" Error
        "A type from `x-rust-type` or the configuration is not the path of a type, or cannot represent the schema."
    RustTypeInTwoForms "E0602" "rust-type-in-two-forms" Error
        "One type of another crate is used both for strings and for numbers, or with two modules of functions. It can have only one format, unless the runtime knows the type."
    UnknownRustCrate "W0603" "unknown-rust-crate" Warning
        "The crate of a type is not declared, so the generated `Cargo.toml` lacks it. Allow this if you have your own `Cargo.toml`."
    RustCrateInTwoVersions "W0604" "rust-crate-in-two-versions" Warning
        "Two types declare the same crate differently. The first one counts."
    InvalidRustAttribute "E0607" "invalid-rust-attribute" Error
        "A derive or an attribute from `x-rust-derive`, `x-rust-attributes` or the configuration is not valid Rust, or is not a full path."
    RustTypeOfAnotherFormat "E0608" "rust-type-of-another-format" Error
        "The type for a date, a time or a duration is known to have another text format than the `format` of the schema, or none, so other programs could not read it."
    InvalidRustName "E0605" "invalid-rust-name" Error
        "A name from `x-rust-name` or the configuration is not a valid Rust identifier, or has the wrong case."
    RustNameTaken "E0606" "rust-name-taken" Error
        "Two items in the same scope would have the same Rust name, or a name that generated code reserves."
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
            None => f.write_str("`specwright explain` lists all"),
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
