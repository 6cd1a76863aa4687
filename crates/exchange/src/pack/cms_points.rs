//! Subtasks and points for CMS: `gen/GEN` for kopek and for plain tasks, keys of `task.yaml` for the rest.

use super::{
    losses::Loss,
    own_grading::{OwnGroup, own_groups, report_points, sample_cases},
    packed::{PackSource, Packed},
};
use kopek_package::package::yaml::{YamlNode, YamlValue};

/// The tests in order, and the files that hold their points.
pub struct CmsTests {
    /// Indices into the test set.
    pub cases: Vec<usize>,
    /// `gen/GEN`.
    pub plan: String,
    /// Keys of `task.yaml`.
    pub keys: Vec<(&'static str, YamlNode)>,
    /// Samples that become attachments instead of tests.
    pub shown: Vec<usize>,
}

pub fn cms_tests(source: &PackSource, packed: &mut Packed) -> CmsTests {
    let groups = own_groups(source.package, source.tests);
    match groups.as_slice() {
        [only] if only.sums => cms_shares(source, only),
        _ => cms_subtasks(source, packed, &groups),
    }
}

/// Without subtasks all tests have equal shares.
fn cms_shares(source: &PackSource, group: &OwnGroup) -> CmsTests {
    let plan = (0..group.cases.len()).map(|at| format!("#COPY: input/input{at}.txt\n")).collect();
    CmsTests {
        cases: group.cases.clone(),
        plan,
        keys: vec![("total_value", YamlNode::bare(format!("{}.0", group.max)))],
        shown: sample_cases(source),
    }
}

/// The samples as a first subtask without points.
fn cms_subtasks(source: &PackSource, packed: &mut Packed, groups: &[OwnGroup]) -> CmsTests {
    let samples = sample_cases(source);
    let mut parts = Vec::new();
    if !samples.is_empty() {
        parts.push(OwnGroup {
            name: "sample".into(),
            max: 0,
            sums: false,
            cases: samples,
            requires: Vec::new(),
        });
    }
    parts.extend_from_slice(groups);
    let mut cases = Vec::new();
    let mut plan = String::new();
    for (at, part) in parts.iter().enumerate() {
        plan += &format!("#ST: {}\n#STNAME: {}\n", part.max, subtask_name(&part.name));
        let needs: Vec<String> = needed_parts(&parts, at).iter().map(|need| (need + 1).to_string()).collect();
        if !needs.is_empty() {
            plan += &format!("#STDEP: {}\n", needs.join(" "));
        }
        for &case in &part.cases {
            plan += &format!("#COPY: input/input{}.txt\n", cases.len());
            cases.push(case);
        }
    }
    let total: u64 = parts.iter().map(|part| part.max).sum();
    let mut keys = Vec::new();
    if total != 100 || parts.iter().any(|part| !part.requires.is_empty()) {
        keys = score_keys(&parts, cases.len());
    }
    if total != 100 {
        report_points(packed, groups, "");
    }
    for group in groups.iter().filter(|group| !group.requires.is_empty()) {
        packed.report_loss(Loss::RequirePass, format!("data/{}", group.name), &[&group.requires.join(", ")]);
    }
    CmsTests { cases, plan, keys, shown: Vec::new() }
}

fn subtask_name(name: &str) -> &str {
    name.strip_prefix("secret/").unwrap_or(name)
}

/// Earlier subtasks that a subtask requires.
fn needed_parts(parts: &[OwnGroup], at: usize) -> Vec<usize> {
    let is_needed = |other: &usize| parts[at].requires.contains(&parts[*other].name);
    (0..at).filter(is_needed).collect()
}

/// A subtask and all it requires, directly or not.
fn all_needed(parts: &[OwnGroup], at: usize) -> Vec<usize> {
    let mut all = vec![at];
    let mut next = 0;
    while let Some(&one) = all.get(next) {
        for need in needed_parts(parts, one) {
            if !all.contains(&need) {
                all.push(need);
            }
        }
        next += 1;
    }
    all.sort_unstable();
    all
}

/// Subtasks by the names of their tests, which may be in several.
fn score_keys(parts: &[OwnGroup], count: usize) -> Vec<(&'static str, YamlNode)> {
    let mut first = 0;
    let mut names: Vec<Vec<String>> = Vec::new();
    for part in parts {
        names.push((first..first + part.cases.len()).map(|test| format!("{test:03}")).collect());
        first += part.cases.len();
    }
    let subtask = |(at, part): (usize, &OwnGroup)| {
        let tests: Vec<&str> =
            all_needed(parts, at).into_iter().flat_map(|one| names[one].iter().map(String::as_str)).collect();
        let pair = vec![YamlNode::bare(part.max), YamlNode::quoted_string(&tests.join("|"))];
        YamlNode { flow: true, ..YamlNode::new(0, YamlValue::List(pair)) }
    };
    let subtasks = parts.iter().enumerate().map(subtask).collect();
    vec![
        ("n_input", YamlNode::bare(count)),
        ("score_type", YamlNode::string("GroupMin")),
        ("score_type_parameters", YamlNode::new(0, YamlValue::List(subtasks))),
    ]
}
