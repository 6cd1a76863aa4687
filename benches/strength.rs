//! How well hunts find planted mistakes: all of `testdata/strength`, one after the other. Prints a line for
//! each, and PASS or FAIL for the target.
//!
//! `KOPEK_STRENGTH_SECONDS=60` is the time for each hunt, `KOPEK_STRENGTH_ONLY=rope,int32` selects packages
//! and mistakes by a part of their path, `KOPEK_STRENGTH_SMALLER=3000` is the number of smaller inputs up to
//! which all are tried.
#![allow(clippy::print_stdout, clippy::disallowed_methods, reason = "a benchmark")]

#[path = "strength/hunt_setup.rs"]
mod hunt_setup;
#[path = "strength/smaller_inputs.rs"]
mod smaller_inputs;

use hunt_setup::{load_package, median, number_of, open_machine, participant_of, root};
use kopek::{
    exec::{Engine, KnownFacts, local_executor},
    hunt::{HuntingGround, StressRequest, ground_of_package},
    package::{Package, TestSet},
    plan::{Job, Outcome, ProbeInputs, ProbeTask, ProbeUntil, Task},
    results::{Found, ShrinkEnd},
    stress::{CampaignLimits, HuntLimits, HuntUntil, run_campaign},
};
use smaller_inputs::smaller_inputs;
use std::{
    env, fs,
    path::{Path, PathBuf},
    sync::{Arc, atomic::AtomicBool},
    time::Duration,
};

/// The percentage that must be found.
const TARGET: usize = 95;
const KINDS: [&str; 3] = ["wrong_answer", "run_time_error", "time_limit_exceeded"];

/// The result of one hunt.
struct Hunted {
    name: String,
    finding: Option<Found>,
    trials: u64,
    took: Duration,
    /// The number of smaller inputs, and whether none of them fails in the same way.
    smaller: Option<(usize, bool)>,
}

fn main() {
    let home = tempfile::tempdir().unwrap();
    let machine = open_machine(&home.path().join("store"));
    let (executor, stop) = (local_executor(&machine), AtomicBool::new(false));
    let engine = Engine::new(&machine, &executor, &stop);
    let mut all = Vec::new();
    for dir in sorted_entries(&root().join("testdata/strength")).iter().filter(|path| path.is_dir()) {
        let mistakes: Vec<PathBuf> = mistakes_below(dir).into_iter().filter(|path| is_chosen(path)).collect();
        if mistakes.is_empty() {
            continue;
        }
        let (package, tests) = load_package(&engine, dir, home.path());
        for mistake in mistakes {
            let hunted = hunt_one(&engine, (&package, &tests), &mistake);
            println!("{}", line_of(&hunted));
            all.push(hunted);
        }
    }
    print_summary(&all);
}

fn sorted_entries(dir: &Path) -> Vec<PathBuf> {
    let mut paths: Vec<PathBuf> = fs::read_dir(dir).unwrap().map(|entry| entry.unwrap().path()).collect();
    paths.sort();
    paths
}

fn mistakes_below(dir: &Path) -> Vec<PathBuf> {
    let homes = [dir.to_owned(), dir.join("submissions")];
    let kinds = homes.iter().flat_map(|home| KINDS.map(|kind| home.join(kind)));
    kinds.filter(|kind| kind.is_dir()).flat_map(|kind| sorted_entries(&kind)).collect()
}

fn is_chosen(path: &Path) -> bool {
    env::var("KOPEK_STRENGTH_ONLY")
        .map_or(true, |parts| parts.split(',').any(|part| path.to_string_lossy().contains(part)))
}

fn hunt_one(engine: &Engine, (package, tests): (&Package, &TestSet), mistake: &Path) -> Hunted {
    let file = mistake.file_name().expect("a file has a name").to_string_lossy();
    let name = format!("{} {file}", package.name);
    let request =
        StressRequest { files: vec![participant_of(mistake, name.clone())], ..StressRequest::default() };
    let mut ground = ground_of_package(engine, package, tests, &request).unwrap();
    // Mistakes that the tests detect are hunted, too.
    ground.tests.clear();
    assert!(ground.skipped.is_empty(), "{:?}", ground.skipped);
    let time = Duration::from_secs(number_of("KOPEK_STRENGTH_SECONDS", 60));
    let hunt = HuntLimits { seed: 1, time, until: HuntUntil::All };
    let limits = CampaignLimits { hunt, time: time + time / 2 };
    let mut report = run_campaign(engine, &ground, limits, &mut |_| ()).unwrap();
    for fault in &report.faults {
        println!("fault: {fault}");
    }
    report.findings.retain(|finding| finding.program().is_some());
    let finding = report.findings.pop();
    let smaller = finding.as_ref().and_then(|finding| check_smaller(engine, &ground, finding));
    Hunted { name, finding, trials: report.counts.trials, took: report.took, smaller }
}

/// Tries every smaller input of the package, if there are few; returns whether none of them fails in this
/// way.
fn check_smaller(engine: &Engine, ground: &HuntingGround, finding: &Found) -> Option<(usize, bool)> {
    let most = number_of("KOPEK_STRENGTH_SMALLER", 3000) as usize;
    let inputs = smaller_inputs(&ground.title, &finding.input, most)?;
    let job = |some: &[Vec<u8>]| {
        Job::new(Task::Probe(Arc::new(ProbeTask {
            inputs: ProbeInputs::Given(some.to_vec()),
            subjects: vec![ground.subjects[0].program.clone()],
            ground: ground.grounds[finding.ground].clone(),
            until: ProbeUntil::Failure(finding.failures[0].failure),
            deadline: None,
        })))
    };
    let jobs = inputs.chunks(64).map(job).collect();
    let results = engine.run_all(jobs, KnownFacts::Ignore, &mut |_, _| Ok(())).unwrap();
    let mut is_minimal = true;
    for result in results {
        match result {
            Some(Ok(Outcome::Probe(batch))) if !batch.cut && batch.undecided.is_empty() => {
                is_minimal &= batch.hits.is_empty();
            }
            _ => return None,
        }
    }
    Some((inputs.len(), is_minimal))
}

fn line_of(hunted: &Hunted) -> String {
    let Some(finding) = &hunted.finding else {
        return format!("{:40} NOT FOUND, {} trials in {:.1?}", hunted.name, hunted.trials, hunted.took);
    };
    let smaller = match hunted.smaller {
        None => "smaller ones not all tried".to_owned(),
        Some((count, true)) => format!("none of {count} smaller fails"),
        Some((count, false)) => format!("NOT MINIMAL among {count} smaller"),
    };
    let end = match finding.shrinking.end {
        ShrinkEnd::Minimal => "",
        ShrinkEnd::FewestItems => " (fewest items)",
        ShrinkEnd::TimeUp => " (time up)",
        ShrinkEnd::Undecided => " (undecided)",
        ShrinkEnd::NoValidator => " (no validator)",
        ShrinkEnd::TooLarge => " (too large)",
    };
    format!(
        "{:40} {:6.2} s {:6} → {:5} bytes{end}, {smaller}",
        hunted.name,
        finding.after.as_secs_f64(),
        finding.shrinking.found_bytes,
        finding.input.len()
    )
}

fn print_summary(all: &[Hunted]) {
    let found: Vec<&Found> = all.iter().filter_map(|hunted| hunted.finding.as_ref()).collect();
    let times = || found.iter().map(|finding| finding.after);
    let before = median(found.iter().map(|finding| finding.shrinking.found_bytes)).unwrap_or(0);
    let after = median(found.iter().map(|finding| finding.input.len())).unwrap_or(0);
    let checked: Vec<bool> = all.iter().filter_map(|hunted| Some(hunted.smaller?.1)).collect();
    let minimal = checked.iter().filter(|is_minimal| **is_minimal).count();
    let took: Duration = all.iter().map(|hunted| hunted.took).sum();
    let trials: u64 = all.iter().map(|hunted| hunted.trials).sum();
    println!("\nfound {} of {}", found.len(), all.len());
    let [middle, worst] = [median(times()), times().max()].map(Option::unwrap_or_default);
    println!("first counterexample: median {middle:.2?}, worst {worst:.2?}");
    println!("size: median {before} bytes before shrinking, {after} after");
    println!("minimal: {minimal} of {} whose smaller inputs were all tried", checked.len());
    println!("trials: {:.0} a second while hunting", trials as f64 / took.as_secs_f64().max(1e-9));
    let held = found.len() * 100 >= all.len() * TARGET;
    println!("{}: at least {TARGET} % found", if held { "PASS" } else { "FAIL" });
}
