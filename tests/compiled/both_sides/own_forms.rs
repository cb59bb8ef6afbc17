//! Round trips of types with conversion functions of the user, in the format of the functions on the wire.

use std::collections::BTreeMap;
use std::time::Duration;

use crate::client_side::models::{Shift as Sent, ShiftEither};
use crate::client_side::own_forms as client;
use crate::client_side::runtime::json::{self, Maybe};
use crate::server_side::models::Shift;
use crate::server_side::own_forms::{OwnForms, PutShift, PutShiftResponse, router};
use crate::server_side::runtime::server::{Call, Failure, Options};
use chrono::{DateTime, Utc, Weekday};
use serde_json::{Value, json};

use crate::serve::{client_of, serve};

struct Roster;

impl OwnForms for Roster {
    async fn put_shift(&self, _: Call<()>, request: PutShift) -> Result<PutShiftResponse, Failure<PutShift>> {
        let PutShift { weekday, since, weekdays, rest, x_pause, x_until, body } = request;
        let body = Shift { weekdays, free: rest, pause: x_pause, until: Maybe::or_null(x_until), ..body };
        Ok(PutShiftResponse { x_since: since, x_weekday: weekday, body })
    }
}

fn instant() -> DateTime<Utc> {
    DateTime::from_timestamp(1_767_323_045, 0).expect("it is in range")
}

fn minutes<T: From<Duration>>(count: u64) -> T {
    Duration::from_mins(count).into()
}

fn shift() -> Sent {
    Sent {
        end: Some(DateTime::UNIX_EPOCH.into()),
        next: Maybe::Null,
        times: Some(vec![Some(instant().into()), None]),
        weekdays: Some(vec![Weekday::Mon.into(), Weekday::Tue.into()]),
        pauses: Some(BTreeMap::from([("noon".to_owned(), minutes(30))])),
        either: Some(ShiftEither::GermanWeekday(Weekday::Wed.into())),
        iso: Some(instant()),
        ..Sent::new(instant().into(), Weekday::Thu.into(), minutes(480))
    }
}

#[tokio::test]
async fn they_arrive_in_every_place() {
    let client = client_of(router(Roster, &Options::default())).await;
    let weekdays = Some(vec![Weekday::Sat.into(), Weekday::Sun.into()]);
    let request = client::PutShift {
        weekday: Weekday::Fri.into(),
        since: Some(instant().into()),
        weekdays: weekdays.clone(),
        rest: Some(Weekday::Sun.into()),
        x_pause: Some(minutes(15)),
        x_until: Some(instant().into()),
        body: shift(),
    };
    let answer = client.own_forms().put_shift(request).await.expect("it is answered");
    assert_eq!(answer.x_since, Some(instant().into()));
    assert_eq!(answer.x_weekday, Ok(Weekday::Fri.into()));
    let expected = Sent {
        weekdays,
        free: Some(Weekday::Sun.into()),
        pause: Some(minutes(15)),
        until: Maybe::Value(instant().into()),
        ..shift()
    };
    assert_eq!(answer.body, expected);
}

#[test]
fn between_the_two_they_have_the_form_of_the_functions() {
    let sent: Value = serde_json::from_slice(&json::to_vec(&shift())).expect("it is JSON");
    assert_eq!(
        sent,
        json!({
            "start": "02.01.2026 03:04:05",
            "weekday": "Donnerstag",
            "lasts": 28800,
            "end": "01.01.1970 00:00:00",
            "next": null,
            "times": ["02.01.2026 03:04:05", null],
            "weekdays": ["Montag", "Dienstag"],
            "pauses": { "noon": 1800 },
            "either": "Mittwoch",
            "iso": "2026-01-02T03:04:05Z",
        })
    );
}

#[tokio::test]
async fn what_the_functions_refuse_is_a_violation_at_its_place() {
    let address = serve(router(Roster, &Options::default())).await;
    let body = json!({
        "start": "2026-01-02T03:04:05Z", "weekday": "Mon", "lasts": "60", "end": null, "free": "montag", "pause": 1.5,
        "until": "yesterday", "times": ["02.01.2026 03:04:05", null, "02.01.2026"], "weekdays": ["Montag", "Montag"],
        "pauses": { "noon": -1 }, "iso": "02.01.2026 03:04:05",
    });
    let url = format!("{address}/shifts/Fri?since=2026-01-02T03:04:05Z&weekdays=Montag&weekdays=Tue");
    let request = reqwest::Client::new().put(url).header("content-type", "application/json");
    let request = request.header("x-pause", "a minute").header("x-until", "noon").body(body.to_string());
    let answer = request.send().await.expect("it is answered");
    assert_eq!(answer.status(), 422);
    let problem: Value = serde_json::from_slice(&answer.bytes().await.expect("it has a body")).expect("it is JSON");
    let errors = problem["errors"].as_array().expect("it lists them");
    // A parameter has a name, and its list items also have a pointer.
    let text = |member: &Value| member.as_str().unwrap_or_default().to_owned();
    let place = |error: &Value| text(&error["name"]) + &text(&error["pointer"]);
    let mut places: Vec<_> = errors.iter().map(place).collect();
    places.sort_unstable();
    let expected = [
        "/end",
        "/free",
        "/iso",
        "/lasts",
        "/pause",
        "/pauses/noon",
        "/start",
        "/times/2",
        "/until",
        "/weekday",
        "/weekdays/1",
        "X-Pause",
        "X-Until",
        "since",
        "weekday",
        "weekdays/1",
    ];
    assert_eq!(places, expected, "{errors:#?}");
    let detail = |at: &str| {
        let error = errors.iter().find(|error| place(error) == at);
        error.and_then(|error| error["detail"].as_str()).expect("it is one of them")
    };
    assert_eq!(detail("/weekday"), "is `Mon`: the week goes from `Montag` to `Sonntag`");
    assert_eq!(detail("weekday"), "is `Fri`: the week goes from `Montag` to `Sonntag`");
    assert_eq!(detail("/pauses/noon"), "is `-1`: invalid digit found in string");
    assert_eq!(detail("/lasts"), "is a string, not a number");
}
