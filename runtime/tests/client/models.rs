//! The named types of the description, one file each.

mod account;
mod account_page;
mod follow;
mod follow_meta;
mod note;
mod problem;

pub use account::Account;
pub use account_page::AccountPage;
pub use follow::Follow;
pub use follow_meta::FollowMeta;
pub use note::Note;
pub use problem::Problem;
