//! `kopek completions`: what the shell completes.

use anyhow::Result;
use clap::CommandFactory;
use clap_complete::Shell;
use std::process::ExitCode;

/// Arguments of `kopek completions`.
#[derive(clap::Args)]
pub struct Args {
    /// For which shell
    shell: Shell,
}

/// Prints the script.
pub fn run(args: Args) -> Result<ExitCode> {
    let mut script = Vec::new();
    clap_complete::generate(args.shell, &mut super::Args::command(), "kopek", &mut script);
    super::shown::print(&String::from_utf8(script)?)?;
    Ok(ExitCode::SUCCESS)
}
