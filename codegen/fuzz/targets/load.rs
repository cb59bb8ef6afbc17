//! Any bytes as a file: a description, or problems with their places.
#![no_main]

use codegen::Options;
use codegen_fuzz::show;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| {
    let files = |_: &str| Ok(bytes.to_vec());
    match codegen::read(&files, "a.yaml", &Options::default()) {
        Ok((_, warnings)) => show(&files, &warnings),
        Err(diagnostics) => {
            assert!(diagnostics.has_errors());
            show(&files, &diagnostics);
        }
    }
});
