//! OData options as SQL.

use rusqlite::types::Value;

use super::{conditions::Conditions, fold::fold};
use crate::domain::odata::{Comparison, Filter, Literal, Order, TextFunction};

/// What a field is read from, and whether that is folded text, or text to be folded.
pub(super) enum Source {
    /// Anything but text.
    Plain(&'static str),
    /// Text with a folded twin, which is named.
    Folded(&'static str),
    /// Text without one.
    Text(&'static str),
}

impl Source {
    /// What it is compared and ordered by.
    fn sql(&self) -> String {
        match self {
            Self::Plain(column) | Self::Folded(column) => (*column).to_owned(),
            Self::Text(column) => format!("fold({column})"),
        }
    }
}

/// Adds a filter; `fields` are what its positions stand for.
pub(super) fn add(conditions: &mut Conditions, filter: &Filter, fields: &[Source]) {
    let mut parameters = Vec::new();
    let sql = condition(filter, fields, &mut parameters);
    conditions.add(&format!("({sql})"), parameters, None);
}

fn condition(filter: &Filter, fields: &[Source], parameters: &mut Vec<Value>) -> String {
    let field = |position: usize| fields.get(position).map_or_else(|| "NULL".to_owned(), Source::sql);
    match filter {
        Filter::And(one, other) => {
            let one = condition(one, fields, parameters);
            format!("({one} AND {})", condition(other, fields, parameters))
        }
        Filter::Or(one, other) => {
            let one = condition(one, fields, parameters);
            format!("({one} OR {})", condition(other, fields, parameters))
        }
        Filter::Not(filter) => format!("NOT {}", condition(filter, fields, parameters)),
        Filter::Compare(position, comparison, literal) => {
            parameters.push(value(literal));
            let operator = match comparison {
                Comparison::Equal => "IS",
                Comparison::NotEqual => "IS NOT",
                Comparison::Greater => ">",
                Comparison::GreaterOrEqual => ">=",
                Comparison::Less => "<",
                Comparison::LessOrEqual => "<=",
            };
            // A comparison with nothing is false, not unknown, so that its opposite is true.
            format!("coalesce({} {operator} ?, 0)", field(*position))
        }
        Filter::Text(function, position, text) => {
            let text = fold(text);
            let field = field(*position);
            if text.is_empty() {
                return format!("({field} IS NOT NULL)");
            }
            let condition = match function {
                TextFunction::Contains => format!("instr({field}, ?) > 0"),
                TextFunction::StartsWith => format!("substr({field}, 1, length(?)) = ?"),
                TextFunction::EndsWith => format!("substr({field}, -length(?)) = ?"),
            };
            parameters.extend(condition.matches('?').map(|_| Value::Text(text.clone())));
            format!("coalesce({condition}, 0)")
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
pub(super) fn order(order: &[Order], fields: &[Source], id: &str) -> String {
    let mut sql = String::new();
    for key in order {
        if let Some(field) = fields.get(key.field) {
            sql.push_str(&field.sql());
            sql.push_str(if key.descending { " DESC, " } else { ", " });
        }
    }
    sql + id
}
