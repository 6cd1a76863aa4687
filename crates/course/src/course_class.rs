//! The class of a course: who is graded, with which programs, and what the rules say about each.

use super::{
    anonymity::{hide_names, open_key},
    changes::ClassExtent,
    class_gradebook::{GradebookFile, OpenGradebook},
    course::{Course, KNOWN_NAMES, TotalPlan},
    course_event::{CourseEvent, OnCourseEvent, warn},
    course_package::decided_package,
    downloads::read_downloads,
    earlier_report::EarlierReport,
    platforms::platform_of,
    report_folder::{keep_others, refuse_anonymous_report, refuse_named_report, refuse_single_download},
    rulings::{KnownLateness, RuledClass, Rulings},
};
use anyhow::{Context, Result, ensure};
use kopek_base::wording::counted;
use kopek_class::{
    AttemptPolicy, CohortRules, Decisions, HandInLayout, NameCheck, NumberKey, Shard, people_called,
};
use kopek_judge::loading::LoadedPackage;
use kopek_package::{
    language::LanguageTable,
    package::{Package, Participant},
};
use std::{collections::BTreeSet, path::Path};

/// What a run says about the class, besides the course.
pub struct ClassRequest<'a> {
    /// Names of those who are graded; empty: all.
    pub only: &'a [String],
    pub shard: Option<Shard>,
    /// `None`: detected.
    pub layout: Option<HandInLayout>,
    pub attempts: AttemptPolicy,
    /// Names are hidden, with a key at this place or beside the hand-ins.
    pub anonymous: Option<Option<&'a Path>>,
}

/// The files that a run reads first, so that a typo costs no time.
pub struct CourseFiles {
    pub rulings: Rulings,
    pub decisions: Decisions,
    pub gradebook: Option<GradebookFile>,
}

/// The hand-ins for each package, and all that is known of their owners.
pub struct CourseClass {
    pub layout: HandInLayout,
    pub members: Vec<Vec<Participant>>,
    pub gradebook: Option<OpenGradebook>,
    /// Finds the names that reports hide; `None`: they have names.
    pub hidden_names: Option<NameCheck>,
    pub extent: ClassExtent,
    pub(super) is_shard: bool,
    pub(super) rulings: Rulings,
    pub(super) ruled: RuledClass,
}

impl CourseClass {
    pub fn hides_names(&self) -> bool {
        self.hidden_names.is_some()
    }

    /// A line for the terminal, without names if reports have none.
    pub fn shown_line(&self, line: &str) -> String {
        let Some(names) = &self.hidden_names else { return line.to_owned() };
        names.shown(line)
    }
}

/// Who is in the class, with the hand-ins for each package.
struct ClassMembers {
    layout: HandInLayout,
    members: Vec<Vec<Participant>>,
    book: Option<OpenGradebook>,
    /// Those whom the teacher names; `None`: all.
    only: Option<BTreeSet<String>>,
}

/// Members whose hand-ins have decisions, lateness and time factors.
struct RuledMembers {
    class: ClassMembers,
    ruled: RuledClass,
}

/// Numbers instead of names.
struct HiddenNames {
    key: NumberKey,
    names: NameCheck,
}

/// A course and its packages, of which the class is read in three stages: who, what applies to each, who is graded now.
pub(super) struct ClassReader<'a> {
    pub(super) course: &'a Course,
    pub(super) packages: &'a [LoadedPackage],
    pub(super) totals: &'a TotalPlan<'a>,
    pub(super) table: &'a LanguageTable,
    pub(super) request: ClassRequest<'a>,
}

impl ClassReader<'_> {
    /// Reads the class. Fails before anything is judged if the folder, the gradebook or a ruling does not fit.
    pub(super) fn read(&self, files: CourseFiles, on_event: &mut OnCourseEvent) -> Result<CourseClass> {
        if self.request.anonymous.is_none() {
            return self.read_class(files, on_event);
        }
        // The names to hide are known when the class is read.
        let mut lines: Vec<CourseEvent> = Vec::new();
        let class = self.read_class(files, &mut |event| match event {
            CourseEvent::Said(line) => lines.push(CourseEvent::Said(line)),
            CourseEvent::Warned(line) => lines.push(CourseEvent::Warned(line)),
            event => on_event(event),
        })?;
        for line in lines {
            on_event(match line {
                CourseEvent::Said(line) => CourseEvent::Said(class.shown_line(&line)),
                CourseEvent::Warned(line) => CourseEvent::Warned(class.shown_line(&line)),
                event => event,
            });
        }
        Ok(class)
    }

    fn read_class(&self, files: CourseFiles, on_event: &mut OnCourseEvent) -> Result<CourseClass> {
        // Before the hand-ins are read, which takes time.
        if let Some(out) = self.course.out_place() {
            match self.request.anonymous {
                Some(_) => refuse_named_report(out)?,
                None => refuse_anonymous_report(out)?,
            }
        }
        let CourseFiles { rulings, decisions, gradebook } = files;
        let members = self.read_members(gradebook, &decisions, on_event)?;
        let members = self.rule_members(members, &decisions, &rulings, on_event)?;
        self.choose_members(members, rulings, on_event)
    }

    /// Who is in the class, and what they handed in.
    fn read_members(
        &self,
        gradebook: Option<GradebookFile>,
        decisions: &Decisions,
        on_event: &mut OnCourseEvent,
    ) -> Result<ClassMembers> {
        let ClassReader { course, packages, table, request, .. } = self;
        let names = self.names();
        let downloads = read_downloads(course, request.layout, &names, gradebook.as_ref(), on_event)?;
        let layout = downloads.layout();
        let preferred = &course.entries();
        let rules = CohortRules { table, preferred, decisions, attempts: request.attempts };
        let mut members = downloads.members(packages, &rules)?;
        let book = gradebook.map(|book| book.open(&names, &members, layout)).transpose()?;
        if let Some(book) = &book {
            book.add_keys(platform_of(layout).numbers, &mut members);
        }
        let only = named_participants(request.only, &members)?;
        Ok(ClassMembers { layout, members, book, only })
    }

    /// What applies to each of them: decisions, lateness and time.
    fn rule_members(
        &self,
        mut class: ClassMembers,
        decisions: &Decisions,
        rulings: &Rulings,
        on_event: &mut OnCourseEvent,
    ) -> Result<RuledMembers> {
        let ClassReader { course, packages, table, .. } = self;
        let ClassMembers { layout, members, book, .. } = &mut class;
        let decided: Vec<_> = packages.iter().map(decided_package).collect();
        warn(decisions.decide(members, &decided)?, on_event);
        let mut worksheet = None;
        if let Some(book) = book {
            warn(book.similar_names().filter(|_| self.request.anonymous.is_none()), on_event);
            let lateness = book.lateness(members)?;
            // It is that of one download.
            worksheet = lateness.filter(|_| course.hand_ins.len() < 2);
        }
        course.give_time(table, members)?;
        let known = KnownLateness { worksheet: worksheet.as_ref(), layout: *layout, course };
        let mut ruled = rulings.rule(&known, packages, members)?;
        warn(ruled.warnings.drain(..), on_event);
        Ok(RuledMembers { class, ruled })
    }

    /// Who is graded now, without their names if these are hidden.
    fn choose_members(
        &self,
        ruled: RuledMembers,
        rulings: Rulings,
        on_event: &mut OnCourseEvent,
    ) -> Result<CourseClass> {
        let RuledMembers { class, ruled } = ruled;
        let ClassMembers { layout, mut members, book: mut gradebook, only } = class;
        let hidden = self.open_hidden_names(&members, gradebook.as_ref(), on_event)?;
        if let Some(only) = only {
            members.iter_mut().for_each(|class| class.retain(|one| only.contains(&one.name)));
        }
        if let Some(shard) = self.request.shard {
            keep_shard(shard, &mut members, on_event)?;
        }
        if let Some(HiddenNames { key, names }) = &hidden {
            hide_names(key, names, &mut members, on_event)?;
            rulings.check_anonymous(key)?;
        }
        self.keep_report_of_others(rulings.earlier(), &members)?;
        if let Some(book) = gradebook.as_mut().filter(|_| hidden.is_none()) {
            book.check(self.totals, &members)?;
        }
        let (extent, is_shard) = (self.extent(), self.request.shard.is_some());
        let hidden_names = hidden.map(|hidden| hidden.names);
        Ok(CourseClass { layout, members, gradebook, hidden_names, extent, is_shard, rulings, ruled })
    }

    /// The key, and what finds the names of all in texts: also of those who are not graded or have no hand-in.
    fn open_hidden_names(
        &self,
        members: &[Vec<Participant>],
        book: Option<&OpenGradebook>,
        on_event: &mut OnCourseEvent,
    ) -> Result<Option<HiddenNames>> {
        let Some(place) = self.request.anonymous else { return Ok(None) };
        let key = open_key(place, self.course.hand_in_place()?, self.course.out_place(), members, on_event)?;
        let mut names = key.name_check(members.iter().flatten());
        book.into_iter().flat_map(OpenGradebook::keys).for_each(|own| names.add(own));
        Ok(Some(HiddenNames { key, names }))
    }

    fn names(&self) -> Vec<String> {
        self.packages.iter().map(|one| one.name().to_owned()).collect()
    }

    fn extent(&self) -> ClassExtent {
        let is_whole = self.request.only.is_empty() && self.request.shard.is_none();
        if is_whole { ClassExtent::Whole } else { ClassExtent::Part }
    }

    /// Fails if --out has a report that this run would take participants or packages from.
    fn keep_report_of_others(
        &self,
        earlier: Option<&EarlierReport>,
        members: &[Vec<Participant>],
    ) -> Result<()> {
        let graded: BTreeSet<String> = members.iter().flatten().map(|one| one.name.clone()).collect();
        let packages = self.package_values();
        match (self.extent(), self.course.out_place()) {
            (ClassExtent::Part, Some(out)) => keep_others(out, &graded, &packages),
            (ClassExtent::Part, None) => Ok(()),
            (ClassExtent::Whole, out) => refuse_single_download(out, earlier, &graded),
        }
    }

    fn package_values(&self) -> Vec<&Package> {
        self.packages.iter().map(|one| &one.package).collect()
    }
}

/// The participants that the teacher names; `None`: all are meant.
fn named_participants(only: &[String], classes: &[Vec<Participant>]) -> Result<Option<BTreeSet<String>>> {
    let mut named: Option<BTreeSet<String>> = None;
    for name in only {
        let found = people_called(classes, name).context("--only")?;
        ensure!(!found.is_empty(), "--only {name}: no such participant; {KNOWN_NAMES}");
        named.get_or_insert_default().extend(found);
    }
    Ok(named)
}

/// Keeps only the participants of one part of the class.
fn keep_shard(shard: Shard, classes: &mut [Vec<Participant>], on_event: &mut OnCourseEvent) -> Result<()> {
    let count = |classes: &[Vec<Participant>]| classes.iter().map(Vec::len).sum::<usize>();
    let all = count(classes);
    ensure!(all > 0, "--shard: there are no hand-ins");
    classes.iter_mut().for_each(|class| class.retain(|one| shard.has(one)));
    let part = format!("shard {shard} of the class: {} of {}", count(classes), counted(all, "participant"));
    on_event(CourseEvent::Said(part));
    if classes.iter().all(Vec::is_empty) {
        on_event(CourseEvent::Said("nothing to judge in this shard".to_owned()));
    }
    Ok(())
}
