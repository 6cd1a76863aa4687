//! Courses that are graded in memory, on a fake machine: no process, no sandbox, no compiler.

use crate::fake_machine::{fake_machine, with_engine};
use anyhow::{Context, Result};
use kopek::{
    class::{AttemptPolicy, Decisions},
    course::{
        ClassReader, ClassRequest, Course, CourseFiles, CoursePackage, CourseRun, GradebookFile, HAND_INS,
        Rulings, StandingGrades, write_report,
    },
    grade::{GradeSession, Thoroughness},
    package::{self, Package, TestSet},
    render::report_files,
    results::Report,
};
use std::path::{Path, PathBuf};

/// Programs in the language of the fake machine.
pub const FAKE_SUM: &str = "print sum(input)\n";
pub const FAKE_WRONG: &str = "print 0\n";
/// Right for small numbers only: 60 points.
pub const FAKE_HALF: &str = "n = sum(input)\nif n > 8: n = 0\nprint n\n";

/// The report of the course in this folder, and the changes since an earlier one.
pub fn grade(home: &Path, since: Option<&Path>) -> Result<Report> {
    grade_part(home, &[], since, |_, report| Ok(report))
}

/// Grades these participants, or all, writes the report and the gradebook, and returns the message about the others.
pub fn grade_into_report(home: &Path, only: &[String]) -> Result<String> {
    grade_part(home, only, None, |run, report| {
        let mut files = report_files(&report);
        files.extend(run.class.hand_in_text(&report).map(|text| (PathBuf::from(HAND_INS), text)));
        let said = run.class.completion(&report).unwrap_or_default();
        let out = run.course.out_place().context("no `out`")?;
        write_report(out, &files)?;
        run.class.gradebook.iter().try_for_each(|book| book.write(&report, Some(out)).map(drop))?;
        Ok(said)
    })
}

fn grade_part<T>(
    home: &Path,
    only: &[String],
    since: Option<&Path>,
    act: impl FnOnce(&CourseRun, Report) -> Result<T>,
) -> Result<T> {
    let course = Course::read(&home.join("course.toml"))?;
    let mut read: Vec<(Package, TestSet)> = Vec::new();
    for dir in course.problem_places() {
        let package = package::read(&dir)?.package.context("no package")?;
        let (tests, _) = package::read_tests(&package)?;
        read.push((package, tests));
    }
    let packages: Vec<CoursePackage> =
        read.iter().map(|(package, tests)| CoursePackage { package, tests }).collect();
    let totals = course.total_plan(packages.iter().map(|one| one.max()).collect())?;
    course.sentences(&totals)?;
    let machine = fake_machine(home);
    course.standard_library(&machine.table)?;
    let book = course.gradebook.as_ref().map(|file| &file.value);
    let book = book.map(|file| GradebookFile::read(file, None, StandingGrades::Keep, &course));
    let decisions = course.decisions.as_ref().map(|file| Decisions::read(&file.value));
    let files = CourseFiles {
        rulings: Rulings::read(&[], since)?,
        decisions: decisions.transpose()?.unwrap_or_default(),
        gradebook: book.transpose()?,
    };
    let request = ClassRequest {
        only,
        shard: None,
        layout: None,
        preferred: &[],
        attempts: AttemptPolicy::Latest,
        anonymous: None,
    };
    let reader =
        ClassReader { course: &course, packages: &packages, totals: &totals, table: &machine.table, request };
    let class = reader.read(files, &mut |_| ())?;
    with_engine(&machine, |engine| {
        let session = GradeSession::usual(engine, Thoroughness::Needed);
        let run = CourseRun {
            course: &course,
            packages: &packages,
            class: &class,
            totals: &totals,
            session: &session,
        };
        act(&run, run.grade(Report::default(), &mut |_| ())?)
    })
}
