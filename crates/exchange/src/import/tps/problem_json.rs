//! `problem.json`: the kind and the limits of a task.

use crate::import::source::ForeignPackage;
use anyhow::{Context, Result, bail, ensure};
use serde_json::{Map, Value};

pub const FILE: &str = "problem.json";

/// The type of a task.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TaskKind {
    Batch,
    Communication,
    OutputOnly,
}

/// A task.
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

/// Keys that this reader understands, or that are descriptions.
const KNOWN: &[&str] = &[
    "name",
    "code",
    "title",
    "type",
    "time_limit",
    "memory_limit",
    "has_grader",
    "grader_name",
    "has_checker",
    "has_manager",
    "num_processes",
    "cpp_enabled",
    "java_enabled",
    "pascal_enabled",
    "python_enabled",
];
/// Keys of languages, the language, and whether it is allowed by default.
const LANGUAGES: &[(&str, &str, bool)] = &[
    ("cpp_enabled", "cpp", true),
    ("java_enabled", "java", true),
    ("pascal_enabled", "pascal", false),
    ("python_enabled", "python3", false),
];

pub fn read(source: &ForeignPackage) -> Result<TpsTask> {
    let keys = read_object(source, FILE)?;
    let exported = keys.contains_key("task_type") && source.paths().any(|path| path.starts_with("subtasks/"));
    if keys.contains_key("protocol_version") || exported {
        bail!("{FILE}: this is a task that TPS exported for CMS; import the repository it was exported from");
    }
    let kind = task_kind(&keys)?;
    let processes = keys.get("num_processes").and_then(Value::as_u64).unwrap_or(1);
    ensure!(
        processes <= 1,
        "{FILE}: num_processes is {processes}: the submission runs as several processes, and a package of this \
         format runs one; write the task for one process"
    );
    let text =
        |key: &str| keys.get(key).and_then(Value::as_str).filter(|text| !text.is_empty()).map(str::to_owned);
    let name = text("name").or_else(|| text("code")).with_context(|| format!("{FILE}: no `name`"))?;
    let flag = |key: &str| read_flag(&keys, key);
    let others = keys.keys().filter(|key| !KNOWN.contains(&key.as_str())).cloned().collect();
    let mut languages = Vec::new();
    for (key, language, usual) in LANGUAGES {
        if flag(key)?.unwrap_or(*usual) {
            languages.push(*language);
        }
    }
    Ok(TpsTask {
        title: text("title").unwrap_or_else(|| name.clone()),
        name,
        kind,
        time_limit: read_limit(&keys, "time_limit", 1000.0)?,
        memory: read_limit(&keys, "memory_limit", 1.0)?,
        has_grader: flag("has_grader")?.unwrap_or(kind != TaskKind::OutputOnly),
        has_checker: flag("has_checker")?.unwrap_or(kind != TaskKind::Communication),
        languages,
        states_languages: LANGUAGES.iter().any(|(key, ..)| keys.contains_key(*key)),
        others,
    })
}

/// A file that holds an object.
pub fn read_object(source: &ForeignPackage, file: &str) -> Result<Map<String, Value>> {
    let text = source.read_text(file)?;
    match serde_json::from_str(&text).with_context(|| format!("{file}: not JSON"))? {
        Value::Object(keys) => Ok(keys),
        _ => bail!("{file}: not an object"),
    }
}

fn task_kind(keys: &Map<String, Value>) -> Result<TaskKind> {
    match keys.get("type").and_then(Value::as_str) {
        None | Some("Batch") => Ok(TaskKind::Batch),
        Some("Communication") => Ok(TaskKind::Communication),
        Some("OutputOnly") => Ok(TaskKind::OutputOnly),
        Some("TwoSteps") => bail!(
            "{FILE}: type TwoSteps: two programs of a submission run one after the other, which a package of this \
             format cannot say; write it as a multi-pass problem by hand"
        ),
        Some(other) => bail!("{FILE}: type `{other}` is none of Batch, Communication, OutputOnly"),
    }
}

fn read_flag(keys: &Map<String, Value>, key: &str) -> Result<Option<bool>> {
    match keys.get(key) {
        None | Some(Value::Null) => Ok(None),
        Some(Value::Bool(flag)) => Ok(Some(*flag)),
        Some(other) => bail!("{FILE}: {key} is {other}: write true or false"),
    }
}

fn read_limit(keys: &Map<String, Value>, key: &str, factor: f64) -> Result<Option<u64>> {
    let Some(value) = keys.get(key).filter(|value| !value.is_null()) else { return Ok(None) };
    let number = value.as_f64().map(|number| (number * factor).round());
    let number = number.filter(|number| (1.0..1e9).contains(number));
    let number = number.with_context(|| format!("{FILE}: {key} is {value}: write a positive number"))?;
    Ok(Some(number as u64))
}
