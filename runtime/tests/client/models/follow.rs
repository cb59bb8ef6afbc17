//! `Follow`

use crate::models;
use crate::runtime::json::{Member, Members, Read, Reader};

#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Follow {
    pub data: Option<Vec<models::Account>>,
    pub meta: Option<models::FollowMeta>,
}

const MEMBERS: Members = Members::exact(&["data", "meta"], &[]);

impl Read for Follow {
    fn read(json: &mut Reader<'_>) -> Option<Self> {
        let mut data = Member::Absent;
        let mut meta = Member::Absent;
        json.object(&MEMBERS, &mut |json, member| match member {
            "data" => data.read_nullable(json),
            "meta" => meta.read_nullable(json),
            _ => json.skip_member(),
        })?;

        Some(Self { data: data.optional()?, meta: meta.optional()? })
    }
}
