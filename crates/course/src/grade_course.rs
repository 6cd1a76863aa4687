//! The report of a class on the packages of its course.

use super::{
    counterexample_hunt::{CounterexampleHunt, check_counterexamples},
    course::{Course, TotalPlan},
    course_class::{ClassReader, ClassRequest, CourseClass, CourseFiles},
    course_event::{CourseEvent, OnCourseEvent},
    course_package::{load_packages, no_limit_warning, package_max},
    feedback_zip::write_feedback,
    platforms::platform_of,
    rulings::parts_by_time,
};
use anyhow::{Context, Result, bail};
use kopek_class::remove_names;
use kopek_engine::exec::StoppedEarly;
use kopek_judge::{
    grade::{GradeSession, JudgedCohort, NoiseFacts, package_report, run_limits},
    loading::LoadedPackage,
};
use kopek_package::package::{Participant, TimeFactor};
use kopek_results::{Noticed, Notices, PackageReport, Report, public_report};
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
    report.title = course.title.as_ref().map(|title| title.value.clone());
    report.feedback = course.feedback_level().unwrap_or_default();
    let loaded = load_packages(&session.engine, request.packages, course.hand_in_place()?, on_event)?;
    let mut packages = loaded.note_in(&mut report.notices);
    files.rulings.check_packages(&packages)?;
    check_counterexamples(course, &asked, &packages)?;
    let left_out = files.rulings.leave_out_cases(without, &mut packages)?;
    let totals = &course.total_plan(packages.iter().map(package_max).collect())?;
    report.notices.rules.extend(course.sentences(totals)?.into_iter().chain(left_out));
    let reader = ClassReader { course, packages: &packages, totals, table: &machine.table, request: asked };
    let class = reader.read(files, on_event)?;
    report.notices.warnings.extend(packages.iter().filter_map(|one| no_limit_warning(&one.package)));
    let mut report =
        CourseRun { course, packages: &packages, class: &class, totals, session }.grade(report, on_event)?;
    // After all judging, so that an interrupted hunt has all grades.
    let hunt = CounterexampleHunt { course, engine: &session.engine, packages: &packages, class: &class };
    hunt.add_to(&mut report, on_event);
    Ok(GradedCourse { course, packages, class, report })
}

/// Names and pages of participants.
pub type ParticipantPages<'a> = dyn Fn(&Report) -> Vec<(String, String)> + 'a;

impl GradedCourse<'_> {
    /// The report to show: without names, if they are hidden.
    pub fn report_to_show(&self) -> Cow<'_, Report> {
        if self.class.hides_names {
            Cow::Owned(public_report(&self.report))
        } else {
            Cow::Borrowed(&self.report)
        }
    }

    /// The hand-ins, as the folder of the report keeps them for a later run.
    pub fn hand_in_text(&self) -> Option<String> {
        self.course.out_place().and_then(|_| self.class.hand_in_text(&self.report))
    }

    /// Fills in the gradebook, and writes feedback for the platform, both of the report that is shown.
    pub fn write_results(
        &self,
        report: &Report,
        pages: &ParticipantPages,
        on_event: &mut OnCourseEvent,
    ) -> Result<()> {
        let (out, layout) = (self.course.out_place(), self.class.layout);
        let mut say =
            |lines: Vec<String>| lines.into_iter().for_each(|line| on_event(CourseEvent::Said(line)));
        if self.class.hides_names {
            if self.class.gradebook.is_some() {
                say(vec!["no grades in the gradebook: it has names, which --anonymous hides".to_owned()]);
            }
            if out.is_some() && platform_of(layout).takes_feedback() {
                let layout = layout.name();
                say(vec![format!(
                    "no feedback files for {layout}: they need names, which --anonymous hides"
                )]);
            }
            return Ok(());
        }
        if let Some(book) = &self.class.gradebook {
            say(book.write(report, out)?);
        }
        if let Some(out) = out {
            say(write_feedback(report, layout, pages(report), out)?);
        }
        Ok(())
    }
}

/// A course with its packages and its class.
struct CourseRun<'a> {
    course: &'a Course,
    packages: &'a [LoadedPackage],
    class: &'a CourseClass,
    totals: &'a TotalPlan,
    session: &'a GradeSession<'a>,
}

impl CourseRun<'_> {
    fn grade(&self, mut report: Report, on_event: &mut OnCourseEvent) -> Result<Report> {
        let CourseClass { members, rulings, ruled, chosen, extent, .. } = self.class;
        report.dates.clone_from(&chosen.dates);
        report.late_rule.clone_from(&ruled.late_rule);
        for (at, one) in self.packages.iter().enumerate() {
            // A part of a class may have no hand-ins for a package.
            if !members[at].is_empty() || !self.class.is_shard {
                let results = self.grade_package(at, one, on_event)?.note_in(&mut report.notices);
                report.packages.push(results);
            }
        }
        if let Some(terms) = &ruled.terms {
            terms.deduct(&mut report.packages);
        }
        report.sheet = self.totals.totals(&report.packages)?;
        report.since = rulings.changes(&report, *extent, self.course.out_place());
        Ok(report)
    }

    fn grade_package(
        &self,
        at: usize,
        one: &LoadedPackage,
        on_event: &mut OnCourseEvent,
    ) -> Result<Noticed<PackageReport>> {
        let Noticed { value: mut results, notices } =
            self.judge_parts(one, &self.class.members[at], on_event)?;
        self.class.rulings.apply(&mut results)?;
        results.keep_best_attempts();
        for row in &mut results.rows {
            // The file names differ between attempts.
            let alias = row.card.name.clone();
            let names = &self.class.names[at];
            names.iter().filter(|own| own.alias() == alias).for_each(|own| remove_names(row, own));
        }
        Ok(Noticed { value: results, notices })
    }

    /// Judges participants with another time limit separately, and puts all rows into one table.
    fn judge_parts(
        &self,
        one: &LoadedPackage,
        class: &[Participant],
        on_event: &mut OnCourseEvent,
    ) -> Result<Noticed<PackageReport>> {
        let LoadedPackage { package, tests, .. } = one;
        let mut whole: Option<PackageReport> = None;
        let mut noise = NoiseFacts::default();
        let mut notices = Notices::default();
        for part in parts_by_time(class) {
            let judged = self.judge(one, part.factor, &part.members, on_event)?;
            notices.add(self.session.notices(package, &judged));
            noise.add(&judged);
            let results = package_report(package, tests, &judged);
            match &mut whole {
                None => whole = Some(results),
                Some(whole) => whole.rows.extend(results.rows),
            }
        }
        let mut whole = whole.with_context(|| format!("no hand-ins for {}", one.name()))?;
        whole.time_limit = run_limits(package).cpu;
        if class.iter().all(|one| one.hand_in.time_factor.is_some()) {
            // The results of the parts have their own limits.
            let judged = self.session.judge(package, tests, &[], &mut |_| ())?;
            whole.data = package_report(package, tests, &judged).data;
        }
        whole.noise = noise.noise();
        // Time limits must not affect the order of rows.
        whole.rows.sort_by(|a, b| a.card.name.cmp(&b.card.name));
        Ok(Noticed { value: whole, notices })
    }

    fn judge(
        &self,
        one: &LoadedPackage,
        factor: Option<TimeFactor>,
        members: &[Participant],
        on_event: &mut OnCourseEvent,
    ) -> Result<JudgedCohort> {
        let LoadedPackage { package, tests, .. } = one;
        if members.is_empty() {
            bail!("no hand-ins for {}", package.name);
        }
        on_event(CourseEvent::Begins { package: &package.name, participants: members.len() });
        let time_limit = factor.map(|factor| factor.of(run_limits(package).cpu));
        let session = GradeSession { time_limit, ..*self.session };
        let judged = session.judge(package, tests, members, &mut |event| on_event(CourseEvent::Step(event)));
        on_event(CourseEvent::Ends);
        let judged = judged?;
        // This line is clearer than a table of question marks.
        if judged.graded.interrupted {
            return Err(StoppedEarly.into());
        }
        Ok(judged)
    }
}
