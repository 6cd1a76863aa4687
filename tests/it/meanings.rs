//! Chapter: meanings. One fixed job of each kind has a key and an outcome that are written down here.
//! Who changes one of them must ask whether equal tasks now come to other outcomes, and if so raise the
//! number of the kind in `plan::MEANINGS`: a changed judge must not serve old facts.

use crate::ordinary_user::worker;
use kopek::{
    base::{Bytes, Digest},
    exec::{Engine, KnownFacts, local_executor},
    language::{Language, LanguageTable, SourceFiles},
    machine::{DeclaredSource, Machine, available_cpus, plan_build},
    package::{CaseArguments, Format},
    plan::{
        AnswerSource, Build, BuildTask, CaseFiles, Checker, DrawTask, GeneratorCall, GradeTask, InputRule,
        InputRuling, InputTask, Job, MakePlace, MakeTask, Outcome, OutputTask, ProbeGround, ProbeInputs,
        ProbeTask, ProbeUntil, Program, Scrutiny, SeedPlace, Setting, SourceCase, SourceTask, Task,
        ToolchainId, TrialMode, TrialTask,
    },
    sandbox::{Limits, Sandbox},
    store::Store,
    toolchains::Search,
};
use std::{
    collections::BTreeMap,
    path::{Path, PathBuf},
    sync::{Arc, atomic::AtomicBool},
    time::Duration,
};

const LIMITS: Limits = Limits {
    cpu: Duration::from_secs(10),
    wall: Duration::from_secs(60),
    memory: Bytes::mib(256),
    output: Bytes::mib(1),
    files: Bytes::mib(1),
    processes: 16,
};

/// Prints what it reads, refuses a 7, accepts the rest; draws; grades; what it is called for it tells by
/// its arguments.
const SCRIPT: &str = r#"
case $1 in
generate) echo "$2" ;;
grade) echo AC 2.5 ;;
/data/*|/box/input) [ -d "$3" ] && { echo '<svg></svg>' > "$3/judgeimage.svg"; } 
    if [ "${4:-}" = draw ]; then exit 0; fi
    grep -q 7 && { echo seven > "$3/judgemessage.txt"; exit 43; } ; exit 42 ;;
validate) grep -q 7 && { echo seven >&2; exit 43; } ; exit 42 ;;
bash) exit 42 ;;
*) cat ;;
esac
"#;

/// A row that no change of the table changes.
fn row() -> Language {
    let bash = LanguageTable::embedded().get("bash").expect("bash has a row").clone();
    Language {
        code: "sh".into(),
        name: "sh".into(),
        endings: vec![".sh".into()],
        build: None,
        run: ["sh", "/exe/{entry}"].map(String::from).into(),
        extras: vec![],
        env: BTreeMap::new(),
        needs: vec![],
        exhausted: vec![],
        warm: None,
        processes: 0,
        spare: Bytes(0),
        hello: None,
        ..bash
    }
}

struct Fixture {
    _home: tempfile::TempDir,
    machine: Machine,
}

impl Fixture {
    fn open() -> Fixture {
        let home = tempfile::tempdir().unwrap();
        let store = Store::open(&home.path().join("store")).unwrap();
        let search = Search { path: std::env::var_os("PATH").unwrap(), ..Search::default() };
        let sandbox = Sandbox::open(&worker()).unwrap();
        let machine = Machine::new(sandbox, store, LanguageTable::embedded(), search, available_cpus());
        Fixture { _home: home, machine }
    }

    fn outcome(&self, task: Task) -> Outcome {
        let (executor, stop) = (local_executor(&self.machine), AtomicBool::new(false));
        let engine = Engine::new(&self.machine, &executor, &stop);
        let mut results =
            engine.run_all(vec![Job::new(task)], KnownFacts::Ignore, &mut |_, _| Ok(())).unwrap();
        results.pop().flatten().expect("it is done").expect("no fault")
    }

    fn hold(&self, text: &str) -> Digest {
        self.machine.store.hold(&text.as_bytes().into()).unwrap()
    }

    /// How the script is built here.
    fn build(&self, dir: &Path) -> BuildTask {
        std::fs::write(dir.join("main.sh"), SCRIPT).unwrap();
        let source = SourceFiles { root: dir.to_owned(), files: vec![PathBuf::from("main.sh")] };
        let rules = kopek::machine::BuildRules {
            role: kopek::machine::SourceRole::HandIn,
            constants: &BTreeMap::new(),
            allowed: None,
            include: &BTreeMap::new(),
            limits: LIMITS,
            code: Bytes::kib(4),
        };
        let declared = DeclaredSource { language: Some("bash"), ..DeclaredSource::undeclared(&source) };
        plan_build(&self.machine, declared, &rules).unwrap()
    }
}

/// The same without what differs between machines.
fn everywhere(build: &BuildTask) -> BuildTask {
    BuildTask {
        language: row(),
        toolchain: ToolchainId {
            code: "sh".into(),
            version: "1".into(),
            digest: Digest::of(b"sh"),
            guards: vec![],
        },
        isolation: "some".into(),
        cached: Default::default(),
        ..build.clone()
    }
}

/// Fixed tasks of all kinds around a program.
fn tasks(fixture: &Fixture, build: BuildTask, blob: Digest) -> Vec<(&'static str, Task)> {
    let entry = build.entry.clone();
    let (isolation, build) = (build.isolation.clone(), Arc::new(build));
    let program = Program { name: "script".into(), build: build.clone(), blob, entry, limits: LIMITS };
    let shared = Arc::new(program.clone());
    let data = {
        let empty = tempfile::tempdir().unwrap();
        fixture.machine.store.put_tree(empty.path()).unwrap()
    };
    let case = Arc::new(CaseFiles {
        name: "secret/1".into(),
        input: fixture.hold("5\n"),
        answer: fixture.hold("5\n"),
        files: None,
        args: vec![],
        output_validator_args: vec![],
        input_visualizer_args: vec![],
        output_visualizer_args: vec!["draw".into()],
    });
    let checker = Arc::new(Checker::Programs { programs: vec![program], scores: true, data });
    let setting = Arc::new(Setting {
        mode: TrialMode::Alone { passes: 1 },
        limits: LIMITS,
        stop: LIMITS.cpu,
        checker: Arc::new(Checker::Default(Format::V2025_09)),
        writable: false,
        named_files: None,
        isolation,
        machine: "some".into(),
    });
    let trial = TrialTask::new(shared.clone(), case.clone(), setting);
    let call = GeneratorCall {
        program: shared.clone(),
        command: "script generate {seed}".into(),
        shown: "script generate 3".into(),
        args: vec!["generate".into(), "{seed}".into()],
        seed: Some(SeedPlace { arg: 1, prefix: String::new(), suffix: String::new(), first: 3 }),
        tries: 1,
        scrutiny: Scrutiny::Doubt,
    };
    let make = MakeTask {
        name: "secret/1".into(),
        root: "secret".into(),
        generator: Some(call),
        copies: BTreeMap::new(),
        literals: BTreeMap::new(),
        links: BTreeMap::new(),
        answer: AnswerSource::Solution(shared.clone()),
        places: vec![MakePlace {
            path: "secret/1".into(),
            input: InputRule::Accepted,
            inherited: CaseArguments::default(),
        }],
        input_validators: vec![],
        output_validators: vec![],
        named_files: None,
    };
    let source_case =
        Arc::new(SourceCase { group: "secret".into(), args: vec![], validator: shared.clone() });
    let input = InputTask {
        validator: shared.clone(),
        input: fixture.hold("7\n"),
        files: None,
        args: vec!["validate".into()],
    };
    let grade = GradeTask {
        grader: shared.clone(),
        group: "secret".into(),
        flags: vec!["grade".into()],
        input: "AC 1\n".into(),
    };
    let draw = DrawTask::Output { visualizer: Some(shared.clone()), trial: trial.clone(), data };
    let probe = ProbeTask {
        // The script refuses a 7 as an input; what it prints for an 8 is no answer to a 5.
        inputs: ProbeInputs::Given(vec![b"7\n".to_vec(), b"8\n".to_vec()]),
        subjects: vec![shared.clone()],
        ground: Arc::new(ProbeGround {
            input_validators: vec![InputRuling { validator: shared.clone(), args: vec!["validate".into()] }],
            solution: None,
            case: (*case).clone(),
            setting: trial.setting.clone(),
        }),
        until: ProbeUntil::End,
        deadline: None,
    };
    vec![
        ("build", Task::Build(build)),
        ("make case", Task::MakeCase(Arc::new(make))),
        ("check input", Task::CheckInput(input)),
        ("check output", Task::CheckOutput(OutputTask { checker, case, output: fixture.hold("7\n") })),
        ("trial", Task::Trial(trial)),
        ("check source", Task::CheckSource(SourceTask { program: shared, case: source_case })),
        ("grade", Task::Grade(grade)),
        ("draw", Task::Draw(draw)),
        ("probe", Task::Probe(Arc::new(probe))),
    ]
}

/// What of an outcome is the same in every run.
fn fixed_part(mut outcome: Outcome) -> String {
    if let Outcome::Trial(trial) = &mut outcome {
        trial.usage = Default::default();
    }
    if let Outcome::Probe(result) = &mut outcome {
        let trials = result.hits.iter_mut().filter_map(|hit| hit.trial.as_mut());
        trials.for_each(|trial| trial.usage = Default::default());
    }
    serde_json::to_string(&outcome).unwrap()
}

#[test]
fn keys_and_outcomes_change_only_with_the_meaning_of_their_kind() {
    let fixture = Fixture::open();
    let home = tempfile::tempdir().unwrap();
    let build = fixture.build(home.path());
    let built = fixture.outcome(Task::Build(Arc::new(build.clone())));
    let Outcome::Build(Build::Program { blob, .. }) = built else { panic!("{built:?}") };
    let keys = tasks(&fixture, everywhere(&build), Digest::of(b"any blob"));
    let mut lines = Vec::new();
    for ((kind, task), (_, real)) in keys.into_iter().zip(tasks(&fixture, build, blob)) {
        lines.push(format!(
            "{kind}\n  key     {}\n  outcome {}",
            task.key(),
            fixed_part(fixture.outcome(real))
        ));
    }
    insta::assert_snapshot!("meanings", lines.join("\n"));
}

#[test]
fn every_kind_of_job_has_its_row() {
    let names: Vec<&str> = kopek::plan::MEANINGS.iter().map(|(_, name, _)| *name).collect();
    let fixture = Fixture::open();
    let home = tempfile::tempdir().unwrap();
    let build = fixture.build(home.path());
    let kinds: Vec<&str> =
        tasks(&fixture, build, Digest::of(b"")).into_iter().map(|(kind, _)| kind).collect();
    assert_eq!(names, kinds);
}
