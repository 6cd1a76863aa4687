//! Options of `kopek grade` that `course.toml` has as keys. What the command line gives overrides what the file says.

use super::{named_packages::check_order, terminal_output::print_message};
use crate::{
    course::{Course, Extension, Named, PointWeight, PositivePoints, RuleValue, TimeSpan},
    package::TimeFactor,
};
use anyhow::{Result, bail};
use std::path::{Path, PathBuf};

/// The name of the file in the current folder.
pub(super) const COURSE_FILE: &str = "course.toml";

/// The heading of options that `course.toml` has as keys.
pub(super) const RULES: &str = "Rules, also in course.toml";

/// Options for points, lateness and time.
#[derive(clap::Args)]
pub(super) struct CourseOptions {
    /// Maximum of the total: `10`
    #[arg(long, value_name = "POINTS", value_parser = PositivePoints::read)]
    pub(super) scale: Option<PositivePoints>,
    /// Weight of a package; repeatable: `pairs=2`
    #[arg(long = "weight", value_name = "PACKAGE=X", value_parser = |text: &str| Named::<PointWeight>::read("--weight", text))]
    pub(super) weights: Vec<Named<PointWeight>>,
    /// Time limit factor; repeatable: `ada=1.5`
    #[arg(long = "time-factor", value_name = "NAME=X", value_parser = |text: &str| Named::<TimeFactor>::read("--time-factor", text))]
    pub(super) time_factors: Vec<Named<TimeFactor>>,
    /// Time limit factor; repeatable: `python3=2`
    #[arg(long = "language-factor", value_name = "ID=X", value_parser = |text: &str| Named::<TimeFactor>::read("--language-factor", text))]
    pub(super) language_factors: Vec<Named<TimeFactor>>,
    /// Lateness without a penalty: `15 min`
    #[arg(long, value_name = "TIME", value_parser = TimeSpan::read)]
    pub(super) grace: Option<TimeSpan>,
    /// Later deadline; repeatable: `ada=2d`
    #[arg(long = "extension", value_name = "NAME=TIME", value_parser = |text: &str| Named::<Extension>::read("--extension", text))]
    pub(super) extensions: Vec<Named<Extension>>,
}

/// The course: the file that the paths name, or that is in the current folder, with these options laid over it.
/// Without a file, the paths are the packages and the hand-ins.
pub(super) fn read_course(paths: &[PathBuf], options: Course) -> Result<Course> {
    Ok(match find_file(paths)? {
        Some(file) => Course::read(&file)?.overlaid(options),
        None => options.with_paths(paths),
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
