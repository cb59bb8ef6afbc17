//! The table of an object's members, which generated models have in place of code that reads and writes them.

/// Reads and writes a struct as the object that the table describes. Its head names the struct, says how names are matched
/// (`exact`, `any_case`), what becomes of members that are not in the table (`open`, `closed`, `entries(field)`, or
/// `nested_entries(field)` where those have members of their own), and which ways it goes: `write`, `read`, `read(checked)` by
/// the rules, `(serde)` for one that only the traits of serde need, and those of a parameter (`parameter/table.rs`).
#[doc(hidden)]
#[macro_export]
macro_rules! object {
    (
        $model:ident, $case:ident, $others:ident $(($($entries:tt)+))?, $($way:ident $(($($option:ident),+))?),+
        $(expecting $expecting:tt)? $(keeping $rules:tt)? { $($members:tt)* }
    ) => {
        $crate::json::object! {
            @ways [$($way [$($($option)+)?])+]
            [$model $case [$($expecting)?] [$($rules)?] [$others $($($entries)+)?]] { $($members)* }
        }
    };

    (@ways [$($way:ident $options:tt)+] $head:tt $members:tt) => {
        $($crate::json::object! { @$way $options $head $members })+
    };
    (@from_parameter $options:tt $head:tt $members:tt) => {
        $crate::parameter::object_from_parameter! { $options $head $members }
    };
    (@to_parameter $options:tt $head:tt $members:tt) => {
        $crate::parameter::object_to_parameter! { $options $head $members }
    };
    (@$way:ident [serde] $head:tt $members:tt) => {
        $crate::json::with_serde! { $crate::json::object! { @$way [] $head $members } }
    };
    (@$way:ident [checked serde] $head:tt $members:tt) => {
        $crate::json::with_serde! { $crate::json::object! { @$way [checked] $head $members } }
    };

    (
        @read [$($checked:ident)?]
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
        impl $crate::json::Read for $model {
            fn read(json: &mut $crate::json::Reader<'_>) -> Option<Self> {
                $(
                    #[allow(unused_imports, reason = "no table has rules of all kinds")]
                    use $crate::rule::$checked::*;
                )?
                static MEMBERS: $crate::json::Members = $crate::json::Members::$case(
                    &[$(
                        $($required_name,)? $($nullable_name,)? $($expected_name,)? $($optional_name,)? $($maybe_name,)?
                        $($any_name,)? $($optional_any_name,)? $($required_constant_name,)? $($expected_constant_name,)?
                        $($optional_constant_name,)?
                    )*],
                )
                $(.expecting(&[$($expecting),*]))?
                .with_presences(&[$(
                    $($crate::json::presence!(Required $required),)? $($crate::json::presence!(Nullable $nullable),)?
                    $($crate::json::presence!(Expected $expected),)? $($crate::json::presence!(Optional $optional),)?
                    $($crate::json::presence!(Maybe $maybe),)? $($crate::json::presence!(Expected $any),)?
                    $($crate::json::presence!(Any $optional_any),)?
                    $($crate::json::presence!(Required $required_constant),)?
                    $($crate::json::presence!(Expected $expected_constant),)?
                    $($crate::json::presence!(Optional $optional_constant),)?
                )*]);

                $(
                    $(let mut $required = None;)? $(let mut $nullable = None;)? $(let mut $expected = None;)?
                    $(let mut $optional = None;)? $(let mut $maybe = $crate::json::Maybe::Absent;)?
                    $(let mut $any = None;)? $(let mut $optional_any = None;)?
                )*
                $(let mut $entries = $crate::json::Entries::new();)?
                $crate::json::read_members!(
                    json, [$($rules)?], &MEMBERS,
                    &mut [$(
                        $($crate::json::slot!($required $([$($required_rules)+])?),)?
                        $($crate::json::slot!($nullable $([$($nullable_rules)+])?),)?
                        $($crate::json::slot!($expected $([$($expected_rules)+])?),)?
                        $($crate::json::slot!($optional $([$($optional_rules)+])?),)?
                        $($crate::json::slot!($maybe $([$($maybe_rules)+])?),)?
                        $($crate::json::slot!($any $([$($any_rules)+])?),)?
                        $($crate::json::slot!($optional_any $([$($optional_any_rules)+])?),)?
                        $(&mut $crate::json::Constant($required_constant),)?
                        $(&mut $crate::json::Constant($expected_constant),)?
                        $(&mut $crate::json::Constant($optional_constant),)?
                    )*],
                    $crate::json::others!($others $($entries $([$($entry_rules)+])?)?)
                )?;
                Some(Self {
                    $(
                        $($required: $required?,)? $($nullable,)? $($expected,)? $($optional,)? $($maybe,)?
                        $($any: $any.unwrap_or_default(),)? $($optional_any,)? $($unread: Default::default(),)?
                    )*
                    $($entries: $entries.finish()?,)?
                })
            }
        }
    };

    (
        @write []
        [
            $model:ident $case:ident [$($expecting:tt)?] [$($rules:tt)?]
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
        impl $crate::json::Write for $model {
            fn write(&self, json: &mut $crate::json::Writer) {
                json.begin_object();
                json.members(
                    &[$(
                        $(($required_name, true),)? $(($nullable_name, true),)? $(($expected_name, true),)?
                        $(($optional_name, false),)? $(($maybe_name, false),)? $(($any_name, true),)?
                        $(($optional_any_name, false),)? $(($required_constant_name, true),)?
                        $(($expected_constant_name, true),)? $(($optional_constant_name, true),)?
                    )*],
                    &[$(
                        $(&self.$required,)? $(&self.$nullable,)? $(&self.$expected,)? $(&self.$optional,)?
                        $(&self.$maybe,)? $(&self.$any,)? $(&self.$optional_any,)? $(&$required_constant,)?
                        $(&$expected_constant,)? $(&$optional_constant,)?
                    )*],
                );
                $(json.entries(&self.$entries);)?
                json.end_object();
            }
        }
    };
}
#[doc(hidden)]
pub use object;

/// The presence of the member that follows.
#[doc(hidden)]
#[macro_export]
macro_rules! presence {
    ($presence:ident $member:tt) => {
        $crate::json::Presence::$presence
    };
}
#[doc(hidden)]
pub use presence;

/// Where a member is kept, and its rules.
#[doc(hidden)]
#[macro_export]
macro_rules! slot {
    ($slot:ident) => {
        &mut $slot
    };
    ($slot:ident [$($rule:tt)+]) => {
        &mut $crate::rule::Checked(&mut $slot, &[$($rule)+])
    };
}
#[doc(hidden)]
pub use slot;

/// What becomes of members that are not in the table.
#[doc(hidden)]
#[macro_export]
macro_rules! others {
    (entries $entries:ident $($rules:tt)?) => {
        $crate::json::slot!($entries $($rules)?)
    };
    (nested_entries $entries:ident $($rules:tt)?) => {
        $crate::json::slot!($entries $($rules)?)
    };
    (open) => {
        &mut $crate::json::Others::Open
    };
    (closed) => {
        &mut $crate::json::Others::Closed
    };
}
#[doc(hidden)]
pub use others;

/// Reads the members, and checks which of them are there if there are rules for that.
#[doc(hidden)]
#[macro_export]
macro_rules! read_members {
    ($json:ident, [], $($argument:expr),+) => {
        $crate::json::Reader::members($json, $($argument),+)
    };
    ($json:ident, [[$($rule:tt)+]], $($argument:expr),+) => {
        $crate::json::Reader::members_checked($json, &[$($rule)+], $($argument),+)
    };
}
#[doc(hidden)]
pub use read_members;

/// Items that are there with the feature `serde` only.
#[cfg(feature = "serde")]
#[doc(hidden)]
#[macro_export]
macro_rules! with_serde {
    ($($item:tt)*) => { $($item)* };
}
/// Items that are there with the feature `serde` only.
#[cfg(not(feature = "serde"))]
#[doc(hidden)]
#[macro_export]
macro_rules! with_serde {
    ($($item:tt)*) => {};
}
#[doc(hidden)]
pub use with_serde;

/// Items that are there with the feature `rule` only.
#[cfg(feature = "rule")]
#[doc(hidden)]
#[macro_export]
macro_rules! with_rule {
    ($($item:tt)*) => { $($item)* };
}
/// Items that are there with the feature `rule` only.
#[cfg(not(feature = "rule"))]
#[doc(hidden)]
#[macro_export]
macro_rules! with_rule {
    ($($item:tt)*) => {};
}
#[doc(hidden)]
pub use with_rule;

/// The traits of serde for a model, with the feature `serde`.
#[doc(hidden)]
#[macro_export]
macro_rules! serde_traits {
    ($($model:tt)+) => {
        // The crate that has the model has a feature of the same name.
        #[cfg(feature = "serde")]
        $crate::serde::bridge! { $($model)+ }
    };
}
#[doc(hidden)]
pub use serde_traits;
