//! The names of commands.

use foldhash::HashSet;
use heck::ToKebabCase;

use crate::ir::{Api, Operation, Tag};

/// The commands that every program has.
const OWN: &[&str] = &["auth", "completions", "help"];

/// The commands of a tag.
pub(crate) struct Group<'api> {
    pub(super) tag: &'api Tag,
    /// `None` for operations without a tag, whose commands are in no group.
    pub(crate) name: Option<String>,
    pub(crate) commands: Vec<Command<'api>>,
}

/// An operation as a command.
pub(crate) struct Command<'api> {
    pub(super) operation: &'api Operation,
    pub(super) name: String,
    /// All its words, under which `arguments.json` has its schema: `accounts get-account`
    pub(crate) words: String,
}

/// The groups, in the order of the description. Groups are named first: a command without a group stands next to them.
pub(crate) fn groups(api: &Api) -> Vec<Group<'_>> {
    let mut taken: HashSet<String> = OWN.iter().map(|&name| name.to_owned()).collect();
    let tags = || api.tags.iter().filter(|tag| !tag.operations.is_empty());
    let names: Vec<_> = tags().map(|tag| (!tag.untagged).then(|| claim(&mut taken, &group_name(tag)))).collect();
    let mut groups = Vec::new();
    for (tag, group) in tags().zip(names) {
        let mut commands = Vec::new();
        for operation in &tag.operations {
            let own = in_kebab_case(&operation.method_rust);
            let (name, words) = if let Some(group) = &group {
                (own.clone(), format!("{group} {own}"))
            } else {
                let name = claim(&mut taken, &own);
                (name.clone(), name)
            };
            commands.push(Command { operation, name, words });
        }
        groups.push(Group { tag, name: group, commands });
    }
    groups
}

/// The tag as a command; its module if a tag has characters that are hard to type.
fn group_name(tag: &Tag) -> String {
    let name = tag.name.wire.to_kebab_case();
    if name.is_empty() || !name.is_ascii() { in_kebab_case(&tag.module) } else { name }
}

/// The name of a module or a method as that of a command.
fn in_kebab_case(name: &str) -> String {
    name.trim_start_matches("r#").trim_end_matches('_').replace('_', "-")
}

/// The wanted name; if it is taken, the first of `api-auth`, `api-auth-2` and so on that is not.
fn claim(taken: &mut HashSet<String>, wanted: &str) -> String {
    let others = (1..).map(|number| match number {
        1 => format!("api-{wanted}"),
        number => format!("api-{wanted}-{number}"),
    });
    let name = std::iter::once(wanted.to_owned()).chain(others).find(|name| taken.insert(name.clone()));
    name.unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use foldhash::HashSet;

    use super::claim;

    #[test]
    fn the_commands_of_the_program_keep_their_names() {
        let mut taken: HashSet<String> = ["auth".to_owned()].into_iter().collect();
        let names = ["pets", "auth", "auth"].map(|name| claim(&mut taken, name));
        assert_eq!(names, ["pets", "api-auth", "api-auth-2"]);
    }
}
