//! Reads any JSON as every generated model: what the server accepts survives a round trip, also through the
//! client; a violation has a location in the text.
#![no_main]

use std::sync::OnceLock;

use codegen_fuzz::mutate::{self, Donors};
use codegen_fuzz::names;
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

/// Calls a function with every model.
macro_rules! models {
    ($bytes:expr, $tree:expr, $($model:ident)*) => {
        $(check::<server::$model, client::$model>($bytes, $tree);)*
    };
}

fuzz_target!(|bytes: &[u8]| {
    let tree = serde_json::from_slice(bytes).ok().filter(|tree| names::are_told_apart(bytes, tree));
    models!(
        bytes, tree.as_ref(),
        Account AccountAddress Animal Area Beast Body Bound BoxModel Call Car CarBase Card Cat Choice
        Circle Client Closed Color Combination CombinationRatio CombinationRatioString Company Con Constants
        ConstantsNotice ConstantsOutcome ConstantsRelease Contact Corner CowModel DefaultModel Direction Dog
        DogSpecies Download Employee EqModel ErrModel Error Export ExportState Failure Fast Feast Fields
        FindAnimalsBody FirstRelease Fish FishWater Fleet Formula Friend FromModel Horse
        HorseKind Human Instant IoExampleV1Thing Item IteratorModel Job JobState KindModel Lamp LampStandard
        LampState Language Left Level Limit ListItemsResponseXColorsItem ListLampsSort Long Manager MaybeFriend
        MaybeModel Medal Member Members Mistake Mod Moment MomentString Named Negative Nested
        NoneModel NoneNone Note NumberedAccount NumberedAccountHeld NumberedAccountSort OkModel Opened
        OptionModel OptionResponse Options OptionsBounded OptionsBoundedAuto Order OrderForm OrderFormChoice
        Owner OwnerBase Page PageMeta Part Payment PaymentCash Period Person Pet Place Point Preferences Profile
        Prompt Reachable ReachableByPhone ReachableByPost ReadModel Reading Response ResultModel Right Rule
        SecondRelease SecondReleaseNumber SendFormBody SendModel Settings SettingsInlineValue
        SeveralInOneSegmentExtension ShapeModel ShapePoint SomeModel SomeModel2 Span Square StartExportBody
        StringModel Success Sum Thing Thing2 Thing3 Thing4 ThingThing ThingThing2 ThingThing3 ThingThing4 Tick
        TickEvent TimestampModel Track TrackPointItem3 Transfer Tree Trouble Truck Type TypeOrder TypeOrder2
        UnknownModel UnknownUnknown UploadFilesBodyKind User Users Value Value2DPoint ValueSelf ValueSelfThing
        Values Van Vehicle Wallet WalletFound Word WriteModel WriterModel
    );
});

fuzz_mutator!(|data: &mut [u8], size: usize, max_size: usize, seed: u32| {
    static DONORS: OnceLock<Donors> = OnceLock::new();
    let donors = DONORS.get_or_init(|| Donors::new(&[include_str!("../models.json")], ""));
    mutate::mutate(data, size, max_size, seed, donors)
});
