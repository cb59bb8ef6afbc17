//! A macro takes the settings of a configuration file.

mod pets {
    specwright_macro::models!("pets.yaml", config = "tests/settings.toml");
}

use pets::{Pet, PetKind};

#[test]
fn a_type_has_the_derives_of_the_settings() {
    assert!(Pet::new("Bella", PetKind::Dog) < Pet::new("Rex", PetKind::Cat));
}
