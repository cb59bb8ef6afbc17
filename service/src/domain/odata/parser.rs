//! Tokens → conditions and orders, checked against the existing fields.

use super::{
    Comparison, Error, Field, Filter, Kind, Literal, SortKey, TextFunction,
    lexer::{Token, tokens},
};
use crate::domain::list::keys;

/// Maximum nesting of conditions, which bounds the stack.
const DEPTH: usize = 32;

/// Maximum length of a `$filter`, which is evaluated for every record.
const LENGTH: usize = 4000;

/// Reads `$filter`, of at most 4000 characters.
pub fn filter(text: &str, fields: &[Field]) -> Result<Filter, Error> {
    if text.chars().count() > LENGTH {
        return Err(Error(format!("`$filter` is longer than {LENGTH} characters")));
    }
    let mut parser = Parser { tokens: tokens(text)?.into_iter().peekable(), fields, depth: 0, conditions: 0 };
    let filter = parser.any()?;
    match parser.tokens.next() {
        None => Ok(filter),
        Some(token) => Err(Error(format!("`$filter` goes on with {} where it should end", show(&token)))),
    }
}

/// Reads `$orderby`: `Field`, `Field desc`, separated by commas, each field once.
pub fn order_by(text: &str, fields: &[Field]) -> Result<Vec<SortKey>, Error> {
    keys("$orderby", text, false, |name| field(name, fields))
}

struct Parser<'a> {
    tokens: std::iter::Peekable<std::vec::IntoIter<Token>>,
    fields: &'a [Field],
    depth: usize,
    conditions: usize,
}

impl Parser<'_> {
    fn any(&mut self) -> Result<Filter, Error> {
        let mut filter = self.all()?;
        while self.word("or") {
            filter = Filter::Or(Box::new(filter), Box::new(self.all()?));
        }
        Ok(filter)
    }

    fn all(&mut self) -> Result<Filter, Error> {
        let mut filter = self.one()?;
        while self.word("and") {
            filter = Filter::And(Box::new(filter), Box::new(self.one()?));
        }
        Ok(filter)
    }

    fn one(&mut self) -> Result<Filter, Error> {
        self.conditions += 1;
        self.depth += 1;
        if self.depth > DEPTH || self.conditions > 4 * DEPTH {
            return Err(Error(format!(
                "`$filter` is nested deeper than {DEPTH} or has more than {} conditions",
                4 * DEPTH
            )));
        }
        let filter = if self.word("not") {
            Filter::Not(Box::new(self.one()?))
        } else if self.tokens.next_if_eq(&Token::Open).is_some() {
            let inner = self.any()?;
            self.expect(&Token::Close)?;
            inner
        } else {
            self.condition()?
        };
        self.depth -= 1;
        Ok(filter)
    }

    /// `Field operator literal`, or a text function (a following `… eq true` of older clients is allowed).
    fn condition(&mut self) -> Result<Filter, Error> {
        let name = self.name("a field or a function")?;
        if self.tokens.peek() == Some(&Token::Open) {
            let filter = self.function(&name)?;
            if !self.word("eq") {
                return Ok(filter);
            }
            return match self.name("`true` or `false`")?.to_ascii_lowercase().as_str() {
                "true" => Ok(filter),
                "false" => Ok(Filter::Not(Box::new(filter))),
                other => Err(Error(format!("`{name}(…)` is compared with `{other}`; it is `true` or `false`"))),
            };
        }
        let field = field(&name, self.fields)?;
        let operator = self.name("an operator")?;
        let comparison = match operator.to_ascii_lowercase().as_str() {
            "eq" => Comparison::Equal,
            "ne" => Comparison::NotEqual,
            "gt" => Comparison::Greater,
            "ge" => Comparison::GreaterOrEqual,
            "lt" => Comparison::Less,
            "le" => Comparison::LessOrEqual,
            _ => {
                return Err(Error(format!(
                    "`{operator}` is not an operator; the operators are eq, ne, gt, ge, lt and le"
                )));
            }
        };
        let token =
            self.tokens.next().ok_or_else(|| Error(format!("`{name} {operator}` has nothing to compare with")))?;
        let literal = self.literal(&token, &self.fields[field])?;
        if literal == Literal::Null && !matches!(comparison, Comparison::Equal | Comparison::NotEqual) {
            return Err(Error(format!("`{name} {operator} null`: null can only be compared with eq and ne")));
        }
        Ok(Filter::Compare(field, comparison, literal))
    }

    fn function(&mut self, name: &str) -> Result<Filter, Error> {
        let function = match name.to_ascii_lowercase().as_str() {
            "substringof" | "contains" => TextFunction::Contains,
            "startswith" => TextFunction::StartsWith,
            "endswith" => TextFunction::EndsWith,
            _ => {
                return Err(Error(format!(
                    "`{name}` is not a function; the functions are substringof, startswith and endswith"
                )));
            }
        };
        self.expect(&Token::Open)?;
        let first = self.tokens.next();
        self.expect(&Token::Comma)?;
        let second = self.tokens.next();
        self.expect(&Token::Close)?;
        let ((Some(Token::Word(field_name)), Some(Token::Text(text)))
        | (Some(Token::Text(text)), Some(Token::Word(field_name)))) = (first, second)
        else {
            return Err(Error(format!("`{name}` takes a field and a text in single quotes")));
        };
        let field = field(&field_name, self.fields)?;
        if self.fields[field].kind != Kind::Text {
            return Err(Error(format!("`{name}` needs a field with text, `{}` has none", self.fields[field].name)));
        }
        Ok(Filter::Text(function, field, text))
    }

    fn literal(&mut self, token: &Token, field: &Field) -> Result<Literal, Error> {
        let literal = match (token, field.kind) {
            (Token::Word(word), _) if word.eq_ignore_ascii_case("null") => Some(Literal::Null),
            (Token::Word(word), Kind::Integer) => integer(word).map(Literal::Integer),
            (Token::Word(word), Kind::Boolean) => word.to_ascii_lowercase().parse().ok().map(Literal::Boolean),
            (Token::Word(word), Kind::DateTime) if word.eq_ignore_ascii_case("datetime") => match self.tokens.next() {
                Some(Token::Text(text)) => date_time(&text),
                _ => None,
            },
            (Token::Word(text) | Token::Text(text), Kind::DateTime) => date_time(text),
            (Token::Text(text), Kind::Text) => Some(Literal::Text(text.clone())),
            // Agent ids are text here but numbers in older clients: `AgentGUID eq 121747357971679M`.
            (Token::Word(word), Kind::Text) => decimal(word).map(|digits| Literal::Text(digits.to_string())),
            _ => None,
        };
        literal.ok_or_else(|| {
            let wanted = match field.kind {
                Kind::Integer => "a whole number",
                Kind::Text => "a text in single quotes",
                Kind::Boolean => "`true` or `false`",
                Kind::DateTime => "a date and time",
            };
            Error(format!("`{}` is compared with {}; it takes {wanted}", field.name, show(token)))
        })
    }

    fn word(&mut self, word: &str) -> bool {
        self.tokens.next_if(|token| matches!(token, Token::Word(text) if text.eq_ignore_ascii_case(word))).is_some()
    }

    fn name(&mut self, wanted: &str) -> Result<String, Error> {
        match self.tokens.next() {
            Some(Token::Word(word)) => Ok(word),
            Some(token) => Err(Error(format!("`$filter` has {} where {wanted} should be", show(&token)))),
            None => Err(Error(format!("`$filter` ends where {wanted} should be"))),
        }
    }

    fn expect(&mut self, wanted: &Token) -> Result<(), Error> {
        match self.tokens.next() {
            Some(token) if token == *wanted => Ok(()),
            Some(token) => Err(Error(format!("`$filter` has {} where {} should be", show(&token), show(wanted)))),
            None => Err(Error(format!("`$filter` ends where {} should be", show(wanted)))),
        }
    }
}

fn field(name: &str, fields: &[Field]) -> Result<usize, Error> {
    fields.iter().position(|field| field.name.eq_ignore_ascii_case(name)).ok_or_else(|| {
        let names: Vec<&str> = fields.iter().map(|field| field.name).collect();
        Error(format!("`{name}` is not a field; the fields are {}", names.join(", ")))
    })
}

/// An integer, with the optional OData suffix `M` or `L`.
fn integer(word: &str) -> Option<i64> {
    word.strip_suffix(['M', 'm', 'L', 'l']).unwrap_or(word).parse().ok()
}

/// The digits of a number such as `121747357971679M`.
fn decimal(word: &str) -> Option<&str> {
    let digits = word.strip_suffix(['M', 'm', 'L', 'l']).unwrap_or(word);
    (!digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit())).then_some(digits)
}

/// A date and time; UTC without a zone, midnight without a time.
fn date_time(text: &str) -> Option<Literal> {
    let instant = text.parse().ok().or_else(|| {
        let wall: jiff::civil::DateTime = text.parse().ok()?;
        wall.to_zoned(jiff::tz::TimeZone::UTC).ok().map(|zoned| zoned.timestamp())
    });
    instant.map(Literal::DateTime)
}

fn show(token: &Token) -> String {
    match token {
        Token::Word(word) => format!("`{word}`"),
        Token::Text(text) => format!("'{text}'"),
        Token::Open => "`(`".into(),
        Token::Close => "`)`".into(),
        Token::Comma => "`,`".into(),
    }
}
