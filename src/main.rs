//! The thin binary: everything is in the library.

fn main() -> std::process::ExitCode {
    kopek::sandbox::worker_entry();
    kopek::cli::main()
}
