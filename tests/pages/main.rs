//! The examples of pages in docs, compiled.

mod client;
mod extensions;
mod files;
mod links;
mod server;

#[test]
fn the_examples_of_the_client_are_compiled_here() {
    tests::examples::are_compiled(include_str!("../../docs/client.md"), include_str!("client.rs"), 6);
    tests::examples::are_compiled(include_str!("../../docs/pagination.md"), include_str!("client.rs"), 1);
}

#[test]
fn the_examples_of_both_sides_are_compiled_here() {
    let code = concat!(include_str!("client.rs"), include_str!("server.rs"));
    tests::examples::are_compiled(include_str!("../../docs/credentials.md"), code, 3);
    tests::examples::are_compiled(include_str!("../../docs/errors.md"), code, 2);
    tests::examples::are_compiled(include_str!("../../docs/in-tests.md"), code, 2);
}

#[test]
fn the_functions_that_read_and_write_a_type_are_compiled_elsewhere() {
    let mut sections = include_str!("../../docs/configuration.md").split("\n### ");
    let section = sections.find(|section| section.starts_with("Types that print something else")).expect("it is there");
    let code = include_str!("../compiled/types/src/german_time.rs");
    tests::examples::are_compiled(section, code, 1);
}

#[test]
fn the_examples_of_the_server_are_compiled_here() {
    tests::examples::are_compiled(include_str!("../../docs/server.md"), include_str!("server.rs"), 5);
}

#[test]
fn the_examples_of_files_and_streams_are_compiled_here() {
    tests::examples::are_compiled(include_str!("../../docs/uploads-and-streams.md"), include_str!("files.rs"), 4);
}

#[test]
fn the_tutorial_makes_the_example() {
    let page = include_str!("../../docs/tutorial.md");
    tests::examples::are_compiled(page, include_str!("../../examples/pets/src/main.rs"), 2);
    for file in [include_str!("../../examples/pets/pets.yaml"), include_str!("../../examples/pets/pet.yaml")] {
        assert!(page.contains(&format!("```yaml\n{file}```")), "{file}");
    }
}
