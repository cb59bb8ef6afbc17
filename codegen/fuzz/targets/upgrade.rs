//! Upgrades a description of any version, with a second file and an overlay: either an API, or problems with
//! locations.
#![no_main]

use specwright::Source;
use specwright_fuzz::{Documents, mutate, show};
use libfuzzer_sys::{fuzz_mutator, fuzz_target};

fuzz_target!(|input: &str| {
    let files = Documents::of(input);
    match files.generator().read(&Source::files(&files, Documents::ENTRY)) {
        Ok(description) => show(&files, description.warnings()),
        Err(diagnostics) => {
            assert!(diagnostics.has_errors());
            show(&files, &diagnostics);
        }
    }
});

fuzz_mutator!(|data: &mut [u8], size: usize, max_size: usize, seed: u32| {
    mutate::mutate(data, size, max_size, seed, mutate::descriptions())
});
