//! Lists that come in pages.

use super::{ModelId, Name};

/// How the pages of a list follow each other, from `x-pagination` on the operation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Pagination {
    /// How the next page is asked for.
    pub style: PaginationStyle,
    /// What matters of each page.
    pub members: PageMembers,
}

/// `style` of `x-pagination`
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum PaginationStyle {
    /// `page-number`: the parameters `page`, of which `first` is the first, and `size`, which is `default_size` when absent
    PageNumber { page: String, first: u64, size: String, default_size: u64 },
    /// `offset`: the parameters `offset`, and `limit`, which is `default_limit` when absent
    Offset { offset: String, limit: String, default_limit: u64 },
    /// `cursor`: the parameter that takes what `next` of the page before was
    Cursor { parameter: String },
    /// `link`: the `Link` header with `rel="next"`
    Link,
}

/// The members of a page that matter, each with the members on the way to it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PageMembers {
    /// The items; an array.
    pub items: Vec<Name>,
    /// How many items all pages have; a whole number.
    pub total: Option<Vec<Name>>,
    /// What the next page is asked for with; a text or a number.
    pub next: Option<Vec<Name>>,
}

/// A model that is a page: some operation answers with it, and with nothing around it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PageModel {
    /// The model.
    pub model: ModelId,
    /// What all operations say that answer with it.
    pub members: PageMembers,
}
