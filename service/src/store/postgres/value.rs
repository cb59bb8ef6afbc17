//! Converts values to PostgreSQL's types and back.

use std::error::Error as StdError;

use bytes::BytesMut;
use tokio_postgres::{
    Row,
    types::{IsNull, ToSql, Type, to_sql_checked},
};

use crate::store::{Error, value::Value};

impl ToSql for Value {
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

/// The value of a row at a position.
pub(super) fn value(row: &Row, position: usize) -> Result<Value, Error> {
    let ty = row.columns().get(position).map_or(Type::UNKNOWN, |column| column.type_().clone());
    let value = match ty {
        Type::BOOL => row.try_get::<_, Option<bool>>(position)?.into(),
        Type::INT4 => row.try_get::<_, Option<i32>>(position)?.into(),
        Type::INT8 => row.try_get::<_, Option<i64>>(position)?.into(),
        Type::FLOAT8 => row.try_get::<_, Option<f64>>(position)?.into(),
        // The result of a function without a result.
        Type::VOID => Value::Null,
        Type::BYTEA => row.try_get::<_, Option<Vec<u8>>>(position)?.map_or(Value::Null, Value::Bytes),
        _ => row.try_get::<_, Option<String>>(position)?.into(),
    };
    Ok(value)
}
