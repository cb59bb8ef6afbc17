//! The command line: runs proofs and prints their figures.

use std::{process::ExitCode, time::Instant};

use clap::Parser;

use prove::{
    figure::Outcome,
    proof::{Form, PROOFS, Proof},
    store::Store,
};

/// Runs proofs and prints their figures.
///
/// Exit codes: 0 every goal is met, 1 a goal is missed or could not be tested, 2 wrong usage.
#[derive(Parser)]
#[command(name = "cargo xtask prove", bin_name = "cargo xtask prove")]
struct CommandLine {
    /// The proofs to run; all by default.
    names: Vec<String>,
    /// The short form, which takes seconds.
    #[arg(long)]
    short: bool,
    /// The store of the service.
    #[arg(long, value_enum, default_value = "sqlite")]
    store: Store,
    /// Treats a proof that this machine cannot run as failed.
    #[arg(long)]
    require: bool,
    /// Lists the proofs.
    #[arg(long)]
    list: bool,
}

fn main() -> ExitCode {
    let arguments = CommandLine::parse();
    if arguments.list {
        for proof in PROOFS {
            println!("{:<20} {}", proof.name, proof.about);
        }
        return ExitCode::SUCCESS;
    }
    let chosen: Vec<&Proof> = PROOFS
        .iter()
        .filter(|proof| arguments.names.is_empty() || arguments.names.iter().any(|name| name == proof.name))
        .collect();
    if let Some(unknown) = arguments.names.iter().find(|name| PROOFS.iter().all(|proof| proof.name != **name)) {
        eprintln!("error: there is no proof `{unknown}`; `--list` shows them");
        return ExitCode::from(2);
    }
    if let Some(missing) = arguments.store.missing() {
        println!("left out {} proofs: {missing}", chosen.len());
        return if arguments.require { ExitCode::FAILURE } else { ExitCode::SUCCESS };
    }

    let mut failed = Vec::new();
    for proof in &chosen {
        println!("\n── {}: {}", proof.name, proof.about);
        let begin = Instant::now();
        let form = if arguments.short { Form::Short } else { Form::Long };
        let Some(outcome) = proof.run(form, arguments.store) else {
            println!("left out {}: it is about the other kind of store", proof.name);
            continue;
        };
        let seconds = begin.elapsed().as_secs_f64();
        match outcome {
            Ok(Outcome::Measured(figures)) => {
                for figure in &figures {
                    println!("{figure}");
                }
                let kept = figures.iter().all(|figure| figure.is_kept);
                println!("{} {} in {seconds:.1} s", if kept { "kept" } else { "BROKEN" }, proof.name);
                for figure in figures.iter().filter(|figure| !figure.is_kept) {
                    failed.push(format!("{}: {figure}", proof.name));
                }
            }
            Ok(Outcome::Elsewhere(place)) => println!("left out {}: {place}", proof.name),
            Ok(Outcome::LeftOut(missing)) => {
                println!("left out {}: {missing}", proof.name);
                if arguments.require {
                    failed.push(format!("{} was left out: {missing}", proof.name));
                }
            }
            Err(error) => {
                println!("FAILED {} after {seconds:.1} s: {error:?}", proof.name);
                failed.push(format!("{}: {error:#}", proof.name));
            }
        }
    }
    println!("\n{} proofs, {} promises broken or proofs failed", chosen.len(), failed.len());
    for reason in &failed {
        println!("{reason}");
    }
    if failed.is_empty() { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}
