//! A zip of Hydro: flat test data, `config.yaml`, and a checker that gives points.

use super::{
    general_losses::report_general_losses,
    losses::Loss,
    own_grading::{OwnGroup, flat_name, own_groups, report_points, sample_cases, whole_shares},
    own_statements::{add_figures, own_statements, whole_mib, with_links},
    own_validator::adapted_validator,
    packed::{PackSource, Packed},
    statement_page::title_in,
};
use anyhow::Result;
use kopek_package::{
    language::LanguageTable,
    package::yaml::{YamlNode, YamlValue, emit_compact},
};
use std::time::Duration;

const ADAPTER: &str = include_str!("adapters/hydro.cpp");
/// The number of solutions that an import submits.
const SOLUTIONS: usize = 5;
/// Default limits of its judge.
const CASES: usize = 100;
const SECONDS: f64 = 60.0;
const MEMORY: u64 = 512;

struct HydroSubtask<'a> {
    id: usize,
    points: u64,
    /// `sum` or `min`.
    kind: &'static str,
    cases: &'a [usize],
    /// Numbers of earlier subtasks.
    requires: Vec<usize>,
}

pub fn pack_for_hydro(source: &PackSource) -> Result<Packed> {
    let mut packed = Packed::new(source.target);
    report_general_losses(source, &mut packed)?;
    add_hydro_manifest(source, &mut packed);
    add_hydro_statements(source, &mut packed)?;
    packed.add_attachments(source, "additional_file")?;
    for case in &source.tests.cases {
        let at = format!("testdata/{}", flat_name(source, case));
        packed.add_copy(format!("{at}.in"), &case.input);
        packed.add_copy(format!("{at}.out"), &case.answer);
    }
    let program = if source.package.kind.interactive { "interactor.cc" } else { "checker.cc" };
    packed.add_adapter(format!("testdata/{program}"), adapted_validator(source, ADAPTER)?);
    add_hydro_config(source, &mut packed, program);
    add_hydro_solutions(source, &mut packed);
    Ok(packed)
}

fn add_hydro_manifest(source: &PackSource, packed: &mut Packed) {
    let mut keys = vec![
        ("pid", YamlNode::string(hydro_name(source))),
        ("title", YamlNode::quoted_string(&title_in(source.package, "en"))),
    ];
    if !source.package.about.keywords.is_empty() {
        keys.push(("tag", YamlNode::strings(&source.package.about.keywords)));
    }
    packed.add_text("problem.yaml", emit_compact(YamlNode::map(keys)));
}

/// A name that begins with a letter, as Hydro requires.
fn hydro_name(source: &PackSource) -> String {
    let name = source.target_name();
    if name.starts_with(|first: char| first.is_ascii_alphabetic()) { name } else { format!("p{name}") }
}

fn add_hydro_config(source: &PackSource, packed: &mut Packed, program: &str) {
    let limits = &source.package.limits;
    let time = limits.time.unwrap_or(Duration::from_secs(1));
    if limits.time.is_none() {
        packed.report_loss(Loss::NoTimeLimit, "problem.yaml", &[]);
    }
    let memory = whole_mib(limits.memory);
    let count = source.tests.cases.len();
    let seconds = time.as_secs_f64() * count as f64;
    if count > CASES || seconds > SECONDS || memory > MEMORY {
        let what = format!("{count} cases, {seconds} s in all, {memory} MiB");
        packed.report_loss(Loss::JudgeLimits, "problem.yaml", &[&what]);
    }
    let mut keys = vec![("time", YamlNode::string(format!("{}ms", time.as_millis())))];
    keys.push(("memory", YamlNode::string(format!("{memory}m"))));
    if source.package.kind.interactive {
        keys.push(("type", YamlNode::string("interactive")));
        keys.push(("interactor", YamlNode::string(program)));
    } else {
        keys.push(("type", YamlNode::string("default")));
        keys.push(("checker_type", YamlNode::string("lemon")));
        keys.push(("checker", YamlNode::string(program)));
    }
    let subtasks = hydro_subtasks(source, packed);
    keys.push(("subtasks", YamlNode::new(0, YamlValue::List(subtasks))));
    packed.add_text("testdata/config.yaml", emit_compact(YamlNode::map(keys)));
}

/// The samples first, without points; then the groups, in whole points of 100.
fn hydro_subtasks(source: &PackSource, packed: &mut Packed) -> Vec<YamlNode> {
    let groups = own_groups(source.package, source.tests);
    let weights: Vec<u64> = groups.iter().map(|group| group.max).collect();
    let points = whole_shares(&weights, 100);
    let even = |(group, points): (&OwnGroup, &u64)| !group.sums || points % group.cases.len() as u64 == 0;
    if points != weights || !groups.iter().zip(&points).all(even) {
        let written: Vec<String> = points.iter().map(u64::to_string).collect();
        report_points(packed, &groups, &written.join("+"));
    }
    let samples = sample_cases(source);
    let mut names: Vec<&str> = Vec::new();
    let mut subtasks = Vec::new();
    if !samples.is_empty() {
        names.push("sample");
        let sample = HydroSubtask { id: 1, points: 0, kind: "min", cases: &samples, requires: Vec::new() };
        subtasks.push(subtask_node(source, &sample));
    }
    for (group, points) in groups.iter().zip(points) {
        let number = |name: &String| names.iter().position(|own| own == name).map(|at| at + 1);
        let subtask = HydroSubtask {
            id: names.len() + 1,
            points,
            kind: if group.sums { "sum" } else { "min" },
            cases: &group.cases,
            requires: group.requires.iter().filter_map(number).collect(),
        };
        subtasks.push(subtask_node(source, &subtask));
        names.push(&group.name);
    }
    subtasks
}

fn subtask_node(source: &PackSource, subtask: &HydroSubtask) -> YamlNode {
    let shares = whole_shares(&vec![1; subtask.cases.len()], subtask.points);
    let sums = subtask.kind == "sum";
    let case = |(at, &index): (usize, &usize)| {
        let name = flat_name(source, &source.tests.cases[index]);
        let mut keys = vec![
            ("input", YamlNode::string(format!("{name}.in"))),
            ("output", YamlNode::string(format!("{name}.out"))),
        ];
        keys.extend(sums.then(|| ("score", YamlNode::bare(shares[at]))));
        YamlNode { flow: true, ..YamlNode::map(keys) }
    };
    let mut keys = vec![
        ("id", YamlNode::bare(subtask.id)),
        ("score", YamlNode::bare(subtask.points)),
        ("type", YamlNode::string(subtask.kind)),
    ];
    if !subtask.requires.is_empty() {
        let list = subtask.requires.iter().map(YamlNode::bare).collect();
        keys.push(("if", YamlNode { flow: true, ..YamlNode::new(0, YamlValue::List(list)) }));
    }
    let cases = subtask.cases.iter().enumerate().map(case).collect();
    keys.push(("cases", YamlNode::new(0, YamlValue::List(cases))));
    YamlNode::map(keys)
}

fn add_hydro_statements(source: &PackSource, packed: &mut Packed) -> Result<()> {
    let statements = own_statements(source)?;
    let alone = statements.len() == 1;
    let mut figures = false;
    for statement in statements {
        let language =
            if alone { String::new() } else { format!("_{}", statement.language.replace('-', "_")) };
        let place = |ending: &str| format!("problem{language}.{ending}");
        if let Some(markdown) = &statement.markdown {
            let text = with_links(source, markdown, "file://")?;
            packed.add_text(place("md"), text);
            figures = true;
        } else if let Some(pdf) = &statement.pdf {
            let name = format!("problem-{}.pdf", statement.language);
            packed.add_copy(format!("additional_file/{name}"), pdf);
            packed.add_text(place("md"), format!("@[pdf](file://{name})\n"));
        } else {
            packed.report_loss(Loss::StatementForm, "statement", &["PDF or Markdown"]);
        }
    }
    if figures { add_figures(source, packed, "additional_file") } else { Ok(()) }
}

fn add_hydro_solutions(source: &PackSource, packed: &mut Packed) {
    let table = LanguageTable::embedded();
    let mut left_out = false;
    let mut count = 0;
    for submission in &source.package.submissions {
        let [file] = submission.source.files.as_slice() else {
            left_out = true;
            continue;
        };
        let name = file.to_string_lossy();
        let row = table.languages().iter().find(|row| row.is_named_by(&name));
        let language = row.and_then(|row| row.hydro.as_ref());
        match language.filter(|_| submission.name.starts_with("accepted/") && count < SOLUTIONS) {
            Some(language) => {
                count += 1;
                let stem = file.file_stem().unwrap_or_default().to_string_lossy().replace('.', "-");
                let path = format!("std/{stem}-{count}.{language}");
                packed.add_copy(path, submission.source.root.join(file));
            }
            None => left_out = true,
        }
    }
    if left_out {
        packed.report_loss(Loss::SubmissionForm, "submissions", &[]);
    }
}
