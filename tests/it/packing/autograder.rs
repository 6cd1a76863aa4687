//! Gradescope's autograder: the zip, and its script run as Gradescope runs it, in a container.

use super::names;
use crate::{
    handing_in::graded::{HALF, kopek, sums_package, write_file},
    surroundings::{SharedCopy, Surroundings},
};
use serde_json::Value;
use std::{
    fs,
    os::unix::fs::PermissionsExt,
    path::{Path, PathBuf},
};

/// Packs the sums, and unpacks them where Gradescope would; where that is.
fn autograder(home: &Path, copy: &SharedCopy) -> PathBuf {
    sums_package(&home.join("sums"));
    write_file(&home.join("sums/submissions/accepted/secret.py"), "print('the solution')\n");
    // In place of the real program, which is large.
    let judge = home.join("judge");
    write_file(&judge, &format!("#!/bin/sh\nexec {} \"$@\"\n", copy.kopek()));
    fs::set_permissions(&judge, fs::Permissions::from_mode(0o755)).unwrap();
    let output = kopek(home, &["pack", "sums", "--for", "gradescope", "--program", "judge"]);
    assert_eq!(output.status.code(), Some(0), "{}", String::from_utf8_lossy(&output.stderr));
    let zip = home.join("sums-gradescope.zip");
    let all = names(&zip);
    for name in [
        "run_autograder",
        "setup.sh",
        "kopek",
        "package/sums/problem.yaml",
        "package/sums/data/secret/2/b.ans",
    ] {
        assert!(all.iter().any(|own| own == name), "{name}: {all:?}");
    }
    assert!(!all.iter().any(|name| name.contains("submissions")), "the solutions stay at home: {all:?}");
    let place = home.join("autograder");
    super::unpack(&zip, &place.join("source"));
    place
}

/// Runs the script on these files in a container; what it wrote.
fn results(place: &Path, copy: &SharedCopy, files: &[(&str, &str)]) -> Value {
    let _ = fs::remove_dir_all(place.join("submission"));
    fs::create_dir_all(place.join("submission")).unwrap();
    files.iter().for_each(|(path, text)| write_file(&place.join("submission").join(path), text));
    let script = place.join("source/run_autograder").display().to_string();
    let mut command = Surroundings::Container.command(&copy.tests(), &[&script]);
    command.env("KOPEK_AUTOGRADER", place).env("TMPDIR", "/tmp").current_dir("/");
    let output = command.output().unwrap();
    let [out, err] = [&output.stdout, &output.stderr].map(|bytes| String::from_utf8_lossy(bytes));
    assert!(output.status.success(), "{out}{err}");
    let text = fs::read_to_string(place.join("results/results.json")).unwrap();
    serde_json::from_str(&text).unwrap_or_else(|error| panic!("{error}: {text}\n{out}{err}"))
}

#[test]
fn the_autograder_judges_in_a_container() {
    let home = tempfile::tempdir().unwrap();
    // The judge must be able to read the package, also if root runs the tests.
    fs::set_permissions(home.path(), fs::Permissions::from_mode(0o755)).unwrap();
    let copy = SharedCopy::make();
    let place = autograder(home.path(), &copy);
    let half = results(&place, &copy, &[("my sums.py", HALF), ("notes.txt", "hello\n")]);
    assert_eq!(half["score"], 60, "{half}");
    assert_eq!(half["tests"].as_array().unwrap().len(), 3, "{half}");
    assert!(half["output"].as_str().unwrap().contains("judged: my sums.py"), "{half}");
    let nothing = results(&place, &copy, &[("notes.txt", "hello\n")]);
    assert_eq!(nothing["score"], 0, "{nothing}");
    assert!(nothing["output"].as_str().unwrap().to_lowercase().contains("no program"), "{nothing}");
    let unclear = results(&place, &copy, &[("a.py", HALF), ("b.py", HALF)]);
    assert!(unclear["score"].is_null(), "no score is a failure of grading there: {unclear}");
    assert!(unclear["output"].as_str().unwrap().contains("which of these files counts"), "{unclear}");
    fs::remove_file(place.join("source/package/sums/problem.yaml")).unwrap();
    let broken = results(&place, &copy, &[("a.py", HALF)]);
    assert!(
        broken["score"].is_null() && broken["output"].as_str().unwrap().contains("your teacher"),
        "{broken}"
    );
}

/// Runs the script of Classroom 50 on a student's repository; its exit code and messages.
fn run_classroom50(home: &Path, bundle: &Path) -> (i32, String) {
    let mut command = std::process::Command::new("python3");
    command.arg(bundle.join("autograder.py")).current_dir(home.join("student"));
    command.env("CLASSROOM50_BUNDLE_DIR", bundle).env("CLASSROOM", "c").env("ASSIGNMENT", "a");
    command.env("SUBMISSION_TAG", "submit/1").env("COMMIT_URL", "u").env("RELEASE_URL", "u");
    let output = command.output().unwrap();
    (output.status.code().unwrap(), String::from_utf8_lossy(&output.stderr).into_owned())
}

#[test]
fn classroom_50_judges_with_the_bundle_alone() {
    let home = tempfile::tempdir().unwrap();
    let home = home.path();
    sums_package(&home.join("sums"));
    write_file(&home.join("judge"), &format!("#!/bin/sh\nexec {} \"$@\"\n", env!("CARGO_BIN_EXE_kopek")));
    write_file(&home.join("sums/attachments/templates/python3/sums.py"), "print()\n");
    write_file(&home.join("sums/attachments/secret.txt"), "for the site\n");
    let pack = |more: &[&str]| {
        kopek(home, &[&["pack", "sums", "--for", "classroom50", "--program", "judge"], more].concat())
    };
    let output = pack(&[]);
    let message = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(output.status.success() && message.contains("\"runs-on\""), "{message}");
    assert!(message.contains("students begin with templates/"), "{message}");
    super::unpack(&home.join("sums-classroom50.zip"), &home.join("bundles"));
    let bundle = home.join("bundles/sums");
    assert_eq!(fs::read_to_string(bundle.join("templates/python3/sums.py")).unwrap(), "print()\n");
    // What a student leaves there counts for nothing.
    write_file(&home.join("student/sums.py"), HALF);
    write_file(&home.join("student/result.json"), "{\"score\": 100}\n");
    write_file(&home.join("student/package/sums/problem.yaml"), "name: Mine\n");
    write_file(&home.join("student/hashlib.py"), "raise SystemExit(0)\n");
    write_file(&home.join("student/.git/hooks.py"), "print(1)\n");
    let (code, message) = run_classroom50(home, &bundle);
    assert_eq!(code, 0, "{message}");
    let result: Value = serde_json::from_slice(&fs::read(home.join("student/result.json")).unwrap()).unwrap();
    assert_eq!((&result["score"], &result["max-score"]), (&60.into(), &100.into()), "{result}");
    fs::remove_file(bundle.join("package/sums/problem.yaml")).unwrap();
    let (code, message) = run_classroom50(home, &bundle);
    assert!(code != 0 && message.contains("kopek gave no result"), "{message}");

    let address = format!("file://{}", home.join("judge").display());
    assert!(pack(&["--download", &address]).status.success());
    let bundle = home.join("downloading");
    super::unpack(&home.join("sums-classroom50.zip"), &bundle);
    assert!(!bundle.join("sums/kopek").exists());
    assert_eq!(run_classroom50(home, &bundle.join("sums")).0, 0);
    write_file(&home.join("judge"), "#!/bin/sh\n");
    let (code, message) = run_classroom50(home, &bundle.join("sums"));
    assert!(code != 0 && message.contains("SHA-256"), "{message}");
}
