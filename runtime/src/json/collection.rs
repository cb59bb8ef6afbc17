//! Arrays, maps, and nullable values.

use std::collections::BTreeMap;

use super::{Entries, Kind, Members, Read, Reader, Write, Writer};

const NO_MEMBERS: Members = Members::exact(&[]);

impl<T: Read> Read for Vec<T> {
    fn read(json: &mut Reader<'_>) -> Option<Self> {
        let mut items = Self::new();
        let mut refused = false;
        json.array(&mut |json| match T::read(json) {
            Some(item) => items.push(item),
            None => refused = true,
        })?;
        (!refused).then_some(items)
    }
}

impl<T: Write> Write for Vec<T> {
    fn write(&self, json: &mut Writer) {
        self.as_slice().write(json);
    }
}

impl<T: Write> Write for [T] {
    fn write(&self, json: &mut Writer) {
        json.begin_array();
        for item in self {
            json.item(item);
        }
        json.end_array();
    }
}

impl<T: Read> Read for BTreeMap<String, T> {
    fn read(json: &mut Reader<'_>) -> Option<Self> {
        let mut entries = Entries::new();
        json.object(&NO_MEMBERS, &mut |json, _| entries.read_entry(json))?;
        entries.finish()
    }
}

impl<T: Write> Write for BTreeMap<String, T> {
    fn write(&self, json: &mut Writer) {
        json.begin_object();
        json.entries(self);
        json.end_object();
    }
}

impl<T: Read> Read for Option<T> {
    fn read(json: &mut Reader<'_>) -> Option<Self> {
        if json.kind() == Kind::Null {
            json.null();
            return Some(None);
        }
        T::read(json).map(Some)
    }
}

impl<T: Write> Write for Option<T> {
    fn write(&self, json: &mut Writer) {
        match self {
            Some(value) => value.write(json),
            None => json.null(),
        }
    }

    fn write_member(&self, name: &'static str, json: &mut Writer) {
        if let Some(value) = self {
            json.required(name, value);
        }
    }
}

impl<T: Read> Read for Box<T> {
    fn read(json: &mut Reader<'_>) -> Option<Self> {
        T::read(json).map(Self::new)
    }
}

impl<T: Write + ?Sized> Write for Box<T> {
    fn write(&self, json: &mut Writer) {
        T::write(self, json);
    }
}

impl<T: Write + ?Sized> Write for &T {
    fn write(&self, json: &mut Writer) {
        T::write(self, json);
    }

    fn write_member(&self, name: &'static str, json: &mut Writer) {
        T::write_member(self, name, json);
    }
}
