//! Runs the whole pipeline on a description: either problems, or two crates of valid Rust, the same in each
//! run.
#![no_main]

use specwright::{File, Source};
use specwright_fuzz::{Documents, mutate, show};
use libfuzzer_sys::{fuzz_mutator, fuzz_target};

fuzz_target!(|input: &str| {
    let files = Documents::of(input);
    let (generator, source) = (files.generator(), Source::files(&files, Documents::ENTRY));
    let generated = match generator.generate(&source) {
        Ok(generated) => generated,
        Err(diagnostics) => {
            assert!(diagnostics.has_errors());
            return show(&files, &diagnostics);
        }
    };
    show(&files, &generated.warnings);
    generated.server.files.iter().chain(&generated.client.files).for_each(check);
    let again = generator.generate(&source).expect("it did before");
    assert!(generated.server == again.server && generated.client == again.client, "the second time it differs");
});

fn check(file: &File) {
    let is_own = !file.path.starts_with("src/runtime") && file.path.ends_with(".rs");
    if is_own {
        assert!(!file.text.contains("compile_error!("), "{} is not Rust:\n{}", file.path, file.text);
        if let Err(error) = syn::parse_file(&file.text) {
            panic!("{} is not Rust: {error}\n{}", file.path, file.text);
        }
    }
}

fuzz_mutator!(|data: &mut [u8], size: usize, max_size: usize, seed: u32| {
    mutate::mutate(data, size, max_size, seed, mutate::descriptions())
});
