//! Documentation of models and members.

use super::lowered::schemas;
use crate::ir::ModelKind;

#[test]
fn titles_that_are_names_say_nothing() {
    let lowered = schemas(&["
        ToolCall:
          title: Tool Call
          properties:
            call_id: { title: Call Id, type: string }
            other: { title: Another one, type: string }
            inner: { title: Inner, description: Said., type: object }
    "]);
    assert_eq!(lowered.api.models[0].doc, None);
    let ModelKind::Struct(struct_) = &lowered.api.models[0].kind else { panic!("it is one") };
    let docs: Vec<_> = struct_.fields.iter().map(|field| field.doc.as_deref()).collect();
    assert_eq!(docs, [None, Some("Another one"), Some("Said.")]);
}
