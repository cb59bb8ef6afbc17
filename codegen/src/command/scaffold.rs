//! `specwright scaffold`

use std::process::ExitCode;

use clap::Args;

use super::config;
use super::description::Description;
use super::{Failure, Input, crate_name, diagnostics, output};

#[derive(Args)]
pub(super) struct Arguments {
    #[command(flatten)]
    input: Input,
    /// The tag whose trait is implemented, in any letter case; optional if there is only one. `webhooks TAG`
    /// receives webhooks, with the client crate.
    #[arg(value_name = "TAG")]
    tag: Option<String>,
    /// Base name of the crates, without `-server` and `-client`; by default, the name of the file.
    #[arg(long)]
    name: Option<String>,
}

pub(super) fn run(arguments: &Arguments) -> Result<ExitCode, Failure> {
    let Arguments { input, tag, name } = arguments;
    let config = config::read(input.described.config.as_deref())?;
    let name = crate_name::choose(name.as_deref().or(config.name.as_deref()), &input.described.document)?;
    let description = Description::new(input, &config)?;
    // Warnings were shown when the crates were generated.
    let texts = description.generator.clone().name(name).scaffold(&description.source()).map_err(|diagnostics| {
        diagnostics::print(&description, &diagnostics, input.all);
        description.failure(&diagnostics)
    })?;
    if texts.is_empty() {
        let path = input.described.document.display();
        eprintln!("error: {path}: the description has no operations, so there is nothing to implement");
        return Err(Failure::Document);
    }
    let found = match tag {
        Some(tag) => texts.iter().find(|(known, _)| is_same(known, tag)),
        None => texts.first_key_value().filter(|_| texts.len() == 1),
    };
    let Some((_, text)) = found else {
        let problem = match tag {
            Some(tag) => format!("there is no tag `{tag}`"),
            None => "there are several tags: say which".to_owned(),
        };
        let known: Vec<_> = texts.keys().map(|tag| format!("\n  {tag}")).collect();
        return Err(Failure::usage(format!("{problem}; the tags are{}", known.concat())));
    };
    output::print(text)?;
    Ok(ExitCode::SUCCESS)
}

/// Whether the names differ only in letter case and separators: `AgentNotes` matches `agent-notes`.
fn is_same(left: &str, right: &str) -> bool {
    let letters = |text: &str| -> String {
        text.chars().filter(|character| character.is_alphanumeric()).flat_map(char::to_lowercase).collect()
    };
    letters(left) == letters(right)
}

#[cfg(test)]
mod tests {
    use super::is_same;

    #[test]
    fn tags_are_found_as_they_are_typed() {
        assert!(is_same("agent-notes", "AgentNotes"));
        assert!(is_same("Accounts", "accounts"));
        assert!(!is_same("Accounts", "Account"));
    }
}
