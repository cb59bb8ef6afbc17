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

/// `AccountSummary`
pub static ACCOUNT_SUMMARY: Shape = Shape::new(&[
    sorted("Id"),
    plain("CreatedBy"),
    sorted("CreatedOn"),
    plain("ModifiedBy"),
    sorted("ModifiedOn"),
    sorted("ParentId"),
    sorted("AccountCode"),
    sorted("AccountTypeId"),
    plain("AccountType"),
    sorted("AccountName"),
    sorted("BusinessTypeId"),
    plain("BusinessType"),
    plain("ServiceTypeId"),
    plain("ServiceType"),
    sorted("AccountManagerId"),
    plain("AccountManagerUserName"),
    plain("CurrencyId"),
    plain("CurrencyName"),
    plain("CreditLimit"),
    plain("NetDays"),
    plain("SalesTaxItemId"),
    plain("SalesTaxItemName"),
    plain("Website"),
    plain("Description"),
    plain("ClassId"),
    plain("ClassName"),
    sorted("IsActive"),
    plain("IsBilling"),
    plain("AcquiredDate"),
    plain("TenantName"),
    plain("Locations"),
]);

/// `AccountLookup`
pub static ACCOUNT_LOOKUP: Shape = Shape::new(&[sorted("Id"), sorted("Name"), plain("TenantName"), sorted("IsActive")]);

/// `AccountCodeLookup`
pub static ACCOUNT_CODE: Shape = Shape::new(&[sorted("Id"), sorted("Name"), sorted("IsActive")]);

/// `Assignee`
pub static ASSIGNEE: Shape = Shape::new(&[
    sorted("Id"),
    sorted("FirstName"),
    sorted("LastName"),
    sorted("Name"),
    sorted("EmailAddress"),
    plain("PictureName"),
    plain("PictureUrl"),
]);

/// `AssigneeLookup`
pub static ASSIGNEE_LOOKUP: Shape = Shape::new(&[
    sorted("Id"),
    sorted("Name"),
    plain("Url"),
    sorted("EmailAddress"),
    sorted("JobTitle"),
    plain("PictureName"),
    plain("PictureURL"),
]);

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

/// `JobLog`
pub static JOB_LOG: Shape =
    Shape::new(&[sorted("Id"), sorted("Type"), sorted("Action"), plain("Message"), sorted("Date")]);

/// `ChartOfAccount`
pub static CHART_OF_ACCOUNT: Shape = Shape::new(&[
    sorted("Id"),
    sorted("Code"),
    sorted("Name"),
    plain("Description"),
    sorted("TypeId"),
    plain("TypeName"),
    sorted("ParentId"),
    plain("ParentName"),
    sorted("IsActive"),
]);

/// `ChartOfAccountType`
pub static CHART_OF_ACCOUNT_TYPE: Shape =
    Shape::new(&[sorted("Id"), sorted("Name"), plain("Description"), sorted("IsActive")]);
