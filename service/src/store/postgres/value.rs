//! Values on their way to PostgreSQL and back.

use std::error::Error as StdError;

use bytes::BytesMut;
use tokio_postgres::{
    Row,
    types::{IsNull, ToSql, Type, to_sql_checked},
};

use crate::store::{Error, record::Value, sql::Datum};

pub(super) use crate::store::value::Value as Parameter;

impl ToSql for Parameter {
    fn to_sql(&self, ty: &Type, out: &mut BytesMut) -> Result<IsNull, Box<dyn StdError + Sync + Send>> {
        match self {
            Self::Null => Ok(IsNull::Yes),
            Self::Integer(number) => match *ty {
                Type::BOOL => (*number != 0).to_sql(ty, out),
                Type::INT4 => i32::try_from(*number)?.to_sql(ty, out),
                #[expect(
                    clippy::cast_precision_loss,
                    reason = "a whole number for a column of numbers with a fraction"
                )]
                Type::FLOAT8 => (*number as f64).to_sql(ty, out),
                _ => number.to_sql_checked(ty, out),
            },
            Self::Real(number) => number.to_sql_checked(ty, out),
            Self::Text(text) if *ty == Type::JSON => {
                out.extend_from_slice(text.as_bytes());
                Ok(IsNull::No)
            }
            Self::Text(text) => text.to_sql_checked(ty, out),
            Self::Bytes(bytes) => bytes.to_sql_checked(ty, out),
        }
    }

    fn accepts(_: &Type) -> bool {
        true
    }

    to_sql_checked!();
}

impl From<&Self> for Parameter {
    fn from(value: &Self) -> Self {
        value.clone()
    }
}

/// The value of a row at a position.
pub(super) fn datum(row: &Row, position: usize) -> Result<Datum<'_>, Error> {
    let ty = row.columns().get(position).map_or(Type::UNKNOWN, |column| column.type_().clone());
    let datum = match ty {
        Type::BOOL => row.try_get::<_, Option<bool>>(position)?.map(|value| Datum::Integer(value.into())),
        Type::INT4 => row.try_get::<_, Option<i32>>(position)?.map(|number| Datum::Integer(number.into())),
        Type::INT8 => row.try_get::<_, Option<i64>>(position)?.map(Datum::Integer),
        Type::FLOAT8 => row.try_get::<_, Option<f64>>(position)?.map(Datum::Real),
        // What a function gives that gives nothing.
        Type::VOID => None,
        Type::BYTEA => row.try_get::<_, Option<&[u8]>>(position)?.map(Datum::Bytes),
        _ => row.try_get::<_, Option<&str>>(position)?.map(Datum::Text),
    };
    Ok(datum.unwrap_or(Datum::Null))
}

/// The value of a row at a position, on its own.
pub(super) fn owned(row: &Row, position: usize) -> Result<Value, Error> {
    Ok(match datum(row, position)? {
        Datum::Null => Value::Null,
        Datum::Integer(number) => Value::Integer(number),
        Datum::Real(number) => Value::Real(number),
        Datum::Text(text) => Value::Text(text.to_owned()),
        Datum::Bytes(_) => return Err(Error::Damaged("the store holds bytes where text belongs".into())),
    })
}

/// The value of a row at a position, as the store has it.
pub(super) fn value(row: &Row, position: usize) -> Result<Value, Error> {
    Ok(match datum(row, position)? {
        Datum::Bytes(bytes) => Value::Bytes(bytes.to_vec()),
        _ => owned(row, position)?,
    })
}
