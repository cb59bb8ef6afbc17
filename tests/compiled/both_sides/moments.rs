//! Round trips of dates and times of chrono and time, in RFC 3339 format on the wire.

use std::collections::BTreeMap;

use crate::client_side::models::{Appointment as Sent, AppointmentEither};
use crate::client_side::moments as client;
use crate::client_side::runtime::json::{self, Maybe};
use crate::server_side::models::Appointment;
use crate::server_side::moments::{Moments, PutAppointment, PutAppointmentResponse, router};
use crate::server_side::runtime::server::{Call, Failure, Options};
use chrono::{DateTime, FixedOffset, NaiveDate, NaiveTime, Utc};
use serde_json::{Value, json};
use time::{Date, Month, OffsetDateTime, PrimitiveDateTime, Time, UtcOffset};

use crate::serve::{client_of, serve};

struct Calendar;

impl Moments for Calendar {
    async fn put_appointment(
        &self,
        _: Call<()>,
        request: PutAppointment,
    ) -> Result<PutAppointmentResponse, Failure<PutAppointment>> {
        let PutAppointment { day, since, days, x_at, body } = request;
        let holiday = days.and_then(|days| days.first().copied());
        let body = Appointment { day: Some(day), holiday: Maybe::or_null(holiday), alarm: x_at, ..body };
        Ok(PutAppointmentResponse { x_since: since, body })
    }
}

fn instant() -> DateTime<Utc> {
    DateTime::from_timestamp(1_767_323_045, 500_000_000).expect("it is in range")
}

fn appointment() -> Sent {
    let offset = FixedOffset::east_opt(5400).expect("it is an offset");
    let date = Date::from_calendar_date(2026, Month::January, 2).expect("there is such a day");
    let clock = Time::from_hms(3, 4, 5).expect("there is such a time");
    let wall = PrimitiveDateTime::new(date, clock);
    let reminder = wall.assume_offset(UtcOffset::from_hms(-1, -30, 0).expect("it is an offset"));
    Sent {
        end: Some(instant().with_timezone(&offset)),
        clock: NaiveTime::from_hms_opt(3, 4, 5),
        local: NaiveDate::from_ymd_opt(2026, 1, 2).and_then(|day| day.and_hms_opt(3, 4, 5)),
        reminders: Some(vec![OffsetDateTime::UNIX_EPOCH, reminder]),
        guests: Some(BTreeMap::from([("ann".to_owned(), wall.as_utc())])),
        wall: Some(wall),
        either: Some(AppointmentEither::PointInTime(instant())),
        ..Sent::new(instant())
    }
}

#[tokio::test]
async fn they_arrive_in_every_place() {
    let client = client_of(router(Calendar, &Options::default())).await;
    let day = NaiveDate::from_ymd_opt(2026, 12, 31).expect("there is such a day");
    let holiday = Date::from_calendar_date(2026, Month::May, 1).expect("there is such a day");
    let at = Time::from_hms_milli(23, 59, 59, 120).expect("there is such a time");
    let request = client::PutAppointment {
        day,
        since: Some(instant()),
        days: Some(vec![holiday]),
        x_at: Some(at),
        body: appointment(),
    };
    let answer = client.moments().put_appointment(request).await.expect("it is answered");
    assert_eq!(answer.x_since, Some(instant()));
    let expected = Sent { day: Some(day), holiday: Maybe::Value(holiday), alarm: Some(at), ..appointment() };
    assert_eq!(answer.body, expected);
}

#[test]
fn between_the_two_they_are_rfc_3339() {
    let sent: Value = serde_json::from_slice(&json::to_vec(&appointment())).expect("it is JSON");
    assert_eq!(
        sent,
        json!({
            "start": "2026-01-02T03:04:05.500Z",
            "end": "2026-01-02T04:34:05.500+01:30",
            "clock": "03:04:05",
            "local": "2026-01-02T03:04:05",
            "reminders": ["1970-01-01T00:00:00Z", "2026-01-02T03:04:05-01:30"],
            "guests": { "ann": "2026-01-02T03:04:05Z" },
            "wall": "2026-01-02T03:04:05",
            "either": "2026-01-02T03:04:05.500Z",
        })
    );
}

#[tokio::test]
async fn what_is_not_is_a_violation_at_its_place() {
    let address = serve(router(Calendar, &Options::default())).await;
    let body = json!({
        "start": "2026-01-02 03:04:05 UTC", "end": "2026-01-02", "clock": "3:04", "local": "2026-01-02T03:04:05Z",
        "reminders": ["2026-01-02T03:04:05Z", "2026-01-02T03:04:05Z"], "guests": { "a": "yesterday" }, "holiday": "2026-1-2",
    });
    let request = reqwest::Client::new().put(format!("{address}/appointments/2026-1-2?since=2026-01-02T03:04:05"));
    let request = request.header("content-type", "application/json").header("x-at", "noon").body(body.to_string());
    let answer = request.send().await.expect("it is answered");
    assert_eq!(answer.status(), 422);
    let problem: Value = serde_json::from_slice(&answer.bytes().await.expect("it has a body")).expect("it is JSON");
    let errors = problem["errors"].as_array().expect("it lists them");
    let mut places: Vec<_> =
        errors.iter().filter_map(|error| error["pointer"].as_str().or(error["name"].as_str())).collect();
    places.sort_unstable();
    let expected =
        ["/clock", "/end", "/guests/a", "/holiday", "/local", "/reminders/1", "/start", "X-At", "day", "since"];
    assert_eq!(places, expected, "{errors:#?}");
    let start = errors.iter().find(|error| error["pointer"] == "/start").expect("it is one of them");
    assert_eq!(start["detail"], "is `2026-01-02 03:04:05 UTC`, not a date and time such as `2025-01-31T12:00:00Z`");
}
