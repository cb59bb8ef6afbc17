//! Skipping values.

use jiter::{Jiter, JiterError, Peek};

use super::reader::DEPTH;
use super::{Kind, Reader};

impl<'j> Reader<'j> {
    /// Skips the next value, which must be JSON, and returns its text.
    pub fn value_bytes(&mut self) -> Option<&'j [u8]> {
        // The reader of the text reads the tag of a union again.
        self.tag = None;
        if self.kind() == Kind::Broken {
            return None;
        }
        let start = self.cursor.index();
        self.skip();
        (!self.notes.is_broken()).then(|| self.cursor.slice_from(start))
    }

    /// Goes past the next value, which must still be JSON.
    pub fn skip(&mut self) {
        if self.notes.is_broken() {
            return;
        }
        let depth = self.notes.depth();
        match self.cursor.with_jiter(|jiter| skip_value(jiter, depth)) {
            // jiter leaves the encoding of strings unchecked when it skips them.
            Ok(true) => {
                if !self.cursor.is_in_text() {
                    self.break_off_here("invalid UTF-8");
                }
            }
            Ok(false) => self.notes.break_off("depth", format!("is nested more than {DEPTH} levels deep")),
            Err(error) => {
                self.break_off::<()>(&error);
            }
        }
    }

    /// Goes past the value of the member; for members that are not described, where that is allowed.
    pub fn skip_member(&mut self) {
        self.skip();
    }
}

/// Skips the next value, which has `outside` levels around it; `false`: it is nested too deep. A loop with a bit for each
/// level, so that no input can use up the stack.
fn skip_value(jiter: &mut Jiter<'_>, outside: usize) -> Result<bool, JiterError> {
    let mut objects: u128 = 0;
    let mut depth = 0;
    loop {
        let next = jiter.peek()?;
        if matches!(next, Peek::Array | Peek::Object) && outside + depth >= DEPTH {
            return Ok(false);
        }
        let opened = match next {
            Peek::Array => jiter.known_array()?.map(|_| 0),
            Peek::Object => jiter.next_object_bytes()?.map(|_| 1),
            scalar => {
                jiter.known_skip(scalar)?;
                None
            }
        };
        if let Some(object) = opened {
            objects = objects << 1 | object;
            depth += 1;
            continue;
        }
        loop {
            if depth == 0 {
                return Ok(true);
            }
            let more = if objects & 1 == 1 { jiter.next_key_bytes()?.is_some() } else { jiter.array_step()?.is_some() };
            if more {
                break;
            }
            objects >>= 1;
            depth -= 1;
        }
    }
}
