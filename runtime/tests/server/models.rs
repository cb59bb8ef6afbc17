//! The named types of the description, one file each.

use crate::runtime::json::{Member, Members, Read, Reader, Write, Writer};
use crate::runtime::rule::Rule;

/// A customer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Account {
    /// The name to show.
    pub name: String,
    /// How many people work there.
    pub employees: Option<i32>,
}

const MEMBERS: Members = Members::any_case(&["Name", "Employees"], &["Name"]);

impl Read for Account {
    fn read(json: &mut Reader<'_>) -> Option<Self> {
        let mut name = Member::Absent;
        let mut employees = Member::Absent;
        json.object(&MEMBERS, &mut |json, member| match member {
            "Name" => name.read_checked(json, &[Rule::MinLength(1)]),
            "Employees" => employees.read(json),
            _ => json.refuse_member(),
        })?;
        Some(Self { name: name.required()?, employees: employees.optional()? })
    }
}

impl Write for Account {
    fn write(&self, json: &mut Writer) {
        json.begin_object();
        json.required("Name", &self.name);
        json.optional("Employees", &self.employees);
        json.end_object();
    }
}
