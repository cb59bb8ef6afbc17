//! Lists with OData options.

use super::{
    record::{Kind, Member, Resource},
    resource::{List, directed},
    statement::{Conditions, Dialect, Statement},
    text::fold,
    value::Value,
};
use crate::domain::{
    agent::AgentQuery,
    list::Exclude,
    odata::{self, Comparison, Field, Filter, Literal, SortKey, TextFunction},
};

impl<T> List<T> {
    /// The fields allowed in `$filter` and `$orderby`.
    pub fn fields(&self) -> Vec<Field> {
        self.filterable().map(|(kind, member)| Field { name: member.name, kind }).collect()
    }

    /// The members allowed in `$filter` and `$orderby`, in the order of filter indices.
    fn filterable(&self) -> impl Iterator<Item = (odata::Kind, &'static Member)> {
        self.members.iter().filter_map(|member| Some((kind(member.kind)?, member)))
    }

    /// The statements that count and read the result of an OData query, limited by conditions.
    pub(super) fn asked(&self, mut conditions: Conditions, query: &AgentQuery) -> [Statement; 2] {
        let fields: Vec<String> = self.filterable().map(|(_, member)| member.compared()).collect();
        if let Some(filter) = &query.filter {
            let mut values = Vec::new();
            let sql = condition(conditions.dialect, filter, &fields, &mut values);
            conditions.add(&format!("({sql})"), values);
        }
        let key = |key: &SortKey| Some(directed(fields.get(key.member)?, key.descending));
        let order = query.order.iter().filter_map(key).collect::<String>() + "id";
        let window = (query.skip, query.top.into());
        [conditions.count(self.table()), self.window(&conditions, Exclude::default(), &order, window)]
    }
}

/// The literal type of a member; `None` if it cannot be compared.
fn kind(kind: Kind) -> Option<odata::Kind> {
    match kind {
        Kind::Reference(target) if has_text_key(target) => Some(odata::Kind::Text),
        Kind::Id | Kind::Integer(..) | Kind::Choice(_) | Kind::Reference(_) | Kind::ReferenceWithin(_) => {
            Some(odata::Kind::Integer)
        }
        Kind::Boolean => Some(odata::Kind::Boolean),
        Kind::Text | Kind::Zone | Kind::Digits => Some(odata::Kind::Text),
        Kind::Moment => Some(odata::Kind::DateTime),
        Kind::Name(_)
        | Kind::TenantName
        | Kind::Sql
        | Kind::List
        | Kind::Number
        | Kind::Amount
        | Kind::Texts
        | Kind::Json
        | Kind::Object => None,
    }
}

fn has_text_key(resource: &Resource) -> bool {
    resource.keys().any(|(_, member)| matches!(member.kind, Kind::Digits))
}

fn condition(dialect: Dialect, filter: &Filter, fields: &[String], values: &mut Vec<Value>) -> String {
    let field = |position: usize| fields.get(position).map_or("NULL", String::as_str);
    match filter {
        Filter::And(one, other) => {
            let one = condition(dialect, one, fields, values);
            format!("({one} AND {})", condition(dialect, other, fields, values))
        }
        Filter::Or(one, other) => {
            let one = condition(dialect, one, fields, values);
            format!("({one} OR {})", condition(dialect, other, fields, values))
        }
        Filter::Not(filter) => format!("NOT {}", condition(dialect, filter, fields, values)),
        Filter::Compare(position, comparison, literal) => {
            values.push(value(literal));
            let operator = match comparison {
                Comparison::Equal => "IS NOT DISTINCT FROM",
                Comparison::NotEqual => "IS DISTINCT FROM",
                Comparison::Greater => ">",
                Comparison::GreaterOrEqual => ">=",
                Comparison::Less => "<",
                Comparison::LessOrEqual => "<=",
            };
            // A comparison with NULL is false, so that its negation is true.
            format!("coalesce({} {operator} ?, false)", field(*position))
        }
        Filter::Text(function, position, text) => {
            let (text, field) = (fold(text), field(*position));
            if text.is_empty() {
                return format!("({field} IS NOT NULL)");
            }
            let condition = match (function, dialect) {
                (TextFunction::Contains, _) => format!("instr({field}, ?) > 0"),
                (TextFunction::StartsWith, Dialect::Sqlite) => format!("substr({field}, 1, length(?)) = ?"),
                (TextFunction::StartsWith, Dialect::Postgres) => format!("starts_with({field}, ?)"),
                (TextFunction::EndsWith, Dialect::Sqlite) => format!("substr({field}, -length(?)) = ?"),
                (TextFunction::EndsWith, Dialect::Postgres) => format!("right({field}, length(?::text)) = ?"),
            };
            values.extend(condition.matches('?').map(|_| Value::Text(text.clone())));
            format!("coalesce({condition}, false)")
        }
    }
}

/// The value of a literal; texts are folded.
pub(super) fn value(literal: &Literal) -> Value {
    match literal {
        Literal::Null => Value::Null,
        Literal::Integer(number) => (*number).into(),
        Literal::Text(text) => fold(text).into(),
        Literal::Boolean(value) => (*value).into(),
        Literal::DateTime(moment) => (*moment).into(),
    }
}
