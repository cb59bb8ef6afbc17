//! The call of an operation in one line, for documentation.

use super::entry;
use crate::emit::operation::request;
use crate::ir::{Api, Operation, ShortForm, Tag};

/// `client.accounts().put_account(PutAccount::new(id, body))`: required values have the names of their fields.
pub(crate) fn snippet(api: &Api, tag: &Tag, operation: &Operation) -> String {
    let (tag, method) = (entry::method(tag), &operation.method_rust);
    format!("client.{tag}().{method}({})", argument(api, operation))
}

fn argument(api: &Api, operation: &Operation) -> String {
    let slots = request::slots(api, operation);
    let name = &operation.name.rust;
    let required = slots.iter().filter(|slot| slot.absent().is_none());
    let mut fields: Vec<_> = required.map(|slot| slot.rust.to_owned()).collect();
    match operation.short_form(api) {
        ShortForm::Unit if slots.is_empty() => "()".to_owned(),
        ShortForm::Unit => format!("{name}::default()"),
        ShortForm::Value => fields.concat(),
        ShortForm::New => format!("{name}::new({})", fields.join(", ")),
        ShortForm::None => {
            if fields.len() < slots.len() && operation.has_client_default(api) {
                fields.push("..Default::default()".to_owned());
            } else {
                fields.extend(slots.iter().filter_map(|slot| Some(slot.absent()?.to_string().replace(" :", ":"))));
            }
            format!("{name} {{ {} }}", fields.join(", "))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::snippet;

    fn call(rest: &str) -> String {
        let yaml = format!(
            "openapi: 3.0.3\ninfo: {{ title: T, version: '1' }}\npaths:\n  /a:\n    post: {{ tags: [pets], operationId: add, \
             {rest}, responses: {{ '204': {{ description: a }} }} }}\n"
        );
        let description = crate::Generator::new().read(&crate::Source::text(yaml)).expect("it is a description");
        let tag = &description.api().tags[0];
        snippet(description.api(), tag, &tag.operations[0])
    }

    #[test]
    fn a_request_is_written_in_its_shortest_form() {
        let text = |name: &str, required: bool| {
            format!("{{ name: {name}, in: query, required: {required}, schema: {{ type: string }} }}")
        };
        let number = "{ name: number, in: query, required: true, schema: { type: integer } }";
        let (one, two, maybe) = (text("one", true), text("two", true), text("maybe", false));
        for (parameters, expected) in [
            (String::new(), "()"),
            (maybe.clone(), "Add::default()"),
            (format!("{one}, {maybe}"), "one"),
            (format!("{one}, {number}, {maybe}"), "Add::new(one, number)"),
            (format!("{one}, {two}"), "Add { one, two }"),
            (format!("{one}, {two}, {maybe}"), "Add { one, two, ..Default::default() }"),
        ] {
            let expected = format!("client.pets().add({expected})");
            assert_eq!(call(&format!("parameters: [{parameters}]")), expected);
        }
    }
}
