//! The command line, for clap.

use std::ffi::OsString;

use clap::builder::PossibleValue;
use clap::{Arg, ArgAction, Command as Parser, ValueHint, value_parser};
use clap_complete::Shell;

use super::flag::{self, BODY, Flag, Kind, OF_PAGES};
use super::output::Format;
use super::{Command, Group, Program};
use crate::arguments::BodyKind;
use crate::arguments::schema::Schemas;

const BODY_HEADING: &str = "Body";
const PROGRAM_HEADING: &str = "Options of every command";

/// The parser of the program. Only commands whose name is among the `arguments` have their options, which takes time for
/// a large description. Deprecated commands are listed by the long help only.
pub(super) fn parser(program: &Program, schemas: &Schemas, arguments: &[OsString]) -> Parser {
    let has = |word: &str| arguments.iter().any(|argument| argument == word);
    let (is_complete, is_long) = (has("completions"), has("--help") || has("help"));
    let command = |command: &Command| {
        let Command { name, about, deprecated, .. } = *command;
        let note = if deprecated { "(deprecated) " } else { "" };
        let parser = Parser::new(name)
            .about(format!("{note}{}", short(about)))
            .long_about(format!("{note}{}", unwrapped(about)))
            .hide(deprecated && !is_long);
        if is_complete || has(name) { with_options(parser, command, schemas) } else { parser }
    };
    let group = |group: &Group| {
        let commands: Vec<_> = group.commands.iter().map(command).collect();
        let Some(name) = group.name else { return commands };
        let is_hidden = commands.iter().all(Parser::is_hide_set);
        let parser = Parser::new(name).about(short(group.about)).long_about(unwrapped(group.about)).hide(is_hidden);
        vec![parser.subcommand_required(true).arg_required_else_help(true).subcommands(commands)]
    };
    let shell = Arg::new("shell").value_name("SHELL").value_parser(value_parser!(Shell)).required(true);
    Parser::new(program.name)
        .version(program.version)
        .about(short(program.about))
        .after_help(environment(program))
        .after_long_help(format!("{}\n\n{}", environment(program), unwrapped(program.about)))
        .max_term_width(100)
        .subcommand_required(true)
        .arg_required_else_help(true)
        .args(of_program(program))
        .subcommands(program.groups.iter().flat_map(group))
        .subcommand(auth(program))
        .subcommand(Parser::new("completions").about("Prints a script that completes commands in a shell").arg(shell))
}

/// `auth login` and `auth logout`
fn auth(program: &Program) -> Parser {
    let login = format!(
        "Stores the URL and the credentials of a profile\n\nReads each credential from standard input, one in a line: {}. \
         The file is readable by its owner only.",
        program.credentials.iter().map(|credential| credential.scheme.name).collect::<Vec<_>>().join(", ")
    );
    Parser::new("auth")
        .about("Stores credentials")
        .subcommand_required(true)
        .arg_required_else_help(true)
        .subcommand(Parser::new("login").about(short(&login)).long_about(login))
        .subcommand(Parser::new("logout").about("Removes a profile"))
}

fn of_program(program: &Program) -> Vec<Arg> {
    let url = format!("The URL of the service, before the paths of its operations [env: {}]", program.variable("URL"));
    let url = match program.url {
        Some(default) => format!("{url} [default: {default}]"),
        None => url,
    };
    let profile = format!(
        "The section of the configuration with URL and credentials [env: {}] [default: default]",
        program.variable("PROFILE")
    );
    let option = |name: &'static str, value: &'static str, help: String| Arg::new(name).value_name(value).help(help);
    let flag = |name: &'static str, help: &'static str| Arg::new(name).action(ArgAction::SetTrue).help(help);
    let formats = Format::ALL.iter().map(|(name, _, help)| PossibleValue::new(*name).help(*help));
    let options = [
        option("url", "URL", url).value_hint(ValueHint::Url),
        option("profile", "NAME", profile),
        option("output", "FORMAT", "How the response is printed".to_owned())
            .short('o')
            .value_parser(formats.collect::<Vec<_>>())
            .default_value("json"),
        option("out", "FILE", "Writes the body of the response to a file, as it is".to_owned())
            .value_hint(ValueHint::FilePath),
        flag("include", "Prints status and headers of the response, too").short('i'),
        flag("dry-run", "Prints the request as a line of curl, and sends nothing"),
    ];
    options
        .into_iter()
        .map(|option| {
            let name = option.get_id().to_string();
            option.long(name).global(true).help_heading(PROGRAM_HEADING)
        })
        .collect()
}

fn with_options(parser: Parser, command: &Command, schemas: &Schemas) -> Parser {
    let flags = flag::flags(command, &schemas.of(command.words));
    let mut parser = flags.iter().enumerate().fold(parser, |parser, (index, flag)| parser.arg(option(index, flag)));
    if let Some(body) = &command.arguments.body {
        let form = match body.kind {
            BodyKind::Text | BodyKind::Bytes => "TEXT",
            _ => "JSON",
        };
        let has_members = flags.iter().any(|flag| flag.path.len() > 1);
        let note = if has_members { "; other options replace its members" } else { "" };
        let help =
            format!("The whole body, {}: {form}, `@FILE` for a file, or `-` for standard input{note}", body.media_type);
        let body = Arg::new(BODY).long(BODY).value_name(format!("{form}|@FILE|-")).allow_hyphen_values(true);
        parser = parser.arg(body.help(help).help_heading(BODY_HEADING));
    }
    if command.page.is_some() {
        let [all, limit] = [OF_PAGES[0], OF_PAGES[1]].map(|name| Arg::new(name).long(name));
        parser =
            parser.arg(all.action(ArgAction::SetTrue).help("Requests all pages and prints the items as one list")).arg(
                limit
                    .value_name("NUMBER")
                    .value_parser(value_parser!(u64))
                    .help("Prints at most this many items as one list, and requests as many pages as that takes"),
            );
    }
    parser
}

/// The option of a flag, whose id is its index.
fn option(index: usize, flag: &Flag) -> Arg {
    let note = if flag.deprecated { "(deprecated) " } else { "" };
    let shown = ["[required]", "[repeatable]", "[default: "];
    let shown = shown.iter().filter_map(|rule| flag.rules.iter().find(|found| found.starts_with(rule)));
    let rules: Vec<_> = shown.map(String::as_str).collect();
    let arg = Arg::new(index.to_string())
        .value_name(flag.placeholder())
        .required(flag.required)
        .hide_short_help(flag.deprecated)
        .help(format!("{note}{} {}", short(&flag.about), rules.join(" ")).trim().to_owned())
        .long_help(format!("{note}{}\n\n{}", unwrapped(&flag.about), flag.rules.join(" ")).trim().to_owned())
        .action(if flag.repeated { ArgAction::Append } else { ArgAction::Set });
    let arg = match &flag.kind {
        Kind::Choice(values) => {
            let null = flag.nullable.then(|| "null".to_owned());
            let values = values.iter().map(flag::text).chain(null);
            arg.value_parser(values.map(PossibleValue::new).collect::<Vec<_>>())
        }
        Kind::Boolean => {
            let values = ["true", "false", "null"].into_iter().filter(|value| flag.nullable || *value != "null");
            let arg = arg.value_parser(values.map(PossibleValue::new).collect::<Vec<_>>());
            if flag.positional { arg } else { arg.num_args(0..=1).require_equals(true).default_missing_value("true") }
        }
        Kind::File => arg.value_hint(ValueHint::FilePath),
        Kind::Text(_) | Kind::Number | Kind::Json | Kind::Any => arg,
    };
    if flag.positional {
        // Only the last of several could take several words.
        let arg = if flag.repeated { arg.action(ArgAction::Set).num_args(1).value_delimiter(',') } else { arg };
        return arg.allow_negative_numbers(true);
    }
    let arg = if flag.kind == Kind::Boolean { arg } else { arg.allow_hyphen_values(true) };
    let arg = if flag.path.len() > 1 { arg.help_heading(BODY_HEADING) } else { arg };
    arg.long(flag.name.clone())
}

/// The variables that the program reads.
fn environment(program: &Program) -> String {
    let credentials = program.credentials.iter().map(|credential| {
        format!("\n  {}  The credential of `{}`", program.variable(credential.variable), credential.scheme.name)
    });
    let [url, profile, config] = ["URL", "PROFILE", "CONFIG"].map(|setting| program.variable(setting));
    format!(
        "Environment:\n  {url}  The URL of the service\n  {profile}  The profile\n  {config}  The file with the profiles{}",
        credentials.collect::<String>()
    )
}

/// Markdown whose paragraphs have a line each, so that the help breaks lines where the terminal ends.
fn unwrapped(text: &str) -> String {
    let mut shown = String::new();
    let mut in_code = false;
    for line in text.trim().lines() {
        let is_fence = line.trim_start().starts_with("```");
        let begins = line.starts_with(['-', '*', '+', '|', '#', '>', ' ', '\t']) || line.starts_with(char::is_numeric);
        let joins = !(in_code || is_fence || begins || line.is_empty() || shown.is_empty() || shown.ends_with('\n'));
        shown.push_str(if joins {
            " "
        } else if shown.is_empty() || shown.ends_with("\n\n") {
            ""
        } else {
            "\n"
        });
        shown.push_str(line);
        if line.is_empty() {
            shown.push('\n');
        }
        in_code ^= is_fence;
    }
    shown
}

/// The first paragraph as one line, without its full stop.
fn short(text: &str) -> String {
    let paragraph = text.trim().split("\n\n").next().unwrap_or_default();
    let line = paragraph.split_whitespace().collect::<Vec<_>>().join(" ");
    let line = line.strip_suffix('.').unwrap_or(&line);
    line.trim_start_matches(['#', ' ']).to_owned()
}
