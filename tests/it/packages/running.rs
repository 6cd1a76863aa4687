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
use kopek::{
    exec::Workshop,
    grade::{Judged, Preparation, Session, Thoroughness},
    language::{Search, Table},
    package::{self, Submission},
    sandbox::Sandbox,
    score::{Reading, State},
    store::Store,
};
use serde::Deserialize;
use std::{
    collections::BTreeMap,
    path::{Path, PathBuf},
    process::Command,
    sync::atomic::AtomicBool,
};

/// What is expected of a run.
#[derive(Deserialize, Clone)]
#[serde(deny_unknown_fields)]
pub struct Run {
    verify: Option<i32>,
    #[serde(default)]
    says: Vec<String>,
    grade: Option<i32>,
    #[serde(default)]
    faults: Vec<String>,
    #[serde(default)]
    submissions: BTreeMap<String, Worth>,
}

/// What is expected of a submission; what is not said is not looked at.
#[derive(Deserialize, Clone)]
#[serde(deny_unknown_fields)]
struct Worth {
    verdict: Option<String>,
    score: Option<String>,
    #[serde(default)]
    groups: BTreeMap<String, String>,
    #[serde(default)]
    cases: BTreeMap<String, String>,
}

/// The real judge, with one store for all specimens.
pub struct Bench(Workshop);

fn store() -> PathBuf {
    PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("specimens")
}

impl Bench {
    /// Opens it.
    pub fn open() -> Bench {
        let sandbox = Sandbox::open(Path::new(env!("CARGO_BIN_EXE_kopek"))).unwrap();
        let variable = |name: &str| std::env::var_os(name).unwrap_or_default();
        let search = Search {
            path: variable("PATH"),
            home: Some(variable("HOME").into()),
            rustup_toolchain: None,
            rustup_home: None,
        };
        let cpus = kopek::exec::cpus();
        Bench(Workshop::new(sandbox, Store::open(&store()).unwrap(), Table::embedded(), search, cpus))
    }

    /// What differs from the expectation.
    pub fn fault(&self, specimen: &Specimen) -> Option<String> {
        let run = specimen.run()?;
        let home = specimen.copy();
        let mut faults = self.judged(home.path(), run);
        faults.extend(verified(home.path(), run));
        faults.extend(graded(home.path(), run));
        (!faults.is_empty()).then(|| format!("{}\n  {}", specimen.name(), faults.join("\n  ")))
    }

    fn judged(&self, dir: &Path, run: &Run) -> Vec<String> {
        let package = package::read(dir).unwrap().package.unwrap();
        let (tests, _) = package::tests(&package).unwrap();
        let named = |one: &&Submission| run.submissions.contains_key(&one.name);
        let cohort: Vec<Preparation> = package.submissions.iter().filter(named).map(preparation).collect();
        let mut wrong = Vec::new();
        if cohort.len() != run.submissions.len() {
            let names: Vec<&str> = package.submissions.iter().map(|one| one.name.as_str()).collect();
            wrong.push(format!("expected submissions that are not there; there are {names:?}"));
        }
        if cohort.is_empty() {
            return wrong;
        }
        let executor = self.0.executor();
        let (stop, thoroughness) = (AtomicBool::new(false), Thoroughness::All);
        let reading = Reading::Kattis;
        let session = Session { workshop: &self.0, executor: &executor, thoroughness, reading, stop: &stop };
        let judged = session.judge(&package, &tests, &cohort, &mut |_| {}).unwrap();
        wrong.extend(unexpected(run, &judged));
        wrong.extend(worths(run, &judged));
        wrong
    }
}

fn preparation(submission: &Submission) -> Preparation<'_> {
    Preparation { name: &submission.name, submission: Ok(submission) }
}

/// Every fault is expected, and every expected one is there.
fn unexpected(run: &Run, judged: &Judged) -> Vec<String> {
    let faults = judged.graded.faults.iter().map(|(what, fault)| format!("{what}: {fault}"));
    let told: Vec<String> =
        faults.chain(judged.cards.iter().flat_map(|card| card.judge_errors.clone())).collect();
    let known = |fault: &&String| run.faults.iter().any(|part| fault.contains(part.as_str()));
    let strange = told.iter().filter(|fault| !known(fault)).map(|fault| format!("unexpected fault: {fault}"));
    let there = |part: &&String| told.iter().any(|fault| fault.contains(part.as_str()));
    let missing = run.faults.iter().filter(|part| !there(part));
    strange.chain(missing.map(|part| format!("no fault says: {part}; but {told:?}"))).collect()
}

fn worths(run: &Run, judged: &Judged) -> Vec<String> {
    let mut wrong = Vec::new();
    for (row, card) in judged.plan.rows.iter().zip(&judged.cards) {
        let expected = &run.submissions[&row.name];
        let mut compare = |what: &str, wanted: Option<&String>, found: String| {
            if let Some(wanted) = wanted.filter(|wanted| **wanted != found) {
                wrong.push(format!("{}: {what}: {found}, expected {wanted}", row.name));
            }
        };
        compare("verdict", expected.verdict.as_ref(), verdict(&card.state));
        compare("score", expected.score.as_ref(), shown(card.points.as_ref()));
        for (name, wanted) in &expected.groups {
            let group = card.groups.iter().find(|group| group.name == *name);
            compare(name, Some(wanted), shown(group.and_then(|group| group.points.as_ref())));
        }
        for (name, wanted) in &expected.cases {
            let case = judged.plan.cases.iter().position(|case| case.name == *name);
            let trials = row.program.as_ref().ok().map(|&program| &judged.graded.trials[program]);
            let trial = trials.and_then(|trials| trials.get(&case?));
            compare(name, Some(wanted), trial.map_or("none".into(), |trial| trial.verdict.short().into()));
        }
    }
    wrong
}

fn verdict(state: &State) -> String {
    match state {
        State::Decided(verdict) => verdict.short().to_owned(),
        State::Requires(_) | State::Unknown(_) => "none".to_owned(),
    }
}

fn shown(points: Option<&kopek::points::Points>) -> String {
    points.map_or("none".to_owned(), ToString::to_string)
}

fn kopek(args: &[&Path]) -> (Option<i32>, String) {
    let mut command = Command::new(env!("CARGO_BIN_EXE_kopek"));
    let output = command.args(args).arg("--store").arg(store()).output().unwrap();
    let texts = [output.stdout, output.stderr].map(|bytes| String::from_utf8_lossy(&bytes).into_owned());
    (output.status.code(), texts.concat())
}

fn verified(dir: &Path, run: &Run) -> Vec<String> {
    let Some(wanted) = run.verify else { return vec![] };
    let (code, text) = kopek(&["verify".as_ref(), dir]);
    let one_line = text.split_whitespace().collect::<Vec<_>>().join(" ");
    let silent = run.says.iter().filter(|part| !one_line.contains(part.as_str()));
    let mut wrong: Vec<String> = silent.map(|part| format!("verify does not say: {part}\n{text}")).collect();
    if code != Some(wanted) {
        wrong.push(format!("verify: exit code {code:?}, expected {wanted}\n{text}"));
    }
    wrong
}

fn graded(dir: &Path, run: &Run) -> Vec<String> {
    let Some(wanted) = run.grade else { return vec![] };
    let (code, text) = kopek(&["grade".as_ref(), dir, &dir.join("submissions/accepted")]);
    match code == Some(wanted) {
        true => vec![],
        false => vec![format!("grade: exit code {code:?}, expected {wanted}\n{text}")],
    }
}
