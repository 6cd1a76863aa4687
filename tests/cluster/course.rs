//! A course whose hand-ins say themselves what becomes of them.

use kopek::{
    base::{Bytes, Clock, Digest},
    exec::{Executor, JobRunner},
    grade::{
        FailedValidator, GradeEvent, GradeRequest, Thoroughness, TimePolicy, WitnessSource, grade, rules,
        scorecards,
    },
    language::LanguageTable,
    machine::LeastTimes,
    package::{self, HandIn, NoSubmission, Package, Participant, TestSet},
    plan::{BuildTask, Candidate, Checker, LaidFile, Plan, Setting, ToolchainId, TrialMode, plan},
    sandbox::Limits,
    score::{LegacyReading, Scorecard},
    store::Store,
};
use std::{fs, path::Path, sync::atomic::AtomicBool, time::Duration};

pub struct Course {
    package: Package,
    tests: TestSet,
    /// What inputs and answers hold.
    texts: Vec<Vec<u8>>,
}

const PROBLEM: &str = "\
problem_format_version: 2025-09
type: scoring
name: Test
uuid: 5ca6ba5b-676c-4eef-8474-26a63f4c6a37
limits: {time_limit: 1}
";

fn limits() -> Limits {
    let (second, size) = (Duration::from_secs(1), Bytes::mib(1));
    Limits { cpu: second, wall: second, memory: size, output: size, files: size, processes: 1 }
}

/// What some hand-ins come to; all others are right.
fn fate(index: usize) -> &'static str {
    match index % 20 {
        3 => "secret/2/1 WA",
        7 => "secret/1/2 TLE 1500",
        11 => "secret/3/1 RTE",
        13 => "build refused",
        _ => "",
    }
}

impl Course {
    /// A problem of three groups with so many cases each, and a sample.
    pub fn new(dir: &Path, cases: usize) -> Course {
        let write = |path: &str, text: &str| {
            let path = dir.join(path);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, text).unwrap();
        };
        write("problem.yaml", PROBLEM);
        write("statement/problem.en.md", "Test.\n");
        write("submissions/accepted/a.py", "print(1)\n");
        write("input_validators/v.py", "exit(42)\n");
        write("data/sample/1.in", "0\n");
        write("data/sample/1.ans", "0\n");
        write("data/secret/test_group.yaml", "max_score: 100\nscore_aggregation: sum\n");
        for (group, score) in [(1, 20), (2, 30), (3, 50)] {
            let rule = format!("max_score: {score}\nscore_aggregation: pass-fail\n");
            write(&format!("data/secret/{group}/test_group.yaml"), &rule);
            for case in 1..=cases {
                write(&format!("data/secret/{group}/{case}.in"), &format!("{group} {case}\n"));
                write(&format!("data/secret/{group}/{case}.ans"), "1\n");
            }
        }
        let reading = package::read(dir).unwrap();
        let package = reading.package.unwrap();
        let (tests, findings) = package::read_tests(&package).unwrap();
        assert_eq!((reading.findings, findings), (vec![], vec![]));
        let files = walkdir::WalkDir::new(dir.join("data")).into_iter().map(Result::unwrap);
        let files = files.filter(|entry| entry.file_type().is_file());
        let texts = files.map(|entry| fs::read(entry.path()).unwrap()).collect();
        Course { package, tests, texts }
    }

    /// So many hand-ins, no two of them equal.
    pub fn plan(&self, store: &Store, hand_ins: usize) -> Plan {
        for text in &self.texts {
            store.put_bytes(text).unwrap();
        }
        let setting = Setting {
            mode: TrialMode::Alone { passes: 1 },
            limits: limits(),
            stop: limits().cpu,
            checker: Checker::Default(self.package.format).into(),
            writable: false,
            named_files: None,
            isolation: "none".into(),
            machine: "paper".into(),
        };
        let candidates = (0..hand_ins).map(|index| candidate(store, index));
        plan(candidates.collect(), &self.tests.cases, setting, vec![])
    }

    /// Judges all hand-ins on all cases; hears of each job that ended. Scorecards, and how many jobs there were.
    pub fn judge(
        &self,
        plan: &Plan,
        (store, executor): (&Store, &dyn Executor),
        on_job: &mut (dyn FnMut() + Send),
    ) -> (Vec<Scorecard>, usize) {
        let stop = AtomicBool::new(false);
        let grading = GradeRequest {
            rules: rules(&self.package, &self.tests, LegacyReading::Kattis),
            plan,
            jobs: JobRunner { store, executor, stop: &stop },
            thoroughness: Thoroughness::All,
            failed_validator: FailedValidator::Undecided,
            // It is about jobs and results, each of which is counted.
            timing: TimePolicy::Single,
            witnesses: WitnessSource { least_times: &LeastTimes::default(), accepted: &|_| vec![] },
            clock: Clock::default(),
        };
        let mut heard = 0;
        let graded = grade(&grading, &mut |event| {
            if matches!(event, GradeEvent::Built { .. } | GradeEvent::Tried { .. } | GradeEvent::Failed(_)) {
                heard += 1;
                on_job();
            }
        });
        let graded = graded.unwrap();
        assert_eq!((graded.faults.len(), graded.open.len()), (0, 0));
        // Each is reported once, and none was known before.
        assert_eq!((graded.done, graded.reused), (heard, 0));
        (scorecards(&grading.rules, grading.plan, &graded), graded.done)
    }
}

fn candidate(store: &Store, index: usize) -> Candidate {
    let text = format!("nothing/{index} WA\n{}\n* AC\n", fate(index));
    let digest = store.hold(&text.as_bytes().into()).unwrap();
    let size = Bytes(text.len() as u64);
    let task = BuildTask {
        files: vec![LaidFile { path: "main.sh".into(), digest, executable: false, size }],
        digest,
        entry: "main.sh".into(),
        language: LanguageTable::embedded().get("bash").unwrap().clone(),
        toolchain: ToolchainId {
            code: "bash".into(),
            version: "1".into(),
            digest: Digest::of(b"1"),
            guard: None,
        },
        limits: limits(),
        isolation: "none".into(),
        cached: Default::default(),
    };
    let name = format!("participant {index:04}");
    // The plan takes the task as it is: no files are read.
    let submission = Err(NoSubmission::Refused("a fake".into()));
    let hand_in = HandIn::default();
    let participant = Participant { name: name.clone(), file: name, hand_in, submission };
    Candidate { participant, task: Ok(task) }
}
