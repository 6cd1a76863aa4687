//! Validators that stumble over what a submission does: only its author is undecided, and only
//! where the submission did not fail by itself.

use super::*;
use crate::fake_machine::{USUAL_WISHES, fake_machine, verify_package};
use kopek::{
    package::Level,
    render::{Page, verified_document},
};

/// Reads integers and expects nothing else.
const PLAIN: &str = r#"
import sys
for n in open(sys.argv[1]).read().split():
    print(n, flush=True)
    if int(input()) != 2 * int(n): sys.exit(43)
print(0, flush=True)
sys.exit(42)
"#;

/// Partners that fail by themselves, whatever the validator makes of it.
const CERTAIN: [(&str, &str, &str); 10] = [
    ("right", "AC", "while (n := int(input())) != 0: print(2 * n, flush=True)\n"),
    ("exits_with_3", "RTE", "import sys\nsys.exit(3)\n"),
    ("exits_with_3_in_the_middle", "RTE", "import sys\nprint(2 * int(input()), flush=True)\nsys.exit(3)\n"),
    ("kills_itself", "RTE", "import os\nos.kill(os.getpid(), 9)\n"),
    ("aborts", "RTE", "import os\ninput()\nos.abort()\n"),
    ("closes_its_output_and_crashes", "RTE", "import os, time\nos.close(1)\ntime.sleep(0.3)\nos._exit(3)\n"),
    ("closes_its_input_and_crashes", "RTE", "import os\nos.close(0)\nos._exit(3)\n"),
    ("closes_both_and_crashes", "RTE", "import os\nos.close(0)\nos.close(1)\nos.abort()\n"),
    ("closes_its_output_and_spins", "TLE", "import os\nos.close(1)\nwhile True: pass\n"),
    ("takes_all_memory", "MLE", "x = []\nwhile True: x.append(bytearray(1 << 24))\n"),
];

/// Partners that a plain interactor stumbles over: it could have been the interactor's mistake.
const UNDECIDED: [(&str, &str); 6] = [
    ("leaves", "pass\n"),
    ("leaves_in_the_middle", "print(2 * int(input()), flush=True)\n"),
    ("says_words", "input()\nprint('what?', flush=True)\ninput()\n"),
    ("says_bytes", "import os\nos.write(1, b'\\xff\\xfe\\n')\ninput()\n"),
    ("says_a_huge_number", "print('9' * 5000, flush=True)\ninput()\n"),
    ("stops_within_a_line", "import sys\nsys.stdout.write('-')\n"),
];

fn plain_package() -> TalkPackage {
    let package = TalkPackage::new("interactive", "  memory: 256\n", Some(PLAIN));
    package.case("1", "3 4 5\n", "");
    package
}

#[test]
fn what_a_partner_fails_at_by_itself_stands_though_the_interactor_stumbles() {
    plain_package().holds(&CERTAIN);
}

#[test]
fn a_partner_that_an_interactor_stumbles_over_leaves_only_its_author_unjudged() {
    let package = plain_package();
    let (right, crash) = (CERTAIN[0], CERTAIN[1]);
    let partners: Vec<(&str, &str)> =
        UNDECIDED.into_iter().chain([(right.0, right.2), (crash.0, crash.2)]).collect();
    for (name, text) in &partners {
        package.write(&format!("class/{name}.py"), text);
    }
    let (verdicts, faults) = package.verdicts();
    for (name, _) in &partners {
        let want = match *name {
            "right" => "AC",
            "exits_with_3" => "RTE",
            _ => "none",
        };
        assert_eq!(verdicts[*name], want, "{name}: {faults:#?}");
    }
    assert_eq!(faults.len(), UNDECIDED.len(), "{faults:#?}");
    let undecided = package.kopek(&["grade", "talk", "class"]);
    let text = String::from_utf8_lossy(&undecided.stdout);
    assert_eq!(undecided.status.code(), Some(3), "{text}");
    assert!(text.contains("a validator failed on 6 outputs"), "{text}");
}

#[test]
fn an_output_that_a_validator_stumbles_over_leaves_only_its_author_unjudged() {
    let validator = "import sys\nsys.exit(42 if int(sys.stdin.read()) == 7 else 43)\n";
    let package = TalkPackage::new("pass-fail", "", Some(validator));
    package.case("1", "7\n", "7\n");
    for (name, text) in [
        ("right", "print(7)\n"),
        ("wrong", "print(8)\n"),
        ("words", "print('seven')\n"),
        ("nothing", "pass\n"),
        ("words_and_crash", "print('seven')\n1 / 0\n"),
    ] {
        package.write(&format!("class/{name}.py"), text);
    }
    let (verdicts, faults) = package.verdicts();
    let verdicts: Vec<&str> = verdicts.values().map(String::as_str).collect();
    assert_eq!(verdicts, ["none", "AC", "none", "RTE", "WA"], "{faults:#?}");
    assert!(faults.iter().all(|fault| fault.contains("ValueError")), "{faults:#?}");
}

#[test]
fn verify_tells_the_setter_of_an_output_that_the_validator_fails_on() {
    let validator = "if len(input) == 0: exit 1\nif input[0] != 7: refuse\naccept\n";
    let package = TalkPackage::new("pass-fail", "", Some(validator));
    package.case("1", "7\n", "7\n");
    package.write("talk/input_validators/any.py", "accept\n");
    package.write("talk/submissions/accepted/none.py", "print 7\n");
    package.write("talk/submissions/wrong_answer/words.py", "print \"seven\"\n");
    let machine = fake_machine(package.0.path());
    let verified = verify_package(&package.0.path().join("talk"), &machine, USUAL_WISHES);
    assert!(
        verified.remarks.iter().any(|remark| remark.finding.level == Level::Error),
        "{:?}",
        verified.remarks
    );
    let text = verified_document(&verified).to_text(Page::default());
    let words: Vec<&str> = text.split_whitespace().collect();
    let text = words.join(" ");
    assert!(text.contains("wrong_answer/words.py on secret/1: the output validator exited with 1"), "{text}");
    assert!(text.contains("must exit with 43 for any output it rejects"), "{text}");
}

#[test]
fn output_for_the_partner_is_no_message_for_people() {
    let validator = "import sys\nfor _ in range(300): print('x' * 9999, flush=True)\n\
                     sys.exit(42 if input() == 'enough' else 43)\n";
    let package = TalkPackage::new("interactive", "  validation_output: 1\n", Some(validator));
    package.case("1", "1\n", "");
    package.holds(&[("listens", "AC", "for _ in range(300): input()\nprint('enough')\n")]);
    let validator = "import sys\nsys.stderr.write('x' * 3000000)\nsys.exit(42)\n";
    package.write("talk/output_validator/judge.py", validator);
    let (verdicts, faults) = package.verdicts();
    assert_eq!(verdicts["listens"], "none");
    assert!(faults[0].contains("wrote more than 1 MiB (raise `validation_output`"), "{faults:?}");
}

/// As [`PLAIN`], but with error handling.
const CAREFUL: &str = r#"
import sys
for n in open(sys.argv[1]).read().split():
    print(n, flush=True)
    if sys.stdin.buffer.readline().strip() != str(2 * int(n)).encode(): sys.exit(43)
print(0, flush=True)
sys.exit(42)
"#;

#[test]
fn verify_lets_an_interactor_meet_bad_partners() {
    let package = TalkPackage::new("interactive", "", Some(PLAIN));
    package.case("1", "3\n", "");
    package.write("talk/submissions/accepted/none.py", CERTAIN[0].2);
    let verify = || {
        let output = package.kopek(&["verify", "talk"]);
        let text = String::from_utf8_lossy(&output.stdout).into_owned();
        (output.status.code(), text.split_whitespace().collect::<Vec<_>>().join(" "))
    };
    let (code, text) = verify();
    assert_eq!(code, Some(1), "{text}");
    assert!(
        text.contains("with a partner that says nothing on secret/1, the output validator exited with 1"),
        "{text}"
    );
    assert_eq!(text.matches("EOFError").count(), 1, "one cause, one message: {text}");
    package.write("talk/output_validator/judge.py", CAREFUL);
    let (code, text) = verify();
    assert_eq!(code, Some(0), "{text}");
    assert!(text.contains("9 bad partners answered by the output validator"), "{text}");
}
