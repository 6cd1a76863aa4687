//! Judges the class of a course on each of its packages.

use super::{
    course::{Course, TotalPlan},
    course_class::CourseClass,
    course_event::{CourseEvent, OnCourseEvent},
    rulings::parts_by_time,
};
use anyhow::{Context, Result, bail};
use kopek_base::PersonName;
use kopek_engine::exec::StoppedEarly;
use kopek_hunt::slow::add_known_growth;
use kopek_judge::{
    grade::{GradeEvent, GradeSession, JudgedCohort, NoiseFacts, package_report, run_limits},
    loading::LoadedPackage,
};
use kopek_package::package::{Participant, TimeFactor};
use kopek_results::{Noticed, Notices, PackageReport, Report};
use std::collections::BTreeSet;

/// A course with its packages and its class.
pub(super) struct CourseRun<'a> {
    pub(super) course: &'a Course,
    pub(super) packages: &'a [LoadedPackage],
    pub(super) class: &'a CourseClass,
    pub(super) totals: &'a TotalPlan<'a>,
    pub(super) session: &'a GradeSession<'a>,
}

impl CourseRun<'_> {
    /// Judges the class on all packages.
    pub(super) fn grade(&self, mut report: Report, on_event: &mut OnCourseEvent) -> Result<Report> {
        let CourseClass { members, rulings, ruled, extent, .. } = self.class;
        report.anonymous = self.class.hides_names();
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
        add_known_growth(&one.tests, &mut results.rows)?;
        if let Some(names) = &self.class.hidden_names {
            for row in &mut results.rows {
                names.hide_in_row(row, &self.files_of(at, &row.card.name));
            }
        }
        Ok(Noticed { value: results, notices })
    }

    /// The names of the files that a participant handed in for a package.
    fn files_of(&self, at: usize, name: &str) -> BTreeSet<String> {
        let own = self.class.members[at].iter().filter(|member| member.name == name);
        let paths = own.flat_map(|member| &member.submission).flat_map(|program| &program.source.files);
        paths.filter_map(|path| Some(path.file_name()?.to_string_lossy().into_owned())).collect()
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
        whole.rows.sort_by(|a, b| PersonName(&a.card.name).cmp(&PersonName(&b.card.name)));
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
        let mut on_step = |event: GradeEvent| on_event(CourseEvent::Step(event));
        let mut judged = session.judge(package, tests, members, &mut on_step);
        // A second build and run of each such program more than doubles its cost: only who asks why programs fail pays it.
        if let Ok(judged) = &mut judged
            && self.course.hunt_time().is_some()
            && !judged.graded.interrupted
        {
            session.check_memory(judged, &[], &mut on_step)?;
            session.check_right_programs(tests, judged, &mut on_step)?;
        }
        on_event(CourseEvent::Ends);
        let judged = judged?;
        // This line is clearer than a table of question marks.
        if judged.graded.interrupted {
            return Err(StoppedEarly.into());
        }
        Ok(judged)
    }
}
