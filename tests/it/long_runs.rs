//! Tests that take long and need no quiet machine: ignored by default, several at once in `.ci/nightly`.

use crate::{
    grading::{
        claims::{CLASSES, is_undecided, read_claims},
        grade_class, json, lacks_toolchain,
    },
    importing::foreign_packages::{ForeignPackage, all_packages},
    languages::try_row,
    ordinary_user,
    packages::{
        running::SpecimenJudge,
        specimen::{self, Specimen},
    },
    problems::{most_undecided, packages},
    scratch, skip,
    surroundings::{self, Surroundings},
};
use kopek::language::LanguageTable;
use serde_json::Value;
use std::{
    collections::BTreeMap,
    path::Path,
    process::Command,
    sync::{
        Mutex,
        atomic::{AtomicUsize, Ordering},
    },
};

#[test]
#[ignore = "long: some forty seconds"]
fn the_example_classes_get_what_their_claims_say() {
    CLASSES.into_iter().for_each(gets_what_its_claims_say);
}

fn gets_what_its_claims_say(class: &str) {
    let (claims, store) = (read_claims(class), scratch::store());
    let output = grade_class(class, &store, "json").output().unwrap();
    let graded = json(&output);
    assert_eq!(graded["package"], claims.package.as_str());
    let maxima: Vec<u64> =
        graded["groups"].as_array().unwrap().iter().filter_map(|g| g["max"].as_u64()).collect();
    assert_eq!(maxima, claims.groups);
    let rows: BTreeMap<&str, &Value> = graded["participants"]
        .as_array()
        .unwrap()
        .iter()
        .map(|row| (row["name"].as_str().unwrap(), row))
        .collect();
    assert_eq!(rows.keys().copied().collect::<Vec<_>>(), claims.participants.keys().collect::<Vec<_>>());
    let mut undecided = Vec::new();
    for (name, claim) in &claims.participants {
        let row = rows[name.as_str()];
        if lacks_toolchain(&claim.language) {
            assert!(row["points"].is_null(), "{name}: a missing toolchain is no verdict");
            continue;
        }
        // A program far below its limit gets a verdict even on the busiest machine.
        let may_be_slow = claim.verdicts.iter().any(|verdict| verdict == "TLE");
        if row["points"].is_null() && may_be_slow && is_undecided(name, &graded) {
            undecided.push(name);
            continue;
        }
        assert_eq!(row["points"], claim.points.iter().sum::<u64>(), "{name}: {row:#}");
        assert_eq!(row["language"], claim.language.as_str(), "{name}");
        let verdict = row["verdict"].as_str().unwrap_or("none");
        assert!(claim.verdicts.iter().any(|v| v == verdict), "{name}: {verdict}, not {:?}", claim.verdicts);
    }
    assert!(undecided.len() <= most_undecided(), "{undecided:?}");
    if graded["faults"].as_array().unwrap().is_empty() {
        a_second_run_does_nothing(class, &store, &graded);
    }
}

fn a_second_run_does_nothing(class: &str, store: &Path, first: &Value) {
    assert_eq!(
        json(&grade_class(class, store, "json").output().unwrap())["participants"],
        first["participants"]
    );
    let text = String::from_utf8(grade_class(class, store, "text").output().unwrap().stdout).unwrap();
    assert!(text.contains(" 0 jobs done"), "{text}");
}

#[test]
#[ignore = "long: some thirty seconds"]
fn every_specimen_runs_as_it_says() {
    let specimens: Vec<Specimen> =
        specimen::all().into_iter().filter(|specimen| specimen.run().is_some()).collect();
    assert!(specimens.len() >= 40, "only {} specimens run", specimens.len());
    let judge = SpecimenJudge::open();
    let faults: Vec<String> = specimens.iter().filter_map(|specimen| judge.differences(specimen)).collect();
    assert!(faults.is_empty(), "{} of {} specimens:\n{}", faults.len(), specimens.len(), faults.join("\n"));
}

#[test]
#[ignore = "long: some twenty seconds"]
fn every_specimen_that_says_so_keeps_its_claims_when_judged() {
    let judged: Vec<ForeignPackage> =
        all_packages().into_iter().filter(|specimen| specimen.expected.sound).collect();
    assert!(judged.len() >= 5, "only {} specimens are judged", judged.len());
    let faults: Vec<String> = judged.iter().filter_map(ForeignPackage::unsound).collect();
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}

#[test]
#[ignore = "long: some twenty seconds"]
fn all_of_it_holds_for_an_ordinary_user() {
    if ordinary_user::is_root() {
        ordinary_user::run_tests(&["sandbox::", "--skip", "ordinary_user"]);
    }
}

#[test]
#[ignore = "long: some thirty seconds"]
fn screens_of_contestants_are_the_same_without_cgroups() {
    let place = Surroundings::OneId;
    if place.can_be_had() {
        surroundings::run_tests(place, &["home::"]);
    }
}

#[test]
#[ignore = "long: some twenty seconds"]
fn generated_files_are_those_of_the_locks() {
    for package in packages() {
        assert!(package.join("generators/lock.toml").is_file(), "{} has no lock", package.display());
    }
    let mut check = Command::new(env!("CARGO_BIN_EXE_kopek"));
    check.arg("generate").arg("--check").args(packages()).arg("--store").arg(scratch::store());
    let output = check.output().unwrap();
    let report = String::from_utf8_lossy(&output.stdout);
    assert!(output.status.success(), "{report}\n{}", String::from_utf8_lossy(&output.stderr));
}

#[test]
#[ignore = "long: some thirty seconds"]
fn every_rows_samples_end_as_they_should_with_the_real_toolchain() {
    let table = LanguageTable::embedded();
    let (next, wrong) = (AtomicUsize::new(0), Mutex::new(vec![]));
    let work = || {
        while let Some(language) = table.languages().get(next.fetch_add(1, Ordering::Relaxed)) {
            match try_row(&table, language) {
                Ok(None) => {}
                // Where everything is required, only an optional row may be missing.
                Ok(Some(missing)) => skip::note(&format!("skipped: {missing}")),
                Err(what) => wrong.lock().unwrap().push(format!("{}: {what}", language.name)),
            }
        }
    };
    std::thread::scope(|scope| {
        for _ in 0..std::thread::available_parallelism().map_or(1, usize::from) {
            scope.spawn(work);
        }
    });
    let wrong = wrong.into_inner().unwrap();
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
