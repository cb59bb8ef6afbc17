use super::*;

/// A list with these members, of which some can be sorted by.
struct Lookup;

impl Members for Lookup {
    fn members(&self) -> Vec<(&'static str, bool)> {
        vec![("Id", true), ("Name", true), ("TenantName", false), ("IsActive", true)]
    }
}

fn key(member: usize, descending: bool) -> SortKey {
    SortKey { member, descending }
}

#[test]
fn sort_takes_names_in_any_case_and_both_ways_to_say_descending() {
    assert_eq!(Sort::parse("name, ID desc", &Lookup), Ok(Sort(vec![key(1, false), key(0, true)])));
    assert_eq!(Sort::parse("-isactive,Name ASC", &Lookup), Ok(Sort(vec![key(3, true), key(1, false)])));
}

#[test]
fn sort_names_what_is_allowed() {
    for text in ["TenantName", "Nmae", "-"] {
        let error = Sort::parse(text, &Lookup).unwrap_err().0;
        assert!(error.ends_with("there are Id, Name, IsActive"), "{error}");
    }
    assert_eq!(Sort::parse("Name, name desc", &Lookup), Err(Error("`name` stands in `Sort` twice".into())));
    assert!(Sort::parse(&"Id,".repeat(100_000), &Lookup).is_err());
    for text in ["", "Name,", "Name up", "-Name desc", "Name desc Id"] {
        assert!(Sort::parse(text, &Lookup).is_err(), "{text}");
    }
}

#[test]
fn exclude_is_a_set_of_positions() {
    let exclude = Exclude::parse(" tenantname ,Id", &Lookup).unwrap();
    assert_eq!([0, 1, 2, 3].map(|position| exclude.contains(position)), [true, false, true, false]);
    assert!(Exclude::parse("Locations", &Lookup).is_err());
}

#[test]
fn pages_count_from_one() {
    assert_eq!(Window::page(1, 25), Window { offset: 0, limit: Some(25), after: None });
    assert_eq!(Window::page(3, 25).offset, 50);
}
