//! Replays policies over recorded runs and counts their decisions.
//!
//! A program *needs* its least time on the idle machine in the recording. Its limit is chosen so that this
//! time is a given fraction of it. Each run of a group is once the first run of a case, followed by the
//! others of its group.
#![allow(clippy::print_stdout, reason = "the figures are for people")]

use super::{
    FIRST_STOP, MAX_PAIRS, NextStep, TimedPair, is_slightly_above, next_step,
    recording::{Case, Decision, RecordedRun, Recording},
};
use std::{fmt::Write, fs, path::Path, time::Duration};

/// The constants of the policy were chosen on the first recording, and the median on the second.
const CHOSEN_ON: [(&str, &str); 2] = [
    ("first", include_str!("../../../../testdata/timing/first.jsonl")),
    ("second", include_str!("../../../../testdata/timing/second.jsonl")),
];
/// The goals are checked, and the documented table is computed, on the third recording, which was made later.
const JUDGED_ON: &str = include_str!("../../../../testdata/timing/third.jsonl");

/// Fractions of the limit that a program needs.
const PARTS: [f64; 8] = [0.5, 0.7, 0.8, 0.9, 1.1, 1.25, 1.5, 2.0];

/// The load under which a program's need is measured.
const IDLE: &str = "idle";

struct Policy {
    name: &'static str,
    decide: fn(&Case) -> Decision,
    witness: fn(&RecordedRun) -> u64,
    /// Whether the witness is in the suspect's language.
    is_alike: bool,
    /// Whether the witness's least time comes from the idle machine, or only from the same load.
    knows_idle: bool,
}

const SINGLE: Policy = Policy {
    name: "single run",
    decide: by_single_run,
    witness: |run| run.witness,
    is_alike: true,
    knows_idle: true,
};
const NEW: Policy = Policy { name: "witness", decide: by_witness, ..SINGLE };
const NEW_HERE: Policy = Policy { name: "witness, never seen idle", knows_idle: false, ..NEW };

const POLICIES: [Policy; 8] = [
    SINGLE,
    Policy { name: "retry a near miss", decide: by_retry, ..SINGLE },
    NEW,
    NEW_HERE,
    Policy { name: "another witness of this kind", witness: |run| run.cousin, ..NEW },
    Policy { name: "witness of another kind", witness: |run| run.other, is_alike: false, ..NEW },
    Policy { name: "witness of a few milliseconds", witness: |run| run.short, ..NEW },
    Policy { name: "no witness: spin", witness: |run| run.spin, is_alike: false, ..NEW },
];

fn by_single_run(case: &Case) -> Decision {
    if is_within(case, case.runs[0]) { Decision::Accepted } else { Decision::TimeLimit }
}

/// Up to three more runs after a miss by a tenth.
fn by_retry(case: &Case) -> Decision {
    let near = Duration::from_micros(case.runs[0].cpu) <= case.limit.mul_f64(1.1);
    let runs = if near { &case.runs[..4] } else { &case.runs[..1] };
    match runs.iter().any(|run| is_within(case, run)) {
        true => Decision::Accepted,
        false => Decision::TimeLimit,
    }
}

fn is_within(case: &Case, run: &RecordedRun) -> bool {
    Duration::from_micros(run.cpu) <= case.limit
}

/// The first run is the suspect of the first pair: it is stopped at the same time, and the witness follows
/// it.
fn by_witness(case: &Case) -> Decision {
    let (mut pairs, mut runs) = (vec![], case.runs.iter());
    loop {
        match next_step(&pairs, case.limit, case.min) {
            NextStep::Accept => return Decision::Accepted,
            NextStep::Reject => return Decision::TimeLimit,
            NextStep::RunPair { .. } if pairs.len() == MAX_PAIRS => return Decision::Undecided,
            NextStep::RunPair { stop } => pairs.push(pair_until(case, runs.next().unwrap(), stop)),
        }
    }
}

fn pair_until(case: &Case, run: &RecordedRun, stop: Duration) -> TimedPair {
    let needed = Duration::from_micros(run.cpu);
    let witness = Duration::from_micros((case.witness)(run));
    TimedPair { suspect: needed.min(stop), ended: needed <= stop, witness, is_alike: case.is_alike }
}

/// The decisions about the cases of one load that need the same fraction of their limits.
#[derive(Debug, Default, Clone, Copy)]
struct Tally {
    all: u32,
    wrong: u32,
    undecided: u32,
}

impl Tally {
    fn add(&mut self, part: f64, decision: Decision) {
        let right = if part < 1.0 { Decision::Accepted } else { Decision::TimeLimit };
        self.all += 1;
        self.undecided += u32::from(decision == Decision::Undecided);
        self.wrong += u32::from(decision != Decision::Undecided && decision != right);
    }

    fn sum(all: impl Iterator<Item = Tally>) -> Tally {
        all.fold(Tally::default(), |a, b| Tally {
            all: a.all + b.all,
            wrong: a.wrong + b.wrong,
            undecided: a.undecided + b.undecided,
        })
    }

    fn percent(self, count: u32) -> u32 {
        (100 * count + self.all / 2) / self.all
    }

    /// Wrong / undecided, in per cent.
    fn cell(self) -> String {
        format!("{} / {}", self.percent(self.wrong), self.percent(self.undecided))
    }
}

fn replay(recording: &Recording, policy: &Policy, load: &str, part: f64) -> Tally {
    let mut tally = Tally::default();
    for group in recording.groups(load) {
        let kind = group[0].kind.as_str();
        let limit = recording.min(kind, IDLE, |run| run.cpu).div_f64(part);
        let known = if policy.knows_idle { IDLE } else { load };
        let min = recording.min(kind, known, policy.witness);
        for first in 0..group.len() {
            let mut runs = group.clone();
            runs.rotate_left(first);
            let Policy { witness, is_alike, .. } = *policy;
            let case = Case { runs, limit, witness, is_alike, min };
            tally.add(part, (policy.decide)(&case));
        }
    }
    tally
}

/// Wrong / undecided in per cent, by fraction and load.
fn figures_of(recording: &Recording, policy: &Policy) -> String {
    let loads = recording.loads();
    let mut text = format!("{:30}", policy.name);
    loads.iter().for_each(|load| write!(text, "{load:>16}").unwrap());
    for part in PARTS {
        write!(text, "\n{part:>30}").unwrap();
        for load in &loads {
            write!(text, "{:>16}", replay(recording, policy, load, part).cell()).unwrap();
        }
    }
    text + "\n"
}

#[test]
fn policies_are_replayed_over_all_recordings() {
    for (name, text) in [CHOSEN_ON.as_slice(), &[("third", JUDGED_ON)]].concat() {
        let recording = Recording::parse(text);
        println!(
            "\n{name} recording: wrong / undecided, in per cent of {} cases",
            recording.groups(IDLE).len() * 5
        );
        for policy in &POLICIES {
            println!("{}", figures_of(&recording, policy));
        }
    }
}

#[test]
fn far_from_the_limit_few_verdicts_are_wrong_and_none_in_favour_of_a_slow_program() {
    let recording = Recording::parse(JUDGED_ON);
    for policy in [NEW, NEW_HERE] {
        for load in recording.loads() {
            for part in PARTS {
                let tally = replay(&recording, &policy, load, part);
                let place = format!("{} under {load} at {part}: {tally:?}", policy.name);
                match part {
                    ..=0.7 => assert!(20 * tally.wrong <= tally.all, "{place}"),
                    1.5.. => assert_eq!(tally.wrong, 0, "{place}"),
                    _ => {}
                }
                assert!(part < 2.0 || tally.undecided == 0, "{place}");
            }
        }
    }
}

/// Of a program with another undecided case on a busy machine: no further pairs slightly above the limit.
fn by_one_pair_if_slightly_above(case: &Case) -> Decision {
    let first = pair_until(case, case.runs[0], case.limit.mul_f64(FIRST_STOP));
    if is_slightly_above(&[first], case.limit, case.min) { Decision::Undecided } else { by_witness(case) }
}

#[test]
fn a_busy_machine_that_ends_a_comparison_early_makes_no_verdict_wrong_and_leaves_no_clear_case_open() {
    let hasty = Policy { decide: by_one_pair_if_slightly_above, ..NEW };
    for text in CHOSEN_ON.map(|(_, text)| text).into_iter().chain([JUDGED_ON]) {
        let recording = Recording::parse(text);
        for load in recording.loads() {
            for part in PARTS {
                let [full, early] = [&NEW, &hasty].map(|one| replay(&recording, one, load, part));
                assert!(early.wrong <= full.wrong, "{load} at {part}: {full:?} {early:?}");
                let opened = early.undecided - full.undecided;
                assert!((0.7..1.5).contains(&part) || 20 * opened <= full.all, "{load} at {part}: {opened}");
            }
        }
    }
}

#[test]
fn that_a_calm_machine_decides_costs_no_wrong_verdict() {
    for (name, text) in [CHOSEN_ON.as_slice(), &[("third", JUDGED_ON)]].concat() {
        let recording = Recording::parse(text);
        for policy in [NEW, Policy { witness: |run| run.cousin, ..NEW }] {
            let never_calm = Policy { is_alike: false, ..policy };
            for load in recording.loads() {
                for part in [0.7, 0.8, 0.9, 0.95, 0.98] {
                    let [with, without] =
                        [&policy, &never_calm].map(|one| replay(&recording, one, load, part));
                    assert_eq!(with.wrong, without.wrong, "{name} recording, {load}, at {part}");
                }
            }
        }
        let idle = replay(&recording, &NEW, IDLE, 1.1);
        assert!(idle.undecided * 4 < idle.all * 3, "{name} recording: {idle:?}");
    }
}

const PAGE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/time-limits.md");
const MARKS: [&str; 2] = ["<!-- replayed -->\n", "<!-- end -->"];

fn table_for_people(recording: &Recording) -> String {
    let loads = recording.loads();
    let mut text = format!("| needs, of its limit | {} | single run, all loads |\n", loads.join(" | "));
    text += &"|---".repeat(loads.len() + 2);
    text += "|\n";
    for part in PARTS {
        write!(text, "| {part} |").unwrap();
        for load in &loads {
            write!(text, " {} |", replay(recording, &NEW, load, part).cell()).unwrap();
        }
        let single = Tally::sum(loads.iter().map(|load| replay(recording, &SINGLE, load, part)));
        writeln!(text, " {} |", single.percent(single.wrong)).unwrap();
    }
    text
}

/// `KOPEK_WRITE_TABLE=1` updates it.
#[test]
#[expect(clippy::disallowed_methods, reason = "a variable asks to update the table")]
fn the_documented_table_is_replayed() {
    let computed = table_for_people(&Recording::parse(JUDGED_ON));
    let page = fs::read_to_string(PAGE).unwrap();
    let (before, rest) = page.split_once(MARKS[0]).unwrap();
    let (documented, after) = rest.split_once(MARKS[1]).unwrap();
    if std::env::var_os("KOPEK_WRITE_TABLE").is_some() {
        let [start, end] = MARKS;
        fs::write(Path::new(PAGE), [before, start, &computed, end, after].concat()).unwrap();
    } else {
        assert_eq!(documented, computed, "run this test with KOPEK_WRITE_TABLE=1");
    }
}
