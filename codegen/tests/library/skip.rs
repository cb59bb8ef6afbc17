//! What operations with problems take with them when they are left out.

use std::io;

use specwright::{Code, Diagnostics, Generated, Generator, Policies, Policy, Severity, Source};

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
        "the operation `far` is left out: one or a list of `string`, `number`, `integer`, `boolean`, `array`, `object`, `null` is required here"
    );
    let (place, label) = &far.related[0];
    assert_eq!((place.pointer(), label.as_str()), ("/components/schemas/Wrong/type", "E0203 wrong-type"));
}

#[test]
fn warnings_may_cost_an_operation_too() {
    let document = DOCUMENT.split("/own:").next().unwrap().to_owned()
        + "/twice:\n        post: { operationId: good, responses: { '204': { description: Done. } } }\n    components: { responses: { Good: { description: Good. } } }\n";
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
