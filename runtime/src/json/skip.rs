//! Skipping values.

use jiter::{JiterError, Peek};

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
        let start = self.jiter.current_index();
        self.skip();
        (!self.notes.is_broken()).then(|| self.jiter.slice_to_current(start))
    }

    /// Goes past the next value, which must still be JSON.
    pub fn skip(&mut self) {
        if self.notes.is_broken() {
            return;
        }
        let start = self.jiter.current_index();
        match self.skip_value() {
            // jiter leaves the encoding of strings unchecked when it skips them.
            Ok(true) => {
                if std::str::from_utf8(self.jiter.slice_to_current(start)).is_err() {
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

    /// `false`: it is nested too deep. A loop with a bit for each level, so that no input can use up the stack.
    fn skip_value(&mut self) -> Result<bool, JiterError> {
        let mut objects: u128 = 0;
        let mut depth = 0;
        loop {
            let next = self.jiter.peek()?;
            if matches!(next, Peek::Array | Peek::Object) && self.notes.depth() + depth >= DEPTH {
                return Ok(false);
            }
            let opened = match next {
                Peek::Array => self.jiter.known_array()?.map(|_| 0),
                Peek::Object => self.jiter.next_object_bytes()?.map(|_| 1),
                scalar => {
                    self.jiter.known_skip(scalar)?;
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
                let more = if objects & 1 == 1 {
                    self.jiter.next_key_bytes()?.is_some()
                } else {
                    self.jiter.array_step()?.is_some()
                };
                if more {
                    break;
                }
                objects >>= 1;
                depth -= 1;
            }
        }
    }
}
