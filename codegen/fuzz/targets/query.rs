//! Reads any query as every generated model that has a form, and any texts in every style; all values must
//! survive a round trip.
#![no_main]

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::fmt::Debug;

use compiled_client::{models as client, runtime::json as client_json, runtime::parameter as client_parameter};
use compiled_server::runtime::parameter::{Field, FromParameter, Pairs, Raw, Shape, Style, read_form};
use compiled_server::{models as server, runtime::json as server_json};
use libfuzzer_sys::fuzz_target;

const STYLES: [(Style, client_parameter::Style); 8] = [
    (Style::MATRIX, client_parameter::Style::MATRIX),
    (Style::LABEL, client_parameter::Style::LABEL),
    (Style::SIMPLE, client_parameter::Style::SIMPLE),
    (Style::FORM, client_parameter::Style::FORM),
    (Style::SPACE_DELIMITED, client_parameter::Style::SPACE_DELIMITED),
    (Style::PIPE_DELIMITED, client_parameter::Style::PIPE_DELIMITED),
    (Style::TAB_DELIMITED, client_parameter::Style::TAB_DELIMITED),
    (Style::DEEP_OBJECT, client_parameter::Style::DEEP_OBJECT),
];

/// Reads a form as a model: the client must send what the server accepts in an equivalent form.
fn check<S, C>(form: &[u8])
where
    S: FromParameter + server_json::Write + PartialEq + Debug,
    C: client_json::Read + client_parameter::ToParameter + Debug,
{
    let Ok(value) = read_form::<S>(form, &[], false) else { return };
    let json = server_json::to_vec(&value);
    // Forms cannot represent empty objects and lists.
    if json.windows(2).any(|pair| matches!(pair, b"{}" | b"[]")) {
        return;
    }
    let same: C = client_json::from_slice(&json).unwrap_or_else(|found| panic!("{found:?}: {value:?}"));
    let form = client_parameter::write_form(&same);
    assert_eq!(read_form::<S>(form.as_bytes(), &[], false).as_ref(), Ok(&value), "{form}");
}

/// Calls a function with every model.
macro_rules! models {
    ($form:expr, $($model:ident)*) => {
        $(check::<server::$model, client::$model>($form);)*
    };
}

fuzz_target!(|bytes: &[u8]| {
    models!(
        bytes,
        Area Combination Fields Formula Left Medal Negative Nested Note OrderForm OrderFormChoice Point Right
        SendFormBody Sum Tree Wallet WalletFound
    );
    let Ok(text) = std::str::from_utf8(bytes) else { return };
    for explode in [false, true] {
        for (read, write) in STYLES.map(|(read, write)| (read.explode(explode), write.explode(explode))) {
            for shape in [Shape::Primitive, Shape::Array, Shape::Object] {
                let _ = read.read_path("c", shape, text);
                let _ = read.read_header(shape, text);
                let _ = read.read_cookie("c", shape, None, &Pairs::cookies(text));
                let _ = read.read_query("c", shape, None, &Pairs::query(text).any_case());
            }
            there_and_back(text, read, write);
        }
    }
});

/// A round trip of the text, of the list of its lines and of the object of its `name=value` lines, written by
/// the client and read by the server.
fn there_and_back(text: &str, read: Style, write: client_parameter::Style) {
    // Delimited lists cannot distinguish an empty text from no text.
    let lines: Vec<&str> = text.split('\n').filter(|line| !line.is_empty()).collect();
    let members: BTreeMap<&str, &str> =
        lines.iter().filter_map(|line| line.split_once('=')).filter(|(name, _)| !name.is_empty()).collect();
    let lines = client_parameter::Raw::List(lines.into_iter().map(Cow::Borrowed).collect());
    let field =
        |(name, text)| client_parameter::Field { name: Cow::Borrowed(name), text: Cow::Borrowed(text), is_item: false };
    let members = members.into_iter().map(field).collect();
    for raw in [client_parameter::Raw::Text(text.into()), lines, client_parameter::Raw::Fields(members)] {
        let (shape, sent) = match &raw {
            client_parameter::Raw::Text(text) => (Shape::Primitive, Raw::Text(text.clone())),
            client_parameter::Raw::List(items) => (Shape::Array, Raw::List(items.clone())),
            client_parameter::Raw::Fields(fields) => {
                (Shape::Object, Raw::Fields(fields.iter().map(of_server).collect()))
            }
        };
        let is_empty = match &sent {
            Raw::Text(_) => false,
            Raw::List(items) => items.is_empty(),
            Raw::Fields(fields) => fields.is_empty(),
        };
        if [Style::SIMPLE, Style::LABEL, Style::MATRIX].contains(&read.explode(false)) {
            if !write.keeps_items(&raw) {
                continue;
            }
            let mut path = String::new();
            write.write_path("c", &raw, &mut path);
            assert_eq!(read.read_path("c", shape, &path).as_ref(), Ok(&sent), "{read:?} {path}");
        } else if !is_empty && write.keeps_pairs(&raw) && is_carried(read, &sent) {
            let mut query = String::new();
            write.write_query("c", &raw, &mut query);
            assert_eq!(read.read_query("c", shape, None, &Pairs::query(&query)), Ok(Some(sent)), "{read:?} {query}");
        }
    }
}

fn of_server<'a>(field: &client_parameter::Field<'a>) -> Field<'a> {
    Field { name: field.name.clone(), text: field.text.clone(), is_item: field.is_item }
}

/// Whether the style can represent the value in a query. Empty lists and objects have no representation.
fn is_carried(style: Style, raw: &Raw<'_>) -> bool {
    let style = style.explode(true);
    match raw {
        _ if style == Style::FORM => true,
        Raw::Fields(fields) => {
            style == Style::DEEP_OBJECT && fields.iter().all(|field| !field.name.contains(['[', ']']))
        }
        // A numbered list arrives as an object with numbers as names.
        Raw::List(_) => style != Style::DEEP_OBJECT,
        Raw::Text(_) => false,
    }
}
