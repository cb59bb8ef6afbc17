//! The base name of the generated crates.

use std::path::Path;

use super::Failure;

/// The name from `--name` or the configuration, or one made from the file name of the description.
pub(super) fn choose(given: Option<&str>, document: &Path) -> Result<String, Failure> {
    let Some(name) = given else {
        let stem = document.file_stem().unwrap_or_default().to_string_lossy();
        return Ok(from_file(&stem));
    };
    if specwright::is_crate_name(name) {
        Ok(name.to_lowercase().replace('-', "_"))
    } else {
        Err(Failure::usage(format!("`{name}` is not a crate name: use letters, digits, `-` and `_`")))
    }
}

fn from_file(stem: &str) -> String {
    let letters = stem
        .chars()
        .map(|character| if character.is_ascii_alphanumeric() { character.to_ascii_lowercase() } else { '_' });
    let name: String = letters.collect();
    let name = name.trim_matches('_');
    match name.chars().next() {
        None => "api".to_owned(),
        Some(first) if first.is_ascii_alphabetic() => name.to_owned(),
        Some(_) => format!("api_{name}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn any_file_gives_a_name() {
        for (stem, expected) in [("Pet Store.v1", "pet_store_v1"), ("3scale", "api_3scale"), ("日本", "api")] {
            assert_eq!(from_file(stem), expected);
        }
        assert!(choose(Some("pet store"), Path::new("a.yaml")).is_err());
        assert!(choose(Some("../x"), Path::new("a.yaml")).is_err());
        assert_eq!(choose(Some("Pet-Store"), Path::new("a.yaml")).ok().as_deref(), Some("pet_store"));
    }
}
