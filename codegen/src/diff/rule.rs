//! The table of all kinds of differences.

/// Makes the enum and its names from one list.
macro_rules! rules {
    ($($variant:ident $name:literal $explanation:literal)*) => {
        /// A kind of difference.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
        #[non_exhaustive]
        pub enum Rule {
            $(#[doc = $explanation] $variant,)*
        }

        impl Rule {
            /// Every rule.
            pub const ALL: &[Self] = &[$(Self::$variant,)*];

            /// `parameter-removed`; a name is never reused for another rule.
            pub fn name(self) -> &'static str {
                match self {
                    $(Self::$variant => $name,)*
                }
            }
        }
    };
}

rules! {
    OperationRemoved "operation-removed" "An operation is gone."
    OperationAdded "operation-added" "An operation is new."
    OperationMoved "operation-moved" "An operation has another method or path."
    WebhookRemoved "webhook-removed" "A webhook or callback is gone."
    WebhookAdded "webhook-added" "A webhook or callback is new."
    WebhookMoved "webhook-moved" "A webhook or callback has another method, or a receiver's router another path for it."
    ServerRemoved "server-removed" "A URL of `servers` is gone."
    ServerAdded "server-added" "A URL of `servers` is new."
    LetterCaseMatters "letter-case-matters" "Names are no longer matched in any letter case."
    LetterCaseIgnored "letter-case-ignored" "Names are matched in any letter case now."
    ParameterRemoved "parameter-removed" "A parameter is gone."
    ParameterAdded "parameter-added" "An optional parameter is new."
    RequiredParameterAdded "required-parameter-added" "A required parameter is new."
    ParameterMadeRequired "parameter-made-required" "An optional parameter is required now."
    ParameterMadeOptional "parameter-made-optional" "A required parameter is optional now."
    ParameterMoved "parameter-moved" "A parameter moved to another location."
    ParameterEncodingChanged "parameter-encoding-changed" "A parameter, or a list in a form, is written in another way."
    RequestBodyRemoved "request-body-removed" "An operation takes no body any more."
    RequestBodyAdded "request-body-added" "An operation may take a body now."
    RequiredRequestBodyAdded "required-request-body-added" "An operation has to be sent a body now."
    RequestBodyMadeRequired "request-body-made-required" "An optional body is required now."
    RequestBodyMadeOptional "request-body-made-optional" "A required body is optional now."
    MediaTypeRemoved "media-type-removed" "A body has no longer that form."
    MediaTypeAdded "media-type-added" "A body may have another form."
    ResponseRemoved "response-removed" "A status is no longer declared."
    ResponseAdded "response-added" "A status is new."
    ResponseShapeChanged "response-shape-changed" "A method gives back a type of another shape."
    ResponseBodyRemoved "response-body-removed" "A response carries no body any more."
    ResponseBodyAdded "response-body-added" "A response carries a body now."
    HeaderRemoved "header-removed" "A response has no longer that header."
    HeaderAdded "header-added" "A response has a new header."
    HeaderMadeRequired "header-made-required" "An optional header is always there now."
    HeaderMadeOptional "header-made-optional" "A required header may be absent now."
    MemberRemoved "member-removed" "An object has no longer that member."
    MemberAdded "member-added" "An object has a new optional member."
    RequiredMemberAdded "required-member-added" "An object has a new required member."
    MemberMadeRequired "member-made-required" "An optional member is required now."
    MemberMadeOptional "member-made-optional" "A required member is optional now."
    MemberMadeReadOnly "member-made-read-only" "A member is no longer part of requests."
    MemberMadeWriteOnly "member-made-write-only" "A member is no longer part of responses."
    MemberMadeReadable "member-made-readable" "A member is part of responses now."
    MemberMadeWritable "member-made-writable" "A member is part of requests now."
    OtherMembersRefused "other-members-refused" "Members that are not named are refused or dropped now."
    OtherMembersAllowed "other-members-allowed" "Members that are not named are allowed or kept now."
    DefaultChanged "default-changed" "What an absent value means is another thing."
    TypeChanged "type-changed" "A value has a type that has nothing to do with the old one."
    TypeNarrowed "type-narrowed" "A value has a type that allows less."
    TypeWidened "type-widened" "A value has a type that allows more."
    NullRefused "null-refused" "A value may no longer be `null`."
    NullAllowed "null-allowed" "A value may be `null` now."
    ConstraintTightened "constraint-tightened" "A constraint allows fewer values."
    ConstraintLoosened "constraint-loosened" "A constraint allows more values."
    ValueRemoved "value-removed" "An enum has no longer that value."
    ValueAdded "value-added" "An enum has a new value."
    VariantRemoved "variant-removed" "A union has no longer that variant."
    VariantAdded "variant-added" "A union has a new variant."
    TaggingChanged "tagging-changed" "The variants of a union are told apart in another way."
    TagRemoved "tag-removed" "A discriminator has no longer that value for a variant."
    TagAdded "tag-added" "A discriminator has another value for a variant."
    CredentialsRequired "credentials-required" "An operation that was public requires credentials."
    SchemeRequired "scheme-required" "Another security scheme is required in addition."
    ScopeRequired "scope-required" "A security scheme needs another scope."
    CredentialsNotRequired "credentials-not-required" "An operation that required credentials is public."
    ScopeNotRequired "scope-not-required" "A security scheme does not need a scope any more."
    SecurityAlternativeRemoved "security-alternative-removed" "Credentials that did will not do any more."
    SecurityAlternativeAdded "security-alternative-added" "Other credentials will do, too."
    SecuritySchemeChanged "security-scheme-changed" "The credentials of a security scheme are sent in another way."
    PrincipalChanged "principal-changed" "The method of the trait receives a principal in other cases."
    CredentialsRemoved "credentials-removed" "`Credentials` has no longer that variant."
    CredentialsAdded "credentials-added" "`Credentials` has a new variant."
    Deprecated "deprecated" "Something is deprecated now."
    NoLongerDeprecated "no-longer-deprecated" "Something is not deprecated any more."
    PaginationAdded "pagination-added" "The items of a list can be had as one stream."
    PaginationRemoved "pagination-removed" "The items of a list can no longer be had as one stream."
    PaginationChanged "pagination-changed" "The pages of a list follow each other in another way."
    NameChanged "name-changed" "The same on the wire has another name in Rust."
    RustTypeChanged "rust-type-changed" "The same on the wire has another type in Rust."
    TypeRemoved "type-removed" "A named type is gone."
    DeriveRemoved "derive-removed" "A type no longer derives a trait."
}
