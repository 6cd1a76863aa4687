//! The whole verification: reads the package, makes its test set, judges its submissions, and does all checks.

use super::{
    checked::{Checked, Measure},
    checks::{Check, KnownData, KnownJudge, KnownResults, data_checks, judge_checks, result_checks},
    claims,
    examples::{judge_with_patience, judgeable_package},
    inputs::build_input_validators,
    judged::{check_judging, edited_last_first, judged_submissions, sort_as_in_package},
    limits::propose_limit,
    number_ranges::survey_numbers,
    outputs::build_checker,
    statements::statement_texts,
    test_set::{make_test_set, read_partial_test_set, read_test_set},
    timing::run_timeout,
    verification::{Found, OnVerificationStep, Progress, Verification, Wishes, shared_progress},
};
use anyhow::Result;
use kopek_engine::machine::{read_package, remember_files};
use kopek_judge::grade::{GradeSession, check_runnable, lend_cases};
use kopek_package::package::{Level, Message, Package, Submission};
use kopek_results::{FinishedCheck, Remark, Section, Verified};
use std::{collections::BTreeSet, path::Path};

/// Verifies a package. Fails only if there is no package, or if the store fails.
pub fn verify(
    dir: &Path,
    session: &GradeSession,
    wishes: Wishes,
    on_step: &mut OnVerificationStep,
) -> Result<Verified> {
    let progress = shared_progress(on_step);
    let reading = read_package(session.engine.machine, dir)?;
    let mut verified = Verified { name: dir.display().to_string(), ..Verified::default() };
    add_found(&mut verified, None, reading.findings.into());
    if let Some(package) = reading.package {
        verified.name.clone_from(&package.name);
        verify_package(&package, session, wishes, &progress, &mut verified)?;
    }
    let rule = session.timing.remark().map(|rule| Message::new(Level::Note, rule.to_string()));
    add_found(&mut verified, Some(Section::Limits), rule.into_iter().collect::<Vec<_>>().into());
    verified.merge_remarks();
    verified.sound = verified.remarks.iter().all(|remark| remark.finding.level != Level::Error);
    Ok(verified)
}

/// Adds what a check of a section found; without a section, that of the file of each message.
fn add_found(verified: &mut Verified, section: Option<Section>, found: Checked) {
    let Checked { done, messages, faults, measures } = found;
    let check = |what| FinishedCheck { section: section.unwrap_or(Section::Data), what };
    verified.checks.extend(done.into_iter().map(check));
    verified.remarks.extend(messages.into_iter().map(|finding| {
        let section = section.unwrap_or_else(|| Section::of_place(finding.place()));
        Remark::new(section, finding)
    }));
    verified.faults.extend(faults);
    for measure in measures {
        match measure {
            Measure::Memory(margin) => verified.memory = Some(margin),
            Measure::Limits(survey) => verified.limits = Some(survey),
            Measure::Strength(strength) => verified.strength = Some(strength),
            Measure::Pictures(pictures) => verified.pictures = pictures,
        }
    }
}

fn verify_package(
    package: &Package,
    session: &GradeSession,
    wishes: Wishes,
    progress: &Progress,
    verified: &mut Verified,
) -> Result<()> {
    let Found { value: included, trouble } = make_test_set(package, &session.engine, progress)?;
    add_found(verified, None, trouble);
    let Some(included) = included else { return verify_part(package, session, progress, verified) };
    let Found { value: tests, trouble } = read_test_set(package)?;
    add_found(verified, None, trouble);
    let Some(tests) = tests else { return Ok(()) };
    let data = lend_cases(session.engine.store(), package, &tests)?;
    remember_files(session.engine.machine, package);
    let bench = Verification { package, tests: &tests, session, data, progress };
    let known = know_data(bench, included, verified)?;
    run_checks(&data_checks(), &known, verified)?;
    let Found { value: checker, trouble } = build_checker(&bench)?;
    add_found(verified, Some(Section::Data), trouble);
    if let Some(checker) = &checker {
        run_checks(&judge_checks(), &KnownJudge { bench, wishes, checker }, verified)?;
        if let Some(package) = judgeable_package(&bench, wishes.excluded) {
            verify_results(&Verification { package: &package, ..bench }, wishes, verified)?;
        }
    }
    if session.engine.is_stopped() {
        verified
            .faults
            .push("interrupted before everything was checked; the same command continues from here".into());
    }
    Ok(())
}

fn run_checks<K>(checks: &[Check<K>], known: &K, verified: &mut Verified) -> Result<()> {
    for check in checks {
        add_found(verified, Some(check.section), (check.run)(known)?);
    }
    Ok(())
}

/// Reads what checks of the data share, and builds the input validators.
fn know_data<'a>(
    bench: Verification<'a>,
    included: BTreeSet<String>,
    verified: &mut Verified,
) -> Result<KnownData<'a>> {
    let numbers = survey_numbers(bench.tests);
    verified.numbers.clone_from(&numbers.ranges);
    let Found { value: validators, trouble } = build_input_validators(&bench)?;
    add_found(verified, Some(Section::Data), trouble);
    Ok(KnownData { bench, included, statements: statement_texts(bench.package), numbers, validators })
}

/// Judges the submissions, and does the checks that need their results.
fn verify_results(bench: &Verification, wishes: Wishes, verified: &mut Verified) -> Result<()> {
    // Submitted outputs take no time.
    let timed = !bench.package.kind.submit_answer;
    let proposal = match bench.package.limits.time {
        None if timed => propose_limit(bench)?,
        None | Some(_) => Found { value: None, trouble: Checked::default() },
    };
    add_found(verified, Some(Section::Limits), proposal.trouble);
    let mut package = bench.package.clone();
    package.limits.time = proposal.value.or(package.limits.time);
    let bench = Verification { package: &package, ..*bench };
    let all = edited_last_first(&package);
    let timeout = if timed { run_timeout(&package) } else { None };
    let cohort = judge_with_patience(&bench, timeout.unwrap_or_default(), &all)?;
    let mut submissions = judged_submissions(&all, &cohort);
    sort_as_in_package(&package, &mut submissions);
    let known = KnownResults { bench, wishes, cohort: &cohort, submissions, proposed_limit: proposal.value };
    run_checks(&result_checks(), &known, verified)
}

/// Judges submissions on the existing cases of an incomplete test set: finds failed builds, and verdicts that are never
/// permitted. Other results could change with the missing cases.
fn verify_part(
    package: &Package,
    session: &GradeSession,
    progress: &Progress,
    verified: &mut Verified,
) -> Result<()> {
    let can_judge = check_runnable(package).is_ok() && !package.submissions.is_empty();
    if !can_judge || session.engine.is_stopped() {
        return Ok(());
    }
    let tests = read_partial_test_set(package)?;
    let data = lend_cases(session.engine.store(), package, &tests)?;
    let bench = Verification { package, tests: &tests, session, data, progress };
    let all: Vec<&Submission> = package.submissions.iter().collect();
    let judged = bench.judge(session, run_timeout(package).unwrap_or_default(), &all)?;
    add_found(verified, Some(Section::Data), check_judging(&judged));
    let claims = claims::check_certain_claims(&bench, &judged_submissions(&all, &judged));
    add_found(verified, Some(Section::Submissions), claims);
    Ok(())
}
