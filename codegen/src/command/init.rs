//! `specwright init`

use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use clap::Args;
use schemars::generate::SchemaSettings;
use serde_json::{Map, Value};

use super::config::Config;
use super::{Failure, output};

/// Longest line of a comment.
const WIDTH: usize = 100;

#[derive(Args)]
pub(super) struct Arguments {
    /// The file to write. Its JSON Schema is written next to it, for editors.
    #[arg(long, value_name = "FILE", default_value = "specwright.toml")]
    config: PathBuf,
}

pub(super) fn run(Arguments { config }: &Arguments) -> Result<ExitCode, Failure> {
    let schema = schema();
    let schema_file = config.with_extension("schema.json");
    let is_new = !config.exists();
    if is_new {
        write(config, &commented(&schema, &schema_file))?;
    }
    write(&schema_file, &format!("{schema:#}\n"))?;
    let (config, schema_file) = (config.display(), schema_file.display());
    output::print(&if is_new {
        format!(
            "{config}: every setting, as a comment\n{schema_file}: completes it in editors\n\nnext:\n  \
             specwright generate DOC --config {config} --server DIR --client DIR\n"
        )
    } else {
        format!("{config}: kept\n{schema_file}: completes it in editors\n")
    })?;
    Ok(ExitCode::SUCCESS)
}

fn write(path: &Path, text: &str) -> Result<(), Failure> {
    fs::write(path, text).map_err(|error| Failure::usage(error.to_string()).in_file(path))
}

/// The JSON Schema of the configuration, of the draft that editors of TOML know.
fn schema() -> Value {
    let settings = SchemaSettings::draft07().with(|settings| settings.inline_subschemas = true);
    settings.into_generator().into_root_schema_for::<Config>().to_value()
}

/// A configuration that sets nothing: each setting with its description and an example, as comments.
fn commented(schema: &Value, schema_file: &Path) -> String {
    let schema_file = schema_file.file_name().unwrap_or_default().to_string_lossy();
    let mut text = format!("#:schema ./{schema_file}\n");
    comment("Settings of specwright. To use an example, remove the `#` before it and before its table.", &mut text);
    table("", schema, &mut text);
    text
}

/// The settings of the table at `path`: values first, because in TOML they would belong to a table above them.
fn table(path: &str, schema: &Value, text: &mut String) {
    let (tables, values): (Vec<_>, Vec<_>) = members(schema, "properties").partition(|(_, member)| is_table(member));
    for (key, member) in values {
        describe(member, text);
        setting(key, &member["examples"][0], text);
    }
    for (key, member) in tables {
        let path = if path.is_empty() { key.clone() } else { format!("{path}.{key}") };
        describe(member, text);
        let _ = writeln!(text, "#[{path}]");
        for (key, example) in member["examples"][0].as_object().into_iter().flatten() {
            setting(key, example, text);
        }
        table(&path, member, text);
    }
}

fn members<'a>(schema: &'a Value, keyword: &str) -> impl Iterator<Item = (&'a String, &'a Value)> {
    schema.get(keyword).and_then(Value::as_object).into_iter().flat_map(Map::iter)
}

/// Whether the setting has keys of its own.
fn is_table(schema: &Value) -> bool {
    schema["type"] == "object"
}

fn describe(schema: &Value, text: &mut String) {
    text.push('\n');
    comment(schema["description"].as_str().unwrap_or_default(), text);
}

/// Lines that start with `# `; a commented setting has no space there.
fn comment(words: &str, text: &mut String) {
    let words = words.split_whitespace().collect::<Vec<_>>().join(" ");
    for line in textwrap::wrap(&words, WIDTH) {
        let _ = writeln!(text, "# {line}");
    }
}

/// A commented setting.
fn setting(key: &str, example: &Value, text: &mut String) {
    let is_bare = key.chars().all(|letter| letter.is_ascii_alphanumeric() || matches!(letter, '-' | '_'));
    let key = if is_bare { key.to_owned() } else { toml::Value::String(key.to_owned()).to_string() };
    if let Ok(example) = toml::Value::try_from(example) {
        let _ = writeln!(text, "#{key} = {example}");
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// All examples, in use.
    fn in_use() -> String {
        let text = commented(&schema(), Path::new("specwright.schema.json"));
        text.lines().filter(|line| !line.starts_with("# ")).map(|line| line.trim_start_matches('#')).skip(1).fold(
            String::new(),
            |mut text, line| {
                let _ = writeln!(text, "{line}");
                text
            },
        )
    }

    #[test]
    fn every_setting_is_described_and_has_an_example() {
        fn check(path: &str, schema: &Value, examples: &toml::Table) {
            for (key, member) in members(schema, "properties") {
                assert!(member["description"].as_str().is_some_and(|text| text.ends_with('.')), "{path} {key}");
                let example = examples.get(key).unwrap_or_else(|| panic!("{path} {key} has no example"));
                if let toml::Value::Table(examples) = example {
                    assert!(!examples.is_empty(), "{path} {key} has no example");
                    check(key, member, examples);
                }
            }
        }
        check("", &schema(), &in_use().parse().unwrap());
    }

    #[test]
    fn the_examples_are_settings() {
        let text = in_use();
        let config: Result<Config, _> = toml::from_str(&text);
        assert!(config.is_ok_and(|config| config.check().is_ok()), "{text}");

        let validator = jsonschema::validator_for(&schema()).unwrap();
        let examples = serde_json::to_value(text.parse::<toml::Table>().unwrap()).unwrap();
        let errors: Vec<_> = validator.iter_errors(&examples).map(|error| error.to_string()).collect();
        assert!(errors.is_empty(), "{errors:#?}");
        for wrong in ["names = 'a'", "runtime = 'crate'", "rename.schema.a = 'B'", "diagnostics.warnings = 'x'"] {
            let value = serde_json::to_value(wrong.parse::<toml::Table>().unwrap()).unwrap();
            assert!(!validator.is_valid(&value), "{wrong}");
        }
    }
}
