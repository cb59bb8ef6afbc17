//! `Account`

use crate::runtime::json::{Member, Members, Read, Reader, Write, Writer};

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Account {
    pub id: i64,
    pub name: String,
}

const MEMBERS: Members = Members::exact(&["id", "name"], &["id", "name"]);

impl Read for Account {
    fn read(json: &mut Reader<'_>) -> Option<Self> {
        let mut id = Member::Absent;
        let mut name = Member::Absent;
        json.object(&MEMBERS, &mut |json, member| match member {
            "id" => id.read(json),
            "name" => name.read(json),
            _ => json.skip_member(),
        })?;

        Some(Self { id: id.required()?, name: name.required()? })
    }
}

impl Write for Account {
    fn write(&self, json: &mut Writer) {
        json.begin_object();
        json.required("id", &self.id);
        json.required("name", &self.name);
        json.end_object();
    }
}
