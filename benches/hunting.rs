//! The speed of hunts, compared with the usual shell loop: the time to the first counterexample including all
//! builds, and trials per second. A trial is an input that was generated, run by the right and the wrong
//! solution, and compared. `docs/strength.md` has the times of other tools and their command lines.
//!
//! `KOPEK_HUNTING_SEEDS=5` is the number of hunts for each mistake (0: measure only rates),
//! `KOPEK_HUNTING_SECONDS=10` the time for each rate.
#![allow(clippy::print_stdout, clippy::disallowed_methods, reason = "a benchmark")]

#[path = "strength/hunt_setup.rs"]
mod hunt_setup;

use hunt_setup::{load_package, median, number_of, open_machine, participant_of, root};
use kopek::{
    base::Bytes,
    exec::{Engine, local_executor},
    hunt::{HuntingGround, StressRequest, ground_of_package},
    package::{Package, Participant, TestSet},
    stress::{
        CampaignLimits, HuntLimits, HuntStep, HuntUntil, LooseRequest, ground_of_files, hunt, run_campaign,
    },
};
use std::{
    fs,
    path::{Path, PathBuf},
    process::Command,
    sync::atomic::AtomicBool,
    time::{Duration, Instant},
};

/// A wrong solution, or one that is right on these inputs, and the generator call; all below
/// `testdata/strength`.
struct Hunted {
    package: &'static str,
    solution: &'static str,
    generator: &'static str,
    args: &'static str,
}

/// Each fails on about one of ten to some hundred inputs.
const MISTAKES: [Hunted; 4] = [
    Hunted {
        package: "road-trips",
        solution: "wrong_answer/loop_eats_road.c",
        generator: "roads.c",
        args: "random 400 600 100",
    },
    Hunted {
        package: "road-trips",
        solution: "wrong_answer/one_road_each.py",
        generator: "roads.c",
        args: "random 6 10 20",
    },
    Hunted {
        package: "twice-told",
        solution: "wrong_answer/all_but_one.c",
        generator: "text.c",
        args: "random 5 3",
    },
    Hunted {
        package: "twice-told",
        solution: "wrong_answer/no_overlap.c",
        generator: "text.c",
        args: "random 40 26",
    },
];

/// Right on these inputs, so that the hunt does not stop.
const RIGHT: [Hunted; 3] = [
    Hunted {
        package: "road-trips",
        solution: "accepted/reference.rs",
        generator: "roads.c",
        args: "random 400 600 100",
    },
    Hunted {
        package: "twice-told",
        solution: "accepted/reference.rs",
        generator: "text.c",
        args: "random 5 3",
    },
    Hunted {
        package: "twice-told",
        solution: "run_time_error/recursion.py",
        generator: "text.c",
        args: "random 5 3",
    },
];

impl Hunted {
    fn dir(&self) -> PathBuf {
        root().join("testdata/strength").join(self.package)
    }

    fn solution(&self) -> PathBuf {
        self.dir().join("submissions").join(self.solution)
    }

    fn reference(&self) -> PathBuf {
        self.dir().join("submissions/accepted/reference.rs")
    }

    /// With the package, for this file alone.
    fn ground(&self, engine: &Engine, (package, tests): &(Package, TestSet)) -> HuntingGround {
        let files = vec![participant_of(&self.solution(), self.solution.to_owned())];
        let commands = vec![format!("{} {} {{seed}}", self.generator, self.args)];
        let request = StressRequest { files, commands, ..StressRequest::default() };
        let mut ground = ground_of_package(engine, package, tests, &request).unwrap();
        ground.tests.clear();
        ground
    }

    /// Without a package, and therefore without a validator.
    fn loose_ground(&self, engine: &Engine) -> HuntingGround {
        let file = |path: &Path| participant_of(path, path.display().to_string());
        let generator = self.dir().join("generators").join(self.generator);
        let request = LooseRequest {
            solutions: vec![file(&self.solution())],
            brute: file(&self.reference()),
            commands: vec![format!("{} {} {{seed}}", generator.display(), self.args)],
            form: Err(kopek::form::NoForm::TooFew(0)),
            checker: None,
            validators: Vec::new(),
            time_limit: Duration::from_secs(2),
            memory: Bytes::mib(1024),
        };
        let open = |name: &str| -> anyhow::Result<Participant> { Ok(file(Path::new(name))) };
        ground_of_files(engine, &request, &open).unwrap()
    }
}

fn main() {
    println!("{} CPUs; medians of {} seeds", kopek::machine::available_cpus().len(), seeds());
    if seeds() > 0 {
        println!(
            "\n{:40} {:>9} {:>9} {:>9} {:>7} {:>9}",
            "first counterexample", "kopek", "again", "loop", "found", "shrunk"
        );
        MISTAKES.iter().for_each(|mistake| println!("{}", line_of_firsts(mistake)));
    }
    println!("\n{:40} {:>9} {:>9} {:>9}", "trials a second", "package", "files", "loop");
    RIGHT.iter().for_each(|right| println!("{}", line_of_rates(right)));
}

fn seeds() -> u64 {
    number_of("KOPEK_HUNTING_SEEDS", 5)
}

fn rate_time() -> Duration {
    Duration::from_secs(number_of("KOPEK_HUNTING_SECONDS", 10))
}

/// A hunt that found its mistake.
struct First {
    /// Including all builds.
    built: Duration,
    /// With all programs built.
    again: Duration,
    shell: Duration,
    found_bytes: usize,
    shrunk_bytes: usize,
}

fn line_of_firsts(mistake: &Hunted) -> String {
    let firsts: Vec<First> = (1..=seeds()).map(|seed| first_of(mistake, seed)).collect();
    let seconds =
        |time: fn(&First) -> Duration| median(firsts.iter().map(|one| time(one).as_secs_f64())).unwrap();
    let bytes = |size: fn(&First) -> usize| median(firsts.iter().map(size)).unwrap();
    format!(
        "{:40} {:7.2} s {:7.2} s {:7.2} s {:5} B {:7} B",
        mistake.solution,
        seconds(|one| one.built),
        seconds(|one| one.again),
        seconds(|one| one.shell),
        bytes(|one| one.found_bytes),
        bytes(|one| one.shrunk_bytes)
    )
}

/// The first time builds everything in a new store; the second time hunts with another seed.
fn first_of(mistake: &Hunted, seed: u64) -> First {
    let home = tempfile::tempdir().unwrap();
    let loaded =
        with_engine(&home.path().join("other"), |engine| load_package(engine, &mistake.dir(), home.path()));
    let store = home.path().join("store");
    let [built, again] = [seed, seed + 1000].map(|seed| {
        let start = Instant::now();
        with_engine(&store, |engine| {
            let mut found = None;
            let time = Duration::from_secs(60);
            let hunt = HuntLimits { seed, time, until: HuntUntil::First };
            let limits = CampaignLimits { hunt, time: time + Duration::from_secs(20) };
            let mut note = |step: HuntStep| {
                if matches!(step, HuntStep::Found(_)) {
                    found.get_or_insert(start.elapsed());
                }
            };
            let report = run_campaign(engine, &mistake.ground(engine, &loaded), limits, &mut note).unwrap();
            let finding = report.findings.into_iter().next();
            let finding = finding.unwrap_or_else(|| panic!("{}: not found", mistake.solution));
            (found.expect("found"), finding.shrinking.found_bytes, finding.input.len())
        })
    });
    let shell = shell_first(mistake, seed, home.path());
    First { built: built.0, again: again.0, shell, found_bytes: built.1, shrunk_bytes: built.2 }
}

fn with_engine<T>(store: &Path, act: impl FnOnce(&Engine) -> T) -> T {
    let machine = open_machine(store);
    let (executor, stop) = (local_executor(&machine), AtomicBool::new(false));
    act(&Engine::new(&machine, &executor, &stop))
}

fn line_of_rates(right: &Hunted) -> String {
    let home = tempfile::tempdir().unwrap();
    let [package, files] = with_engine(&home.path().join("store"), |engine| {
        let loaded = load_package(engine, &right.dir(), home.path());
        [right.ground(engine, &loaded), right.loose_ground(engine)].map(|ground| rate_of(engine, &ground))
    });
    let shell = shell_rate(right, home.path());
    let name = format!("{} {}", right.generator, right.args);
    let name = if right.solution.ends_with(".py") { format!("{name}, Python") } else { name };
    format!("{name:40} {package:9.0} {files:9.0} {shell:9.0}")
}

/// Trials per second.
fn rate_of(engine: &Engine, ground: &HuntingGround) -> f64 {
    let limits = HuntLimits { seed: 1, time: rate_time(), until: HuntUntil::First };
    let start = Instant::now();
    let result = hunt(engine, ground, limits, &mut |_| ()).unwrap();
    assert!(result.found.is_empty() && result.faults.is_empty(), "{:?}", result.faults);
    result.counts.trials as f64 / start.elapsed().as_secs_f64()
}

/// The usual compiler commands, then the loop until the first counterexample.
fn shell_first(mistake: &Hunted, seed: u64, home: &Path) -> Duration {
    let start = Instant::now();
    build_programs(mistake, home);
    let first = seed * 1_000_000;
    run_loop(mistake, home, &format!("i={first}; until [ -n \"$found\" ]; do i=$((i+1)); "));
    start.elapsed()
}

fn shell_rate(right: &Hunted, home: &Path) -> f64 {
    build_programs(right, home);
    let start = Instant::now();
    let seconds = rate_time().as_secs();
    let trials = run_loop(right, home, &format!("while [ $SECONDS -lt {seconds} ]; do i=$((i+1)); "));
    trials.parse::<f64>().unwrap() / start.elapsed().as_secs_f64()
}

fn build_programs(hunted: &Hunted, home: &Path) {
    let sources = [
        (hunted.dir().join("generators").join(hunted.generator), "generator"),
        (hunted.reference(), "reference"),
        (hunted.solution(), "solution"),
    ];
    for (source, name) in sources {
        let to = home.join(name);
        match source.extension().and_then(|extension| extension.to_str()) {
            Some("c") => build(Command::new("cc").args(["-O2", "-w", "-o"]).args([&to, &source]).arg("-lm")),
            Some("rs") => build(Command::new("rustc").args(["-O", "-o"]).args([&to, &source])),
            Some("py") => {
                fs::copy(&source, home.join("solution.py")).unwrap();
            }
            other => panic!("{other:?}: no compiler for it here"),
        }
    }
}

fn build(command: &mut Command) {
    assert!(command.status().unwrap().success(), "{command:?}");
}

/// The output of the loop.
fn run_loop(hunted: &Hunted, home: &Path, head: &str) -> String {
    let solution = if hunted.solution.ends_with(".py") { "python3 solution.py" } else { "./solution" };
    let script = format!(
        "{head} ./generator {} $i > in; ./reference < in > answer; {solution} < in > output; \
         cmp -s answer output || {{ found=$i; break; }}; done; echo $i",
        hunted.args
    );
    let output = Command::new("bash").args(["-c", &script]).current_dir(home).output().unwrap();
    assert!(output.status.success(), "{script}");
    String::from_utf8(output.stdout).unwrap().trim().to_owned()
}
