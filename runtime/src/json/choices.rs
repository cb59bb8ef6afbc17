//! Enums whose variants stand for texts or whole numbers: the table of the values is the enum.

/// A closed list of texts: others are refused.
#[doc(hidden)]
#[macro_export]
macro_rules! choices {
    ($(#[$attribute:meta])* pub enum $name:ident: String { $($(#[$about:meta])* $variant:ident = $text:literal,)+ }) => {
        $(#[$attribute])*
        pub enum $name {
            $($(#[$about])* $variant,)+
        }

        impl $name {
            const CHOICES: &'static [(&'static str, Self)] = &[$(($text, Self::$variant)),+];

            /// The value on the wire.
            pub const fn as_str(self) -> &'static str {
                match self {
                    $(Self::$variant => $text,)+
                }
            }
        }

        impl $crate::json::Read for $name {
            fn read(json: &mut $crate::json::Reader<'_>) -> Option<Self> {
                json.choice(Self::CHOICES)
            }
        }

        impl $crate::text::FromText for $name {
            fn from_text(text: &str) -> Result<Self, $crate::text::Refusal> {
                $crate::text::choice(text, Self::CHOICES)
            }
        }

        impl ::std::str::FromStr for $name {
            type Err = $crate::text::Refusal;

            fn from_str(text: &str) -> Result<Self, $crate::text::Refusal> {
                $crate::text::choice(text, Self::CHOICES)
            }
        }

        $crate::json::choices!(@written $name);
    };

    (@written $name:ident) => {
        impl $crate::json::Write for $name {
            fn write(&self, json: &mut $crate::json::Writer) {
                json.string(self.as_str());
            }
        }

        impl $crate::text::ToText for $name {
            fn to_text(&self) -> ::std::borrow::Cow<'_, str> {
                ::std::borrow::Cow::Borrowed(self.as_str())
            }
        }

        impl ::std::fmt::Display for $name {
            fn fmt(&self, f: &mut ::std::fmt::Formatter<'_>) -> ::std::fmt::Result {
                f.write_str(self.as_str())
            }
        }
    };
}
#[doc(hidden)]
pub use choices;

/// A list of texts that may have grown since: others are kept. With `in json` they are kept of JSON only.
#[doc(hidden)]
#[macro_export]
macro_rules! open_choices {
    (
        $(#[$attribute:meta])*
        pub enum $name:ident: String {
            $($(#[$about:meta])* $variant:ident = $text:literal,)+
            ..$unknown:ident $(in $json:ident)? $(,)?
        }
    ) => {
        $(#[$attribute])*
        #[non_exhaustive]
        pub enum $name {
            $($(#[$about])* $variant,)+
            /// A value that the description did not have when this crate was made.
            $unknown($crate::unknown::Unknown<String>),
        }

        impl $name {
            const KNOWN: &'static [(&'static str, Self)] = &[$(($text, Self::$variant)),+];

            /// The value on the wire.
            pub fn as_str(&self) -> &str {
                match self {
                    $(Self::$variant => $text,)+
                    Self::$unknown(unknown) => unknown.as_str(),
                }
            }

            fn of(text: &str) -> Self {
                match $crate::text::known(&text, Self::KNOWN) {
                    Some(known) => known.clone(),
                    None => Self::$unknown($crate::unknown::Unknown::of(text)),
                }
            }
        }

        impl $crate::json::Read for $name {
            fn read(json: &mut $crate::json::Reader<'_>) -> Option<Self> {
                json.open_choice(Self::of)
            }
        }

        impl $crate::text::FromText for $name {
            fn from_text(text: &str) -> Result<Self, $crate::text::Refusal> {
                $crate::json::open_choices!(@from_text text $($json)?)
            }
        }

        impl ::std::str::FromStr for $name {
            type Err = $crate::text::Refusal;

            /// Only values that this crate knows: an unknown one can be passed on, not made.
            fn from_str(text: &str) -> Result<Self, $crate::text::Refusal> {
                $crate::text::only_known(&text, Self::KNOWN)
            }
        }

        $crate::json::choices!(@written $name);
    };

    (@from_text $text:ident) => { Ok(Self::of($text)) };
    (@from_text $text:ident json) => { $text.parse() };
}
#[doc(hidden)]
pub use open_choices;

/// A closed list of whole numbers: others are refused. With `or names`, parameters may use names in their place.
#[doc(hidden)]
#[macro_export]
macro_rules! integer_choices {
    (
        $(#[$attribute:meta])*
        pub enum $name:ident: $integer:ident $(or $names:ident)? {
            $($(#[$about:meta])* $variant:ident = $number:literal,)+
        }
    ) => {
        $(#[$attribute])*
        pub enum $name {
            $($(#[$about])* $variant,)+
        }

        impl $name {
            const CHOICES: &'static [(i64, Self)] = &[$(($number, Self::$variant)),+];
            const NAMES: &'static [(&'static str, Self)] =
                $crate::json::integer_choices!(@names $($names)? $($variant)+);

            const fn number(self) -> $integer {
                match self {
                    $(Self::$variant => $number,)+
                }
            }

            $crate::json::integer_choices!(@as $integer);
        }

        impl $crate::json::Read for $name {
            fn read(json: &mut $crate::json::Reader<'_>) -> Option<Self> {
                json.integer_choice(Self::CHOICES)
            }
        }

        impl $crate::text::FromText for $name {
            fn from_text(text: &str) -> Result<Self, $crate::text::Refusal> {
                $crate::text::integer_choice(text, Self::CHOICES, Self::NAMES)
            }
        }

        impl TryFrom<$integer> for $name {
            type Error = $crate::text::Refusal;

            fn try_from(number: $integer) -> Result<Self, $crate::text::Refusal> {
                $crate::text::FromText::from_text(&number.to_string())
            }
        }

        $crate::json::integer_choices!(@written $name);
    };

    (@names names $($variant:ident)+) => { &[$((stringify!($variant), Self::$variant)),+] };
    (@names $($variant:ident)+) => { &[] };

    (@as i8) => { $crate::json::integer_choices!(@as_number as_i8 i8); };
    (@as i16) => { $crate::json::integer_choices!(@as_number as_i16 i16); };
    (@as i32) => { $crate::json::integer_choices!(@as_number as_i32 i32); };
    (@as i64) => { $crate::json::integer_choices!(@as_number as_i64 i64); };
    (@as u8) => { $crate::json::integer_choices!(@as_number as_u8 u8); };
    (@as u16) => { $crate::json::integer_choices!(@as_number as_u16 u16); };
    (@as u32) => { $crate::json::integer_choices!(@as_number as_u32 u32); };
    (@as u64) => { $crate::json::integer_choices!(@as_number as_u64 u64); };

    (@as_number $as_number:ident $integer:ident) => {
        /// The value on the wire.
        pub const fn $as_number(self) -> $integer {
            self.number()
        }
    };

    (@written $name:ident) => {
        impl $crate::json::Write for $name {
            fn write(&self, json: &mut $crate::json::Writer) {
                $crate::json::Write::write(&self.number(), json);
            }
        }

        impl $crate::text::ToText for $name {
            fn to_text(&self) -> ::std::borrow::Cow<'_, str> {
                ::std::borrow::Cow::Owned(self.number().to_string())
            }
        }

        impl ::std::fmt::Display for $name {
            fn fmt(&self, f: &mut ::std::fmt::Formatter<'_>) -> ::std::fmt::Result {
                ::std::fmt::Display::fmt(&self.number(), f)
            }
        }
    };
}
#[doc(hidden)]
pub use integer_choices;

/// A list of whole numbers that may have grown since: others are kept. With `in json` they are kept of JSON only.
#[doc(hidden)]
#[macro_export]
macro_rules! open_integer_choices {
    (
        $(#[$attribute:meta])*
        pub enum $name:ident: $integer:ident {
            $($(#[$about:meta])* $variant:ident = $number:literal,)+
            ..$unknown:ident $(in $json:ident)? $(,)?
        }
    ) => {
        $(#[$attribute])*
        #[non_exhaustive]
        pub enum $name {
            $($(#[$about])* $variant,)+
            /// A value that the description did not have when this crate was made.
            $unknown($crate::unknown::Unknown<$integer>),
        }

        impl $name {
            const KNOWN: &'static [($integer, Self)] = &[$(($number, Self::$variant)),+];

            fn number(&self) -> $integer {
                match self {
                    $(Self::$variant => $number,)+
                    Self::$unknown(unknown) => unknown.get(),
                }
            }

            fn of(number: $integer) -> Self {
                match $crate::text::known(&number, Self::KNOWN) {
                    Some(known) => known.clone(),
                    None => Self::$unknown($crate::unknown::Unknown::of(number)),
                }
            }

            $crate::json::open_integer_choices!(@as $integer);
        }

        impl $crate::json::Read for $name {
            fn read(json: &mut $crate::json::Reader<'_>) -> Option<Self> {
                json.open_integer_choice(Self::of)
            }
        }

        impl $crate::text::FromText for $name {
            fn from_text(text: &str) -> Result<Self, $crate::text::Refusal> {
                let number = <$integer as $crate::text::FromText>::from_text(text);
                $crate::json::open_integer_choices!(@from_text number $($json)?)
            }
        }

        impl TryFrom<$integer> for $name {
            type Error = $crate::text::Refusal;

            /// Only values that this crate knows: an unknown one can be passed on, not made.
            fn try_from(number: $integer) -> Result<Self, $crate::text::Refusal> {
                $crate::text::only_known(&number, Self::KNOWN)
            }
        }

        $crate::json::integer_choices!(@written $name);
    };

    (@from_text $number:ident) => { $number.map(Self::of) };
    (@from_text $number:ident json) => { $number.and_then(Self::try_from) };

    (@as i8) => { $crate::json::open_integer_choices!(@as_number as_i8 i8); };
    (@as i16) => { $crate::json::open_integer_choices!(@as_number as_i16 i16); };
    (@as i32) => { $crate::json::open_integer_choices!(@as_number as_i32 i32); };
    (@as i64) => { $crate::json::open_integer_choices!(@as_number as_i64 i64); };
    (@as u8) => { $crate::json::open_integer_choices!(@as_number as_u8 u8); };
    (@as u16) => { $crate::json::open_integer_choices!(@as_number as_u16 u16); };
    (@as u32) => { $crate::json::open_integer_choices!(@as_number as_u32 u32); };
    (@as u64) => { $crate::json::open_integer_choices!(@as_number as_u64 u64); };

    (@as_number $as_number:ident $integer:ident) => {
        /// The value on the wire.
        pub fn $as_number(&self) -> $integer {
            self.number()
        }
    };
}
#[doc(hidden)]
pub use open_integer_choices;
