//! The overhead of the judge: 100 copies of a trivial solution, each with its own comment, on 60 tiny tests.
//! Prints the CPU time per trial beyond a bare start of the same program in the same minute, for one grader
//! and for four at once, and the cost of a second, unchanged run. `cargo bench --bench grade -- loop
//! [Python]` compares whole classes in C++ and Python with the loop that a person would write.
#![allow(
    clippy::print_stdout,
    clippy::disallowed_methods,
    clippy::fn_params_excessive_bools,
    reason = "a benchmark"
)]

mod class_loop;

use kopek::{
    exec::{Engine, KnownFacts, local_executor},
    grade::{GradeSession, JudgedCohort, Thoroughness},
    language::{LanguageTable, SourceFiles},
    machine::{Machine, available_cpus},
    package::{self, Package, Participant, Submission, TestSet},
    plan::{Build, Outcome},
    sandbox::Sandbox,
    store::Store,
    toolchains::Search,
};
use std::{
    fs::{self, File},
    path::Path,
    process::Command,
    sync::atomic::AtomicBool,
    thread,
    time::Duration,
};

const COPIES: usize = 100;
const CASES: usize = 60;
/// Each round judges a share of the hand-ins, and as many bare starts.
const ROUNDS: usize = 5;
/// One grader alone, and four at once.
const GRADERS: usize = 5;
/// CPU time per trial beyond a bare start of the program.
const TARGET: Duration = Duration::from_micros(100);
/// CPU time of a run with nothing to do, beyond reading the store.
const IDLE_TARGET: Duration = Duration::from_millis(200);

const PROBLEM: &str = "\
problem_format_version: 2025-09
name: Echo
uuid: 9d9ac92b-24ca-4cf5-b6d8-4e9cb6c3ffdb
limits: {time_limit: 1}
";

fn write_file(path: &Path, text: &str) {
    fs::create_dir_all(path.parent().expect("a file has a parent")).unwrap();
    fs::write(path, text).unwrap();
}

/// Writes a package with cases of one input and one answer each.
fn write_package(dir: &Path, problem: &str, solution: &str, case: impl Fn(usize) -> [String; 2]) {
    write_file(&dir.join("problem.yaml"), problem);
    write_file(&dir.join("statement/problem.en.md"), "Print the number.\n");
    write_file(&dir.join("submissions/accepted/a.py"), solution);
    write_file(&dir.join("input_validators/v.py"), "exit(42)\n");
    for number in 0..CASES {
        for (end, text) in ["in", "ans"].into_iter().zip(case(number)) {
            write_file(&dir.join(format!("data/secret/{number:02}.{end}")), &text);
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

/// One grader with a store of its own.
struct Grader {
    machine: Machine,
    stop: AtomicBool,
}

impl Grader {
    fn open(store: &Path) -> Grader {
        let sandbox = Sandbox::open(Path::new(env!("CARGO_BIN_EXE_kopek"))).unwrap();
        let search = Search { path: std::env::var_os("PATH").unwrap_or_default(), ..Search::default() };
        let store = Store::open(store).unwrap();
        let machine = Machine::new(sandbox, store, LanguageTable::embedded(), search, available_cpus());
        Grader { machine, stop: AtomicBool::new(false) }
    }

    fn judge(&self, sample: &Sample, cohort: &[Participant]) -> JudgedCohort {
        let executor = local_executor(&self.machine);
        let session =
            GradeSession::usual(Engine::new(&self.machine, &executor, &self.stop), Thoroughness::All);
        session.judge(&sample.package, &sample.tests, cohort, &mut |_| ()).unwrap()
    }

    /// Builds all programs, and copies the first to `to`.
    fn build_all(&self, sample: &Sample, to: &Path) {
        let executor = local_executor(&self.machine);
        let engine = Engine::new(&self.machine, &executor, &self.stop);
        let plan = kopek::grade::prepare(
            &engine,
            &sample.package,
            &sample.tests,
            &sample.cohort,
            Default::default(),
        )
        .unwrap();
        let jobs = (0..plan.programs.len()).map(|program| plan.build_job(program)).collect();
        let results = engine.run_all(jobs, KnownFacts::Use, &mut |_, _| Ok(())).unwrap();
        for result in &results {
            assert!(matches!(result, Some(Ok(Outcome::Build(Build::Program { .. })))), "{result:?}");
        }
        if let Some(Some(Ok(Outcome::Build(Build::Program { blob, .. })))) = results.first() {
            self.machine.store.export_tree(blob, to).unwrap();
        }
    }
}

/// The package, its tests and the class.
struct Sample {
    package: Package,
    tests: TestSet,
    cohort: Vec<Participant>,
}

/// CPU time of a trial: of the judge and the program, and of a bare start of the program alone.
struct Round {
    judged: Duration,
    bare: Duration,
}

impl Round {
    fn own(&self) -> Duration {
        self.judged.saturating_sub(self.bare)
    }
}

fn main() {
    let arguments: Vec<String> = std::env::args().collect();
    if arguments.iter().any(|argument| argument == "loop") {
        let is_named = |name: &str| arguments.iter().any(|argument| argument == name);
        let some = class_loop::LANGUAGES.iter().any(|language| is_named(language.name));
        let wanted = class_loop::LANGUAGES.iter().filter(|language| !some || is_named(language.name));
        wanted.for_each(class_loop::compare_with_loop);
        return;
    }
    let dir = tempfile::tempdir().unwrap();
    let sample = write_sample(dir.path());
    let graders: Vec<Grader> =
        (0..GRADERS).map(|number| Grader::open(&dir.path().join(format!("store{number}")))).collect();
    let bare = dir.path().join("bare");
    graders.iter().for_each(|grader| grader.build_all(&sample, &bare));
    let program = bare.join(".program");
    let input = sample.package.dir.join("data/secret/00.in");

    let rounds = |graders: &[Grader]| -> Vec<Round> {
        let shares = sample.cohort.chunks(COPIES / ROUNDS);
        let round = |cohort: &[Participant]| Round {
            judged: judged_cost(graders, &sample, cohort),
            bare: bare_cost(&program, &input, cohort.len() * CASES),
        };
        shares.map(round).collect()
    };
    report("one grader", &rounds(&graders[..1]));
    report(&format!("{} graders at once", GRADERS - 1), &rounds(&graders[1..]));

    let before = cpu_time();
    let again = graders[0].judge(&sample, &sample.cohort);
    let idle = cpu_time() - before;
    assert_eq!(again.graded.done, 0);
    println!(
        "{}: {idle:?} of CPU for an unchanged run over {} facts (target {IDLE_TARGET:?} beyond reading the store)",
        pass_or_fail(idle <= IDLE_TARGET),
        COPIES * CASES
    );
}

/// CPU time per trial of graders that judge the same hand-ins at once.
fn judged_cost(graders: &[Grader], sample: &Sample, cohort: &[Participant]) -> Duration {
    let before = cpu_time();
    thread::scope(|scope| {
        for grader in graders {
            scope.spawn(|| {
                let judged = grader.judge(sample, cohort);
                let trials: usize = judged.graded.trials.iter().map(|trials| trials.len()).sum();
                assert_eq!(trials, cohort.len() * CASES, "faults: {:?}", judged.failures().first());
            });
        }
    });
    (cpu_time() - before) / (graders.len() * cohort.len() * CASES) as u32
}

/// CPU time of one start of the program with nothing around it: `posix_spawn` and a wait.
fn bare_cost(program: &Path, input: &Path, times: usize) -> Duration {
    let before = cpu_time();
    for _ in 0..times {
        let output = tempfile::tempfile().unwrap();
        let mut command = Command::new(program);
        command.env_clear().stdin(File::open(input).unwrap()).stdout(output);
        assert!(command.status().unwrap().success());
    }
    (cpu_time() - before) / times as u32
}

fn report(name: &str, rounds: &[Round]) {
    let median = |value: fn(&Round) -> Duration| {
        let mut values: Vec<Duration> = rounds.iter().map(value).collect();
        values.sort();
        values[values.len() / 2]
    };
    let own = median(Round::own);
    println!(
        "{}: {name}: {own:?} of CPU per trial beyond a bare start of the program (target {TARGET:?}; {:?} and {:?}, medians of {})",
        pass_or_fail(own <= TARGET),
        median(|round| round.judged),
        median(|round| round.bare),
        rounds.len()
    );
}

fn write_sample(dir: &Path) -> Sample {
    let case = |number| [0, 1].map(|_| format!("{number}\n"));
    write_package(&dir.join("echo"), PROBLEM, "print(input())\n", case);
    let package = package::read(&dir.join("echo")).unwrap().package.expect("a sound package");
    let (tests, _) = package::read_tests(&package).unwrap();
    let submissions: Vec<Submission> = (0..COPIES).map(|copy| write_submission(dir, copy)).collect();
    let cohort = submissions.iter().map(Participant::from).collect();
    Sample { package, tests, cohort }
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
