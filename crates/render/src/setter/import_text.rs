//! The report of an import, for people.

use kopek_base::wording::{counted, shortened, wrap_text};
use kopek_exchange::import::{ForeignFormat, ImportResult, Imported, ImportedCourse, Loss};
use std::fmt::Write;

/// The report of a package or of many.
pub fn render_imported(imported: &Imported, width: usize) -> String {
    match imported {
        Imported::Package(imported) => render_report(imported, width),
        Imported::Course(course) => render_course(course, width),
    }
}

fn render_course(course: &ImportedCourse, width: usize) -> String {
    let ImportedCourse { target, packages, failed, rest } = course;
    let target = target.display();
    let exercises = counted(packages.len(), "exercise");
    let mut text = format!("imported {exercises} into {target}, listed in {target}/problems.yaml\n");
    for package in packages {
        let _ = writeln!(text, "  {}: {}", package_name(package), counts_of(package));
    }
    push_shared_points(packages, width, &mut text);
    if !rest.is_empty() {
        let _ = writeln!(text, "\nleft out, as they belong to no exercise");
        push_wrapped(&shortened(rest, 20, ", "), "  ", "  ", width, &mut text);
    }
    if !failed.is_empty() {
        let _ = writeln!(text, "\nnot imported");
    }
    for one in failed {
        push_wrapped(&format!("{}: {}", one.at, one.why), "  ", "    ", width, &mut text);
    }
    let _ = writeln!(text, "\nnext: kopek verify {target}");
    text
}

fn package_name(package: &ImportResult) -> String {
    package.target.file_name().unwrap_or_default().to_string_lossy().into_owned()
}

/// The points of all packages, each once, with the packages it concerns.
fn push_shared_points(packages: &[ImportResult], width: usize, text: &mut String) {
    for title in ["lost", "changed", "odd about the result"] {
        let mut shared: Vec<(Point, Vec<String>)> = Vec::new();
        for package in packages {
            for point in points_of(package).into_iter().filter(|point| point.title == title) {
                match shared.iter_mut().find(|(other, _)| *other == point) {
                    Some((_, names)) => names.push(package_name(package)),
                    None => shared.push((point, vec![package_name(package)])),
                }
            }
        }
        if !shared.is_empty() {
            let _ = writeln!(text, "\n{title}");
        }
        for (point, names) in shared {
            let about = if names.len() == packages.len() { "all".to_owned() } else { names.join(", ") };
            push_point(&Point { what: format!("{about}: {}", point.what), ..point }, width, text);
        }
    }
}

/// The report, wrapped at this width where words allow it.
pub fn render_report(imported: &ImportResult, width: usize) -> String {
    let mut text = String::new();
    let kind = match imported.kind {
        ForeignFormat::Polygon => "a Polygon package",
        ForeignFormat::Italian => "a task of the Italian format",
        ForeignFormat::Tps => "a task of TPS",
        ForeignFormat::TestFolder => "a folder of tests",
    };
    let target = imported.target.display();
    let _ = writeln!(text, "imported {kind} into {target}");
    push_summary(imported, width, &mut text);
    let _ = writeln!(text, "\nnext: kopek verify {target}");
    text
}

/// The contents of the package, its losses and changes.
fn push_summary(imported: &ImportResult, width: usize, text: &mut String) {
    let _ = writeln!(text, "  {}", counts_of(imported));
    let mut last = "";
    for point in points_of(imported) {
        if point.title != last {
            let _ = writeln!(text, "\n{}", point.title);
        }
        last = point.title;
        push_point(&point, width, text);
    }
    if imported.generated {
        let _ = writeln!(text, "\ntests are made by generators/generators.yaml when they are first needed");
    }
}

fn counts_of(imported: &ImportResult) -> String {
    let groups = match (imported.groups, &imported.max_score) {
        (0, _) => "no groups".to_owned(),
        (groups, None) => counted(groups, "group"),
        (groups, Some(points)) => format!("{} ({points} points)", counted(groups, "group")),
    };
    let (tests, solutions) = (counted(imported.tests, "test"), counted(imported.submissions, "solution"));
    format!("{tests}, {groups}, {solutions}")
}

/// A point of the report.
#[derive(PartialEq)]
struct Point {
    title: &'static str,
    what: String,
    instead: Option<String>,
}

/// The points in the order of their titles.
fn points_of(imported: &ImportResult) -> Vec<Point> {
    let mut points = Vec::new();
    for (loss, title) in [(Loss::Lost, "lost"), (Loss::Changed, "changed")] {
        let changes = imported.changes.iter().filter(|change| change.loss == loss);
        points.extend(changes.map(|change| Point {
            title,
            what: format!("{}: {}", change.at, change.what),
            instead: Some(change.instead.clone()),
        }));
    }
    for finding in &imported.findings {
        let what = format!("{}: {}: {}", finding.severity, finding.file.display(), finding.what);
        points.push(Point { title: "odd about the result", what, instead: finding.hint.clone() });
    }
    points
}

fn push_point(point: &Point, width: usize, text: &mut String) {
    push_wrapped(&point.what, "  ", "    ", width, text);
    if let Some(instead) = &point.instead {
        push_wrapped(&format!("→ {instead}"), "    ", "      ", width, text);
    }
}

fn push_wrapped(sentence: &str, first: &str, rest: &str, width: usize, text: &mut String) {
    for line in wrap_text(sentence, first, rest.len(), width) {
        let _ = writeln!(text, "{line}");
    }
}
