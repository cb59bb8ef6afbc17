//! Results on standard output.

use std::io::{self, Write};

use super::Failure;

/// Prints a result. A closed pipe, as with `head`, is not an error.
pub(super) fn print(text: &str) -> Result<(), Failure> {
    let mut output = io::stdout().lock();
    match output.write_all(text.as_bytes()).and_then(|()| output.flush()) {
        Err(error) if error.kind() != io::ErrorKind::BrokenPipe => {
            Err(Failure::usage(format!("the result cannot be written: {error}")))
        }
        Ok(()) | Err(_) => Ok(()),
    }
}

/// Prints a result as indented JSON.
pub(super) fn print_json(value: &serde_json::Value) -> Result<(), Failure> {
    print(&format!("{value:#}\n"))
}
