//! What the judge itself costs: 200 copies of a trivial solution, each with a
//! comment of its own, on 60 tiny tests. Prints the CPU time per trial beyond the
//! program's own, and what a second, unchanged run costs.
#![allow(clippy::print_stdout, reason = "a benchmark prints its figures")]

use kopek::{
    exec::{Engine, KnownFacts, Machine, available_cpus},
    grade::{FailedValidator, GradeSession, Thoroughness},
    language::{LanguageTable, Search, SourceFiles},
    package::{self, Participant, Submission},
    plan::{Build, Outcome},
    sandbox::Sandbox,
    score::LegacyReading,
    store::Store,
};
use std::{
    fs,
    path::Path,
    sync::atomic::AtomicBool,
    time::{Duration, Instant},
};

const COPIES: usize = 200;
const CASES: usize = 60;
/// CPU time per trial beyond the program's own.
const TARGET: Duration = Duration::from_micros(300);
/// CPU time of a run with nothing to do, beyond reading the store.
const IDLE_TARGET: Duration = Duration::from_millis(200);

const PROBLEM: &str = "\
problem_format_version: 2025-09
name: Echo
uuid: 9d9ac92b-24ca-4cf5-b6d8-4e9cb6c3ffdb
limits: {time_limit: 1}
";

fn write_file(path: &Path, text: &str) {
    fs::create_dir_all(path.parent().expect("a file lies in a directory")).unwrap();
    fs::write(path, text).unwrap();
}

fn write_package(dir: &Path) {
    write_file(&dir.join("problem.yaml"), PROBLEM);
    write_file(&dir.join("statement/problem.en.md"), "Print the number.\n");
    write_file(&dir.join("submissions/accepted/a.py"), "print(input())\n");
    write_file(&dir.join("input_validators/v.py"), "exit(42)\n");
    for case in 0..CASES {
        for end in ["in", "ans"] {
            write_file(&dir.join(format!("data/secret/{case:02}.{end}")), &format!("{case}\n"));
        }
    }
}

/// CPU time of this process and of all that it has waited for, in clock ticks of 10 ms.
fn cpu_time() -> Duration {
    let stat = fs::read_to_string("/proc/self/stat").expect("Linux");
    let fields = stat.rsplit(") ").next().expect("a name in brackets").split(' ');
    let ticks: u64 = fields.skip(11).take(4).map(|field| field.parse::<u64>().expect("a number")).sum();
    Duration::from_millis(ticks * 10)
}

fn main() {
    let dir = tempfile::tempdir().unwrap();
    write_package(&dir.path().join("echo"));
    let package = package::read(&dir.path().join("echo")).unwrap().package.expect("a sound package");
    let (tests, _) = package::read_tests(&package).unwrap();
    let sandbox = Sandbox::open(Path::new(env!("CARGO_BIN_EXE_kopek"))).unwrap();
    let search = Search { path: std::env::var_os("PATH").unwrap_or_default(), ..Search::default() };
    let store = Store::open(&dir.path().join("store")).unwrap();
    let machine = Machine::new(sandbox, store, LanguageTable::embedded(), search, available_cpus());
    let submissions: Vec<Submission> = (0..COPIES).map(|copy| write_submission(dir.path(), copy)).collect();
    let cohort: Vec<Participant> = submissions.iter().map(Participant::from).collect();

    let stop = AtomicBool::new(false);
    let judge = |cohort: &[Participant]| {
        let executor = machine.executor();
        let engine = Engine::new(&machine, &executor, &stop);
        let session = GradeSession {
            engine,
            thoroughness: Thoroughness::All,
            reading: LegacyReading::Kattis,
            failed_validator: FailedValidator::Undecided,
        };
        session.judge(&package, &tests, cohort, &mut |_| ()).unwrap()
    };
    // Builds alone first: one case of each would do, but a build needs none.
    build_all(&Engine::new(&machine, &machine.executor(), &stop), &package, &tests, &cohort);

    let (before, start) = (cpu_time(), Instant::now());
    let judged = judge(&cohort);
    let (spent, wall) = (cpu_time() - before, start.elapsed());
    let trials: usize = judged.graded.trials.iter().map(|trials| trials.len()).sum();
    assert_eq!(trials, COPIES * CASES, "faults: {:?}", judged.graded.faults.first());
    let own: Duration = judged.graded.trials.iter().flat_map(|t| t.values()).map(|t| t.usage.cpu).sum();
    let each = spent.saturating_sub(own) / trials as u32;
    println!(
        "{trials} trials: {:.2} s of CPU, {:.2} s of it the programs' own, {:.2} s of wall time",
        spent.as_secs_f64(),
        own.as_secs_f64(),
        wall.as_secs_f64()
    );
    println!(
        "{}: {each:?} of CPU per trial beyond the program's own (target {TARGET:?})",
        pass_or_fail(each <= TARGET)
    );

    let before = cpu_time();
    let again = judge(&cohort);
    let idle = cpu_time() - before;
    assert_eq!(again.graded.done, 0);
    println!(
        "{}: {idle:?} of CPU for an unchanged run over {trials} facts (target {IDLE_TARGET:?} beyond reading the store)",
        pass_or_fail(idle <= IDLE_TARGET)
    );
}

fn pass_or_fail(held: bool) -> &'static str {
    if held { "PASS" } else { "FAIL" }
}

fn write_submission(dir: &Path, copy: usize) -> Submission {
    let (root, file) = (dir.join("class"), format!("s{copy}.c"));
    let text = format!(
        "#include <stdio.h>\n// {copy}\nint main(void) {{ int x; scanf(\"%d\", &x); printf(\"%d\\n\", x); }}\n"
    );
    write_file(&root.join(&file), &text);
    let source = SourceFiles { root, files: vec![file.into()] };
    Submission {
        name: format!("s{copy}"),
        source,
        contents: None,
        language: None,
        entry: None,
        tags: Vec::new(),
    }
}

fn build_all(engine: &Engine, package: &package::Package, tests: &package::TestSet, cohort: &[Participant]) {
    let plan = kopek::grade::prepare(engine, package, tests, cohort, Default::default()).unwrap();
    let jobs = (0..plan.programs.len()).map(|program| plan.build_job(program)).collect();
    for result in engine.run_all(jobs, KnownFacts::Use, &mut |_, _| Ok(())).unwrap() {
        assert!(matches!(result, Some(Ok(Outcome::Build(Build::Program { .. })))), "{result:?}");
    }
}
