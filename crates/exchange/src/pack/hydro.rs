//! A zip of Hydro: flat test data, `config.yaml`, and a checker that gives points.

use super::{
    losses::Loss,
    own_grading::{OwnGroup, own_groups, whole_shares},
    own_words::whole_mib,
    pack_layout::PackLayout,
};
use anyhow::Result;
use kopek_engine::{
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

/// A group in Hydro.
struct HydroSubtask<'a> {
    id: usize,
    points: u64,
    /// `sum` or `min`.
    kind: &'static str,
    cases: &'a [usize],
    /// Numbers of earlier subtasks.
    requires: Vec<usize>,
}

impl PackLayout<'_> {
    pub fn add_hydro(&mut self) -> Result<()> {
        self.add_hydro_manifest();
        self.add_hydro_statements()?;
        self.add_attachments("additional_file")?;
        let cases = self.tests.cases.iter();
        for case in cases {
            let at = format!("testdata/{}", self.flat_name(case));
            self.add_copy(format!("{at}.in"), &case.input);
            self.add_copy(format!("{at}.out"), &case.answer);
        }
        let program = if self.package.kind.interactive { "interactor.cc" } else { "checker.cc" };
        let source = self.adapted_validator(ADAPTER)?;
        self.add_text(format!("testdata/{program}"), source);
        self.add_hydro_config(program);
        self.add_hydro_solutions();
        Ok(())
    }

    fn add_hydro_manifest(&mut self) {
        let mut keys = vec![
            ("pid", YamlNode::string(self.hydro_name())),
            ("title", YamlNode::quoted_string(&self.main_title())),
        ];
        if !self.package.about.keywords.is_empty() {
            keys.push(("tag", YamlNode::strings(&self.package.about.keywords)));
        }
        self.add_text("problem.yaml", emit_compact(YamlNode::map(keys)));
    }

    /// A name that begins with a letter, as Hydro requires.
    fn hydro_name(&self) -> String {
        let name = self.target_name();
        if name.starts_with(|first: char| first.is_ascii_alphabetic()) { name } else { format!("p{name}") }
    }

    fn add_hydro_config(&mut self, program: &str) {
        let limits = &self.package.limits;
        let time = limits.time.unwrap_or(Duration::from_secs(1));
        if limits.time.is_none() {
            self.report_loss(Loss::NoTimeLimit, "problem.yaml", &[]);
        }
        let memory = whole_mib(limits.memory);
        let (count, seconds) = (self.tests.cases.len(), time.as_secs_f64() * self.tests.cases.len() as f64);
        if count > CASES || seconds > SECONDS || memory > MEMORY {
            let what = format!("{count} cases, {seconds} s in all, {memory} MiB");
            self.report_loss(Loss::JudgeLimits, "problem.yaml", &[&what]);
        }
        let mut keys = vec![("time", YamlNode::string(format!("{}ms", time.as_millis())))];
        keys.push(("memory", YamlNode::string(format!("{memory}m"))));
        match self.package.kind.interactive {
            true => {
                keys.push(("type", YamlNode::string("interactive")));
                keys.push(("interactor", YamlNode::string(program)));
            }
            false => {
                keys.push(("type", YamlNode::string("default")));
                keys.push(("checker_type", YamlNode::string("lemon")));
                keys.push(("checker", YamlNode::string(program)));
            }
        }
        let subtasks = self.hydro_subtasks();
        keys.push(("subtasks", YamlNode::new(0, YamlValue::List(subtasks))));
        self.add_text("testdata/config.yaml", emit_compact(YamlNode::map(keys)));
    }

    /// The samples first, without points; then the groups, in whole points of 100.
    fn hydro_subtasks(&mut self) -> Vec<YamlNode> {
        let groups = own_groups(self.package, self.tests);
        let weights: Vec<u64> = groups.iter().map(|group| group.most).collect();
        let points = whole_shares(&weights, 100);
        let even = |(group, points): (&OwnGroup, &u64)| !group.sums || points % group.cases.len() as u64 == 0;
        if points != weights || !groups.iter().zip(&points).all(even) {
            let written: Vec<String> = points.iter().map(u64::to_string).collect();
            self.report_points(&groups, &written.join("+"));
        }
        let samples = self.sample_cases();
        let mut names: Vec<&str> = Vec::new();
        let mut subtasks = Vec::new();
        if !samples.is_empty() {
            names.push("sample");
            let sample =
                HydroSubtask { id: 1, points: 0, kind: "min", cases: &samples, requires: Vec::new() };
            subtasks.push(self.subtask_node(&sample));
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
            subtasks.push(self.subtask_node(&subtask));
            names.push(&group.name);
        }
        subtasks
    }

    fn subtask_node(&self, subtask: &HydroSubtask) -> YamlNode {
        let shares = whole_shares(&vec![1; subtask.cases.len()], subtask.points);
        let sums = subtask.kind == "sum";
        let case = |(at, &index): (usize, &usize)| {
            let name = self.flat_name(&self.tests.cases[index]);
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

    fn add_hydro_statements(&mut self) -> Result<()> {
        let statements = self.own_statements()?;
        let alone = statements.len() == 1;
        let mut figures = false;
        for statement in statements {
            let place = |ending: &str| match alone {
                true => format!("problem.{ending}"),
                false => format!("problem_{}.{ending}", statement.language.replace('-', "_")),
            };
            if let Some(markdown) = &statement.markdown {
                let text = self.with_links(markdown, "file://")?;
                self.add_text(place("md"), text);
                figures = true;
            } else if let Some(pdf) = &statement.pdf {
                let name = format!("problem-{}.pdf", statement.language);
                self.add_copy(format!("additional_file/{name}"), pdf);
                self.add_text(place("md"), format!("@[pdf](file://{name})\n"));
            } else {
                self.report_loss(Loss::StatementForm, "statement", &["PDF or Markdown"]);
            }
        }
        if figures { self.add_figures("additional_file") } else { Ok(()) }
    }

    fn add_hydro_solutions(&mut self) {
        let package = self.package;
        let table = LanguageTable::embedded();
        let mut left_out = false;
        let mut count = 0;
        for submission in &package.submissions {
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
                    self.add_copy(path, submission.source.root.join(file));
                }
                None => left_out = true,
            }
        }
        if left_out {
            self.report_loss(Loss::SubmissionForm, "submissions", &[]);
        }
    }
}
