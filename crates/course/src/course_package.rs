//! The packages of a course: reads them, and what a course needs to know of each.

use super::{
    course_event::{CourseEvent, OnCourseEvent},
    course_points::{PackageMax, PointRules},
};
use anyhow::{Result, bail};
use kopek_base::wording::limit_text;
use kopek_class::DecidedPackage;
use kopek_engine::exec::Engine;
use kopek_judge::{
    grade::{rules, run_limits},
    loading::{LoadedPackage, load_package},
};
use kopek_package::{
    package::{Message, Package},
    points::Points,
    verdict::Verdict,
};
use kopek_plan::score::{LegacyReading, refused_scorecard};
use kopek_results::{Noticed, Notices};
use std::path::{Path, PathBuf};
use walkdir::WalkDir;

/// Reads packages, and meanwhile identifies the toolchains of the hand-ins on idle CPUs. Fails if two packages have
/// one name: hand-ins, reports and decisions know packages by name.
pub(super) fn load_packages(
    engine: &Engine,
    dirs: &[PathBuf],
    hand_ins: &[&Path],
    on_event: &mut OnCourseEvent,
) -> Result<Noticed<Vec<LoadedPackage>>> {
    let load = || -> Result<Noticed<Vec<LoadedPackage>>> {
        let mut notices = Notices::default();
        let mut all = Vec::new();
        for dir in dirs {
            let mut on_step = |step| on_event(CourseEvent::Generating(step));
            all.push(load_package(dir, engine, &mut on_step)?.note_in(&mut notices));
        }
        Ok(Noticed { value: all, notices })
    };
    let loaded = engine.machine.with_toolchains_of(&file_names(hand_ins), load)?;
    check_names(&loaded.value)?;
    Ok(loaded)
}

/// The names of the files in these folders, up to a limit.
fn file_names(folders: &[&Path]) -> Vec<String> {
    const MAX_COUNT: usize = 10_000;
    let files = folders.iter().flat_map(WalkDir::new).flatten().filter(|entry| entry.file_type().is_file());
    files.take(MAX_COUNT).map(|entry| entry.file_name().to_string_lossy().into_owned()).collect()
}

fn check_names(loaded: &[LoadedPackage]) -> Result<()> {
    for (at, one) in loaded.iter().enumerate() {
        if let Some(other) = loaded[..at].iter().find(|other| other.name() == one.name()) {
            let dirs = [&other.package.dir, &one.package.dir].map(|dir| dir.display().to_string());
            bail!(
                "two packages are called {}: {}; give one of them, or rename a folder",
                one.name(),
                dirs.join(" and ")
            );
        }
    }
    Ok(())
}

/// A warning of a time limit that no author chose.
pub(super) fn no_limit_warning(package: &Package) -> Option<Message> {
    if package.limits.time.is_some() || package.kind.submit_answer {
        return None;
    }
    let limit = limit_text(run_limits(package).cpu);
    let what = format!("problem.yaml has no time limit, so it is {limit} here; `kopek limits` proposes one");
    Some(Message::package_warning(&package.name, what))
}

/// Warns of packages that count for 1 point beside packages that give more, unless the course sets their weights.
pub(super) fn verdict_warnings(all: &[LoadedPackage], points: &PointRules) -> Vec<Message> {
    let decided: Vec<DecidedPackage> = all.iter().map(decided_package).collect();
    let one = Points::one();
    let gives_more = |one_of: &&DecidedPackage| one_of.card.max.as_ref().is_none_or(|max| *max > one);
    let Some(other) = decided.iter().find(gives_more) else { return Vec::new() };
    let is_open = |one_of: &&DecidedPackage| !one_of.scoring && !points.weights.contains_key(&one_of.name);
    let warning = |DecidedPackage { name, .. }: &DecidedPackage| {
        let most = other.card.max.as_ref().map_or(String::new(), |max| format!(" {max}"));
        let what = format!(
            "gives a verdict, which counts as 1 point of the total, beside the{most} of {}; \
             add `weights = {{ \"{name}\" = …}}` to [points]",
            other.name
        );
        Message::package_warning(name, what)
    };
    decided.iter().filter(is_open).map(warning).collect()
}

/// Its groups, and what they give at most.
pub(super) fn decided_package(one: &LoadedPackage) -> DecidedPackage {
    let rules = rules(&one.package, &one.tests, LegacyReading::Kattis);
    DecidedPackage {
        name: one.package.name.clone(),
        scoring: rules.scoring,
        card: refused_scorecard("", &rules, Verdict::NoProgram),
    }
}

pub fn package_max(one: &LoadedPackage) -> PackageMax {
    let DecidedPackage { name, card, .. } = decided_package(one);
    PackageMax { package: name, max: card.max }
}
