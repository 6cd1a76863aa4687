//! Interactors of Hydro and DMOJ, compiled, called and read as each system does it. The test is the submission.

use super::{own_archives::compile, package, there_and_back};
use kopek::pack::Target;
use std::{
    fs,
    io::{BufRead, BufReader, Write},
    path::{Path, PathBuf},
    process::{ChildStdin, ChildStdout, Command, Output, Stdio},
};
use tempfile::TempDir;

/// Seven guesses find a number up to 100: all points. Up to ten: a third of them.
const GUESSING: &str = r#"#include "reply.h"
int main(int argc, char **argv) {
    int secret, asked = 0;
    std::ifstream(argv[1]) >> secret;
    std::cerr << "ok not for the system\npartial 1/1\n";
    for (std::string word; asked < 10 && std::cin >> word; asked++) {
        if (word == "crash") return 3;
        int guess = atoi(word.c_str());
        if (guess == 0) refuse(argv[3], word);
        std::cout << (guess < secret ? "more" : guess > secret ? "less" : "equal") << std::endl;
        if (guess != secret) continue;
        if (asked >= 7) std::ofstream(argv[3] + std::string("score_multiplier.txt")) << 1.0 / 3;
        return 42;
    }
    refuse(argv[3], "too many guesses");
}
"#;
const REPLY: &str = r#"#pragma once
#include <cstdlib>
#include <fstream>
#include <iostream>
#include <string>
[[noreturn]] inline void refuse(std::string feedback, std::string why) {
    std::ofstream(feedback + "teammessage.txt") << why << "\n";
    exit(43);
}
"#;
/// The same game in the words of testlib, for readers of 2025-09.
const WITH_TESTLIB: &str = r#"#define OK_EXIT_CODE 42
#define WA_EXIT_CODE 43
#define PE_EXIT_CODE 43
#define UNEXPECTED_EOF_EXIT_CODE 43
#include "testlib.h"
int main(int argc, char *argv[]) {
    char nothing[] = "/dev/null", *words[] = {argv[0], argv[1], nothing, argv[2]};
    registerInteraction(argc > 3 ? 4 : 0, words);
    int secret = inf.readInt();
    for (int asked = 0; asked < 7; asked++) {
        int guess = ouf.readInt();
        std::cout << (guess < secret ? "more" : guess > secret ? "less" : "equal") << std::endl;
        if (guess == secret) quitf(_ok, "found");
    }
    quitf(_wa, "too many guesses");
}
"#;

const MANIFEST: &str = "problem_format_version: 2025-09\nname: Guess\ntype: [scoring, interactive]\n\
                        uuid: 8fd2f3f0-6dd1-4d0c-9f1a-2b6a7f4f3b11\nlimits: {time_limit: 2.0}\n";

pub fn guessing(validator: &[(&str, &str)]) -> TempDir {
    let plain = [
        ("problem.yaml", MANIFEST),
        ("statement/problem.en.md", "Guess it.\n"),
        ("input_validators/any.py", "exit(42)\n"),
        ("submissions/accepted/any.py", "print(1)\n"),
        ("data/secret/test_group.yaml", "{max_score: 100}\n"),
        ("data/secret/1.in", "77\n"),
        ("data/secret/1.ans", "77\n"),
    ];
    package(&[&plain, validator].concat())
}

/// A submission that talks with an interactor.
type Talk = fn(&mut ChildStdin, &mut dyn FnMut() -> String);

/// Starts an interactor and has the submission talk with it.
fn talk(program: &Path, args: &[&str], submission: Talk) -> Output {
    let mut command = Command::new(program);
    command.args(args).current_dir(program.parent().unwrap());
    let mut child =
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    let (mut to, from) = (child.stdin.take().unwrap(), child.stdout.take().unwrap());
    let mut from: BufReader<ChildStdout> = BufReader::new(from);
    submission(&mut to, &mut || {
        let mut line = String::new();
        from.read_line(&mut line).unwrap();
        line.trim().to_owned()
    });
    drop((to, from));
    child.wait_with_output().unwrap()
}

/// Points of 100, as Hydro reads the standard error of an interactor.
fn hydro_points(output: &Output) -> u64 {
    let said = String::from_utf8(output.stderr.clone()).unwrap();
    let kept = said.strip_prefix("wrong answer ").unwrap_or(&said);
    // It obeys such words wherever a line of the message begins with them.
    let order = kept.lines().find_map(|line| line.trim().strip_prefix("score("));
    if let Some(order) = order {
        return order.split(')').next().unwrap().parse().unwrap();
    }
    match said.strip_prefix("points ") {
        Some(rest) => (100.0 * rest.split(' ').next().unwrap().parse::<f64>().unwrap()).floor() as u64,
        None if said.starts_with("ok ") => 100,
        None => 0,
    }
}

/// Points of 100, as DMOJ reads an interactor of the type `coci`; `None`: the judge failed.
fn dmoj_points(output: &Output) -> Option<u64> {
    let said = String::from_utf8(output.stderr.clone()).unwrap();
    match output.status.code().unwrap() {
        0 => Some(100),
        1 => Some(0),
        7 => {
            let (part, all) =
                said.lines().find_map(|line| line.strip_prefix("partial ")).unwrap().split_once('/').unwrap();
            Some((100.0 * part.parse::<f64>().unwrap() / all.parse::<f64>().unwrap()).round() as u64)
        }
        _ => None,
    }
}

fn write(to: &mut ChildStdin, line: &str) {
    // The interactor may have ended.
    let _ = writeln!(to, "{line}");
}

fn halve(to: &mut ChildStdin, read: &mut dyn FnMut() -> String) {
    let (mut low, mut high) = (1, 100);
    while low <= high {
        let middle = (low + high) / 2;
        write(to, &middle.to_string());
        match read().as_str() {
            "more" => low = middle + 1,
            "less" => high = middle - 1,
            _ => return,
        }
    }
}

fn step(to: &mut ChildStdin, read: &mut dyn FnMut() -> String) {
    (69..80).find(|guess| {
        write(to, &guess.to_string());
        read() == "equal"
    });
}

fn repeat(to: &mut ChildStdin, read: &mut dyn FnMut() -> String) {
    while {
        write(to, "1");
        !read().is_empty()
    } {}
}

/// Interactors of both systems, with the arguments that each is called with.
fn interactors(home: &TempDir) -> [(PathBuf, &'static [&'static str]); 2] {
    fs::write(home.path().join("in"), "77\n").unwrap();
    fs::write(home.path().join("answer"), "77\n").unwrap();
    let compiled = |target: Target, source: &str| {
        let program = home.path().join(format!("{}-program", target.name()));
        compile(&there_and_back(home, target).join(source), &program);
        program
    };
    [
        (compiled(Target::Hydro, "testdata/interactor.cc"), &["in", "tout", "answer"]),
        (compiled(Target::Dmoj, "interactor.cpp"), &["in", "answer"]),
    ]
}

#[test]
fn points_of_a_dialogue_reach_both_systems() {
    let home = guessing(&[("output_validator/v.cpp", GUESSING), ("output_validator/reply.h", REPLY)]);
    let [(hydro, there), (dmoj, here)] = interactors(&home);
    let submissions: [(&str, Talk, Option<u64>); 6] = [
        ("right", halve, Some(100)),
        ("right with too many guesses", step, Some(33)),
        ("wrong", repeat, Some(0)),
        ("gone at once", |_, _| {}, Some(0)),
        ("asks for points by the message", |to, _| write(to, "score(100)"), Some(0)),
        ("crashes the judge", |to, _| write(to, "crash"), None),
    ];
    for (name, submission, points) in submissions {
        let output = talk(&hydro, there, submission);
        // It knows no failure of the judge: that is a wrong answer with a note of the exit code.
        assert_eq!(hydro_points(&output), points.unwrap_or(0), "{name}: {output:?}");
        assert_eq!(output.status.success(), points.is_some(), "{name}: {output:?}");
        for args in [here, &["in", "/dev/null", "answer"]] {
            let output = talk(&dmoj, args, submission);
            assert_eq!(dmoj_points(&output), points, "{name}: {output:?}");
        }
    }
    let message = talk(&hydro, there, repeat);
    assert_eq!(String::from_utf8_lossy(&message.stderr), "wrong answer too many guesses\n");
    assert!(!home.path().join("tout").exists());
}

#[test]
fn a_validator_with_testlib_becomes_an_interactor() {
    let tiny = fs::read_to_string(crate::importing::foreign_packages::tiny().join("testlib.h")).unwrap();
    let own = [("output_validator/v.cpp", WITH_TESTLIB), ("output_validator/testlib.h", tiny.as_str())];
    let home = guessing(&own);
    let [(hydro, there), (dmoj, here)] = interactors(&home);
    for (submission, points) in [(halve as Talk, 100), (step, 0), (repeat, 0), (|_, _| {}, 0)] {
        assert_eq!(hydro_points(&talk(&hydro, there, submission)), points);
        assert_eq!(dmoj_points(&talk(&dmoj, here, submission)), Some(points));
    }
}
