//! Detects PostgreSQL at compile time, because tests can only be ignored at compile time.

include!("src/binaries.rs");

fn main() {
    println!("cargo::rustc-check-cfg=cfg(has_postgres)");
    println!("cargo::rerun-if-env-changed=PATH");
    for folder in folders() {
        println!("cargo::rerun-if-changed={}", folder.display());
    }
    if binaries().is_some() {
        println!("cargo::rustc-cfg=has_postgres");
    }
}
