//! Says at compile time whether PostgreSQL is on the machine, for a test is ignored at compile time only.

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
