//! Folds text for comparison, and reads and writes JSON.

use generated_server::runtime::json;
use serde::de::DeserializeOwned;
use unicode_normalization::UnicodeNormalization as _;

use super::Error;

/// Lower case in normalization form C, character by character, so that a part of a text folds to a part of
/// the folded text.
pub(super) fn fold(text: &str) -> String {
    if text.is_ascii() {
        return text.to_ascii_lowercase();
    }
    // A final sigma equals an inner one. Lower case letters may compose again.
    let lower = text.nfc().flat_map(char::to_lowercase);
    lower.map(|character| if character == 'ς' { 'σ' } else { character }).nfc().collect()
}

/// Reads stored JSON.
pub(super) fn read<T: DeserializeOwned>(text: &str) -> Result<T, Error> {
    serde_json::from_str(text).map_err(|error| Error::Damaged(format!("the store holds no proper JSON: {error}")))
}

/// A record of the interface as JSON.
pub(super) fn json(record: &(impl json::Write + ?Sized)) -> String {
    String::from_utf8_lossy(&json::to_vec(record)).into_owned()
}

#[cfg(test)]
mod tests {
    use super::fold;

    #[test]
    fn letters_of_every_script_fold() {
        assert_eq!(fold("Ärzte ÉCOLE Ωμέγα ΟΔΟΣ Привет"), "ärzte école ωμέγα οδοσ привет");
        assert!(fold("ΜΕΓΑΛΗ ΟΔΟΣ 5").contains(&fold("οδος")));
        assert_eq!(fold("ACME Tools"), "acme tools");
    }

    #[test]
    fn composed_and_decomposed_letters_fold_alike() {
        for (composed, decomposed) in
            [("\u{c9}cole", "E\u{301}cole"), ("\u{1e69}", "s\u{307}\u{323}"), ("\u{ac00}", "\u{1100}\u{1161}")]
        {
            assert_eq!(fold(composed), fold(decomposed), "{composed}");
        }
        for character in '\0'..=char::MAX {
            let folded = fold(&character.to_string());
            assert_eq!(fold(&folded), folded, "{character:?}");
        }
    }
}
