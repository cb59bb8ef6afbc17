//! `webhooks`: no code sends or receives them yet, but what they carry has types.

use super::{Context, name};
use crate::diagnostic::Code;
use crate::ir::Type;

impl Context<'_> {
    /// Makes models of the bodies of all webhooks.
    pub(crate) fn webhooks(&mut self) {
        let Some(webhooks) = self.node(&self.document.root.member("webhooks")) else { return };
        let members = webhooks.own_members();
        if members.is_empty() {
            return;
        }
        self.report(Code::NotUsed, &webhooks.location.name(), "no code sends or receives webhooks")
            .label("the bodies have types in `models`");
        for (webhook, item) in members {
            let Some(item) = self.follow(&item) else { continue };
            for (method, operation) in item.own_members() {
                let Some(body) = operation.get("requestBody").and_then(|body| self.follow(&body)) else { continue };
                let id = operation.text("operationId");
                let hint = name::pascal(&id.map_or_else(|| format!("{method} {webhook}"), str::to_owned));
                for (_, media_type) in body.members("content") {
                    if let Some(schema) = media_type.get("schema") {
                        // No operation leads to it, so it stays only by a name of its own.
                        if let Type::Model(id) = self.value(&schema, &format!("{hint}Body")).ty {
                            self.models.get_mut(id).named = true;
                        }
                    }
                }
            }
        }
    }
}
