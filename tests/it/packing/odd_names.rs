//! Names and titles that a shell would obey: no value of a package reaches a script.

use super::{read, unpack};
use crate::handing_in::graded::{sums_package, write_file};
use kopek::{
    pack::{JudgeProgram, Target, TargetKind, pack, pack_autograder, pack_classroom50, write_zip},
    package::yaml::parse_text,
};
use std::{
    fs,
    os::unix::fs::PermissionsExt,
    path::{Path, PathBuf},
    process::Command,
};
use tempfile::TempDir;
use walkdir::WalkDir;

const ODD: &str = "$(touch pwned) \"'\\`;\n#";

fn odd_package() -> (TempDir, PathBuf) {
    let home = tempfile::tempdir().unwrap();
    let dir = home.path().join(ODD);
    sums_package(&dir);
    let manifest = fs::read_to_string(dir.join("problem.yaml")).unwrap();
    let title = serde_json::to_string(ODD).unwrap();
    write_file(&dir.join("problem.yaml"), &manifest.replace("name: Sums", &format!("name: {title}")));
    write_file(&dir.join("statement/problem.en.pdf"), "%PDF\n");
    write_file(&dir.join(format!("statement/{}.svg", ODD.replace('\n', ""))), "<svg/>\n");
    write_file(&dir.join("submissions/accepted/a.py"), "print(3)\n");
    (home, dir)
}

#[test]
fn every_system_gets_a_plain_name_and_the_whole_title() {
    let (home, dir) = odd_package();
    let (package, tests) = read(&dir);
    let converted = Target::ALL.iter().filter(|target| target.kind() == TargetKind::Converted);
    for target in converted.copied() {
        let bundle = pack(&package, &tests, target, None).unwrap();
        assert_eq!(bundle.file_name(), format!("touchpwned-{}.zip", target.code()));
        assert!(bundle.root.is_empty() || bundle.root == "touchpwned/", "{}", bundle.root);
        let zip = home.path().join("packed.zip");
        write_zip(&bundle, &zip).unwrap();
        unpack(&zip, &home.path().join(target.name()));
        let packed = home.path().join(target.name()).join(&bundle.root);
        let (file, key) = match target {
            Target::Kattis | Target::Domjudge | Target::Icpc => ("problem.yaml", "name"),
            Target::Cms => ("task.yaml", "title"),
            // The site asks for the title.
            _ => continue,
        };
        let text = fs::read_to_string(packed.join(file)).unwrap();
        let node = parse_text(Path::new(file), &text, &mut Vec::new()).unwrap();
        assert_eq!(node.get(key).unwrap().text(), Some(ODD), "{text}");
    }
    let settings = fs::read_to_string(home.path().join("DOMjudge/domjudge-problem.ini")).unwrap();
    assert!(settings.contains("externalid = 'touchpwned'\n"), "{settings}");
}

#[test]
fn autograders_run_nothing_of_a_name() {
    let (home, dir) = odd_package();
    let (package, _) = read(&dir);
    let judge = home.path().join("judge");
    write_file(&judge, "#!/bin/sh\necho \"$2\" >> seen\n[ -d \"$2\" ] && echo '{}'\n");
    fs::set_permissions(&judge, fs::Permissions::from_mode(0o755)).unwrap();
    write_file(&home.path().join("place/submission/a.py"), "print(1)\n");
    let url = format!("file://{}?\"'\\$(touch pwned)", judge.display());
    let download = JudgeProgram::Download { url, sha256: "0".into() };
    let zip = home.path().join("packed.zip");
    for (bundle, place, script, code) in [
        (pack_autograder(&package, &judge), "place/source", "run_autograder", 0),
        (
            pack_classroom50(&package, &JudgeProgram::Inside(judge.clone())),
            "inside",
            "touchpwned/autograder.py",
            0,
        ),
        (pack_classroom50(&package, &download), "download", "touchpwned/autograder.py", 1),
    ] {
        let bundle = bundle.unwrap();
        write_zip(&bundle, &zip).unwrap();
        let place = home.path().join(place);
        unpack(&zip, &place);
        let mut command = Command::new(place.join(script));
        command.current_dir(home.path().join("place")).env("KOPEK_AUTOGRADER", home.path().join("place"));
        command.env("CLASSROOM50_BUNDLE_DIR", place.join(&bundle.root));
        let output = command.output().unwrap();
        let message = String::from_utf8_lossy(&output.stderr).into_owned();
        assert_eq!(output.status.code(), Some(code), "{message}");
        assert!(code == 0 || message.contains("pwned"), "Python names the whole URL: {message}");
    }
    let setup = fs::read_to_string(home.path().join("place/source/setup.sh")).unwrap();
    assert!(setup.contains(" judges touchpwned. "), "{setup}");
    for entry in WalkDir::new(home.path()) {
        let path = entry.unwrap().into_path();
        assert!(!path.ends_with("pwned"), "{} was made by a name", path.display());
    }
}
