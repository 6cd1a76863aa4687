//! The fake executor: takes results from the text of programs, so that everything around the runs is tested
//! quickly, without a sandbox and without a compiler.
//!
//! Two things are fake. Runs: the sandbox of [`machine`] interprets the text of a program instead of running
//! it, as `fake_language` defines, and takes only a millisecond of the machine's stopped clock. The real
//! worker does all nine kinds of jobs on it. Outcomes: lines `CASE VERDICT [MILLISECONDS [WITNESS]]` in the
//! text of a submission are its trials, with `*` for any case and `static` for static validation. Several
//! lines for a case are its runs in order, and the last one repeats. `WITNESS` is the time of the witness,
//! and the verdict `fault` is a fault of ours. [`line_executor`] knows only such lines, and needs only a store.

// Tests within the engine use it, too, and cannot use this crate.
#[path = "../../engine/src/worker/fake_box.rs"]
mod fake_box;
mod fake_language;
mod fake_syntax;

use fake_box::{box_files, captured_text, host_path, keep_file, stdin_bytes};
use fake_language::{FakeEffects, FakeEnd, FakeInput, FakeProgram};
use kopek_base::{Bytes, Clock, Digest, ScratchRoot, with_scratch_root};
use kopek_engine::{
    exec::{JobResult, Local},
    machine::{Machine, MachineKind, no_toolchain},
    store::Store,
    toolchains::Search,
    worker::{Perform, performer as usual_performer},
};
use kopek_package::{
    language::{EXE, Language, LanguageTable, Toolchain},
    verdict::Verdict,
};
use kopek_plan::plan::{Build, BuildTask, Job, Outcome, Program, Task, Trial, TrialTask, WitnessTime};
use kopek_sandbox::{
    Exec, Exit, Fault, Limit, PairOptions, PairResult, RunPrograms, RunResult, Sandbox, Usage,
};
use std::{
    fs, io,
    path::{Path, PathBuf},
    sync::Arc,
    time::Duration,
};

/// A machine whose sandbox runs nothing and which has all compilers.
pub fn machine(store: Store) -> Machine {
    let table = LanguageTable::embedded().with_each(simplify_row);
    let mut machine = Machine::new(Sandbox::untried(), store, table, Search::default(), vec![0]);
    machine.clock = Clock::stopped();
    let clock = machine.clock.clone();
    machine.run_programs_in(Box::new(move |_| Box::new(FakeSlot(clock.clone()))));
    machine.kind = MachineKind { isolation: "fake".into(), class: "fake".into() };
    machine.name = "fake".into();
    for row in machine.table.languages() {
        machine.set_toolchain(row, toolchain(row));
    }
    machine
}

/// Does jobs on a fake machine, one at a time.
pub fn executor(machine: &Machine) -> Local<'_> {
    Local::new(vec![performer(machine)])
}

/// Does jobs on a fake machine.
pub fn performer(machine: &Machine) -> Perform<'_> {
    let mut perform = usual_performer(machine, 0);
    // Tests have the store in memory: on a busy disk, temporary files would take longer than everything else.
    let scratch = ScratchRoot::below(machine.store.dir()).map(Arc::new);
    let text_of = |program: &Program| {
        let dir = machine.store.directory(&program.blob).map_err(|e| Fault::new(format!("{e:#}")))?;
        program_text(&dir, &program.entry).map_err(|e| Fault::new(format!("read {}: {e}", program.name)))
    };
    Box::new(move |job| match line_outcome(job, &text_of)? {
        Some(outcome) => Ok(outcome),
        None => match &scratch {
            Ok(root) => with_scratch_root(root, || perform(job)),
            Err(error) => Err(Fault::new(format!("make a directory in the store: {error}"))),
        },
    })
}

/// Makes all programs texts, whatever they would be built and run with.
fn simplify_row(row: &mut Language) {
    row.build = Some(vec!["build".into(), "{entry}".into()]);
    row.run = vec!["{entry}".into()];
    row.hello = None;
    row.warm = None;
    row.precompiled = None;
    row.extras.clear();
}

fn toolchain(row: &Language) -> Toolchain {
    Toolchain {
        code: row.code.clone(),
        version: "fake".into(),
        digest: Digest::of(format!("fake {}", row.code).as_bytes()),
        ..no_toolchain()
    }
}

/// Interprets programs instead of running them.
struct FakeSlot(Clock);

/// The duration of every run by the machine's clock: a time budget of a second is a thousand runs.
const RUN: Duration = Duration::from_millis(1);

impl RunPrograms for FakeSlot {
    fn run(&mut self, exec: &Exec) -> Result<RunResult, Fault> {
        self.0.advance(RUN);
        run_text(exec)
    }

    fn run_pair(&mut self, _: &Exec, _: &Exec, _: PairOptions) -> Result<PairResult, Fault> {
        Err(Fault::new("fake programs hold no conversations"))
    }

    fn renew_worker(&mut self) {}

    fn pin_thread(&self) -> Result<(), Fault> {
        Ok(())
    }

    fn time_spin(&mut self) -> Duration {
        Duration::from_millis(20)
    }
}

/// A run that does not mount a program is a build.
fn run_text(exec: &Exec) -> Result<RunResult, Fault> {
    let ran = match exec.view.mounts.iter().find(|mount| mount.inside == Path::new(EXE)) {
        None => build_text(exec),
        Some(mount) => run_program(exec, &mount.host),
    };
    ran.map_err(|e| Fault::new(format!("run a fake program: {e}")))
}

fn build_text(exec: &Exec) -> io::Result<RunResult> {
    let files = box_files(exec)?;
    let entry = exec.argv.get(1).map(PathBuf::from).and_then(|entry| files.get(&entry));
    let text = entry.or(files.values().next()).map_or("".into(), |bytes| String::from_utf8_lossy(bytes));
    if let Err(message) = FakeProgram::parse(&text, |line| outcome_line(line).is_some()) {
        return result(Exit::Code(1), Usage::default(), "", &message);
    }
    files.iter().try_for_each(|(path, bytes)| keep_file(exec, path, bytes))?;
    result(Exit::Code(0), Usage::default(), "", "")
}

/// The file to run; if the program has no such file, its first one.
fn program_text(dir: &Path, entry: &str) -> io::Result<String> {
    let entry = dir.join(entry);
    let all = || walkdir::WalkDir::new(dir).sort_by_file_name().into_iter().filter_map(Result::ok);
    let first = || all().find(|entry| entry.file_type().is_file()).map(walkdir::DirEntry::into_path);
    let program = if entry.is_file() { Some(entry) } else { first() };
    Ok(String::from_utf8_lossy(&fs::read(program.ok_or(io::ErrorKind::NotFound)?)?).into_owned())
}

fn run_program(exec: &Exec, dir: &Path) -> io::Result<RunResult> {
    let text = program_text(dir, &exec.argv[0])?;
    let program = FakeProgram::parse(&text, |line| outcome_line(line).is_some()).map_err(io::Error::other)?;
    let input = FakeInput {
        text: String::from_utf8_lossy(&stdin_bytes(exec)?).into_owned(),
        args: &exec.argv[1..],
        file: &|path| inside_file(exec, Path::new(path)),
    };
    let done = program.run(&input);
    for (path, text) in &done.files {
        if let Ok(below) = Path::new(&exec.cwd).join(path).strip_prefix("/box") {
            keep_file(exec, below, text.as_bytes())?;
        }
    }
    let (exit, usage) = end_of(exec, &done);
    result(exit, usage, &done.stdout, &done.stderr)
}

/// How the sandbox would end it.
fn end_of(exec: &Exec, done: &FakeEffects) -> (Exit, Usage) {
    let limits = &exec.limits;
    let cpu = Duration::from_millis(done.milliseconds);
    let memory = Bytes::mib(done.mebibytes);
    let usage =
        Usage { cpu: cpu.min(limits.cpu), wall: cpu, memory: memory.min(limits.memory), ..Usage::default() };
    let exit = match done.end {
        _ if cpu > limits.cpu => Exit::Exceeded(Limit::Cpu),
        _ if memory > limits.memory => Exit::Exceeded(Limit::Memory),
        _ if done.stdout.len() as u64 > limits.output.0 => Exit::Exceeded(Limit::Output),
        FakeEnd::Code(code) => Exit::Code(code),
        FakeEnd::Signal(signal) => Exit::Signal(signal),
        FakeEnd::Asleep => return (Exit::Exceeded(Limit::Wall), Usage { wall: limits.wall, ..usage }),
    };
    (exit, usage)
}

fn result(exit: Exit, usage: Usage, stdout: &str, stderr: &str) -> io::Result<RunResult> {
    let stdout = captured_text(stdout)?;
    let stderr = captured_text(stderr)?;
    Ok(RunResult { exit, usage, unseen: Duration::ZERO, stdout, stderr, notes: vec![] })
}

/// The contents of the file that the program sees at this path.
fn inside_file(exec: &Exec, path: &Path) -> Option<String> {
    let path = Path::new(&exec.cwd).join(path);
    let mounted = host_path(exec, &path).and_then(|host| fs::read(host).ok());
    let in_box = || box_files(exec).ok()?.remove(path.strip_prefix("/box").ok()?);
    mounted.or_else(in_box).map(|bytes| String::from_utf8_lossy(&bytes).into_owned())
}

/// Does jobs by the lines of submissions, one at a time.
pub fn line_executor(store: &Store) -> Local<'_> {
    Local::new(vec![Box::new(|job| perform(store, job))])
}

/// Does one job by the lines of its submission; without any, the submission is accepted.
pub fn perform(store: &Store, job: &Job) -> JobResult {
    if let Some(outcome) = line_outcome(job, &|program| text_of(store, &program.build))? {
        return Ok(outcome);
    }
    match &job.task {
        Task::Build(task) => build(store, task).map(Outcome::Build),
        Task::Trial(_) | Task::CheckSource(_) => {
            Ok(Outcome::Trial(trial_with(Verdict::Accepted, Duration::from_millis(1))))
        }
        Task::MakeCase(_)
        | Task::CheckInput(_)
        | Task::CheckOutput(_)
        | Task::Grade(_)
        | Task::Draw(_)
        | Task::Probe(_) => Err(Fault::new("these jobs need a fake machine")),
    }
}

/// The outcome of this job in the submission's lines, if one matches.
fn line_outcome(
    job: &Job,
    text_of: &dyn Fn(&Program) -> Result<String, Fault>,
) -> Result<Option<Outcome>, Fault> {
    let trial = match &job.task {
        Task::Trial(task) => trial_of_line(task, &text_of(&task.program)?)?,
        Task::CheckSource(task) => {
            let line = line_for(&text_of(&task.program)?, "static", 0);
            line.map(|line| line.trial(&task.case.group)).transpose()?
        }
        Task::Build(_)
        | Task::MakeCase(_)
        | Task::CheckInput(_)
        | Task::CheckOutput(_)
        | Task::Grade(_)
        | Task::Draw(_)
        | Task::Probe(_) => None,
    };
    Ok(trial.map(Outcome::Trial))
}

fn trial_of_line(task: &TrialTask, text: &str) -> Result<Option<Trial>, Fault> {
    let case = &task.case.name;
    let Some(line) = line_for(text, case, task.repetition as usize) else { return Ok(None) };
    let mut trial = line.trial(case)?;
    if let (Verdict::TimeLimit, Some(witness)) = (trial.verdict, &task.witness) {
        trial.witness = Some(WitnessTime {
            witness: witness.key(&task.setting),
            name: witness.name().to_owned(),
            machine: "fake".into(),
            is_alike: false,
            time: Duration::from_millis(line.witness),
        });
    }
    Ok(Some(trial))
}

fn build(store: &Store, task: &BuildTask) -> Result<Build, Fault> {
    let text = text_of(store, task)?;
    let message = String::from("as the text says");
    if text.lines().any(|line| line.trim() == "build refused") {
        return Ok(Build::Refused { message });
    }
    let blob = store.put_bytes(text.as_bytes()).map_err(|error| Fault::new(format!("{error:#}")))?;
    Ok(Build::Program { blob, entry: String::new(), message })
}

fn text_of(store: &Store, task: &BuildTask) -> Result<String, Fault> {
    let digest = task.files.first().map_or(Digest::of(b""), |file| file.digest);
    let bytes = store.read(&digest).map_err(|error| Fault::new(format!("{error:#}")))?;
    Ok(String::from_utf8_lossy(&bytes).into_owned())
}

/// A line `CASE VERDICT [MILLISECONDS [WITNESS]]`.
struct OutcomeLine {
    case: String,
    /// `None` is a fault of ours.
    verdict: Option<Verdict>,
    milliseconds: u64,
    witness: u64,
}

impl OutcomeLine {
    fn trial(&self, case: &str) -> Result<Trial, Fault> {
        match self.verdict {
            Some(verdict) => Ok(trial_with(verdict, Duration::from_millis(self.milliseconds))),
            None => Err(Fault::new(format!("{case} wants `fault`"))),
        }
    }
}

fn outcome_line(line: &str) -> Option<OutcomeLine> {
    let all = [
        Verdict::Accepted,
        Verdict::WrongAnswer,
        Verdict::TimeLimit,
        Verdict::RunTimeError,
        Verdict::MemoryLimit,
    ];
    let words: Vec<&str> = line.split_whitespace().collect();
    let case = words.first()?;
    let word = words.get(1)?;
    let verdict = all.into_iter().find(|verdict| verdict.short() == *word);
    if verdict.is_none() && *word != "fault" {
        return None;
    }
    let number = |at: usize, usual| words.get(at).and_then(|word| word.parse().ok()).unwrap_or(usual);
    let case = (*case).to_owned();
    let milliseconds = number(2, 1);
    let witness = number(3, 100);
    Some(OutcomeLine { case, verdict, milliseconds, witness })
}

/// The line for a run of a case; runs count from 0.
fn line_for(text: &str, case: &str, run: usize) -> Option<OutcomeLine> {
    let all: Vec<OutcomeLine> = text.lines().filter_map(outcome_line).collect();
    let wanted = if all.iter().any(|line| line.case == case) { case } else { "*" };
    let mut lines: Vec<OutcomeLine> = all.into_iter().filter(|line| line.case == wanted).collect();
    let at = run.min(lines.len().saturating_sub(1));
    (!lines.is_empty()).then(|| lines.swap_remove(at))
}

fn trial_with(verdict: Verdict, cpu: Duration) -> Trial {
    Trial { usage: Usage { cpu, wall: cpu, ..Usage::default() }, ..Trial::ended(verdict, Exit::Code(0)) }
}
