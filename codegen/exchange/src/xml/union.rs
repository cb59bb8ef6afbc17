//! Unions whose variants have one form.

use serde_json::Value;

use super::form::{Form, Holds, Member, Node, Others};
use super::parts::{Parts, closes, says_only};
use crate::document::Document;

/// How deep unions are nested whose variants are compared.
const DEEPEST: usize = 3;

impl<'d> Parts<'d> {
    /// What the variants hold, if all of them have one form.
    pub(super) fn union(&self, document: &'d Document, depth: usize) -> Option<Holds<'d>> {
        if depth > DEEPEST {
            return None;
        }
        let mut forms = Vec::new();
        for list in &self.variants {
            // `{ required: [a] }` is a condition on the members next to it.
            let is_condition = |variant: &&Value| !self.members().is_empty() && says_only(variant, &["required"]);
            let list: Option<Vec<_>> = list
                .iter()
                .filter(|variant| !is_condition(variant) || variant.get("$ref").is_some())
                .map(|variant| Form::nested(document, &[*variant], depth + 1))
                .collect();
            forms.push(list?);
        }
        let mut members = self.members();
        let all = |is: fn(&Holds<'_>) -> bool| forms.iter().flatten().all(|form| is(&form.holds));
        if members.is_empty() && all(|holds| matches!(holds, Holds::Text)) {
            return Some(Holds::Text);
        }
        if members.is_empty() && all(|holds| matches!(holds, Holds::Number)) {
            return Some(Holds::Number);
        }
        let mut is_closed = self.schemas.iter().any(|schema| closes(schema));
        for list in &forms {
            is_closed |=
                !list.is_empty() && list.iter().all(|form| matches!(form.holds, Holds::Object(_, Others::Refused)));
            for form in list {
                let Holds::Object(found, others) = &form.holds else { return None };
                if matches!(others, Others::Elements(_)) {
                    return None;
                }
                for member in found {
                    add(document, &mut members, member, depth)?;
                }
            }
        }
        for member in &mut members {
            let has = |form: &Form<'_>| match &form.holds {
                Holds::Object(found, _) => found.iter().any(|other| other.json == member.json && other.required),
                _ => false,
            };
            let is_sometimes_required = forms.iter().flatten().any(has);
            member.required |= forms.iter().any(|list| !list.is_empty() && list.iter().all(has));
            // Without an element of its own, an empty one is not told from an absent one.
            if is_sometimes_required && !member.required {
                let node = Form::nested(document, &member.schemas, depth + 1)?.node()?;
                if matches!(node, Node::Items | Node::Text) {
                    return None;
                }
            }
        }
        Some(Holds::Object(members, if is_closed { Others::Refused } else { Others::Skipped }))
    }
}

/// Adds a member of a variant; `None` if another variant writes it differently.
fn add<'d>(document: &'d Document, members: &mut Vec<Member<'d>>, member: &Member<'d>, depth: usize) -> Option<()> {
    let Some(known) = members.iter().find(|known| known.json == member.json) else {
        members.push(Member { required: false, schemas: member.schemas.clone(), ..*member });
        return Some(());
    };
    let is_same = known.schemas == member.schemas || {
        let form = |schemas: &[&'d Value]| Form::nested(document, schemas, depth + 1);
        let (one, other) = (form(&known.schemas)?, form(&member.schemas)?);
        let is_alike = match (&one.holds, &other.holds) {
            (Holds::Text, Holds::Text) | (Holds::Number, Holds::Number) | (Holds::Boolean, Holds::Boolean) => true,
            (Holds::List(one), Holds::List(other)) => one == other,
            _ => false,
        };
        is_alike && one.node() == other.node() && {
            one.member_name(document, member.json) == other.member_name(document, member.json)
        }
    };
    is_same.then_some(())
}
