//! Where lines break: the algorithm of Oppen as rustc and prettyplease have it, so that both print alike.

use std::borrow::Cow;
use std::collections::VecDeque;

/// How wide a line may be.
const MARGIN: isize = 89;

/// How much room is left to a line at least, however deep it stands.
const LEAST: isize = 60;

/// The width of what cannot stand on one line.
const INFINITE: isize = 0xffff;

/// How much deeper the lines of a group stand.
pub(crate) const INDENT: isize = 4;

/// A place where a line may end.
#[derive(Clone, Copy, Default)]
pub(crate) struct Break {
    /// How much deeper than its group the next line stands.
    pub(crate) offset: isize,
    /// How many spaces stand here when the line goes on.
    pub(crate) blank: isize,
    /// What ends the line.
    pub(crate) before: Option<char>,
    /// What the next line starts with.
    pub(crate) after: Option<char>,
    /// What stands here when the line goes on.
    pub(crate) unbroken: Option<char>,
    /// There is no place here when the group ends right behind it.
    pub(crate) if_nonempty: bool,
    /// The line never ends here; what comes before is measured up to here.
    pub(crate) never: bool,
}

enum Token<'a> {
    Text(Cow<'a, str>),
    Break(Break),
    Begin(Group),
    End,
}

/// Text that stands on one line, or is broken.
#[derive(Clone, Copy)]
struct Group {
    offset: isize,
    /// All its places are broken, or only those where the line is full.
    is_consistent: bool,
}

/// A group that is being printed.
#[derive(Clone, Copy)]
enum Frame {
    Fits,
    /// With the depth of the lines around it.
    Broken(isize, bool),
}

struct Entry<'a> {
    token: Token<'a>,
    /// How wide it is up to the next place; negative while that has not come.
    size: isize,
}

/// Text that is being laid out.
pub(crate) struct Layout<'a> {
    out: String,
    /// How much room is left on the line.
    space: isize,
    /// What waits for its width to be known, and the number of its first entry.
    waiting: VecDeque<Entry<'a>>,
    first: usize,
    left_total: isize,
    right_total: isize,
    /// The numbers of entries whose width is not known.
    open: VecDeque<usize>,
    frames: Vec<Frame>,
    indent: isize,
    /// Spaces that are written when something follows them.
    pending: isize,
}

impl<'a> Layout<'a> {
    /// What is laid out is written behind `out`, which ends with a line.
    pub(crate) fn new(out: String) -> Self {
        Self {
            out,
            space: MARGIN,
            waiting: VecDeque::with_capacity(64),
            first: 0,
            left_total: 0,
            right_total: 0,
            open: VecDeque::with_capacity(64),
            frames: Vec::with_capacity(16),
            indent: 0,
            pending: 0,
        }
    }

    /// All of the text.
    pub(crate) fn finish(mut self) -> String {
        if !self.open.is_empty() {
            self.close(0);
            self.advance();
        }
        self.out
    }

    /// Begins a group whose places are all broken when one is.
    pub(crate) fn consistent(&mut self, offset: isize) {
        self.begin(Group { offset, is_consistent: true });
    }

    /// Begins a group whose places are broken where the line is full.
    pub(crate) fn inconsistent(&mut self, offset: isize) {
        self.begin(Group { offset, is_consistent: false });
    }

    fn begin(&mut self, group: Group) {
        self.restart();
        let number = self.push(Token::Begin(group), -self.right_total);
        self.open.push_back(number);
    }

    /// Ends a group.
    pub(crate) fn end(&mut self) {
        if self.open.is_empty() {
            self.print_end();
            return;
        }
        if let Some(Entry { token: Token::Break(place), .. }) = self.waiting.back() {
            let (blank, if_nonempty) = (place.blank, place.if_nonempty);
            let before = self.waiting.len().checked_sub(2).and_then(|index| self.waiting.get(index));
            let is_empty = matches!(before, Some(Entry { token: Token::Begin(_), .. }));
            if is_empty || if_nonempty {
                self.waiting.pop_back();
                self.open.pop_back();
                self.right_total -= blank;
            }
            if is_empty {
                self.waiting.pop_back();
                self.open.pop_back();
                return;
            }
        }
        let number = self.push(Token::End, -1);
        self.open.push_back(number);
    }

    /// Ends a group, which is broken when it is wider than `most`.
    pub(crate) fn end_within(&mut self, most: isize) {
        let mut depth = 1;
        let mut is_wide = false;
        for number in self.open.iter().rev() {
            let entry = &self.waiting[number - self.first];
            match entry.token {
                Token::Begin(_) => {
                    depth -= 1;
                    if depth == 0 {
                        is_wide = entry.size < 0 && entry.size + self.right_total > most;
                        break;
                    }
                }
                Token::End => depth += 1,
                Token::Break(_) | Token::Text(_) => {}
            }
        }
        if is_wide {
            self.push(Token::Text(Cow::Borrowed("")), INFINITE);
            self.right_total += INFINITE;
        }
        self.end();
    }

    /// A place where the line may end.
    pub(crate) fn place(&mut self, place: Break) {
        if self.open.is_empty() {
            self.restart();
        } else {
            self.close(0);
        }
        let number = self.push(Token::Break(place), -self.right_total);
        self.open.push_back(number);
        self.right_total += place.blank;
    }

    /// A space, or the end of the line.
    pub(crate) fn space(&mut self) {
        self.place(Break { blank: 1, ..Break::default() });
    }

    /// Nothing, or the end of the line.
    pub(crate) fn zero(&mut self) {
        self.place(Break::default());
    }

    /// The end of the line.
    pub(crate) fn line(&mut self) {
        self.place(Break { blank: INFINITE, ..Break::default() });
    }

    /// The end of the line, if anything follows in the group.
    pub(crate) fn line_if_nonempty(&mut self) {
        self.place(Break { blank: INFINITE, if_nonempty: true, ..Break::default() });
    }

    /// What comes before is measured up to here.
    pub(crate) fn never(&mut self) {
        self.place(Break { never: true, ..Break::default() });
    }

    /// Behind an item of a list: the comma of the last one is there only when the line ends with it, and `blank` spaces
    /// when not.
    pub(crate) fn comma(&mut self, is_last: bool, blank: isize) {
        if is_last {
            self.place(Break { blank, before: Some(','), ..Break::default() });
        } else {
            self.word(",");
            self.space();
        }
    }

    /// Moves the line behind the last place.
    pub(crate) fn offset(&mut self, offset: isize) {
        if let Some(Entry { token: Token::Break(place), .. }) = self.waiting.back_mut() {
            place.offset += offset;
        }
    }

    /// Text that stays together.
    pub(crate) fn word(&mut self, text: impl Into<Cow<'a, str>>) {
        let text = text.into();
        if self.open.is_empty() {
            self.print(&text);
            return;
        }
        let size = text.len().cast_signed();
        self.push(Token::Text(text), size);
        self.right_total += size;
        while self.right_total - self.left_total > self.space {
            if self.open.front() == Some(&self.first) {
                self.open.pop_front();
                if let Some(entry) = self.waiting.front_mut() {
                    entry.size = INFINITE;
                }
            }
            self.advance();
            if self.waiting.is_empty() {
                break;
            }
        }
    }

    fn push(&mut self, token: Token<'a>, size: isize) -> usize {
        self.waiting.push_back(Entry { token, size });
        self.first + self.waiting.len() - 1
    }

    /// Nothing waits: widths are counted anew.
    fn restart(&mut self) {
        if self.open.is_empty() {
            self.left_total = 1;
            self.right_total = 1;
            self.first += self.waiting.len();
            self.waiting.clear();
        }
    }

    /// Prints what has a width.
    fn advance(&mut self) {
        while let Some(entry) = self.waiting.pop_front_if(|entry| entry.size >= 0) {
            self.first += 1;
            match entry.token {
                Token::Text(text) => {
                    self.left_total += entry.size;
                    self.print(&text);
                }
                Token::Break(place) => {
                    self.left_total += place.blank;
                    self.print_break(place, entry.size);
                }
                Token::Begin(group) if entry.size > self.space => {
                    self.frames.push(Frame::Broken(self.indent, group.is_consistent));
                    self.indent += group.offset;
                }
                Token::Begin(_) => self.frames.push(Frame::Fits),
                Token::End => self.print_end(),
            }
        }
    }

    /// The width up to here is known.
    fn close(&mut self, mut depth: usize) {
        while let Some(&number) = self.open.back() {
            let entry = &mut self.waiting[number - self.first];
            match entry.token {
                Token::Begin(_) => {
                    if depth == 0 {
                        break;
                    }
                    entry.size += self.right_total;
                    depth -= 1;
                }
                Token::End => {
                    entry.size = 1;
                    depth += 1;
                }
                Token::Break(_) => {
                    entry.size += self.right_total;
                    if depth == 0 {
                        self.open.pop_back();
                        break;
                    }
                }
                Token::Text(_) => {}
            }
            self.open.pop_back();
        }
    }

    fn print_end(&mut self) {
        if let Some(Frame::Broken(indent, _)) = self.frames.pop() {
            self.indent = indent;
        }
    }

    fn print_break(&mut self, place: Break, size: isize) {
        let goes_on = place.never
            || match self.frames.last() {
                Some(Frame::Fits) => true,
                Some(Frame::Broken(_, true)) => false,
                Some(Frame::Broken(_, false)) | None => size <= self.space,
            };
        if goes_on {
            self.pending += place.blank;
            self.space -= place.blank;
            // It stands behind something: there are no spaces to be written first.
            if let Some(unbroken) = place.unbroken {
                self.out.push(unbroken);
                self.space -= 1;
            }
            return;
        }
        if let Some(before) = place.before {
            self.print_indent();
            self.out.push(before);
        }
        self.out.push('\n');
        self.pending = self.indent + place.offset;
        self.space = (MARGIN - self.pending).max(LEAST);
        if let Some(after) = place.after {
            self.print_indent();
            self.out.push(after);
            self.space -= 1;
        }
    }

    fn print(&mut self, text: &str) {
        self.print_indent();
        self.out.push_str(text);
        self.space -= text.len().cast_signed();
    }

    fn print_indent(&mut self) {
        const SPACES: &str = "                                                                ";
        let mut pending = usize::try_from(self.pending).unwrap_or_default();
        while pending > 0 {
            let some = pending.min(SPACES.len());
            self.out.push_str(&SPACES[..some]);
            pending -= some;
        }
        self.pending = 0;
    }
}
