//! Enums of the client, whose lists of values may have grown since: the table of the values is the enum.

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
                $crate::unknown::open_choices!(@from_text text $($json)?)
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

            $crate::unknown::open_integer_choices!(@as $integer);
        }

        impl $crate::json::Read for $name {
            fn read(json: &mut $crate::json::Reader<'_>) -> Option<Self> {
                json.open_integer_choice(Self::of)
            }
        }

        impl $crate::text::FromText for $name {
            fn from_text(text: &str) -> Result<Self, $crate::text::Refusal> {
                let number = <$integer as $crate::text::FromText>::from_text(text);
                $crate::unknown::open_integer_choices!(@from_text number $($json)?)
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

    (@as i8) => { $crate::unknown::open_integer_choices!(@as_number as_i8 i8); };
    (@as i16) => { $crate::unknown::open_integer_choices!(@as_number as_i16 i16); };
    (@as i32) => { $crate::unknown::open_integer_choices!(@as_number as_i32 i32); };
    (@as i64) => { $crate::unknown::open_integer_choices!(@as_number as_i64 i64); };
    (@as u8) => { $crate::unknown::open_integer_choices!(@as_number as_u8 u8); };
    (@as u16) => { $crate::unknown::open_integer_choices!(@as_number as_u16 u16); };
    (@as u32) => { $crate::unknown::open_integer_choices!(@as_number as_u32 u32); };
    (@as u64) => { $crate::unknown::open_integer_choices!(@as_number as_u64 u64); };

    (@as_number $as_number:ident $integer:ident) => {
        /// The value on the wire.
        pub fn $as_number(&self) -> $integer {
            self.number()
        }
    };
}
#[doc(hidden)]
pub use open_integer_choices;
