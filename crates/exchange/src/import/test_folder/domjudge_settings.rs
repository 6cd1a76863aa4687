//! `domjudge-problem.ini`, which is all that a package of DOMjudge says if it has no `problem.yaml`.

use crate::import::{
    draft::Draft,
    draft_files::{base_name, parent},
    source::ForeignPackage,
};
use anyhow::{Context, Result, bail, ensure};
use std::collections::BTreeSet;

pub const SETTINGS: &str = "domjudge-problem.ini";
/// Directories of output validators.
const VALIDATORS: [&str; 2] = ["output_validators", "output_validator"];
/// DOMjudge's own programs.
const USUAL: [&str; 3] = ["", "compare", "run"];

#[derive(Debug, Default)]
pub struct DomjudgeSettings {
    pub name: Option<String>,
    /// In milliseconds.
    pub time_limit: Option<u64>,
    /// A program that compares outputs.
    compare: Option<String>,
    /// A program that talks with submissions.
    run: Option<String>,
    others: Vec<String>,
}

impl DomjudgeSettings {
    pub fn read(source: &ForeignPackage) -> Result<DomjudgeSettings> {
        let mut settings = DomjudgeSettings::default();
        if !source.has(SETTINGS) {
            return Ok(settings);
        }
        for line in source.read_text(SETTINGS)?.lines() {
            let line = line.trim();
            let Some((key, value)) = line.split_once('=').filter(|_| !line.starts_with([';', '#'])) else {
                continue;
            };
            let value = value.trim().trim_matches(['\'', '"']).to_owned();
            let program = Some(value.clone()).filter(|value| !USUAL.contains(&value.as_str()));
            match key.trim() {
                "name" => settings.name = Some(value),
                "timelimit" => settings.time_limit = Some(milliseconds(&value)?),
                "special_compare" => settings.compare = program,
                "special_run" => settings.run = program,
                other => settings.others.push(other.to_owned()),
            }
        }
        Ok(settings)
    }

    /// Adds the program that judges, if there is one, and reports the other settings; returns the files it used.
    pub fn apply(&self, draft: &mut Draft) -> Result<BTreeSet<String>> {
        if !self.others.is_empty() {
            let what = format!("settings of a contest: {}", self.others.join(", "));
            draft.lost(SETTINGS, what, "they are left out: they belong to the system that runs it");
        }
        let (key, name) = match (&self.run, &self.compare) {
            (None, None) => return Ok(BTreeSet::new()),
            (None, Some(name)) => ("special_compare", name),
            (Some(name), None) => ("special_run", name),
            (Some(run), Some(compare)) if run == compare => ("special_run", run),
            (Some(run), Some(compare)) => bail!(
                "{SETTINGS}: special_run is {run} and special_compare is {compare}: a package of this format has one \
                 program that judges; write one, and name it in both"
            ),
        };
        let dir = find_validator(draft.source(), key, name)?;
        let inside = format!("{dir}/");
        let mut files = BTreeSet::new();
        for path in draft.source().paths() {
            let below = if path == dir { Some(base_name(path)) } else { path.strip_prefix(&inside) };
            if let Some(below) = below {
                draft.copy(path, format!("output_validator/{below}"))?;
                files.insert(path.to_owned());
            }
        }
        draft.interactive = self.run.is_some();
        Ok(files)
    }
}

fn milliseconds(seconds: &str) -> Result<u64> {
    let limit: Option<f64> = seconds.parse().ok().filter(|limit| (0.001..1e6).contains(limit));
    let limit =
        limit.with_context(|| format!("{SETTINGS}: timelimit is {seconds:?}, not a number of seconds"))?;
    Ok((limit * 1000.0).round() as u64)
}

/// The directory or file of the validator: the one with this name, else the only one.
fn find_validator(source: &ForeignPackage, key: &str, name: &str) -> Result<String> {
    let mut found = BTreeSet::new();
    for path in source.paths() {
        let Some(dir) = VALIDATORS.into_iter().find(|dir| path.starts_with(&format!("{dir}/"))) else {
            continue;
        };
        let entry = path[dir.len() + 1..].split('/').next().unwrap_or_default();
        // Files directly in `output_validator` are one program.
        let is_file = parent(path) == dir;
        found.insert(if is_file && dir == VALIDATORS[1] { dir.to_owned() } else { format!("{dir}/{entry}") });
    }
    let is_named = |place: &&String| base_name(place).split('.').next() == Some(name);
    if let Some(named) = found.iter().find(is_named) {
        return Ok(named.clone());
    }
    ensure!(
        found.len() == 1,
        "{SETTINGS}: {key} is {name}, a program of DOMjudge that is not in the folder; put it into \
         output_validators/{name}/, or remove the line if the problem does without it"
    );
    Ok(found.pop_first().unwrap_or_default())
}
