//! `subtasks.json`: subtasks in order, their points, and the commands that validate inputs.

use super::{gen_data::TpsData, problem_json::read_object};
use crate::import::{draft::Draft, source::ForeignPackage};
use anyhow::{Context, Result, bail, ensure};
use serde_json::{Map, Value};

pub const FILE: &str = "subtasks.json";

/// A subtask.
#[derive(Debug, Clone)]
pub struct TpsSubtask {
    pub name: String,
    pub index: i64,
    pub score: u64,
    /// Commands that validate its tests.
    pub validators: Vec<String>,
}

/// All subtasks in order, and the commands for all tests.
#[derive(Debug)]
pub struct TpsSubtasks {
    pub global: Vec<String>,
    /// With the placeholder `{subtask}`.
    pub sensitive: Vec<String>,
    pub all: Vec<TpsSubtask>,
}

impl TpsSubtask {
    /// Whether its tests are the samples.
    pub fn is_samples(&self) -> bool {
        self.name == "samples" || self.index == 0 && self.score == 0
    }
}

/// Subtasks by index; those with equal ones in the order of their tests.
pub fn read(source: &ForeignPackage, data: &TpsData, draft: &mut Draft) -> Result<TpsSubtasks> {
    let root = read_object(source, FILE)?;
    let listed = root.get("subtasks").and_then(Value::as_object);
    let listed = listed.with_context(|| format!("{FILE}: no object `subtasks`"))?;
    let mut all =
        listed.iter().map(|(name, keys)| read_subtask(name, keys)).collect::<Result<Vec<TpsSubtask>>>()?;
    let place = |name: &str| data.sets.iter().position(|set| set.is_subtask && set.name == name);
    all.sort_by_key(|subtask| (subtask.index, place(&subtask.name).unwrap_or(usize::MAX)));
    let equal: Vec<&str> = all
        .chunk_by(|one, next| one.index == next.index)
        .filter(|equal| equal.len() > 1)
        .flatten()
        .map(|subtask| subtask.name.as_str())
        .collect();
    if !equal.is_empty() {
        let what = format!("subtasks with equal `index`: {}", equal.join(", "));
        draft.changes.add_change(FILE, what, "they have the order of gen/data");
    }
    ensure!(!all.is_empty(), "{FILE} names no subtasks");
    Ok(TpsSubtasks {
        global: read_commands(&root, "global_validators", FILE)?,
        sensitive: read_commands(&root, "subtask_sensitive_validators", FILE)?,
        all,
    })
}

fn read_subtask(name: &str, keys: &Value) -> Result<TpsSubtask> {
    let at = format!("{FILE}: subtask `{name}`");
    let keys = keys.as_object().with_context(|| format!("{at}: not an object"))?;
    let index =
        keys.get("index").and_then(Value::as_i64).with_context(|| format!("{at}: no number `index`"))?;
    let score = keys.get("score").and_then(whole_number);
    let score = score.with_context(|| format!("{at}: `score` is no whole number from 0"))?;
    let validators = read_commands(keys, "validators", &at)?;
    Ok(TpsSubtask { name: name.to_owned(), index, score, validators })
}

/// `10`, or `10.0`.
fn whole_number(value: &Value) -> Option<u64> {
    let number = value.as_f64().filter(|number| number.fract() == 0.0 && (0.0..1e9).contains(number))?;
    Some(number as u64)
}

fn read_commands(keys: &Map<String, Value>, key: &str, at: &str) -> Result<Vec<String>> {
    match keys.get(key) {
        None | Some(Value::Null) => Ok(Vec::new()),
        Some(Value::Array(list)) => {
            let command = |value: &Value| value.as_str().map(str::to_owned);
            let commands = list.iter().map(command).collect::<Option<Vec<String>>>();
            commands.with_context(|| format!("{at}: `{key}` is no list of commands"))
        }
        Some(_) => bail!("{at}: `{key}` is no list of commands"),
    }
}
