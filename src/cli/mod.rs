//! Subcommands, one file each. Only this module prints, reads the environment and exits.
#![allow(clippy::print_stdout, clippy::print_stderr, reason = "the roof is where printing lives")]

mod clean_command;
mod completions_command;
mod doctor_command;
#[cfg(test)]
mod documented_lists;
mod exit_status;
mod generate_command;
mod given_course;
mod grade_command;
mod hand_in_options;
mod help_screen;
mod import_command;
mod init_command;
mod interrupt;
mod judging;
mod languages_command;
mod limit_options;
mod limits_command;
mod loose_judging;
mod machine_options;
mod man_command;
mod merge_command;
mod mutate_command;
mod named_packages;
mod next_steps;
mod own_input;
mod pack_coderunner;
mod pack_command;
mod pack_zips;
mod progress_bars;
mod report_options;
mod run_command;
mod run_view;
mod save_watcher;
mod serve_command;
mod similar_command;
mod slurm_options;
mod slurm_part;
mod solo_request;
mod solo_run;
mod statement_command;
mod store_location;
mod stress_command;
mod talk_command;
mod talk_view;
mod terminal_output;
mod test_command;
mod time_span;
mod timing_option;
mod toolchain_search;
mod unknown_option;
mod verify_command;
mod watch_loop;
mod watch_screen;

use crate::exec::StoppedEarly;
use anyhow::{Result, ensure};
use clap::{ArgAction, CommandFactory, FromArgMatches, Parser, Subcommand};
use exit_status::ExitStatus;
use help_screen::with_help;
use rustix::{
    fs::Mode,
    process::{Resource, getrlimit, umask},
};
use std::process::ExitCode;
use terminal_output::{ColourChoice, print_message, set_colours};
use unknown_option::explain_unknown;

/// A judge and grader for competitive-programming problems.
#[derive(Parser)]
#[command(name = "kopek", version, disable_help_flag = true)]
struct Args {
    /// Use colors in the output
    #[arg(long, value_name = "WHEN", value_enum, default_value_t = ColourChoice::Auto, global = true,
        help_heading = "General", display_order = 1000)]
    color: ColourChoice,
    /// Print help; `-h` leaves out rare options
    #[arg(short, long, action = ArgAction::Help, global = true, help_heading = "General", display_order = 1001)]
    help: Option<bool>,
    #[command(subcommand)]
    command: KopekCommand,
}

#[derive(Subcommand)]
enum KopekCommand {
    /// Grade a folder of hand-ins against a package
    Grade(grade_command::Args),
    /// Judge one solution and show what went wrong
    Run(run_command::Args),
    /// Run a solution on the samples in a folder
    Test(test_command::Args),
    /// Play the solution of an interactive problem
    Talk(talk_command::Args),
    /// Generate the test data of packages
    Generate(generate_command::Args),
    /// Check that packages keep their claims
    Verify(verify_command::Args),
    /// Measure submissions and propose a time limit
    Limits(limits_command::Args),
    /// Find small inputs on which a solution fails
    Stress(stress_command::Args),
    /// Find mistakes that the tests miss
    Mutate(mutate_command::Args),
    /// Create a package or a contest
    Init(init_command::Args),
    /// Render a statement as HTML or PDF
    Statement(statement_command::Args),
    /// Pack packages for another judge
    Pack(pack_command::Args),
    /// Convert a package of another system
    Import(import_command::Args),
    /// Find similar hand-ins
    Similar(similar_command::Args),
    /// Run and judge programs for Moodle's CodeRunner
    Serve(serve_command::Args),
    /// Check what this machine can isolate and measure
    Doctor(doctor_command::Args),
    /// List languages and their toolchains
    Languages(languages_command::Args),
    /// Merge the stores of machines that graded parts of a class
    #[command(hide = true)]
    Merge(merge_command::Args),
    /// Delete old results from the cache
    Clean(clean_command::Args),
    /// Print shell completions
    #[command(hide = true)]
    Completions(completions_command::Args),
    /// Print the manual, or write its pages
    #[command(hide = true)]
    Man(man_command::Args),
}

/// Parses arguments, runs the command, prints the error chain and returns the exit code.
pub fn main() -> ExitCode {
    if let Err(error) = check_surroundings() {
        print_message!("error: {error:#}");
        return ExitStatus::Refused.into();
    }
    keep_own_files_usable();
    run_command_line()
}

/// For arguments and help: in a build for tests 256 KiB are too few, and 384 KiB are enough.
const MIN_STACK: u64 = 512;

/// Fails early in surroundings in which kopek could not print an error later.
fn check_surroundings() -> Result<()> {
    let stack = getrlimit(Resource::Stack).current.map_or(MIN_STACK, |bytes| bytes / 1024);
    ensure!(
        stack >= MIN_STACK,
        "the stack limit is {stack} KiB, and kopek needs {MIN_STACK} KiB; raise it with `ulimit -s 8192`"
    );
    interrupt::fail_beyond_the_file_size()
}

// Not in `main`, whose stack has to suffice for the check.
#[inline(never)]
fn run_command_line() -> ExitCode {
    let args = parse_arguments().unwrap_or_else(|error| end_with(&explain_unknown(error, Args::command())));
    set_colours(args.color);
    let done = match args.command {
        KopekCommand::Grade(args) => grade_command::run(args),
        KopekCommand::Run(args) => run_command::run(args),
        KopekCommand::Test(args) => test_command::run(args),
        KopekCommand::Talk(args) => talk_command::run(args),
        KopekCommand::Serve(args) => serve_command::run(args),
        KopekCommand::Generate(args) => generate_command::run(args),
        KopekCommand::Verify(args) => verify_command::run(args),
        KopekCommand::Limits(args) => limits_command::run(args),
        KopekCommand::Stress(args) => stress_command::run(args),
        KopekCommand::Mutate(args) => mutate_command::run(args),
        KopekCommand::Init(args) => init_command::run(args),
        KopekCommand::Statement(args) => statement_command::run(args),
        KopekCommand::Pack(args) => pack_command::run(args),
        KopekCommand::Import(args) => import_command::run(args),
        KopekCommand::Similar(args) => similar_command::run(args),
        KopekCommand::Doctor(args) => doctor_command::run(args),
        KopekCommand::Languages(args) => languages_command::run(args),
        KopekCommand::Merge(args) => merge_command::run(args),
        KopekCommand::Clean(args) => clean_command::run(args),
        KopekCommand::Completions(args) => completions_command::run(args, Args::command()),
        KopekCommand::Man(args) => man_command::run(args, with_help(Args::command(), [])),
    };
    done.unwrap_or_else(|error| report_error(&error)).into()
}

/// Lets us use files that we make: with `umask 177`, their owner could not enter directories or start programs. Others
/// may use them as the user's umask says.
fn keep_own_files_usable() {
    let chosen = umask(Mode::RWXU);
    umask(chosen - Mode::RWXU);
}

#[expect(clippy::disallowed_methods, reason = "the command line")]
fn parse_arguments() -> clap::error::Result<Args> {
    let words = std::env::args_os().map(|word| word.to_string_lossy().into_owned());
    Args::from_arg_matches(&with_help(Args::command(), words).try_get_matches()?)
}

/// Prints help, the version or the error in the arguments, and exits.
#[expect(clippy::disallowed_methods, reason = "no command was chosen")]
fn end_with(error: &clap::Error) -> ! {
    // Help is already wrapped, but messages are not.
    if !error.use_stderr() || !console::Term::stderr().is_term() {
        error.exit();
    }
    let text = error.render();
    let text = if console::colors_enabled_stderr() { text.ansi().to_string() } else { text.to_string() };
    terminal_output::print_wrapped(text.trim_end());
    std::process::exit(error.exit_code())
}

/// Prints the error on one line and its causes indented.
fn report_error(error: &anyhow::Error) -> ExitStatus {
    // `kopek grade … | head` needs no message, only its own exit code for scripts.
    let broken_pipe = error.chain().any(|cause| {
        cause.downcast_ref::<std::io::Error>().is_some_and(|e| e.kind() == std::io::ErrorKind::BrokenPipe)
    });
    if broken_pipe {
        return ExitStatus::Unread;
    }
    if let Some(interrupted) = error.downcast_ref::<StoppedEarly>() {
        print_message!("{interrupted}");
        return ExitStatus::Interrupted;
    }
    print_message!("error: {error}");
    for cause in error.chain().skip(1) {
        print_message!("  {cause}");
    }
    ExitStatus::Refused
}
