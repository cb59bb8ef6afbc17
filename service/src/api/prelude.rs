//! What the file of each tag needs.

pub(super) use generated_server::runtime::{
    json::Maybe,
    server::{Call, Failure},
};

pub(super) use super::{
    Service,
    list::{answer, paging},
};
pub(super) use crate::{
    domain::{
        list::{Filter, ListQuery, Test},
        token::Token,
    },
    store::resource,
};
