//! Requests and answers, on the fake machine.

use super::{ask, judge_body, read_package, run_body, write_sum};
use crate::{fake_machine::fake_machine, scratch::memory_dir, stressing::slow::write_package};
use kopek::{
    grade::TimePolicy,
    package,
    sentences::PageLanguage,
    serve::{ClientRequest, JudgingRules, ProtocolServer, Reasons, Route, ServedProblem, ServerRules},
};
use serde_json::{Value, json};
use std::{fs, path::Path, time::Duration};

const RULES: ServerRules = ServerRules {
    most_cpu: Duration::from_secs(20),
    most_waiting: 4,
    judging: JudgingRules {
        max_time: Duration::from_secs(50),
        timing: TimePolicy::Platform,
        language: PageLanguage::English,
        reasons: Reasons::Shown,
    },
};

/// Does something with a server of a fake machine, which has the package `sum`.
fn with_server(act: impl FnOnce(&ProtocolServer)) {
    with_server_and(|_| (), act);
}

/// The same, after a change of the package.
fn with_server_and(change: impl FnOnce(&Path), act: impl FnOnce(&ProtocolServer)) {
    with_rules(RULES, change, act);
}

fn with_rules(rules: ServerRules, change: impl FnOnce(&Path), act: impl FnOnce(&ProtocolServer)) {
    let home = memory_dir();
    let dir = home.path().join("sum");
    write_sum(&dir);
    change(&dir);
    let package = read_package(&dir);
    let tests = package::read_tests(&package).unwrap().0;
    let machine = fake_machine(home.path());
    let broken = ServedProblem::unsound("broken".into(), "secret/1 is wrong".into());
    let problems = vec![ServedProblem::new(package, tests), broken];
    act(&ProtocolServer::new(&machine, rules, Some(problems)).unwrap());
}

#[test]
fn every_request_has_its_answer() {
    let missing =
        json!({"run_spec": {"language_id": "c", "sourcecode": "", "file_list": [["0123456789", "a.h"]]}});
    let no_package = json!({"package": "other", "language": "c", "source": "", "feedback": ""}).to_string();
    let broken = no_package.replace("other", "broken");
    with_server(|server| {
        for (method, below, body, status, part) in [
            ("GET", "languages", "", 200, r#"["python3","fake"]"#),
            ("GET", "languages/", "", 200, r#"["nodejs","fake"]"#),
            ("GET", "languages", "", 200, r#"["rust","fake"]"#),
            ("GET", "languages", "", 200, r#"["kopek",""#),
            ("POST", "languages", "", 405, ""),
            ("GET", "nothing", "", 404, "not found"),
            ("HEAD", "files/5d41402abc4b2a76b9719d911017c592", "", 404, ""),
            ("PUT", "files/5d41402abc4b2a76b9719d911017c592", r#"{"file_contents": "aGVsbG8="}"#, 204, ""),
            ("HEAD", "files/5d41402abc4b2a76b9719d911017c592", "", 204, ""),
            ("PUT", "files/5d41402abc4b2a76b9719d911017c592", r#"{"file_contents": "aGVsbG9v"}"#, 400, "MD5"),
            ("PUT", "files/5d41402abc4b2a76b9719d911017c592", r#"{"file_contents": "!"}"#, 400, "base64"),
            ("PUT", "files/../../etc/passwd", r#"{"file_contents": ""}"#, 400, "id of a file"),
            ("POST", "runs", "[", 400, "not JSON"),
            ("POST", "runs", "{}", 400, "run_spec"),
            ("POST", "runs", &run_body("klingon", ""), 400, "Language 'klingon' is not known"),
            ("POST", "runs", &missing.to_string(), 404, "One or more of the specified files is missing"),
            ("POST", "runs", &run_body("kopek", "print"), 400, "JSON object of a packed question"),
            ("POST", "runs", &run_body("kopek", &no_package), 400, "no package 'other'"),
            ("POST", "runs", &run_body("kopek", &broken), 503, "has an error on the server"),
            (
                "POST",
                "runs",
                &judge_body("klingon".into(), "", "", ""),
                400,
                "Language 'klingon' is not known",
            ),
            ("POST", "runs", &judge_body("c".into(), "", "", "full"), 400, "feedback \"full\""),
            ("POST", "runs", &judge_body(Value::Null, "../a.c", "", ""), 400, "\"../a.c\""),
        ] {
            let reply = ask(server, method, below, body);
            let text = reply.body.map(|body| body.to_string().replace("\\\"", "\"")).unwrap_or_default();
            assert!(
                reply.status == status && text.contains(part),
                "{method} {below} {body}: {} {text}",
                reply.status
            );
        }
        let (id, megabyte) = ("bigfile0123", "x".repeat(4 << 20));
        assert_eq!(
            ask(server, "PUT", &format!("files/{id}"), &json!({"file_contents": megabyte}).to_string())
                .status,
            204
        );
        let list: Vec<Value> = (0..100).map(|number| json!([id, format!("f{number}")])).collect();
        let spec = json!({"run_spec": {"language_id": "c", "sourcecode": "", "file_list": list}});
        let reply = ask(server, "POST", "runs", &spec.to_string());
        assert!(reply.status == 400 && reply.body.unwrap().to_string().contains("larger than 64 MiB"));
        let other_root =
            ClientRequest { method: "GET", route: &Route::parse("/jobe/restapi/languages"), body: vec![] };
        assert_eq!(server.answer(other_root, &|| true).unwrap().status, 200);
        let health = ClientRequest { method: "GET", route: &Route::parse("/healthz"), body: vec![] };
        assert_eq!(
            server.answer(health, &|| true).unwrap().body.unwrap(),
            json!({
                "places": 1, "waiting": 0, "started": 0, "unjudged": {"broken": {"the package has errors": 1}},
            })
        );
    });
}

/// The answer of the language `kopek` to a program of the fake machine.
fn judged(server: &ProtocolServer, source: &str, feedback: &str) -> Value {
    let reply = ask(server, "POST", "runs", &judge_body("c".into(), "x", source, feedback));
    let body = reply.body.unwrap();
    assert_eq!((reply.status, &body["outcome"], &body["stderr"]), (200, &json!(15), &json!("")), "{body}");
    serde_json::from_str(body["stdout"].as_str().unwrap()).unwrap()
}

/// All that a client can read of an answer.
fn whole(answer: &Value) -> String {
    answer.to_string()
}

#[test]
fn a_program_gets_the_share_of_its_points() {
    with_server(|server| {
        for (source, fraction) in [
            ("print sum(input)", 1.0),
            ("if input[0] > 1000: exit 3\nprint sum(input)", 0.4),
            ("print 3", 0.0),
            ("this is no program", 0.0),
        ] {
            let answer = judged(server, source, "");
            assert_eq!(answer["fraction"], json!(fraction), "{source}: {answer}");
            let keys: Vec<&String> = answer.as_object().unwrap().keys().collect();
            let known = ["columnformats", "epiloguehtml", "fraction", "prologuehtml", "testresults"];
            assert!(keys.iter().all(|key| known.contains(&key.as_str())), "{keys:?}");
        }
        let half = judged(server, "if input[0] > 1000: exit 3\nprint sum(input)", "");
        let rows = half["testresults"].as_array().unwrap();
        let names: Vec<&str> = rows.iter().map(|row| row[1].as_str().unwrap()).collect();
        assert_eq!(names, ["Test", "large", "large / 1", "sample", "small"]);
        let right: Vec<&Value> = rows[1..].iter().map(|row| &row[0]).collect();
        assert_eq!(right, [0, 0, 1, 1]);
        let small = rows[4][2].as_str().unwrap();
        let folded = "<strong>40 of 40 points</strong><details><summary>2 cases right</summary>";
        assert!(small.starts_with(folded), "{small}");
        assert_eq!(half["columnformats"].as_array().unwrap().len(), rows[0].as_array().unwrap().len() - 1);
    });
}

#[test]
fn samples_are_shown_and_hidden_tests_are_not() {
    with_server(|server| {
        let wrong = whole(&judged(server, "print 8", ""));
        assert!(wrong.contains("printed <code>8</code> where <code>3</code>"), "{wrong}");
        for feedback in ["", "names", "brief"] {
            // What it prints of a hidden test must not come back.
            let echo = "say \"input\", input[0]\nprint input[0]\nexit input[0] % 100";
            let answer = whole(&judged(server, echo, feedback));
            for secret in ["7000000", "7000001", "input 4", "code 4"] {
                assert!(!answer.contains(secret), "{feedback}: {secret} in {answer}");
            }
            assert_eq!(answer.contains("large / 1"), feedback != "brief", "{answer}");
        }
    });
}

#[test]
fn a_compile_error_comes_with_the_compilers_words_and_as_text() {
    with_server(|server| {
        let answer = judged(server, "<script>alert(1)</script>", "");
        assert!(answer.get("testresults").is_none() && answer["fraction"] == json!(0.0), "{answer}");
        let text = answer["prologuehtml"].as_str().unwrap();
        assert!(text.contains("compile error") && !text.contains("<script>"), "{text}");
    });
}

/// The status and the text of a refused judging.
fn refused(server: &ProtocolServer, source: &str) -> (u16, String) {
    let reply = ask(server, "POST", "runs", &judge_body("c".into(), "x", source, ""));
    (reply.status, reply.body.unwrap().to_string())
}

#[test]
fn unjudged_answers_have_no_points() {
    let fail = |dir: &Path| {
        fs::create_dir(dir.join("output_validator")).unwrap();
        let crash = "if numbers(file(args[0]))[0] > 1000: exit 1\naccept\n";
        fs::write(dir.join("output_validator/check.c"), crash).unwrap();
    };
    with_server_and(fail, |server| {
        let (status, text) = refused(server, "print sum(input)");
        assert!(status == 503 && text.contains("Not everything could be judged"), "{status} {text}");
        // A program that has all its verdicts is judged.
        assert_eq!(judged(server, "this is no program", "")["fraction"], json!(0.0));
        let health = ask_health(server);
        assert_eq!(health["unjudged"], json!({"sum": {"cases without a verdict": 1}}));
    });
}

fn ask_health(server: &ProtocolServer) -> Value {
    let health = ClientRequest { method: "GET", route: &Route::parse("/healthz"), body: vec![] };
    server.answer(health, &|| true).unwrap().body.unwrap()
}

#[test]
fn a_program_that_takes_too_long_is_continued_by_the_next_request() {
    let judging = JudgingRules { max_time: Duration::from_millis(2), ..RULES.judging };
    with_rules(
        ServerRules { judging, ..RULES },
        |_| (),
        |server| {
            // Each run takes a millisecond on the fake machine.
            let (status, text) = refused(server, "print sum(input)");
            assert!(status == 503 && text.contains("Check again to continue"), "{status} {text}");
            assert_eq!(ask_health(server)["unjudged"], json!({"sum": {"its runs take too long": 1}}));
            let ends = (0..9).map(|_| refused(server, "print sum(input)").0).find(|status| *status == 200);
            assert_eq!(ends, Some(200), "it goes on each time");
        },
    );
}

#[test]
fn a_request_ends_in_its_time_also_when_it_measures_growth() {
    let home = memory_dir();
    let dir = home.path().join("total");
    write_package(&dir, &[3, 1000]);
    let square = "time input[0] * input[0] / 200\nprint sum(input[1..])\n";
    let program = json!({"package": "total", "language": "c", "file": "x", "source": square}).to_string();
    let ends_in = |number: u64, max_time: Duration| {
        let package = read_package(&dir);
        let tests = package::read_tests(&package).unwrap().0;
        let machine = fake_machine(&home.path().join(number.to_string()));
        let clock = machine.clock.clone();
        let judging = JudgingRules { max_time, ..RULES.judging };
        let problems = vec![ServedProblem::new(package, tests)];
        let server = ProtocolServer::new(&machine, ServerRules { judging, ..RULES }, Some(problems)).unwrap();
        let start = clock.now();
        let reply = ask(&server, "POST", "runs", &run_body("kopek", &program));
        let shows_growth = reply.body.unwrap().to_string().contains("doubles");
        let took = clock.now() - start;
        // The job that is under way when the time is over ends first, with all its pairs of runs.
        assert!(took <= max_time + Duration::from_millis(12), "{took:?} instead of {max_time:?}");
        (reply.status, shows_growth)
    };
    let all: Vec<(u16, bool)> = (1..60).map(|time| ends_in(time, Duration::from_millis(time))).collect();
    for end in [(503, false), (200, false), (200, true)] {
        assert!(all.contains(&end), "{end:?} is not among {all:?}");
    }
}

#[test]
fn a_full_server_says_so() {
    with_rules(
        ServerRules { most_waiting: 0, ..RULES },
        |_| (),
        |server| {
            let reply = ask(server, "POST", "runs", &judge_body("c".into(), "x", "print sum(input)", ""));
            assert_eq!((reply.status, &reply.body.unwrap()["outcome"]), (200, &json!(21)));
        },
    );
}

#[test]
fn answers_are_in_the_language_of_the_server() {
    let judging = JudgingRules { language: PageLanguage::German, ..RULES.judging };
    with_rules(
        ServerRules { judging, ..RULES },
        |_| (),
        |server| {
            let answer = judged(server, "print 3", "").to_string();
            for text in
                ["Zeitlimit 1 s (ein Lauf darüber wird wiederholt)", "0 von 40 Punkten", "falsche Antwort"]
            {
                assert!(answer.contains(text), "{text}: {answer}");
            }
        },
    );
}

#[test]
fn a_time_near_the_limit_is_decided_and_said() {
    with_server(|server| {
        let answer = judged(server, "time 1100\nprint sum(input)", "");
        assert_eq!(answer["fraction"], json!(0.0), "{answer}");
        let said = answer["prologuehtml"].as_str().unwrap();
        assert!(said.contains("time limit 1 s (a run above it is repeated)"), "{answer}");
        assert!(whole(&answer).contains("took longer than the limit"), "{answer}");
    });
}

#[test]
fn all_samples_are_run_and_a_precheck_runs_nothing_else() {
    let more = |dir: &Path| {
        fs::write(dir.join("data/sample/2.in"), "2 2\n").unwrap();
        fs::write(dir.join("data/sample/2.ans"), "4\n").unwrap();
    };
    with_server_and(more, |server| {
        let slow = judged(server, "time 5000\nprint 8", "");
        let second = "<details open><summary>1 more case</summary><ul><li><strong>2</strong>";
        assert!(slow["testresults"][2][2].as_str().unwrap().contains(second), "{slow}");
        let wrong = judged(server, "print 8", "");
        let rows = |answer: &Value| -> Vec<String> {
            let rows = answer["testresults"].as_array().unwrap().iter().skip(1);
            rows.map(|row| row[1].as_str().unwrap().to_owned()).collect()
        };
        assert_eq!(rows(&wrong)[..3], ["sample", "sample / 1", "large"]);
        assert!(wrong["testresults"][2][2].as_str().unwrap().contains(second), "{wrong}");
        let program = json!({"package": "sum", "language": "c", "source": "print sum(input)", "precheck": 1});
        let reply = ask(server, "POST", "runs", &run_body("kopek", &program.to_string()));
        let answer: Value = serde_json::from_str(reply.body.unwrap()["stdout"].as_str().unwrap()).unwrap();
        assert_eq!((rows(&answer), &answer["fraction"]), (vec!["sample".into()], &json!(1.0)));
    });
    let none = |dir: &Path| fs::remove_dir_all(dir.join("data/sample")).unwrap();
    with_server_and(none, |server| {
        let program = json!({"package": "sum", "language": "c", "source": "print 1", "precheck": 1});
        let reply = ask(server, "POST", "runs", &run_body("kopek", &program.to_string()));
        assert!(reply.body.unwrap()["stdout"].as_str().unwrap().contains("has no samples"));
    });
}

#[test]
fn an_unwanted_request_gets_no_answer_and_a_full_server_says_so() {
    with_server(|server| {
        server.close();
        let reply = ask(server, "POST", "runs", &judge_body("c".into(), "x", "print 3", ""));
        assert_eq!(reply.body.unwrap()["outcome"], json!(21));
    });
}
