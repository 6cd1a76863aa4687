//! Makes stale cases, and puts each in its places as soon as it is ready.

use super::{
    GenerationMode, GenerationStep, OnGenerationStep,
    case_plan::PlannedCase,
    cases::pattern_of,
    edited_by_hand::edited_files,
    generation_run::Run,
    place::{self, CaseContents, EditedByHand, LinkInTheWay, PlacedCase},
    recipe::{FILE, RecipeCase},
    record::RecordEntry,
};
use anyhow::{Context, Result};
use kopek_engine::{
    exec::{Engine, JobResult, KnownFacts, NoProgram},
    store::Store,
};
use kopek_package::package::{Level, Message, Place};
use kopek_plan::plan::{CaseFile, CaseResult, Job, Outcome, Program, Scrutiny, Task};
use kopek_results::{compile_reason, place_of_error};
use kopek_sandbox::Fault;
use std::{
    collections::{BTreeMap, BTreeSet},
    sync::Arc,
    time::{Duration, Instant},
};

/// How often the record is written while cases are made.
const RECORD_INTERVAL: Duration = Duration::from_secs(2);

/// Makes the cases, and puts each in its places as soon as it is ready.
pub(super) fn make_stale(
    run: &mut Run,
    engine: &Engine,
    stale: &[&PlannedCase],
    on_step: &mut OnGenerationStep,
) -> Result<()> {
    let programs = build_programs(run, engine, stale, on_step)?;
    let doubted = doubted_cases(stale, run.how);
    let mut jobs = Vec::new();
    let mut cases = Vec::new();
    for (at, &case) in stale.iter().enumerate() {
        let scrutiny = if doubted.contains(&at) { Scrutiny::Doubt } else { Scrutiny::Trust };
        match run.task(case, &programs, scrutiny) {
            Some(task) => {
                jobs.push(Job::new(Task::MakeCase(Arc::new(task))));
                cases.push(case);
                case.copies.values().for_each(|copy| engine.store().lend_file(&copy.path, copy.id));
            }
            // The reason was reported with the program.
            None => {
                run.done.failed += 1;
                on_step(GenerationStep::Done { case: case.places[0].path.clone() });
            }
        }
    }
    let known = match run.how {
        GenerationMode::Stale => KnownFacts::Use,
        GenerationMode::Again => KnownFacts::Ignore,
    };
    let mut recorded = Instant::now();
    let results = engine.run_all(jobs, known, &mut |at, result| {
        on_step(GenerationStep::Done { case: cases[at].places[0].path.clone() });
        finish(run, engine, cases[at], result)?;
        if run.how.writes() && recorded.elapsed() > RECORD_INTERVAL {
            // Saves the progress in case the run is killed later; a failure here costs only that.
            let _ = engine.store().remember(&run.name, &run.new.over(&run.old));
            recorded = Instant::now();
        }
        Ok(())
    })?;
    if results.iter().any(Option::is_none) {
        run.done
            .faults
            .push("interrupted before all cases were made; the same command continues from here".into());
    }
    Ok(())
}

/// Builds the programs that stale cases need.
pub(super) fn build_programs(
    run: &mut Run,
    engine: &Engine,
    stale: &[&PlannedCase],
    on_step: &mut OnGenerationStep,
) -> Result<Vec<Option<Arc<Program>>>> {
    let plan = run.plan;
    let mut programs = vec![None; plan.programs.len()];
    if stale.is_empty() {
        return Ok(programs);
    }
    let own = stale.iter().flat_map(|case| case.generator.into_iter().chain(case.solution));
    let validators = plan.input_validators.iter().chain(&plan.output_validators).copied();
    let needed: Vec<usize> = own.chain(validators).collect::<BTreeSet<_>>().into_iter().collect();
    let requests: Vec<_> = needed.iter().map(|&at| plan.programs[at].request.clone()).collect();
    for request in &requests {
        on_step(GenerationStep::Build { program: request.name.clone() });
    }
    for (at, result) in needed.into_iter().zip(engine.build_programs(&requests)?) {
        match result {
            Ok(program) => programs[at] = Some(program),
            Err(why) => report_unbuilt(run, at, &why),
        }
    }
    Ok(programs)
}

fn report_unbuilt(run: &mut Run, at: usize, why: &NoProgram) {
    let program = &run.plan.programs[at];
    let name = &program.request.name;
    match why {
        NoProgram::Fault(_) | NoProgram::Interrupted => run.done.faults.push(format!("build {name}: {why}")),
        NoProgram::Refused(message) | NoProgram::DoesNotCompile(message) => {
            let what = format!("`{name}` does not compile: {}", compile_reason(message));
            let dir = &run.package.dir;
            let place = place_of_error(dir, &program.spec.source, message)
                .unwrap_or_else(|| Place::new(program.file_below(dir), None));
            run.done.findings.push(Message::new(Level::Error, what).at(place));
        }
    }
}

pub(super) fn finish(run: &mut Run, engine: &Engine, case: &PlannedCase, result: &JobResult) -> Result<()> {
    let make = run.rule(case);
    match result {
        Ok(Outcome::Case(CaseResult::Made { files, remarks })) => {
            match read_contents(engine.store(), files, remarks).and_then(|made| put_case(run, case, made)) {
                Ok(()) => run.done.made += 1,
                Err(error) => report_unplaced(run, make, error),
            }
        }
        Ok(Outcome::Case(CaseResult::Refused { problem, place })) => {
            run.done.failed += 1;
            let place = case.places.iter().find(|known| place.as_ref() == Some(&known.path));
            let (path, line) = match place {
                Some(place) => (&place.path, place.line),
                None => (&make.path, make.line),
            };
            run.done.findings.push(Message::error(FILE, format!("{path}: {problem}")).line(line));
        }
        Ok(other) => unreachable!("making a case has a case as its outcome, not {other:?}"),
        Err(fault) => run.done.faults.push(format!("make {}: {fault}", make.path)),
    }
    Ok(())
}

/// The result of making a case.
struct FinishedCase {
    files: CaseContents,
    /// Sizes of all files together.
    bytes: u64,
    remarks: Vec<String>,
}

fn read_contents(
    store: &Store,
    made: &BTreeMap<String, CaseFile>,
    remarks: &[String],
) -> Result<FinishedCase> {
    let mut files = CaseContents::new();
    for (extension, file) in made {
        let bytes = store.bytes(&file.digest)?;
        files.insert(extension.clone(), bytes.context("a made file vanished from the store; run again")?);
    }
    let bytes = made.values().map(|file| file.size.0).sum();
    Ok(FinishedCase { files, bytes, remarks: remarks.to_vec() })
}

/// Puts a made case into all its places.
fn put_case(run: &mut Run, case: &PlannedCase, made: FinishedCase) -> Result<()> {
    let FinishedCase { files, bytes, mut remarks } = made;
    remarks.extend(unmatched(run.rule(case), &files));
    let edited = edited_files(run, case, &files);
    if !edited.is_empty() {
        return Err(EditedByHand(edited).into());
    }
    let key = case.key.context("a case was made whose programs are unknown")?;
    let entry = RecordEntry { key, files: place::digests(&files), bytes, remarks, ours: true };
    for place in &case.places {
        let put = match run.how {
            GenerationMode::Stale => {
                place::put(&run.data(), &place.path, &files, &run.old.files(&place.path))?
            }
            GenerationMode::Again => PlacedCase::default(),
        };
        let was_ours = run.old.cases.get(&place.path).is_some_and(|entry| entry.ours);
        let ours = was_ours || !put.stood;
        run.accept(&place.path, RecordEntry { ours, ..entry.clone() });
        run.done.replaced.extend(put.replaced.iter().map(|below| format!("data/{below}")));
    }
    run.report_remarks(case);
    Ok(())
}

/// Reports why a case cannot be put in its place, as a fault of the package or of ours.
fn report_unplaced(run: &mut Run, make: &RecipeCase, error: anyhow::Error) {
    let error = match error.downcast::<EditedByHand>() {
        Ok(edited) => {
            run.done.failed += 1;
            run.done.findings.extend(edited.findings());
            return;
        }
        Err(error) => error,
    };
    match error.downcast::<LinkInTheWay>() {
        Ok(link) => {
            run.done.failed += 1;
            run.done.findings.push(Message::error(FILE, format!("{}: {link}", make.path)).line(make.line));
        }
        Err(error) => {
            let fault = Fault::new(format!("{error:#}"));
            run.done.faults.push(format!("make {}: {fault}", make.path));
        }
    }
}

/// The cases whose generators are checked closely: all in a full check, otherwise the first of each generator and
/// every eighth.
fn doubted_cases(stale: &[&PlannedCase], how: GenerationMode) -> BTreeSet<usize> {
    let mut known = BTreeSet::new();
    let doubt = |at: &usize| {
        let first = stale[*at].generator.is_some_and(|generator| known.insert(generator));
        how == GenerationMode::Again || first || at % 8 == 7
    };
    (0..stale.len()).filter(doubt).collect()
}

/// Patterns that are missing in the file in which the recipe expects them.
fn unmatched(make: &RecipeCase, files: &CaseContents) -> Vec<String> {
    let is_found = |(ext, pattern): &&(&str, String)| {
        let text = files.get(*ext).map(|bytes| String::from_utf8_lossy(bytes));
        // An invalid pattern was reported with the recipe.
        let Ok(regex) = pattern_of(pattern) else { return true };
        text.is_some_and(|text| regex.is_match(&text))
    };
    let missing = make.matches.iter().filter(|pattern| !is_found(pattern));
    missing.map(|(ext, pattern)| format!("its `{ext}` does not match `{pattern}`")).collect()
}
