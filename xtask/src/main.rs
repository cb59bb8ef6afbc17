//! The tasks of this repository.

mod bench;

fn main() -> anyhow::Result<()> {
    match std::env::args().nth(1).as_deref() {
        Some("bench-floor") => bench::serve_floor(15_000),
        _ => bench::run(),
    }
}
