//! The servers of the description, chosen by type.

use compiled_client::{Client, Server, ServerScheme};

#[test]
fn variables_are_fields_with_defaults() {
    assert_eq!(Server::default().url(), "https://example.com/base");
    let server = Server { scheme: ServerScheme::Http };
    assert_eq!(server.url(), "http://example.com/base");
    Client::builder(&server.url()).expect("it is a URL").build().expect("it needs nothing else");
}
