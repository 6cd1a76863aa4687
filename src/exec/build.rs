//! Builds one program inside the sandbox and keeps what came of it.

use crate::{
    base::Bytes,
    language::Program,
    plan::{Build, BuildTask},
    sandbox::{Exit, Fault, Limit, Ran, Slot},
    store::Store,
};
use std::{fs, path::Path};

/// The most that is kept of a compiler's messages.
const MESSAGE: usize = 64 << 10;

/// Builds a program. What the sources are to blame for is a refusal, never a fault.
pub fn build(slot: &mut Slot, store: &Store, task: &BuildTask) -> Result<Build, Fault> {
    if let Some(message) = too_large(task)? {
        return Ok(Build::Refused { message });
    }
    let (include, entry) = (task.include.as_ref(), task.entry.as_deref());
    let program = match Program::new(&task.language, &task.source, include, entry) {
        Ok(program) => program,
        Err(why) => return Ok(Build::Refused { message: why.to_string() }),
    };
    let home = tempfile::tempdir().map_err(|e| Fault::new(format!("make a directory for a build: {e}")))?;
    // Compilers of one submission must not meet what an earlier one left.
    slot.renew();
    let message = match program.build(&task.toolchain, task.limits, home.path()) {
        None => lay_out(&program, home.path())?,
        Some(exec) => {
            let ran = slot.run(&exec)?;
            let message = message(&ran)?;
            if ran.exit != Exit::Code(0) {
                return Ok(Build::Refused { message: refusal(&ran.exit, task, message) });
            }
            message
        }
    };
    let blob = store.put_tree(home.path()).map_err(|e| Fault::new(format!("{e:#}")))?;
    Ok(Build::Program { blob, entry: program.entry.clone(), message })
}

/// The size of what was handed in, before anything of the package is laid over it.
fn too_large(task: &BuildTask) -> Result<Option<String>, Fault> {
    let mut size = Bytes(0);
    for file in &task.source.files {
        let path = task.source.root.join(file);
        let file = fs::metadata(&path).map_err(|e| Fault::new(format!("read {}: {e}", path.display())))?;
        size.0 += file.len();
    }
    Ok((size > task.code).then(|| format!("{size} of source code; the limit is {}", task.code)))
}

/// A language that is not built: its sources are the program.
fn lay_out(program: &Program, home: &Path) -> Result<String, Fault> {
    for (inside, host) in &program.files {
        let to = home.join(inside);
        let copy = || -> std::io::Result<u64> {
            to.parent().map_or(Ok(()), fs::create_dir_all)?;
            fs::copy(host, &to)
        };
        copy().map_err(|e| Fault::new(format!("copy {}: {e}", host.display())))?;
    }
    Ok(String::new())
}

/// What the compiler said: standard error, or else standard output.
fn message(ran: &Ran) -> Result<String, Fault> {
    let read = |captured: &crate::sandbox::Captured| {
        let bytes =
            captured.head(MESSAGE).map_err(|e| Fault::new(format!("read a compiler's message: {e}")))?;
        Ok(String::from_utf8_lossy(&bytes).into_owned())
    };
    let said = read(&ran.stderr)?;
    if said.trim().is_empty() { read(&ran.stdout) } else { Ok(said) }
}

fn refusal(exit: &Exit, task: &BuildTask, message: String) -> String {
    let limits = &task.limits;
    let why = match exit {
        Exit::Code(_) => return message,
        Exit::Signal(signal) => format!("the compiler was killed by signal {signal}"),
        Exit::Exceeded(Limit::Cpu | Limit::Wall) => {
            format!("the compiler ran out of time ({} s)", limits.cpu.as_secs_f64())
        }
        Exit::Exceeded(Limit::Memory) => format!("the compiler ran out of memory ({})", limits.memory),
        Exit::Exceeded(Limit::Output) => "the compiler's messages grew too large".into(),
        Exit::Exceeded(Limit::Files) => format!("the program grew too large (over {})", limits.files),
        Exit::Exceeded(Limit::Processes) => "the compiler started too many processes".into(),
    };
    format!("{why}\n{message}")
}
