//! Inputs that are no cases, on which submissions exceed the time limit: of accepted ones, and of those that must exceed
//! it, and that the cases let pass or barely stop.

use super::{
    checked::Checked,
    judged::JudgedSubmission,
    timing::is_barely_slow,
    verification::{Verification, VerificationStep},
};
use anyhow::Result;
use kopek_base::wording::counted;
use kopek_hunt::{
    slow::{SlowLimits, SlowStart, check_searchable, run_slow_campaign},
    stress::HuntStep,
};
use kopek_package::{
    package::{Level, Message, Participant, Place},
    verdict::Verdict,
};
use kopek_results::{Found, StressReport};
use std::time::Duration;

/// Of CPU time for each submission, as long as a search by hand.
const LIMITS: SlowLimits = SlowLimits { budget: Duration::from_secs(60), seed: 1, start: SlowStart::Largest };

pub(super) fn check_slow_inputs(bench: &Verification, seen: &[JudgedSubmission]) -> Result<Checked> {
    let Verification { package, tests, .. } = *bench;
    if let Err(why) = check_searchable(package) {
        let message = Message::new(Level::Note, why.to_string());
        return Ok(vec![message.at(Place::new("submissions", None))].into());
    }
    let is_searched = |one: &&JudgedSubmission| {
        one.final_verdict() == Some(Verdict::Accepted) || is_barely_slow(package, one)
    };
    let members: Vec<Participant> =
        seen.iter().filter(is_searched).map(|one| one.submission.into()).collect();
    (bench.progress)(VerificationStep::Begin { what: "slow inputs", jobs: members.len() });
    let report = run_slow_campaign(bench.engine(), package, tests, &members, LIMITS, &mut |step| {
        if let HuntStep::Round(_) = step {
            (bench.progress)(VerificationStep::Done);
        }
    })?;
    let mut checked = Checked::default();
    checked.messages.extend(report.findings.iter().map(|found| slow_message(&report, found)));
    let StressReport { faults, skipped, not_found, .. } = report;
    checked.messages.extend(faults.into_iter().map(|what| Message::warning("submissions", what)));
    skipped.into_iter().for_each(|why| checked.fault(format!("--slow: {why}")));
    checked.done(format!("no slow input for {}", counted(not_found.len(), "submission")));
    Ok(checked)
}

fn slow_message(report: &StressReport, found: &Found) -> Message {
    let name = report.program_of(found).map_or("", |program| &program.name);
    let times = found.failures.first().map_or("", |failure| &failure.message);
    let what =
        format!("`{name}` exceeds the time limit on {}, which is no case: {times}", found.origin.text());
    let todo = format!("write it: kopek stress PACKAGE submissions/{name} --slow --out DIR");
    Message::warning("submissions", what).todo(todo)
}
