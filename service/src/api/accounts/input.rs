//! Rules for the bodies of account operations that the description cannot express.

use generated_server::models::{AccountLocationInput, AccountPost};

use crate::domain::refusal::Refusal;

/// At least one location, each with an address; exactly one main location and address.
pub(super) fn check(body: &AccountPost) -> Vec<Refusal> {
    let locations: &[AccountLocationInput] = &body.locations;
    let mut refusals = Vec::new();
    if locations.is_empty() {
        refusals.push(Refusal::new("/Locations", "minItems", "is empty; an account has at least one location"));
    }
    for (index, location) in locations.iter().enumerate() {
        if location.addresses.is_empty() {
            let detail = "is empty; a location has at least one address";
            refusals.push(Refusal::new(format!("/Locations/{index}/Addresses"), "minItems", detail));
        }
    }
    let main = locations.iter().filter(|location| location.is_main.unwrap_or(false)).count();
    if main != 1 && !locations.is_empty() {
        let detail = format!("has {main} locations with `IsMain`; there is exactly one");
        refusals.push(Refusal::new("/Locations", "contains", detail));
    }
    refusals
}
