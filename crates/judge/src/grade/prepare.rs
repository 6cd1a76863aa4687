//! Turns a package, its cases and submissions into a plan: finds toolchains, builds validators, chooses limits.

use anyhow::{Result, bail};
use kopek_base::{Bytes, Digest, map_in_parallel, wording::short_line};
use kopek_engine::{
    exec::{Engine, NoProgram, ProgramRequest},
    machine::{BuildRules, Machine, SourceRole, plan_answers, plan_submission},
    store::Store,
};
use kopek_package::package::{
    self, Case, Group, Judge, NoSubmission, Package, Participant, ProblemKind, Rule, Submission, TestSet,
    data_beside_cases,
};
use kopek_plan::{
    plan::{Candidate, Checker, Plan, Program, Setting, SourceCase, TrialMode, Unplanned, plan},
    timing::FIRST_STOP,
};
use kopek_sandbox::{Fault, Limits};
use std::{
    collections::HashMap,
    path::PathBuf,
    sync::{Arc, Mutex, PoisonError},
    time::Duration,
};

/// The time limit where a package names none.
pub const DEFAULT_TIME: Duration = Duration::from_secs(2);

/// Plans all trials of a cohort. No run is stopped before it has used `patience` of CPU time. Builds the validators
/// that the plan needs.
pub fn prepare(
    engine: &Engine,
    package: &Package,
    tests: &TestSet,
    cohort: &[Participant],
    patience: Duration,
) -> Result<Plan> {
    check_runnable(package)?;
    check_outer_limits(engine, package)?;
    let data = lend_cases(engine.store(), package, tests)?;
    let tools = build_tools(engine, package, tests)?;
    let source_cases = source_cases(package, tests, tools.static_validator)?;
    let checker = match (&package.judge, tools.output_validators) {
        (Judge::Default, _) => Checker::Default(package.format),
        (Judge::Programs { scores, .. }, programs) => Checker::Programs { programs, scores: *scores, data },
    };
    let setting = setting(engine, package, checker, patience);
    // In parallel: some toolchains take a second to detect.
    let roles = MemberRoles::of(package);
    let plan_member = |member: &Participant| candidate(engine.machine, package, tests, &roles, member);
    let candidates = map_in_parallel(cohort, MAX_PLANNERS, plan_member);
    Ok(plan(candidates, &tests.cases, setting, source_cases))
}

/// The number of hand-ins planned in parallel: more would only compete for the CPUs.
const MAX_PLANNERS: usize = 8;

/// Makes the files of a test set available to jobs without copying them; returns the digest of the files in `data/`
/// that belong to no case.
pub fn lend_cases(store: &Store, package: &Package, tests: &TestSet) -> Result<Digest> {
    let lend = |case: &Case| {
        store.lend_file(&case.input, case.ids.input);
        case.ids.answer.iter().for_each(|id| store.lend_file(&case.answer, *id));
        if let (Some(dir), Some(id)) = (&case.files, &case.ids.files) {
            store.lend_tree(dir, id);
        }
    };
    tests.cases.iter().for_each(lend);
    tests.validation.iter().for_each(|one| lend(&one.case));
    let beside = data_beside_cases(package)?;
    store.lend_tree(&package.dir.join("data"), &beside);
    Ok(beside.digest)
}

/// Programs of the package that a plan needs.
struct Tools {
    output_validators: Vec<Program>,
    static_validator: Option<Arc<Program>>,
}

/// Builds them in parallel.
fn build_tools(engine: &Engine, package: &Package, tests: &TestSet) -> Result<Tools> {
    let limits = validation_limits(package);
    let request = |kind: &str, program: &package::PackageProgram| {
        let name = format!("{kind} {}", program.name);
        engine.tool_request(&name, &program.source, &package.constants, limits)
    };
    let mut requests: Vec<ProgramRequest> = match &package.judge {
        Judge::Default => vec![],
        Judge::Programs { programs, .. } => {
            programs.iter().map(|program| request("output validator", program)).collect()
        }
    };
    let wanted = match &package.static_validator {
        Some(program) if !groups_with_source_case(tests).is_empty() => Some(program),
        Some(_) | None => None,
    };
    requests.extend(wanted.map(|program| request("static validator", program)));
    let mut built = Vec::new();
    for (request, result) in requests.iter().zip(engine.build_programs(&requests)?) {
        built.push(result.map_err(|why| why.of(&request.name))?);
    }
    // It was requested last, so it is built last.
    let static_validator = wanted.and_then(|_| built.pop());
    Ok(Tools {
        output_validators: built.iter().map(|program| (**program).clone()).collect(),
        static_validator,
    })
}

/// Rejects packages that can be read but not run.
pub fn check_runnable(package: &Package) -> Result<()> {
    let ProblemKind { interactive, multi_pass, .. } = package.kind;
    let name = &package.name;
    if interactive || multi_pass {
        let what = if interactive { "an interactive" } else { "a multi-pass" };
        match &package.judge {
            Judge::Default => bail!("{name}: {what} problem needs an output validator of its own"),
            Judge::Programs { programs, .. } if programs.len() != 1 => {
                let number = programs.len();
                bail!("{name}: {what} problem needs exactly one output validator; there are {number}")
            }
            Judge::Programs { .. } => {}
        }
    }
    if package.named_files.is_some() && (interactive || package.kind.submit_answer) {
        bail!("{name}: `files` in kopek.toml is for programs that run alone; remove it");
    }
    Ok(())
}

/// The package's limits must stop its programs, not the limits under which kopek was started.
fn check_outer_limits(engine: &Engine, package: &Package) -> Result<()> {
    if package.kind.submit_answer {
        return Ok(());
    }
    let run = run_limits(package);
    // Compilers and validators may use more memory, but usually work with less.
    let of_tool = |limits: Limits| Limits { memory: run.memory.min(limits.memory), ..limits };
    let all = [run, of_tool(compile_limits(package)), of_tool(validation_limits(package))];
    engine.machine.sandbox.check_outer_limits(&all).map_err(|fault| anyhow::anyhow!("{}", fault.what))
}

fn trial_mode(package: &Package) -> TrialMode {
    let ProblemKind { interactive, multi_pass, submit_answer, .. } = package.kind;
    let passes = if multi_pass { package.limits.validation_passes } else { 1 };
    match (submit_answer, interactive) {
        (true, _) => TrialMode::HandedIn,
        (false, true) => TrialMode::Talk { passes },
        (false, false) => TrialMode::Alone { passes },
    }
}

pub(super) fn candidate(
    machine: &Machine,
    package: &Package,
    tests: &TestSet,
    roles: &MemberRoles,
    member: &Participant,
) -> Candidate {
    let rules = BuildRules {
        role: roles.of_member(member),
        constants: &package.constants,
        allowed: package.languages.as_deref(),
        include: &package.include,
        limits: compile_limits(package),
        code: size_limit(package, tests),
    };
    let task = match &member.submission {
        Err(NoSubmission::Absent(why) | NoSubmission::Refused(why)) => Err(Unplanned::Refused(why.clone())),
        Err(NoSubmission::Undecided(why)) => Err(Unplanned::Undecided(why.clone())),
        Ok(submission) if package.kind.submit_answer => {
            plan_answers(machine, submission, &cases_to_name(tests, member, submission), &rules)
        }
        Ok(submission) => plan_submission(machine, submission, &rules),
    };
    Candidate { participant: member.clone(), task }
}

/// The cases after which a file of answers can be named: none if the only file has the participant's name, which may
/// equal the name of a case.
fn cases_to_name<'a>(tests: &'a TestSet, member: &Participant, submission: &Submission) -> Vec<&'a str> {
    let is_own = |file: &PathBuf| file.file_stem().is_some_and(|stem| *stem == *member.name);
    match submission.source.files.as_slice() {
        [only] if is_own(only) => Vec::new(),
        _ => tests.cases.iter().map(|case| case.name.as_str()).collect(),
    }
}

/// The roles of hand-ins: a file in the package's `submissions/` is an example.
pub(super) struct MemberRoles {
    examples: Option<PathBuf>,
    /// By directory: a class has few.
    known: Mutex<HashMap<PathBuf, SourceRole>>,
}

impl MemberRoles {
    pub(super) fn of(package: &Package) -> MemberRoles {
        MemberRoles { examples: package.dir.join("submissions").canonicalize().ok(), known: Mutex::default() }
    }

    fn of_member(&self, member: &Participant) -> SourceRole {
        let (Some(examples), Ok(submission)) = (&self.examples, &member.submission) else {
            return SourceRole::HandIn;
        };
        let root = &submission.source.root;
        let mut known = self.known.lock().unwrap_or_else(PoisonError::into_inner);
        *known.entry(root.clone()).or_insert_with(|| match root.canonicalize() {
            Ok(root) if root.starts_with(examples) => SourceRole::Example,
            _ => SourceRole::HandIn,
        })
    }
}

/// The code limit for a program; for outputs, the output limit times the number of cases.
fn size_limit(package: &Package, tests: &TestSet) -> Bytes {
    if !package.kind.submit_answer {
        return package.limits.code;
    }
    // Saturating: a package may name any output limit.
    Bytes(package.limits.output.0.saturating_mul(tests.cases.len().max(1) as u64))
}

fn setting(engine: &Engine, package: &Package, checker: Checker, patience: Duration) -> Setting {
    let limits = run_limits(package);
    Setting {
        mode: trial_mode(package),
        limits: Limits { wall: limits.wall.max(patience + patience / 2 + LULL), ..limits },
        stop: limits.cpu.mul_f64(FIRST_STOP).max(patience),
        checker: Arc::new(checker),
        writable: package.allow_file_writing,
        named_files: package.named_files.clone(),
        isolation: engine.machine.kind.isolation.clone(),
        machine: engine.machine.kind.class.clone(),
    }
}

/// CPU time decides; the wall time limit only stops programs that sleep.
pub fn run_limits(package: &Package) -> Limits {
    let cpu = package.limits.time.unwrap_or(DEFAULT_TIME);
    Limits {
        cpu,
        wall: idle_limit(cpu),
        memory: package.limits.memory,
        output: package.limits.output,
        files: package.limits.output,
        processes: PROCESSES,
    }
}

fn idle_limit(cpu: Duration) -> Duration {
    cpu * 2 + LULL
}

/// How long any program may sleep.
const LULL: Duration = Duration::from_secs(1);

/// Threads are allowed: CPU time counts all of them.
const PROCESSES: u32 = 64;

fn compile_limits(package: &Package) -> Limits {
    let cpu = package.limits.compilation_time;
    Limits {
        cpu,
        wall: cpu * 2 + Duration::from_secs(5),
        memory: package.limits.compilation_memory,
        output: Bytes::mib(1),
        files: Bytes::mib(256),
        processes: 256,
    }
}

/// Limits of validators, graders and visualizers.
pub fn validation_limits(package: &Package) -> Limits {
    let cpu = package.limits.validation_time;
    Limits {
        cpu,
        wall: cpu * 2 + Duration::from_secs(1),
        memory: package.limits.validation_memory,
        output: package.limits.validation_output,
        files: package.limits.validation_output,
        processes: PROCESSES,
    }
}

/// The custom grader of a legacy package.
pub(super) enum Grader {
    Ready(Arc<Program>),
    Missing(Fault),
}

/// Its limits are those of validators.
pub(super) fn build_grader(engine: &Engine, package: &Package) -> Result<Grader> {
    let Some(program) = &package.grader else {
        let why = "`grading: custom` in testdata.yaml, but no grader in graders/";
        return Ok(Grader::Missing(Fault::of_trusted_program(why.to_owned())));
    };
    let name = format!("grader {}", program.name);
    let request = engine.tool_request(&name, &program.source, &package.constants, validation_limits(package));
    let built = engine.build_programs(&[request])?.pop().expect("one request has one result");
    Ok(match built {
        Ok(program) => Grader::Ready(program),
        Err(NoProgram::Fault(fault)) => Grader::Missing(fault),
        Err(why @ NoProgram::Interrupted) => Grader::Missing(Fault::new(why.to_string())),
        // No other run would build it.
        Err(why @ (NoProgram::Refused(_) | NoProgram::DoesNotCompile(_))) => {
            Grader::Missing(Fault::of_trusted_program(short_line(&format!("{name}: {why}"))))
        }
    })
}

/// A visualizer, built and limited like a validator.
pub fn build_visualizer(
    engine: &Engine,
    package: &Package,
    at: &str,
    program: &package::PackageProgram,
) -> Result<Arc<Program>> {
    let name = format!("{at} {}", program.name);
    // The format defines constants for validators and submissions, not for visualizers.
    let request =
        engine.tool_request(&name, &program.source, &Default::default(), validation_limits(package));
    engine.build_program(request)
}

/// One for each group with a static validation.
fn source_cases(
    package: &Package,
    tests: &TestSet,
    validator: Option<Arc<Program>>,
) -> Result<Vec<SourceCase>> {
    let wanted = groups_with_source_case(tests);
    let Some(validator) = validator else {
        return match wanted.first() {
            Some(one) => bail!("{}: {} wants a static validator; there is none", package.name, one.group),
            None => Ok(vec![]),
        };
    };
    let case = |StaticValidation { group, args }| SourceCase { group, args, validator: validator.clone() };
    Ok(wanted.into_iter().map(case).collect())
}

/// A static validation of a group.
struct StaticValidation {
    group: String,
    args: Vec<String>,
}

fn groups_with_source_case(tests: &TestSet) -> Vec<StaticValidation> {
    let mut wanted = Vec::new();
    add_source_cases(&tests.root, &mut wanted);
    wanted
}

fn add_source_cases(group: &Group, wanted: &mut Vec<StaticValidation>) {
    if let Rule::Modern { static_validation: Some(_), static_validator_args, .. } = &group.rule {
        wanted.push(StaticValidation { group: group.name.clone(), args: static_validator_args.clone() });
    }
    group.groups().for_each(|below| add_source_cases(below, wanted));
}
