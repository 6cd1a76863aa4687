//! Runs a program under limits and prints how it ended:
//! `cargo run -p kopek-sandbox --example limits -- PROGRAM ARGUMENTS`.
#![allow(clippy::print_stdout, reason = "an example prints its result")]

use kopek_base::Bytes;
use kopek_sandbox::{Exec, Limits, Sandbox, run_if_supervisor};
use std::{
    env,
    error::Error,
    io::{self, Write},
    time::Duration,
};

fn main() -> Result<(), Box<dyn Error>> {
    // The sandbox runs this program again as its supervisor.
    run_if_supervisor();
    let argv: Vec<String> = env::args().skip(1).collect();
    if argv.is_empty() {
        return Err("name a program: a name in the PATH or an absolute path".into());
    }
    let limits = Limits {
        cpu: Duration::from_secs(1),
        wall: Duration::from_secs(5),
        memory: Bytes::mib(64),
        output: Bytes::mib(1),
        files: Bytes::mib(1),
        processes: 8,
    };
    let sandbox = Sandbox::open(&env::current_exe()?)?;
    let ran = sandbox.slot(None).run(&Exec::new(argv, limits))?;
    io::stdout().write_all(&ran.stdout.bytes()?)?;
    println!("the program {}", ran.exit.in_words(&limits));
    println!("{:.3} s of CPU time, {} of memory", ran.usage.cpu.as_secs_f64(), ran.usage.memory);
    Ok(())
}
