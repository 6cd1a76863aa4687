//! A zip of version 2025-09 is the package, and reads as it does.

use super::{package, read, there_and_back};
use kopek::{
    pack::{PackRefusal, Target, pack, write_zip},
    package::Judge,
};
use std::{collections::BTreeMap, fs, os::unix::fs::symlink, path::Path};

const SUM: &[(&str, &str)] = &[
    (
        "problem.yaml",
        "problem_format_version: 2025-09\nname: Sum\nuuid: 8fd2f3f0-6dd1-4d0c-9f1a-2b6a7f4f3b11\ntype: scoring\n\
         limits: {time_limit: 2.0}\nconstants: {n: 7}\n",
    ),
    ("statement/problem.en.md", "At most {{n}}.\n"),
    ("input_validators/any.py", "exit(42 if 0 < {{n}} else 43)\n"),
    ("submissions/accepted/cat.py", "print(input())\n"),
    ("submissions/submissions.yaml", "accepted/cat.py: {}\n"),
    ("generators/more/gen.py", "print(1)\n"),
    ("generators/.cache", "x\n"),
    ("data/sample/1.in", "0\n"),
    ("data/sample/1.ans", "0\n"),
    ("data/secret/test_group.yaml", "{}\n"),
    ("data/secret/1/test_group.yaml", "{max_score: 100, input_validator_args: [\"{{n}}\"]}\n"),
    ("data/secret/1/1.in", "1\n"),
    ("data/secret/1/1.ans", "1\n"),
    ("data/secret/1/1.yaml", "hint: one\n"),
    ("data/invalid_input/1.in", "-\n"),
    (".git/HEAD", "x\n"),
];

fn digests(dir: &Path) -> BTreeMap<String, String> {
    let (_, tests) = read(dir);
    let all = tests.cases.iter().map(|case| (case.name.clone(), case.digest.to_string()));
    all.chain(tests.validation.iter().map(|one| (one.case.name.clone(), one.case.digest.to_string())))
        .collect()
}

#[test]
fn the_zip_reads_as_the_package_does() {
    let home = package(SUM);
    let dir = home.path().join("sum");
    symlink("1.in", dir.join("data/secret/1/2.in")).unwrap();
    symlink("1.ans", dir.join("data/secret/1/2.ans")).unwrap();
    let packed = there_and_back(&home, Target::Icpc);
    assert_eq!(packed.file_name().unwrap(), "sum");
    assert_eq!(digests(&packed), digests(&dir));
    let text = |path: &str| fs::read_to_string(packed.join(path)).unwrap();
    assert_eq!(text("input_validators/any.py"), "exit(42 if 0 < 7 else 43)\n");
    assert!(text("data/secret/1/test_group.yaml").contains("\"7\""));
    assert_eq!(text("statement/problem.en.md"), "At most {{n}}.\n", "readers fill in statements");
    assert_eq!(text("generators/more/gen.py"), "print(1)\n");
    assert!(!packed.join(".git").exists() && !packed.join("generators/.cache").exists());
    assert!(!fs::symlink_metadata(packed.join("data/secret/1/2.in")).unwrap().is_symlink());
}

#[test]
fn the_files_of_a_checker_lie_where_other_readers_look_for_them() {
    for (files, packed) in [
        (&["output_validator/c/__main__.py", "output_validator/c/more.py"][..], "__main__.py more.py"),
        (&["output_validator/c/original.cpp", "output_validator/c/adapter.cpp"], "adapter.cpp original.cpp"),
        (&["output_validator/c/main.rs", "output_validator/c/words.rs"], "main.rs words.rs"),
        // kopek would read two programs.
        (&["output_validator/c/A.java", "output_validator/c/B.java"], "c"),
    ] {
        let files: Vec<(&str, &str)> = files.iter().map(|file| (*file, "\n")).collect();
        let home = package(&[SUM, &files].concat());
        let dir = there_and_back(&home, Target::Icpc);
        let found = fs::read_dir(dir.join("output_validator")).unwrap();
        let mut found: Vec<String> =
            found.map(|file| file.unwrap().file_name().into_string().unwrap()).collect();
        found.sort();
        assert_eq!(found.join(" "), packed);
        let programs = |dir: &Path| match read(dir).0.judge {
            Judge::Programs { programs, .. } => programs[0].source.files.clone(),
            Judge::Default => panic!("{dir:?} has a validator"),
        };
        assert_eq!(programs(&dir), programs(&home.path().join("sum")));
        let (package, tests) = read(&home.path().join("sum"));
        let notes = pack(&package, &tests, Target::Icpc, None).unwrap().notes;
        let is_said = notes.iter().any(|note| note.what == "an output validator in a directory of its own");
        assert_eq!(is_said, packed == "c", "{notes:?}");
    }
}

#[test]
fn nothing_is_lost_and_equal_packages_make_equal_bytes() {
    let home = package(SUM);
    let bytes = |name: &str| {
        let (package, tests) = read(&home.path().join("sum"));
        let bundle = pack(&package, &tests, Target::Icpc, None).unwrap();
        assert_eq!(
            (bundle.file_name().as_str(), bundle.notes.len()),
            ("sum-icpc.zip", 0),
            "{:?}",
            bundle.notes
        );
        write_zip(&bundle, &home.path().join(name)).unwrap();
        fs::read(home.path().join(name)).unwrap()
    };
    assert_eq!(bytes("1.zip"), bytes("2.zip"));
}

#[test]
fn only_packages_of_that_version_are_packed() {
    for (head, why) in
        [("", "as `bt upgrade` of BAPCtools does"), ("problem_format_version: 2023-07-draft\n", "a draft")]
    {
        let home = package(SUM);
        let dir = home.path().join("sum");
        let manifest = fs::read_to_string(dir.join("problem.yaml")).unwrap();
        let manifest =
            manifest.replace("problem_format_version: 2025-09\n", head).replace("constants: {n: 7}\n", "");
        fs::write(dir.join("problem.yaml"), manifest).unwrap();
        if head.is_empty() {
            fs::rename(dir.join("statement"), dir.join("problem_statement")).unwrap();
            fs::write(dir.join("problem.yaml"), "name: Sum\n").unwrap();
            fs::remove_dir_all(dir.join("data/invalid_input")).unwrap();
            fs::remove_file(dir.join("data/secret/1/test_group.yaml")).unwrap();
            fs::remove_file(dir.join("data/secret/test_group.yaml")).unwrap();
            fs::remove_file(dir.join("data/secret/1/1.yaml")).unwrap();
        }
        let (package, tests) = read(&dir);
        let error = pack(&package, &tests, Target::Icpc, None).unwrap_err();
        let refused = error.downcast_ref::<PackRefusal>().unwrap();
        assert!(refused.to_string().contains(why), "{refused}");
    }
}
