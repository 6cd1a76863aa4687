//! The samples and figures that statements ask for.

use super::{
    remarks::{Level, Remark, Section},
    stated_points::StatementText,
    verification::Verification,
    verified::Verified,
};
use kopek_engine::package::Format;
use regex_lite::Regex;
use std::{path::Path, sync::LazyLock};

/// An image of Markdown, with its address.
static IMAGE: LazyLock<Regex> =
    LazyLock::new(|| Regex::new(r"!\[[^\]]*\]\(<?([^)>\s]+)").expect("a fixed pattern"));

/// Reports samples and figures that do not exist: pages leave them out.
pub(super) fn check_statement_parts(
    verification: &Verification,
    statements: &[StatementText],
    verified: &mut Verified,
) {
    // Legacy samples may be files without a case.
    if verification.package.format != Format::V2025_09 {
        return;
    }
    let sample = verification.tests.root.group_named("sample");
    let samples = sample.map_or(0, |sample| sample.cases().len());
    let dir = verification.package.dir.join("statement");
    for StatementText { file, text, .. } in statements {
        if let Some(line) = line_beyond(text, samples) {
            let what = format!("asks for sample {}, but the package has {samples}", samples + 1);
            let remark = Remark::new(Section::Package, Level::Error, what).at(format!("{file}:{line}"));
            verified.add(remark.todo("remove the command, or add a sample"));
        }
        for (line, name) in missing_figures(text, &dir).filter(|_| file.ends_with(".md")) {
            let what = format!("shows {name}, which is not in statement/");
            let remark = Remark::new(Section::Package, Level::Warning, what).at(format!("{file}:{line}"));
            verified.add(remark.todo("add the figure, or fix its name"));
        }
    }
}

/// The line of the first command for the next sample after the last sample.
fn line_beyond(text: &str, samples: usize) -> Option<usize> {
    let commands = |line: &str| line.matches("{{nextsample}}").count() + line.matches("\\nextsample").count();
    let lines = text.lines().enumerate();
    lines.flat_map(|(at, line)| std::iter::repeat_n(at + 1, commands(line))).nth(samples)
}

/// The figures beside a statement that do not exist, with their lines.
fn missing_figures<'t>(text: &'t str, dir: &Path) -> impl Iterator<Item = (usize, &'t str)> {
    let images = text.lines().enumerate().flat_map(|(at, line)| {
        IMAGE.captures_iter(line).filter_map(move |found| Some((at + 1, found.get(1)?.as_str())))
    });
    images.filter(move |(_, name)| !name.contains([':', '%', '#']) && !dir.join(name).exists())
}
