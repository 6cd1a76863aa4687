//! The folder of `--out`: the report in every format, and a page for each participant.

use super::{
    csv_report,
    html::{ClassView, class_page, participant_pages},
    page::Page,
    report_format::{ReportFormat, render},
};
use kopek_results::{Report, public_report};
use std::{
    collections::BTreeSet,
    path::{Path, PathBuf},
};

/// Paths below the folder, and the contents of the files.
pub fn report_files(report: &Report) -> Vec<(PathBuf, String)> {
    let page = Page::default();
    let mut files: Vec<(PathBuf, String)> = [
        ("report.txt", ReportFormat::Text),
        ("report.json", ReportFormat::Json),
        ("report.csv", ReportFormat::Csv),
    ]
    .map(|(name, format)| (PathBuf::from(name), render(report, format, page)))
    .into();
    let changes = report.since.iter().map(csv_report::render_changes);
    files.extend(changes.map(|text| (PathBuf::from("changes.csv"), text)));
    let public = public_report(report);
    let pages = named_pages(&public);
    let links = pages.iter().map(|(name, path, _)| (name.clone(), link_to(path))).collect();
    let view = ClassView { pages: Some(&links) };
    files.push((PathBuf::from("index.html"), class_page(report, view)));
    for (name, path, text) in &pages {
        let file = path.file_name().filter(|_| public.has_changed(name));
        files.extend(file.map(|file| (Path::new("changed").join(file), text.clone())));
    }
    files.extend(pages.into_iter().map(|(_, path, text)| (path, text)));
    if report.packages.len() > 1 {
        let mut names = UsedNames::default();
        for package in &report.packages {
            let name = names.free_name(&package.name);
            let text = csv_report::render_package(package, None, &report.all_rules());
            files.push((PathBuf::from(format!("{name}.csv")), text));
        }
    }
    files
}

/// Every participant's name, and the page's path and text.
fn named_pages(report: &Report) -> Vec<(String, PathBuf, String)> {
    let mut names = UsedNames::default();
    let place = |name: &str, names: &mut UsedNames| {
        PathBuf::from("pages").join(format!("{}.html", names.free_name(name)))
    };
    participant_pages(report)
        .into_iter()
        .map(|(name, text)| (place(&name, &mut names), name, text))
        .map(|(path, name, text)| (name, path, text))
        .collect()
}

/// A path of plain names as an address.
fn link_to(path: &Path) -> String {
    path.to_string_lossy().replace(' ', "%20").replace('+', "%2B")
}

/// File names in use, in lower case: for some file systems `Ada` and `ada` are one file.
#[derive(Default)]
struct UsedNames(BTreeSet<String>);

impl UsedNames {
    /// A file name like this one that is unused, visible, and no path.
    fn free_name(&mut self, name: &str) -> String {
        let allowed = |c: char| if c.is_alphanumeric() || "-_.+ ".contains(c) { c } else { '_' };
        // 60 letters of up to four bytes are within the 255 bytes that file systems allow.
        let plain: String = name.chars().map(allowed).take(60).collect();
        let plain = plain.trim_matches(['.', ' ']);
        // A package named `report` would overwrite report.csv, and `changes` that of the changes.
        let plain = if plain.is_empty() || ["report", "changes"].contains(&plain) {
            "_".to_owned() + plain
        } else {
            plain.to_owned()
        };
        let mut candidates = std::iter::once(plain.clone()).chain((2..).map(|n| format!("{plain}-{n}")));
        let free = candidates.find(|name| self.0.insert(name.to_lowercase()));
        free.expect("there are more numbers than names")
    }
}
