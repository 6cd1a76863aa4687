//! What specimens are expected to do when they run: their `[run]` part.
//!
//! ```toml
//! [run]
//! verify = 1                       # exit code of `kopek verify`
//! says = ["no run beside build"]   # parts of what it prints
//! grade = 3                        # exit code of `kopek grade` with the examples as the class
//! faults = ["exited with 0"]       # parts of faults and judge errors; there are no others
//! [run.submissions."accepted/right.py"]
//! verdict = "AC"                   # `none`: nothing is known
//! score = "40"
//! groups = { "secret/1" = "40" }
//! cases = { "secret/2" = "AC" }
//! ```

use super::specimen::Specimen;
use crate::scratch;
use kopek::{
    exec::{Engine, local_executor},
    grade::{GradeSession, JudgedCohort, Thoroughness},
    language::LanguageTable,
    machine::{Machine, available_cpus},
    package::{self, Participant, Submission},
    sandbox::Sandbox,
    score::{LegacyReading, State},
    store::Store,
    toolchains::Search,
};
use serde::Deserialize;
use std::{collections::BTreeMap, path::Path, process::Command, sync::atomic::AtomicBool};

/// The expectation for a run.
#[derive(Deserialize, Clone)]
#[serde(deny_unknown_fields)]
pub struct ExpectedRun {
    verify: Option<i32>,
    #[serde(default)]
    says: Vec<String>,
    grade: Option<i32>,
    #[serde(default)]
    faults: Vec<String>,
    #[serde(default)]
    submissions: BTreeMap<String, ExpectedResult>,
}

/// The expectation for a submission; omitted keys are not checked.
#[derive(Deserialize, Clone)]
#[serde(deny_unknown_fields)]
struct ExpectedResult {
    verdict: Option<String>,
    score: Option<String>,
    #[serde(default)]
    groups: BTreeMap<String, String>,
    #[serde(default)]
    cases: BTreeMap<String, String>,
}

/// The real judge.
pub struct SpecimenJudge(Machine);

impl SpecimenJudge {
    pub fn open() -> SpecimenJudge {
        let sandbox = Sandbox::open(Path::new(env!("CARGO_BIN_EXE_kopek"))).unwrap();
        let variable = |name: &str| std::env::var_os(name).unwrap_or_default();
        let search = Search {
            path: variable("PATH"),
            home: Some(variable("HOME").into()),
            rustup_toolchain: None,
            rustup_home: None,
        };
        let cpus = available_cpus();
        SpecimenJudge(Machine::new(
            sandbox,
            Store::open(&scratch::store()).unwrap(),
            LanguageTable::embedded(),
            search,
            cpus,
        ))
    }

    /// What differs from the expectation.
    pub fn differences(&self, specimen: &Specimen) -> Option<String> {
        let run = specimen.run()?;
        let home = specimen.copy();
        let mut faults = self.judge_submissions(home.path(), run);
        faults.extend(check_verify(home.path(), run));
        faults.extend(check_grade(home.path(), run));
        (!faults.is_empty()).then(|| format!("{}\n  {}", specimen.name(), faults.join("\n  ")))
    }

    fn judge_submissions(&self, dir: &Path, run: &ExpectedRun) -> Vec<String> {
        let package = package::read(dir).unwrap().package.unwrap();
        let (tests, _) = package::read_tests(&package).unwrap();
        let named = |one: &&Submission| run.submissions.contains_key(&one.name);
        let cohort: Vec<Participant> =
            package.submissions.iter().filter(named).map(Participant::from).collect();
        let mut wrong = Vec::new();
        if cohort.len() != run.submissions.len() {
            let names: Vec<&str> = package.submissions.iter().map(|one| one.name.as_str()).collect();
            wrong.push(format!("expected submissions that are not there; there are {names:?}"));
        }
        if cohort.is_empty() {
            return wrong;
        }
        let executor = local_executor(&self.0);
        let (stop, thoroughness) = (AtomicBool::new(false), Thoroughness::All);
        let reading = LegacyReading::Kattis;
        let session = GradeSession {
            reading,
            ..GradeSession::usual(Engine::new(&self.0, &executor, &stop), thoroughness)
        };
        let judged = session.judge(&package, &tests, &cohort, &mut |_| {}).unwrap();
        wrong.extend(compare_faults(run, &judged));
        wrong.extend(compare_results(run, &judged));
        wrong
    }
}

/// Every fault is expected, and every expected one is there.
fn compare_faults(run: &ExpectedRun, judged: &JudgedCohort) -> Vec<String> {
    let faults = judged.failures().into_iter().map(|one| format!("{}: {}", one.what, one.fault));
    let reported: Vec<String> =
        faults.chain(judged.cards.iter().flat_map(|card| card.judge_errors.clone())).collect();
    let known = |fault: &&String| run.faults.iter().any(|part| fault.contains(part.as_str()));
    let unexpected =
        reported.iter().filter(|fault| !known(fault)).map(|fault| format!("unexpected fault: {fault}"));
    let there = |part: &&String| reported.iter().any(|fault| fault.contains(part.as_str()));
    let missing = run.faults.iter().filter(|part| !there(part));
    unexpected.chain(missing.map(|part| format!("no fault says: {part}; but {reported:?}"))).collect()
}

fn compare_results(run: &ExpectedRun, judged: &JudgedCohort) -> Vec<String> {
    let mut wrong = Vec::new();
    for (row, card) in judged.plan.rows.iter().zip(&judged.cards) {
        let expected = &run.submissions[&row.participant.name];
        let mut compare = |what: &str, claimed: Option<&String>, found: String| {
            if let Some(claimed) = claimed.filter(|claimed| **claimed != found) {
                wrong.push(format!("{}: {what}: {found}, expected {claimed}", row.participant.name));
            }
        };
        compare("verdict", expected.verdict.as_ref(), verdict_or_none(&card.state));
        compare("score", expected.score.as_ref(), points_or_none(card.points.as_ref()));
        for (name, claimed) in &expected.groups {
            let group = card.groups.iter().find(|group| group.name == *name);
            compare(name, Some(claimed), points_or_none(group.and_then(|group| group.points.as_ref())));
        }
        for (name, claimed) in &expected.cases {
            let case = judged.plan.cases.iter().position(|case| case.name == *name);
            let trials = row.program.as_ref().ok().map(|&program| &judged.graded.trials[program]);
            let trial = trials.and_then(|trials| trials.get(&case?));
            compare(name, Some(claimed), trial.map_or("none".into(), |trial| trial.verdict.short().into()));
        }
    }
    wrong
}

fn verdict_or_none(state: &State) -> String {
    match state {
        State::Decided(verdict) => verdict.short().to_owned(),
        State::Requires(_) | State::Unknown(_) => "none".to_owned(),
    }
}

fn points_or_none(points: Option<&kopek::points::Points>) -> String {
    points.map_or("none".to_owned(), ToString::to_string)
}

fn kopek(args: &[&Path]) -> (Option<i32>, String) {
    let mut command = Command::new(env!("CARGO_BIN_EXE_kopek"));
    let output = command.args(args).arg("--store").arg(scratch::store()).output().unwrap();
    let texts = [output.stdout, output.stderr].map(|bytes| String::from_utf8_lossy(&bytes).into_owned());
    (output.status.code(), texts.concat())
}

fn check_verify(dir: &Path, run: &ExpectedRun) -> Vec<String> {
    let Some(claimed) = run.verify else { return vec![] };
    let (code, text) = kopek(&["verify".as_ref(), dir]);
    let one_line = text.split_whitespace().collect::<Vec<_>>().join(" ");
    let silent = run.says.iter().filter(|part| !one_line.contains(part.as_str()));
    let mut wrong: Vec<String> = silent.map(|part| format!("verify does not say: {part}\n{text}")).collect();
    if code != Some(claimed) {
        wrong.push(format!("verify: exit code {code:?}, expected {claimed}\n{text}"));
    }
    wrong
}

fn check_grade(dir: &Path, run: &ExpectedRun) -> Vec<String> {
    let Some(claimed) = run.grade else { return vec![] };
    let (code, text) = kopek(&["grade".as_ref(), dir, &dir.join("submissions/accepted")]);
    match code == Some(claimed) {
        true => vec![],
        false => vec![format!("grade: exit code {code:?}, expected {claimed}\n{text}")],
    }
}
