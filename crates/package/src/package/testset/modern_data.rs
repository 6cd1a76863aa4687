//! `data/` of version 2025-09: samples, secret data with or without groups, and data for validators.

use super::{
    case_settings::CaseSettings,
    data_folder::{self, DataFolder},
    data_reader::DataReader,
    group_config::{self, GroupConfig, GroupPlace, Scoring, read_group_config},
    group_demands::{Requirements, check_groups},
    test_case::{Purpose, check_override_files, read_case},
    validation_data::validation_cases,
};
use crate::package::{
    Case, Format, Group, Member, Message, Package, TestSet, TestWorth, disk::Disk, nearest::nearest_word,
};
use kopek_base::natural_order;
use std::path::Path;

/// Directories below `data/`.
const KNOWN: &[&str] = &["sample", "secret", "invalid_input", "invalid_output", "valid_output"];

/// Reads all test data, without digests.
pub(super) fn test_set(package: &Package, disk: &Disk, findings: &mut Vec<Message>) -> TestSet {
    let data = data_folder::read_folder(disk, Format::V2025_09, Path::new("data"), findings);
    report_strays(&data, findings);
    let mut reader = DataReader { package, disk, cases: Vec::new(), findings };
    let top = read_group_config(&mut reader, &data, GroupPlace::Top, &CaseSettings::default()).settings;
    let mut members = Vec::new();
    let of = |name: &str| data.folders.iter().find(|folder| folder.name == name);
    if let Some(sample) = of("sample") {
        members.push(Member::Group(read_sample(&mut reader, sample, &top)));
    }
    let mut max = None;
    if let Some(secret) = of("secret") {
        let ReadGroup { group, scoring } = read_secret(&mut reader, secret, &top, of("sample").is_some());
        max = scoring.max_score;
        members.push(Member::Group(group));
    }
    let validation = validation_cases(&mut reader, &data, &top);
    let rule = group_config::of_root(package, max);
    TestSet {
        root: Group { name: String::new(), rule, members },
        own: None,
        cases: reader.cases,
        validation,
        worth: TestWorth::Points,
    }
}

fn report_strays(data: &DataFolder, findings: &mut Vec<Message>) {
    for folder in data.folders.iter().filter(|folder| !KNOWN.contains(&folder.name.as_str())) {
        let finding = Message::warning(&folder.path, "is ignored: not a directory of test data");
        findings.push(match nearest_word(&folder.name, KNOWN) {
            _ if folder.name == "bad" => finding
                .todo("move its cases to data/invalid_input, data/invalid_answer or data/invalid_output"),
            Some(near) => finding.todo(format!("did you mean {near}/?")),
            None => finding.todo(format!("one of: {}", KNOWN.join(", "))),
        });
    }
    for (_, item) in data.cases.values().flat_map(|files| files.all()) {
        let finding = Message::warning(&item.path, "is ignored: cases belong in data/sample or data/secret");
        findings.push(finding.todo("move it there"));
    }
}

fn read_sample(reader: &mut DataReader, folder: &DataFolder, top: &CaseSettings) -> Group {
    // The format's default for samples, which their test_group.yaml may override.
    let top = CaseSettings { full_feedback: true, ..top.clone() };
    let config = read_group_config(reader, folder, GroupPlace::Sample, &top);
    let members = all_cases(reader, folder, &config.settings, Purpose::Sample);
    Group { name: folder.name.clone(), rule: config.scoring.rule(), members }
}

/// A group, and its rule as it was read.
struct ReadGroup {
    group: Group,
    scoring: Scoring,
}

impl ReadGroup {
    fn new(folder: &DataFolder, scoring: Scoring, members: Vec<Member>) -> ReadGroup {
        ReadGroup {
            group: Group { name: folder.name.clone(), rule: scoring.clone().rule(), members },
            scoring,
        }
    }
}

#[expect(clippy::fn_params_excessive_bools, reason = "a fact about the package")]
fn read_secret(
    reader: &mut DataReader,
    folder: &DataFolder,
    top: &CaseSettings,
    sample_exists: bool,
) -> ReadGroup {
    let config = read_group_config(reader, folder, GroupPlace::Secret, top);
    // One file turns all directories into groups: in the format, `secret` has groups or cases, never both.
    let grouped = folder.folders.iter().any(|below| below.config.is_some());
    let mut groups = Vec::new();
    let mut members = Vec::new();
    if grouped {
        groups = read_groups(reader, folder, &config);
    } else {
        members = all_cases(reader, folder, &config.settings, Purpose::Secret);
    }
    let scorings: Vec<(&str, &Scoring)> =
        groups.iter().map(|read| (read.group.name.as_str(), &read.scoring)).collect();
    check_groups(reader.package, &config.scoring, &scorings, reader.findings);
    // After all groups are known: a reference to a later group gets a finding of its own.
    let mut resolve = |name: &str, scoring: &Scoring| {
        Requirements { name, scoring, groups: &scorings, sample_exists }.resolve(reader.findings)
    };
    let required: Vec<_> = scorings.iter().map(|(name, scoring)| resolve(name, scoring)).collect();
    let require_pass = resolve(&folder.name, &config.scoring);
    for (ReadGroup { group, scoring }, require_pass) in groups.into_iter().zip(required) {
        let rule = Scoring { require_pass, ..scoring }.rule();
        members.push(Member::Group(Group { rule, ..group }));
    }
    ReadGroup::new(folder, Scoring { require_pass, ..config.scoring }, members)
}

fn read_groups(reader: &mut DataReader, folder: &DataFolder, secret: &GroupConfig) -> Vec<ReadGroup> {
    beside_groups(reader, folder);
    warn_of_order(reader, folder);
    let mut groups = Vec::new();
    for below in &folder.folders {
        groups.extend(match &below.config {
            Some(_) => Some(read_group(reader, below, &secret.settings)),
            None => read_undeclared_group(reader, below, secret),
        });
    }
    groups
}

/// Warns that `g10` comes before `g2`.
fn warn_of_order(reader: &mut DataReader, folder: &DataFolder) {
    let mut names: Vec<&str> = folder.folders.iter().map(|below| below.name.as_str()).collect();
    names.sort_by(|a, b| natural_order(a, b));
    let out_of_order = names.windows(2).find(|pair| pair[0] > pair[1]);
    if let Some([earlier, later]) = out_of_order {
        let last = |name: &str| name.rsplit('/').next().unwrap_or(name).to_owned();
        let what = format!("groups are judged in text order: `{}` before `{}`", last(later), last(earlier));
        let finding = Message::warning(&folder.path, what);
        reader.findings.push(finding.todo("give their numbers the same length, as in `01` and `10`"));
    }
}

/// Reports cases beside groups.
fn beside_groups(reader: &mut DataReader, folder: &DataFolder) {
    for files in folder.cases.values() {
        let Some((_, item)) = files.all().find(|(ending, _)| *ending == "in").or_else(|| files.all().next())
        else {
            continue;
        };
        let finding = Message::error(&item.path, "is ignored: a case beside groups");
        reader.findings.push(finding.todo("move it into a group"));
    }
}

fn read_group(reader: &mut DataReader, folder: &DataFolder, above: &CaseSettings) -> ReadGroup {
    let GroupConfig { settings, scoring } = read_group_config(reader, folder, GroupPlace::Group, above);
    let members = all_cases(reader, folder, &settings, Purpose::Secret);
    if members.is_empty() && scoring.static_validation.is_none() {
        let finding = Message::error(&folder.path, "a group without cases");
        reader.findings.push(finding.todo("add a case, or remove its test_group.yaml"));
    }
    ReadGroup::new(folder, scoring, members)
}

/// Reads a directory beside groups that has no `test_group.yaml`. Without its cases a wrong program could
/// pass.
fn read_undeclared_group(
    reader: &mut DataReader,
    folder: &DataFolder,
    secret: &GroupConfig,
) -> Option<ReadGroup> {
    let cases = all_cases(reader, folder, &secret.settings, Purpose::Secret);
    let warn = |what: &str| Message::warning(&folder.path, what).todo("add a test_group.yaml to it");
    if cases.is_empty() {
        reader.findings.push(warn("is ignored: a directory without test_group.yaml and without cases"));
        return None;
    }
    let scoring = group_config::undeclared_scoring(reader.package, &folder.path, &secret.scoring);
    reader.findings.push(warn(match &scoring.max_score {
        Some(max) if max.is_zero() => {
            "a directory without test_group.yaml beside groups: read as a group without points"
        }
        Some(_) | None => "a directory without test_group.yaml beside groups: read as a group",
    }));
    Some(ReadGroup::new(folder, scoring, cases))
}

/// The cases of a directory and of plain directories below it, by name.
fn all_cases(
    reader: &mut DataReader,
    folder: &DataFolder,
    settings: &CaseSettings,
    purpose: Purpose,
) -> Vec<Member> {
    let mut found = Vec::new();
    gather_cases(reader, folder, settings, purpose, &mut found);
    // By the whole path: cases in plain directories mix with those beside them.
    found.sort_by(|a, b| a.name.cmp(&b.name));
    found.into_iter().map(|case| reader.append_case(case)).collect()
}

fn gather_cases(
    reader: &mut DataReader,
    folder: &DataFolder,
    settings: &CaseSettings,
    purpose: Purpose,
    found: &mut Vec<Case>,
) {
    for (stem, files) in &folder.cases {
        check_override_files(reader, files);
        found.extend(read_case(reader, folder, stem, settings, purpose));
    }
    for below in &folder.folders {
        let settings = nested_settings(reader, below, settings);
        gather_cases(reader, below, &settings, purpose, found);
    }
}

/// The settings of a nested directory. Groups are not nested, but arguments there are meant for the cases
/// below.
fn nested_settings(reader: &mut DataReader, folder: &DataFolder, above: &CaseSettings) -> CaseSettings {
    let Some(config) = &folder.config else { return above.clone() };
    let what = "groups are not allowed here: only the arguments are used";
    let finding = Message::warning(&config.path, what);
    reader.findings.push(finding.todo("groups are directories directly below data/secret/"));
    read_group_config(reader, folder, GroupPlace::Nested, above).settings
}
