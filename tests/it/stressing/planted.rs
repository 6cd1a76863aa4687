//! Some of the mistakes of `testdata/strength`; `benches/strength.rs` hunts all of them.

use super::{inputs_of, kopek, report};
use crate::scratch;
use std::{
    fs,
    path::{Path, PathBuf},
};

fn copy_tree(from: &Path, to: &Path) {
    fs::create_dir_all(to).unwrap();
    for entry in fs::read_dir(from).unwrap() {
        let path = entry.unwrap().path();
        let copy = to.join(path.file_name().unwrap());
        match path.is_dir() {
            true => copy_tree(&path, &copy),
            false => assert!(fs::copy(&path, &copy).is_ok(), "{}", path.display()),
        }
    }
}

fn strength(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("testdata/strength").join(name)
}

/// Hunts these of a package in a copy of it.
#[track_caller]
fn assert_found(package: &str, mistakes: &[(&str, &str)]) {
    let home = tempfile::tempdir().unwrap();
    let dir = home.path().join(package);
    copy_tree(&strength(package), &dir);
    let path = |name: &str| dir.join("submissions").join(name).to_str().unwrap().to_owned();
    let files: Vec<String> = mistakes.iter().map(|(name, _)| path(name)).collect();
    let mut args = vec!["stress", dir.to_str().unwrap()];
    args.extend(files.iter().map(String::as_str));
    args.extend(["--format", "json", "--time", "600s", "--all"]);
    let report = report(&kopek(&scratch::store(), &args));
    let wanted: Vec<(&str, &str)> = mistakes
        .iter()
        .map(|(name, input)| (name.split_once('/').expect("below a directory").1, *input))
        .collect();
    assert_eq!(inputs_of(&report), wanted, "{report:#}");
}

#[test]
fn mistakes_in_texts_are_found_and_their_inputs_are_the_smallest() {
    assert_found(
        "twice-told",
        &[
            ("wrong_answer/one_letter.c", "a\n"),
            ("wrong_answer/no_overlap.c", "aaa\n"),
            ("wrong_answer/letters_to_y.c", "zz\n"),
        ],
    );
}

#[test]
fn mistakes_with_points_are_found_and_their_inputs_are_the_smallest() {
    assert_found(
        "rope",
        // The first input explains both.
        &[("wrong_answer/short_places.c", "2\n0 0\n0 32769\n"), ("wrong_answer/one_way.c", "2\n0 0\n0 1\n")],
    );
}

#[test]
fn mistakes_outside_of_the_recipe_are_found_too() {
    // Its commands always make roads.
    assert_found(
        "road-trips",
        &[("wrong_answer/no_roads.c", "2 0\n"), ("wrong_answer/loop_eats_road.c", "2 2\n1 1 1\n1 2 1\n")],
    );
}
