//! Text in the form in which it is compared in any letter case.

/// Lower case, character by character, so that a part of a text folds to a part of the folded text.
pub(in crate::store) fn fold(text: &str) -> String {
    if text.is_ascii() {
        return text.to_ascii_lowercase();
    }
    // The sigma at the end of a word is the same letter as the one inside.
    text.chars().flat_map(char::to_lowercase).map(|character| if character == 'ς' { 'σ' } else { character }).collect()
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
}
