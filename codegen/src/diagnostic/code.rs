//! The one table of all problems that are reported.

use super::Severity;

/// Makes the enum and the table out of one list, so that they cannot differ.
macro_rules! codes {
    ($($variant:ident $number:literal $name:literal $severity:ident $explanation:literal)*) => {
        /// A kind of problem.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
        pub enum Code {
            $(#[doc = $explanation] $variant,)*
        }

        /// What is known of every code, in the order of the enum.
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

// E01: the text. E02: the structure. E03: references, paths, operations, parameters, bodies, security.
// E04: schemas. E05: names and what needs the whole description. A number is never given to another problem.
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
        "A part that no code depends on is wrong, so it is left out."
    UnresolvedReference "E0301" "unresolved-reference" Error
        "A `$ref` leads nowhere."
    ExternalReference "E0302" "external-reference" Error
        "A `$ref` into another file is not supported yet."
    PathParameterOutsideTemplate "E0312" "path-parameter-outside-template" Error
        "A parameter says `in: path`, but the template of the path has no `{name}` for it, so there is no place to send it."
    Unsupported "E0399" "unsupported" Error
        "This is valid OpenAPI, but no code is generated for it yet."
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

    /// How severe it is unless somebody decides otherwise.
    pub fn severity(self) -> Severity {
        self.entry().severity
    }

    /// A paragraph for those who meet it for the first time.
    pub fn explanation(self) -> &'static str {
        self.entry().explanation
    }

    fn entry(self) -> &'static Entry {
        &TABLE[self as usize]
    }
}

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
