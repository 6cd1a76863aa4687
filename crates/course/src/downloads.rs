//! The hand-ins of a course: one download for all problems, or one for each, whose people are the same class.

use super::{
    class_gradebook::GradebookFile,
    course::Course,
    course_event::{CourseEvent, OnCourseEvent, warn},
    platforms::platform_of,
};
use anyhow::{Result, bail, ensure};
use kopek_base::wording::{counted, one_line};
use kopek_class::{Cohort, CohortRules, HandInLayout, Team, TeamMember};
use kopek_judge::loading::LoadedPackage;
use kopek_package::package::{HandIn, NoSubmission, Participant};
use kopek_results::PersonKey;
use kopek_sentences::Said;
use std::collections::{BTreeMap, BTreeSet};

/// The hand-ins as they were downloaded, with the people's names.
pub(super) struct Downloads(Vec<Cohort>);

/// Reads the downloads, with the names of the gradebook and the members of teams. Fails if there is another number of
/// them than of packages, or if they come from different platforms.
pub(super) fn read_downloads(
    course: &Course,
    layout: Option<HandInLayout>,
    packages: &[String],
    gradebook: Option<&GradebookFile>,
    on_event: &mut OnCourseEvent,
) -> Result<Downloads> {
    let places = course.hand_in_places();
    let shares: Vec<&[String]> = match places.len() {
        1 => vec![packages],
        _ => packages.chunks(1).collect(),
    };
    if let Some(last) = course.hand_ins.last() {
        ensure!(
            places.len() == shares.len(),
            "{}: `hand-ins` has {} for {}; give one for all problems, or one for each, in the order of `problems`",
            course.place(last),
            counted(places.len(), "download"),
            counted(packages.len(), "problem")
        );
    }
    let mut all: Vec<Cohort> = Vec::new();
    let mut absent: Vec<&String> = course.teams.keys().collect();
    for (place, packages) in places.into_iter().zip(shares) {
        let mut cohort = kopek_class::read(place, layout, packages)?;
        let layout = cohort.layout();
        if let Some(other) = all.first().filter(|other| other.layout() != layout) {
            let [first, second] = [other.layout(), layout].map(HandInLayout::name);
            bail!("{}: {second} layout, but the first download has the {first} layout", place.display());
        }
        if let Some(book) = gradebook {
            cohort.rename(&book.names(packages, layout)?);
        }
        let teams = find_teams(course, gradebook, packages, &cohort)?;
        let missing = cohort.split_teams(&teams)?;
        absent.retain(|team| missing.contains(&team.as_str()));
        // Names of files may have several lines.
        on_event(CourseEvent::Said(one_line(&cohort.summary())));
        warn(cohort.remarks().iter().map(|remark| one_line(remark)), on_event);
        all.push(cohort);
    }
    warn(absent.into_iter().map(|team| format!("team {}: no hand-in", one_line(team))), on_event);
    Ok(Downloads(all))
}

/// The teams of the file, and those that the gradebook has for these hand-ins, with the names of the gradebook.
fn find_teams(
    course: &Course,
    gradebook: Option<&GradebookFile>,
    packages: &[String],
    cohort: &Cohort,
) -> Result<Vec<Team>> {
    let mut teams = Vec::new();
    for (name, members) in &course.teams {
        let members = members.iter().map(|name| TeamMember { name: name.clone(), id: None }).collect();
        teams.push(Team { name: name.clone(), members });
    }
    match gradebook {
        Some(book) => book.with_teams(teams, packages, cohort),
        None => Ok(teams),
    }
}

impl Downloads {
    pub(super) fn layout(&self) -> HandInLayout {
        self.0[0].layout()
    }

    /// The hand-ins for each package; with several downloads, everyone has a place in each.
    pub(super) fn members(
        &self,
        packages: &[LoadedPackage],
        rules: &CohortRules,
    ) -> Result<Vec<Vec<Participant>>> {
        let mut members = Vec::new();
        for (at, one) in packages.iter().enumerate() {
            members.push(self.0[at.min(self.0.len() - 1)].participants(&one.package, rules)?);
        }
        if let [only] = self.0.as_slice() {
            only.check_programs(members.iter().flatten())?;
            return Ok(members);
        }
        for (cohort, class) in self.0.iter().zip(&members) {
            cohort.check_programs(class.iter())?;
        }
        let packages: Vec<&str> = packages.iter().map(LoadedPackage::name).collect();
        join(&mut members, &packages, self.layout())?;
        Ok(members)
    }
}

/// Makes one class of the classes of several downloads: the same number is the same person, or the same name where
/// numbers are others in each download. Fails if two people would become one.
fn join(classes: &mut [Vec<Participant>], packages: &[&str], layout: HandInLayout) -> Result<()> {
    let mut people: BTreeMap<String, Participant> = BTreeMap::new();
    let mut names_by_id: BTreeMap<String, String> = BTreeMap::new();
    for member in classes.iter_mut().flatten() {
        let Participant { name, hand_in, .. } = member;
        if platform_of(layout).numbers == Some(PersonKey::Participant) {
            ensure!(
                hand_in.shared_name.is_none(),
                "{name}: two participants have this name, and their numbers differ in each download; rename the files \
                    of one in all downloads"
            );
            hand_in.id = None;
        }
        if let Some(id) = &hand_in.id {
            *name = names_by_id.entry(id.clone()).or_insert_with(|| name.clone()).clone();
        }
        let known = people.entry(name.clone()).or_insert_with(|| member.clone());
        ensure!(
            known.hand_in.id == member.hand_in.id,
            "{}: two participants of the downloads have this name; rename the files of one",
            member.name
        );
    }
    for (class, package) in classes.iter_mut().zip(packages) {
        let present: BTreeSet<String> = class.iter().map(|member| member.name.clone()).collect();
        for other in people.values().filter(|one| !present.contains(&one.name)) {
            let why = NoSubmission::Absent(Said::NothingFor { package: package.to_string() });
            let HandIn { id, email, group, .. } = other.hand_in.clone();
            let hand_in = HandIn { id, email, group, ..HandIn::default() };
            class.push(Participant { hand_in, submission: Err(why), ..other.clone() });
        }
        // Stable: attempts stay in their order.
        class.sort_by(|a, b| a.name.cmp(&b.name));
    }
    Ok(())
}
