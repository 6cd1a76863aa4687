//! The folder of `--out`: the report in every format, and feedback files per participant.

use super::{
    csv_report,
    details::render_details,
    html::{ClassView, class_page, participant_pages},
    own_counterexample::beside_results,
    page::Page,
    phrases::{ChangeText, change_text},
    report_format::{ReportFormat, render},
    total_steps_text::total_steps,
    words::Words,
};
use kopek_base::wording::{one_line, wrap_behind};
use kopek_package::package::Audience;
use kopek_results::{OwnCounterexample, PackageReport, Report, RowReport, public_report};
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
    let several = report.packages.len() > 1;
    let mut folders = UsedNames::default();
    for (package, public) in report.packages.iter().zip(&public.packages) {
        let mut folder = PathBuf::from("feedback");
        if several {
            let name = folders.free_name(&package.name);
            files.push((
                PathBuf::from(format!("{name}.csv")),
                csv_report::render_package(package, None, &report.all_rules()),
            ));
            folder.push(name);
        }
        let mut names = UsedNames::default();
        for row in &public.rows {
            let name = names.free_name(&row.card.name);
            let own = report.counterexample_for(&package.name, &row.card.name);
            let page = Page { words: Words(report.language), ..Page::default() };
            let mut rules = report.rules_for([row]);
            rules.extend(report.sheet.iter().flat_map(|sheet| total_steps(sheet, &row.card.name)));
            let rules = rules.iter().map(|rule| page.words.say(&one_line(rule)));
            let rules: Vec<String> = changes_of(report, package, row).into_iter().chain(rules).collect();
            let text = feedback_text(&rules, public, row, own, page);
            files.push((folder.join(format!("{name}.txt")), text));
        }
    }
    files
}

/// Points of the earlier report and of this one, and why, if the participant may see it.
fn changes_of(report: &Report, package: &PackageReport, row: &RowReport) -> Vec<String> {
    let changes = report.since.iter().flat_map(|since| since.of(&row.card.name));
    let own = changes.filter(|change| change.package.as_ref().is_none_or(|own| *own == package.name));
    let line = |change| {
        let ChangeText { title, points, why } = change_text(report, change);
        format!("{title}: {points}. {why}")
    };
    own.map(line).collect()
}

/// The feedback for a participant. The package is as participants may see it.
fn feedback_text(
    rules: &[String],
    package: &PackageReport,
    row: &RowReport,
    own: Option<OwnCounterexample>,
    page: Page,
) -> String {
    let mut text = render_details(package, row, Audience::Everyone, page);
    if let Some(document) = own.and_then(|own| beside_results(own, row, page.words)) {
        text += &format!("\n{}", document.to_text(page));
    }
    let rules = rules.iter().map(|rule| wrap_behind("*  ", rule, page.width).join("\n") + "\n");
    let rules: String = rules.collect();
    if rules.is_empty() { text } else { format!("{text}\n{rules}") }
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
