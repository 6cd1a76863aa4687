//! The course that the arguments of `kopek grade` name.

use super::{named_packages::check_order, terminal_output::print_message};
use crate::course::Course;
use anyhow::{Result, bail};
use std::path::{Path, PathBuf};

/// The name of the file in the current folder.
pub(super) const COURSE_FILE: &str = "course.toml";

/// The course: the file that the paths name, or that is in the current folder. Without a file, the paths are the
/// packages and the hand-ins.
pub(super) fn read_course(paths: &[PathBuf]) -> Result<Course> {
    Ok(match find_file(paths)? {
        Some(file) => Course::read(&file)?,
        None => Course::of_paths(paths),
    })
}

fn find_file(paths: &[PathBuf]) -> Result<Option<PathBuf>> {
    let is_file = |path: &PathBuf| path.extension().is_some_and(|ending| ending == "toml");
    Ok(Some(match paths {
        [] if !Path::new(COURSE_FILE).exists() => bail!(
            "give packages and the folder of hand-ins; there is no {COURSE_FILE} here that names them (`kopek init \
                --course` writes one)"
        ),
        [] => PathBuf::from(COURSE_FILE),
        [one] if is_file(one) => one.clone(),
        [folder] if folder.join(COURSE_FILE).exists() => folder.join(COURSE_FILE),
        [_] => bail!("give packages and the folder of hand-ins, or a course.toml alone"),
        several => {
            if let Some(file) = several.iter().find(|path| is_file(path)) {
                bail!("{}: give it alone; it names the packages and the hand-ins", file.display());
            }
            check_order("grade", &several[0], &several[several.len() - 1])?;
            if Path::new(COURSE_FILE).exists() {
                print_message!("warning: {COURSE_FILE} is not used, because packages and hand-ins are given");
            }
            return Ok(None);
        }
    }))
}
