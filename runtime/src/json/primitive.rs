//! Booleans, numbers, and everything that is a string in JSON.

use std::borrow::Cow;
use std::net::{Ipv4Addr, Ipv6Addr};

use jiff::civil::{Date, DateTime, Time};
use jiff::{SpanFieldwise, Timestamp};

use super::{Base64, Read, Reader, Write, Writer};

impl Read for bool {
    fn read(json: &mut Reader<'_>) -> Option<Self> {
        json.boolean()
    }
}

impl Write for bool {
    fn write(&self, json: &mut Writer) {
        json.raw(if *self { "true" } else { "false" });
    }
}

impl Read for String {
    fn read(json: &mut Reader<'_>) -> Option<Self> {
        json.text().map(Cow::into_owned)
    }
}

impl Write for String {
    fn write(&self, json: &mut Writer) {
        json.string(self);
    }
}

impl Write for str {
    fn write(&self, json: &mut Writer) {
        json.string(self);
    }
}

macro_rules! integer {
    ($($type:ty),*) => {$(
        impl Read for $type {
            fn read(json: &mut Reader<'_>) -> Option<Self> {
                json.integer(Self::MIN.into(), Self::MAX.into())?.try_into().ok()
            }
        }

        impl Write for $type {
            fn write(&self, json: &mut Writer) {
                json.raw(itoa::Buffer::new().format(*self));
            }
        }
    )*};
}

integer!(i8, i16, i32, i64, u8, u16, u32, u64);

impl Read for f64 {
    fn read(json: &mut Reader<'_>) -> Option<Self> {
        json.double()
    }
}

impl Write for f64 {
    fn write(&self, json: &mut Writer) {
        json.double(*self);
    }
}

impl Read for f32 {
    fn read(json: &mut Reader<'_>) -> Option<Self> {
        json.single()
    }
}

impl Write for f32 {
    fn write(&self, json: &mut Writer) {
        json.single(*self);
    }
}

macro_rules! text {
    ($($type:ty),*) => {$(
        impl Read for $type {
            fn read(json: &mut Reader<'_>) -> Option<Self> {
                json.parse()
            }
        }
    )*};
}

text!(Timestamp, Date, Time, DateTime, SpanFieldwise, Ipv4Addr, Ipv6Addr, Base64);

macro_rules! display {
    ($($type:ty),*) => {$(
        impl Write for $type {
            fn write(&self, json: &mut Writer) {
                json.display(self);
            }
        }
    )*};
}

display!(Date, Time, DateTime, Ipv4Addr, Ipv6Addr);

impl Write for Timestamp {
    fn write(&self, json: &mut Writer) {
        json.timestamp(*self);
    }
}

impl Write for SpanFieldwise {
    fn write(&self, json: &mut Writer) {
        json.display(&self.0);
    }
}

impl Write for Base64 {
    fn write(&self, json: &mut Writer) {
        json.text(self);
    }
}
