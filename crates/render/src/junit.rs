//! JUnit, as build systems read it: suites of test cases; one solution, or a class, with a test case per case.

use kopek_base::wording::{escape_markup, without_control_characters, xml_characters};
use kopek_package::{package::Audience, verdict::Verdict};
use kopek_plan::{plan::Trial, score::State};
use kopek_results::{CaseReport, PackageReport, Report, RowReport, decision_text, exit_text};
use std::time::Duration;

/// Test cases that a build system lists together.
pub(super) struct Suite {
    pub name: String,
    /// The class of all its cases.
    pub class: String,
    pub properties: Vec<(&'static str, String)>,
    pub cases: Vec<TestCase>,
}

pub(super) struct TestCase {
    pub name: String,
    pub time: Option<Duration>,
    pub end: TestEnd,
}

/// How a test case ended.
pub(super) enum TestEnd {
    Passed,
    Skipped,
    /// Passed, with a remark.
    Remarked(String),
    Failed {
        message: String,
        text: String,
    },
    /// Undecided, so not a failure.
    Open {
        message: &'static str,
        text: String,
    },
}

/// A file of several suites.
pub(super) fn suites_xml(name: &str, suites: &[Suite]) -> String {
    let suites: String = suites.iter().map(Suite::element).collect();
    format!("{XML_HEAD}<testsuites name=\"{}\">\n{suites}</testsuites>\n", escape_xml(name))
}

/// A file of one suite.
fn suite_xml(suite: &Suite) -> String {
    format!("{XML_HEAD}{}", suite.element())
}

const XML_HEAD: &str = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n";

impl Suite {
    fn element(&self) -> String {
        let count =
            |is_meant: fn(&TestEnd) -> bool| self.cases.iter().filter(|case| is_meant(&case.end)).count();
        let mut text = format!(
            "<testsuite name=\"{}\" tests=\"{}\" failures=\"{}\" errors=\"{}\" skipped=\"{}\">\n",
            escape_xml(&self.name),
            self.cases.len(),
            count(|end| matches!(end, TestEnd::Failed { .. })),
            count(|end| matches!(end, TestEnd::Open { .. })),
            count(|end| matches!(end, TestEnd::Skipped)),
        );
        if !self.properties.is_empty() {
            text += "  <properties>\n";
            for (name, value) in &self.properties {
                text += &format!("    <property name=\"{name}\" value=\"{}\"/>\n", escape_xml(value));
            }
            text += "  </properties>\n";
        }
        for case in &self.cases {
            text += &case.element(&self.class);
        }
        text + "</testsuite>\n"
    }
}

impl TestCase {
    fn element(&self, class: &str) -> String {
        let class = escape_xml(class);
        let name = escape_xml(&self.name);
        let time = match self.time {
            Some(time) => format!(" time=\"{:.3}\"", time.as_secs_f64()),
            None => String::new(),
        };
        let inside = match &self.end {
            TestEnd::Passed => String::new(),
            TestEnd::Skipped => "<skipped/>".to_owned(),
            TestEnd::Remarked(text) => format!("<system-out>{}</system-out>", escape_xml(text)),
            TestEnd::Failed { message, text } => body("failure", message, text),
            TestEnd::Open { message, text } => body("error", message, text),
        };
        let inside = if inside.is_empty() { inside } else { format!("\n    {inside}\n  ") };
        format!("  <testcase classname=\"{class}\" name=\"{name}\"{time}>{inside}</testcase>\n")
    }
}

fn body(element: &str, message: &str, text: &str) -> String {
    format!("<{element} message=\"{}\">{}</{element}>", escape_xml(message), escape_xml(text))
}

fn escape_xml(text: &str) -> String {
    escape_markup(&xml_characters(&without_control_characters(text)))
}

/// Renders a run. A case that was not judged is an error, never a pass.
pub fn render_run_junit(report: &Report, package: &PackageReport, row: &RowReport) -> String {
    let view =
        SuiteView { faults: &report.all_faults(), rules: &report.all_rules(), audience: Audience::Teacher };
    suite_xml(&view.suite(package, row))
}

/// Renders a class: a suite for each participant and package. Participants see it where they see the
/// results of a build, so the report is one as they may see it.
pub(super) fn render_class_junit(report: &Report) -> String {
    let mut suites = Vec::new();
    for package in &report.packages {
        let mut rows: Vec<&RowReport> = package.rows.iter().collect();
        rows.sort_by(|a, b| a.card.name.cmp(&b.card.name));
        for row in rows {
            // A fault belongs to one participant, whose row shows that it is unknown.
            let rules = &report.rules_for([row]);
            let view = SuiteView { faults: &[], rules, audience: Audience::Everyone };
            suites.push(view.suite(package, row));
        }
    }
    suites_xml("kopek", &suites)
}

struct SuiteView<'a> {
    faults: &'a [String],
    rules: &'a [String],
    audience: Audience,
}

impl SuiteView<'_> {
    fn suite(&self, package: &PackageReport, row: &RowReport) -> Suite {
        Suite {
            name: format!("{} on {}", row.card.name, package.name),
            class: package.name.clone(),
            properties: self.rules.iter().map(|rule| ("rule", rule.clone())).collect(),
            cases: self.test_cases(row),
        }
    }

    fn test_cases(&self, row: &RowReport) -> Vec<TestCase> {
        let mut cases: Vec<TestCase> = Vec::new();
        let refusal = match row.card.state {
            State::Decided(verdict @ (Verdict::CompileError | Verdict::NoProgram)) => Some(verdict),
            State::Decided(_) | State::Requires(_) | State::Unknown(_) => None,
        };
        match refusal {
            Some(verdict) => {
                let text = [row.notes.join("\n"), row.compile_message.clone()].join("\n");
                let end = TestEnd::Failed { message: verdict.to_string(), text: text.trim().to_owned() };
                cases.push(TestCase { name: "compilation".to_owned(), time: None, end });
            }
            None => cases.extend(row.cases.iter().map(|case| self.test_case(case))),
        }
        let mut open = self.faults.to_vec();
        if open.is_empty() && matches!(row.card.state, State::Unknown(_)) {
            open.push(row.card.state.to_string());
        }
        for text in open {
            let end = TestEnd::Open { message: "not judged", text };
            cases.push(TestCase { name: "judging".to_owned(), time: None, end });
        }
        cases
    }

    fn sees_data(&self, case: &CaseReport) -> bool {
        self.audience == Audience::Teacher || case.full_feedback
    }

    fn test_case(&self, case: &CaseReport) -> TestCase {
        // A program chooses its time by what it reads; a decision takes none.
        let timed = if self.sees_data(case) && case.decided.is_none() { case.trial.as_ref() } else { None };
        let decided = case.decided.as_ref().map(decision_text);
        let end = match (&case.trial, decided) {
            (None, _) => TestEnd::Skipped,
            (Some(trial), decided) if trial.verdict == Verdict::Accepted => match decided {
                Some(text) => TestEnd::Remarked(text),
                None => TestEnd::Passed,
            },
            (Some(trial), Some(text)) => TestEnd::Failed { message: trial.verdict.to_string(), text },
            (Some(trial), None) => {
                let text =
                    if self.sees_data(case) { failure_text(trial) } else { trial.team_message.clone() };
                TestEnd::Failed { message: trial.verdict.to_string(), text }
            }
        };
        TestCase { name: case.name.clone(), time: timed.map(|trial| trial.usage.cpu), end }
    }
}

fn failure_text(trial: &Trial) -> String {
    let difference = trial.difference.as_ref().map(|found| {
        let shown = |token: &Option<String>| token.clone().unwrap_or("nothing more".into());
        let expected = shown(&found.expected);
        let yours = shown(&found.found);
        format!("line {}, column {}: expected {expected}, found {yours}", found.line, found.column)
    });
    let parts = [
        Some(exit_text(&trial.exit)),
        difference,
        Some(trial.judge_message.clone()),
        Some(trial.team_message.clone()),
        Some(trial.stderr.clone()),
    ];
    let parts: Vec<String> = parts.into_iter().flatten().filter(|part| !part.trim().is_empty()).collect();
    parts.join("\n")
}
