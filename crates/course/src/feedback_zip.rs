//! Feedback files for upload to a learning platform: one zip, with the platform's own file names.

use super::platforms::{FeedbackPath, platform_of};
use anyhow::{Context, Result};
use kopek_base::{files::write_atomic, wording::counted};
use kopek_class::HandInLayout;
use kopek_package::package::HandIn;
use kopek_results::Report;
use std::{
    collections::BTreeMap,
    fs,
    io::{Cursor, ErrorKind, Write},
    path::Path,
};
use zip::{CompressionMethod, DateTime, ZipWriter, write::SimpleFileOptions};

/// The name of a participant's file.
const FILE: &str = "feedback.html";

/// The path of a participant's file in the zip. `None`: without a number, the platform does not know whose file it is.
fn feedback_path(path_of: FeedbackPath, name: &str, hand_in: &HandIn) -> Option<String> {
    let id = hand_in.id.as_deref()?;
    // Reports add the number to the names of namesakes.
    Some(path_of(name.strip_suffix(&format!(" ({id})")).unwrap_or(name), id, FILE))
}

/// Writes feedback for the platform of the hand-ins as one zip into the directory of the report: a page per
/// participant, of these names and texts. Says what it wrote.
pub fn write_feedback(
    report: &Report,
    layout: HandInLayout,
    pages: Vec<(String, String)>,
    dir: &Path,
) -> Result<Vec<String>> {
    let lines = write_feedback_zip(report, layout, &pages, &dir.join(feedback_name("feedback", layout)))?;
    let mut lines: Vec<String> = lines.into_iter().collect();
    let mut changed = pages;
    changed.retain(|(name, _)| report.has_changed(name));
    let place = dir.join(feedback_name("changed", layout));
    if changed.is_empty() {
        // It would send the changes of an earlier run again.
        return match fs::remove_file(&place) {
            Err(error) if error.kind() != ErrorKind::NotFound => {
                Err(error).with_context(|| format!("remove {}", place.display()))
            }
            Ok(()) | Err(_) => Ok(lines),
        };
    }
    let pages = counted(changed.len(), "changed page");
    lines.push(format!("wrote {pages} into {}", dir.join("changed").display()));
    lines.extend(write_feedback_zip(report, layout, &changed, &place)?);
    Ok(lines)
}

fn feedback_name(what: &str, layout: HandInLayout) -> String {
    format!("{what}-for-{}.zip", layout.name())
}

/// Writes the pages of some participants, if the platform takes feedback.
fn write_feedback_zip(
    report: &Report,
    layout: HandInLayout,
    pages: &[(String, String)],
    place: &Path,
) -> Result<Option<String>> {
    let Some(path_of) = platform_of(layout).feedback_path else { return Ok(None) };
    let rows = report.packages.iter().flat_map(|package| &package.rows);
    let hand_ins: BTreeMap<&str, &HandIn> = rows.map(|row| (row.card.name.as_str(), &row.hand_in)).collect();
    let mut zip = ZipWriter::new(Cursor::new(Vec::new()));
    // No timestamp: equal feedback gives an equal zip.
    let options = SimpleFileOptions::default()
        .compression_method(CompressionMethod::Deflated)
        .last_modified_time(DateTime::default())
        .unix_permissions(0o644);
    let mut without = pages.len();
    for (name, page) in pages {
        let Some(path) = feedback_path(path_of, name, hand_ins[name.as_str()]) else { continue };
        zip.start_file(path, options)?;
        zip.write_all(page.as_bytes())?;
        without -= 1;
    }
    let (layout, place_text) = (layout.name(), place.display());
    if without == pages.len() {
        return Ok(Some(format!("no feedback files for {layout}: the participants' numbers are not known")));
    }
    write_atomic(place, &zip.finish()?.into_inner())?;
    let rest = if without == 0 { String::new() } else { format!("; {without} without a number left out") };
    Ok(Some(format!("wrote feedback files for {layout}: {place_text}{rest}")))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_are_named_as_the_platform_names_them() {
        let hand_in = HandIn { id: Some("17".into()), ..HandIn::default() };
        let path = |layout| feedback_path(platform_of(layout).feedback_path?, "Anna Smith (17)", &hand_in);
        assert_eq!(path(HandInLayout::Moodle).unwrap(), "Anna Smith_17_assignsubmission_file_/feedback.html");
        assert_eq!(path(HandInLayout::Canvas).unwrap(), "Anna Smith_17_feedback.html");
        assert_eq!(path(HandInLayout::Plain), None);
    }
}
