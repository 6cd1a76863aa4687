//! A hunt without a package, as contestants need it: a solution, a slow correct one, and a generator or samples.

use crate::bench::{CommandTemplate, HuntingGround, PROBE_LIMITS, StressSubject, TemplateWords, new_case};
use crate::form::{InputForm, NoForm};
use anyhow::{Context, Result, bail};
use kopek_base::Bytes;
use kopek_engine::{
    exec::{Engine, ProgramRequest},
    machine::{BuildRules, DeclaredSource, SourceRole, TOOL_BUILD_LIMITS, plan_build},
};
use kopek_package::package::{CaseArguments, Format, Participant, TOOL_CODE_LIMIT, shell_words::split_words};
use kopek_plan::{
    plan::{Checker, InputRuling, ProbeGround, Program, Setting, TrialMode},
    timing::FIRST_STOP,
};
use kopek_sandbox::Limits;
use std::{collections::BTreeMap, path::PathBuf, sync::Arc, time::Duration};

/// The files of a hunt.
#[derive(Debug, Clone)]
pub struct LooseRequest {
    pub solutions: Vec<Participant>,
    /// A correct solution, however slow.
    pub brute: Participant,
    /// Commands: a file and its arguments.
    pub commands: Vec<String>,
    /// The form of the samples, for inputs without a command.
    pub form: Result<Arc<InputForm>, NoForm>,
    /// An output validator; without one, tokens are compared.
    pub checker: Option<Participant>,
    pub validators: Vec<Participant>,
    /// CPU time of a run.
    pub time_limit: Duration,
    pub memory: Bytes,
}

/// Prepares a hunt with loose files. `open` finds the program of a command.
pub fn ground_of_files(
    engine: &Engine,
    request: &LooseRequest,
    open: &dyn Fn(&str) -> Result<Participant>,
) -> Result<HuntingGround> {
    let limits = Limits {
        cpu: request.time_limit,
        wall: request.time_limit * 2 + Duration::from_secs(1),
        memory: request.memory,
        output: Bytes::mib(64),
        files: Bytes::mib(64),
        processes: 64,
    };
    let build = |one: &Participant, limits: Limits| build_file(engine, one, limits);
    // Runs stop above the limit, so that near misses are measured again.
    let run = Limits { cpu: limits.cpu.mul_f64(FIRST_STOP), ..limits };
    let subject = |one: &Participant| -> Result<StressSubject> {
        let program = build(one, run)?;
        Ok(StressSubject { name: one.file.clone(), program, claimed_right: false })
    };
    let subjects = request.solutions.iter().map(subject).collect::<Result<Vec<_>>>()?;
    let slow = Limits { memory: PROBE_LIMITS.memory.max(request.memory), ..PROBE_LIMITS };
    let solution = build(&request.brute, slow)?;
    let ruling = |one: &Participant| -> Result<InputRuling> {
        Ok(InputRuling { validator: build(one, PROBE_LIMITS)?, args: vec![] })
    };
    let ground = ProbeGround {
        input_validators: request.validators.iter().map(ruling).collect::<Result<_>>()?,
        solution: Some(solution),
        case: new_case(&CaseArguments::default()),
        setting: Arc::new(setting(engine, limits, checker_of(engine, request)?)),
    };
    let mut templates = Vec::new();
    for text in &request.commands {
        templates.push(template_of(engine, text, open)?);
    }
    templates.sort_by_key(|template| template.words.max());
    let title = request.solutions.iter().map(|one| one.file.clone()).collect::<Vec<_>>().join(", ");
    let grounds = vec![Arc::new(ground)];
    let (tests, cases, skipped) = Default::default();
    let form = request.form.clone();
    Ok(HuntingGround { title, grounds, templates, tests, cases, form, subjects, skipped })
}

fn template_of(
    engine: &Engine,
    text: &str,
    open: &dyn Fn(&str) -> Result<Participant>,
) -> Result<CommandTemplate> {
    let words = split_words(text).map_err(|why| anyhow::anyhow!("--gen `{text}`: {why}"))?;
    let Some((file, args)) = words.split_first() else { bail!("--gen is empty: write `FILE arguments…`") };
    let program = build_file(engine, &open(file)?, PROBE_LIMITS)?;
    Ok(CommandTemplate { program, words: TemplateWords::by_hand(args), ground: 0 })
}

fn build_file(engine: &Engine, one: &Participant, limits: Limits) -> Result<Arc<Program>> {
    let submission = one.submission.as_ref().map_err(|why| anyhow::anyhow!("{}: {why}", one.file))?;
    let rules = BuildRules {
        role: SourceRole::HandIn,
        constants: &BTreeMap::new(),
        allowed: None,
        include: &BTreeMap::new(),
        limits: TOOL_BUILD_LIMITS,
        code: TOOL_CODE_LIMIT,
    };
    let build =
        plan_build(engine.machine, DeclaredSource::undeclared(&submission.source), &rules).map(Arc::new);
    engine.build_program(ProgramRequest { name: one.file.clone(), build, limits })
}

fn checker_of(engine: &Engine, request: &LooseRequest) -> Result<Checker> {
    let Some(checker) = &request.checker else { return Ok(Checker::Default(Format::V2025_09)) };
    let program = build_file(engine, checker, PROBE_LIMITS)?;
    let nothing = tempfile::tempdir().context("make an empty directory")?;
    let data = engine.store().put_tree(nothing.path())?;
    Ok(Checker::Programs { programs: vec![(*program).clone()], scores: true, data })
}

fn setting(engine: &Engine, limits: Limits, checker: Checker) -> Setting {
    Setting {
        mode: TrialMode::Alone { passes: 1 },
        limits,
        stop: limits.cpu.mul_f64(FIRST_STOP),
        checker: Arc::new(checker),
        writable: false,
        named_files: None,
        isolation: engine.machine.kind.isolation.clone(),
        machine: engine.machine.kind.class.clone(),
    }
}

/// The file that the first word of a command names.
pub fn command_file(text: &str) -> Option<PathBuf> {
    split_words(text).ok()?.first().map(PathBuf::from)
}
