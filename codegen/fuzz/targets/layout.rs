//! Rust in any layout: each item whose form `printing` knows is laid out as prettyplease does.
#![no_main]

use codegen_fuzz::rust;
use libfuzzer_sys::{fuzz_mutator, fuzz_target};

fuzz_target!(|code: &str| {
    for item in printing::compare(code).into_iter().flatten() {
        // What is no Rust is shown by the compiler of the generated crate.
        if let (Some(ours), Some(theirs)) = (item.ours, item.theirs) {
            assert_eq!(ours, theirs, "{}", item.written);
        }
    }
});

fuzz_mutator!(|data: &mut [u8], size: usize, max_size: usize, seed: u32| { rust::mutate(data, size, max_size, seed) });
