//! Lists: arguments, elements, and what generic types are of.

use super::form::Form;
use super::{Kind, Printer, known};
use crate::layout::{Done, INDENT, Shape, Stop, WIDTH, Written, width};

/// How wide arguments, elements of arrays and those of tuples may be together on a line.
const WIDEST: usize = 60;

/// How wide elements may be at most that share lines.
const SHORT: usize = 10;

/// What is in a list.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Elements {
    Expressions,
    Patterns,
    Types,
    /// What stands in angle brackets.
    Generics,
    /// The same, not on one line.
    BrokenGenerics,
    /// Types of the fields of a struct or a variant.
    Fields,
}

impl Printer<'_, '_> {
    /// A list in brackets, which stands behind something that is `before` wide.
    pub(super) fn list(&mut self, elements: Elements, before: usize, shape: Shape) -> Done {
        let opener = self.token(self.at);
        let (end, closer) = match opener.text {
            "<" => (self.after_angles(self.at)? - 1, ">"),
            "(" => (opener.mate, ")"),
            "[" => (opener.mate, "]"),
            _ => return Err(Stop::Unknown),
        };
        self.at += 1;
        self.word(opener.text)?;
        let is_of_types =
            matches!(elements, Elements::Types | Elements::Generics | Elements::BrokenGenerics | Elements::Fields);
        let items = self.split(end, is_of_types)?;
        if items.is_empty() {
            return self.close(end, closer);
        }
        let is_of_macro = self.at > 1 && self.is_at(self.at - 2, "!");
        let widest = if matches!(elements, Elements::Generics | Elements::BrokenGenerics) { WIDTH } else { WIDEST };
        let list = List { elements, items, before, widest, is_of_macro };
        if self.flat.is_some() {
            self.flat_list(&list, shape)?;
        } else {
            self.tall_list(&list, shape)?;
        }
        self.at = end;
        self.close(end, closer)
    }

    fn flat_list(&mut self, list: &List, shape: Shape) -> Done {
        let start = self.column();
        for (index, &item) in list.items.iter().enumerate() {
            if index > 0 {
                self.word(", ")?;
            }
            self.element(list.elements, item, shape.less(1))?;
        }
        let is_nested_call = || list.is_of_expressions() && self.is_nested_call(list.items[0]);
        let is_limited = list.items.len() > 1 || is_nested_call();
        if is_limited && self.column() - start > list.widest { Err(Stop::Wide) } else { Ok(()) }
    }

    fn is_nested_call(&self, (start, end): (usize, usize)) -> bool {
        self.form(start, end) == Form::Call
    }

    fn element(&mut self, elements: Elements, (start, end): (usize, usize), shape: Shape) -> Done {
        self.at = start;
        match elements {
            Elements::Expressions => self.expression(shape)?,
            Elements::Patterns => self.pattern(shape)?,
            Elements::Types => self.ty(shape)?,
            Elements::Generics | Elements::BrokenGenerics => self.generic_argument(shape)?,
            Elements::Fields => {
                known(!self.is("#"))?;
                self.visibility()?;
                self.ty(shape)?;
            }
        }
        self.expect_end(end)
    }

    fn tall_list(&mut self, list: &List, shape: Shape) -> Done {
        let start = self.column();
        let one_line = shape.less(1);
        let room = one_line.end.saturating_sub(start);
        let nested = Shape::lines(shape.indent + INDENT).less(1);
        let &[ref heads @ .., tail] = list.items.as_slice() else { return Err(Stop::Unknown) };
        let mut written = Vec::with_capacity(list.items.len());
        for &head in heads {
            let head = self.attempt_below(nested.indent, |printer| printer.element(list.elements, head, nested))?;
            written.push(head.ok_or(Stop::Wide)?);
        }
        if let Some(overflowing) = self.overflowing(list, tail, &written, one_line)? {
            for head in &written {
                self.put(&head.text);
                self.put(", ");
            }
            self.put(&overflowing.text);
            return Ok(());
        }

        let below = self.attempt_below(nested.indent, |printer| printer.element(list.elements, tail, nested))?;
        written.push(below.ok_or(Stop::Wide)?);
        let are_one_line = written.iter().all(Written::is_one_line);
        let total = written.iter().map(|one| width(&one.text) + 2).sum::<usize>() - 2;
        let limit = if heads.is_empty() { room } else { room.min(list.widest) };
        if are_one_line && total <= limit && list.elements != Elements::BrokenGenerics {
            let texts: Vec<_> = written.iter().map(|one| one.text.as_str()).collect();
            self.put(&texts.join(", "));
            return Ok(());
        }
        let share_lines = list.is_of_expressions()
            && list.items.iter().all(|&(start, end)| self.is_simple(start, end))
            && written.iter().all(|one| width(&one.text) <= SHORT);
        let mut lines = 1;
        self.line(nested.indent)?;
        for (index, one) in written.iter().enumerate() {
            if index > 0 {
                // rustfmt does not count the comma behind the last one when all are on the first line.
                let is_last_of_one_line = lines == 1 && index + 1 == written.len();
                let comma = usize::from(!is_last_of_one_line);
                if share_lines && self.column() + 1 + width(&one.text) + comma <= nested.end {
                    self.word(" ")?;
                } else {
                    lines += 1;
                    self.line(nested.indent)?;
                }
            }
            self.put(&one.text);
            if index + 1 < written.len() || !list.is_of_macro {
                self.word(",")?;
            }
        }
        self.line(shape.indent)
    }

    /// The last element, broken, when its first line fits behind the others.
    fn overflowing(
        &mut self,
        list: &List,
        tail: (usize, usize),
        heads: &[Written],
        one_line: Shape,
    ) -> Done<Option<Written>> {
        if !list.is_of_expressions() || !heads.iter().all(Written::is_one_line) {
            return Ok(None);
        }
        let (start, count) = (self.column(), list.items.len());
        let is_combined = count == 1 && list.before < INDENT && !self.is_at(tail.0, "#");
        if !is_combined && !self.may_overflow(tail.0, tail.1, count) {
            return Ok(None);
        }
        let form = self.form(tail.0, tail.1);
        let closures = list.items.iter().filter(|item| self.form(item.0, item.1) == Form::Closure).count();
        if form == Form::Closure && closures > 1 {
            return Ok(None);
        }
        let mut before = String::new();
        for head in heads {
            before.push_str(&head.text);
            before.push_str(", ");
        }
        let limited = one_line.end.min(start + list.widest);
        let end = if count == 1 && !self.is_nested_call(tail) { one_line.end } else { limited };
        let outer = self.is_one_line_chain;
        self.is_one_line_chain |= !is_combined && form == Form::MethodCall;
        let overflowing = self.attempt(&before, |printer| printer.last_element(tail, Shape { end, ..one_line }));
        self.is_one_line_chain = outer;
        let Some(overflowing) = overflowing? else { return Ok(None) };
        before.push_str(overflowing.first_line());
        if width(&before) > limited.saturating_sub(start) {
            return Ok(None);
        }
        if count == 1 && overflowing.count_lines() == 2 {
            let nested = Shape::lines(one_line.indent + INDENT).less(1);
            let below = self.attempt_below(nested.indent, |printer| printer.element(list.elements, tail, nested))?;
            if let Some(below) =
                below.filter(|below| below.is_one_line() && start + below.first_width() <= one_line.end)
            {
                return Ok(Some(below));
            }
        }
        Ok(Some(overflowing))
    }

    fn last_element(&mut self, (start, end): (usize, usize), shape: Shape) -> Done {
        self.at = start;
        let is_closure = matches!(self.token(start).text, "|" | "||" | "move");
        if is_closure {
            self.last_closure(shape)?;
        } else {
            self.expression(shape)?;
        }
        self.expect_end(end)
    }

    /// An expression of which several may share a line.
    fn is_simple(&self, start: usize, end: usize) -> bool {
        matches!(self.form(start, end), Form::Literal | Form::Name)
            || self.kind() == Kind::Literal && matches!(self.token(start).text, "-")
    }
}

struct List {
    elements: Elements,
    /// Where they stand.
    items: Vec<(usize, usize)>,
    before: usize,
    widest: usize,
    /// A macro might not know a comma at the end.
    is_of_macro: bool,
}

impl List {
    fn is_of_expressions(&self) -> bool {
        self.elements == Elements::Expressions
    }
}
