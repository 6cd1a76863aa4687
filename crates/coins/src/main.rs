//! `kopek-coins`: the coin games on the command line, a program of their own.

mod command;

fn main() -> std::process::ExitCode {
    command::main()
}
