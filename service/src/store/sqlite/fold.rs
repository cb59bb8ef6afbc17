//! Text in the form in which it is compared in any letter case.

use rusqlite::{Connection, functions::FunctionFlags};

use crate::store::Error;

/// Lower case, character by character, so that a part of a text folds to a part of the folded text.
pub(super) fn fold(text: &str) -> String {
    if text.is_ascii() {
        return text.to_ascii_lowercase();
    }
    // The sigma at the end of a word is the same letter as the one inside.
    text.chars().flat_map(char::to_lowercase).map(|character| if character == 'ς' { 'σ' } else { character }).collect()
}

/// Makes it a function of SQL, for columns that have no folded twin.
pub(super) fn register(connection: &Connection) -> Result<(), Error> {
    let flags = FunctionFlags::SQLITE_UTF8 | FunctionFlags::SQLITE_DETERMINISTIC | FunctionFlags::SQLITE_INNOCUOUS;
    connection.create_scalar_function("fold", 1, flags, |context| {
        let text =
            context.get_raw(0).as_str_or_null().map_err(|error| rusqlite::Error::UserFunctionError(error.into()))?;
        Ok(text.map(fold))
    })?;
    Ok(())
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
