//! Any bytes as a file: a description, or problems with their places.
#![no_main]

use codegen::{Generator, Source};
use codegen_fuzz::show;
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
