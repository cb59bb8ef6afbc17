//! `Problem`

use crate::runtime::json::{Member, Members, Read, Reader};

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Problem {
    pub message: String,
}

const MEMBERS: Members = Members::exact(&["message"], &["message"]);

impl Read for Problem {
    fn read(json: &mut Reader<'_>) -> Option<Self> {
        let mut message = Member::Absent;
        json.object(&MEMBERS, &mut |json, member| match member {
            "message" => message.read(json),
            _ => json.skip_member(),
        })?;

        Some(Self { message: message.required()? })
    }
}
