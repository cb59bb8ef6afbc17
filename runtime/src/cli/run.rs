//! The program from its command line to its exit code.

use std::env;
use std::io;
use std::process::ExitCode;

use clap::ArgMatches;

use super::failure::Failure;
use super::input::Input;
use super::{Command, Program, call, curl, parser, profile};
use crate::arguments::schema::{self, Schemas};

/// Runs a program with the arguments of this process. Its exit code is 0, 1 if the service refuses, 2 if the command line
/// is wrong, and 3 if the service does not answer.
pub fn run(program: &Program) -> ExitCode {
    match run_command(program) {
        Ok(()) => ExitCode::SUCCESS,
        Err(failure) => failure.report(),
    }
}

fn run_command(program: &Program) -> Result<(), Failure> {
    let arguments: Vec<_> = env::args_os().collect();
    let schemas = Schemas::read(program.schemas).map_err(|error| Failure::usage(error.to_string()))?;
    let mut parser = parser::parser(program, &schemas, &arguments);
    let matches = parser.try_get_matches_from_mut(arguments).unwrap_or_else(|error| error.exit());
    match matches.subcommand() {
        Some(("completions", own)) => {
            let Some(&shell) = own.get_one::<clap_complete::Shell>("shell") else { return Ok(()) };
            let mut script = Vec::new();
            clap_complete::generate(shell, &mut parser, program.name, &mut script);
            io::Write::write_all(&mut io::stdout(), &script)?;
            Ok(())
        }
        Some(("auth", own)) => profile::auth(program, own),
        Some((name, own)) => {
            let Some((command, own)) = find(program, name, own) else { return Ok(()) };
            let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
            let done = runtime.block_on(send(program, &schemas, command, own));
            // A read of standard input may still wait.
            runtime.shutdown_background();
            done
        }
        None => Ok(()),
    }
}

/// The command with these names, and its arguments.
fn find<'m>(program: &Program, name: &str, matches: &'m ArgMatches) -> Option<(&'static Command, &'m ArgMatches)> {
    let named = |commands: &'static [Command], name: &str| commands.iter().find(|command| command.name == name);
    let group = program.groups.iter().find(|group| group.name == Some(name));
    if let Some(group) = group {
        let (name, own) = matches.subcommand()?;
        return Some((named(group.commands, name)?, own));
    }
    let mut flat = program.groups.iter().filter(|group| group.name.is_none());
    Some((flat.find_map(|group| named(group.commands, name))?, matches))
}

/// Checks the values, then sends the request or shows it.
async fn send(program: &Program, schemas: &Schemas, command: &Command, matches: &ArgMatches) -> Result<(), Failure> {
    let schema = schemas.of(command.words);
    let input = Input::read(command, &schema, matches).await?;
    if let Some(validator) = schema::validator(command.words, &schema) {
        input.check(&validator)?;
    }
    let (client, settings) = profile::client(program, matches)?;
    let Input { values, files, sources, .. } = input;
    let request = command.arguments.request(&client, &values, files).map_err(Failure::usage)?;
    if matches.get_flag("dry-run") {
        return curl::print(program, command, request, &values, &sources);
    }
    call::call(command, request, matches, &settings).await
}
