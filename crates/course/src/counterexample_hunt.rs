//! Small inputs on which the failing programs of a graded class fail.

use super::{
    course::Course,
    course_class::ClassRequest,
    course_event::{CourseEvent, OnCourseEvent},
    course_run::CourseRun,
    course_values::HuntTime,
};
use anyhow::{Result, anyhow, ensure};
use kopek_hunt::{
    slow::{SlowLimits, SlowRequest, SlowStart, SlowUnknown},
    stress::{ClassHunt, ClassProgram, check_huntable},
};
use kopek_judge::loading::LoadedPackage;
use kopek_package::{
    package::{Audience, Message, Participant},
    verdict::{Class, Verdict},
};
use kopek_plan::score::State;
use kopek_results::{
    Counterexamples, FeedbackLevel, MemoryMistake, NoGrowth, PackageReport, Report, RowReport, Unexplained,
    UnexplainedProgram, UnsetVariable,
};
use std::{collections::BTreeMap, time::Duration};

/// Fails if the course asks for inputs that cannot be found or shown.
pub(super) fn check_counterexamples(
    course: &Course,
    class: &ClassRequest,
    packages: &[LoadedPackage],
) -> Result<()> {
    let Some(_) = course.hunt_time() else { return Ok(()) };
    let is_public_brief = class.anonymous.is_some() && course.feedback_level() == Some(FeedbackLevel::Brief);
    ensure!(
        !is_public_brief,
        "--counterexamples shows nothing with --anonymous and --feedback brief; leave one of them out"
    );
    packages.iter().try_for_each(|one| check_huntable(&one.package))
}

/// A program that some participants handed in.
struct DistinctProgram {
    digest: String,
    program: ClassProgram,
}

/// Hunts for all packages, until Ctrl-C.
pub(super) fn add_counterexamples(run: &CourseRun, report: &mut Report, on_event: &mut OnCourseEvent) {
    let Some(HuntTime(seconds)) = run.course.hunt_time() else { return };
    let mut is_interrupted = false;
    for results in &mut report.packages {
        let unset = take_unset_variables(&mut results.rows);
        let found = if is_interrupted {
            Err(anyhow!("the search was interrupted"))
        } else {
            hunt(run, Duration::from_secs(seconds), results, on_event)
        };
        match found {
            Ok(Some(found)) => {
                is_interrupted = found.interrupted;
                report.counterexamples.push(Counterexamples { unset, ..found });
            }
            Ok(None) => {}
            Err(error) => {
                let mut warn = |what| {
                    report.notices.warnings.push(Message::package_warning(&results.name, what));
                };
                warn(format!("no counterexamples: {error:#}"));
                for UnsetVariable { participants, what, .. } in unset {
                    warn(format!("{} has all points, but {what}", participants.join(", ")));
                }
            }
        }
    }
}

/// The mistakes of programs with all points. Their pages must not show them.
fn take_unset_variables(rows: &mut [RowReport]) -> Vec<UnsetVariable> {
    let mut found: BTreeMap<Option<String>, UnsetVariable> = BTreeMap::new();
    for row in rows.iter_mut().filter(|row| is_right(row)) {
        if let Some(MemoryMistake { what, case, .. }) =
            row.memory_mistake.take_if(|one| one.is_unset_variable)
        {
            let new = UnsetVariable { participants: Vec::new(), case, what };
            let own = found.entry(row.program.clone()).or_insert(new);
            own.participants.push(row.card.name.clone());
        }
    }
    found.into_values().collect()
}

/// Some time for each failing program of a package. Ctrl-C ends the hunt, not the grading.
fn hunt(
    run: &CourseRun,
    budget: Duration,
    results: &mut PackageReport,
    on_event: &mut OnCourseEvent,
) -> Result<Option<Counterexamples>> {
    let at = run.packages.iter().position(|one| one.package.name == results.name);
    let Some(at) = at.filter(|_| !run.session.engine.is_stopped()) else { return Ok(None) };
    let LoadedPackage { package, tests, .. } = &run.packages[at];
    let (failing, only_limits): (Vec<_>, Vec<_>) = programs_of(&run.class.members[at], results, is_rejected)
        .into_iter()
        .partition(|program| !program.failed.is_empty());
    let programs = failing.len() + only_limits.len();
    on_event(CourseEvent::HuntBegins { package: &package.name, programs });
    let right = programs_of(&run.class.members[at], results, is_right);
    let hunt = ClassHunt { engine: &run.session.engine, package, tests, seed: 1, budget, right: &right };
    let found = hunt.run(&failing, &mut |step| on_event(CourseEvent::Hunt(step)));
    let slow = SlowRequest {
        engine: &run.session.engine,
        package,
        tests,
        members: &run.class.members[at],
        search: Some(SlowLimits { budget, seed: 1, start: SlowStart::Samples }),
    };
    let unknown = slow.explain(&mut results.rows, &mut |step| on_event(CourseEvent::Hunt(step)));
    on_event(CourseEvent::Ends);
    // Even if the hunt failed: all grades are known.
    let is_interrupted = run.session.engine.is_stopped();
    if is_interrupted {
        let said = format!("{}: stopped the search; the inputs found so far are shown", package.name);
        on_event(CourseEvent::Said(said));
    }
    let mut found = found?;
    found.interrupted |= is_interrupted;
    let unknown = unknown?;
    for program in only_limits {
        let why = why_too_slow(&program, &results.rows, &unknown);
        found.unexplained.push(UnexplainedProgram { why, participants: program.participants });
    }
    if let Some(names) = &run.class.hidden_names {
        names.hide_in_counterexamples(&mut found);
    }
    Ok(Some(found))
}

fn why_too_slow(program: &ClassProgram, rows: &[RowReport], unknown: &SlowUnknown) -> Unexplained {
    let own = || rows.iter().filter(|row| program.participants.contains(&row.card.name));
    let growth = own().find_map(|row| Some(row.growth.as_ref()?.factor_text(Audience::Everyone)));
    let example = own().find_map(|row| Some(row.slow_input.as_ref()?.public()?.sentence()));
    if growth.is_some() || own().any(|row| row.slow_input.is_some()) {
        return Unexplained::Slow { growth, example };
    }
    let why = program.participants.iter().find_map(|name| unknown.growth.get(name));
    let growth = why.copied().unwrap_or(NoGrowth::NotMeasured);
    Unexplained::OnlyLimits { growth, searched: unknown.searched.contains(&program.member.name) }
}

/// A program that fails. Those that only exceed limits have no failed cases.
fn is_rejected(row: &RowReport) -> bool {
    !failed_cases(row).is_empty() || exceeds_limits(row)
}

fn is_right(row: &RowReport) -> bool {
    row.card.state == State::Decided(Verdict::Accepted)
}

/// The distinct programs of these rows.
fn programs_of(
    class: &[Participant],
    results: &PackageReport,
    is_meant: fn(&RowReport) -> bool,
) -> Vec<ClassProgram> {
    let mut found: Vec<DistinctProgram> = Vec::new();
    for row in &results.rows {
        let Some(digest) = row.program.clone() else { continue };
        let name = row.card.name.clone();
        if let Some(same) = found.iter_mut().find(|known| known.digest == digest) {
            same.program.participants.push(name);
            continue;
        }
        let is_own = |member: &&Participant| member.name == name && member.hand_in == row.hand_in;
        let Some(member) = class.iter().find(is_own).cloned() else { continue };
        if is_meant(row) {
            let program = ClassProgram { participants: vec![name], member, failed: failed_cases(row) };
            found.push(DistinctProgram { digest, program });
        }
    }
    found.into_iter().map(|distinct| distinct.program).collect()
}

/// The cases with a wrong answer or a run-time error; none if something is open.
fn failed_cases(row: &RowReport) -> Vec<(String, Verdict)> {
    if matches!(row.card.state, State::Unknown(_)) {
        return Vec::new();
    }
    let trials = row.cases.iter().filter_map(|case| Some((case, case.trial.as_ref()?)));
    let wrong = trials.filter(|(_, trial)| match trial.verdict.class() {
        Some(Class::Wa | Class::Rte) => trial.verdict != Verdict::MemoryLimit,
        Some(Class::Ac | Class::Tle) | None => false,
    });
    wrong.map(|(case, trial)| (case.name.clone(), trial.verdict)).collect()
}

fn exceeds_limits(row: &RowReport) -> bool {
    let mut trials = row.cases.iter().filter_map(|case| case.trial.as_ref());
    trials.any(|trial| trial.verdict == Verdict::MemoryLimit || trial.verdict.class() == Some(Class::Tle))
}
