//! The table of an object's members, from which it is read and written as the named texts of a parameter or a form.

/// The ways `from_parameter`, or `from_parameter(checked)` by the rules, of the table that `json::object!` describes. A member
/// that is there `as json` has no form as text, one `as boxed` would contain the object itself without a box.
#[doc(hidden)]
#[macro_export]
macro_rules! object_from_parameter {
    (
        $options:tt
        [
            $model:ident $case:ident [$([$($expecting:literal),*])?] [$($rules:tt)?]
            [$others:ident $($entries:ident $(as $entries_form:ident)? $([$($entry_rules:tt)+])?)?]
        ]
        {$(
            $(required $required:ident = $required_name:literal $(as $required_form:ident)? $([$($required_rules:tt)+])?)?
            $(nullable $nullable:ident = $nullable_name:literal $(as $nullable_form:ident)? $([$($nullable_rules:tt)+])?)?
            $(expected $expected:ident = $expected_name:literal $(as $expected_form:ident)? $([$($expected_rules:tt)+])?)?
            $(optional $optional:ident = $optional_name:literal $(as $optional_form:ident)? $([$($optional_rules:tt)+])?)?
            $(maybe $maybe:ident = $maybe_name:literal $(as $maybe_form:ident)? $([$($maybe_rules:tt)+])?)?
            $(any $any:ident = $any_name:literal $(as $any_form:ident)? $([$($any_rules:tt)+])?)?
            $(optional_any $optional_any:ident = $optional_any_name:literal $(as $optional_any_form:ident)? $([$($optional_any_rules:tt)+])?)?
            $(unread $unread:ident)?
            $(required $required_constant_name:literal is $required_constant:literal)?
            $(expected $expected_constant_name:literal is $expected_constant:literal)?
            $(optional $optional_constant_name:literal is $optional_constant:literal)?,
        )*}
    ) => {
        const _: () = {
            const MEMBERS: $crate::json::Members = $crate::parameter::parameter_members!(
                $others,
                $crate::json::Members::$case(
                    &[$(
                        $($required_name,)? $($nullable_name,)? $($expected_name,)? $($optional_name,)? $($maybe_name,)?
                        $($any_name,)? $($optional_any_name,)? $($required_constant_name,)? $($expected_constant_name,)? $($optional_constant_name,)?
                    )*],
                )
                $(.expecting(&[$($expecting),*]))?
                .with_presences(&[$(
                        $($crate::json::presence!(Required $required),)? $($crate::json::presence!(Nullable $nullable),)?
                        $($crate::json::presence!(Expected $expected),)? $($crate::json::presence!(Optional $optional),)?
                        $($crate::json::presence!(Maybe $maybe),)? $($crate::json::presence!(Expected $any),)?
                        $($crate::json::presence!(Any $optional_any),)? $($crate::json::presence!(Required $required_constant),)?
                        $($crate::json::presence!(Expected $expected_constant),)? $($crate::json::presence!(Optional $optional_constant),)?
                )*])
            );

            impl $crate::parameter::FromParameter for $model {
                const SHAPE: $crate::parameter::Shape = $crate::parameter::Shape::Object;
                const MEMBERS: Option<&'static $crate::json::Members> =
                    $crate::parameter::parameter_members!(listed $others, &MEMBERS);

                fn from_parameter(raw: $crate::parameter::Raw<'_>, at: &mut $crate::violation::Notes) -> Option<Self> {
                    $crate::parameter::parameter_members!(import $options);
                    $(
                        $(let mut $required = $crate::parameter::Member::Absent;)? $(let mut $nullable = $crate::parameter::Member::Absent;)?
                        $(let mut $expected = $crate::parameter::Member::Absent;)? $(let mut $optional = $crate::parameter::Member::Absent;)?
                        $(let mut $maybe = $crate::parameter::Member::Absent;)? $(let mut $any = $crate::parameter::Member::Absent;)?
                        $(let mut $optional_any = $crate::parameter::Member::Absent;)?
                    )*
                    $(let mut $entries = $crate::json::Entries::new();)?
                    $crate::parameter::parameter_members!(
                        read $options [$($rules)?] at, raw, &MEMBERS,
                        &mut [$(
                            $($crate::parameter::parameter_slot!($options $required $(as $required_form)? $([$($required_rules)+])?),)?
                            $($crate::parameter::parameter_slot!($options $nullable $(as $nullable_form)? $([$($nullable_rules)+])?),)?
                            $($crate::parameter::parameter_slot!($options $expected $(as $expected_form)? $([$($expected_rules)+])?),)?
                            $($crate::parameter::parameter_slot!($options $optional $(as $optional_form)? $([$($optional_rules)+])?),)?
                            $($crate::parameter::parameter_slot!($options $maybe $(as $maybe_form)? $([$($maybe_rules)+])?),)?
                            $($crate::parameter::parameter_slot!($options $any $(as $any_form)? $([$($any_rules)+])?),)?
                            $($crate::parameter::parameter_slot!($options $optional_any $(as $optional_any_form)? $([$($optional_any_rules)+])?),)?
                            $($crate::parameter::parameter_slot!($options constant $required_constant),)?
                            $($crate::parameter::parameter_slot!($options constant $expected_constant),)?
                            $($crate::parameter::parameter_slot!($options constant $optional_constant),)?
                        )*],
                        $crate::parameter::parameter_slot!(
                            $options $others $($entries $(as $entries_form)? $([$($entry_rules)+])?)?
                        )
                    )?;
                    Some(Self {
                        $(
                            $($required: $required.required()?,)? $($nullable: $nullable.nullable()?,)? $($expected: $expected.optional()?,)?
                            $($optional: $optional.optional()?,)? $($maybe: $maybe.maybe()?,)? $($any: $any.optional()?.unwrap_or_default(),)?
                            $($optional_any: $optional_any.optional()?,)? $($unread: Default::default(),)?
                        )*
                        $($entries: $entries.finish()?,)?
                    })
                }
            }
        };
    };
}
#[doc(hidden)]
pub use object_from_parameter;

/// The way `to_parameter` of the same table.
#[doc(hidden)]
#[macro_export]
macro_rules! object_to_parameter {
    (
        []
        [
            $model:ident $case:ident [$([$($expecting:literal),*])?] [$($rules:tt)?]
            [$others:ident $($entries:ident $(as $entries_form:ident)? $([$($entry_rules:tt)+])?)?]
        ]
        {$(
            $(required $required:ident = $required_name:literal $(as $required_form:ident)? $([$($required_rules:tt)+])?)?
            $(nullable $nullable:ident = $nullable_name:literal $(as $nullable_form:ident)? $([$($nullable_rules:tt)+])?)?
            $(expected $expected:ident = $expected_name:literal $(as $expected_form:ident)? $([$($expected_rules:tt)+])?)?
            $(optional $optional:ident = $optional_name:literal $(as $optional_form:ident)? $([$($optional_rules:tt)+])?)?
            $(maybe $maybe:ident = $maybe_name:literal $(as $maybe_form:ident)? $([$($maybe_rules:tt)+])?)?
            $(any $any:ident = $any_name:literal $(as $any_form:ident)? $([$($any_rules:tt)+])?)?
            $(optional_any $optional_any:ident = $optional_any_name:literal $(as $optional_any_form:ident)? $([$($optional_any_rules:tt)+])?)?
            $(required $required_constant_name:literal is $required_constant:literal)?
            $(expected $expected_constant_name:literal is $expected_constant:literal)?
            $(optional $optional_constant_name:literal is $optional_constant:literal)?,
        )*}
    ) => {
        impl $crate::parameter::ToParameter for $model {
            fn to_parameter(&self) -> $crate::parameter::Raw<'_> {
                #[allow(unused_mut, reason = "an object may have no members")]
                let mut fields = $crate::parameter::Fields::new();
                $(
                    $($crate::parameter::write_member!(fields required $required_name, self.$required, $($required_form)?);)?
                    $($crate::parameter::write_member!(fields optional $nullable_name, self.$nullable, $($nullable_form)?);)?
                    $($crate::parameter::write_member!(fields optional $expected_name, self.$expected, $($expected_form)?);)?
                    $($crate::parameter::write_member!(fields optional $optional_name, self.$optional, $($optional_form)?);)?
                    $($crate::parameter::write_member!(fields maybe $maybe_name, self.$maybe, $($maybe_form)?);)?
                    $($crate::parameter::write_member!(fields required $any_name, self.$any, $($any_form)?);)?
                    $($crate::parameter::write_member!(fields optional $optional_any_name, self.$optional_any, $($optional_any_form)?);)?
                    $(fields.required($required_constant_name, &$required_constant);)?
                    $(fields.required($expected_constant_name, &$expected_constant);)?
                    $(fields.required($optional_constant_name, &$optional_constant);)?
                )*
                $($crate::parameter::write_member!(fields entries self.$entries, $($entries_form)?);)?
                fields.into_raw()
            }
        }
    };
}
#[doc(hidden)]
pub use object_to_parameter;

/// What belongs to all members: their list, whether they can be told from other parameters, what their rules mention, and how
/// they are read.
#[doc(hidden)]
#[macro_export]
macro_rules! parameter_members {
    (nested_entries, $members:expr) => {
        $members.nesting()
    };
    ($others:ident, $members:expr) => {
        $members
    };

    (listed open, $members:expr) => {
        Some($members)
    };
    (listed closed, $members:expr) => {
        Some($members)
    };
    (listed $entries:ident, $members:expr) => {
        None
    };

    (import [checked]) => {
        #[allow(unused_imports, reason = "no table has rules of all kinds")]
        use $crate::rule::checked::*;
    };
    (import []) => {};

    (read [checked] [[$($rule:tt)+]] $at:ident, $($argument:expr),+) => {
        $at.members_checked(&[$($rule)+], $($argument),+)
    };
    (read [checked] [] $at:ident, $($argument:expr),+) => {
        $at.members_checked(&[], $($argument),+)
    };
    (read [] [$($rules:tt)?] $at:ident, $($argument:expr),+) => {
        $at.members($($argument),+)
    };
}
#[doc(hidden)]
pub use parameter_members;

/// Where a member, or those that are not in the table, are kept, and their rules.
#[doc(hidden)]
#[macro_export]
macro_rules! parameter_slot {
    ([checked] constant $constant:literal) => {
        &mut $crate::json::Constant($constant)
    };
    ([] constant $constant:literal) => {
        &mut $crate::json::Others::Open
    };
    ([checked] closed) => {
        &mut $crate::json::Others::Closed
    };
    ([] closed) => {
        &mut $crate::json::Others::Open
    };
    ($options:tt open) => {
        &mut $crate::json::Others::Open
    };
    ($options:tt entries $($slot:tt)+) => {
        $crate::parameter::parameter_slot!($options $($slot)+)
    };
    ($options:tt nested_entries $($slot:tt)+) => {
        $crate::parameter::parameter_slot!($options $($slot)+)
    };
    ($options:tt $slot:ident) => {
        &mut $slot
    };
    ($options:tt $slot:ident as json) => {
        &mut $crate::parameter::Json(&mut $slot)
    };
    ($options:tt $slot:ident as boxed) => {
        &mut $crate::parameter::Boxed(&mut $slot)
    };
    ([checked] $slot:ident $(as $form:ident)? [$($rule:tt)+]) => {
        &mut $crate::rule::Checked($crate::parameter::parameter_slot!([] $slot $(as $form)?), &[$($rule)+])
    };
    ([] $slot:ident $(as $form:ident)? [$($rule:tt)+]) => {
        $crate::parameter::parameter_slot!([] $slot $(as $form)?)
    };
}
#[doc(hidden)]
pub use parameter_slot;

/// Adds a member, or those that are not in the table.
#[doc(hidden)]
#[macro_export]
macro_rules! write_member {
    ($fields:ident entries $entries:expr,) => {
        $fields.entries(&$entries)
    };
    ($fields:ident entries $entries:expr, json) => {
        $fields.json_entries(&$entries)
    };
    ($fields:ident $presence:ident $name:literal, $value:expr,) => {
        $fields.$presence($name, &$value)
    };
    ($fields:ident required $name:literal, $value:expr, json) => {
        $fields.required_json($name, &$value)
    };
    ($fields:ident optional $name:literal, $value:expr, json) => {
        $fields.optional_json($name, &$value)
    };
    ($fields:ident maybe $name:literal, $value:expr, json) => {
        $fields.maybe_json($name, &$value)
    };
    ($fields:ident required $name:literal, $value:expr, boxed) => {
        $fields.required($name, &*$value)
    };
    ($fields:ident optional $name:literal, $value:expr, boxed) => {
        $fields.optional_boxed($name, &$value)
    };
    ($fields:ident maybe $name:literal, $value:expr, boxed) => {
        $fields.maybe_boxed($name, &$value)
    };
}
#[doc(hidden)]
pub use write_member;
