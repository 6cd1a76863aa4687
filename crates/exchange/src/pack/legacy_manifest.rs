//! `problem.yaml` of version legacy.

use super::{
    legacy_data::{shared_output_flags, writes_scores},
    losses::Loss,
    packed::{PackSource, Packed},
    target::Target,
};
use kopek_base::Bytes;
use kopek_package::package::{
    Judge,
    yaml::{YamlNode, emit},
};
use std::time::Duration;

const HEAD: &str = "# Packed by kopek from a package of version 2025-09: change that one, not this.\n";

pub fn add_problem_yaml(source: &PackSource, packed: &mut Packed) {
    let mut keys = vec![("problem_format_version", YamlNode::string("legacy"))];
    for (key, value) in about_keys(source) {
        keys.push((key, YamlNode::quoted_string(&value)));
    }
    keys.push(("type", YamlNode::string(type_words(source))));
    if let Judge::Programs { .. } = source.package.judge {
        keys.push(("validation", YamlNode::string(validation_words(source))));
    }
    if let Some(flags) = shared_output_flags(source.tests).filter(|flags| !flags.is_empty()) {
        keys.push(("validator_flags", YamlNode::quoted_string(&flags)));
    }
    if source.package.kind.scoring && source.target == Target::Kattis {
        keys.push(("grading", YamlNode::map([("show_test_data_groups", YamlNode::bare(true))])));
    }
    let limits = limit_keys(source).into_iter().map(|(key, value)| (key, YamlNode::bare(value)));
    keys.push(("limits", YamlNode::map(limits)));
    packed.add_text("problem.yaml", HEAD.to_owned() + &emit(&YamlNode::map(keys)));
    note_unsaid(source, packed);
}

fn about_keys(source: &PackSource) -> Vec<(&'static str, String)> {
    let about = &source.package.about;
    // Legacy separates keywords by spaces.
    let keywords: Vec<String> = about.keywords.iter().map(|word| word.replace(' ', "-")).collect();
    let authors = about.credits.get("authors").map(|names| names.join(", "));
    let all = [
        ("name", about.titles.get("en").or(about.titles.values().next()).cloned()),
        ("uuid", about.uuid.clone()),
        ("author", authors),
        ("source", about.source.first().cloned()),
        ("license", about.license.clone()),
        ("rights_owner", about.rights_owner.clone()),
        ("keywords", (!keywords.is_empty()).then(|| keywords.join(" "))),
    ];
    all.into_iter().filter_map(|(key, value)| Some((key, value?))).collect()
}

/// DOMjudge reads `validation` only if it is one of three phrases; these words hold the rest.
fn type_words(source: &PackSource) -> String {
    let kind = source.package.kind;
    let mut words = if kind.scoring { "scoring" } else { "pass-fail" }.to_owned();
    if source.target == Target::Domjudge && kind.interactive && (kind.multi_pass || writes_scores(source)) {
        words += if kind.multi_pass { " interactive multi-pass" } else { " interactive" };
    }
    words
}

fn validation_words(source: &PackSource) -> String {
    let kind = source.package.kind;
    let mut words = "custom".to_owned();
    for (word, holds) in [
        (" score", writes_scores(source)),
        (" interactive", kind.interactive),
        (" multi-pass", kind.multi_pass),
    ] {
        words += if holds { word } else { "" };
    }
    words
}

fn limit_keys(source: &PackSource) -> Vec<(&'static str, String)> {
    let limits = &source.package.limits;
    // Legacy counts in whole units, and a limit of 0 would leave nothing.
    let mib = |size: Bytes| (size.0 >> 20).max(1).to_string();
    let seconds = |time: Duration| time.as_secs().max(1).to_string();
    let mut all = vec![
        ("time_multiplier", limits.ac_to_time_limit.to_string()),
        ("time_safety_margin", limits.time_limit_to_tle.to_string()),
        ("memory", mib(limits.memory)),
        ("output", mib(limits.output)),
        ("code", (limits.code.0 >> 10).max(1).to_string()),
        ("compilation_time", seconds(limits.compilation_time)),
        ("compilation_memory", mib(limits.compilation_memory)),
        ("validation_time", seconds(limits.validation_time)),
        ("validation_memory", mib(limits.validation_memory)),
        ("validation_output", mib(limits.validation_output)),
    ];
    if source.package.kind.multi_pass {
        all.push(("validation_passes", limits.validation_passes.to_string()));
    }
    all
}

/// Settings of `problem.yaml` that legacy lacks.
fn note_unsaid(source: &PackSource, packed: &mut Packed) {
    let limits = &source.package.limits;
    if source.target == Target::Kattis
        && let Some(limit) = limits.time
    {
        let seconds = limit.as_secs_f64().to_string();
        packed.add_text(".timelimit", format!("{seconds}\n"));
        packed.report_loss(
            Loss::TimeLimit,
            "problem.yaml",
            &[&seconds, &limits.ac_to_time_limit.to_string()],
        );
    }
    if !source.package.allow_file_writing {
        packed.report_loss(Loss::FileWriting, "problem.yaml", &[]);
    }
}
