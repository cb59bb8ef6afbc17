//! Chains: `a.b(c)?.d`.

use super::form::Form;
use super::list::Elements;
use super::{Kind, Printer, known};
use crate::layout::{Done, INDENT, Shape, Stop, WIDTH, Written, ends_with_closers, width};

/// How wide a chain of more than one call may be on a line.
const WIDEST: usize = 60;

/// From how many lines on the last call of a chain is broken behind the others.
const MANY_LINES: usize = 5;

/// A part of a chain, with the `?` behind it.
#[derive(Clone, Copy)]
struct Part {
    start: usize,
    end: usize,
    tries: usize,
}

impl Printer<'_, '_> {
    /// `a.b(c)?.d`, or what a chain starts with alone.
    pub(super) fn chain(&mut self, shape: Shape) -> Done {
        let (root, parts) = self.parts()?;
        let Some(last) = parts.last() else {
            self.root(root, shape)?;
            let is_wide = root.tries > 0 && self.column() > shape.end && !self.is_lenient;
            return if is_wide { Err(Stop::Wide) } else { Ok(()) };
        };
        if self.flat.is_none() {
            return self.tall_chain(root, &parts, shape);
        }
        let start = self.column();
        self.root(root, shape)?;
        for part in &parts {
            self.part(*part, shape)?;
        }
        let end = self.column();
        let is_wide = end + 2 * last.tries > shape.end || parts.len() > 1 && end + last.tries - start > WIDEST;
        if is_wide { Err(Stop::Wide) } else { Ok(()) }
    }

    fn parts(&self) -> Done<(Part, Vec<Part>)> {
        let start = self.at;
        let mut end = self.after_primary(start).ok_or(Stop::Unknown)?;
        let mut parts = vec![Part { start, end, tries: 0 }];
        while let Some(next) = self.after_link(end) {
            let last = parts.len() - 1;
            match self.token(end).text {
                "?" => parts[last].tries += 1,
                "." => parts.push(Part { start: end, end: next, tries: 0 }),
                // `a.b[c]` begins a chain, and so does `a?(b)`.
                _ => parts = vec![Part { start, end: next, tries: 0 }],
            }
            end = next;
        }
        let rest = parts.split_off(1);
        Ok((parts[0], rest))
    }

    fn tries(&mut self, part: Part) -> Done {
        self.at += part.tries;
        self.word(&"?".repeat(part.tries))
    }

    /// What a chain starts with: a path or a value, called or indexed.
    fn root(&mut self, root: Part, shape: Shape) -> Done {
        let shape = shape.less(root.tries);
        let start = self.column();
        let after = self.after_primary(self.at).ok_or(Stop::Unknown)?;
        let mut call = after;
        while call < root.end {
            let next = self.after_link(call).ok_or(Stop::Unknown)?;
            if next == root.end {
                break;
            }
            call = next;
        }
        if after == root.end {
            self.primary(shape)?;
        } else if self.is_at(call, "(") && call == after {
            self.primary(shape)?;
            let before = self.column().saturating_sub(start);
            self.list(Elements::Expressions, before, shape)?;
        } else {
            // `a.b[c]`
            let is_flat = self.flat(WIDTH, |printer| printer.links(root.end, shape))?;
            known(is_flat)?;
        }
        self.expect_end(root.end)?;
        self.tries(root)
    }

    /// A chain up to a token, on one line.
    fn links(&mut self, end: usize, shape: Shape) -> Done {
        self.primary(shape)?;
        while self.at < end {
            if self.is(".") {
                let next = self.after_link(self.at).ok_or(Stop::Unknown)?;
                self.part(Part { start: self.at, end: next, tries: 0 }, shape)?;
            } else if self.is("(") {
                self.list(Elements::Expressions, INDENT, shape)?;
            } else if self.is("[") {
                let close = self.open("[")?;
                self.word("[")?;
                self.expression(shape)?;
                self.close(close, "]")?;
            } else if !self.keyword("?")? {
                return Err(Stop::Unknown);
            }
        }
        Ok(())
    }

    /// `.a(b)?`
    fn part(&mut self, part: Part, shape: Shape) -> Done {
        self.at = part.start;
        let shape = shape.less(part.tries);
        let start = self.column();
        self.keyword(".")?;
        let is_index = self.kind() == Kind::Literal;
        self.print(if is_index { Kind::Literal } else { Kind::Word })?;
        if self.is("::") {
            self.word("::")?;
            self.at += 1;
            let is_flat = self.flat(WIDTH, |printer| printer.list(Elements::Generics, 0, shape))?;
            known(is_flat)?;
        }
        if self.is("(") && self.at < part.end {
            let before = self.column() - start;
            self.list(Elements::Expressions, before, shape)?;
        }
        self.expect_end(part.end)?;
        self.tries(part)
    }

    fn tall_chain(&mut self, root: Part, parts: &[Part], shape: Shape) -> Done {
        let start = self.column();
        let written = self.attempt("", |printer| printer.root(root, shape))?.ok_or(Stop::Wide)?;
        let mut is_block = !written.is_one_line() && self.is_block_like(root);
        let mut first = written.text;
        // What is no wider than the step to the next line stays with what follows.
        let narrow = INDENT.saturating_sub(start.saturating_sub(shape.indent));
        let mut rest = parts;
        while let [part, others @ ..] = rest
            && width(&first) <= narrow
            && !first.contains('\n')
        {
            let Some(joined) = self.attempt(&first, |printer| printer.part(*part, shape))? else { break };
            first.push_str(&joined.text);
            is_block = ends_with_closers(&first);
            rest = others;
        }
        let [heads @ .., last] = rest else {
            return self.take_chain(&[first], "", parts, shape);
        };

        let child = Shape::lines(if is_block { shape.indent } else { shape.indent + INDENT });
        let mut texts = vec![first];
        for head in heads {
            let head = self.attempt_below(child.indent, |printer| printer.part(*head, child))?.ok_or(Stop::Wide)?;
            texts.push(head.text);
        }
        let joined = texts.concat();
        let total = width(&joined) + last.tries;
        let rest_of_line = shape.end.saturating_sub(start);
        let budget = if parts.len() == 1 { rest_of_line } else { rest_of_line.min(WIDEST) }.saturating_sub(total);
        let below = Shape { indent: child.indent, end: shape.end.saturating_sub(last.tries) };
        let mut is_one_line = false;
        let mut taken: Option<Written> = None;
        if !joined.contains('\n') && budget > 0 {
            let behind = shape.less(2 * last.tries);
            if let Some(behind) = self.attempt(&joined, |printer| printer.part(*last, behind))? {
                let fits = behind.first_width() <= budget;
                let count = behind.count_lines();
                if fits && count >= MANY_LINES {
                    (taken, is_one_line) = (Some(behind), true);
                } else {
                    let below = self.attempt_below(below.indent, |printer| printer.part(*last, below))?;
                    (taken, is_one_line) = match below {
                        Some(below) if !fits || below.count_lines() < count => (Some(below), false),
                        _ => (Some(behind), fits),
                    };
                }
            }
        }
        if taken.is_none() {
            taken = self.attempt_below(below.indent, |printer| printer.part(*last, below))?;
        }
        texts.push(taken.ok_or(Stop::Wide)?.text);
        let connector = format!("\n{:1$}", "", child.indent);
        if !is_one_line && self.is_one_line_chain {
            return Err(Stop::Wide);
        }
        self.take_chain(&texts, if is_one_line { "" } else { &connector }, parts, shape)
    }

    fn take_chain(&mut self, texts: &[String], connector: &str, parts: &[Part], shape: Shape) -> Done {
        let start = self.line;
        self.put(&texts.join(connector));
        self.at = parts.last().map_or(self.at, |part| part.end + part.tries);
        if self.is_lenient {
            return Ok(());
        }
        let mut lines = self.out[start..].split('\n');
        let first = lines.next().map_or(0, width);
        let is_wide = first > shape.end || lines.any(|line| width(line) > WIDTH) || self.column() > shape.end;
        if is_wide { Err(Stop::Wide) } else { Ok(()) }
    }

    /// What ends with brackets on a line of their own: the calls behind it stand as deep as it does.
    fn is_block_like(&self, root: Part) -> bool {
        match self.form_of_chain(root.start, root.end) {
            Form::Other => self.is_at(root.start, "(") && root.end == self.token(root.start).mate + 1,
            Form::Name | Form::Literal | Form::Tuple => false,
            _ => true,
        }
    }
}
