//! `task.yaml` as plain data.

use crate::import::source::ForeignPackage;
use anyhow::{Context, Result, bail};
use kopek_package::package::yaml::{self, YamlEntry, YamlNode, YamlValue};
use std::path::Path;

/// Its keys, by their current names.
#[derive(Debug)]
pub struct ItalianTask {
    pub file: String,
    pub name: String,
    pub title: String,
    pub time_limit: Option<u64>,
    pub memory: Option<u64>,
    /// Empty: the standard stream.
    pub infile: String,
    pub outfile: String,
    pub output_only: bool,
    /// Empty: it is not stated.
    pub language: String,
    /// The score type, in lower case.
    pub score_type: String,
    /// `[points, tests]` of each subtask.
    pub parameters: Vec<(u64, usize)>,
    /// The sum of points of a task without subtasks.
    pub total: u64,
    /// The number of inputs, if it is stated.
    pub inputs: Option<usize>,
    /// Whether keys have Italian names, as only old tasks do.
    pub has_italian_keys: bool,
    pub contest: Vec<String>,
    pub unknown: Vec<String>,
}

/// Keys that this reader understands, or that are redundant.
const KNOWN: &str = "name nome_breve title nome time_limit timeout memory_limit memlimit infile outfile output_only \
                     primary_language score_type score_type_parameters total_value n_input score_precision \
                     difficulty syllabuslevel version";
/// The beginnings of keys that are about a contest.
const CONTEST: &str = "token_ public_testcases risultati max_submission_number max_user_test_number \
                       min_submission_interval min_user_test_interval score_mode feedback_level submission_format \
                       allowed_languages user_io num_processes owners tags";

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
    let others = keys.keys.iter().map(|entry| &entry.key);
    let others = others.filter(|key| KNOWN.split(' ').all(|known| known != *key)).cloned();
    let (contest, unknown) =
        others.partition(|key| CONTEST.split(' ').any(|beginning| key.starts_with(beginning)));
    Ok(ItalianTask {
        file: file.to_owned(),
        title: text(&["title", "nome"], &name),
        time_limit: keys.read_number(&["time_limit", "timeout"])?.map(|time| (time * 1000.0).round() as u64),
        memory: keys.read_number(&["memory_limit", "memlimit"])?.map(|mib| mib.ceil() as u64),
        // The old default is named files; an empty text means the standard streams.
        infile: text(&["infile"], "input.txt"),
        outfile: text(&["outfile"], "output.txt"),
        output_only: text(&["output_only"], "false").eq_ignore_ascii_case("true"),
        language: text(&["primary_language"], ""),
        score_type: text(&["score_type"], "").to_lowercase(),
        parameters: keys.read_subtasks(),
        total: keys.read_number(&["total_value"])?.map_or(100, |total| total as u64),
        has_italian_keys: keys.find(&["nome_breve", "nome"]).is_some(),
        inputs: keys.read_number(&["n_input"])?.map(|count| count as usize),
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
        let node = self.find(names)?;
        if node.value == YamlValue::Null { Some(String::new()) } else { scalar(node).map(str::to_owned) }
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
        let number = |node: &YamlNode| scalar(node)?.parse::<f64>().ok();
        let pair = |node: &YamlNode| match &node.value {
            YamlValue::List(pair) if pair.len() > 1 => {
                Some((number(&pair[0])? as u64, number(&pair[1])? as usize))
            }
            _ => None,
        };
        items.iter().map(pair).collect::<Option<Vec<_>>>().unwrap_or_default()
    }
}

fn scalar(node: &YamlNode) -> Option<&str> {
    match &node.value {
        YamlValue::Bare(text) | YamlValue::Text(text) => Some(text),
        YamlValue::Null | YamlValue::List(_) | YamlValue::Map(_) => None,
    }
}
