//! The service accepts exactly what the description allows.

use std::{
    collections::{BTreeMap, BTreeSet},
    fs,
    path::Path,
};

use generated_server::{models::AccountAlertType, runtime::json};
use regress::Regex;
use serde_json::Value;

use service::{
    domain::{
        list::{Exclude, Members, Sort},
        odata::{self, Field},
        text::{has_nul, is_blank},
    },
    store::{
        record::{Kind, Resource},
        resource::{self, RESOURCES},
    },
};

/// The sortable lists, by operation.
static LISTS: [(&str, &(dyn Members + Sync)); 11] = [
    ("GetAccountCodesLookup", &resource::ACCOUNT_CODE),
    ("GetAccounts", &resource::ACCOUNT_LOOKUP),
    ("GetAccountsListSummary", &resource::ACCOUNT_SUMMARY),
    ("GetAccountContacts", &resource::CONTACT_LOOKUP),
    ("GetAssignees", &resource::ASSIGNEE),
    ("GetAssigneeLookups", &resource::ASSIGNEE_LOOKUP),
    ("GetAttachments", &resource::ATTACHMENT),
    ("GetAllBatchActionLogs", &resource::JOB_LOG),
    ("GetChartOfAccounts", &resource::CHART_OF_ACCOUNT),
    ("GetChartOfAccountTypes", &resource::CHART_OF_ACCOUNT_TYPE),
    ("GetContactsListSummary", &resource::CONTACT_SUMMARY),
];

/// The lists with OData options, by operation.
fn odata_lists() -> [(&'static str, Vec<Field>); 2] {
    [("GetAgentNotes", resource::AGENT_NOTE.fields()), ("GetMissingPatches", resource::MISSING_PATCH.fields())]
}

/// The operations that read the records of a resource.
static READS: [(&str, &Resource); 22] = [
    ("GetAccountCodesLookup", &resource::ACCOUNT_CODES),
    ("GetAccounts", &resource::ACCOUNTS),
    ("GetAccountsListSummary", &resource::ACCOUNTS),
    ("GetAccountSummary", &resource::ACCOUNTS),
    ("GetAccountAlert", &resource::ACCOUNT_ALERTS),
    ("GetAccountContacts", &resource::CONTACTS),
    ("GetContactsListSummary", &resource::CONTACTS),
    ("GetAccountTypesLookup", &resource::ACCOUNT_TYPES),
    ("GetAgentProcedures", &resource::AGENT_PROCEDURES),
    ("GetAgentNotes", &resource::AGENT_NOTES),
    ("GetMissingPatches", &resource::PATCHES),
    ("GetApprovalRoutesLookup", &resource::APPROVAL_ROUTES),
    ("GetAssignees", &resource::ASSIGNEES),
    ("GetAssigneeLookups", &resource::ASSIGNEES),
    ("GetEmployeeRoleLookups", &resource::ROLES),
    ("GetAttachments", &resource::ATTACHMENTS),
    ("GetChartOfAccounts", &resource::CHART_OF_ACCOUNTS),
    ("GetChartOfAccountsLookup", &resource::CHART_OF_ACCOUNTS),
    ("GetChartOfAccountTypes", &resource::CHART_OF_ACCOUNT_TYPES),
    ("GetChartOfAccountTypesLookUp", &resource::CHART_OF_ACCOUNT_TYPES),
    ("GetColorsLookup", &resource::COLORS),
    ("GetCompanySettings", &resource::COMPANY_SETTINGS),
];

#[test]
fn changes_of_a_resource_need_the_scope_that_reads_it() {
    for (id, resource) in READS {
        let operation = generated_server::OPERATIONS.iter().find(|operation| operation.id == id).expect(id);
        let scopes = operation.security[0].scopes;
        assert!(scopes[0] == format!("read:{}", resource.area), "{id}: {scopes:?}");
    }
}

#[test]
fn alert_kinds_are_stored_as_the_numbers_of_the_description() {
    for number in 0..3_i64 {
        let kind: AccountAlertType = json::from_slice(number.to_string().as_bytes()).expect("a kind");
        assert_eq!(kind as i64, number, "{kind:?}");
    }
}

/// The pattern of a parameter of an operation, if it has one.
fn pattern(operation: &str, parameter: &str) -> Option<String> {
    let document: Value = serde_json::from_str(generated_server::OPENAPI).expect("JSON");
    let paths = document["paths"].as_object().expect("paths");
    let operations = paths.values().flat_map(|path| path.as_object().expect("a path").values());
    let found = operations.into_iter().find(|found| found["operationId"] == operation).expect(operation);
    let parameters = found["parameters"].as_array()?.iter().map(|parameter| match parameter["$ref"].as_str() {
        Some(reference) => document.pointer(reference.trim_start_matches('#')).expect(reference),
        None => parameter,
    });
    let found = parameters.into_iter().find(|found| found["name"] == parameter)?;
    found["schema"]["pattern"].as_str().map(str::to_owned)
}

fn list(key: &str, most: usize) -> String {
    format!("^(?i:{key}(?:,{key}){{0,{most}}})$")
}

#[test]
fn every_sorted_list_has_the_pattern_of_its_list() {
    let sorted = generated_server::OPERATIONS.iter().filter(|operation| pattern(operation.id, "Sort").is_some());
    assert_eq!(sorted.count(), LISTS.len());
    for (operation, listed) in LISTS.iter().copied() {
        let sortable = listed.members().into_iter().filter(|(_, is_sortable)| *is_sortable);
        let names = sortable.map(|(name, _)| name).collect::<Vec<_>>().join("|");
        let key = format!(" *(?:-(?:{names})|(?:{names})(?: +(?:asc|desc))?) *");
        assert_eq!(pattern(operation, "Sort"), Some(list(&key, 9)), "{operation}");
        let names = listed.members().into_iter().map(|(name, _)| name).collect::<Vec<_>>().join("|");
        let exclude = format!("^(?i: *(?:(?:{names}) *(?:, *(?:{names}) *){{0,30}})?)$");
        assert_eq!(pattern(operation, "Exclude"), Some(exclude), "{operation}");
    }
    for (operation, fields) in odata_lists() {
        let names = fields.iter().map(|field| field.name).collect::<Vec<_>>().join("|");
        let key = format!(" *(?:{names})(?: +(?:asc|desc))? *");
        assert_eq!(pattern(operation, "$orderby"), Some(list(&key, 9)), "{operation}");
    }
}

#[test]
fn what_the_patterns_allow_is_read_and_what_they_do_not_is_refused() {
    for (operation, listed) in LISTS.iter().copied() {
        let sort = Regex::new(&pattern(operation, "Sort").expect("a pattern")).expect("a pattern");
        let exclude = Regex::new(&pattern(operation, "Exclude").expect("a pattern")).expect("a pattern");
        for member in listed.members().into_iter().map(|(name, _)| name).chain(["Nothing", ""]) {
            let other = member.to_lowercase();
            for text in [
                member.to_owned(),
                format!(" {other} , Id"),
                format!("{member} DESC,-id"),
                format!("-{member}"),
                format!("-{member} desc"),
                format!("{member} up"),
                format!("{member} Id"),
                format!("Id,,{member}"),
            ] {
                // Patterns cannot exclude repeated members; the texts of the description do.
                let is_read = Sort::parse(&text, listed).is_ok();
                let is_repeated = text.to_lowercase().matches("id").count() > 1 && other == "id";
                assert_eq!(sort.find(&text).is_some() && !is_repeated, is_read, "{operation} Sort={text}");
                let is_read = Exclude::parse(&text, listed).is_ok();
                assert_eq!(exclude.find(&text).is_some(), is_read, "{operation} Exclude={text}");
            }
        }
    }
}

#[test]
fn filters_that_the_pattern_allows_are_read() {
    let literals = ["1", "-1M", "null", "true", "'x'", "'it''s'", "2026-01-31T10:00:00Z", "x"];
    for (operation, fields) in odata_lists() {
        let filter = Regex::new(&pattern(operation, "$filter").expect("a pattern")).expect("a pattern");
        let mut allowed = 0;
        for field in fields.iter().map(|field| field.name).chain(["Nothing"]) {
            let compared = literals.iter().flat_map(|literal| {
                ["eq", "NE", "gt", "like"].map(|operator| format!("{} {operator} {literal}", field.to_lowercase()))
            });
            let functions = [
                format!("startswith({field}, 'a')"),
                format!(" EndsWith( {field},'it''s' ) "),
                format!("substringof('a',{field})"),
                format!("startswith('a {field}"),
            ];
            for text in compared.chain(functions) {
                for text in [format!("not {text}"), format!("{text} and ID eq 1 or {text}"), text] {
                    if filter.find(&text).is_some() {
                        allowed += 1;
                        let read = odata::filter(&text, &fields);
                        assert!(read.is_ok(), "{operation} $filter={text}: {read:?}");
                    }
                }
            }
        }
        assert!(allowed > 50, "{operation}: {allowed}");
        assert!(filter.find("ID eq").is_none() && filter.find("").is_none(), "{operation}");
    }
}

#[test]
fn a_patch_may_name_the_members_of_a_put() {
    let document: Value = serde_json::from_str(generated_server::OPENAPI).expect("JSON");
    let schemas = &document["components"]["schemas"];
    let members = schemas["AccountPutInputDto"]["properties"].as_object().expect("members");
    for member in ["path", "from"] {
        let pattern = schemas["Operation"]["properties"][member]["pattern"].as_str().expect("a pattern");
        let names = pattern.trim_start_matches("^/?(?i:").trim_end_matches(")$").split('|');
        assert_eq!(names.collect::<BTreeSet<_>>(), members.keys().map(String::as_str).collect(), "{member}");
        let pattern = Regex::new(pattern).expect("a pattern");
        assert!(pattern.find("/accountname").is_some() && pattern.find("//AccountName").is_none(), "{member}");
    }
}

/// Whether the schema describes records of the resource: `ContactsSummaryOutputDto` is of `Contacts`.
fn is_of(schema: &str, resource: &Resource) -> bool {
    let Some(name) = schema.strip_suffix("OutputDto") else { return false };
    let name = ["SummaryInfo", "Summary", "Lookup"].iter().find_map(|end| name.strip_suffix(end)).unwrap_or(name);
    ["", "s", "es"].iter().any(|plural| format!("{name}{plural}") == resource.name)
}

/// The field of a query parameter: `filter_account_id` for `Filter.AccountId`.
fn field(parameter: &str) -> String {
    let mut field = String::new();
    for letter in parameter.chars() {
        if letter.is_ascii_uppercase() && !field.is_empty() && !field.ends_with('_') {
            field.push('_');
        }
        field.push(if letter == '.' { '_' } else { letter.to_ascii_lowercase() });
    }
    field
}

#[test]
fn every_filter_is_read() {
    let document: Value = serde_json::from_str(generated_server::OPENAPI).expect("JSON");
    let operations = document["paths"].as_object().expect("paths").values().filter_map(|path| path.get("get"));
    // By the file of the tag: how often each filter is described there.
    let mut filters: BTreeMap<(String, String), usize> = BTreeMap::new();
    for operation in operations {
        let tag = field(operation["tags"][0].as_str().expect("a tag"));
        for parameter in operation["parameters"].as_array().into_iter().flatten() {
            let parameter = match parameter["$ref"].as_str() {
                Some(reference) => document.pointer(reference.trim_start_matches('#')).expect(reference),
                None => parameter,
            };
            let name = parameter["name"].as_str().expect("a name");
            // Every list is limited to what the token may see.
            if name.starts_with("Filter.") && name != "Filter.WithSecurityScope" {
                *filters.entry((tag.clone(), field(name))).or_default() += 1;
            }
        }
    }
    assert!(filters.len() > 30, "{filters:?}");
    for ((tag, field), described) in filters {
        let file = Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("src/api/{tag}.rs"));
        let code = fs::read_to_string(&file).expect("a file for the tag");
        let is_end = |rest: &str| !rest.starts_with(|letter: char| letter.is_alphanumeric() || letter == '_');
        let read = code.split(&format!("request.{field}")).skip(1).filter(|rest| is_end(rest)).count();
        assert!(read >= described, "`request.{field}` is read {read} times in {}, not {described}", file.display());
    }
}

#[test]
fn texts_are_no_longer_in_an_import_than_the_description_allows() {
    let document: Value = serde_json::from_str(generated_server::OPENAPI).expect("JSON");
    let schemas = document["components"]["schemas"].as_object().expect("schemas");
    let mut compared = 0;
    for resource in RESOURCES {
        for member in resource.members.iter().filter(|member| matches!(member.kind, Kind::Text)) {
            for (schema, described) in schemas.iter().filter(|(name, _)| is_of(name, resource)) {
                let Some(most) = described["properties"][member.name]["maxLength"].as_u64() else { continue };
                compared += 1;
                assert!(member.most as u64 <= most, "{schema}.{} and {}", member.name, resource.name);
            }
        }
    }
    assert!(compared > 45, "{compared}");
}

#[test]
fn what_is_no_name_for_the_description_is_none_for_the_service() {
    let document: Value = serde_json::from_str(generated_server::OPENAPI).expect("JSON");
    let schemas = &document["components"]["schemas"];
    let name = &schemas["AccountPostInputDto"]["properties"]["AccountName"]["pattern"];
    let key = &schemas["CompanySettingsPutInputDto"]["properties"]["Settings"]["propertyNames"]["pattern"];
    assert_eq!(key, name);
    let pattern = Regex::new(name.as_str().expect("a pattern")).expect("a pattern");
    for char in '\0'..=char::MAX {
        let text = char.to_string();
        assert_eq!(pattern.find(&text).is_none(), is_blank(&text) || has_nul(&text), "{char:?}");
    }
}

/// Members without a limit in the description, which the service limits in bytes. A patch must produce an
/// account that PUT accepts.
const BOUNDED_ELSEWHERE: [&str; 4] = [
    "CompanySettingsPutInputDto/Settings/*: any value",
    "Operation/value: any value",
    "PatchScanSchedule/Attributes/*: any value",
    "PatchScanSchedule/Attributes: propertyNames",
];

/// Collects every place of a schema with values of unlimited length.
fn unbounded(document: &Value, schema: &Value, place: &str, found: &mut BTreeSet<String>) {
    if let Some(reference) = schema["$ref"].as_str() {
        let name = reference.rsplit('/').next().unwrap_or_default();
        let target = document.pointer(reference.trim_start_matches('#')).expect(reference);
        return unbounded(document, target, name, found);
    }
    if schema.get("enum").or(schema.get("const")).is_some() {
        return;
    }
    let is =
        |kind: &str| schema["type"] == kind || schema["type"].as_array().is_some_and(|all| all.contains(&kind.into()));
    let mut wants = |condition: bool, keyword: &str| {
        if condition && schema.get(keyword).is_none() {
            found.insert(format!("{place}: {keyword}"));
        }
    };
    // Date-times have a fixed format, and files their own limit.
    let has_form = ["date-time", "binary"].iter().any(|form| schema["format"] == *form);
    wants(is("string") && !has_form, "maxLength");
    wants(is("array"), "maxItems");
    let others = schema.get("additionalProperties").filter(|others| **others != Value::Bool(false));
    wants(others.is_some(), "maxProperties");
    if others.is_some() && schema["propertyNames"]["maxLength"].is_null() {
        found.insert(format!("{place}: propertyNames"));
    }
    let kinds = ["oneOf", "anyOf", "allOf"];
    let composed: Vec<&Value> = kinds.iter().filter_map(|kind| schema[*kind].as_array()).flatten().collect();
    if schema.get("type").is_none() && composed.is_empty() {
        found.insert(format!("{place}: any value"));
    }
    // Sibling keywords only narrow a type.
    for part in composed.into_iter().filter(|_| schema.get("type").is_none()) {
        unbounded(document, part, place, found);
    }
    for (name, member) in schema["properties"].as_object().into_iter().flatten() {
        unbounded(document, member, &format!("{place}/{name}"), found);
    }
    if let Some(items) = schema.get("items") {
        unbounded(document, items, &format!("{place}/*"), found);
    }
    if let Some(others) = others {
        let any = Value::Object(serde_json::Map::new());
        unbounded(document, if others.is_object() { others } else { &any }, &format!("{place}/*"), found);
    }
}

#[test]
fn whatever_a_body_may_hold_has_a_bound() {
    let document: Value = serde_json::from_str(generated_server::OPENAPI).expect("JSON");
    let mut found = BTreeSet::new();
    let operations =
        document["paths"].as_object().expect("paths").values().flat_map(|path| path.as_object().expect("a path"));
    for (_, operation) in operations {
        let body = &operation["requestBody"];
        let body = match body["$ref"].as_str() {
            Some(reference) => document.pointer(reference.trim_start_matches('#')).expect(reference),
            None => body,
        };
        for content in body["content"].as_object().into_iter().flat_map(|content| content.values()) {
            unbounded(&document, &content["schema"], operation["operationId"].as_str().unwrap_or_default(), &mut found);
        }
    }
    assert_eq!(found, BOUNDED_ELSEWHERE.map(str::to_owned).into());
}

#[test]
fn if_match_is_taken_where_it_is_described() {
    let document: Value = serde_json::from_str(generated_server::OPENAPI).expect("JSON");
    let paths = document["paths"].as_object().expect("paths").values();
    let described: BTreeSet<&str> = paths
        .flat_map(|path| path.as_object().expect("a path").values())
        .filter(|operation| {
            let parameters = operation["parameters"].as_array().into_iter().flatten();
            parameters.clone().any(|parameter| parameter["$ref"] == "#/components/parameters/IfMatch")
        })
        .filter_map(|operation| operation["operationId"].as_str())
        .collect();
    assert_eq!(described, service::api::CONDITIONAL.into());
}
