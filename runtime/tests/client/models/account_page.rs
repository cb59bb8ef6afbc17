//! `AccountPage`

use crate::models;
use crate::runtime::json::{Maybe, Member, Members, Read, Reader};

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct AccountPage {
    pub items: Vec<models::Account>,
    pub total: Maybe<i64>,
}

const MEMBERS: Members = Members::exact(&["items", "total"], &["items"]);

impl Read for AccountPage {
    fn read(json: &mut Reader<'_>) -> Option<Self> {
        let mut items = Member::Absent;
        let mut total = Member::Absent;
        json.object(&MEMBERS, &mut |json, member| match member {
            "items" => items.read(json),
            "total" => total.read_nullable(json),
            _ => json.skip_member(),
        })?;

        Some(Self { items: items.required()?, total: total.maybe()? })
    }
}
