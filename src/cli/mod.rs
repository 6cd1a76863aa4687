//! Subcommands: one file each. Alone prints, reads the environment and exits.
#![allow(clippy::print_stdout, clippy::print_stderr, reason = "the roof is where printing lives")]

mod clean;
mod coins;
mod completions;
mod doctor;
mod generate;
mod grade;
mod import;
mod init;
mod languages;
mod pack;
mod packages;
mod progress;
mod run;
mod shown;
mod verify;
mod workshop;

use clap::{Parser, Subcommand};
use std::process::ExitCode;

/// A judge and grader for competitive-programming problems.
#[derive(Parser)]
#[command(name = "kopek", version)]
struct Args {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    /// Grade a folder of hand-ins against a package
    Grade(grade::Args),
    /// Judge one solution and show what went wrong
    Run(run::Args),
    /// Make the test sets of packages from their recipes
    Generate(generate::Args),
    /// Check packages against their own claims
    Verify(verify::Args),
    /// Write a new package to begin with
    Init(init::Args),
    /// Pack packages for other judges
    Pack(pack::Args),
    /// Turn a package of another system into one of this format
    Import(import::Args),
    /// Values, plays and races of the coin games
    Coins(coins::Args),
    /// What this machine can isolate and measure
    Doctor(doctor::Args),
    /// The languages and their toolchains
    Languages(languages::Args),
    /// Prune the store
    Clean(clean::Args),
    /// Print what a shell needs to complete kopek's commands
    Completions(completions::Args),
}

/// Parses, dispatches, prints the error chain, chooses the exit code.
pub fn main() -> ExitCode {
    let done = match Args::parse().command {
        Command::Grade(args) => grade::run(args),
        Command::Run(args) => run::run(args),
        Command::Generate(args) => generate::run(args),
        Command::Verify(args) => verify::run(args),
        Command::Init(args) => init::run(args),
        Command::Pack(args) => pack::run(args),
        Command::Import(args) => import::run(args),
        Command::Coins(args) => coins::run(args),
        Command::Doctor(args) => doctor::run(args),
        Command::Languages(args) => languages::run(args),
        Command::Clean(args) => clean::run(args),
        Command::Completions(args) => completions::run(args),
    };
    done.unwrap_or_else(|error| fail(&error))
}

/// Exit code for a request that cannot be done.
const REFUSED: u8 = 2;

/// One line for the act, the causes indented.
fn fail(error: &anyhow::Error) -> ExitCode {
    let broken_pipe = error.chain().any(|cause| {
        cause.downcast_ref::<std::io::Error>().is_some_and(|e| e.kind() == std::io::ErrorKind::BrokenPipe)
    });
    if broken_pipe {
        return ExitCode::SUCCESS;
    }
    eprintln!("error: {error}");
    for cause in error.chain().skip(1) {
        eprintln!("  {cause}");
    }
    ExitCode::from(REFUSED)
}
