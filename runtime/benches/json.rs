//! A list of 25 rows of 31 members, read and written, beside serde_json's derive.

use std::hint::black_box;
use std::time::{Duration, Instant};

use codegen_runtime::json::{self, Json, Read, Reader, Write, Writer};
use jiff::Timestamp;
use serde::{Deserialize, Serialize};

macro_rules! row {
    ($($field:ident $name:literal $type:ty = $value:expr),* $(,)?) => {
        #[derive(Clone, Debug, PartialEq, Json, Serialize, Deserialize)]
        #[json(any_case, closed, without(Serialize, Deserialize))]
        struct Row {
            $(
                #[json($name, nullable, expected)]
                #[serde(rename = $name)]
                $field: Option<$type>,
            )*
        }

        impl Row {
            fn sample(number: i32) -> Self {
                $(let $field: fn(i32) -> Option<$type> = $value;)*
                Self { $($field: $field(number),)* }
            }
        }
    };
}

row! {
    id "Id" i32 = Some,
    account_name "AccountName" String = |number| Some(format!("Account number {number}")),
    account_code "AccountCode" String = |number| Some(format!("ACC{number:05}")),
    account_type "AccountType" String = |_| Some("Customer".into()),
    account_type_id "AccountTypeId" i32 = |_| Some(3),
    parent_name "ParentAccountName" String = |_| None,
    parent_id "ParentAccountId" i32 = |_| None,
    manager "AccountManager" String = |_| Some("Grace Hopper".into()),
    manager_id "AccountManagerId" i32 = |number| Some(number * 7),
    lead_source "LeadSource" String = |_| Some("Trade show".into()),
    website "Website" String = |number| Some(format!("https://www.example-{number}.com/about/us")),
    phone "Phone" String = |_| Some("+44 20 7946 0000".into()),
    fax "Fax" String = |_| None,
    email "Email" String = |number| Some(format!("office@example-{number}.com")),
    line_1 "AddressLine1" String = |_| Some("1 Analytical \"Engine\" Way".into()),
    line_2 "AddressLine2" String = |_| None,
    city "City" String = |_| Some("Zürich".into()),
    state "State" String = |_| Some("ZH".into()),
    zip "ZipCode" String = |_| Some("8001".into()),
    country "Country" String = |_| Some("Switzerland".into()),
    country_id "CountryId" i32 = |_| Some(756),
    active "IsActive" bool = |_| Some(true),
    taxable "IsTaxable" bool = |_| Some(false),
    credit "CreditLimit" f64 = |number| Some(f64::from(number) * 12.25),
    balance "Balance" f64 = |number| Some(f64::from(number) / 3.0),
    open_tickets "OpenTickets" i64 = |number| Some(i64::from(number) * 100),
    created_by "CreatedBy" String = |_| Some("import".into()),
    created_on "CreatedOn" Time = |number| Timestamp::from_second(1_700_000_000 + i64::from(number)).ok().map(Time),
    modified_by "ModifiedBy" String = |_| Some("ada.lovelace".into()),
    modified_on "ModifiedOn" Time = |number| Timestamp::from_second(1_750_000_000 + i64::from(number)).ok().map(Time),
    notes "Notes" String = |_| Some("Prefers to be called in the morning.\nPays late, but pays.".into()),
}

/// A time as serde users write it.
#[derive(Clone, Debug, PartialEq)]
struct Time(Timestamp);

impl Serialize for Time {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(&self.0)
    }
}

impl<'de> Deserialize<'de> for Time {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = std::borrow::Cow::<'de, str>::deserialize(deserializer)?;
        text.parse().map(Self).map_err(serde::de::Error::custom)
    }
}

impl Read for Time {
    fn read(json: &mut Reader<'_>) -> Option<Self> {
        Timestamp::read(json).map(Self)
    }
}

impl Write for Time {
    fn write(&self, json: &mut Writer) {
        self.0.write(json);
    }
}

/// The median time of a call, in microseconds.
fn median<T>(mut call: impl FnMut() -> T) -> f64 {
    let mut times: Vec<Duration> = Vec::new();
    for _ in 0..200 {
        let start = Instant::now();
        for _ in 0..20 {
            black_box(call());
        }
        times.push(start.elapsed() / 20);
    }
    times.sort_unstable();
    times[times.len() / 2].as_secs_f64() * 1e6
}

fn compare(what: &str, ours: f64, theirs: f64) {
    println!("{what}: {ours:.1} µs, serde_json {theirs:.1} µs, ratio {:.2}", ours / theirs);
}

fn main() {
    let rows: Vec<Row> = (1..=25).map(Row::sample).collect();
    let text = json::to_vec(&rows);
    for _ in 0..3 {
        compare("write", median(|| json::to_vec(&rows)), median(|| serde_json::to_vec(&rows)));
        compare(
            "read",
            median(|| json::from_slice_strict::<Vec<Row>>(&text)),
            median(|| serde_json::from_slice::<Vec<Row>>(&text)),
        );
    }
}
