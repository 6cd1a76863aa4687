//! `problem.json`, `subtasks.json` and `gen/data` as plain data.

use crate::import::{draft::Draft, source::ForeignPackage};
use anyhow::{Context, Result, bail, ensure};
use serde::{Deserialize, de::DeserializeOwned};
use serde_json::Value;
use std::collections::BTreeMap;

pub const PROBLEM: &str = "problem.json";
pub const SUBTASKS: &str = "subtasks.json";
/// The tests, their commands, and their sets.
pub const DATA: &str = "gen/data";

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TaskKind {
    Batch,
    Communication,
    OutputOnly,
}

#[derive(Debug)]
pub struct TpsTask {
    pub name: String,
    pub title: String,
    pub kind: TaskKind,
    /// In milliseconds.
    pub time_limit: Option<u64>,
    /// In MiB.
    pub memory: Option<u64>,
    pub has_grader: bool,
    pub has_checker: bool,
    /// Allowed languages, by their codes in the package format.
    pub languages: Vec<&'static str>,
    /// Whether the task says which these are: otherwise they are only TPS' usual ones.
    pub states_languages: bool,
    /// Keys without a meaning for a package.
    pub others: Vec<String>,
}

#[derive(Deserialize)]
struct ProblemKeys {
    name: Option<String>,
    code: Option<String>,
    title: Option<String>,
    r#type: Option<String>,
    time_limit: Option<f64>,
    memory_limit: Option<f64>,
    has_grader: Option<bool>,
    has_checker: Option<bool>,
    num_processes: Option<u64>,
    cpp_enabled: Option<bool>,
    java_enabled: Option<bool>,
    pascal_enabled: Option<bool>,
    python_enabled: Option<bool>,
    #[serde(flatten)]
    others: BTreeMap<String, Value>,
}

/// Further keys that are descriptions.
const DESCRIPTIONS: [&str; 2] = ["grader_name", "has_manager"];

pub fn read_task(source: &ForeignPackage) -> Result<TpsTask> {
    let keys: ProblemKeys = read_json(source, PROBLEM)?;
    let exported =
        keys.others.contains_key("task_type") && source.paths().any(|path| path.starts_with("subtasks/"));
    ensure!(
        !exported && !keys.others.contains_key("protocol_version"),
        "{PROBLEM}: this is a task that TPS exported for CMS; import the repository it was exported from"
    );
    let kind = match keys.r#type.as_deref() {
        None | Some("Batch") => TaskKind::Batch,
        Some("Communication") => TaskKind::Communication,
        Some("OutputOnly") => TaskKind::OutputOnly,
        Some("TwoSteps") => bail!(
            "{PROBLEM}: type TwoSteps: two programs of a submission run one after the other, which a package of this \
             format cannot say; write it as a multi-pass problem by hand"
        ),
        Some(other) => bail!("{PROBLEM}: type `{other}` is none of Batch, Communication, OutputOnly"),
    };
    let processes = keys.num_processes.unwrap_or(1);
    ensure!(
        processes <= 1,
        "{PROBLEM}: num_processes is {processes}: the submission runs as several processes, and a package of this \
         format runs one; write the task for one process"
    );
    // A language, and whether it is usually allowed.
    let languages = [
        ("cpp", keys.cpp_enabled, true),
        ("java", keys.java_enabled, true),
        ("pascal", keys.pascal_enabled, false),
        ("python3", keys.python_enabled, false),
    ];
    let allowed = languages.iter().filter(|(_, stated, usual)| stated.unwrap_or(*usual));
    let filled = |text: Option<String>| text.filter(|text| !text.is_empty());
    let name = filled(keys.name).or(filled(keys.code)).with_context(|| format!("{PROBLEM}: no `name`"))?;
    let others = keys.others.into_keys().filter(|key| !DESCRIPTIONS.contains(&key.as_str()));
    Ok(TpsTask {
        title: filled(keys.title).unwrap_or_else(|| name.clone()),
        name,
        kind,
        time_limit: whole_limit("time_limit", keys.time_limit.map(|seconds| seconds * 1000.0))?,
        memory: whole_limit("memory_limit", keys.memory_limit)?,
        has_grader: keys.has_grader.unwrap_or(kind != TaskKind::OutputOnly),
        has_checker: keys.has_checker.unwrap_or(kind != TaskKind::Communication),
        languages: allowed.map(|(language, ..)| *language).collect(),
        states_languages: languages.iter().any(|(_, stated, _)| stated.is_some()),
        others: others.collect(),
    })
}

pub fn read_json<T: DeserializeOwned>(source: &ForeignPackage, file: &str) -> Result<T> {
    serde_json::from_str(&source.read_text(file)?).with_context(|| format!("read {file}"))
}

fn whole_limit(key: &str, limit: Option<f64>) -> Result<Option<u64>> {
    let Some(limit) = limit.map(f64::round) else { return Ok(None) };
    ensure!((1.0..1e9).contains(&limit), "{PROBLEM}: {key} is {limit}: write a positive number");
    Ok(Some(limit as u64))
}

#[derive(Debug, Deserialize)]
pub struct TpsSubtask {
    #[serde(skip)]
    pub name: String,
    index: i64,
    pub score: f64,
    /// Commands that validate its tests.
    #[serde(default)]
    pub validators: Vec<String>,
}

#[derive(Debug, Deserialize)]
pub struct TpsSubtasks {
    /// Commands that validate all tests.
    #[serde(rename = "global_validators", default)]
    pub global: Vec<String>,
    /// The same, with the placeholder `{subtask}`.
    #[serde(rename = "subtask_sensitive_validators", default)]
    pub sensitive: Vec<String>,
    subtasks: BTreeMap<String, TpsSubtask>,
    #[serde(skip)]
    pub all: Vec<TpsSubtask>,
}

impl TpsSubtask {
    /// Whether its tests are the samples.
    pub fn is_samples(&self) -> bool {
        self.name == "samples" || self.index == 0 && self.score == 0.0
    }
}

/// Subtasks by index; those with equal ones in the order of their tests.
pub fn read_subtasks(source: &ForeignPackage, data: &TpsData, draft: &mut Draft) -> Result<TpsSubtasks> {
    let mut read: TpsSubtasks = read_json(source, SUBTASKS)?;
    for (name, subtask) in std::mem::take(&mut read.subtasks) {
        let is_whole = subtask.score.fract() == 0.0 && (0.0..1e9).contains(&subtask.score);
        ensure!(is_whole, "{SUBTASKS}: subtask `{name}`: `score` is no whole number from 0");
        read.all.push(TpsSubtask { name, ..subtask });
    }
    ensure!(!read.all.is_empty(), "{SUBTASKS} names no subtasks");
    let place = |name: &str| data.sets.iter().position(|set| set.is_subtask && set.name == name);
    read.all.sort_by_key(|subtask| (subtask.index, place(&subtask.name).unwrap_or(usize::MAX)));
    let equal = read.all.chunk_by(|one, next| one.index == next.index).filter(|equal| equal.len() > 1);
    let equal: Vec<&str> = equal.flatten().map(|subtask| subtask.name.as_str()).collect();
    if !equal.is_empty() {
        let what = format!("subtasks with equal `index`: {}", equal.join(", "));
        draft.changed(SUBTASKS, what, "they have the order of gen/data");
    }
    Ok(read)
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DataSet {
    pub name: String,
    /// Whether it is a subtask; otherwise it only counts where it is included.
    pub is_subtask: bool,
    /// Indices of its tests, including those of included sets.
    pub tests: Vec<usize>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DataTest {
    pub name: String,
    pub origin: DataOrigin,
    pub line: usize,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum DataOrigin {
    File(String),
    Command(String),
}

#[derive(Debug, Default, PartialEq, Eq)]
pub struct TpsData {
    pub sets: Vec<DataSet>,
    pub tests: Vec<DataTest>,
}

/// Reads the file. The name of a test of an output-only task is its number.
pub fn parse_data(text: &str, kind: TaskKind) -> Result<TpsData> {
    let mut data = TpsData::default();
    let mut subtasks = 0;
    let mut own_tests = 0;
    for (line, text) in (1..).zip(text.lines()) {
        let text = text.trim();
        if text.is_empty() || text.starts_with('#') {
            continue;
        }
        let at = || format!("{DATA}:{line}");
        let (word, rest) = text.split_once(char::is_whitespace).unwrap_or((text, ""));
        let rest = rest.trim();
        match word {
            "@subtask" | "@testset" => {
                ensure!(!rest.is_empty(), "{}: {word} without a name", at());
                let again = data.sets.iter().any(|set| set.name == rest);
                ensure!(!again, "{}: `{rest}` is a set already; put its tests together", at());
                let is_subtask = word == "@subtask";
                subtasks += usize::from(is_subtask);
                own_tests = 0;
                data.sets.push(DataSet { name: rest.to_owned(), is_subtask, tests: Vec::new() });
            }
            "@include" => include_sets(&mut data, rest).with_context(at)?,
            _ if word.starts_with('@') => bail!("{}: `{word}` is none of @subtask, @testset, @include", at()),
            _ => {
                own_tests += 1;
                let number = data.tests.len();
                let set = data.sets.last_mut();
                let set = set.with_context(|| format!("{}: a test before any @subtask or @testset", at()))?;
                let name = match (kind == TaskKind::OutputOnly, set.is_subtask) {
                    (true, _) => format!("{:02}", number + 1),
                    (false, true) => format!("{}-{own_tests:02}", subtasks - 1),
                    (false, false) => format!("{}-{own_tests:02}", set.name),
                };
                set.tests.push(number);
                let origin = read_origin(word, rest, text).with_context(at)?;
                data.tests.push(DataTest { name, origin, line });
            }
        }
    }
    ensure!(!data.tests.is_empty(), "{DATA} names no tests");
    Ok(data)
}

/// The tests that these sets have so far.
fn include_sets(data: &mut TpsData, names: &str) -> Result<()> {
    let Some((last, before)) = data.sets.split_last_mut() else {
        bail!("@include before any @subtask or @testset");
    };
    ensure!(!names.is_empty(), "@include without a name");
    for name in names.split_whitespace() {
        let set = before.iter().find(|set| set.name == name);
        let set = set.with_context(|| format!("@include {name}: there is no such set above"))?;
        let new: Vec<usize> = set.tests.iter().copied().filter(|test| !last.tests.contains(test)).collect();
        last.tests.extend(new);
    }
    Ok(())
}

fn read_origin(word: &str, rest: &str, text: &str) -> Result<DataOrigin> {
    let file = || {
        ensure!(!rest.is_empty() && !rest.contains(char::is_whitespace), "`{word}` takes one file");
        Ok(rest)
    };
    Ok(match word {
        "manual" => DataOrigin::File(below_source("gen/manual", file()?)?),
        "copy" => DataOrigin::File(below_source("gen", file()?)?),
        _ => DataOrigin::Command(text.to_owned()),
    })
}

/// A path relative to a directory, as one of the source.
fn below_source(dir: &str, path: &str) -> Result<String> {
    let mut parts: Vec<&str> = dir.split('/').collect();
    for part in path.split('/') {
        match part {
            "" | "." => {}
            ".." => drop(parts.pop().with_context(|| format!("{path} is outside of the source"))?),
            part => parts.push(part),
        }
    }
    Ok(parts.join("/"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sets_take_in_what_they_include_at_that_moment() {
        let data = parse_data(
            "# Cases\n@subtask samples\nmanual s.in\ncopy ../public/examples/01.in\n\n@testset big\ngen 1 2\n\
             @subtask small\n@include samples\ngen 3\n@subtask full\n@include small big\n  gen 4 # no comment\n",
            TaskKind::Batch,
        )
        .unwrap();
        let names: Vec<&str> = data.tests.iter().map(|test| test.name.as_str()).collect();
        assert_eq!(names, ["0-01", "0-02", "big-01", "1-01", "2-01"]);
        let tests: Vec<&[usize]> = data.sets.iter().map(|set| set.tests.as_slice()).collect();
        assert_eq!(tests, [&[0, 1][..], &[2], &[0, 1, 3], &[0, 1, 3, 2, 4]]);
        assert_eq!(data.tests[0].origin, DataOrigin::File("gen/manual/s.in".into()));
        assert_eq!(data.tests[1].origin, DataOrigin::File("public/examples/01.in".into()));
        assert_eq!(data.tests[4].origin, DataOrigin::Command("gen 4 # no comment".into()));
        let numbered = parse_data("@subtask a\ngen 1\n@subtask b\ngen 2\n", TaskKind::OutputOnly).unwrap();
        assert_eq!(numbered.tests[1].name, "02");
    }

    #[test]
    fn what_makes_no_sense_is_refused_with_its_line() {
        for (text, part) in [
            ("gen 1\n", "gen/data:1: a test before any"),
            ("@subtask a\ngen 1\n@subtask a\n", "gen/data:3: `a` is a set already"),
            ("@subtask a\n@include b\n", "gen/data:2: @include b: there is no such set"),
            ("@include b\n", "gen/data:1: @include before any"),
            ("@group a\n", "gen/data:1: `@group` is none of"),
            ("@subtask a\nmanual x y\n", "gen/data:2: `manual` takes one file"),
            ("@subtask a\ncopy ../../x\n", "gen/data:2: ../../x is outside"),
            ("@subtask\n", "gen/data:1: @subtask without a name"),
            ("# nothing\n", "names no tests"),
        ] {
            let error = format!("{:#}", parse_data(text, TaskKind::Batch).unwrap_err());
            assert!(error.contains(part), "{text:?}: {error}");
        }
    }
}
