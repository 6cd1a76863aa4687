//! `kopek test`: samples without a package.

use super::{Desk, ended, run::sums, solutions::FakeDesk};
use kopek::{
    grade::CaseChoice,
    render::WholeCases,
    results::Noticed,
    solution::{SamplePlace, SampleRules, SolutionLimits, SolutionReport, SolutionTests, load_samples},
};

fn desk() -> Desk {
    let desk = Desk::new();
    desk.write("a.py", "n = int(input())\nprint(n * n if n < 10 else 0)\n");
    for (name, n) in [("sample-1", 2), ("sample-2", 3), ("sample-10", 12)] {
        desk.write(&format!("test/{name}.in"), &format!("{n}\n"));
        desk.write(&format!("test/{name}.out"), &format!("{}\n", n * n));
    }
    desk
}

#[test]
fn samples_beside_the_solution_are_found_and_run_in_the_order_of_their_numbers() {
    let desk = desk();
    insta::assert_snapshot!(
        "test_80",
        desk.terminal(80, "test a.py --again --cases").replace(&folder(&desk), "FOLDER")
    );
    insta::assert_snapshot!(
        "test_60",
        desk.terminal(60, "test a.py --again").replace(&folder(&desk), "FOLDER")
    );
    let (code, out, _) = ended(&desk.kopek(&["test", "a.py", "--case", "sample-1"]));
    assert!(code == 0 && out.contains("1 case right"), "{out}");
}

/// The folder's name is drawn by lot.
fn folder(desk: &Desk) -> String {
    desk.path().file_name().unwrap().to_string_lossy().into_owned()
}

#[test]
fn outputs_are_judged_as_the_options_say() {
    let desk = Desk::new();
    desk.write("1.in", "1\n");
    desk.write("1.ans", "0.333333333\n");
    desk.write("third.py", "print(1 / 3 + 1e-9)\n");
    let code = |args: &[&str]| ended(&desk.kopek(&[&["test", "third.py"][..], args].concat())).0;
    assert_eq!(code(&[]), 1);
    assert_eq!(code(&["--tolerance", "1e-6"]), 0);
    let checker = "import sys\nsys.exit(42 if sys.stdin.read().startswith('0.33') else 43)\n";
    desk.write("judge/checker.py", checker);
    assert_eq!(code(&["--checker", "judge/checker.py"]), 0);
    desk.write("bare.py", "print('0.333333333', end='')\n");
    let (code, out, _) = ended(&desk.kopek(&["test", "bare.py", "--exact"]));
    assert!(
        code == 1 && out.contains("− 0.333333333↵\n                   ^\n      + 0.333333333\n"),
        "{out}"
    );
}

#[test]
fn a_link_among_the_samples_does_not_lead_out_of_their_folder() {
    let desk = desk();
    desk.write("secret", "1\n");
    std::os::unix::fs::symlink(desk.path().join("test/sample-1.in"), desk.path().join("test/x.in")).unwrap();
    std::os::unix::fs::symlink(desk.path().join("secret"), desk.path().join("test/x.out")).unwrap();
    let found = |dir: &str| kopek::package::find_loose_cases(&[desk.path().join(dir)], None);
    let message = found("test").unwrap_err().to_string();
    assert!(
        message.contains("test/x.out: a link to ") && message.contains("replace it with a copy"),
        "{message}"
    );
    assert_eq!(found("").unwrap().pairs.len(), 4, "a link within the folder is followed");
}

/// Judges a solution on its samples, found as `kopek test` finds them, by the default comparison.
fn judge(
    desk: &FakeDesk,
    solution: &str,
    dir: Option<&str>,
) -> anyhow::Result<(SolutionReport, Noticed<SolutionTests>)> {
    let at = |path: &str| desk.dir.path().join(path);
    let (file, dir) = (at(solution), dir.map(at));
    let aside = tempfile::tempdir_in(desk.dir.path()).unwrap().keep();
    let rules = SampleRules {
        checker: None,
        adapt: &|_, _| Ok(()),
        arguments: Vec::new(),
        limits: SolutionLimits::default(),
        choice: CaseChoice::default(),
    };
    let place = SamplePlace::find(&file, dir.as_deref())?;
    let samples = load_samples(&place, &rules, &aside)?;
    Ok((desk.judge_file(solution, &samples.value), samples))
}

fn refused(desk: &FakeDesk, solution: &str, dir: Option<&str>) -> String {
    let error = judge(desk, solution, dir).err().expect("no samples");
    format!("{error:#}").replace(&format!("{}/", desk.dir.path().display()), "")
}

#[test]
fn zipped_samples_are_read_and_skipped_inputs_are_named() {
    let desk = FakeDesk::new();
    desk.write("a.py", "print input[0] * input[0]\n");
    let mut writer = zip::ZipWriter::new(std::fs::File::create(desk.dir.path().join("samples.zip")).unwrap());
    for (name, text) in [("x/1.in", "2\n"), ("x/1.ans", "4\n"), ("x/2.in", "3\n")] {
        writer.start_file(name, zip::write::SimpleFileOptions::default()).unwrap();
        std::io::Write::write_all(&mut writer, text.as_bytes()).unwrap();
    }
    writer.finish().unwrap();
    let (report, zipped) = judge(&desk, "a.py", Some("samples.zip")).unwrap();
    assert!(report.is_accepted());
    let text = desk.shown(&report, WholeCases::First, 80);
    assert!(text.contains("a.py (python3) on samples\n"), "{text}");
    let said = &zipped.notices.warnings[0].what;
    assert!(
        said.contains("skipped inputs without an answer (.out or .ans):") && said.contains("2.in"),
        "{said}"
    );
    desk.write("empty/readme.txt", "");
    desk.write("half/1.in", "2\n");
    for (dir, message) in [
        ("empty", "empty: no samples here; a sample is an input and an answer"),
        ("half", "half/1.in has no answer beside it (.out or .ans)"),
        ("hal", "did you mean `half`?"),
    ] {
        let refused = refused(&desk, "a.py", Some(dir));
        assert!(refused.contains(message), "{refused}");
    }
}

#[test]
fn a_solution_within_a_package_is_judged_by_the_package() {
    let desk = sums();
    desk.write("sums/a.py", "print(sum(map(int, input().split())))\n");
    let test = |dir: &str, args: &[&str]| {
        let mut command = desk.command(&[&["test"][..], args].concat());
        ended(&command.current_dir(desk.path().join(dir)).output().unwrap())
    };
    for (dir, args, package) in [
        ("sums", &["a.py"][..], "."),
        (".", &["sums/submissions/accepted/a.py"], "sums"),
        ("sums/data", &["../a.py"], "."),
        ("sums", &["../wrong.py", "--case", "secret/1/*"], "."),
        (".", &["wrong.py", "sums", "--case", "secret/1/ten"], "sums"),
    ] {
        let (code, out, err) = test(dir, args);
        assert!(code == 0 && out.contains("accepted"), "{args:?}: {out}{err}");
        if dir != "sums/data" {
            assert!(err.contains(&format!("judging with the package {package}, as `kopek run`")), "{err}");
        }
    }
    let (code, _, err) = test("sums", &["a.py", "--tolerance", "1"]);
    assert!(code == 2 && err.contains("with its own judge"), "{err}");
    let (code, out, err) = test(".", &["wronk.py"]);
    assert!(code == 2 && out.is_empty() && err.contains("did you mean `wrong.py`?"), "{out}{err}");
    // Own tests are run, too.
    desk.write("sums/mine/a.py", "print(sum(map(int, input().split())))\n");
    desk.write("sums/mine/3.in", "3 4\n");
    desk.write("sums/mine/3.out", "8\n");
    let (code, out, err) = test(".", &["sums/mine/a.py"]);
    assert!(code == 1 && out.contains("\n100 of 100 points, wrong answer\n"), "{out}{err}");
    let about = "tests: 7 cases of sums, and 1 case of your own (3); limits of sums: 2 s, 2 GiB\n";
    assert!(out.contains(about) && out.contains("own: wrong answer"), "{out}");
    // Who names the folder wants no other tests.
    let (code, out, _) = test(".", &["sums/mine/a.py", "sums/mine"]);
    assert!(code == 1 && out.contains("tests: 1 case in sums/mine; default limits: 10 s, 1 GiB"), "{out}");
    assert!(out.contains("1 GiB; nothing of the package\nsums\n"), "{out}");
}

#[test]
fn tests_of_an_exercise_are_found_above_its_source() {
    let desk = FakeDesk::new();
    let program = "print 2 * input[0]\n";
    desk.write("hit/src/main.py", program);
    desk.write("hit/public/sample.in", "1\n");
    desk.write("hit/public/sample.out", "2\n");
    desk.write("hit/public/user_test.in", "");
    desk.write("hit/public/user_test.out", "");
    let (report, exercise) = judge(&desk, "hit/src/main.py", None).unwrap();
    assert!(report.is_accepted());
    assert_eq!(exercise.value.tests.cases.len(), 1);
}
