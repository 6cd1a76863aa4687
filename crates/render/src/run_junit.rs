//! One solution, or a class, as JUnit: a test case per case.

use super::{
    junit::{Suite, TestCase, TestEnd, suite_xml, suites_xml},
    phrases::calibration_text,
};
use kopek_engine::{plan::Trial, score::State, verdict::Verdict};
use kopek_results::{Audience, CaseReport, PackageReport, Report, RowReport, decision_text, exit_text};

/// Renders a run. A case that was not judged is an error, never a pass.
pub fn render_run_junit(report: &Report, package: &PackageReport, row: &RowReport) -> String {
    let view =
        SuiteView { faults: &report.all_faults(), rules: &report.all_rules(), audience: Audience::Judge };
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
            let view = SuiteView { faults: &[], rules, audience: Audience::Participant };
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
        let mut properties: Vec<_> = self.rules.iter().map(|rule| ("rule", rule.clone())).collect();
        properties.extend(package.calibration.iter().map(|found| ("limits", calibration_text(found))));
        Suite {
            name: format!("{} on {}", row.card.name, package.name),
            class: package.name.clone(),
            properties,
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
        self.audience == Audience::Judge || case.full_feedback
    }

    fn test_case(&self, case: &CaseReport) -> TestCase {
        // A program chooses its time by what it reads; a decision takes none.
        let timed = case.trial.as_ref().filter(|_| self.sees_data(case) && case.decided.is_none());
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
