//! Setup of hunts for planted mistakes: a machine with its own store, packages, files.

use kopek::{
    exec::Engine,
    generate::{GenerationMode, generate},
    language::{LanguageTable, SourceFiles},
    machine::{Machine, available_cpus},
    package::{Package, Participant, Submission, TestSet},
    sandbox::Sandbox,
    store::Store,
    toolchains::Search,
};
use std::{
    env, fs,
    path::{Path, PathBuf},
    process::Command,
};

pub fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

pub fn number_of(variable: &str, otherwise: u64) -> u64 {
    env::var(variable).map_or(otherwise, |text| text.parse().expect("a number"))
}

pub fn open_machine(store: &Path) -> Machine {
    let search = Search {
        path: env::var_os("PATH").unwrap_or_default(),
        home: env::var_os("HOME").map(PathBuf::from),
        ..Search::default()
    };
    let sandbox = Sandbox::open(Path::new(env!("CARGO_BIN_EXE_kopek"))).unwrap();
    let store = Store::open(store).unwrap();
    Machine::new(sandbox, store, LanguageTable::embedded(), search, available_cpus())
}

/// Works on a copy, because cases are generated in the package.
pub fn load_package(engine: &Engine, dir: &Path, home: &Path) -> (Package, TestSet) {
    let name = dir.file_name().expect("a directory has a name");
    let problems = root().join("problems");
    let from = if dir.join("problem.yaml").exists() { dir.to_owned() } else { problems.join(name) };
    // Links of problems lead to shared files.
    let shared = home.join("packages");
    fs::create_dir_all(&shared).unwrap();
    for one in [&from, &problems.join("shared")] {
        assert!(Command::new("cp").arg("-a").arg(one).arg(&shared).status().unwrap().success());
    }
    let package = kopek::package::read(&shared.join(name)).unwrap().package.expect("a package");
    let made = generate(&package, engine, GenerationMode::Stale, &mut |_| ()).unwrap();
    assert!(made.is_sound(), "{:?} {:?}", made.findings, made.faults);
    let (tests, _) = kopek::package::read_tests(&package).unwrap();
    (package, tests)
}

/// A participant who submits this file.
pub fn participant_of(path: &Path, name: String) -> Participant {
    let file = path.file_name().expect("a file has a name").to_string_lossy();
    let root = path.parent().expect("a file has a parent").to_owned();
    let source = SourceFiles { root, files: vec![file.as_ref().into()] };
    let (language, entry) = (None, None);
    Participant::from(&Submission { name, source, contents: None, language, entry, tags: Vec::new() })
}

pub fn median<T: Copy + PartialOrd>(values: impl Iterator<Item = T>) -> Option<T> {
    let mut values: Vec<T> = values.collect();
    values.sort_by(|one, other| one.partial_cmp(other).expect("values have an order"));
    values.get(values.len() / 2).copied()
}
