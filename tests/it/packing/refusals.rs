//! Better no zip than a wrong one, and never half a zip.

use super::{names, package, read};
use crate::scratch;
use kopek::{
    pack::{NoteEffect, PackRefusal, Target, pack, write_zip},
    package::Level,
};
use std::{
    fs::{self, FileTimes},
    os::unix::fs::symlink,
    path::Path,
    process::Command,
    time::{Duration, SystemTime},
};
use tempfile::TempDir;

const PLAIN: &[(&str, &str)] = &[
    (
        "problem.yaml",
        "problem_format_version: 2025-09\nname: Sum\nuuid: 8fd2f3f0-6dd1-4d0c-9f1a-2b6a7f4f3b11\n",
    ),
    ("statement/problem.en.md", "Print it.\n"),
    ("input_validators/any.py", "exit(42)\n"),
    ("submissions/accepted/cat.py", "print(input())\n"),
    ("submissions/rejected/odd.py", "print(1)\n"),
    ("submissions/accepted/two/main.py", "import more\n"),
    ("submissions/accepted/two/more.py", "print(input())\n"),
    ("data/sample/1.in", "0\n"),
    ("data/sample/1.ans", "0\n"),
    ("data/secret/1.in", "1\n"),
    ("data/secret/1.ans", "1\n"),
];

fn plain(more: &[(&str, &str)]) -> TempDir {
    package(&[PLAIN, more].concat())
}

const HEAD: &str = "problem_format_version: 2025-09\nname: Sum\nuuid: 8fd2f3f0-6dd1-4d0c-9f1a-2b6a7f4f3b11\n";

#[test]
fn packages_that_a_system_cannot_judge_are_refused() {
    let both = [Target::Kattis, Target::Domjudge];
    let typed = |kind: &str| format!("{HEAD}type: {kind}\n");
    for (path, text, targets, why) in [
        ("kopek.toml", "[files]\ninput = \"a.in\"\noutput = \"a.out\"\n".to_owned(), &both[..], "kopek.toml"),
        ("problem.yaml", typed("submit-answer"), &both[..], "submit-answer"),
        ("problem.yaml", typed("multi-pass"), &both[..1], "multi-pass"),
        ("data/secret/1.yaml", "args: [x]\n".to_owned(), &both[..], "args"),
        ("data/secret/1.files/x", "x\n".to_owned(), &both[..], "secret/1.files"),
    ] {
        let home = plain(&[(path, &text), ("output_validator/v.py", "exit(42)\n")]);
        let (package, tests) = read(&home.path().join("sum"));
        for target in targets {
            let error = pack(&package, &tests, *target, None).unwrap_err();
            let refused = error.downcast_ref::<PackRefusal>().unwrap();
            assert_eq!(refused.reasons.len(), 1, "{refused}");
            assert!(refused.to_string().contains(why), "{refused}");
        }
    }
}

#[test]
fn links_are_resolved_and_those_that_leave_are_refused() {
    let home = plain(&[]);
    let dir = home.path().join("sum");
    fs::create_dir(home.path().join("shared")).unwrap();
    fs::write(home.path().join("shared/v.py"), "exit(43)\n").unwrap();
    symlink("../../shared/v.py", dir.join("input_validators/linked.py")).unwrap();
    let packed = super::there_and_back(&home, Target::Kattis);
    let linked = packed.join("input_validators/linked/linked.py");
    assert!(fs::symlink_metadata(&linked).unwrap().is_file());
    assert_eq!(fs::read_to_string(linked).unwrap(), "exit(43)\n");

    fs::create_dir(dir.join("attachments")).unwrap();
    symlink("/etc/hostname", dir.join("attachments/name")).unwrap();
    let (package, tests) = read(&dir);
    let error = format!("{:#}", pack(&package, &tests, Target::Kattis, None).unwrap_err());
    assert!(error.contains("attachments/name is a link out of the package"), "{error}");
}

/// Packs by the command: exit code and messages.
fn run_pack(dir: &Path, args: &[&str]) -> (i32, String) {
    let mut command = Command::new(env!("CARGO_BIN_EXE_kopek"));
    command.current_dir(dir).arg("pack").args(args);
    command.arg("--store").arg(scratch::store());
    let output = command.output().unwrap();
    (output.status.code().unwrap(), String::from_utf8_lossy(&output.stderr).into_owned())
}

#[test]
fn a_validator_that_links_away_makes_the_package_unsound() {
    let home = plain(&[]);
    symlink("/bin/true", home.path().join("sum/input_validators/away.py")).unwrap();
    let (code, message) = run_pack(home.path(), &["sum", "--for", "kattis"]);
    assert_eq!(code, 4, "{message}");
    assert!(message.contains("link out of the package") && message.contains("not packed"), "{message}");
    assert!(!home.path().join("sum-kattis.zip").exists());
}

#[test]
fn data_that_the_lock_does_not_know_is_not_packed() {
    let recipe = "solution: /submissions/accepted/cat.py\ndata:\n  sample:\n    data:\n      '1': {in: \"0\", ans: \"0\"}\n  \
                  secret:\n    data:\n      '1': {in: \"1\", ans: \"1\"}\n";
    let lock = "version = 1\n[files]\n";
    let home = plain(&[("generators/generators.yaml", recipe), ("generators/lock.toml", lock)]);
    let zip = home.path().join("sum-domjudge.zip");
    fs::write(&zip, "old").unwrap();
    let (code, message) = run_pack(home.path(), &["sum", "--for", "domjudge"]);
    assert_eq!(code, 2, "{message}");
    assert!(message.contains("generators/lock.toml") && message.contains("--update"), "{message}");
    assert_eq!(fs::read_to_string(zip).unwrap(), "old");
}

#[test]
fn each_target_has_its_zip_and_nothing_is_replaced_in_silence() {
    let home = plain(&[]);
    let pack = |args: &[&str]| run_pack(home.path(), &[&["sum"], args].concat());
    for system in ["kattis", "domjudge"] {
        let (code, message) = pack(&["--for", system]);
        assert!(code <= 1 && !message.contains("replaced"), "{message}");
        assert!(home.path().join(format!("sum-{system}.zip")).is_file(), "{system}");
        let (code, message) = pack(&["--for", system]);
        assert!(code <= 1 && message.contains(&format!("replaced sum-{system}.zip")), "{message}");
    }
    let (code, message) = pack(&["--for", "kattis", "-o", "sum/problem.yaml"]);
    assert!(code == 2 && message.contains("sum/problem.yaml exists and is not a zip"), "{message}");
    assert!(fs::read_to_string(home.path().join("sum/problem.yaml")).unwrap().contains("2025-09"));
}

#[test]
fn a_name_without_an_ending_is_a_folder_and_zips_of_other_systems_stay() {
    let home = plain(&[]);
    let pack = |args: &[&str]| run_pack(home.path(), &[&["sum"], args].concat());
    for system in ["kattis", "domjudge"] {
        let (code, message) = pack(&["--for", system, "--output", "pk"]);
        assert!(code <= 1, "{message}");
        assert!(home.path().join(format!("pk/sum-{system}.zip")).is_file(), "{system}: {message}");
    }
    let (code, message) = pack(&["--for", "kattis", "--output", "one.zip"]);
    assert!(code <= 1, "{message}");
    let written = fs::read(home.path().join("one.zip")).unwrap();
    let (code, message) = pack(&["--for", "domjudge", "--output", "one.zip"]);
    assert!(
        code == 2 && message.contains("one.zip is a zip for Kattis; choose another --output"),
        "{message}"
    );
    assert_eq!(fs::read(home.path().join("one.zip")).unwrap(), written);
}

#[test]
fn two_packages_of_one_name_are_not_packed_into_one_zip() {
    let home = plain(&[]);
    fs::create_dir(home.path().join("other")).unwrap();
    let copied =
        std::process::Command::new("cp").args(["-r", "sum", "other/"]).current_dir(home.path()).status();
    assert!(copied.unwrap().success());
    let (code, message) = run_pack(home.path(), &["sum", "other/sum", "--for", "kattis", "-o", "out/"]);
    assert!(code == 2 && message.contains("two packages"), "{message}");
}

#[test]
fn the_same_package_makes_the_same_bytes() {
    let home = plain(&[]);
    let dir = home.path().join("sum");
    let pack_to = |name: &str| {
        let (package, tests) = read(&dir);
        let path = home.path().join(name);
        write_zip(&pack(&package, &tests, Target::Domjudge, None).unwrap(), &path).unwrap();
        fs::read(path).unwrap()
    };
    let first = pack_to("first.zip");
    let times = FileTimes::new().set_modified(SystemTime::UNIX_EPOCH + Duration::from_secs(1 << 30));
    fs::File::options().write(true).open(dir.join("data/secret/1.in")).unwrap().set_times(times).unwrap();
    assert_eq!(first, pack_to("second.zip"));
    let left: Vec<_> = fs::read_dir(home.path()).unwrap().map(|entry| entry.unwrap().file_name()).collect();
    assert_eq!(left.len(), 3, "nothing is left beside the zips: {left:?}");
}

#[test]
fn a_failure_while_writing_leaves_the_old_zip() {
    let home = plain(&[]);
    let (package, tests) = read(&home.path().join("sum"));
    let bundle = pack(&package, &tests, Target::Kattis, None).unwrap();
    let zip = home.path().join("sum.zip");
    fs::write(&zip, "old").unwrap();
    fs::remove_file(home.path().join("sum/data/secret/1.in")).unwrap();
    let error = format!("{:#}", write_zip(&bundle, &zip).unwrap_err());
    assert!(error.contains("pack data/secret/1.in"), "{error}");
    assert_eq!(fs::read_to_string(zip).unwrap(), "old");
}

#[test]
fn submissions_lie_where_legacy_expects_them() {
    let home = plain(&[]);
    let (package, tests) = read(&home.path().join("sum"));
    let zip = home.path().join("d.zip");
    write_zip(&pack(&package, &tests, Target::Domjudge, None).unwrap(), &zip).unwrap();
    let names = names(&zip);
    for name in ["submissions/accepted/two/", "submissions/accepted/two/main.py", "submissions/mixed/odd.py"]
    {
        assert!(names.iter().any(|have| have == name), "{name}: {names:?}");
    }
    let out = home.path().join("out");
    super::unpack(&zip, &out);
    let source = fs::read_to_string(out.join("submissions/mixed/odd.py")).unwrap();
    assert!(source.ends_with("# @EXPECTED_RESULTS@: WRONG-ANSWER, TIMELIMIT, RUN-ERROR\n"), "{source}");
    let kattis = pack(&package, &tests, Target::Kattis, None).unwrap();
    assert!(
        kattis.notes.iter().any(|note| note.place == "submissions/rejected/odd.py"),
        "{:?}",
        kattis.notes
    );
}

#[test]
fn sources_with_one_name_or_another_encoding_are_packed_whole() {
    let home = plain(&[("submissions/mixed/odd.py", "print(2)\n")]);
    let latin = b"print('\xe4')\n";
    fs::write(home.path().join("sum/submissions/rejected/latin.py"), latin).unwrap();
    let packed = super::there_and_back(&home, Target::Domjudge).join("submissions/mixed");
    assert_eq!(fs::read(packed.join("latin.py")).unwrap(), latin);
    for (name, text) in [("odd.py", "print(2)\n"), ("rejected-odd.py", "print(1)\n")] {
        assert!(fs::read_to_string(packed.join(name)).unwrap().starts_with(text), "{name}");
    }
}

#[test]
fn a_validator_that_kattis_may_not_run_is_reported() {
    for (validator, losses) in [("v.py", 0), ("v.rs", 1)] {
        let home = plain(&[(&format!("output_validator/{validator}"), "\n")]);
        let (package, tests) = read(&home.path().join("sum"));
        let notes = pack(&package, &tests, Target::Kattis, None).unwrap().notes;
        let lost: Vec<_> = notes.iter().filter(|note| note.weight == NoteEffect::Results).collect();
        assert_eq!(lost.len(), losses, "{validator}: {lost:?}");
    }
}

#[test]
fn a_legacy_package_is_packed_as_it_is() {
    let home = package(&[
        ("problem.yaml", "name: Sum\nlimits: {memory: 64}\n"),
        ("problem_statement/problem.en.tex", "\\problemname{Sum}\n"),
        (".timelimit", "3\n"),
        ("input_validators/any.py", "exit(42)\n"),
        ("submissions/accepted/cat.py", "print(input())\n"),
        ("data/secret/1.in", "1\n"),
        ("data/secret/1.ans", "1\n"),
    ]);
    for target in [Target::Kattis, Target::Domjudge] {
        let packed = super::there_and_back(&home, target);
        let reading = kopek::package::read(&packed).unwrap();
        assert!(
            reading.findings.iter().all(|finding| finding.level == Level::Warning),
            "{:?}",
            reading.findings
        );
        let limits = reading.package.unwrap().limits;
        assert_eq!((limits.time, limits.memory.0), (Some(Duration::from_secs(3)), 64 << 20));
        assert_eq!(
            fs::read_to_string(packed.join("problem.yaml")).unwrap(),
            "name: Sum\nlimits: {memory: 64}\n"
        );
    }
}
