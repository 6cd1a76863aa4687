//! A folder to keep: the report in every format, and a file per participant to hand back.

use super::{Format, Page, Reader, Report, csv, details, render};
use std::{collections::BTreeSet, path::PathBuf};

/// Paths below the folder, and what goes into them.
pub fn files(report: &Report) -> Vec<(PathBuf, String)> {
    let page = Page::default();
    let mut files: Vec<(PathBuf, String)> =
        [("report.txt", Format::Text), ("report.json", Format::Json), ("report.csv", Format::Csv)]
            .map(|(name, format)| (PathBuf::from(name), render(report, format, page)))
            .into();
    let several = report.packages.len() > 1;
    let mut folders = Taken::default();
    for package in &report.packages {
        let mut folder = PathBuf::from("feedback");
        if several {
            let name = folders.free(&package.name);
            files.push((PathBuf::from(format!("{name}.csv")), csv::package(package)));
            folder.push(name);
        }
        let mut names = Taken::default();
        for row in &package.rows {
            let name = names.free(&row.card.name);
            let text = details(package, row, Reader::Participant, page);
            files.push((folder.join(format!("{name}.txt")), text));
        }
    }
    files
}

/// File names that are taken, without regard to case: not every file system has any.
#[derive(Default)]
struct Taken(BTreeSet<String>);

impl Taken {
    /// A name like this that is a single, visible, harmless file name of its own.
    fn free(&mut self, name: &str) -> String {
        let harmless = |c: char| if c.is_alphanumeric() || "-_.+ ".contains(c) { c } else { '_' };
        let plain: String = name.chars().map(harmless).take(60).collect();
        let plain = plain.trim_matches(['.', ' ']);
        let plain =
            if plain.is_empty() || plain == "report" { "_".to_owned() + plain } else { plain.to_owned() };
        let mut candidates = std::iter::once(plain.clone()).chain((2..).map(|n| format!("{plain}-{n}")));
        let free = candidates.find(|name| self.0.insert(name.to_lowercase()));
        free.expect("there are more numbers than names")
    }
}
