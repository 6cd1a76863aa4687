//! The binary; all code is in the library.

fn main() -> std::process::ExitCode {
    kopek::sandbox::run_if_supervisor();
    kopek::cli::main()
}
