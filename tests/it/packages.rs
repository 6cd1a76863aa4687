//! Chapter: packages. Every specimen of `testdata/format` is read, and must show
//! exactly the findings that its `expected.toml` lists; those that say how they run
//! are run.

mod arbitrary_bytes;
mod large;
mod package_facts;
pub mod running;
pub mod specimen;

use specimen::Specimen;

#[test]
fn every_specimen_shows_exactly_the_findings_it_expects() {
    let specimens = specimen::all();
    assert!(specimens.len() >= 100, "only {} specimens", specimens.len());
    let faults: Vec<String> = specimens.iter().filter_map(Specimen::difference).collect();
    assert!(faults.is_empty(), "{} of {} specimens:\n{}", faults.len(), specimens.len(), faults.join("\n"));
}

#[test]
fn a_directory_without_problem_yaml_is_no_package() {
    let dir = tempfile::tempdir().unwrap();
    let error = kopek::package::read(dir.path()).unwrap_err();
    assert!(format!("{error:#}").contains("no problem.yaml"), "{error:#}");
    let error = kopek::package::read(&dir.path().join("gone")).unwrap_err();
    assert!(format!("{error:#}").contains("gone"), "{error:#}");
}

#[test]
fn a_package_without_secret_cases_says_what_to_do() {
    let specimen = specimen::named("data/no-cases-but-recipe");
    let dir = specimen.copy();
    let package = kopek::package::read(dir.path()).unwrap().package.unwrap();
    let error = kopek::package::read_tests(&package).unwrap_err();
    let none = error.downcast_ref::<kopek::package::NoCases>().unwrap();
    assert!(none.recipe && error.to_string().contains("run `kopek generate"), "{error}");
    assert_eq!(none.tests.cases.len(), 1, "the sample is inside");
}
