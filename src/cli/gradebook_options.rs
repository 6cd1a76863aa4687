//! `--gradebook`: writes grades into the file from the platform.

use super::{
    course_options::RULES, named_packages::LoadedPackage, path_hints::missing_path,
    report_folder::check_writable, terminal_output::print_message,
};
use crate::{
    base::{
        files::{directory_of, write_atomic},
        wording::{counted, one_line, shortened},
    },
    class::{FeedbackFile, HandInLayout, feedback_zip},
    course::{
        ClassRows, Deadline, EarlierGrade, FilledGradebook, GradeEntry, Gradebook, GradebookError,
        GradebookKind, StandingGrades, grade_entries, worksheet_lateness,
    },
    package::{HandIn, Lateness, NoSubmission, Participant},
    points::Points,
    render::participant_pages,
    results::{PersonKey, Report},
};
use anyhow::{Context, Result, anyhow, bail, ensure};
use std::{
    collections::BTreeMap,
    fs,
    io::ErrorKind,
    path::{Path, PathBuf},
};

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

pub(super) struct GradebookFile {
    path: PathBuf,
    bytes: Vec<u8>,
    column: Option<String>,
    standing: StandingGrades,
    deadline: Option<Deadline>,
}

pub(super) struct WorksheetLateness {
    /// By participant name; an error is the reason why it is unknown.
    pub(super) participants: BTreeMap<String, Result<Option<Lateness>, String>>,
    pub(super) deadline: Option<Deadline>,
}

/// A gradebook, and its rows for a class.
pub(super) struct OpenGradebook {
    file: GradebookFile,
    packages: Vec<String>,
    /// The whole class, also those who are not graded this time.
    class: Vec<GradeEntry>,
    rows: ClassRows,
}

impl GradebookOptions {
    /// Reads the gradebook first.
    pub(super) fn read(&self, out: Option<&Path>) -> Result<Option<GradebookFile>> {
        let Some(path) = &self.gradebook else {
            let given = [(self.overwrite_grades, "--overwrite-grades"), (self.column.is_some(), "--column")];
            if let Some((_, option)) = given.iter().find(|(is_given, _)| *is_given) {
                bail!("{option} needs --gradebook, or `gradebook` in course.toml");
            }
            return Ok(None);
        };
        if path.symlink_metadata().is_err() {
            return Err(missing_path("read the gradebook", path));
        }
        let bytes = fs::read(path).with_context(|| format!("read the gradebook {}", path.display()))?;
        if out.is_none() {
            check_writable(directory_of(path)).with_context(|| {
                format!("cannot write the gradebook {} in place; --out writes a copy", path.display())
            })?;
        }
        let standing = if self.overwrite_grades { StandingGrades::Overwrite } else { StandingGrades::Keep };
        Ok(Some(GradebookFile {
            path: path.clone(),
            bytes,
            column: self.column.clone(),
            standing,
            deadline: self.deadline,
        }))
    }
}

impl GradebookFile {
    /// The participants' names by their numbers, where the files of a layout do not have them.
    pub(super) fn names(
        &self,
        loaded: &[LoadedPackage],
        layout: HandInLayout,
    ) -> Result<BTreeMap<String, String>> {
        let packages: Vec<String> = loaded.iter().map(|loaded| loaded.package.name.clone()).collect();
        match layout {
            HandInLayout::Canvas => {
                let book = Gradebook::read(&self.bytes, self.column.as_deref(), &packages);
                let book = book.map_err(|why| anyhow!("the gradebook {}: {why}", self.path.display()))?;
                Ok(book.names_by(PersonKey::User))
            }
            HandInLayout::Plain
            | HandInLayout::Moodle
            | HandInLayout::Gradescope
            | HandInLayout::Repositories => Ok(BTreeMap::new()),
        }
    }

    /// Matches it with the whole class before judging.
    pub(super) fn open(
        self,
        loaded: &[LoadedPackage],
        classes: &[Vec<Participant>],
        layout: HandInLayout,
    ) -> Result<OpenGradebook> {
        let packages: Vec<String> = loaded.iter().map(|loaded| loaded.package.name.clone()).collect();
        let class = entries_of(classes, None);
        let wrong = |why: GradebookError| anyhow!("the gradebook {}: {why}", self.path.display());
        let book = Gradebook::read(&self.bytes, self.column.as_deref(), &packages).map_err(wrong)?;
        let rows = book.rows_of_class(&class, layout.number_kind()).map_err(wrong)?;
        Ok(OpenGradebook { file: self, packages, class, rows })
    }
}

/// An entry for each participant before judging.
fn entries_of(classes: &[Vec<Participant>], max: Option<&Points>) -> Vec<GradeEntry> {
    let members = classes.first().map(Vec::as_slice).unwrap_or_default();
    let mut entries: Vec<GradeEntry> =
        members.iter().map(|member| entry_of(&member.name, &member.hand_in, max.cloned())).collect();
    // All attempts of a participant share one row.
    entries.dedup_by(|a, b| a.name == b.name);
    entries
}

/// The entry of a participant before judging.
fn entry_of(name: &str, hand_in: &HandIn, max: Option<Points>) -> GradeEntry {
    GradeEntry {
        name: name.to_owned(),
        id: hand_in.id.clone(),
        email: hand_in.email.clone(),
        points: None,
        max,
        earlier: EarlierGrade::NotAsked,
        comment: None,
    }
}

fn has_hand_in(member: &Participant) -> bool {
    !matches!(member.submission, Err(NoSubmission::Absent(_)))
}

/// Writes feedback for the platform of the hand-ins as one zip into the directory of the report: a page per
/// participant.
pub(super) fn write_feedback(report: &Report, layout: HandInLayout, out: Option<&Path>) -> Result<()> {
    let Some(dir) = out else { return Ok(()) };
    let pages = participant_pages(report);
    write_feedback_zip(report, layout, &pages, &dir.join(feedback_name("feedback", layout)))?;
    let mut changed = pages;
    changed.retain(|(name, _)| report.has_changed(name));
    let place = dir.join(feedback_name("changed", layout));
    if changed.is_empty() {
        // It would send the changes of an earlier run again.
        return match fs::remove_file(&place) {
            Err(error) if error.kind() != ErrorKind::NotFound => {
                Err(error).with_context(|| format!("remove {}", place.display()))
            }
            Ok(()) | Err(_) => Ok(()),
        };
    }
    let pages = counted(changed.len(), "changed page");
    print_message!("wrote {pages} into {}", dir.join("changed").display());
    write_feedback_zip(report, layout, &changed, &place)
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
) -> Result<()> {
    let rows = report.packages.iter().flat_map(|package| &package.rows);
    let hand_ins: BTreeMap<&str, &HandIn> = rows.map(|row| (row.card.name.as_str(), &row.hand_in)).collect();
    let files: Vec<FeedbackFile> = pages
        .iter()
        .map(|(name, contents)| FeedbackFile {
            name,
            hand_in: hand_ins[name.as_str()],
            file: "feedback.html",
            contents,
        })
        .collect();
    if let Some(bytes) = feedback_zip(layout, &files)? {
        write_atomic(place, &bytes)?;
        print_message!("wrote feedback files for {}: {}", layout.name(), place.display());
    }
    Ok(())
}

impl OpenGradebook {
    fn read(&self) -> Result<Gradebook, GradebookError> {
        Gradebook::read(&self.file.bytes, self.file.column.as_deref(), &self.packages)
    }

    fn wrong(&self, why: &GradebookError) -> anyhow::Error {
        anyhow!("the gradebook {}: {why}", self.file.path.display())
    }

    /// Finds the rows of a class again, which has others now.
    pub(super) fn match_class(&mut self, classes: &[Vec<Participant>], layout: HandInLayout) -> Result<()> {
        self.class = entries_of(classes, None);
        let book = self.read().map_err(|why| self.wrong(&why))?;
        self.rows = book.rows_of_class(&self.class, layout.number_kind()).map_err(|why| self.wrong(&why))?;
        Ok(())
    }

    /// A warning about names that are spelt in another way.
    pub(super) fn similar_names(&self) -> Option<String> {
        let names: Vec<String> =
            self.rows.similar.iter().map(|(name, row)| format!("{name} is {row}")).collect();
        if names.is_empty() {
            return None;
        }
        let names = one_line(&shortened(&names, 8, ", "));
        Some(format!("names that are spelt differently in the gradebook: {names}"))
    }

    /// Adds the addresses that the folder of hand-ins does not have.
    pub(super) fn add_emails(&self, classes: &mut [Vec<Participant>]) -> Result<()> {
        let book = self.read().map_err(|why| self.wrong(&why))?;
        for member in classes.iter_mut().flatten().filter(|member| member.hand_in.email.is_none()) {
            member.hand_in.email = book.email(&self.rows, &member.name).map(str::to_owned);
        }
        Ok(())
    }

    /// The lateness of a class; `None` if the gradebook is not Moodle's.
    pub(super) fn lateness(&self, classes: &[Vec<Participant>]) -> Result<Option<WorksheetLateness>> {
        let book = self.read().map_err(|why| self.wrong(&why))?;
        let deadline = self.file.deadline;
        if book.kind() != GradebookKind::Moodle {
            ensure!(
                deadline.is_none(),
                "--deadline: {} has no submission times; only Moodle's worksheet has them",
                self.file.path.display()
            );
            return Ok(None);
        }
        let mut participants = BTreeMap::new();
        for member in classes.iter().flatten().filter(|member| has_hand_in(member)) {
            let late = match book.submission(&self.rows, &member.name) {
                None => Err("not in the gradebook".to_owned()),
                Some(cells) => worksheet_lateness(cells, deadline).map_err(|why| one_line(&why)),
            };
            participants.insert(member.name.clone(), late);
        }
        Ok(Some(WorksheetLateness { participants, deadline }))
    }

    /// Fails if it cannot take the points of these participants, of at most `max`.
    pub(super) fn check(&self, max: Option<&Points>, classes: &[Vec<Participant>]) -> Result<()> {
        self.fill(&entries_of(classes, max)).map(drop)
    }

    fn fill(&self, entries: &[GradeEntry]) -> Result<FilledGradebook> {
        let fill = || self.read()?.fill(entries, &self.rows, self.file.standing);
        fill().map_err(|why| self.wrong(&why))
    }

    /// Writes the whole file, and reports rows that did not match.
    pub(super) fn write(&self, report: &Report, out: Option<&Path>) -> Result<()> {
        let grades = grade_entries(report);
        let filled = self.fill(&grades)?;
        let mut left_out: Vec<String> = self.class.iter().map(|entry| entry.name.clone()).collect();
        left_out.retain(|name| !grades.iter().any(|grade| grade.name == *name));
        let own = &self.file.path;
        let name = own.file_name().unwrap_or(own.as_os_str());
        let path = match out {
            Some(dir) => dir.join(name),
            None => own.clone(),
        };
        write_atomic(&path, &filled.bytes)?;
        print_message!("wrote {} into {}", counted(filled.filled, "grade"), path.display());
        let list = |names: &[String], what: &str| {
            if !names.is_empty() {
                print_message!("  {} {what}: {}", names.len(), shortened(names, 8, ", "));
            }
        };
        list(&self.rows.absent, "in the gradebook without a hand-in: cells kept");
        list(&filled.unknown, "with a hand-in but not in the gradebook");
        list(&left_out, "not graded this time: cells kept");
        list(&filled.unjudged, "without a grade yet: cells kept");
        list(&filled.kept_comments, "with another comment already, kept");
        let pairs = |all: &[(String, String, String)], sign: &str| -> Vec<String> {
            all.iter().map(|(name, there, other)| format!("{name}: {there} {sign} {other}")).collect()
        };
        list(&pairs(&filled.changed, "→"), "with a new grade");
        let warn = |all: &[(String, String, String)], what: &str| {
            if !all.is_empty() {
                let names = shortened(&pairs(all, "instead of"), 8, ", ");
                print_message!("warning: {} {what}: {names}", all.len());
            }
        };
        let (whose, more) = match report.since {
            Some(_) => ("that is not in the report of --since", ""),
            None => ("already", "--since REPORT replaces the grades that kopek wrote, "),
        };
        let remedy = format!("{more}--overwrite-grades replaces all");
        warn(&filled.kept, &format!("with a different grade {whose}, kept ({remedy})"));
        warn(&filled.locked, "locked in the course: cells kept");
        Ok(())
    }
}
