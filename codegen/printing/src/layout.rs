//! Text that is being laid out: written as it comes, and taken back where another layout reads better.

use crate::format::Printer;

/// How wide a line may be.
pub(crate) const WIDTH: usize = 100;

/// How much deeper what stands inside of something stands.
pub(crate) const INDENT: usize = 4;

/// Why something is not laid out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Stop {
    /// Its form is not known.
    Unknown,
    /// There is no room for it.
    Wide,
}

pub(crate) type Done<T = ()> = Result<T, Stop>;

/// The room that something has.
#[derive(Clone, Copy)]
pub(crate) struct Shape {
    /// How deep the lines stand that it begins.
    pub(crate) indent: usize,
    /// Where its first line ends at the latest, and its last one.
    pub(crate) end: usize,
}

impl Shape {
    /// Lines of their own.
    pub(crate) fn lines(indent: usize) -> Self {
        Self { indent, end: WIDTH }
    }

    /// With room for what stands behind it.
    pub(crate) fn less(self, width: usize) -> Self {
        Self { end: self.end.saturating_sub(width), ..self }
    }

    /// One step deeper.
    pub(crate) fn deeper(self) -> Self {
        Self { indent: self.indent + INDENT, ..self }
    }
}

/// A layout that may be taken.
pub(crate) struct Written {
    pub(crate) text: String,
    /// The token behind it.
    pub(crate) at: usize,
}

impl Written {
    pub(crate) fn is_one_line(&self) -> bool {
        !self.text.contains('\n')
    }

    /// How wide its first line is.
    pub(crate) fn first_width(&self) -> usize {
        width(self.first_line())
    }

    pub(crate) fn first_line(&self) -> &str {
        self.text.split('\n').next().unwrap_or_default()
    }

    pub(crate) fn count_lines(&self) -> usize {
        1 + memchr::memchr_iter(b'\n', self.text.as_bytes()).count()
    }
}

/// How wide text is on the screen.
pub(crate) fn width(text: &str) -> usize {
    if text.is_ascii() { text.len() } else { text.chars().count() }
}

/// Nothing but what closes something stands on its last line, so that more may follow there.
pub(crate) fn ends_with_closers(text: &str) -> bool {
    let last = text.rsplit('\n').next().unwrap_or_default();
    last.chars().all(|character| matches!(character, '(' | ')' | ']' | '}' | '?' | '>' | ' '))
}

impl Printer<'_, '_> {
    /// How wide the line is up to here.
    pub(crate) fn column(&self) -> usize {
        width(&self.out[self.line..])
    }

    pub(crate) fn word(&mut self, text: &str) -> Done {
        self.out.push_str(text);
        match self.flat {
            Some(end) if self.out.len() - self.line > end && self.column() > end => Err(Stop::Wide),
            _ => Ok(()),
        }
    }

    pub(crate) fn line(&mut self, indent: usize) -> Done {
        const SPACES: &str = "                                                                ";
        if self.flat.is_some() {
            return Err(Stop::Wide);
        }
        self.out.push('\n');
        self.line = self.out.len();
        let mut pending = indent;
        while pending > 0 {
            let some = pending.min(SPACES.len());
            self.out.push_str(&SPACES[..some]);
            pending -= some;
        }
        Ok(())
    }

    /// Writes on one line that ends at `end` at the latest, or nothing: then it is false.
    pub(crate) fn flat(&mut self, end: usize, print: impl FnOnce(&mut Self) -> Done) -> Done<bool> {
        if let Some(outer) = self.flat {
            self.flat = Some(outer.min(end));
            let done = print(self);
            self.flat = Some(outer);
            return done.map(|()| true);
        }
        let (at, length, line) = (self.at, self.out.len(), self.line);
        self.flat = Some(end);
        let done = print(self);
        self.flat = None;
        match done {
            Ok(()) => Ok(true),
            Err(Stop::Unknown) => Err(Stop::Unknown),
            Err(Stop::Wide) => {
                self.out.truncate(length);
                (self.at, self.line) = (at, line);
                Ok(false)
            }
        }
    }

    /// Writes behind `before` and takes it back; `None` when there is no room.
    pub(crate) fn attempt(&mut self, before: &str, print: impl FnOnce(&mut Self) -> Done) -> Done<Option<Written>> {
        self.attempt_behind(|printer| printer.word(before), print)
    }

    /// The same on a line of its own.
    pub(crate) fn attempt_below(
        &mut self,
        indent: usize,
        print: impl FnOnce(&mut Self) -> Done,
    ) -> Done<Option<Written>> {
        self.attempt_behind(|printer| printer.line(indent), print)
    }

    fn attempt_behind(
        &mut self,
        before: impl FnOnce(&mut Self) -> Done,
        print: impl FnOnce(&mut Self) -> Done,
    ) -> Done<Option<Written>> {
        self.work = self.work.checked_sub(1).ok_or(Stop::Unknown)?;
        let (at, length, line) = (self.at, self.out.len(), self.line);
        before(self)?;
        let start = self.out.len();
        let done = print(self);
        let written = Written { text: self.out[start..].to_owned(), at: self.at };
        self.out.truncate(length);
        (self.at, self.line) = (at, line);
        match done {
            Ok(()) => Ok(Some(written)),
            Err(Stop::Unknown) => Err(Stop::Unknown),
            Err(Stop::Wide) => Ok(None),
        }
    }

    /// Takes a layout.
    pub(crate) fn accept(&mut self, written: &Written) {
        self.put(&written.text);
        self.at = written.at;
    }

    /// Writes text that may have several lines.
    pub(crate) fn put(&mut self, text: &str) {
        if let Some(line) = memchr::memrchr(b'\n', text.as_bytes()) {
            self.line = self.out.len() + line + 1;
        }
        self.out.push_str(text);
    }
}
