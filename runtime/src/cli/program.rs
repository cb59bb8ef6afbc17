//! The table of commands.

use crate::arguments::Arguments;
use crate::client::Scheme;

/// What a generated crate says of its program.
#[derive(Clone, Copy, Debug)]
pub struct Program {
    /// Its name, with which environment variables and the folder of its configuration begin.
    pub name: &'static str,
    /// Its version.
    pub version: &'static str,
    /// Its name and version as `User-Agent`.
    pub agent: &'static str,
    /// What the description says of itself, as Markdown.
    pub about: &'static str,
    /// The URL of the service, before the paths of its operations.
    pub url: Option<&'static str>,
    /// The credentials that operations need.
    pub credentials: &'static [Credential],
    /// The commands, by tag.
    pub groups: &'static [Group],
    /// The file `arguments.json`.
    pub schemas: &'static str,
}

/// A credential, and where it comes from.
#[derive(Clone, Copy, Debug)]
pub struct Credential {
    /// The scheme.
    pub scheme: &'static Scheme,
    /// The end of the name of its environment variable: `BEARER_AUTH`
    pub variable: &'static str,
}

/// The commands of a tag.
#[derive(Clone, Copy, Debug)]
pub struct Group {
    /// The command before those of the group; `None` if there is none.
    pub name: Option<&'static str>,
    /// What it is about, as Markdown.
    pub about: &'static str,
    /// The commands.
    pub commands: &'static [Command],
}

/// An operation as a command.
#[derive(Clone, Copy, Debug)]
pub struct Command {
    /// Its name, which no other command of the group has.
    pub name: &'static str,
    /// All its words, which name the schema of its arguments.
    pub words: &'static str,
    /// What it does, as Markdown.
    pub about: &'static str,
    /// Whether it is deprecated.
    pub deprecated: bool,
    /// What it takes.
    pub arguments: Arguments,
    /// Where the items of a list are, if it returns one that may have pages.
    pub page: Option<Page>,
}

/// The members of a page, each as a path.
#[derive(Clone, Copy, Debug)]
pub struct Page {
    /// The items.
    pub items: &'static [&'static str],
    /// The number of items on all pages; empty if there is none.
    pub total: &'static [&'static str],
    /// The cursor or the URL of the next page; empty if there is none.
    pub next: &'static [&'static str],
    /// The member of the last item that is the cursor of the next page; empty if there is none.
    pub last: &'static [&'static str],
    /// Whether there is a next page; empty if no member says so.
    pub more: &'static [&'static str],
}

impl Program {
    /// The environment variable of a setting: `PETSTORE_URL`
    pub(super) fn variable(&self, setting: &str) -> String {
        format!("{}_{setting}", self.name.replace('-', "_").to_uppercase())
    }
}
