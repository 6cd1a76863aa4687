//! The custom grader of a legacy package, asked about one group. What it said is
//! remembered under everything that can change it; a grader that fails is our
//! fault, never a verdict.

use crate::{
    base::Fields,
    plan::Ready,
    sandbox::{Exit, Fault, Input, Ran, Slot},
    score::{Grade, GraderRun, read_grade},
    store::Store,
};

/// What is read of what it prints.
const ANSWER: usize = 4 << 10;

/// Asks the grader, unless its answer is known.
pub fn grade(slot: &mut Slot, store: &Store, grader: &Ready, run: &GraderRun) -> Result<Grade, Fault> {
    let kept = |error: anyhow::Error| Fault::new(format!("{error:#}"));
    let name = format!("grade {}", fields(grader, run).digest());
    if let Some(known) = store.recall::<String>(&name).map_err(kept)? {
        return read_grade(&known).map_err(Fault::new);
    }
    let answer = ask(slot, grader, run)?;
    let grade = read_grade(&answer).map_err(|what| failed(grader, run, &what))?;
    store.remember(&name, &answer).map_err(kept)?;
    Ok(grade)
}

fn fields(grader: &Ready, run: &GraderRun) -> Fields {
    let flags = serde_json::to_vec(&run.flags).expect("a list of words becomes JSON");
    let limits = format!("{:?}", grader.exec.limits);
    Fields::new("grade 1")
        .with("grader", grader.key.as_bytes())
        .with("limits", limits.as_bytes())
        .with("flags", &flags)
        .with("input", run.input.as_bytes())
}

fn ask(slot: &mut Slot, grader: &Ready, run: &GraderRun) -> Result<String, Fault> {
    let mut exec = grader.exec.clone();
    exec.argv.extend(run.flags.iter().cloned());
    exec.stdin = Input::Bytes(run.input.clone().into_bytes());
    exec.view.writable = true;
    exec.cwd = "/box".into();
    let ran = slot.run(&exec)?;
    if ran.exit != Exit::Code(0) {
        return Err(failed(grader, run, &how(&ran)));
    }
    let answer =
        ran.stdout.head(ANSWER).map_err(|e| Fault::new(format!("read what the grader said: {e}")))?;
    Ok(String::from_utf8_lossy(&answer).into_owned())
}

fn how(ran: &Ran) -> String {
    let ended = match ran.exit {
        Exit::Code(code) => format!("it exited with {code} instead of 0"),
        Exit::Signal(signal) => format!("it was killed by signal {signal}"),
        Exit::Exceeded(limit) => format!("it exceeded its limit: {limit:?}"),
    };
    let said = ran.stderr.tail(500).unwrap_or_default();
    let said = String::from_utf8_lossy(&said);
    if said.trim().is_empty() { ended } else { format!("{ended}: {}", said.trim()) }
}

fn failed(grader: &Ready, run: &GraderRun, what: &str) -> Fault {
    let group = if run.group.is_empty() { "data" } else { &run.group };
    Fault::new(format!("{} failed on {group}: {what}", grader.name))
}
