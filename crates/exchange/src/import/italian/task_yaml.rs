//! `task.yaml` as plain data.

use crate::import::source::ForeignPackage;
use anyhow::{Context, Result, bail};
use kopek_engine::package::yaml::{self, YamlEntry, YamlNode, YamlValue};
use std::path::Path;

/// Its keys, by their current names.
#[derive(Debug, Default)]
pub struct ItalianTask {
    /// The path of the file.
    pub file: String,
    /// `name`, `nome_breve`.
    pub name: String,
    /// `title`, `nome`.
    pub title: String,
    pub time_limit: Option<u64>,
    pub memory: Option<u64>,
    /// A file name, or the standard stream.
    pub infile: String,
    /// A file name, or the standard stream.
    pub outfile: String,
    /// Whether submissions are outputs.
    pub output_only: bool,
    /// `primary_language`.
    pub language: String,
    /// The score type, in lower case.
    pub score_type: String,
    /// `[points, tests]` of each subtask.
    pub parameters: Vec<(u64, usize)>,
    /// The sum of points of a task without subtasks.
    pub total: u64,
    /// Keys about the contest only.
    pub contest: Vec<String>,
    pub unknown: Vec<String>,
}

/// Keys that this reader understands, or that are redundant.
const KNOWN: &[&str] = &[
    "name",
    "nome_breve",
    "title",
    "nome",
    "time_limit",
    "timeout",
    "memory_limit",
    "memlimit",
    "infile",
    "outfile",
    "output_only",
    "primary_language",
    "score_type",
    "score_type_parameters",
    "total_value",
    "n_input",
    "score_precision",
    "difficulty",
    "syllabuslevel",
    "version",
];
const CONTEST: &[&str] = &[
    "token_",
    "public_testcases",
    "risultati",
    "max_submission_number",
    "max_user_test_number",
    "min_submission_interval",
    "min_user_test_interval",
    "score_mode",
    "feedback_level",
    "submission_format",
    "allowed_languages",
    "user_io",
    "num_processes",
    "owners",
    "tags",
];

pub fn read(source: &ForeignPackage, file: &str) -> Result<ItalianTask> {
    let mut findings = Vec::new();
    let node = yaml::parse_bytes(Path::new(file), &source.read_bytes(file)?, &mut findings);
    let Some(YamlNode { value: YamlValue::Map(keys), .. }) = node else {
        match findings.first() {
            Some(finding) => bail!("{}", finding.to_string().trim_start_matches("error: ")),
            None => bail!("{file} is not a map of keys"),
        }
    };
    let keys = TaskKeys { file, keys: &keys };
    let text = |names: &[&str], default: &str| keys.read_text(names).unwrap_or_else(|| default.to_owned());
    let name = text(&["name", "nome_breve"], "");
    let strange = |entry: &&YamlEntry| !KNOWN.contains(&entry.key.as_str());
    let of_contest = |key: &str| CONTEST.iter().any(|known| key.starts_with(known));
    let (contest, unknown) =
        keys.keys.iter().filter(strange).map(|entry| entry.key.clone()).partition(|key| of_contest(key));
    Ok(ItalianTask {
        file: file.to_owned(),
        title: text(&["title", "nome"], &name),
        time_limit: keys
            .read_number(&["time_limit", "timeout"])?
            .map(|seconds| (seconds * 1000.0).round() as u64),
        memory: keys.read_number(&["memory_limit", "memlimit"])?.map(|mib| mib.ceil() as u64),
        // The old default is named files; an empty text means the standard streams.
        infile: text(&["infile"], "input.txt"),
        outfile: text(&["outfile"], "output.txt"),
        output_only: text(&["output_only"], "false").eq_ignore_ascii_case("true"),
        language: text(&["primary_language"], "it"),
        score_type: text(&["score_type"], "").to_lowercase(),
        parameters: keys.read_subtasks(),
        total: keys.read_number(&["total_value"])?.map_or(100, |total| total as u64),
        contest,
        unknown,
        name,
    })
}

struct TaskKeys<'a> {
    file: &'a str,
    keys: &'a [YamlEntry],
}

impl TaskKeys<'_> {
    fn find(&self, names: &[&str]) -> Option<&YamlNode> {
        names
            .iter()
            .find_map(|name| self.keys.iter().find(|entry| entry.key == *name))
            .map(|entry| &entry.node)
    }

    fn read_text(&self, names: &[&str]) -> Option<String> {
        match &self.find(names)?.value {
            YamlValue::Bare(text) | YamlValue::Text(text) => Some(text.clone()),
            YamlValue::Null => Some(String::new()),
            YamlValue::List(_) | YamlValue::Map(_) => None,
        }
    }

    fn read_number(&self, names: &[&str]) -> Result<Option<f64>> {
        let Some(text) = self.read_text(names).filter(|text| !text.is_empty()) else { return Ok(None) };
        let number = text.parse::<f64>().ok().filter(|n| (0.0..1e9).contains(n));
        number.map(Some).with_context(|| format!("{}: `{}` is {text:?}, not a number", self.file, names[0]))
    }

    /// Only pairs of numbers: patterns of names are ignored.
    fn read_subtasks(&self) -> Vec<(u64, usize)> {
        let Some(YamlValue::List(items)) = self.find(&["score_type_parameters"]).map(|node| &node.value)
        else {
            return Vec::new();
        };
        let number = |node: &YamlNode| match &node.value {
            YamlValue::Bare(text) => text.parse::<f64>().ok(),
            YamlValue::Null | YamlValue::Text(_) | YamlValue::List(_) | YamlValue::Map(_) => None,
        };
        let pair = |node: &YamlNode| match &node.value {
            YamlValue::List(pair) => match pair.as_slice() {
                [points, tests, ..] => Some((number(points)? as u64, number(tests)? as usize)),
                _ => None,
            },
            YamlValue::Null | YamlValue::Bare(_) | YamlValue::Text(_) | YamlValue::Map(_) => None,
        };
        items.iter().map(pair).collect::<Option<Vec<_>>>().unwrap_or_default()
    }
}
