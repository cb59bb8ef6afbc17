//! Files of records: what is imported, what is refused with its place, and what is exported.

use std::{fs, path::PathBuf};

use generated_server::{models::LogType, runtime::json::Maybe};
use service::{
    domain::{list::ListQuery, tenant::TenantId},
    export,
    import::{Error, Report, run},
    sample,
    store::{Options, Store, TenantStore, record::Presence, resource::RESOURCES},
};

/// A store in a temporary folder.
struct Fixture {
    folder: tempfile::TempDir,
    store: TenantStore,
}

impl Fixture {
    fn empty() -> Self {
        let folder = tempfile::tempdir().unwrap();
        let store = Store::open(&folder.path().join("store.sqlite"), &Options::default()).unwrap();
        Self { store: store.tenant(TenantId::FIRST), folder }
    }

    fn with_sample() -> Self {
        let fixture = Self::empty();
        sample::load(&fixture.store).unwrap();
        fixture
    }

    fn import(&self, files: &[(&str, &str)]) -> Result<Report, Error> {
        self.import_as(None, files)
    }

    /// Imports files of this kind of records. Their names in messages have no folder.
    fn import_as(&self, kind: Option<&str>, files: &[(&str, &str)]) -> Result<Report, Error> {
        let folder = format!("{}/", self.folder.path().display());
        let write = |(file, text): &(&str, &str)| {
            let path = PathBuf::from(format!("{folder}{file}"));
            fs::write(&path, text).map(|()| path)
        };
        let paths = files.iter().map(write).collect::<Result<Vec<_>, _>>().expect("written");
        run(&self.store, &paths, kind, &()).map_err(|error| match error {
            Error::Refused(mut refused) => {
                refused.problems.iter_mut().for_each(|problem| *problem = problem.replace(&folder, ""));
                Error::Refused(refused)
            }
            error => error,
        })
    }

    /// Imports one file and returns its problems; nothing is stored.
    fn problems(&self, file: &str, text: &str) -> Vec<String> {
        let before = self.export();
        let refused = match self.import(&[(file, text)]) {
            Err(Error::Refused(refused)) => refused,
            other => panic!("{other:?}"),
        };
        assert_eq!(self.export(), before);
        refused.problems
    }

    fn export(&self) -> String {
        let mut bytes = Vec::new();
        export::run(&self.store, &mut bytes).unwrap();
        String::from_utf8(bytes).unwrap()
    }

    fn log(&self, job: i64) -> Vec<(LogType, String, String)> {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_time().build().unwrap();
        let logs = runtime.block_on(self.store.job_logs(job, ListQuery::default())).unwrap().unwrap();
        let folder = format!("{}/", self.folder.path().display());
        let text = |text: &Maybe<String>| text.value().map(|text| text.replace(&folder, "")).unwrap_or_default();
        logs.records.iter().map(|line| (line.type_.unwrap(), text(&line.action), text(&line.message))).collect()
    }
}

#[test]
fn what_is_exported_is_imported_the_same() {
    let (first, second) = (Fixture::with_sample(), Fixture::empty());
    let text = first.export();
    second.import(&[("export.json", &text)]).unwrap();
    assert_eq!(second.export(), text);

    // Importing it again changes nothing.
    let report = first.import(&[("export.json", &text)]).unwrap();
    assert_eq!(first.export(), text);
    assert!(report.counts.iter().all(|count| count.new == 0), "{report}");
}

#[test]
fn the_sample_has_every_resource() {
    let fixture = Fixture::empty();
    let report = sample::load(&fixture.store).unwrap();
    let loaded: Vec<_> = report.counts.iter().map(|count| count.resource).collect();
    let all: Vec<_> = RESOURCES.iter().map(|resource| resource.name).collect();
    assert_eq!(loaded, all);
}

#[test]
fn every_member_is_documented() {
    let page = include_str!("../../../docs/import.md");
    for resource in RESOURCES {
        let row = page
            .lines()
            .find(|line| line.split('|').nth(1).is_some_and(|names| names.contains(&format!("`{}`", resource.name))));
        let row = row.unwrap_or_else(|| panic!("{}", resource.name));
        let members = resource.members.iter().map(|member| member.name);
        for name in members.chain(resource.below.iter().map(|below| below.name)) {
            assert!(row.contains(&format!("`{name}`")), "{}.{name}", resource.name);
        }
        for member in resource.members.iter() {
            let is_bold = row.contains(&format!("**`{}`**", member.name));
            assert_eq!(is_bold, matches!(member.presence, Presence::Required), "{}.{}", resource.name, member.name);
        }
    }
}

#[test]
fn an_empty_store_exports_an_empty_document() {
    let fixture = Fixture::empty();
    assert_eq!(fixture.export(), "{}\n");
    fixture.import(&[("export.json", "{}")]).unwrap();
}

#[test]
fn bad_rows_are_reported_with_file_line_and_reason() {
    let fixture = Fixture::with_sample();
    let text = r#"{
  "colors": [
    {"ModuleId": "one", "Name": "Red"},
    {"Name": "Red"},
    {"ModuleId": 0},
    {"ModuleId": 1, "Nmae": "Red"},
    {"ModuleId": 1, "name": 5, "NAME": "Red"},
    7
  ],
  "Accounts": [
    {"Id": 900, "AccountName": " ", "AccountTypeId": 1, "BusinessTypeId": 1, "AccountManagerId": 12},
    {"Id": 901, "AccountName": "A", "AccountTypeId": 99, "BusinessTypeId": 1, "AccountManagerId": 12, "ParentId": 77},
    {"Id": 902, "AccountName": "B", "AccountTypeId": 1, "BusinessTypeId": 1, "AccountManagerId": 12,
     "Locations": [
       {"LocationName": "Main", "IsMain": 1},
       {"LocationName": "Other", "Addresses": [{"CountryId": 44}]}
     ]},
    {"Id": 901, "AccountName": "C", "AccountTypeId": 1, "BusinessTypeId": 1, "AccountManagerId": 12, "AcquiredDate": "soon"}
  ],
  "AccountAlerts": [
    {"AccountId": 101, "AccountAlertType": "NewTickets"}
  ],
  "Contacts": [
    {"AccountId": 101, "LocationId": 57, "FirstName": "Sam"},
    {"AccountId": 101, "LocationId": 55}
  ],
  "Agents": [
    {"AgentId": "12a", "TimeZone": "Europe/Atlantis"}
  ]
}"#;
    assert_eq!(
        fixture.problems("bad.json", text),
        [
            "bad.json:3: ModuleId is `\"one\"`, not a whole number",
            "bad.json:4: ModuleId is missing",
            "bad.json:5: ModuleId is 0, at least 1",
            "bad.json:6: Nmae is not a member of Colors; perhaps `Name`",
            "bad.json:7: name is there twice",
            "bad.json:8: the record is `7`, not an object",
            "bad.json:11: AccountName is empty",
            "bad.json:12: AccountTypeId is 99, and there is no such account type",
            "bad.json:12: ParentId is 77, and there is no such account",
            "bad.json:13: Locations[0].IsMain is `1`, not `true` or `false`",
            "bad.json:18: AcquiredDate is `soon`, not a date and time such as `2025-01-31T12:00:00Z`",
            "bad.json:21: AccountAlertType is `\"NewTickets\"`, not one of 0 (`AccountDetails`), 1 (`NewTicket`), \
             2 (`TicketDetails`); perhaps `NewTicket`",
            "bad.json:24: LocationId is 57, and there is no such location of account 101",
            "bad.json:25: one of FirstName, LastName has to be there",
            "bad.json:28: AgentId is `\"12a\"`, not text of 1 to 26 digits",
            "bad.json:28: TimeZone is `\"Europe/Atlantis\"`, not a time zone of the IANA database, such as \
             `Europe/Berlin`",
        ]
    );
}

#[test]
fn a_key_comes_once() {
    let fixture = Fixture::with_sample();
    assert_eq!(
        fixture.problems("a.json", "{\"Roles\": [{\"Id\": 5, \"Name\": \"A\"},\n{\"Id\": 5, \"Name\": \"B\"}]}"),
        ["a.json:2: Id 5 is there already, in line 1"]
    );
    let alert = r#"{"AccountId": 101, "AccountAlertType": 0}"#;
    assert_eq!(
        fixture.problems("a.json", &format!("{{\"AccountAlerts\": [{alert},{alert}]}}")),
        ["a.json:1: AccountId 101 and AccountAlertType 0 is there already, in line 1"]
    );
    let location = r#"{"Accounts": [{"AccountName": "A", "AccountTypeId": 1, "BusinessTypeId": 1, "AccountManagerId": 12,
        "Locations": [{"Id": 55, "LocationName": "Main"}]}]}"#;
    assert_eq!(fixture.problems("a.json", location), ["a.json:1: Id is 55, and there is such a location elsewhere"]);
}

#[test]
fn what_is_not_understood_is_reported() {
    let fixture = Fixture::empty();
    assert_eq!(
        fixture.problems("a.json", "{\n\"Colours\": []}"),
        ["a.json:2: there are no records called `Colours`; perhaps `Colors`"]
    );
    assert_eq!(fixture.problems("a.json", "{\"Colors\": 5}"), ["a.json:1: Colors is not a list of records"]);
    assert_eq!(
        fixture.problems("a.json", "{\"Roles\": [\n  {\"Name\": \"A\"}\n  {\"Name\": \"B\"}]}"),
        ["a.json:3: the JSON is broken at column 3: expected `,` or `]`"]
    );
    assert_eq!(
        fixture.problems("colour.csv", "Name\nRed\n"),
        ["colour.csv:1: there are no records called `colour`; perhaps `Colors`; `--kind` says what is in the file"]
    );
    assert_eq!(
        fixture.problems("colors.csv", "ModuleId,Name\n1,Red\n1,Blue,x\nx,\n"),
        [
            "colors.csv:3: the row has 3 cells, the header has 2",
            "colors.csv:4: ModuleId is `\"x\"`, not a whole number"
        ]
    );
    assert_eq!(
        fixture.problems("colors.csv", "ModuleId,Name\n1,\"Red\n1,Blue\n"),
        ["colors.csv:2: a quotation mark is opened here and never closed"]
    );
    let path = fixture.folder.path().join("roles.csv");
    fs::write(&path, b"Name\nA\n\xff\n").unwrap();
    let error = run(&fixture.store, &[path], None, &()).unwrap_err();
    assert!(error.to_string().ends_with("roles.csv:3: the file is not text in UTF-8"), "{error}");
}

#[test]
fn nothing_stands_below_itself() {
    let fixture = Fixture::empty();
    let head = r#"{"ChartOfAccountTypes": [{"Id": 1, "Name": "Asset"}], "ChartOfAccounts": ["#;
    let rows = r#"
        {"Id": 1, "Name": "A", "TypeId": 1, "ParentId": 3},
        {"Id": 2, "Name": "B", "TypeId": 1, "ParentId": 1},
        {"Id": 3, "Name": "C", "TypeId": 1, "ParentId": 2},
        {"Id": 4, "Name": "D", "TypeId": 1, "ParentId": 4}]}"#;
    let problems = fixture.problems("a.json", &format!("{head}{rows}"));
    assert_eq!(problems.len(), 4);
    assert_eq!(
        problems[0],
        "a.json:2: ParentId is 3, which is the entry of the chart of accounts itself or stands below it"
    );
    // Parents may come later.
    let rows = r#"{"Id": 1, "Name": "A", "TypeId": 1, "ParentId": 2}, {"Id": 2, "Name": "B", "TypeId": 1}]}"#;
    fixture.import(&[("a.json", &format!("{head}{rows}"))]).unwrap();
    assert!(fixture.export().contains(r#""TypeId":1,"ParentId":2"#));
}

#[test]
fn files_may_come_in_any_order_and_ids_may_be_left_out() {
    let fixture = Fixture::with_sample();
    let contacts = "\u{feff}AccountId;LocationId;FirstName;Phones\r\n900;910;\"Sam \"\"Bo\"\"\r\nLee\";\"[{\"\"Phone\"\":\"\"5\"\",\"\"PhoneTypeId\"\":1}]\"\r\n";
    let accounts =
        "Id,accountname,AccountTypeId,BusinessTypeId,AccountManagerId,IsActive\n900,New,1,1,12,TRUE\n,Other,1,1,12,0\n";
    let locations = "AccountId,Id,LocationName,IsMain\n900,910,Main,1\n";
    let files = [("contacts.csv", contacts), ("account-locations.csv", locations), ("Accounts.CSV", accounts)];
    fixture.import(&files).unwrap();
    let text = fixture.export();
    assert!(text.contains(r#"{"Id":900,"#));
    assert!(text.contains(r#"{"Id":901,"#), "the next free number after those of the file");
    assert!(text.contains(r#""FirstName":"Sam \"Bo\"\r\nLee""#));
    assert!(text.contains(r#""AccountName":"Other","BusinessTypeId":1,"AccountManagerId":12,"IsActive":false"#));
}

#[test]
fn a_record_is_replaced_and_so_are_the_lists_that_it_gives() {
    let fixture = Fixture::with_sample();
    let account = |lists: &str| {
        let text = format!(
            r#"[{{"Id": 101, "AccountName": "Acme", "AccountTypeId": 1, "BusinessTypeId": 3, "AccountManagerId": 12{lists}}}]"#
        );
        fixture.import_as(Some("accounts"), &[("x.json", &text)])
    };
    account("").unwrap();
    let text = fixture.export();
    assert!(!text.contains("ACME-01") && text.contains("Warehouse") && text.contains(r#""Team":[13,14]"#));

    account(r#", "Team": [15]"#).unwrap();
    assert!(fixture.export().contains(r#""Team":[15]"#));

    let error = account(r#", "Locations": [{"Id": 55, "LocationName": "Main"}]"#).unwrap_err();
    assert!(error.to_string().ends_with("x.json:1: leaves out a location that other records belong to"), "{error}");
}

#[test]
fn the_log_of_an_import_is_that_of_a_job() {
    let fixture = Fixture::empty();
    let report = fixture.import(&[("a.json", r#"{"Roles": [{"Name": "Engineer"}]}"#)]).unwrap();
    let line = |severity, action: &str, message: &str| (severity, action.to_owned(), message.to_owned());
    assert_eq!(
        fixture.log(report.job),
        [
            line(LogType::Information, "Import Roles", "1 loaded, 1 of them new"),
            line(LogType::Information, "Import", "1 loaded from a.json"),
        ]
    );
    let Err(Error::Refused(refused)) = fixture.import(&[("a.json", r#"{"Roles": [{"Id": 7}]}"#)]) else { panic!() };
    assert_eq!(
        fixture.log(refused.job),
        [
            line(LogType::Error, "Import Roles", "a.json:1: Name is missing"),
            line(LogType::Error, "Import", "nothing of a.json is kept; problems: 1"),
        ]
    );
}

#[test]
fn no_more_problems_are_reported_than_anybody_reads() {
    let fixture = Fixture::empty();
    let rows = vec!["{}"; 250].join(",");
    let Err(Error::Refused(refused)) = fixture.import(&[("a.json", &format!("{{\"Roles\": [{rows}]}}"))]) else {
        panic!()
    };
    assert_eq!((refused.problems.len(), refused.more), (100, 150));
    assert!(refused.to_string().ends_with("\n  and 150 more"));
}

#[test]
fn files_are_read_and_missing_ones_reported() {
    let fixture = Fixture::empty();
    let path = fixture.folder.path().join("Roles.csv");
    fs::write(&path, "Id,Name\n1,Engineer\n").unwrap();
    run(&fixture.store, &[path], None, &()).unwrap();
    assert!(fixture.export().contains("Engineer"));
    let error = run(&fixture.store, &[PathBuf::from("none.json")], None, &()).unwrap_err();
    assert_eq!(error.to_string(), "none.json cannot be read");
}
