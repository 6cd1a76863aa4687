//! The result in formats for other programs: JUnit, annotations of GitHub, and lines for editors.

use crate::{
    finding_line,
    github_report::{annotation, place_property},
    junit::{Suite, TestCase, TestEnd, suites_xml},
};
use kopek_base::wording::one_line;
use kopek_lab::verify::{Level, Remark, Verified};
use kopek_results::{SourceFinding, compiler_findings};
use std::path::Path;

/// A suite for each package: checks pass, the package's errors fail, and our own failures are errors.
pub fn render_verified_junit(all: &[Verified]) -> String {
    suites_xml("kopek verify", &all.iter().map(suite).collect::<Vec<_>>())
}

fn suite(verified: &Verified) -> Suite {
    let case = |name: &str, end: TestEnd| TestCase { name: name.to_owned(), time: None, end };
    let mut cases: Vec<TestCase> =
        verified.checks.iter().map(|check| case(&check.what, TestEnd::Passed)).collect();
    for remark in &verified.remarks {
        let text = remark_text(remark);
        let end = match remark.level {
            Level::Error => TestEnd::Failed { message: remark.what.clone(), text },
            Level::Warning | Level::Note => TestEnd::Remarked(text),
        };
        cases.push(case(remark.at.as_deref().unwrap_or(&remark.what), end));
    }
    for fault in &verified.faults {
        let end = TestEnd::Open { message: "not verified", text: fault.clone() };
        cases.push(case("verification", end));
    }
    Suite { name: verified.name.clone(), class: verified.name.clone(), properties: Vec::new(), cases }
}

fn remark_text(remark: &Remark) -> String {
    let at = remark.at.as_ref().map(|at| format!("{at}: ")).unwrap_or_default();
    let todo = remark.todo.as_ref().map(|todo| format!("\n{todo}")).unwrap_or_default();
    format!("{at}{}{todo}", remark.what)
}

/// An annotation for each remark, at its file and line. `dir`: the package as given on the command line.
pub fn render_verified_github(dir: &Path, verified: &Verified) -> String {
    let mut text = String::new();
    for remark in &verified.remarks {
        let level = match remark.level {
            Level::Error => "error",
            Level::Warning => "warning",
            Level::Note => "notice",
        };
        let place = remark.at.as_deref().map(|at| file_and_line(dir, at)).unwrap_or_default();
        let todo = remark.todo.as_ref().map(|todo| format!("\n{todo}")).unwrap_or_default();
        text += &annotation(level, &place, &verified.name, &format!("{}{todo}", remark.what));
    }
    for fault in &verified.faults {
        text += &annotation("error", "", &format!("{}: not verified", verified.name), fault);
    }
    text
}

/// A line `FILE:LINE:COLUMN: error: text` for each error and warning. `dir`: as in [`render_verified_github`].
pub fn render_verified_lines(dir: &Path, verified: &Verified) -> String {
    let remarks = verified.remarks.iter().filter(|remark| remark.level != Level::Note);
    remarks.flat_map(|remark| remark_findings(remark).into_iter().map(|one| placed_line(dir, &one))).collect()
}

fn remark_findings(remark: &Remark) -> Vec<SourceFinding> {
    let places = remark.at.iter().chain(&remark.also).map(String::as_str);
    let places = if remark.at.is_none() { vec!["problem.yaml"] } else { places.collect() };
    let text = one_line(&remark.what);
    let finding = |at: &str| {
        let (file, line) = split_line(at);
        let line = line.and_then(|line| line.parse().ok()).unwrap_or(1);
        SourceFinding { file: file.to_owned(), line, column: None, level: remark.level, text: text.clone() }
    };
    let mut found: Vec<SourceFinding> = places.into_iter().map(finding).collect();
    // The compiler message has the line.
    let message = remark.what.split_once("does not compile: ").map(|(_, message)| message);
    if let Some(first) = message.and_then(|message| compiler_findings(message).into_iter().next()) {
        found[0] = SourceFinding { file: found[0].file.clone(), ..first };
    }
    found
}

/// For editors, places that are not files are mapped to `problem.yaml`.
fn placed_line(dir: &Path, finding: &SourceFinding) -> String {
    let path = dir.join(&finding.file);
    let named = |path: &Path| one_line(&path.display().to_string());
    if path.is_file() {
        return finding_line(&named(&path), finding);
    }
    let text = format!("{}: {}", finding.file, finding.text);
    finding_line(
        &named(&dir.join("problem.yaml")),
        &SourceFinding { line: 1, column: None, text, ..finding.clone() },
    )
}

/// Splits `submissions/wrong_answer/a.py:3` into path and line.
fn split_line(at: &str) -> (&str, Option<&str>) {
    match at.rsplit_once(':') {
        Some((file, line)) if line.parse::<u32>().is_ok() => (file, Some(line)),
        _ => (at, None),
    }
}

/// `submissions/wrong_answer/a.py:3` as properties.
fn file_and_line(dir: &Path, at: &str) -> String {
    let (file, line) = split_line(at);
    let path = dir.join(file);
    // GitHub compares the path with paths in the repository.
    place_property(&path.strip_prefix(".").unwrap_or(&path).display().to_string(), line)
}
