//! Reads any bytes as a file: either a description, or problems with locations.
#![no_main]

use specwright::{Generator, Source};
use specwright_fuzz::show;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| {
    let files = |_: &str| Ok(bytes.to_vec());
    match Generator::new().read(&Source::files(&files, "a.yaml")) {
        Ok(description) => show(&files, description.warnings()),
        Err(diagnostics) => {
            assert!(diagnostics.has_errors());
            show(&files, &diagnostics);
        }
    }
});
