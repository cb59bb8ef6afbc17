use super::shape::ACCOUNT_LOOKUP;
use super::*;

fn key(member: usize, descending: bool) -> SortKey {
    SortKey { member, descending }
}

#[test]
fn sort_takes_names_in_any_case_and_both_ways_to_say_descending() {
    assert_eq!(Sort::parse("name, ID desc", &ACCOUNT_LOOKUP), Ok(Sort(vec![key(1, false), key(0, true)])));
    assert_eq!(Sort::parse("-isactive,Name ASC", &ACCOUNT_LOOKUP), Ok(Sort(vec![key(3, true), key(1, false)])));
}

#[test]
fn sort_names_what_is_allowed() {
    for text in ["TenantName", "Nmae", "-"] {
        let error = Sort::parse(text, &ACCOUNT_LOOKUP).unwrap_err().0;
        assert!(error.ends_with("there are Id, Name, IsActive"), "{error}");
    }
    assert_eq!(Sort::parse("Name, name desc", &ACCOUNT_LOOKUP), Err(Error("`name` stands in `Sort` twice".into())));
    assert!(Sort::parse(&"Id,".repeat(100_000), &ACCOUNT_LOOKUP).is_err());
    for text in ["", "Name,", "Name up", "-Name desc", "Name desc Id"] {
        assert!(Sort::parse(text, &ACCOUNT_LOOKUP).is_err(), "{text}");
    }
}

#[test]
fn exclude_is_a_set_of_positions() {
    let exclude = Exclude::parse(" tenantname ,Id", &ACCOUNT_LOOKUP).unwrap();
    assert_eq!([0, 1, 2, 3].map(|position| exclude.contains(position)), [true, false, true, false]);
    assert!(Exclude::parse("Locations", &ACCOUNT_LOOKUP).is_err());
}

#[test]
fn pages_count_from_one() {
    assert_eq!(Window::page(1, 25), Window { offset: 0, limit: Some(25), after: None });
    assert_eq!(Window::page(3, 25).offset, 50);
}
