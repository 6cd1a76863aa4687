//! The whole of it: every check in its order, each on what the ones before left standing.

use super::{
    Bench, Level, Remark, Section, Step, Tell, Verified, Wishes, bounds, claims, inputs, judged, limits,
    outputs, pictures, spared, strength, tags, timing, twins,
};
use crate::{
    generate::{self, How},
    grade::{Judged, Session, Thoroughness, Timing, runnable},
    package::{self, NoCases, Package, Submission, TestSet},
};
use anyhow::Result;
use std::{path::Path, sync::atomic::Ordering, time::Duration};

/// Verifies a package. Fails only where there is none, or the store breaks.
pub fn verify(dir: &Path, session: &Session, wishes: Wishes, tell: &mut Tell) -> Result<Verified> {
    let reading = package::read(dir)?;
    let mut verified = Verified { name: dir.display().to_string(), ..Verified::default() };
    verified.findings(reading.findings);
    let Some(package) = reading.package else { return Ok(verified) };
    verified.name.clone_from(&package.name);
    if !made(&package, session, &mut verified, tell)? {
        return Ok(verified);
    }
    let Some(tests) = tests(&package, &mut verified)? else { return Ok(verified) };
    verified.check(Section::Package, about(&package));
    let bench = Bench { package: &package, tests: &tests, workshop: session.workshop, stop: session.stop };
    let validators = inputs::check(&bench, &mut verified, tell);
    bounds::check(&bench, &validators, &mut verified, tell);
    twins::check(&bench, &mut verified);
    if outputs::check(&bench, &mut verified, tell) {
        submissions(&bench, session, wishes, &mut verified, tell)?;
    }
    if session.stop.load(Ordering::Relaxed) {
        verified.fault("interrupted before everything was looked at; the same command goes on from here");
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

/// Makes what the recipe names and is not there; whether the test set is whole.
fn made(package: &Package, session: &Session, verified: &mut Verified, tell: &mut Tell) -> Result<bool> {
    let made =
        generate::generate(package, session.workshop, How::Stale, &mut |step| tell(Step::Making(step)))?;
    let whole = made.is_sound();
    verified.findings(made.findings);
    verified.faults.extend(made.faults);
    for drift in made.drift {
        let remark = Remark::new(Section::Data, Level::Error, drift.to_string()).at("generators/lock.toml");
        verified.add(
            remark.todo("run `kopek generate --check` to see all, `--update` if the new bytes are meant"),
        );
    }
    if made.made + made.reused > 0 {
        let what = format!("{} made from the recipe", super::counted(made.made + made.reused, "case"));
        verified.check(Section::Data, what);
    }
    Ok(whole)
}

fn tests(package: &Package, verified: &mut Verified) -> Result<Option<TestSet>> {
    match package::tests(package) {
        Ok((tests, findings)) => {
            verified.findings(findings);
            Ok(Some(tests))
        }
        Err(error) => match error.downcast::<NoCases>() {
            Ok(none) => {
                let todo = "put cases there, or a recipe into generators/generators.yaml";
                let what = match none.tests.cases.is_empty() {
                    true => "no cases: nothing can be judged",
                    false => "no cases: only the samples are judged by",
                };
                let remark = Remark::new(Section::Data, Level::Error, what);
                verified.add(remark.at("data/secret").todo(todo));
                verified.findings(none.findings);
                Ok((!none.tests.cases.is_empty()).then_some(*none.tests))
            }
            Err(error) => Err(error),
        },
    }
}

/// What needs the example submissions to be run.
fn submissions(
    bench: &Bench,
    session: &Session,
    wishes: Wishes,
    verified: &mut Verified,
    tell: &mut Tell,
) -> Result<()> {
    if let Err(why) = runnable(bench.package) {
        verified.fault(format!("submissions were not judged: {why}"));
        return Ok(());
    }
    if bench.package.submissions.is_empty() {
        let remark = Remark::new(Section::Submissions, Level::Warning, "there are no example submissions");
        verified.add(remark.at("submissions").todo("add a right one to submissions/accepted/"));
        return Ok(());
    }
    let mut package = bench.package.clone();
    // Outputs that are handed in take no time.
    let timed = !package.kind.submit_answer;
    let proposed = timed && package.limits.time.is_none();
    if proposed {
        package.limits.time = limits::propose(bench, session, verified, tell)?;
    }
    let bench = Bench { package: &package, ..*bench };
    let all: Vec<_> = package.submissions.iter().collect();
    let patience = timing::patience(&package).filter(|_| timed).unwrap_or_default();
    let judged = judge(&bench, session, patience, &all, tell)?;
    judged::trouble(&judged, verified);
    let seen = judged::seen(&all, &judged);
    spared::tell(&bench, &seen, verified);
    claims::check(&bench, &seen, verified);
    tags::check(&bench, &seen, verified);
    pictures::check(&bench, wishes.gallery, &judged, &seen, verified);
    if timed {
        limits::check(&bench, session, &seen, verified, tell)?;
    }
    if let Some(margins) = &mut verified.margins {
        margins.proposed = proposed;
    }
    if wishes.strength {
        verified.strength = Some(strength::strength(&bench, &seen));
    }
    Ok(())
}

/// Judges them; and those once more, on everything, whose claims hang on runs that were spared.
fn judge(
    bench: &Bench,
    session: &Session,
    patience: Duration,
    all: &[&Submission],
    tell: &mut Tell,
) -> Result<Judged> {
    let timing = Timing { patience, doubt: None };
    let mut judge = |session: &Session, some: &[&Submission]| {
        session.judge_timed(timing, bench.package, bench.tests, &judged::cohort(some), &mut |event| {
            tell(Step::Judging(event));
        })
    };
    let judged = judge(session, all)?;
    let undecided = spared::undecided(bench, &judged::seen(all, &judged));
    if undecided.is_empty() || session.stop.load(Ordering::Relaxed) {
        return Ok(judged);
    }
    judge(&Session { thoroughness: Thoroughness::All, ..*session }, &undecided)?;
    judge(session, all)
}
