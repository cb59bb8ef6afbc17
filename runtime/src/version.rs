//! Checks that generated code matches this version of the crate.

/// This version.
const OWN: [u32; 3] = numbers(env!("CARGO_PKG_VERSION"));

/// Fails to compile if code generated for `version` of this crate is compiled with an incompatible one: the
/// version must be the same or, by Cargo's rules, a compatible newer one.
///
/// # Panics
/// If the versions are incompatible; generated code calls it in a constant.
pub const fn check(version: &str) {
    assert!(
        fits(numbers(version), OWN),
        "{}",
        concat!(
            "this code was generated for a version of `specwright-runtime` that ",
            env!("CARGO_PKG_VERSION"),
            " does not fit: generate it again, or depend on the version that `check` is given here"
        )
    );
}

/// Whether code for `wanted` works with `found`.
const fn fits(wanted: [u32; 3], found: [u32; 3]) -> bool {
    let [major, minor, patch] = wanted;
    let is_newer = if found[1] == minor { found[2] >= patch } else { found[1] > minor };
    found[0] == major && if major == 0 { found[1] == minor && found[2] >= patch } else { is_newer }
}

/// Parses `1.2.3`; a suffix is ignored.
const fn numbers(version: &str) -> [u32; 3] {
    let bytes = version.as_bytes();
    let mut numbers = [0; 3];
    let (mut place, mut index) = (0, 0);
    while index < bytes.len() {
        match bytes[index] {
            digit @ b'0'..=b'9' => numbers[place] = numbers[place] * 10 + (digit - b'0') as u32,
            b'.' if place < 2 => place += 1,
            _ => break,
        }
        index += 1;
    }
    numbers
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn compatible_versions_fit() {
        for (wanted, found, expected) in [
            ("0.1.0", "0.1.0", true),
            ("0.1.0", "0.1.7", true),
            ("0.1.7", "0.1.6", false),
            ("0.1.0", "0.2.0", false),
            ("0.12.0", "0.1.0", false),
            ("1.2.3", "1.3.0", true),
            ("1.2.3", "1.2.2", false),
            ("1.2.3", "1.2.4-rc.1", true),
            ("1.2.3", "2.2.3", false),
            ("0.1.0", "1.1.0", false),
        ] {
            assert_eq!(fits(numbers(wanted), numbers(found)), expected, "{wanted} with {found}");
        }
    }

    #[test]
    fn this_version_fits_itself() {
        check(env!("CARGO_PKG_VERSION"));
    }

    #[test]
    #[should_panic(expected = "generate it again")]
    fn another_one_does_not() {
        check("99.0.0");
    }
}
