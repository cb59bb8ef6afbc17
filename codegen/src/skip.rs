//! Leaves out parts of a description that have problems, and parts that depend on them.

mod graph;

use std::collections::BTreeMap;

use serde_json::Value;

use graph::{Graph, Kind, Part};

use crate::diagnostic::{Code, Diagnostic, Diagnostics, Policies};
use crate::files::Files;
use crate::location::{self, Location};
use crate::lower::is_method;

/// The result of reading, and the number of operations left out.
pub(crate) struct Remaining<T> {
    pub(crate) read: T,
    /// The number of operations left out.
    pub(crate) skipped: usize,
    pub(crate) warnings: Diagnostics,
}

/// Reads the tree of `entry` with `read`; while it has errors to skip, leaves out the affected parts and
/// reads the rest again.
pub(crate) fn leaving_out<T>(
    files: &dyn Files,
    entry: &str,
    mut tree: Value,
    policies: &Policies,
    read: impl Fn(Value, &mut Diagnostics) -> Option<T>,
) -> Result<Remaining<T>, Diagnostics> {
    let mut skipped = Skipped::default();
    loop {
        let rest = policies.may_skip().then(|| tree.clone());
        let mut found = Diagnostics::default();
        let read = read(tree, &mut found);
        policies.apply(&mut found);
        let rest = rest.filter(|_| found.has_errors());
        if let Some(rest) = rest.and_then(|rest| skipped.leave_out(files, entry, rest, &found, policies)) {
            tree = rest;
            continue;
        }
        let Skipped { operations, diagnostics: mut warnings } = skipped;
        policies.apply(&mut warnings);
        warnings.append(found);
        return match read {
            Some(read) if !warnings.has_errors() => Ok(Remaining { read, skipped: operations, warnings }),
            Some(_) | None => Err(warnings),
        };
    }
}

/// What has been left out.
#[derive(Debug, Default)]
struct Skipped {
    operations: usize,
    /// A warning for each part that was left out.
    diagnostics: Diagnostics,
}

impl Skipped {
    /// The entry's tree without the parts that have errors. `None` if an error is not to be skipped, belongs
    /// to no part, or would leave no operation.
    fn leave_out(
        &mut self,
        files: &dyn Files,
        entry: &str,
        mut tree: Value,
        found: &Diagnostics,
        policies: &Policies,
    ) -> Option<Value> {
        if found.errors().any(|error| !policies.skips(error.code)) {
            return None;
        }
        let graph = Graph::new(files, entry, &tree);
        let mut reasons: BTreeMap<&Part, &Diagnostic> = BTreeMap::new();
        for error in found.errors() {
            let parts = graph.parts_that_need(&error.location);
            if parts.is_empty() {
                return None;
            }
            for part in parts {
                reasons.entry(part).or_insert(error);
            }
        }
        if graph.parts().filter(|part| part.operations > 0).all(|part| reasons.contains_key(part)) {
            return None;
        }
        for (part, reason) in &reasons {
            self.operations += part.operations;
            self.say(entry, part, reason);
        }
        for pointer in reasons.into_keys().map(|part| part.pointer.clone()).collect::<Vec<_>>() {
            remove(&mut tree, &pointer);
        }
        Some(tree)
    }

    fn say(&mut self, entry: &str, part: &Part, reason: &Diagnostic) {
        let what = match &part.kind {
            Kind::Operation(name) => format!("the operation `{name}`"),
            Kind::Path(path) => format!("the path `{path}`"),
            Kind::Shared => format!("`#{}`", part.pointer),
        };
        let message = format!("{what} is left out: {}", reason.message);
        let code = reason.code;
        let diagnostic =
            self.diagnostics.report(Code::Skipped, &Location::at(entry, part.pointer.as_str()).name(), message);
        diagnostic.related(&reason.location, format!("{} {}", code.number(), code.name()));
        for help in &reason.help {
            diagnostic.help(help);
        }
    }
}

/// Removes a part; a path without operations is removed with it.
fn remove(tree: &mut Value, pointer: &str) {
    let Some((parent, _)) = pointer.rsplit_once('/') else { return };
    let Some(name) = location::tokens(&pointer[parent.len()..]).next() else { return };
    let Some(members) = tree.pointer_mut(parent).and_then(Value::as_object_mut) else { return };
    members.shift_remove(&name);
    let is_last = !members.keys().any(|name| holds_operations(name));
    if parent.starts_with("/paths/")
        && (holds_operations(&name) && is_last || item_of(parent) != parent && members.is_empty())
    {
        remove(tree, parent);
    }
}

/// Whether the member of a path item is an operation or contains some.
fn holds_operations(name: &str) -> bool {
    is_method(name) || name == OTHERS
}

/// The member of a path item with operations of nonstandard methods.
const OTHERS: &str = "additionalOperations";

/// The path item of an operation: the location itself, or its parent.
fn item_of(operations: &str) -> &str {
    operations.strip_suffix(OTHERS).and_then(|item| item.strip_suffix('/')).unwrap_or(operations)
}

#[cfg(test)]
mod tests {
    use std::io;

    use super::*;
    use crate::{Generated, Generator, Policy, Severity, Source};

    const DOCUMENT: &str = "
        openapi: 3.0.3
        info: { title: T, version: '1' }
        paths:
          /good:
            get: { operationId: good, responses: { '200': { $ref: '#/components/responses/Good' } } }
          /own:
            get: { operationId: own, parameters: 7 }
            put: { operationId: neighbour, responses: { '204': { description: Done. } } }
          /shared/{id}:
            parameters: [{ name: id, in: nowhere }]
            get: { responses: { '204': { description: Done. } } }
            put: { responses: { '204': { description: Done. } } }
          /far:
            get: { operationId: far, responses: { '200': { $ref: '#/components/responses/Far' } } }
          /outside: { $ref: items.yaml#/outside }
          /absent: { $ref: 'absent.yaml#/absent' }
        components:
          responses:
            Good: { description: Good. }
            Far: { description: Far., content: { application/json: { schema: { $ref: '#/components/schemas/Near' } } } }
          schemas:
            Near: { type: object, properties: { own: { $ref: '#/components/schemas/Wrong' } } }
            Wrong: { type: 7 }
            Unused: { type: 7 }
    ";

    const ITEMS: &str = "
        outside:
          get: { parameters: 7 }
          put: { responses: { '204': { description: Done. } } }
        unused: { get: 7 }
    ";

    fn generate(document: &str, policies: Policies) -> Result<Generated, Diagnostics> {
        let files = |path: &str| match path {
            "api.yaml" => Ok(document.as_bytes().to_vec()),
            "items.yaml" => Ok(ITEMS.as_bytes().to_vec()),
            _ => Err(io::ErrorKind::NotFound.into()),
        };
        Generator::new().policies(policies).generate(&Source::files(&files, "api.yaml"))
    }

    fn skip_errors() -> Policies {
        let mut policies = Policies::default();
        policies.set_all(Severity::Error, Policy::Skip).unwrap();
        policies
    }

    fn left_out(diagnostics: &Diagnostics) -> Vec<&str> {
        let skipped = diagnostics.iter().filter(|found| found.code == Code::Skipped);
        skipped.map(|found| found.message.split(" is left out").next().unwrap()).collect()
    }

    #[test]
    fn only_dependents_of_the_mistake_are_left_out() {
        let generated = generate(DOCUMENT, skip_errors()).unwrap();
        assert_eq!(
            left_out(&generated.warnings),
            [
                "`#/components/responses/Far`",
                "`#/components/schemas/Near`",
                "`#/components/schemas/Unused`",
                "`#/components/schemas/Wrong`",
                "the path `/absent`",
                "the operation `far`",
                "the path `/outside`",
                "the operation `own`",
                "the operation `GET /shared/{id}`",
                "the operation `PUT /shared/{id}`",
            ]
        );
        assert_eq!((generated.operations, generated.skipped), (2, 7));
        assert!(!generated.warnings.iter().any(|found| found.code == Code::UnresolvedReference));
    }

    #[test]
    fn additional_operations_are_left_out_one_by_one() {
        let document = "
            openapi: 3.2.0
            info: { title: T, version: '1' }
            paths:
              /notes:
                additionalOperations:
                  COPY: { operationId: copy, parameters: 7 }
                  LOCK: { operationId: lock, responses: { '204': { description: Done. } } }
              /others:
                additionalOperations: { COPY: { operationId: other, parameters: 7 } }
        ";
        let generated = generate(document, skip_errors()).unwrap();
        assert_eq!(left_out(&generated.warnings), ["the operation `copy`", "the operation `other`"]);
        assert_eq!((generated.operations, generated.skipped), (1, 2));
    }

    #[test]
    fn each_of_them_says_why() {
        let generated = generate(DOCUMENT, skip_errors()).unwrap();
        let far = generated.warnings.iter().find(|found| found.message.contains("`far`")).unwrap();
        assert_eq!(
            far.message,
            "the operation `far` is left out: one or a list of `string`, `number`, `integer`, `boolean`, `array`, `object`, `null` is wanted here"
        );
        let (place, label) = &far.related[0];
        assert_eq!((place.pointer(), label.as_str()), ("/components/schemas/Wrong/type", "E0203 wrong-type"));
    }

    #[test]
    fn warnings_may_cost_an_operation_too() {
        let document = DOCUMENT.split("/own:").next().unwrap().to_owned()
            + "/twice:\n            post: { operationId: good, responses: { '204': { description: Done. } } }\n        components: { responses: { Good: { description: Good. } } }\n";
        let mut policies = Policies::default();
        policies.set(Code::DuplicateOperationId, Policy::Skip).unwrap();
        let generated = generate(&document, policies).unwrap();
        assert_eq!((generated.operations, generated.skipped), (1, 1));
        assert_eq!(left_out(&generated.warnings), ["the operation `good`"]);
        let place = generated.warnings.iter().map(|found| found.location.to_string()).next();
        assert_eq!(place.as_deref(), Some("api.yaml#/paths/~1twice/post"));
    }

    #[test]
    fn an_error_outside_of_operations_stays_an_error() {
        let errors = |document: &str| generate(document, skip_errors()).map(|_| ()).unwrap_err();
        let found = errors(&DOCUMENT.replace("{ title: T, version: '1' }", "7"));
        assert!(found.errors().any(|error| error.location.pointer() == "/info"));
        // Nothing else is left out either.
        assert_eq!(left_out(&found), [""; 0]);

        let alone = "{openapi: 3.0.3, info: {title: T, version: '1'}, paths: {/a: {get: {parameters: 7}}}}";
        assert_eq!(left_out(&errors(alone)), [""; 0], "no operation would be left");

        let mut policies = skip_errors();
        policies.set(Code::WrongType, Policy::Deny).unwrap();
        assert!(generate(DOCUMENT, policies).is_err());
    }
}
