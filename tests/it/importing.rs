//! Chapter: import. Every specimen of `testdata/import` becomes the package, or is
//! refused with the words, that its `expected.toml` names; some are judged for real.

mod adapters;
mod cms_tasks;
mod courses;
mod domjudge_folders;
pub mod foreign_packages;
mod hostile_archives;

use foreign_packages::{ForeignPackage, all_packages, kopek};
use kopek::import::Regenerate;

#[test]
fn every_specimen_becomes_what_it_expects() {
    let specimens = all_packages();
    assert!(specimens.len() >= 25, "only {} specimens", specimens.len());
    let faults: Vec<String> = specimens.iter().filter_map(ForeignPackage::difference).collect();
    assert!(faults.is_empty(), "{} of {} specimens:\n{}", faults.len(), specimens.len(), faults.join("\n"));
}

#[test]
fn hand_ins_get_the_points_that_the_other_system_would_give() {
    let scored: Vec<ForeignPackage> =
        all_packages().into_iter().filter(|specimen| !specimen.expected.points.is_empty()).collect();
    assert!(scored.len() >= 4, "only {} specimens have hand-ins", scored.len());
    let faults: Vec<String> = scored.iter().filter_map(ForeignPackage::wrong_points).collect();
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}

#[test]
fn the_report_is_for_people_and_for_programs() {
    let specimen = foreign_packages::named("polygon-sum");
    let (home, output) = specimen.import_by_command(&[]);
    let text = String::from_utf8(output.stdout).unwrap();
    let target = home.path().join("made");
    assert!(text.starts_with(&format!("imported a Polygon package into {}\n", target.display())), "{text}");
    assert!(text.contains("\nlost\n") && text.contains("\nchanged\n"), "{text}");
    assert!(text.ends_with(&format!("\nnext: kopek verify {}\n", target.display())), "{text}");
    let wide = text.lines().filter(|line| !line.contains("/made")).find(|line| line.chars().count() > 80);
    assert_eq!(wide, None);
    let (_home, output) = specimen.import_by_command(&["--format", "json"]);
    let json: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(json["kind"], "polygon");
    for change in json["changes"].as_array().unwrap() {
        let full = ["loss", "at", "what", "instead"]
            .iter()
            .all(|key| change[key].as_str().is_some_and(|text| !text.is_empty()));
        assert!(full, "{change}");
    }
}

#[test]
fn an_existing_target_is_refused_and_left_alone() {
    let specimen = foreign_packages::named("polygon-sum");
    let (home, _) = specimen.import(Regenerate::Missing);
    let made = home.path().join("made");
    std::fs::write(made.join("mine.txt"), "mine").unwrap();
    let output = kopek(&["import".as_ref(), specimen.source().as_os_str(), made.as_os_str()], home.path());
    assert_eq!(output.status.code(), Some(2));
    let message = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(message.contains("exists already: name another directory, or remove it"), "{message}");
    assert_eq!(std::fs::read_to_string(made.join("mine.txt")).unwrap(), "mine");
}

#[test]
fn without_a_target_the_directory_has_the_name_of_the_problem() {
    let specimen = foreign_packages::named("cms-grader");
    let home = tempfile::tempdir().unwrap();
    let output = kopek(&["import".as_ref(), specimen.source().as_os_str()], home.path());
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    assert!(home.path().join("grado/problem.yaml").exists());
    let left: Vec<_> =
        std::fs::read_dir(home.path()).unwrap().map(|entry| entry.unwrap().file_name()).collect();
    assert_eq!(left, ["grado"], "nothing else is left behind");
}

#[test]
fn the_same_source_becomes_the_same_package() {
    let specimen = foreign_packages::named("polygon-groups");
    let manifest = || {
        let (home, _) = specimen.import(Regenerate::Missing);
        std::fs::read_to_string(home.path().join("made/problem.yaml")).unwrap()
    };
    assert_eq!(manifest(), manifest());
}

#[test]
fn tests_are_made_again_on_request() {
    let specimen = foreign_packages::named("polygon-sum");
    let (home, imported) = specimen.import(Regenerate::All);
    imported.unwrap();
    let recipe = std::fs::read_to_string(home.path().join("made/generators/generators.yaml")).unwrap();
    assert!(recipe.contains("\"03\": {generate: gen 7 8}"), "{recipe}");
    assert!(recipe.contains("\"01\": {copy: manual/01}"), "{recipe}");
}
