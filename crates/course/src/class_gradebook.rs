//! The gradebook of a class: whose row is whose, what it says about lateness, and the grades that go into it.

use super::{
    course::{Course, TotalPlan},
    course_event::CourseEvent,
    grade_entries::{GradeEntry, GradebookError, grade_entries},
    gradebook::{FilledGradebook, Gradebook, StandingGrades},
    gradebook_formats::GradebookKind,
    gradebook_rows::ClassRows,
    platforms::platform_of,
    report_folder::check_writable,
    worksheet_late::{Deadline, worksheet_lateness},
};
use anyhow::{Context, Result, anyhow, ensure};
use kopek_base::{
    files::{directory_of, write_atomic},
    wording::{counted, one_line, shortened},
};
use kopek_class::{Cohort, HandInLayout, Team};
use kopek_package::{
    package::{Lateness, NoSubmission, Participant},
    points::Points,
};
use kopek_results::{PersonKey, Report};
use std::{
    collections::BTreeMap,
    fs,
    path::{Path, PathBuf},
};

/// A gradebook as it was given.
#[derive(Debug)]
pub struct GradebookFile {
    path: PathBuf,
    bytes: Vec<u8>,
    column: Option<String>,
    standing: StandingGrades,
    deadline: Option<Deadline>,
}

#[derive(Debug)]
pub(super) struct WorksheetLateness {
    /// By participant name; an error is the reason why it is unknown.
    pub(super) participants: BTreeMap<String, Result<Option<Lateness>, String>>,
    pub(super) deadline: Option<Deadline>,
}

/// A gradebook, and its rows for a class.
#[derive(Debug)]
pub struct OpenGradebook {
    path: PathBuf,
    book: Gradebook,
    standing: StandingGrades,
    deadline: Option<Deadline>,
    /// The greatest total with all bonus problems, if it is known.
    max_with_bonus: Option<Points>,
    /// The whole class, also those who are not graded this time.
    class: Vec<GradeEntry>,
    rows: ClassRows,
}

impl GradebookFile {
    /// Fails if it can be filled nowhere: in its place, if there is no folder of a report.
    pub fn read(path: &Path, standing: StandingGrades, course: &Course) -> Result<GradebookFile> {
        let bytes = fs::read(path).with_context(|| format!("read the gradebook {}", path.display()))?;
        if course.out.is_none() {
            check_writable(directory_of(path)).with_context(|| {
                format!("cannot write the gradebook {} in place; --out writes a copy", path.display())
            })?;
        }
        let column = course.column.clone();
        Ok(GradebookFile { path: path.to_owned(), bytes, column, standing, deadline: course.deadline() })
    }

    /// The participants' names by their numbers, where the files of a layout do not have them.
    pub(super) fn names(
        &self,
        packages: &[String],
        layout: HandInLayout,
    ) -> Result<BTreeMap<String, String>> {
        let Some(key) = platform_of(layout).names_in_gradebook else { return Ok(BTreeMap::new()) };
        Ok(self.parse(packages)?.names_by(key))
    }

    /// These teams with the names and numbers of the gradebook, and the teams that it has itself.
    pub(super) fn with_teams(
        &self,
        teams: Vec<Team>,
        packages: &[String],
        cohort: &Cohort,
    ) -> Result<Vec<Team>> {
        let book = self.parse(packages)?;
        let numbers = platform_of(cohort.layout()).numbers;
        let mut all = teams;
        for member in all.iter_mut().flat_map(|team| &mut team.members) {
            if let Some(known) = book.rows.person(&member.name, numbers) {
                *member = known;
            }
        }
        // Elsewhere, a cell may be another's first name.
        for name in cohort.team_names().into_iter().filter(|_| numbers == Some(PersonKey::Participant)) {
            let members = book.team(name, numbers);
            if !members.is_empty() && !all.iter().any(|team| team.is_called(name)) {
                all.push(Team { name: name.to_owned(), members });
            }
        }
        Ok(all)
    }

    fn parse(&self, packages: &[String]) -> Result<Gradebook> {
        let book = Gradebook::read(&self.bytes, self.column.as_deref(), packages);
        book.map_err(|why| wrong(&self.path, &why))
    }

    /// Matches it with the whole class before judging.
    pub(super) fn open(
        self,
        packages: &[String],
        classes: &[Vec<Participant>],
        layout: HandInLayout,
    ) -> Result<OpenGradebook> {
        let book = self.parse(packages)?;
        let GradebookFile { path, standing, deadline, .. } = self;
        let class = entries_of(classes, None);
        let rows =
            book.rows_of_class(&class, platform_of(layout).numbers).map_err(|why| wrong(&path, &why))?;
        Ok(OpenGradebook { path, book, standing, deadline, max_with_bonus: None, class, rows })
    }
}

fn wrong(path: &Path, why: &GradebookError) -> anyhow::Error {
    anyhow!("the gradebook {}: {why}", path.display())
}

/// An entry for each participant before judging.
fn entries_of(classes: &[Vec<Participant>], max: Option<&Points>) -> Vec<GradeEntry> {
    let members = classes.first().map(Vec::as_slice).unwrap_or_default();
    let entry = |Participant { name, hand_in, .. }: &Participant| GradeEntry {
        name: name.clone(),
        id: hand_in.id.clone(),
        email: hand_in.email.clone(),
        max: max.cloned(),
        ..GradeEntry::default()
    };
    let mut entries: Vec<GradeEntry> = members.iter().map(entry).collect();
    // All attempts of a participant share one row.
    entries.dedup_by(|a, b| a.name == b.name);
    entries
}

fn has_hand_in(member: &Participant) -> bool {
    !matches!(member.submission, Err(NoSubmission::Absent(_)))
}

impl OpenGradebook {
    /// The names, numbers and addresses of all its people.
    pub(super) fn keys(&self) -> impl Iterator<Item = &str> {
        self.book.rows.keys()
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

    /// Adds the addresses, and the numbers of this kind, that the folder of hand-ins does not have.
    pub(super) fn add_keys(&self, numbers: Option<PersonKey>, classes: &mut [Vec<Participant>]) {
        for Participant { name, hand_in, .. } in classes.iter_mut().flatten() {
            let Some(row) = self.rows.rows.get(name) else { continue };
            let email = || self.book.email(&self.rows, name).map(str::to_owned);
            hand_in.email = hand_in.email.take().or_else(email);
            hand_in.id = hand_in.id.take().or_else(|| self.book.rows.member(*row, numbers).id);
        }
    }

    /// The lateness of a class; `None` if the gradebook is not Moodle's.
    pub(super) fn lateness(&self, classes: &[Vec<Participant>]) -> Result<Option<WorksheetLateness>> {
        let OpenGradebook { book, rows, deadline, .. } = self;
        let deadline = *deadline;
        if book.kind() != GradebookKind::Moodle {
            ensure!(
                deadline.is_none(),
                "the deadline has no effect: {} has no submission times; only Moodle's worksheet has them",
                self.path.display()
            );
            return Ok(None);
        }
        let mut participants = BTreeMap::new();
        for member in classes.iter().flatten().filter(|member| has_hand_in(member)) {
            let late = match book.submission(rows, &member.name) {
                None => Err("not in the gradebook".to_owned()),
                Some(cells) => worksheet_lateness(cells, deadline).map_err(|why| one_line(&why)),
            };
            participants.insert(member.name.clone(), late);
        }
        Ok(Some(WorksheetLateness { participants, deadline }))
    }

    /// Fails if it cannot take the totals of these participants.
    pub(super) fn check(&mut self, totals: &TotalPlan, classes: &[Vec<Participant>]) -> Result<()> {
        self.max_with_bonus = totals.max_with_bonus();
        self.fill(entries_of(classes, totals.max.as_ref())).map(drop)
    }

    fn fill(&self, mut entries: Vec<GradeEntry>) -> Result<FilledGradebook> {
        entries.iter_mut().for_each(|entry| entry.max_with_bonus.clone_from(&self.max_with_bonus));
        let filled = self.book.clone().fill(&entries, &self.rows, self.standing);
        filled.map_err(|why| wrong(&self.path, &why))
    }

    /// Writes the whole file, and says which rows did not match.
    pub fn write(&self, report: &Report, out: Option<&Path>) -> Result<Vec<CourseEvent<'static>>> {
        let grades = grade_entries(report);
        let filled = self.fill(grades.clone())?;
        let mut left_out: Vec<String> = self.class.iter().map(|entry| entry.name.clone()).collect();
        left_out.retain(|name| !grades.iter().any(|grade| grade.name == *name));
        let own = &self.path;
        let name = own.file_name().unwrap_or(own.as_os_str());
        let path = match out {
            Some(dir) => dir.join(name),
            None => own.clone(),
        };
        write_atomic(&path, &filled.bytes)?;
        let wrote = format!("wrote {} into {}", counted(filled.filled, "grade"), path.display());
        let mut lines = vec![CourseEvent::Said(wrote)];
        let mut list = |names: &[String], what: &str| {
            if !names.is_empty() {
                let line = format!("  {} {what}: {}", names.len(), shortened(names, 8, ", "));
                lines.push(CourseEvent::Said(line));
            }
        };
        list(&self.rows.absent, "in the gradebook without a hand-in, left as they were");
        list(&filled.unknown, "with a hand-in but not in the gradebook");
        list(&left_out, "without a result this time, left as they were");
        list(&filled.excused, "excused, left as they were");
        list(&filled.unjudged, "without a grade yet, left as they were");
        list(&filled.kept_comments, "with another comment already, kept");
        let pairs = |all: &[(String, String, String)], sign: &str| -> Vec<String> {
            all.iter().map(|(name, there, other)| format!("{name}: {there} {sign} {other}")).collect()
        };
        list(&pairs(&filled.changed, "→"), "with a new grade");
        let mut warn = |all: &[(String, String, String)], what: &str| {
            if !all.is_empty() {
                let names = shortened(&pairs(all, "instead of"), 8, ", ");
                lines.push(CourseEvent::Warned(format!("{} {what}: {names}", all.len())));
            }
        };
        let (whose, more) = match report.since {
            Some(_) => ("that is not in the report of --since", ""),
            None => ("already", "--since REPORT replaces the grades that kopek wrote, "),
        };
        let remedy = format!("{more}--overwrite-grades replaces all");
        warn(&filled.kept, &format!("with a different grade {whose}, kept ({remedy})"));
        warn(&filled.locked, "locked in the course, left as they were");
        if !filled.above_max.is_empty() {
            let above = shortened(&pairs(&filled.above_max, "of"), 8, ", ");
            lines.push(CourseEvent::Warned(format!(
                "{} above the maximum grade, {}: {above}; raise the maximum there, or set `cap = true` in [points]",
                filled.above_max.len(),
                self.book.about_above_max()
            )));
        }
        Ok(lines)
    }
}
