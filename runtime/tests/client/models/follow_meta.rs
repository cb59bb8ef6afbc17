//! `/components/schemas/Follow/properties/meta`

use crate::runtime::json::{Maybe, Member, Members, Read, Reader};

#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct FollowMeta {
    pub next: Maybe<String>,
}

const MEMBERS: Members = Members::exact(&["next"], &[]);

impl Read for FollowMeta {
    fn read(json: &mut Reader<'_>) -> Option<Self> {
        let mut next = Member::Absent;
        json.object(&MEMBERS, &mut |json, member| match member {
            "next" => next.read_nullable(json),
            _ => json.skip_member(),
        })?;

        Some(Self { next: next.maybe()? })
    }
}
