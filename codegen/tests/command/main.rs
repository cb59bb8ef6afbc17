//! The command line, through the real binary.

mod book;
mod diff;
mod effective;
mod explain;
mod folder;
mod garbage;
mod generate;
mod init;
mod lint;
mod list;
mod mock;
mod overlay;
mod parts_of_responses;
mod policies;
mod prove;
mod prove_links;
mod prove_mock;
mod proxy;
mod remote;
mod report;
mod scaffold;
mod service;
mod watch;
