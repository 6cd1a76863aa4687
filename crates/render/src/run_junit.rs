//! One solution as a JUnit report: a test case per case, for the systems that read those.

use super::{
    phrases::{calibration_text, exit_text, long_state},
    remarks::Audience,
};
use kopek_base::wording::{escape_markup, without_control_characters};
use kopek_engine::{plan::Trial, score::State, verdict::Verdict};
use kopek_results::{CaseReport, PackageReport, Report, RowReport, decision_text};

/// Renders a run. A case that was not judged is an error, never a pass.
pub fn render_run_junit(report: &Report, package: &PackageReport, row: &RowReport) -> String {
    format!(
        "{XML_HEAD}{}",
        SuiteView { faults: &report.all_faults(), rules: &report.all_rules(), audience: Audience::Judge }
            .element(package, row)
    )
}

/// Renders a class: a suite for each participant and package. Participants see it where they see the
/// results of a build, so the report is one as they may see it.
pub(super) fn render_class_junit(report: &Report) -> String {
    let of_package = |package: &PackageReport| {
        let mut rows: Vec<&RowReport> = package.rows.iter().collect();
        rows.sort_by(|a, b| a.card.name.cmp(&b.card.name));
        // A fault belongs to one participant, whose row shows that it is unknown.
        let suite = |row| {
            let rules = &report.rules_for([row]);
            SuiteView { faults: &[], rules, audience: Audience::Participant }.element(package, row)
        };
        rows.into_iter().map(suite).collect::<String>()
    };
    let suites: String = report.packages.iter().map(of_package).collect();
    format!("{XML_HEAD}<testsuites name=\"kopek\">\n{suites}</testsuites>\n")
}

const XML_HEAD: &str = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n";

/// Context of all suites.
struct SuiteView<'a> {
    faults: &'a [String],
    rules: &'a [String],
    audience: Audience,
}

impl SuiteView<'_> {
    fn element(&self, package: &PackageReport, row: &RowReport) -> String {
        let cases = row.cases.iter().map(|case| self.case_element(package, case)).collect();
        suite_element(self, cases, package, row)
    }

    fn sees_data(&self, case: &CaseReport) -> bool {
        self.audience == Audience::Judge || case.full_feedback
    }

    fn case_element(&self, package: &PackageReport, case: &CaseReport) -> String {
        // A program chooses its time by what it reads; a decision takes none.
        let timed = case.trial.as_ref().filter(|_| self.sees_data(case) && case.decided.is_none());
        let head = CaseHead { name: &case.name, timed };
        let decided = case.decided.as_ref().map(decision_text);
        match &case.trial {
            None => format!("{}\n    <skipped/>\n  </testcase>\n", opening(package, head)),
            Some(trial) if trial.verdict == Verdict::Accepted => {
                let out =
                    decided.map(|text| format!("\n    <system-out>{}</system-out>\n  ", escape_xml(&text)));
                format!("{}{}</testcase>\n", opening(package, head), out.unwrap_or_default())
            }
            Some(trial) => {
                let own =
                    || if self.sees_data(case) { failure_text(trial) } else { trial.team_message.clone() };
                let text = decided.unwrap_or_else(own);
                with_body(package, head, "failure", &trial.verdict.to_string(), &text)
            }
        }
    }

    /// Rulings, and how the time limit was measured if it is not the package's.
    fn properties(&self, package: &PackageReport) -> String {
        let property = |name: &str, value: &str| {
            format!("    <property name=\"{name}\" value=\"{}\"/>\n", escape_xml(value))
        };
        let limits = package.calibration.iter().map(|found| property("limits", &calibration_text(found)));
        let all: String = self.rules.iter().map(|rule| property("rule", rule)).chain(limits).collect();
        if all.is_empty() { all } else { format!("  <properties>\n{all}  </properties>\n") }
    }
}

fn suite_element(
    view: &SuiteView,
    mut cases: Vec<String>,
    package: &PackageReport,
    row: &RowReport,
) -> String {
    let faults = view.faults;
    let verdict = match row.card.state {
        State::Decided(verdict @ (Verdict::CompileError | Verdict::NoProgram)) => Some(verdict.to_string()),
        State::Decided(_) | State::Requires(_) | State::Unknown(_) => None,
    };
    let refused = verdict.is_some();
    if let Some(verdict) = verdict {
        let text = [row.notes.join("\n"), row.compile_message.clone()].join("\n");
        let head = CaseHead { name: "compilation", timed: None };
        cases = vec![with_body(package, head, "failure", &verdict, text.trim())];
    }
    let judging = CaseHead { name: "judging", timed: None };
    for fault in faults {
        cases.push(with_body(package, judging, "error", "not judged", fault));
    }
    if !refused && faults.is_empty() && matches!(row.card.state, State::Unknown(_)) {
        cases.push(with_body(package, judging, "error", "not judged", &long_state(&row.card.state)));
    }
    let count = |mark: &str| cases.iter().filter(|case| case.contains(mark)).count();
    format!(
        "<testsuite name=\"{} on {}\" tests=\"{}\" failures=\"{}\" errors=\"{}\" skipped=\"{}\">\n{}{}</testsuite>\n",
        escape_xml(&row.card.name),
        escape_xml(&package.name),
        cases.len(),
        count("\n    <failure "),
        count("\n    <error "),
        count("\n    <skipped/>"),
        view.properties(package),
        cases.concat()
    )
}

fn failure_text(trial: &Trial) -> String {
    let difference = trial.difference.as_ref().map(|found| {
        let shown = |token: &Option<String>| token.clone().unwrap_or("nothing more".into());
        let (expected, yours) = (shown(&found.expected), shown(&found.found));
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

/// What a test case of the format is called, and the run whose time it shows.
#[derive(Clone, Copy)]
struct CaseHead<'a> {
    name: &'a str,
    timed: Option<&'a Trial>,
}

fn opening(package: &PackageReport, CaseHead { name, timed }: CaseHead) -> String {
    let time = timed.map(|trial| format!(" time=\"{:.3}\"", trial.usage.cpu.as_secs_f64()));
    let (class, name) = (escape_xml(&package.name), escape_xml(name));
    format!("  <testcase classname=\"{class}\" name=\"{name}\"{}>", time.unwrap_or_default())
}

fn with_body(package: &PackageReport, head: CaseHead, element: &str, message: &str, text: &str) -> String {
    let (message, text) = (escape_xml(message), escape_xml(text));
    format!(
        "{}\n    <{element} message=\"{message}\">{text}</{element}>\n  </testcase>\n",
        opening(package, head)
    )
}

/// XML knows no control characters at all, escaped or not.
pub fn escape_xml(text: &str) -> String {
    escape_markup(&without_control_characters(text))
}
