use super::*;
use crate::{
    domain::tenant::TenantId,
    export, sample,
    store::{Options, Store},
};

fn store() -> (tempfile::TempDir, Store, TenantStore) {
    let folder = tempfile::tempdir().unwrap();
    let store = Store::open(&folder.path().join("store.sqlite"), &Options::default()).unwrap();
    let tenant = store.tenant(TenantId::FIRST);
    (folder, store, tenant)
}

fn exported(store: &TenantStore) -> String {
    let mut bytes = Vec::new();
    export::run(store, &mut bytes).unwrap();
    String::from_utf8(bytes).unwrap()
}

#[test]
fn what_is_exported_is_imported_the_same() {
    let (_folder, _store, first) = store();
    let report = sample::load(&first).unwrap();
    println!("{report}");
    let text = exported(&first);
    let (_folder, _store, second) = store();
    let source = Source { file: "export.json".into(), bytes: text.clone().into() };
    load(&second, &[source], None, &Quiet).unwrap();
    assert_eq!(exported(&second), text);
}
