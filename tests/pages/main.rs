//! The examples of docs/client.md and docs/server.md, compiled.

mod client;
mod server;

#[test]
fn the_examples_of_the_client_are_compiled_here() {
    tests::examples::are_compiled(include_str!("../../docs/client.md"), include_str!("client.rs"), 8);
}

#[test]
fn the_examples_of_the_server_are_compiled_here() {
    tests::examples::are_compiled(include_str!("../../docs/server.md"), include_str!("server.rs"), 5);
}
