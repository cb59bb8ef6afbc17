//! Rust in any layout: each item whose form `printing` knows is still the same Rust when it is laid out.
#![no_main]

use codegen_fuzz::rust;
use libfuzzer_sys::{fuzz_mutator, fuzz_target};

fuzz_target!(|code: &str| {
    for item in printing::compare(code).into_iter().flatten() {
        assert!(item.keeps_words(), "{}\n{:?}", item.written, item.laid_out);
    }
});

fuzz_mutator!(|data: &mut [u8], size: usize, max_size: usize, seed: u32| { rust::mutate(data, size, max_size, seed) });
