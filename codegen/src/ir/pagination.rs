//! Paginated lists.

use super::{ModelId, Name};

/// How a list is paginated, from `x-pagination`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Pagination {
    /// How the next page is requested.
    pub style: PaginationStyle,
    /// The relevant members of a page.
    pub members: PageMembers,
}

/// `style` of `x-pagination`
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum PaginationStyle {
    /// `page-number`: the parameters `page`, starting at `first`, and `size` with its default
    PageNumber { page: String, first: u64, size: String, default_size: PageSize },
    /// `offset`: the parameters `offset`, and `limit` with its default
    Offset { offset: String, limit: String, default_limit: PageSize },
    /// `cursor`: the parameter that takes a value of the previous page
    Cursor { parameter: String },
    /// `url`: the URL in the body of the previous page
    Url,
    /// `link`: the `Link` header with `rel="next"`
    Link,
}

/// The page size that a client requests unless its caller sets one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PageSize {
    /// The `default` of the parameter.
    Described(u64),
    /// Another one that the parameter allows.
    Assumed(u64),
}

/// The relevant members of a page, each with its path.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PageMembers {
    /// The items; an array.
    pub items: Vec<Name>,
    /// The total number of items; an integer.
    pub total: Option<Vec<Name>>,
    /// The value to request the next page with.
    pub next: Option<NextPage>,
}

/// The value to request the next page with; a string or a number.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NextPage {
    /// Its path, in the page or in the last item.
    pub value: Vec<Name>,
    /// Whether it is in the last item.
    pub is_of_last_item: bool,
    /// Whether there is a next page, if a member of the page says so; a boolean.
    pub more: Option<Vec<Name>>,
}

/// A model that is a page: the whole response of some operation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PageModel {
    /// The model.
    pub model: ModelId,
    /// The members, on which all its operations agree.
    pub members: PageMembers,
}
