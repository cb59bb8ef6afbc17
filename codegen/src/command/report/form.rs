//! The report, in the parts of the issue form.

use std::fmt::Write as _;
use std::path::Path;
use std::process::Command;

use serde_json::Value;

use super::Failure;
use super::entry;
use super::problem::{Problem, Wanted};
use super::trial::Trial;

/// The report of what is left of a description. `settings` is the configuration if the problem needs it.
pub(super) fn form(
    trial: &Trial<'_>,
    trees: &Value,
    wanted: &Wanted,
    settings: Option<&Path>,
) -> Result<String, Failure> {
    let found = trial.problems(trees);
    let problem = wanted.find(&found).ok_or_else(|| Failure::usage("the problem comes and goes"))?;
    let entry = entry(trees);
    let files: Vec<(&String, &Value)> = trees.as_object().into_iter().flatten().collect();
    let mut description = String::new();
    for (name, tree) in &files {
        if files.len() > 1 {
            let _ = writeln!(description, "{}# {name}", if description.is_empty() { "" } else { "---\n" });
        }
        let yaml = serde_yaml::to_string(tree).map_err(|error| Failure::usage(error.to_string()))?;
        description.push_str(&yaml);
    }
    let is_whole = files.len() == 1;
    if is_whole && !wanted.is_in(&trial.problems_of_text(entry, &description)) {
        description = format!("{:#}\n", trees[entry]);
    }
    let what = match problem {
        Problem::Diagnostic { .. } if is_whole => trial.rendered(entry, &description),
        Problem::Diagnostic { .. } | Problem::Panic { .. } => problem.headline(),
        Problem::Compiler { text, .. } => text.clone(),
    };
    let config = settings.map(|_| " --config specwright.toml").unwrap_or_default();
    let generate = format!("specwright generate {entry}{config} --server server --client client");
    let command = match problem {
        Problem::Diagnostic { .. } => format!("specwright lint {entry}{config}"),
        Problem::Panic { .. } => generate,
        Problem::Compiler { .. } => {
            format!(
                "{generate} && cargo check --manifest-path server/Cargo.toml && cargo check --manifest-path client/Cargo.toml"
            )
        }
    };
    let mut parts = vec![
        ("The smallest description that shows it", fenced("yaml", &description)),
        ("The command", command),
        ("What happens", fenced("text", &what)),
        ("What should happen, and by which rule", "…".to_owned()),
    ];
    if let Some(settings) = settings {
        parts.push(("Configuration, if there is one", format!("Add what is needed of `{}`.", settings.display())));
    }
    parts.push((
        "The output of `specwright --version`, and of `rustc --version` if the code does not compile",
        versions(matches!(problem, Problem::Compiler { .. })),
    ));
    let parts: Vec<_> = parts.iter().map(|(label, text)| format!("### {label}\n\n{}\n", text.trim_end())).collect();
    Ok(parts.join("\n"))
}

/// A block of code; its fence is longer than those in the text.
fn fenced(language: &str, text: &str) -> String {
    let fence = if text.contains("```") { "`````" } else { "```" };
    format!("{fence}{language}\n{}\n{fence}", text.trim_end())
}

fn versions(with_compiler: bool) -> String {
    let mut text = format!("specwright {}\n", env!("CARGO_PKG_VERSION"));
    if with_compiler && let Ok(output) = Command::new("rustc").arg("--version").output() {
        text.push_str(&String::from_utf8_lossy(&output.stdout));
    }
    text
}
