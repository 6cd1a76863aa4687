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
    ExplainRequest, InputsFrom, explain, is_right,
    stress::{HuntStep, check_huntable},
};
use kopek_judge::loading::LoadedPackage;
use kopek_package::package::Message;
use kopek_results::{
    Counterexamples, FeedbackLevel, MemoryMistake, PackageReport, Report, RowReport, UnsetVariable,
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
            let new = UnsetVariable { participants: Vec::new(), case, what: what.to_string() };
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
    let engine = &run.session.engine;
    let Some(at) = at.filter(|_| !engine.is_stopped()) else { return Ok(None) };
    let LoadedPackage { package, tests, .. } = &run.packages[at];
    let (members, from) = (&run.class.members[at], InputsFrom::Search(budget));
    let request = ExplainRequest { engine, package, tests, members, from };
    let mut tell = |step: HuntStep| match step {
        HuntStep::Begins(programs) => on_event(CourseEvent::HuntBegins { package: &package.name, programs }),
        step => on_event(CourseEvent::Hunt(step)),
    };
    let found = explain(request, &mut results.rows, &mut tell);
    on_event(CourseEvent::Ends);
    // Even if the hunt failed: all grades are known.
    if engine.is_stopped() {
        let said = format!("{}: stopped the search; the inputs found so far are shown", package.name);
        on_event(CourseEvent::Said(said));
    }
    let mut found = found?;
    if let (Some(names), Some(found)) = (&run.class.hidden_names, &mut found) {
        names.hide_in_counterexamples(found);
    }
    Ok(found)
}
