//! Chapter: packing. A package as other judges take it is worth what it was worth here.

mod autograder;
mod flagship;
mod icpc;
mod losses;
mod odd_names;
mod own_archives;
mod refusals;
mod students;
mod worth;

use crate::scratch;
use kopek::{
    pack::{Target, pack, write_zip},
    package::{self, Level, Package, TestSet},
    start_template::{PackageTemplate, TemplateKind},
};
use std::{
    fs::{self, File},
    path::{Path, PathBuf},
};
use tempfile::TempDir;
use zip::ZipArchive;

/// Writes files into a package `sum` below a new directory.
fn package(files: &[(&str, &str)]) -> TempDir {
    let home = tempfile::tempdir().unwrap();
    for (path, text) in files {
        let path = home.path().join("sum").join(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }
    home
}

/// Reads a package that must be as it should.
#[track_caller]
fn read(dir: &Path) -> (Package, TestSet) {
    let reading = package::read(dir).unwrap();
    let package = reading.package.unwrap();
    let (tests, found) = package::read_tests(&package).unwrap();
    let errors: Vec<String> = reading
        .findings
        .iter()
        .chain(&found)
        .filter(|finding| finding.level == Level::Error)
        .map(ToString::to_string)
        .collect();
    assert!(errors.is_empty(), "{}:\n{}", dir.display(), errors.join("\n"));
    (package, tests)
}

/// Packs the package `sum` of a directory and unpacks it again; where it lies now.
#[track_caller]
fn there_and_back(home: &TempDir, target: Target) -> PathBuf {
    let (package, tests) = read(&home.path().join("sum"));
    let bundle = pack(&package, &tests, target, None).unwrap();
    let zip = home.path().join(format!("{}.zip", target.name()));
    write_zip(&bundle, &zip).unwrap();
    let out = home.path().join(target.name());
    unpack(&zip, &out);
    out.join(bundle.root)
}

fn unpack(zip: &Path, out: &Path) {
    ZipArchive::new(File::open(zip).unwrap()).unwrap().extract(out).unwrap();
}

/// Names in a zip, in their order.
fn names(zip: &Path) -> Vec<String> {
    let zip = ZipArchive::new(File::open(zip).unwrap()).unwrap();
    zip.file_names().map(|name| name.unwrap().into_owned()).collect()
}

#[test]
fn a_contest_is_packed_with_labels_colours_and_the_list_to_import() {
    let home = tempfile::tempdir().unwrap();
    let package = home.path().join("two-ends");
    kopek::start::create(&package, PackageTemplate::usual(TemplateKind::PassFail)).unwrap();
    std::fs::write(package.join("domjudge-problem.ini"), "points = '7'\ncolor = 'red'\n").unwrap();
    let list = home.path().join("problemset.yaml");
    std::fs::write(&list, "problemset:\n- {letter: Q, short-name: two-ends, rgb: '#00ff00'}\n").unwrap();
    let pack = |output: &str| {
        let mut command = std::process::Command::new(env!("CARGO_BIN_EXE_kopek"));
        command.current_dir(home.path()).args(["pack", "--contest", "problemset.yaml", "--for", "domjudge"]);
        command.args(["--output", output]).env("KOPEK_STORE", scratch::store()).output().unwrap()
    };
    let output = pack("out/");
    assert!(matches!(output.status.code(), Some(0 | 1)), "{}", String::from_utf8_lossy(&output.stderr));
    let list = std::fs::read_to_string(home.path().join("out/problems.yaml")).unwrap();
    for line in ["id: \"two-ends\"", "label: \"Q\"", "name: \"Two Ends\"", "rgb: \"#00ff00\""] {
        assert!(list.replace('\'', "\"").contains(line), "{line}: {list}");
    }
    let unpacked = home.path().join("unpacked");
    unpack(&home.path().join("out/two-ends-domjudge.zip"), &unpacked);
    let settings = std::fs::read_to_string(unpacked.join("domjudge-problem.ini")).unwrap();
    // DOMjudge would take its name for the problem from that of the zip.
    let names = "externalid = 'two-ends'\nshort-name = 'Q'\n";
    assert_eq!(settings, format!("points = '7'\n{names}color = '#00ff00'\n"));
}
