//! Counterexamples for a class, on a fake machine: what may be shown, and that it is the same everywhere.

use super::{fake_machine, fake_package, json_of, made_package, participant, text_of, write_file};
use kopek::{
    exec::{Engine, Local},
    results::{Counterexample, Counterexamples, Unexplained},
    stress::{ClassHunt, ClassProgram, HuntStep},
    verdict::Verdict,
    worker::Perform,
};
use kopek_fakes as fake;
use std::{
    fs,
    path::PathBuf,
    sync::atomic::{AtomicBool, AtomicUsize, Ordering},
    time::Duration,
};
use tempfile::TempDir;

/// A class of programs for `fake_package`, which is asked for a maximum.
pub(super) struct FakeClass {
    home: TempDir,
    pub(super) dir: PathBuf,
    pub(super) programs: Vec<ClassProgram>,
    /// Where jobs are done.
    slots: usize,
    /// By how much the clock moves with each job.
    pace: Duration,
    budget: Duration,
    /// Ctrl-C at the first input found.
    interrupts: bool,
}

/// The result of a hunt, and how many jobs it took.
pub(super) struct Hunted {
    pub(super) found: Counterexamples,
    jobs: usize,
}

impl FakeClass {
    pub(super) fn new(programs: &[(&str, &str)]) -> FakeClass {
        let (home, dir) = fake_package();
        let hand_ins = home.path().join("class");
        let program = |(name, text): &(&str, &str)| {
            let file = hand_ins.join(format!("{name}.c"));
            write_file(&file, text);
            let failed = vec![("secret/random".to_owned(), Verdict::WrongAnswer)];
            ClassProgram { participants: vec![(*name).to_owned()], member: participant(&file), failed }
        };
        let programs = programs.iter().map(program).collect();
        let budget = Duration::from_secs(10);
        FakeClass { home, dir, programs, slots: 1, pace: Duration::ZERO, budget, interrupts: false }
    }

    pub(super) fn write(&self, path: &str, text: &str) {
        write_file(&self.dir.join(path), text);
    }

    /// Hunts with a store of this name.
    pub(super) fn hunt(&self, store: &str) -> Hunted {
        let machine = fake_machine(&self.home.path().join(store));
        let jobs = AtomicUsize::new(0);
        let counted = || -> Perform {
            let mut perform = fake::performer(&machine);
            let jobs = &jobs;
            let clock = machine.clock.clone();
            Box::new(move |job| {
                jobs.fetch_add(1, Ordering::Relaxed);
                clock.advance(self.pace);
                perform(job)
            })
        };
        let executor = Local::new((0..self.slots).map(|_| counted()).collect());
        let stop = AtomicBool::new(false);
        let engine = Engine::new(&machine, &executor, &stop);
        let (package, tests) = made_package(&engine, &self.dir);
        let hunt = ClassHunt {
            engine: &engine,
            package: &package,
            tests: &tests,
            seed: 1,
            budget: self.budget,
            right: &[],
        };
        let found = hunt.run(&self.programs, &mut |step| {
            if self.interrupts && matches!(step, HuntStep::Found(_)) {
                stop.store(true, Ordering::Relaxed);
            }
        });
        Hunted { found: found.unwrap(), jobs: jobs.load(Ordering::Relaxed) }
    }
}

fn inputs_of(found: &Counterexamples) -> Vec<&str> {
    found.inputs.iter().map(|example| example.input.text.as_str()).collect()
}

/// The participants that fail on an input, grouped by their outputs.
fn failures_of(example: &Counterexample) -> Vec<(Option<&str>, Vec<&str>)> {
    let mut failures = Vec::new();
    for failure in &example.failures {
        let names = failure.programs.iter().map(|program| program.participants[0].as_str()).collect();
        failures.push((failure.printed.as_ref().map(|printed| printed.text.as_str()), names));
    }
    failures
}

fn unexplained_of(found: &Counterexamples) -> Vec<(&str, Unexplained)> {
    found.unexplained.iter().map(|one| (one.participants[0].as_str(), one.why.clone())).collect()
}

const POSITIVE: &str = "best = max(input[1..])\nif best < 0: best = 0\nprint best\n";
const NEGATED: &str = "best = max(input[1..])\nif best < 0: best = 0 - best\nprint best\n";
const TABLE: &str = "if input[0] > 7: signal 11\nprint max(input[1..])\n";

#[test]
fn the_fewest_inputs_explain_a_class() {
    let again = format!("{POSITIVE}# The same mistake.\n");
    let class = FakeClass::new(&[("a", POSITIVE), ("b", TABLE), ("c", NEGATED), ("d", &again)]);
    let Hunted { found, .. } = class.hunt("store");
    assert_eq!(inputs_of(&found), ["1\n-1\n", "8\n0 0 0 0 0 0 0 0\n"], "{found:#?}");
    assert_eq!(found.inputs[0].expected.as_ref().unwrap().text, "-1\n");
    let negative = [(Some("0\n"), vec!["a", "d"]), (Some("1\n"), vec!["c"])];
    assert_eq!(failures_of(&found.inputs[0]), negative);
    assert_eq!(failures_of(&found.inputs[1]), [(None, vec!["b"])]);
    assert_eq!((found.explained, found.failing, found.unexplained.len()), (4, 4, 0));
    assert_eq!(found.same_mistake, [["a", "d"]]);
}

#[test]
fn a_sample_is_shown_to_those_who_fail_it() {
    let three = "if input[0] == 3: print 9\nprint max(input[1..])\n";
    let class = FakeClass::new(&[("a", POSITIVE), ("b", three)]);
    let Hunted { found, .. } = class.hunt("store");
    assert_eq!(inputs_of(&found), ["3\n1 -2 3\n", "1\n-1\n"], "{found:#?}");
    assert_eq!(found.inputs[0].sample.as_deref(), Some("sample/one"));
    assert_eq!(found.of_participant("b").unwrap().example.sample.as_deref(), Some("sample/one"));
}

#[test]
fn a_sample_is_shrunk_if_that_makes_it_much_smaller() {
    let class = FakeClass::new(&[
        ("a", "print 0 - 1\n"),
        ("b", "if input[0] == 3: print 9\nprint max(input[1..])\n"),
    ]);
    let Hunted { found, .. } = class.hunt("store");
    assert_eq!(inputs_of(&found), ["3\n1 -2 3\n", "1\n0\n"], "{found:#?}");
    let own = |name: &str| found.of_participant(name).unwrap().example.input.text.as_str();
    assert_eq!([own("a"), own("b")], ["1\n0\n", "3\n1 -2 3\n"]);
}

/// Everything that must not be shown: each of these programs fails only there.
#[test]
fn no_hidden_case_no_refused_input_and_no_doubtful_answer_is_shown() {
    let class = FakeClass::new(&[
        ("hidden", "if text == lines(2, \"1 2\"): print 9\nprint max(input[1..])\n"),
        ("left_out", "if text == lines(1, 1): print 9\nprint max(input[1..])\n"),
        ("refused", "if input[0] > 50: print 9\nif max(input[1..]) > 1000: print 9\nprint max(input[1..])\n"),
        ("doubtful", "if input[0] == 1 and input[1] < 0: print 9\nprint max(input[1..])\n"),
        ("negative", POSITIVE),
    ]);
    // Accepted submissions disagree on one negative number.
    let other = "if input[0] == 1 and input[1] < 0: print 5\nprint max(input[1..])\n";
    class.write("submissions/accepted/other.c", other);
    let recipe = fs::read_to_string(class.dir.join("generators/generators.yaml")).unwrap();
    class.write("generators/generators.yaml", &format!("{recipe}      one: {{in: \"1\\n1\\n\"}}\n"));
    let Hunted { found, .. } = class.hunt("store");
    assert_eq!(inputs_of(&found), ["2\n-2 -2\n"], "{found:#?}");
    let none = ["hidden", "left_out", "refused"].map(|name| (name, Unexplained::NoneFound));
    assert_eq!(unexplained_of(&found), [&none[..], &[("doubtful", Unexplained::Disputed)]].concat());
}

#[test]
fn the_result_depends_neither_on_slots_nor_on_speed_and_a_second_hunt_runs_nothing() {
    let without_counts = |found: Counterexamples| Counterexamples { tried: 0, runs: 0, ..found };
    let mut class = FakeClass::new(&[("a", POSITIVE), ("b", TABLE), ("c", "print max(input[1..])\n")]);
    let first = class.hunt("one");
    assert_eq!(unexplained_of(&first.found), [("c", Unexplained::NoneFound)]);
    let again = class.hunt("one");
    assert_eq!((without_counts(again.found), again.jobs), (without_counts(first.found.clone()), 0));
    class.slots = 4;
    class.pace = Duration::from_secs(100);
    assert_eq!(class.hunt("four").found, first.found);
}

#[test]
fn a_hunt_that_found_nothing_is_repeated_only_if_something_changed() {
    let right = "print max(input[1..])\n";
    let mut class = FakeClass::new(&[("a", POSITIVE), ("right", right)]);
    let tried = |class: &FakeClass| {
        let Hunted { found, .. } = class.hunt("store");
        assert_eq!(unexplained_of(&found), [("right", Unexplained::NoneFound)]);
        assert_eq!(inputs_of(&found), ["1\n-1\n"]);
        found.tried
    };
    let first = tried(&class);
    let again = tried(&class);
    assert!(again < first / 10, "{again} of {first}");
    class.budget = Duration::from_secs(11);
    assert!(tried(&class) > first / 2, "another budget");
    let file = class.home.path().join("class/right.c");
    write_file(&file, &format!("{right}# changed\n"));
    class.programs[1].member = participant(&file);
    assert!(tried(&class) > first / 2, "another program");
}

#[test]
fn an_interrupt_keeps_what_was_found() {
    let mut class = FakeClass::new(&[("a", POSITIVE), ("b", TABLE)]);
    let whole = class.hunt("whole");
    class.interrupts = true;
    let Hunted { found, jobs } = class.hunt("interrupted");
    assert!(found.interrupted && !whole.found.interrupted);
    assert!(jobs < whole.jobs, "{jobs} of {}", whole.jobs);
    assert_eq!((found.explained, found.unexplained.len()), (2, 0), "{found:#?}");
}

#[test]
fn a_large_input_has_a_boundary_for_each_who_fails_on_no_smaller_one() {
    let class = FakeClass::new(&[
        ("crash", "if input[0] > 30: signal 11\nprint max(input[1..])\n"),
        ("wrong", "if input[0] > 25: print 2000\nprint max(input[1..])\n"),
        ("earlier", "if input[0] > 20: signal 11\nprint max(input[1..])\n"),
        ("negative", POSITIVE),
    ]);
    let Hunted { found, .. } = class.hunt("store");
    let found = json_of(&found);
    assert_eq!(text_of(&found["inputs"][1]["input"]["text"]), "1\n-1\n");
    let example = &found["inputs"][0];
    let zeros = vec!["0"; 31].join(" ");
    assert_eq!(text_of(&example["input"]["text"]), format!("31\n{zeros}\n"), "{found:#}");
    let boundaries = |verdict: &str| {
        let failures = example["failures"].as_array().unwrap().iter();
        failures
            .filter(|one| one["verdict"] == verdict)
            .map(|one| one["boundary"].clone())
            .collect::<Vec<_>>()
    };
    let boundary = |fails: u64| serde_json::json!({"fails": fails, "passes": fails - 1});
    assert_eq!(boundaries("RTE"), [boundary(31), boundary(21)]);
    assert_eq!(boundaries("WA"), [boundary(26)]);
}

#[test]
fn an_input_of_an_earlier_hunt_explains_only_what_this_one_does_not() {
    let rare = "if input[0] == 8 and min(input[1..]) == 0 and max(input[1..]) == 0: print 9\nprint max(input[1..])\n";
    let mut class = FakeClass::new(&[("a", POSITIVE), ("rare", rare), ("table", TABLE)]);
    let table = class.programs.pop().unwrap();
    let alone = class.hunt("fresh").found;
    assert_eq!(inputs_of(&alone), ["1\n-1\n"]);
    assert_eq!(unexplained_of(&alone), [("rare", Unexplained::NoneFound)]);
    let now = std::mem::replace(&mut class.programs, vec![table]);
    assert_eq!(inputs_of(&class.hunt("known").found), ["8\n0 0 0 0 0 0 0 0\n"]);
    class.programs = now;
    assert_eq!(inputs_of(&class.hunt("known").found), ["1\n-1\n", "8\n0 0 0 0 0 0 0 0\n"]);
}
