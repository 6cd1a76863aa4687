//! `kopek test`: samples without a package.

use super::{Desk, ended, run::sums};

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
    desk.write("files.py", "open('o.txt', 'w').write('0.333333333' if open('i.txt').read() else '')\n");
    let args = ["test", "files.py", "--input-file", "i.txt", "--output-file", "o.txt"];
    assert_eq!(ended(&desk.kopek(&args)).0, 0);
    desk.write("talk.py", "n = int(input())\nprint(2 * n, flush=True)\n");
    let interactor = "import sys\nn = open(sys.argv[1]).read().strip()\nprint(n, flush=True)\n\
                      sys.exit(42 if input() == str(2 * int(n)) else 43)\n";
    desk.write("judge/interactor.py", interactor);
    assert_eq!(ended(&desk.kopek(&["test", "talk.py", "--interactor", "judge/interactor.py"])).0, 0);
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

#[test]
fn zipped_samples_are_read_and_what_is_not_run_is_said() {
    let desk = desk();
    let mut writer = zip::ZipWriter::new(std::fs::File::create(desk.path().join("samples.zip")).unwrap());
    for (name, text) in [("x/1.in", "2\n"), ("x/1.ans", "4\n"), ("x/2.in", "3\n")] {
        writer.start_file(name, zip::write::SimpleFileOptions::default()).unwrap();
        std::io::Write::write_all(&mut writer, text.as_bytes()).unwrap();
    }
    writer.finish().unwrap();
    let (code, out, err) = ended(&desk.kopek(&["test", "a.py", "samples.zip"]));
    assert!(code == 0 && out.contains("a.py (python3) on samples\n"), "{out}");
    assert!(
        err.contains("skipped inputs without an answer (.out or .ans):") && err.contains("2.in"),
        "{err}"
    );
    desk.write("empty/readme.txt", "");
    desk.write("half/1.in", "2\n");
    for (args, message) in [
        (["a.py", "empty"], "empty: no samples here; a sample is an input and an answer"),
        (["a.py", "half"], "half/1.in has no answer beside it (.out or .ans)"),
        (["a.py", "hal"], "did you mean `half`?"),
        (["b.py", "half"], "did you mean `a.py`?"),
    ] {
        let (code, out, err) = ended(&desk.kopek(&[&["test"][..], &args].concat()));
        assert!(code == 2 && out.is_empty() && err.contains(message), "{args:?}: {out} {err}");
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
}

#[test]
fn own_tests_are_run_beside_those_of_the_package() {
    let desk = sums();
    desk.write("sums/mine/a.py", "print(sum(map(int, input().split())))\n");
    desk.write("sums/mine/3.in", "3 4\n");
    desk.write("sums/mine/3.out", "8\n");
    let (code, out, err) = ended(&desk.kopek(&["test", "sums/mine/a.py"]));
    assert!(code == 1 && out.contains("\n100 of 100 points, wrong answer\n"), "{out}{err}");
    let about = "tests: 7 cases of sums, and 1 case of your own (3); limits of sums: 2 s, 2 GiB\n";
    assert!(out.contains(about) && out.contains("own: wrong answer"), "{out}");
    // Who names the folder wants no other tests.
    let (code, out, _) = ended(&desk.kopek(&["test", "sums/mine/a.py", "sums/mine"]));
    assert!(code == 1 && out.contains("tests: 1 case in sums/mine; default limits: 10 s, 1 GiB"), "{out}");
    assert!(out.contains("1 GiB; nothing of the package\nsums\n"), "{out}");
}

#[test]
fn tests_of_an_exercise_and_of_a_plug_in_are_found() {
    let desk = Desk::new();
    desk.write("hit/src/main.py", "print(2 * int(input()))\n");
    desk.write("hit/public/sample.in", "1\n");
    desk.write("hit/public/sample.out", "2\n");
    desk.write("hit/public/user_test.in", "");
    desk.write("hit/public/user_test.out", "");
    let (code, out, err) = ended(&desk.kopek(&["test", "hit/src/main.py"]));
    assert!(code == 0 && out.contains("tests: 1 case in hit; default limits"), "{out}{err}");
    desk.write("a.py", "print(2 * int(input()))\n");
    let problem = serde_json::json!({
        "name": "A", "url": "", "interactive": false, "timeLimit": 1500, "memoryLimit": 256, "srcPath": "/old/a.py",
        "tests": [{"id": 1, "input": "1\n", "output": "2\n"}, {"id": 2, "input": "4\n", "output": ""}],
    });
    desk.write(".cph/.a.py_0.prob", &problem.to_string());
    let (code, out, err) = ended(&desk.kopek(&["test", "a.py"]));
    let about = "tests: 1 case in .cph/.a.py_0.prob; its limits: 1.5 s, 256 MiB";
    assert!(code == 0 && out.contains(about), "{out}{err}");
    assert!(err.contains("test 2 of .cph/.a.py_0.prob"), "{err}");
    let problem = problem.to_string().replace("false", "true");
    desk.write(".cph/.a.py_0.prob", &problem);
    let (code, _, err) = ended(&desk.kopek(&["test", "a.py"]));
    assert!(code == 2 && err.contains("the problem is interactive") && err.contains("--interactor"), "{err}");
}
