//! `kopek completions`: shell completions.

use super::{exit_status::ExitStatus, terminal_output::print_text};
use anyhow::Result;
use clap_complete::Shell;

#[derive(clap::Args)]
pub(super) struct Args {
    /// Shell that will read the completions
    shell: Shell,
}

/// Prints the script for the whole command line of kopek.
pub(super) fn run(args: Args, mut kopek: clap::Command) -> Result<ExitStatus> {
    let mut script = Vec::new();
    clap_complete::generate(args.shell, &mut kopek, "kopek", &mut script);
    print_text(&String::from_utf8(script)?)?;
    Ok(ExitStatus::Success)
}
