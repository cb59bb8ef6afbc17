//! Options of real clients, and invalid ones.

use service::domain::odata::{
    Comparison, Error, Field, Filter, Kind, Literal, SortKey, TextFunction, filter, order_by,
};

const FIELDS: &[Field] = &[
    Field { name: "ID", kind: Kind::Integer },
    Field { name: "UserName", kind: Kind::Text },
    Field { name: "CreationDate", kind: Kind::DateTime },
    Field { name: "IsSuperseded", kind: Kind::Boolean },
];

fn refused(text: &str) -> String {
    filter(text, FIELDS).expect_err(text).0
}

#[test]
fn comparisons_join_with_and_before_or() {
    let id = |number| Filter::Compare(0, Comparison::Equal, Literal::Integer(number));
    let expected =
        Filter::Or(Box::new(id(1)), Box::new(Filter::And(Box::new(id(2)), Box::new(Filter::Not(Box::new(id(3)))))));
    assert_eq!(filter("id eq 1 or ID eq 2M and not (Id eq 3L)", FIELDS), Ok(expected));
}

#[test]
fn functions_take_their_arguments_in_either_order() {
    let expected = Filter::Text(TextFunction::Contains, 1, "o'neil".into());
    assert_eq!(filter("substringof('o''neil', UserName)", FIELDS), Ok(expected.clone()));
    assert_eq!(filter("contains(username,'o''neil') eq true", FIELDS), Ok(expected.clone()));
    assert_eq!(filter("substringof('o''neil',UserName) eq false", FIELDS), Ok(Filter::Not(Box::new(expected))));
    let expected = Filter::Text(TextFunction::EndsWith, 1, "n".into());
    assert_eq!(filter("endswith(UserName,'n')", FIELDS), Ok(expected));
}

#[test]
fn literals_follow_their_field() {
    let instant = "2026-01-31T10:00:00Z".parse().expect("an instant");
    let expected = Filter::Compare(2, Comparison::GreaterOrEqual, Literal::DateTime(instant));
    for text in
        ["2026-01-31T10:00:00Z", "'2026-01-31T10:00:00'", "datetime'2026-01-31T10:00:00'", "2026-01-31T11:00:00+01:00"]
    {
        assert_eq!(filter(&format!("CreationDate ge {text}"), FIELDS), Ok(expected.clone()), "{text}");
    }
    assert_eq!(
        filter("isSuperseded ne TRUE", FIELDS),
        Ok(Filter::Compare(3, Comparison::NotEqual, Literal::Boolean(true)))
    );
    assert_eq!(filter("UserName eq null", FIELDS), Ok(Filter::Compare(1, Comparison::Equal, Literal::Null)));
    assert_eq!(
        filter("UserName eq 121747357971679M", FIELDS),
        Ok(Filter::Compare(1, Comparison::Equal, Literal::Text("121747357971679".into())))
    );
}

#[test]
fn what_cannot_be_read_is_named() {
    assert_eq!(refused("Nme eq 1"), "`Nme` is not a field; the fields are ID, UserName, CreationDate, IsSuperseded");
    assert_eq!(refused("ID like 1"), "`like` is not an operator; the operators are eq, ne, gt, ge, lt and le");
    assert_eq!(refused("ID eq 'x'"), "`ID` is compared with 'x'; it takes a whole number");
    assert_eq!(refused("ID eq 1 ID"), "`$filter` goes on with `ID` where it should end");
    assert_eq!(refused("UserName eq 'x"), "the text 'x has no closing quote");
    assert_eq!(refused(""), "`$filter` ends where a field or a function should be");
    assert_eq!(refused("(ID eq 1"), "`$filter` ends where `)` should be");
    assert_eq!(refused("startswith(ID,'1')"), "`startswith` needs a field with text, `ID` has none");
    assert_eq!(refused("ID gt null"), "`ID gt null`: null can only be compared with eq and ne");
}

#[test]
fn depth_and_length_are_limited() {
    assert!(refused(&format!("{}ID eq 1{}", "(".repeat(1_900), ")".repeat(1_900))).contains("nested deeper"));
    assert!(refused(&format!("ID eq 1{}", " and ID eq 1".repeat(300))).contains("more than 128"));
    assert!(refused(&format!("UserName eq '{}'", "é".repeat(4_000))).contains("longer than 4000"));
    assert!(filter(&format!("UserName eq '{}'", "é".repeat(3_900)), FIELDS).is_ok());
}

#[test]
fn an_order_is_a_list_of_keys() {
    let expected = vec![SortKey { member: 2, descending: true }, SortKey { member: 0, descending: false }];
    assert_eq!(order_by("creationdate desc, ID", FIELDS), Ok(expected));
    assert_eq!(order_by("ID down", FIELDS), Err(Error("`down` is not a direction: use `asc` or `desc`".into())));
    assert_eq!(order_by("ID, id desc", FIELDS), Err(Error("`id` stands in `$orderby` twice".into())));
    assert_eq!(order_by("ID,", FIELDS), Err(Error("`$orderby` has an empty key".into())));
}
