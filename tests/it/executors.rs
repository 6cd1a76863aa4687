//! The contract of every executor: each job that was taken is reported done exactly once. And jobs
//! are portable: done with a store elsewhere, they come to the same.

mod carried;
pub mod contract;

use crate::{
    fake_machine::{USUAL_WISHES, fake_machine},
    scratch::{self, memory_dir},
};
use carried::Carried;
use contract::{
    List, copy_sources, job, machine, report_every_job_once, report_what_was_taken, results,
    stop_with_the_driver,
};
use kopek::{
    exec::{Engine, Executor, JobResult, KnownFacts, Local, Work, local_executor},
    generate,
    grade::{GradeSession, Thoroughness},
    hunt::{StressRequest, ground_of_package},
    package::{self, Level, Participant},
    plan::{Job, Key, Outcome, Trial},
    sandbox::{Exit, Fault},
    store::Store,
    stress::{CampaignLimits, HuntLimits, HuntUntil, run_campaign},
    verdict::Verdict,
    verify::{Gallery, Wishes, verify},
    worker::{Perform, performer},
};
use kopek_fakes as fake;
use std::{
    collections::BTreeSet,
    fs,
    panic::{AssertUnwindSafe, catch_unwind},
    path::Path,
    sync::{
        Condvar, Mutex,
        atomic::{AtomicBool, AtomicUsize, Ordering},
    },
    time::Duration,
};

/// A store, and one in another directory to which jobs are carried.
struct Stores {
    _home: tempfile::TempDir,
    here: Store,
    there: Store,
}

impl Stores {
    fn open() -> Stores {
        let home = memory_dir();
        let open = |name: &str| Store::open(&home.path().join(name)).unwrap();
        Stores { here: open("here"), there: open("there"), _home: home }
    }

    fn local(&self, slots: usize) -> Local<'_> {
        let perform = |_| -> Perform { Box::new(|job| fake::perform(&self.here, job)) };
        Local::new((0..slots).map(perform).collect())
    }

    fn executors(&self) -> Vec<(String, Box<dyn Executor + '_>)> {
        let mut all: Vec<(String, Box<dyn Executor + '_>)> = Vec::new();
        for slots in 1..=4 {
            all.push((format!("local with {slots} slots"), Box::new(self.local(slots))));
        }
        let perform = |_| -> Perform { Box::new(|job| fake::perform(&self.there, job)) };
        let carried = Carried::new(&self.here, &self.there, (0..2).map(perform).collect());
        all.push(("carried to another store".into(), Box::new(carried)));
        all
    }
}

#[test]
fn every_job_is_reported_done_exactly_once() {
    let stores = Stores::open();
    for (name, executor) in stores.executors() {
        report_every_job_once(&name, &*executor, &stores.here);
    }
}

#[test]
fn an_interrupted_run_ends_and_reports_what_was_taken() {
    let stores = Stores::open();
    for (name, executor) in stores.executors() {
        report_what_was_taken(&name, &*executor, &stores.here);
    }
}

#[test]
fn a_driver_that_cannot_go_on_stops_the_run() {
    let stores = Stores::open();
    for (name, executor) in stores.executors() {
        stop_with_the_driver(&name, &*executor, &stores.here);
    }
}

#[test]
fn our_fault_is_retried_and_then_reported() {
    let stores = Stores::open();
    let calls = AtomicUsize::new(0);
    let perform = |job: &Job| match calls.fetch_add(1, Ordering::Relaxed) {
        0 => Err(Fault::new("a worker vanished")),
        1 => panic!("on purpose"),
        _ => fake::perform(&stores.here, job),
    };
    let executor = Local::new(vec![Box::new(perform)]);
    let mut list = List { jobs: vec![job(&stores.here, 0, "fine")], ..List::default() };
    executor.run(&mut list).unwrap();
    assert_eq!(calls.load(Ordering::Relaxed), 3);
    assert!(list.reported.values().all(|reported| reported == &[true]));

    let hopeless = Local::new(vec![Box::new(|_: &Job| Err(Fault::new("no disk")))]);
    let mut list = List { jobs: vec![job(&stores.here, 0, "fine")], ..List::default() };
    hopeless.run(&mut list).unwrap();
    assert!(list.reported.values().all(|reported| reported == &[false]));
}

#[test]
fn an_undecided_job_is_reported_at_once() {
    let stores = Stores::open();
    let calls = AtomicUsize::new(0);
    let busy = Local::new(vec![Box::new(|_: &Job| {
        calls.fetch_add(1, Ordering::Relaxed);
        Err(Fault::undecided("busy"))
    })]);
    let mut list = List { jobs: vec![job(&stores.here, 0, "fine")], ..List::default() };
    busy.run(&mut list).unwrap();
    assert_eq!(calls.load(Ordering::Relaxed), 1);
    assert!(list.reported.len() == 1 && list.reported.values().all(|reported| reported == &[false]));
}

/// What a trial came to.
fn ended_in(verdict: Verdict) -> Outcome {
    Outcome::Trial(Trial::ended(verdict, Exit::Code(0)))
}

/// Reports the first three jobs as done, and asks for more: who heard of what in between is noted.
struct InSteps<'a> {
    heard: &'a Mutex<Vec<Key>>,
    /// How many had been heard of after each step.
    steps: Mutex<Vec<usize>>,
}

impl Executor for InSteps<'_> {
    fn run(&self, work: &mut dyn Work) -> anyhow::Result<()> {
        let note = || self.steps.lock().unwrap().push(self.heard.lock().unwrap().len());
        let mut taken: Vec<Job> = std::iter::from_fn(|| work.next(None)).take(5).collect();
        let well = |work: &mut dyn Work, job| work.done_soon(job, Ok(ended_in(Verdict::Accepted)));
        well(work, taken.remove(0))?;
        note();
        well(work, taken.remove(0))?;
        note();
        work.done_soon(taken.remove(0), Ok(ended_in(Verdict::WrongAnswer)))?;
        note();
        well(work, taken.remove(0))?;
        note();
        assert!(work.next(None).is_none());
        note();
        well(work, taken.remove(0))
    }
}

#[test]
fn what_went_well_is_kept_together_before_anybody_hears_of_it() {
    let home = memory_dir();
    let machine = machine(home.path());
    let (heard, stop) = (Mutex::new(Vec::new()), AtomicBool::new(false));
    let executor = InSteps { heard: &heard, steps: Mutex::default() };
    let jobs: Vec<Job> = (0..5).map(|i| job(&machine.store, i, "fine")).collect();
    let keys: Vec<Key> = jobs.iter().map(|job| job.key).collect();
    let engine = Engine::new(&machine, &executor, &stop);
    let mut on_done = |at: usize, _: &Result<Outcome, Fault>| {
        assert!(machine.store.get(&keys[at]).unwrap().is_some(), "it is kept before it is heard of");
        heard.lock().unwrap().push(keys[at]);
        Ok(())
    };
    let results = engine.run_all(jobs, KnownFacts::Use, &mut on_done).unwrap();
    assert_eq!(executor.steps.into_inner().unwrap(), [0, 0, 3, 3, 4], "a wrong answer is heard of at once");
    assert!(results.iter().all(Option::is_some), "the last is kept at the end");
    assert_eq!(heard.into_inner().unwrap(), keys, "in order");
}

#[test]
fn quick_jobs_are_reported_before_slow_ones_end() {
    let home = memory_dir();
    let machine = machine(home.path());
    let (stop, heard) = (AtomicBool::new(false), (Mutex::new(false), Condvar::new()));
    let perform = |_| -> Perform {
        let (first, heard, store) = (job(&machine.store, 0, "fine").key, &heard, &machine.store);
        Box::new(move |job: &Job| {
            if job.key != first {
                let minute = Duration::from_secs(60);
                let is_heard = heard.0.lock().unwrap();
                let waited = heard.1.wait_timeout_while(is_heard, minute, |is_heard| !*is_heard).unwrap();
                assert!(*waited.0, "the quick one is not reported");
                assert!(store.get(&first).unwrap().is_some());
            }
            Ok(ended_in(Verdict::Accepted))
        })
    };
    let executor = Local::new((0..2).map(perform).collect());
    let engine = Engine::new(&machine, &executor, &stop);
    let jobs = (0..2).map(|i| job(&machine.store, i, "fine")).collect();
    let mut on_done = |_: usize, _: &Result<Outcome, Fault>| {
        *heard.0.lock().unwrap() = true;
        heard.1.notify_all();
        Ok(())
    };
    let results = engine.run_all(jobs, KnownFacts::Use, &mut on_done).unwrap();
    assert!(results.iter().all(|result| matches!(result, Some(Ok(_)))), "{results:?}");
}

/// Hands out a list, and dies when it hears of the first job.
struct Dying(Vec<Job>);

impl Work for Dying {
    fn next(&mut self, _warm: Option<&Key>) -> Option<Job> {
        self.0.pop()
    }

    fn done(&mut self, _: Job, _: JobResult) -> anyhow::Result<()> {
        panic!("the driver has a bug")
    }
}

#[test]
fn a_driver_that_panics_does_so_for_who_called_it() {
    let stores = Stores::open();
    // Two of three slots are at work then, and one idles.
    for (slots, jobs) in [(1, 1), (2, 2), (3, 2)] {
        let executor = stores.local(slots);
        let mut work = Dying((0..jobs).map(|i| job(&stores.here, i, "fine")).collect());
        let panic = catch_unwind(AssertUnwindSafe(|| executor.run(&mut work))).unwrap_err();
        assert_eq!(panic.downcast_ref(), Some(&"the driver has a bug"), "{slots} slots");
    }
}

#[test]
fn a_fact_of_another_kind_is_no_fact() {
    let home = memory_dir();
    let machine = machine(home.path());
    let (executor, stop) = (fake::line_executor(&machine.store), AtomicBool::new(false));
    let engine = Engine::new(&machine, &executor, &stop);
    let job = job(&machine.store, 0, "fine");
    machine.store.put(&job.key, &Outcome::Grade("100".into())).unwrap();
    let done = engine.run_all(vec![job], KnownFacts::Use, &mut |_, _| Ok(())).unwrap();
    assert!(matches!(done[..], [Some(Ok(Outcome::Build(_)))]), "{done:?}");
}

/// Grading, verifying and generating by jobs done with a store that has nothing but what the jobs name gives
/// the same as here. What talks is really run.
#[test]
#[ignore = "generates and verifies a package twice: 25 s of CPU time"]
fn jobs_that_are_carried_to_another_store_come_to_the_same() {
    let home = tempfile::tempdir().unwrap();
    let template = Path::new(env!("CARGO_MANIFEST_DIR")).join("src/templates/package/interactive");
    let [one, other] = ["one", "other"].map(|name| home.path().join(name).join("package"));
    copy_sources(&template, &one);
    copy_sources(&template, &other);

    // A fact about an equal package is as good as a new one.
    let local = machine(&scratch::store());
    let expected = results(&local, &local_executor(&local), &one);

    let (here, there) = (machine(&home.path().join("here")), machine(&home.path().join("there")));
    let performers = there.cpus.iter().map(|&cpu| performer(&there, cpu)).collect();
    let carried = Carried::new(&here.store, &there.store, performers);
    assert_eq!(results(&here, &carried, &other), expected);
    assert!(carried.jobs() > 10, "{} jobs were carried", carried.jobs());
}

/// The same of what runs once, without groups and with them, and of what runs several times.
#[test]
fn jobs_that_are_carried_from_a_fake_machine_come_to_the_same() {
    for lay_out in
        [crate::stressing::fake_package, crate::verifying::fake_groups, crate::stressing::fake_passes]
    {
        let [(one_home, one), (other_home, other)] = [lay_out(), lay_out()];
        let there_home = memory_dir();
        let local = fake_machine(one_home.path());
        let expected = results(&local, &fake::executor(&local), &one);
        let (here, there) = (fake_machine(other_home.path()), fake_machine(there_home.path()));
        let carried = Carried::new(&here.store, &there.store, vec![fake::performer(&there)]);
        assert_eq!(results(&here, &carried, &other), expected);
        assert!(carried.jobs() > 10, "{} jobs were carried", carried.jobs());
    }
}

/// What judges a package of the old format whose groups a grader grades, and one with all other programs that there are.
#[test]
fn a_fake_machine_does_all_nine_kinds_of_jobs() {
    let home = memory_dir();
    let lay_out = |name: &str, files: &[(&str, &str)]| {
        for (path, text) in files {
            let path = home.path().join(name).join(path);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, text).unwrap();
        }
        home.path().join(name)
    };
    let graded = lay_out("graded", GRADED);
    let drawn = lay_out("drawn", DRAWN);
    let machine = fake_machine(home.path());
    let (kinds, stop) = (Mutex::new(BTreeSet::new()), AtomicBool::new(false));
    let mut perform = fake::performer(&machine);
    let noted = |job: &Job| {
        let task = format!("{:?}", job.task);
        kinds.lock().unwrap().insert(task.split('(').next().unwrap().to_owned());
        perform(job)
    };
    let executor = Local::new(vec![Box::new(noted)]);
    let engine = Engine::new(&machine, &executor, &stop);
    assert_eq!(points_of(engine, &graded), ["77"]);
    assert_eq!(points_of(engine, &drawn), ["100", "60", "40"]);
    let wishes = Wishes { gallery: Gallery::Whole, ..USUAL_WISHES };
    let session = GradeSession::usual(engine, Thoroughness::Sparing);
    let verified = verify(&drawn, &session, wishes, &mut |_| ()).unwrap();
    assert!(
        verified.remarks.iter().all(|remark| remark.finding.level != Level::Error),
        "{:?}",
        verified.remarks
    );
    let (_, picture) = verified.pictures.first().expect("a picture");
    assert_eq!(String::from_utf8_lossy(picture), "<svg>1\n</svg>\n");
    let (package, tests) = read_package(&drawn);
    let files = package.submissions.iter().map(Participant::from).collect();
    let request = StressRequest { files, ..StressRequest::default() };
    let ground = ground_of_package(&engine, &package, &tests, &request).unwrap();
    let hunt = HuntLimits { seed: 1, time: Duration::from_secs(300), until: HuntUntil::First };
    let found =
        run_campaign(&engine, &ground, CampaignLimits { hunt, time: hunt.time }, &mut |_| ()).unwrap();
    assert_eq!(found.findings.len(), 1, "{found:?}");
    let all =
        ["Build", "CheckInput", "CheckOutput", "CheckSource", "Draw", "Grade", "MakeCase", "Probe", "Trial"];
    assert_eq!(kinds.lock().unwrap().iter().collect::<Vec<_>>(), all.iter().collect::<Vec<_>>());
}

const GRADED: &[(&str, &str)] = &[
    ("problem.yaml", "name: Graded\ntype: scoring\nlicense: cc0\n"),
    (".timelimit", "1\n"),
    ("problem_statement/problem.en.tex", "Print it.\n"),
    ("graders/grader.py", "print \"AC\", 70 + len(words(text)) / 2 + 6\n"),
    ("data/secret/testdata.yaml", "grading: custom\nrange: 0 100\n"),
    ("data/secret/1.in", "1\n"),
    ("data/secret/1.ans", "1\n"),
    ("submissions/accepted/right.py", "print input[0]\n"),
];

const DRAWN: &[(&str, &str)] = &[
    (
        "problem.yaml",
        "problem_format_version: 2025-09\nname: Drawn\nuuid: 8fd2f3f0-6dd1-4d0c-9f1a-2b6a7f4f3b12\ntype: scoring\n\
         limits: {time_limit: 1}\n",
    ),
    ("statement/problem.en.md", "Print it.\n"),
    ("input_validators/one.py", "if text != lines(input[0]): refuse\naccept\n"),
    ("output_validator/same.py", "if words(text) != words(file(args[1])): refuse\naccept\n"),
    (
        "static_validator/words.py",
        "if args[0] != \"python3\": exit 1\nif has(file(args[1]), args[3]): refuse\naccept\n",
    ),
    ("input_visualizer/draw.py", "write \"in.svg\", \"<svg>\" + file(args[0]) + \"</svg>\"\n"),
    ("generators/gen.py", "print args[0]\n"),
    (
        "generators/generators.yaml",
        "solution: /submissions/accepted/right.py\ndata:\n  sample: {data: {one: gen.py 1}}\n  secret:\n    \
         test_group.yaml: {max_score: 100, score_aggregation: sum, static_validation_score: 40, \
         static_validator_args: [import]}\n    data: {a: gen.py 2, b: gen.py 3}\n",
    ),
    ("submissions/accepted/right.py", "print input[0]\n"),
    ("submissions/mixed/importing.py", "# import\nprint input[0]\n"),
    ("submissions/wrong_answer/zero.py", "print 0\n"),
];

fn read_package(dir: &Path) -> (package::Package, package::TestSet) {
    let package = package::read(dir).unwrap().package.unwrap();
    let (tests, _) = package::read_tests(&package).unwrap();
    (package, tests)
}

/// Makes the test set and judges the examples.
fn points_of(engine: Engine, dir: &Path) -> Vec<String> {
    let package = package::read(dir).unwrap().package.unwrap();
    let made = generate::ensure(&package, &engine, &mut |_| ()).unwrap();
    assert!(made.is_sound(), "{:?} {:?}", made.findings, made.faults);
    let (package, tests) = read_package(dir);
    let cohort: Vec<Participant> = package.submissions.iter().map(Participant::from).collect();
    let judged =
        GradeSession::usual(engine, Thoroughness::All).judge(&package, &tests, &cohort, &mut |_| ()).unwrap();
    judged.cards.iter().map(|card| card.points.as_ref().map_or("?".into(), ToString::to_string)).collect()
}
