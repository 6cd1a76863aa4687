//! The report of a class on the packages of its course.

use super::{
    counterexample_hunt::{add_counterexamples, check_counterexamples},
    course::Course,
    course_class::{ClassReader, ClassRequest, CourseClass, CourseFiles},
    course_event::{CourseEvent, OnCourseEvent},
    course_package::{load_packages, no_limit_warning, package_max, verdict_warnings},
    course_run::CourseRun,
    feedback_zip::write_feedback,
    platforms::platform_of,
};
use anyhow::Result;
use kopek_judge::{grade::GradeSession, loading::LoadedPackage};
use kopek_results::{Report, public_report};
use std::{borrow::Cow, path::PathBuf};

/// A course to grade, and what a run says besides.
pub struct CourseRequest<'a> {
    pub course: &'a Course,
    /// The folders of the packages.
    pub packages: &'a [PathBuf],
    /// Cases that do not count.
    pub without: &'a [String],
    pub class: ClassRequest<'a>,
    pub files: CourseFiles,
    pub session: &'a GradeSession<'a>,
}

/// A graded course.
pub struct GradedCourse<'a> {
    pub course: &'a Course,
    pub packages: Vec<LoadedPackage>,
    pub class: CourseClass,
    pub report: Report,
}

/// Reads the packages and the class, and judges it. Adds everything to a report that has only what is known about the
/// run.
pub fn grade_course<'a>(
    request: CourseRequest<'a>,
    mut report: Report,
    on_event: &mut OnCourseEvent,
) -> Result<GradedCourse<'a>> {
    let CourseRequest { course, without, class: asked, mut files, session, .. } = request;
    let machine = session.engine.machine;
    let standard_library = course.standard_library(&machine.table)?;
    let session = &GradeSession { standard_library: &standard_library, ..*session };
    report.title = course.title.clone();
    report.rules_from = course.rules_from();
    report.feedback = course.feedback_level().unwrap_or_default();
    report.language = course.feedback.language.as_ref().map(|language| language.value).unwrap_or_default();
    let loaded = load_packages(&session.engine, request.packages, &course.hand_in_places(), on_event)?;
    let mut packages = loaded.note_in(&mut report.notices);
    files.rulings.check_packages(&packages)?;
    check_counterexamples(course, &asked, &packages)?;
    let left_out = files.rulings.leave_out_cases(without, &mut packages)?;
    let totals = &course.total_plan(packages.iter().map(package_max).collect())?;
    report.notices.rules.extend(course.sentences(totals)?.into_iter().chain(left_out));
    let reader = ClassReader { course, packages: &packages, totals, table: &machine.table, request: asked };
    let class = reader.read(files, on_event)?;
    report.notices.warnings.extend(packages.iter().filter_map(|one| no_limit_warning(&one.package)));
    if report.rules_from.is_some() {
        report.notices.warnings.extend(verdict_warnings(&packages, &course.points));
    }
    let run = CourseRun { course, packages: &packages, class: &class, totals, session };
    let mut report = run.grade(report, on_event)?;
    // After all judging, so that an interrupted hunt has all grades.
    add_counterexamples(&run, &mut report, on_event);
    Ok(GradedCourse { course, packages, class, report })
}

impl GradedCourse<'_> {
    /// The report to show: without names, if they are hidden.
    pub fn report_to_show(&self) -> Cow<'_, Report> {
        if self.class.hides_names() {
            Cow::Owned(public_report(&self.report))
        } else {
            Cow::Borrowed(&self.report)
        }
    }

    /// Fills in the gradebook, and writes feedback for the platform, both of the report that is shown. `pages` makes the
    /// names and pages of participants.
    pub fn write_results(
        &self,
        report: &Report,
        pages: &dyn Fn(&Report) -> Vec<(String, String)>,
        on_event: &mut OnCourseEvent,
    ) -> Result<()> {
        let (out, layout) = (self.course.out_place(), self.class.layout);
        if self.class.hides_names() {
            if self.class.gradebook.is_some() {
                let said = "no grades in the gradebook: it has names, which --anonymous hides";
                on_event(CourseEvent::Said(said.to_owned()));
            }
            if out.is_some() && platform_of(layout).takes_feedback() {
                let layout = layout.name();
                let said =
                    format!("no feedback files for {layout}: they need names, which --anonymous hides");
                on_event(CourseEvent::Said(said));
            }
            return Ok(());
        }
        if let Some(book) = &self.class.gradebook {
            book.write(report, out)?.into_iter().for_each(&mut *on_event);
        }
        if let Some(out) = out {
            let lines = write_feedback(report, layout, pages(report), out)?;
            lines.into_iter().for_each(|line| on_event(CourseEvent::Said(line)));
        }
        Ok(())
    }
}
