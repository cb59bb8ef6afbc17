//! The envelope of successful agent operations, and their OData options.

use generated_server::runtime::server::{Common, Failure};

use crate::domain::{
    agent::AgentQuery,
    odata::{self, Field},
};

/// The body of a successful answer.
macro_rules! envelope {
    ($body:ident, $result:expr $(, total: $total:expr)?) => {
        $body {
            $(total_records: i64::try_from($total).unwrap_or(i64::MAX),)?
            result: $result,
            response_code: 200,
            status: "OK".to_owned(),
            // The interface has this text.
            error: "None".to_owned(),
        }
    };
}
pub(super) use envelope;

/// The OData options of a list.
pub(super) fn query(
    fields: &[Field],
    filter: Option<&str>,
    order_by: Option<&str>,
    skip: i32,
    top: i32,
) -> Result<AgentQuery, Failure<Common>> {
    let bad = |error: odata::Error| Failure::bad_request(error.to_string());
    Ok(AgentQuery {
        filter: filter.map(|filter| odata::filter(filter, fields)).transpose().map_err(bad)?,
        order: order_by.map(|order| odata::order_by(order, fields)).transpose().map_err(bad)?.unwrap_or_default(),
        skip: u64::from(skip.unsigned_abs()),
        top: top.unsigned_abs(),
    })
}
