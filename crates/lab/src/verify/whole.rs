//! The whole verification: every check in order, each based on the results of earlier ones.

use super::{
    bounds, claims, constants, inputs, judged, limits, number_ranges, outputs, pictures, sanitized,
    statements, strength, timing, twins,
    verification::{OnVerificationStep, Verification, VerificationStep, Wishes},
};
use anyhow::Result;
use kopek_base::wording::{counted, shortened};
use kopek_engine::machine::{read_package, remember_files};
use kopek_judge::{
    generate::{
        self,
        lock::{self, Drift},
    },
    grade::{GradeSession, JudgedCohort, Thoroughness, check_runnable, lend_cases},
};
use kopek_package::{
    language::{LanguageTable, detect_language},
    package::{self, Level, NoCases, Package, Submission, TestSet},
};
use kopek_results::{Remark, Section, Verified};
use std::{collections::BTreeSet, fs, path::Path, time::Duration};

/// Verifies a package. Fails only if there is no package, or if the store fails.
pub fn verify(
    dir: &Path,
    session: &GradeSession,
    wishes: Wishes,
    on_step: &mut OnVerificationStep,
) -> Result<Verified> {
    let mut verified = verify_all(dir, session, wishes, on_step)?;
    let rule = session.timing.remark().map(|rule| Remark::new(Section::Limits, Level::Note, rule));
    verified.remarks.extend(rule);
    verified.merge_remarks();
    verified.sound = verified.remarks.iter().all(|remark| remark.finding.level != Level::Error);
    Ok(verified)
}

fn verify_all(
    dir: &Path,
    session: &GradeSession,
    wishes: Wishes,
    on_step: &mut OnVerificationStep,
) -> Result<Verified> {
    let reading = read_package(session.engine.machine, dir)?;
    let mut verified =
        Verified { name: dir.display().to_string(), shows_numbers: wishes.numbers, ..Verified::default() };
    verified.findings(reading.findings);
    let Some(package) = reading.package else { return Ok(verified) };
    verified.name.clone_from(&package.name);
    let Some(included) = make_test_set(&package, session, &mut verified, on_step)? else {
        judge_on_what_is_there(&package, session, &mut verified, on_step)?;
        return Ok(verified);
    };
    let Some(tests) = tests(&package, &mut verified)? else { return Ok(verified) };
    verified.check(Section::Package, about(&package));
    verified.remarks.extend(no_samples(&package));
    let data = lend_cases(session.engine.store(), &package, &tests)?;
    remember_files(session.engine.machine, &package);
    let verification = Verification { package: &package, tests: &tests, session, data };
    let validators = inputs::check_inputs(&verification, &mut verified, on_step)?;
    bounds::check_bounds(&verification, &validators, &mut verified, on_step)?;
    let statements = statements::statement_texts(&package);
    statements::check_statement_parts(&package, &tests, &statements, &mut verified);
    statements::check_stated_points(&package, &tests, &statements, &mut verified);
    let seen = number_ranges::survey_numbers(&tests);
    constants::check_constants(&package, &tests, &statements, &seen, &mut verified);
    verified.numbers = seen.ranges;
    twins::check_twins(&tests, &included, &mut verified);
    if outputs::check_outputs(&verification, &mut verified, on_step)? {
        submissions(&verification, wishes, &mut verified, on_step)?;
    }
    if session.engine.is_stopped() {
        verified.fault("interrupted before everything was checked; the same command continues from here");
    }
    Ok(verified)
}

fn about(package: &Package) -> String {
    let format = match package.format {
        package::Format::Legacy => "legacy",
        package::Format::V2025_09 => "2025-09",
    };
    let kind = if package.kind.scoring { "scoring" } else { "pass-fail" };
    let statements: Vec<&str> = package.about.statements.iter().map(String::as_str).collect();
    format!("format {format}, {kind}, statement in {}", statements.join(", "))
}

/// Makes stale cases of the recipe; if the test set is complete, returns the cases that groups include.
fn make_test_set(
    package: &Package,
    session: &GradeSession,
    verified: &mut Verified,
    on_step: &mut OnVerificationStep,
) -> Result<Option<BTreeSet<String>>> {
    let made =
        generate::ensure(package, &session.engine, &mut |step| on_step(VerificationStep::Making(step)))?;
    let included = if made.is_sound() { Some(made.included) } else { None };
    verified.findings(made.findings);
    verified.faults.extend(made.faults);
    verified.remarks.extend(drift_remarks(&made.drift, &package.dir));
    if made.made + made.reused > 0 {
        let what = format!("{} made from the recipe", counted(made.made + made.reused, "case"));
        verified.check(Section::Data, what);
    }
    Ok(included)
}

/// One remark for each kind of difference from the lock; a single one if git does not track the lock, which was then
/// only not updated.
fn drift_remarks(drift: &[Drift], package: &Path) -> Vec<Remark> {
    if !drift.is_empty() && !lock::is_tracked(package) {
        let what = format!("differs from what was made: {}", counted(drift.len(), "file"));
        let todo = "`kopek generate --update` writes it, `kopek generate --check` lists the files";
        let remark = Remark::new(Section::Data, Level::Error, what);
        return vec![remark.at("generators/lock.toml").todo(todo)];
    }
    let of_kind = |is_kind: fn(&Drift) -> bool, what: &str, todo: &str| {
        let own = drift.iter().filter(|drift| is_kind(drift));
        let files: Vec<String> = own.map(|drift| drift.file.clone()).collect();
        let what = format!("{what} {}", shortened(&files, 3, ", "));
        let remark = Remark::new(Section::Data, Level::Error, what).at("generators/lock.toml").todo(todo);
        (!files.is_empty()).then_some(remark)
    };
    let update = "accept it with `kopek generate --update`";
    let bytes = "if the recipe, its programs or its solution changed, accept it with `kopek generate \
        --update`; otherwise another machine or toolchain is the cause";
    let remarks = [
        of_kind(|one| one.made.is_some() && one.locked.is_some(), "differs from the generated", bytes),
        of_kind(|one| one.locked.is_none(), "does not name", update),
        of_kind(|one| one.made.is_none(), "names files that were not made:", update),
    ];
    remarks.into_iter().flatten().collect()
}

fn tests(package: &Package, verified: &mut Verified) -> Result<Option<TestSet>> {
    match package::read_tests(package) {
        Ok((tests, findings)) => {
            verified.findings(findings);
            Ok(Some(tests))
        }
        Err(error) => match error.downcast::<NoCases>() {
            Ok(none) => {
                let todo = "put cases there, or a recipe into generators/generators.yaml";
                let is_empty = none.tests.cases.is_empty();
                let what = if is_empty {
                    "no cases, so nothing can be judged"
                } else {
                    "no cases, so only the samples are judged"
                };
                let remark = Remark::new(Section::Data, Level::Error, what);
                verified.add(remark.at("data/secret").todo(todo));
                verified.findings(none.findings);
                Ok(if is_empty { None } else { Some(*none.tests) })
            }
            Err(error) => Err(error),
        },
    }
}

/// A remark if contestants are shown no samples.
fn no_samples(package: &Package) -> Option<Remark> {
    let is_shown = |entry: &fs::DirEntry| entry.path().extension().is_none_or(|ending| ending != "yaml");
    let has_samples = fs::read_dir(package.dir.join("data/sample"))
        .is_ok_and(|entries| entries.filter_map(Result::ok).any(|entry| is_shown(&entry)));
    let remark = Remark::new(Section::Data, Level::Warning, "there are no samples").at("data/sample");
    (!has_samples).then(|| remark.todo("add a case that contestants see"))
}

/// The checks that run the example submissions.
fn submissions(
    verification: &Verification,
    wishes: Wishes,
    verified: &mut Verified,
    on_step: &mut OnVerificationStep,
) -> Result<()> {
    if let Err(why) = check_runnable(verification.package) {
        verified.fault(format!("submissions were not judged: {why}"));
        return Ok(());
    }
    if verification.package.submissions.is_empty() {
        let remark = Remark::new(Section::Submissions, Level::Warning, "there are no example submissions");
        verified.add(remark.at("submissions").todo("add a correct one to submissions/accepted/"));
        return Ok(());
    }
    let mut left = verification.package.clone();
    leave_out(&mut left, wishes.excluded, &verification.engine().machine.table, verified);
    if left.submissions.is_empty() {
        return Ok(());
    }
    let verification = &Verification { package: &left, ..*verification };
    let mut package = left.clone();
    // Submitted outputs take no time.
    let timed = !package.kind.submit_answer;
    let proposed = timed && package.limits.time.is_none();
    if proposed {
        match limits::propose_limit(verification, verified, on_step)? {
            Ok(limit) => package.limits.time = Some(limit),
            Err(why) => why.report(verified),
        }
    }
    let verification = Verification { package: &package, ..*verification };
    let all = judged::edited_last_first(&package);
    let timeout = if timed { timing::run_timeout(&package) } else { None };
    let patience = timeout.unwrap_or_default();
    let judged = judge_with_patience(&verification, patience, &all, on_step)?;
    judged::report_trouble(&judged, verified);
    let mut seen = judged::judged_submissions(&all, &judged);
    judged::sort_as_in_package(&package, &mut seen);
    claims::report_spared(verification.tests, &seen, verified);
    claims::check_claims(&verification, &seen, verified);
    limits::check_memory(package.limits.memory, verification.tests, &seen, verified);
    pictures::check_pictures(&verification, wishes.gallery, &judged, &seen, verified);
    if timed {
        limits::check_margins(&verification, &judged, &seen, verified, on_step)?;
    }
    if let Some(margins) = &mut verified.margins {
        margins.proposed = proposed;
    }
    if let Some(sanitizing) = wishes.sanitizing {
        sanitized::check_sanitized(&verification, sanitizing, &seen, verified, on_step)?;
    }
    if wishes.strength {
        verified.strength = Some(strength::strength(&package.claims, verification.tests, &seen));
    }
    Ok(())
}

/// Removes submissions in excluded languages, and reports them.
fn leave_out(package: &mut Package, codes: &[String], table: &LanguageTable, verified: &mut Verified) {
    let is_out = |one: &Submission| {
        let language = detect_language(table, &one.source, one.language.as_deref(), None);
        language.is_ok_and(|language| codes.contains(&language.code))
    };
    let (out, kept): (Vec<_>, Vec<_>) = package.submissions.drain(..).partition(is_out);
    package.submissions = kept;
    for one in out {
        let what = format!("not judged: its language is left out ({})", codes.join(", "));
        let remark = Remark::new(Section::Submissions, Level::Warning, what);
        verified
            .add(remark.at(format!("submissions/{}", one.name)).todo("verify it without --exclude-language"));
    }
}

/// Judges submissions; each run gets at least `patience` of CPU time. Those with claims that depend on skipped runs
/// are judged again on all cases.
pub(super) fn judge_with_patience(
    verification: &Verification,
    patience: Duration,
    all: &[&Submission],
    on_step: &mut OnVerificationStep,
) -> Result<JudgedCohort> {
    let Verification { package, tests, session, .. } = *verification;
    let mut judge = |session: &GradeSession, some: &[&Submission]| {
        session.judge_patiently(patience, package, tests, &judged::as_cohort(some), &mut |event| {
            on_step(VerificationStep::Judging(event));
        })
    };
    let judged = judge(session, all)?;
    let undecided = claims::undecided_submissions(package, tests, &judged::judged_submissions(all, &judged));
    if undecided.is_empty() || session.engine.is_stopped() {
        return Ok(judged);
    }
    judge(&GradeSession { thoroughness: Thoroughness::All, ..*session }, &undecided)?;
    judge(session, all)
}

/// Judges submissions on the existing cases of an incomplete test set: reports failed builds, and verdicts that are
/// never permitted. Other results could change with the missing cases.
fn judge_on_what_is_there(
    package: &Package,
    session: &GradeSession,
    verified: &mut Verified,
    on_step: &mut OnVerificationStep,
) -> Result<()> {
    let can_judge = check_runnable(package).is_ok() && !package.submissions.is_empty();
    if !can_judge || session.engine.is_stopped() {
        return Ok(());
    }
    let tests = cases_on_disk(package)?;
    let data = lend_cases(session.engine.store(), package, &tests)?;
    let verification = Verification { package, tests: &tests, session, data };
    let all: Vec<_> = package.submissions.iter().collect();
    let patience = timing::run_timeout(package).unwrap_or_default();
    let judged =
        session.judge_patiently(patience, package, &tests, &judged::as_cohort(&all), &mut |event| {
            on_step(VerificationStep::Judging(event));
        })?;
    judged::report_trouble(&judged, verified);
    claims::check_certain_claims(&verification, &judged::judged_submissions(&all, &judged), verified);
    let what = format!(
        "the test set is incomplete: {} judged on the {} it has",
        counted(all.len(), "submission"),
        counted(tests.cases.len(), "case")
    );
    verified.check(Section::Submissions, what);
    Ok(())
}

/// Ignores findings about the cases: they follow from cases that could not be made, which were reported.
fn cases_on_disk(package: &Package) -> Result<TestSet> {
    match package::read_tests(package) {
        Ok((tests, _)) => Ok(tests),
        Err(error) => Ok(*error.downcast::<NoCases>()?.tests),
    }
}
