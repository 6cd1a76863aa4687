//! The result in formats for other programs: JUnit, annotations of GitHub, and lines for editors.

use crate::{
    finding_line,
    github_report::{annotation, place_property},
    junit::{Suite, TestCase, TestEnd, suites_xml},
};
use kopek_base::wording::one_line;
use kopek_package::package::{Level, Message, Place, Subject};
use kopek_results::{Remark, Verified};
use std::path::Path;

/// The file of a package that gets the remarks without a file.
const MANIFEST: &str = "problem.yaml";

/// A suite for each package: checks pass, the package's errors fail, and our own failures are errors.
pub fn render_verified_junit(all: &[Verified]) -> String {
    suites_xml("kopek verify", &all.iter().map(suite).collect::<Vec<_>>())
}

fn suite(verified: &Verified) -> Suite {
    let case = |name: &str, end: TestEnd| TestCase { name: name.to_owned(), end };
    let mut cases: Vec<TestCase> =
        verified.checks.iter().map(|check| case(&check.what, TestEnd::Passed)).collect();
    for remark in &verified.remarks {
        let Message { level, what, todo, .. } = &remark.finding;
        let text = with_todo(remark.finding.placed_text(), todo.as_deref());
        let end = match level {
            Level::Error => TestEnd::Failed { message: what.clone(), text },
            Level::Warning | Level::Note => TestEnd::Remarked(text),
        };
        let name = match remark.finding.place() {
            Some(place) => &place.to_string(),
            None => what,
        };
        cases.push(case(name, end));
    }
    for fault in &verified.faults {
        let end = TestEnd::Open { message: "not verified", text: fault.clone() };
        cases.push(case("verification", end));
    }
    Suite { name: verified.name.clone(), cases }
}

fn with_todo(text: String, todo: Option<&str>) -> String {
    match todo {
        Some(todo) => format!("{text}\n{todo}"),
        None => text,
    }
}

/// An annotation for each remark, at its file and line. `dir`: the package as given on the command line.
pub fn render_verified_github(dir: &Path, verified: &Verified) -> String {
    let mut text = String::new();
    for remark in &verified.remarks {
        let Message { level, what, todo, .. } = &remark.finding;
        let level = match level {
            Level::Error => "error",
            Level::Warning => "warning",
            Level::Note => "notice",
        };
        let place = remark.finding.place().map(|place| property_of_place(dir, place)).unwrap_or_default();
        text += &annotation(level, &place, &verified.name, &with_todo(what.clone(), todo.as_deref()));
    }
    for fault in &verified.faults {
        text += &annotation("error", "", &format!("{}: not verified", verified.name), fault);
    }
    text
}

/// A line `FILE:LINE:COLUMN: error: text` for each error and warning. `dir`: as in [`render_verified_github`].
pub fn render_verified_lines(dir: &Path, verified: &Verified) -> String {
    let remarks = verified.remarks.iter().filter(|remark| remark.finding.level != Level::Note);
    remarks.flat_map(remark_findings).map(|finding| placed_line(dir, finding)).collect()
}

/// A finding for each place of a remark.
fn remark_findings(Remark { finding, also, .. }: &Remark) -> Vec<Message> {
    let first = finding.place().cloned().unwrap_or_else(|| Place::new(MANIFEST, None));
    let place_of = |place: Place| Message::new(finding.level, one_line(&finding.what)).at(place);
    [&[first], &also[..]].concat().into_iter().map(place_of).collect()
}

/// For editors, places that are not files are mapped to `problem.yaml`.
fn placed_line(dir: &Path, mut finding: Message) -> String {
    if let Subject::Place(place) = &mut finding.about {
        let path = dir.join(&place.file);
        if path.is_file() {
            place.file = path;
        } else {
            finding.what = format!("{}: {}", place.file.display(), finding.what);
            *place = Place::new(dir.join(MANIFEST), None);
        }
    }
    finding_line(&finding)
}

fn property_of_place(dir: &Path, place: &Place) -> String {
    let path = dir.join(&place.file);
    // GitHub compares the path with paths in the repository.
    place_property(&path.strip_prefix(".").unwrap_or(&path).display().to_string(), place.line)
}
