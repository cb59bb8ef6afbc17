//! OData options as SQL.

use super::{Conditions, Dialect, fold};
use crate::{
    domain::odata::{Comparison, Filter, Literal, Order, TextFunction},
    store::record::Value,
};

/// What a field is read from, and whether that is folded text, or text to be folded.
pub(in crate::store) enum Source {
    /// Anything but text.
    Plain(&'static str),
    /// Text with a folded twin, which is named.
    Folded(&'static str),
    /// Text that SQLite folds as it reads it; on PostgreSQL it has a folded twin, too.
    Text(&'static str),
}

impl Source {
    /// What it is compared and ordered by.
    fn sql(&self, dialect: Dialect) -> String {
        match (self, dialect) {
            (Self::Plain(column) | Self::Folded(column), _) => (*column).to_owned(),
            (Self::Text(column), Dialect::Sqlite) => format!("fold({column})"),
            (Self::Text(column), Dialect::Postgres) => format!("{column}_folded"),
        }
    }
}

/// Adds a filter; `fields` are what its positions stand for.
pub(in crate::store) fn add(conditions: &mut Conditions, filter: &Filter, fields: &[Source]) {
    let mut parameters = Vec::new();
    let sql = condition(conditions.dialect(), filter, fields, &mut parameters);
    conditions.add(&format!("({sql})"), parameters, None);
}

fn condition(dialect: Dialect, filter: &Filter, fields: &[Source], parameters: &mut Vec<Value>) -> String {
    let field = |position: usize| fields.get(position).map_or_else(|| "NULL".to_owned(), |field| field.sql(dialect));
    match filter {
        Filter::And(one, other) => {
            let one = condition(dialect, one, fields, parameters);
            format!("({one} AND {})", condition(dialect, other, fields, parameters))
        }
        Filter::Or(one, other) => {
            let one = condition(dialect, one, fields, parameters);
            format!("({one} OR {})", condition(dialect, other, fields, parameters))
        }
        Filter::Not(filter) => format!("NOT {}", condition(dialect, filter, fields, parameters)),
        Filter::Compare(position, comparison, literal) => {
            parameters.push(value(literal));
            let operator = match (comparison, dialect) {
                (Comparison::Equal, Dialect::Sqlite) => "IS",
                (Comparison::Equal, Dialect::Postgres) => "IS NOT DISTINCT FROM",
                (Comparison::NotEqual, Dialect::Sqlite) => "IS NOT",
                (Comparison::NotEqual, Dialect::Postgres) => "IS DISTINCT FROM",
                (Comparison::Greater, _) => ">",
                (Comparison::GreaterOrEqual, _) => ">=",
                (Comparison::Less, _) => "<",
                (Comparison::LessOrEqual, _) => "<=",
            };
            // A comparison with nothing is false, not unknown, so that its opposite is true.
            format!("coalesce({} {operator} ?, false)", field(*position))
        }
        Filter::Text(function, position, text) => {
            let text = fold(text);
            let field = field(*position);
            if text.is_empty() {
                return format!("({field} IS NOT NULL)");
            }
            let condition = match (function, dialect) {
                (TextFunction::Contains, _) => dialect.contains(&field, "?"),
                (TextFunction::StartsWith, Dialect::Sqlite) => format!("substr({field}, 1, length(?)) = ?"),
                (TextFunction::StartsWith, Dialect::Postgres) => format!("starts_with({field}, ?)"),
                (TextFunction::EndsWith, Dialect::Sqlite) => format!("substr({field}, -length(?)) = ?"),
                (TextFunction::EndsWith, Dialect::Postgres) => format!("right({field}, length(?::text)) = ?"),
            };
            parameters.extend(condition.matches('?').map(|_| Value::Text(text.clone())));
            format!("coalesce({condition}, false)")
        }
    }
}

fn value(literal: &Literal) -> Value {
    match literal {
        Literal::Null => Value::Null,
        Literal::Integer(number) => Value::Integer(*number),
        Literal::Text(text) => Value::Text(fold(text)),
        Literal::Boolean(value) => Value::Integer((*value).into()),
        Literal::DateTime(moment) => Value::Integer(moment.as_microsecond()),
    }
}

/// What follows `ORDER BY`; `id` is what the fields leave equal is ordered by.
pub(in crate::store) fn order(dialect: Dialect, order: &[Order], fields: &[Source], id: &str) -> String {
    let mut sql = String::new();
    for key in order {
        if let Some(field) = fields.get(key.field) {
            sql.push_str(&field.sql(dialect));
            sql.push_str(dialect.direction(key.descending));
            sql.push_str(", ");
        }
    }
    sql + id
}
