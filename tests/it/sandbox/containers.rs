//! Where containers run: without namespaces, without cgroups, with one id, with a covered `/proc`.
//! The strongest mode that can be had is taken, is named, works, and leaves nothing behind.

use super::*;
use crate::surroundings::{self, SharedCopy, Surroundings};
use std::{fs, path::Path, process::Output};

/// Runs `kopek` there.
fn kopek_in(inside: Surroundings, home: &Path, arguments: &[&str]) -> Output {
    kopek_with(inside, (home, home), arguments)
}

/// Runs `kopek` there, in a home and with a place for temporary files.
fn kopek_with(inside: Surroundings, (home, temporary): (&Path, &Path), arguments: &[&str]) -> Output {
    let copy = SharedCopy::make();
    let (kopek, tests) = (copy.kopek(), copy.tests());
    let words: Vec<&str> = [kopek.as_str()].into_iter().chain(arguments.iter().copied()).collect();
    let mut command = inside.command(&tests, &words);
    let store = home.join("store");
    command.env("TMPDIR", temporary).env("KOPEK_STORE", store).current_dir(home).output().unwrap()
}

fn text_of(output: &Output) -> String {
    [&output.stdout, &output.stderr].map(|bytes| String::from_utf8_lossy(bytes).into_owned()).concat()
}

#[test]
fn the_doctor_names_the_strongest_mode_of_each_place() {
    let as_root = ordinary_user::is_root();
    let in_container = if as_root { "root, Landlock, no cgroup" } else { "user, Landlock, no cgroup" };
    let one_id = "root without other users, namespaces, no cgroup";
    let places = [
        (Surroundings::Container, in_container, "in a container, start it with"),
        (Surroundings::OneId, one_id, "no other user is available"),
        (Surroundings::CoveredProc, one_id, "programs that need /proc see other processes"),
    ];
    for (place, mode, remark) in places.into_iter().filter(|(place, ..)| place.can_be_had()) {
        let home = tempfile::tempdir().unwrap();
        let text = text_of(&kopek_in(place, home.path(), &["doctor"]));
        if place == Surroundings::Container && modes::without_namespaces().is_none() {
            continue;
        }
        assert!(text.contains(&format!("Isolation: {mode}\n")), "{place:?}: {text}");
        let words = text.split_whitespace().collect::<Vec<_>>().join(" ");
        assert!(words.contains(remark), "{place:?}: {text}");
        assert_eq!(fs::read_dir(home.path()).unwrap().count(), 0, "{place:?}");
    }
}

#[test]
fn where_neither_namespaces_nor_landlock_are_nothing_is_run() {
    let home = tempfile::tempdir().unwrap();
    let done = kopek_in(Surroundings::OldContainer, home.path(), &["doctor"]);
    let text = text_of(&done);
    assert_eq!(done.status.code(), Some(2), "{text}");
    for line in ["this machine cannot isolate programs", "make namespaces", "Landlock", "remedy: "] {
        assert!(text.contains(line), "{text}");
    }
    assert!(!text.contains("cgroup2"), "cgroups would not help: {text}");
    assert_eq!(fs::read_dir(home.path()).unwrap().count(), 0, "half a box is left");
}

#[test]
fn a_closed_temporary_folder_is_named_where_programs_are_other_users_without_namespaces() {
    use std::os::unix::fs::PermissionsExt;
    if !ordinary_user::is_root() || modes::without_namespaces().is_none() {
        return;
    }
    let home = tempfile::tempdir().unwrap();
    fs::set_permissions(home.path(), fs::Permissions::from_mode(0o700)).unwrap();
    let text = text_of(&kopek_in(Surroundings::Container, home.path(), &["doctor"]));
    let wanted = format!("other users cannot enter {}; run `chmod o+x", home.path().display());
    assert!(text.contains(&wanted), "{text}");
}

/// A package whose solution says what the judge says.
const TALK: [(&str, &str); 9] = [
    (
        "problem.yaml",
        "problem_format_version: 2025-09\ntype: interactive\nname: Talk\nlicense: cc0\n\
         uuid: 7e1f32ca-8a92-4f1f-9c1e-0123456789ac\nlimits: {time_limit: 1}\n",
    ),
    ("statement/problem.en.md", "Say it.\n"),
    ("input_validators/any.py", "import sys\nsys.exit(42 if sys.stdin.read() in ('1\\n', '2\\n') else 43)\n"),
    (
        "output_validator/judge.py",
        "import sys\nword = open(sys.argv[1]).read()\nprint(word, end='', flush=True)\n\
         sys.exit(42 if sys.stdin.read() == word else 43)\n",
    ),
    ("submissions/accepted/echo.py", "print(input())\n"),
    ("data/sample/1.in", "1\n"),
    ("data/sample/1.ans", ""),
    ("data/secret/1.in", "2\n"),
    ("data/secret/1.ans", ""),
];

#[test]
fn a_package_is_verified_in_each_place() {
    for place in [Surroundings::Container, Surroundings::OneId, Surroundings::CoveredProc] {
        if !place.can_be_had() || (place == Surroundings::Container && modes::without_namespaces().is_none())
        {
            continue;
        }
        let home = tempfile::tempdir().unwrap();
        for (path, text) in TALK {
            let path = home.path().join("talk").join(path);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, text).unwrap();
        }
        let done = kopek_in(place, home.path(), &["verify", "talk"]);
        let text = text_of(&done);
        let sound = text.lines().any(|line| line.split_whitespace().eq(["verdict", "sound"]));
        assert!(done.status.success() && sound, "{place:?}: {text}");
        let left: Vec<_> =
            fs::read_dir(home.path()).unwrap().map(|entry| entry.unwrap().file_name()).collect();
        assert_eq!(left.len(), 2, "{place:?} leaves more than the package and the store: {left:?}");
    }
}

/// Prints the answer if it can tell its size: it goes up from where its input, its program and itself are.
const SIZES_UP: &str = r#"
import os, sys
paths = [sys.argv[0], os.getcwd(), *os.environ.values()]
for link in ["fd/0", "fd/1", "exe", "cwd"]:
    try: paths.append(os.readlink("/proc/self/" + link))
    except OSError: pass
sizes = set()
for path in paths:
    while path not in ("", "/"):
        for place in (path[:-2] + "ans", path + "/data/secret/1.ans", path + "/talk/data/secret/1.ans"):
            try: sizes.add(os.stat(place).st_size)
            except OSError: pass
        path = os.path.dirname(path)
print({3: "no", 4: "yes"}.get(min(sizes, default=0), "cannot tell"))
"#;

#[test]
fn the_size_of_an_answer_is_not_found_without_namespaces() {
    let test = "sandbox::containers::the_size_of_an_answer_is_not_found_without_namespaces";
    if ordinary_user::is_root() {
        ordinary_user::run_tests(&["--exact", test]);
    }
    if modes::without_namespaces().is_none() {
        return;
    }
    let (home, temporary) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    let write = |path: &str, text: &str| {
        let path = home.path().join(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    };
    let yaml = "problem_format_version: 2025-09\nname: Yes or No\nuuid: 1\nlimits:\n  time_limit: 2\n";
    write("talk/problem.yaml", yaml);
    write("talk/data/secret/1.in", "5\n");
    write("talk/data/secret/1.ans", "yes\n");
    write("class/honest.py", "print('yes')\n");
    write("class/sizes_up.py", SIZES_UP);
    let places = (home.path(), temporary.path());
    let done = kopek_with(Surroundings::Container, places, &["grade", "talk", "class", "--format", "csv"]);
    let text = text_of(&done);
    let line = |who: &str| text.lines().find(|line| line.contains(who)).unwrap_or_else(|| panic!("{text}"));
    assert!(line("honest").contains(",AC,"), "{text}");
    assert!(line("sizes_up").contains(",WA,"), "{text}");
}

/// Tests of weak modes and of what holds everywhere.
const WEAK: [&str; 4] =
    ["sandbox::modes::without_namespaces", "sandbox::pairs::", "--skip", "whose_loader_is_missing"];

#[test]
fn limits_are_held_in_a_container() {
    if modes::without_namespaces().is_some() {
        surroundings::run_tests(Surroundings::Container, &WEAK);
    }
}
