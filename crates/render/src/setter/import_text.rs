//! The report of an import, for people.

use crate::Document;
use kopek_base::wording::{counted, shortened};
use kopek_exchange::import::{ForeignFormat, ImportResult, Imported, ImportedCourse, Loss};

/// The report of a package or of many.
pub fn import_document(imported: &Imported) -> Document<'static> {
    let mut document = Document::default();
    let target = match imported {
        Imported::Package(imported) => {
            add_package(&mut document, imported);
            &imported.target
        }
        Imported::Course(course) => {
            add_course(&mut document, course);
            &course.target
        }
    };
    document.gap();
    document.line(&format!("next: kopek verify {}", target.display()));
    document
}

fn add_course(document: &mut Document, course: &ImportedCourse) {
    let ImportedCourse { target, packages, failed, rest } = course;
    let target = target.display();
    let exercises = counted(packages.len(), "exercise");
    document.line(&format!("imported {exercises} into {target}, listed in {target}/problems.yaml"));
    for package in packages {
        document.line(&format!("  {}: {}", package_name(package), counts_of(package)));
    }
    add_shared_points(document, packages);
    if !rest.is_empty() {
        add_heading(document, "left out, as they belong to no exercise");
        document.item("  ", &shortened(rest, 20, ", "));
    }
    if !failed.is_empty() {
        add_heading(document, "not imported");
    }
    for one in failed {
        document.hanging_item("  ", 4, &format!("{}: {}", one.at, one.why));
    }
}

fn add_heading(document: &mut Document, heading: &str) {
    document.gap();
    document.line(heading);
}

fn package_name(package: &ImportResult) -> String {
    package.target.file_name().unwrap_or_default().to_string_lossy().into_owned()
}

/// The points of all packages, each once, with the packages it concerns.
fn add_shared_points(document: &mut Document, packages: &[ImportResult]) {
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
            add_heading(document, title);
        }
        for (point, names) in shared {
            let about = if names.len() == packages.len() { "all".to_owned() } else { names.join(", ") };
            add_point(document, &Point { what: format!("{about}: {}", point.what), ..point });
        }
    }
}

/// The contents of the package, its losses and changes.
fn add_package(document: &mut Document, imported: &ImportResult) {
    let kind = match imported.kind {
        ForeignFormat::Polygon => "a Polygon package",
        ForeignFormat::Italian => "a task of the Italian format",
        ForeignFormat::TestFolder => "a folder of tests",
    };
    document.line(&format!("imported {kind} into {}", imported.target.display()));
    document.line(&format!("  {}", counts_of(imported)));
    let mut last = "";
    for point in points_of(imported) {
        if point.title != last {
            add_heading(document, point.title);
        }
        last = point.title;
        add_point(document, &point);
    }
    if imported.generated {
        add_heading(document, "tests are made by generators/generators.yaml when they are first needed");
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
        let what = format!("{}: {}", finding.level, finding.placed_text());
        points.push(Point { title: "odd about the result", what, instead: finding.todo.clone() });
    }
    points
}

fn add_point(document: &mut Document, point: &Point) {
    document.hanging_item("  ", 4, &point.what);
    if let Some(instead) = &point.instead {
        document.item("    → ", instead);
    }
}
