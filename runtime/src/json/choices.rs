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
