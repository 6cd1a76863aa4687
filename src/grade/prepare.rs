//! From a package, its cases and submissions to a plan: toolchains found,
//! validators built, limits chosen.

use crate::{
    base::Bytes,
    exec::{Role, Rules, Workshop, machine, stop_at},
    package::{Group, Judge, Kind, Member, Package, Program, Rule, Submission, TestSet},
    plan::{Candidate, Checker, Course, Plan, Ready, Setting, StaticCase, Unplanned, plan},
    sandbox::Limits,
};
use anyhow::{Context, Result, bail};
use std::{sync::Arc, time::Duration};

/// A submission's name and files, or why there is nothing to judge.
pub struct Preparation<'a> {
    /// Whose it is.
    pub name: &'a str,
    /// What was handed in.
    pub submission: Result<&'a Submission, String>,
}

/// The time limit where a package names none.
pub const DEFAULT_TIME: Duration = Duration::from_secs(2);

/// How times are taken by whoever wants to know them better than a grade needs.
#[derive(Debug, Clone, Copy, Default)]
pub struct Timing {
    /// Runs are stopped no earlier than after so much CPU time.
    pub patience: Duration,
    /// Runs that take more CPU time than this are tried again, alone, and the least time counts.
    pub doubt: Option<Duration>,
}

/// Plans all trials of a cohort.
pub fn prepare(
    workshop: &Workshop,
    package: &Package,
    tests: &TestSet,
    cohort: &[Preparation],
    timing: Timing,
) -> Result<Plan> {
    runnable(package)?;
    let setting = setting(workshop, package, tests, timing)?;
    let candidates = cohort.iter().map(|member| candidate(workshop, package, tests, member)).collect();
    Ok(plan(candidates, &tests.cases, setting))
}

/// What is read but cannot be run, or not in this combination.
pub fn runnable(package: &Package) -> Result<()> {
    let Kind { interactive, multi_pass, .. } = package.kind;
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

fn course(package: &Package) -> Course {
    let Kind { interactive, multi_pass, submit_answer, .. } = package.kind;
    let passes = if multi_pass { package.limits.validation_passes } else { 1 };
    match (submit_answer, interactive) {
        (true, _) => Course::HandedIn,
        (false, true) => Course::Talk { passes },
        (false, false) => Course::Alone { passes },
    }
}

fn candidate(workshop: &Workshop, package: &Package, tests: &TestSet, member: &Preparation) -> Candidate {
    let rules = Rules {
        role: role(package, member),
        constants: &package.constants,
        allowed: package.languages.as_deref(),
        include: &package.include,
        limits: compile_limits(package),
        code: size_limit(package, tests),
    };
    let task = match &member.submission {
        Err(why) => Err(Unplanned::Refused(why.clone())),
        Ok(submission) if package.kind.submit_answer => workshop.answers(&submission.source, &rules),
        Ok(submission) => {
            let (declared, entry) = (submission.language.as_deref(), submission.entry.as_deref());
            workshop.task(&submission.source, declared, entry, &rules)
        }
    };
    Candidate { name: member.name.to_owned(), task }
}

/// Whoever hands in a file of the package means it as the package does.
fn role(package: &Package, member: &Preparation) -> Role {
    let examples = package.dir.join("submissions").canonicalize();
    let root = member.submission.as_ref().map(|submission| submission.source.root.canonicalize());
    match (examples, root) {
        (Ok(examples), Ok(Ok(root))) if root.starts_with(&examples) => Role::Example,
        _ => Role::HandIn,
    }
}

/// Of a program its code; of outputs as much as a program could have printed in all.
fn size_limit(package: &Package, tests: &TestSet) -> Bytes {
    match package.kind.submit_answer {
        true => Bytes(package.limits.output.0.saturating_mul(tests.cases.len().max(1) as u64)),
        false => package.limits.code,
    }
}

fn setting(
    workshop: &Workshop,
    package: &Package,
    tests: &TestSet,
    Timing { patience, doubt }: Timing,
) -> Result<Setting> {
    let limits = run_limits(package);
    let stop = stop_at(limits.cpu).max(patience);
    Ok(Setting {
        course: course(package),
        limits: Limits { wall: limits.wall.max(patience + patience / 2 + LULL), ..limits },
        stop,
        doubt,
        checker: checker(workshop, package)?,
        data: package.dir.join("data"),
        writable: package.allow_file_writing,
        statics: statics(workshop, package, tests)?,
        named_files: package.named_files.clone(),
        isolation: workshop.sandbox.mode(),
        machine: machine(),
    })
}

/// CPU time decides; wall time only ends what sleeps.
fn run_limits(package: &Package) -> Limits {
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

/// How long a program may sleep in any case.
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

fn checker(workshop: &Workshop, package: &Package) -> Result<Checker> {
    let Judge::Programs { programs, scores } = &package.judge else {
        return Ok(Checker::Default(package.format));
    };
    let limits = validation_limits(package);
    let mut slot = workshop.slot();
    let mut ready = |program: &Program| {
        let name = format!("output validator {}", program.name);
        workshop.ready(&mut slot, &name, &program.source, &package.constants, limits)
    };
    let programs = programs.iter().map(&mut ready).collect::<Result<Vec<_>>>();
    let programs = programs.with_context(|| format!("prepare {}", package.name))?;
    Ok(Checker::Programs { programs, scores: *scores })
}

fn validation_limits(package: &Package) -> Limits {
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

/// The custom grader of a legacy package; its limits are those of validators.
pub fn grader(workshop: &Workshop, package: &Package) -> Result<Ready> {
    let Some(program) = &package.grader else {
        bail!("{}: `grading: custom` in testdata.yaml, but no grader in graders/", package.name)
    };
    let name = format!("grader {}", program.name);
    let limits = validation_limits(package);
    workshop.ready(&mut workshop.slot(), &name, &program.source, &package.constants, limits)
}

/// A visualizer, with the guarantees that validators have.
pub fn visualizer(workshop: &Workshop, package: &Package, at: &str, program: &Program) -> Result<Ready> {
    let name = format!("{at} {}", program.name);
    // The format puts constants into validators and submissions, not into these.
    let limits = validation_limits(package);
    workshop.ready(&mut workshop.slot(), &name, &program.source, &Default::default(), limits)
}

/// One for each group that wants its programs validated without a run.
fn statics(workshop: &Workshop, package: &Package, tests: &TestSet) -> Result<Vec<Arc<StaticCase>>> {
    let mut wanted = Vec::new();
    statically_validated(&tests.root, &mut wanted);
    let (Some(program), false) = (&package.static_validator, wanted.is_empty()) else {
        return match wanted.first() {
            Some((group, _)) => bail!("{}: {group} wants a static validator; there is none", package.name),
            None => Ok(vec![]),
        };
    };
    let name = format!("static validator {}", program.name);
    let limits = validation_limits(package);
    let validator = workshop.ready(&mut workshop.slot(), &name, &program.source, &package.constants, limits);
    let validator = validator.with_context(|| format!("prepare {}", package.name))?;
    let case = |(group, args)| Arc::new(StaticCase { group, args, validator: validator.clone() });
    Ok(wanted.into_iter().map(case).collect())
}

fn statically_validated(group: &Group, wanted: &mut Vec<(String, Vec<String>)>) {
    if let Rule::Modern { static_validation: Some(_), static_validator_args, .. } = &group.rule {
        wanted.push((group.name.clone(), static_validator_args.clone()));
    }
    for member in &group.members {
        if let Member::Group(below) = member {
            statically_validated(below, wanted);
        }
    }
}
