//! The names of parameters and body as members of one object.

use foldhash::HashSet;

use crate::ir::{Arguments, ContentKind, Parameter, RequestBody};

/// The arguments of the parameters and the body. The first of equal names is kept, others get their place in front.
pub(super) fn name_arguments(parameters: &[Parameter], body: Option<&RequestBody>) -> Arguments {
    let mut taken = HashSet::default();
    let parameters = parameters
        .iter()
        .map(|parameter| {
            let wire = &parameter.name.wire;
            let place = parameter.location.word();
            let wanted = if taken.contains(wire) { format!("{place}_{wire}") } else { wire.clone() };
            claim(&mut taken, &wanted, usize::MAX)
        })
        .collect();
    let is_json = |kind: &ContentKind| matches!(kind, ContentKind::Json(_));
    let body = body.map(|body| {
        let json = body.contents.iter().position(|content| is_json(&content.kind));
        (claim(&mut taken, "body", usize::MAX), json.unwrap_or_default())
    });
    Arguments { parameters, body }
}

/// The wanted name, or the first with a number that is free.
pub(super) fn claim(taken: &mut HashSet<String>, wanted: &str, longest: usize) -> String {
    let numbered = (2..).map(|number: usize| {
        let end = format!("_{number}");
        let start: String = wanted.chars().take(longest - end.len()).collect();
        start + &end
    });
    let free = std::iter::once(wanted.to_owned()).chain(numbered).find(|name| !taken.contains(name));
    let name = free.unwrap_or_default();
    taken.insert(name.clone());
    name
}

#[cfg(test)]
mod tests {
    use foldhash::HashSet;

    use super::claim;

    const LONGEST: usize = 64;

    #[test]
    fn equal_names_get_a_number() {
        let mut taken = HashSet::default();
        let long = "a".repeat(LONGEST);
        let names: Vec<_> = (0..3).map(|_| claim(&mut taken, &long, LONGEST)).collect();
        assert_eq!(names[0], long);
        assert!(names[1].ends_with("_2") && names[2].ends_with("_3"), "{names:?}");
        assert!(names.iter().all(|name| name.len() == LONGEST));
    }
}
