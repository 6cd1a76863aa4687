//! Feedback files for upload to a learning platform: one zip, with the platform's own file names.

use super::HandInLayout;
use anyhow::Result;
use kopek_package::package::HandIn;
use std::io::{Cursor, Write};
use zip::{CompressionMethod, DateTime, ZipWriter, write::SimpleFileOptions};

pub struct FeedbackFile<'a> {
    /// The participant's name in reports.
    pub name: &'a str,
    /// The hand-in, with the platform's number.
    pub hand_in: &'a HandIn,
    /// `feedback.html`.
    pub file: &'a str,
    pub contents: &'a str,
}

/// The bytes of the zip; `None` if the layout's platform does not take feedback files.
pub fn feedback_zip(layout: HandInLayout, files: &[FeedbackFile]) -> Result<Option<Vec<u8>>> {
    if !layout.takes_feedback() {
        return Ok(None);
    }
    let mut zip = ZipWriter::new(Cursor::new(Vec::new()));
    for file in files {
        // Without a number, the platform does not know whose file it is.
        let Some(path) = feedback_path(layout, file) else { continue };
        // No timestamp: equal feedback gives an equal zip.
        let options = SimpleFileOptions::default()
            .compression_method(CompressionMethod::Deflated)
            .last_modified_time(DateTime::default())
            .unix_permissions(0o644);
        zip.start_file(path, options)?;
        zip.write_all(file.contents.as_bytes())?;
    }
    Ok(Some(zip.finish()?.into_inner()))
}

fn feedback_path(layout: HandInLayout, file: &FeedbackFile) -> Option<String> {
    let id = file.hand_in.id.as_deref()?;
    // Reports add the number to the names of namesakes.
    let name = file.name.strip_suffix(&format!(" ({id})")).unwrap_or(file.name);
    match layout {
        // The importer looks for the number and for `file` between underscores.
        HandInLayout::Moodle => Some(format!("{name}_{id}_assignsubmission_file_/{}", file.file)),
        HandInLayout::Canvas => Some(format!("{name}_{id}_{}", file.file)),
        HandInLayout::Plain | HandInLayout::Gradescope | HandInLayout::Repositories => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_are_named_as_the_platform_names_them() {
        let hand_in = HandIn { id: Some("17".into()), ..HandIn::default() };
        let file =
            FeedbackFile { name: "Anna Smith (17)", hand_in: &hand_in, file: "feedback.html", contents: "x" };
        let path = |layout| feedback_path(layout, &file);
        assert_eq!(path(HandInLayout::Moodle).unwrap(), "Anna Smith_17_assignsubmission_file_/feedback.html");
        assert_eq!(path(HandInLayout::Canvas).unwrap(), "Anna Smith_17_feedback.html");
        assert_eq!(path(HandInLayout::Plain), None);
    }
}
