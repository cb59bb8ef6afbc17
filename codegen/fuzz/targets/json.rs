//! Reads any JSON as generated models: what the server accepts survives a round trip, also through the
//! client; a violation has a location in the text.
#![no_main]

use std::sync::OnceLock;

use specwright_fuzz::mutate::{self, Donors};
use specwright_fuzz::names;
use compiled_client::{models as client, runtime::json as client_json};
use compiled_server::{models as server, runtime::json as server_json, runtime::violation::Violation};
use libfuzzer_sys::{fuzz_mutator, fuzz_target};
use serde_json::Value;

fn check<S, C>(bytes: &[u8], tree: Option<&Value>)
where
    S: server_json::Read + server_json::Write,
    C: client_json::Read + client_json::Write,
{
    // Compare the output, not the values: without unread members, another variant may match first.
    if let Ok(value) = client_json::from_slice::<C>(bytes) {
        let written = client_json::to_vec(&value);
        assert_eq!(by_client::<C>(&written), shown(&written));
    }
    let value = match server_json::from_slice_strict::<S>(bytes) {
        Ok(value) => value,
        Err(violations) => {
            assert!(!violations.is_empty());
            if let Some(tree) = tree {
                violations.iter().for_each(|violation| assert!(stands_in(violation, tree), "{violation:?} in {tree}"));
            }
            return;
        }
    };
    let written = server_json::to_vec(&value);
    assert_eq!(by_server::<S>(&written), shown(&written));
    assert_eq!(by_server::<S>(by_client::<C>(&written).as_bytes()), shown(&written));
}

/// Reads and writes JSON with the server's model.
fn by_server<S: server_json::Read + server_json::Write>(bytes: &[u8]) -> String {
    let value = server_json::from_slice_strict::<S>(bytes);
    shown(&server_json::to_vec(&value.unwrap_or_else(|violations| panic!("{violations:?} in {}", shown(bytes)))))
}

/// Reads and writes JSON with the client's model.
fn by_client<C: client_json::Read + client_json::Write>(bytes: &[u8]) -> String {
    let value = client_json::from_slice::<C>(bytes);
    shown(&client_json::to_vec(&value.unwrap_or_else(|violations| panic!("{violations:?} in {}", shown(bytes)))))
}

fn shown(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

/// Whether the pointer leads to a value, or to a missing member of an object.
fn stands_in(violation: &Violation, tree: &Value) -> bool {
    let pointer = &violation.pointer;
    tree.pointer(pointer).is_some()
        || pointer.rsplit_once('/').is_some_and(|(parent, _)| tree.pointer(parent).is_some_and(Value::is_object))
}

/// Checks each of these models.
macro_rules! models {
    ($bytes:expr, $tree:expr, $($model:ident)*) => {
        $(check::<server::$model, client::$model>($bytes, $tree);)*
    };
}

fuzz_target!(|bytes: &[u8]| {
    let tree = serde_json::from_slice(bytes).ok().filter(|tree| names::are_told_apart(bytes, tree));
    // A few of each shape: objects, enums, unions of each kind, lists, maps, tuples, dates and aliases.
    models!(
        bytes, tree.as_ref(),
        Account Animal Beast Color Constants Failure Instant Job Members Moment NumberedAccount Payment Period Pet
        Place Reachable Settings Sum Track Transfer Tree Users Value Vehicle
    );
});

fuzz_mutator!(|data: &mut [u8], size: usize, max_size: usize, seed: u32| {
    static DONORS: OnceLock<Donors> = OnceLock::new();
    let donors = DONORS.get_or_init(|| Donors::new(&[include_str!("../models.json")], ""));
    mutate::mutate(data, size, max_size, seed, donors)
});
