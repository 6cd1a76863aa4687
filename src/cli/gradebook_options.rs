//! `--gradebook`: the file from the platform that grades are written into.

use super::course_options::RULES;
use crate::{
    course::{Course, Deadline, GradebookFile, StandingGrades},
    package::missing_path,
};
use anyhow::{Result, bail};
use std::path::PathBuf;

/// Options for the gradebook.
#[derive(clap::Args)]
pub(super) struct GradebookOptions {
    /// Fill in a gradebook of Moodle or Canvas; with --out a copy
    #[arg(long, value_name = "CSV")]
    pub(super) gradebook: Option<PathBuf>,
    /// Replace the grades that the gradebook has
    #[arg(long)]
    overwrite_grades: bool,
    /// Gradebook column [default: by the platform]
    #[arg(long, hide_short_help = true, value_name = "TITLE")]
    column: Option<String>,
    /// Deadline [default: Moodle's]: `2026-05-01 23:59`
    #[arg(help_heading = RULES, long, value_name = "TIME")]
    pub(super) deadline: Option<Deadline>,
}

impl GradebookOptions {
    /// The gradebook of the course.
    pub(super) fn read(&self, course: &Course) -> Result<Option<GradebookFile>> {
        let Some(path) = course.gradebook.as_ref().map(|path| &path.value) else {
            let options =
                [(self.overwrite_grades, "--overwrite-grades"), (self.column.is_some(), "--column")];
            if let Some((_, option)) = options.iter().find(|(is_there, _)| *is_there) {
                bail!("{option} needs --gradebook, or `gradebook` in course.toml");
            }
            return Ok(None);
        };
        if path.symlink_metadata().is_err() {
            return Err(missing_path("read the gradebook", path));
        }
        let standing = if self.overwrite_grades { StandingGrades::Overwrite } else { StandingGrades::Keep };
        GradebookFile::read(path, self.column.as_deref(), standing, course).map(Some)
    }
}
