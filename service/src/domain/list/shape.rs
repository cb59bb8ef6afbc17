//! The members of the records of each list, and which of them it can be sorted by.

/// The members of a record, in the order of the description.
#[derive(Debug)]
pub struct Shape {
    members: &'static [Member],
}

/// One member.
#[derive(Clone, Copy, Debug)]
pub struct Member {
    /// As the interface spells it.
    pub name: &'static str,
    /// Whether an index stands behind its order.
    pub sortable: bool,
}

impl Shape {
    const fn new(members: &'static [Member]) -> Self {
        Self { members }
    }
}

impl super::Members for Shape {
    fn members(&self) -> Vec<(&'static str, bool)> {
        self.members.iter().map(|member| (member.name, member.sortable)).collect()
    }
}

/// A member that has an index.
const fn sorted(name: &'static str) -> Member {
    Member { name, sortable: true }
}

/// A member that has none.
const fn plain(name: &'static str) -> Member {
    Member { name, sortable: false }
}

/// `Attachment`
pub static ATTACHMENT: Shape = Shape::new(&[
    sorted("Id"),
    sorted("OriginalFileName"),
    plain("AliasName"),
    plain("FileType"),
    plain("ObjectId"),
    plain("ModuleId"),
    plain("Url"),
    plain("WebUrl"),
    plain("CreatedById"),
    plain("CreatedByName"),
    sorted("CreatedOn"),
    plain("IsUploadedToBlob"),
]);
