//! Every job returns the fault of any of its programs, with its source and its text.

use super::scripted_worker::{ALONE, ScriptedWorker, source_of};
use kopek_package::package::CaseArguments;
use kopek_plan::plan::{
    AnswerSource, CaseResult, Checker, DrawTask, GeneratorCall, GradeTask, InputRule, InputTask, MakePlace,
    MakeTask, Outcome, OutputTask, Program, Scrutiny, SourceCase, SourceTask, Task, TrialMode,
};
use std::sync::Arc;

/// All programs of a job end well except the one with this name.
struct OneFails<'a> {
    worker: &'a ScriptedWorker,
    name: &'a str,
    fails: &'a str,
}

impl OneFails<'_> {
    fn program(&self, name: &str, text: &str) -> Program {
        self.worker.program(name, if name == self.name { self.fails } else { text })
    }

    fn shared(&self, name: &str, text: &str) -> Arc<Program> {
        Arc::new(self.program(name, text))
    }

    fn checker(&self) -> Checker {
        let programs =
            ["output validator", "second validator"].map(|name| self.program(name, "code 42")).into();
        Checker::Programs { programs, scores: true, data: self.worker.data() }
    }

    fn trial(&self, mode: TrialMode) -> Task {
        let mut checker = self.checker();
        if let (TrialMode::Talk { .. }, Checker::Programs { programs, .. }) = (mode, &mut checker) {
            programs.truncate(1);
        }
        let mut task = self.worker.trial_task("", self.worker.setting(mode, checker));
        task.program = self.shared("submission", "out one");
        Task::Trial(task)
    }

    fn draw_output(&self) -> Task {
        let Task::Trial(trial) = self.trial(ALONE) else { unreachable!() };
        let visualizer = Some(self.shared("visualizer", "write feedback/judgeimage.svg=<svg/>"));
        Task::Draw(DrawTask::Output { visualizer, trial, data: self.worker.data() })
    }

    fn draw_input(&self) -> Task {
        let (visualizer, case) =
            (self.shared("visualizer", "write a.svg=<svg/>"), self.worker.case("1\n", "one\n"));
        Task::Draw(DrawTask::Input { visualizer, case: Arc::new(case), data: self.worker.data() })
    }

    fn make_case(&self) -> Task {
        let generator = GeneratorCall {
            program: self.shared("generator", "out 1\\n"),
            command: "generator".into(),
            shown: "generator".into(),
            args: Vec::new(),
            seed: None,
            tries: 2,
            scrutiny: Scrutiny::Doubt,
        };
        let place = MakePlace {
            path: "secret/1".into(),
            input: InputRule::Accepted,
            inherited: CaseArguments::default(),
        };
        Task::MakeCase(Arc::new(MakeTask {
            name: "secret/1".into(),
            root: "secret".into(),
            generator: Some(generator),
            copies: Default::default(),
            literals: Default::default(),
            links: Default::default(),
            answer: AnswerSource::Solution(self.shared("solution", "out one\\n")),
            places: vec![place],
            input_validators: vec![self.shared("input validator", "code 42")],
            output_validators: vec![self.shared("output validator", "code 42")],
            named_files: None,
        }))
    }

    fn check_input(&self) -> Task {
        let (validator, input) = (self.shared("input validator", "code 42"), self.worker.lend("1.in", "1\n"));
        Task::CheckInput(InputTask { validator, input, files: None, args: Vec::new() })
    }

    fn check_output(&self) -> Task {
        let (case, output) = (self.worker.case("1\n", "one\n"), self.worker.lend("output", "two\n"));
        Task::CheckOutput(OutputTask { checker: Arc::new(self.checker()), case: Arc::new(case), output })
    }

    fn check_source(&self) -> Task {
        let validator = self.shared("static validator", "code 42");
        let case = SourceCase { group: "secret".into(), args: Vec::new(), validator };
        Task::CheckSource(SourceTask { program: self.shared("submission", ""), case: Arc::new(case) })
    }

    fn grade(&self) -> Task {
        let grader = self.shared("grader", "out AC 5\\n");
        Task::Grade(GradeTask { grader, group: "secret".into(), flags: Vec::new(), input: String::new() })
    }
}

/// A kind of job, the function that makes one, and its programs.
type FaultRow = (&'static str, fn(&OneFails) -> Task, &'static [&'static str]);

const JOBS: [FaultRow; 9] = [
    ("trial", |one| one.trial(ALONE), &["submission", "output validator", "second validator"]),
    ("talk", |one| one.trial(TrialMode::Talk { passes: 1 }), &["submission", "output validator"]),
    ("make case", |one| one.make_case(), &["generator", "input validator", "solution", "output validator"]),
    ("check input", |one| one.check_input(), &["input validator"]),
    ("check output", |one| one.check_output(), &["output validator", "second validator"]),
    ("check source", |one| one.check_source(), &["static validator"]),
    ("grade", |one| one.grade(), &["grader"]),
    ("draw input", |one| one.draw_input(), &["visualizer"]),
    ("draw output", |one| one.draw_output(), &["submission", "output validator", "visualizer"]),
];

/// The jobs that say something about the package's data.
const OF_DATA: [&str; 2] = ["make case", "check input"];

#[test]
fn a_program_of_the_package_that_waits_says_nothing_about_its_data() {
    let worker = ScriptedWorker::new();
    let of_data = JOBS.iter().filter(|(kind, ..)| OF_DATA.contains(kind));
    for (kind, job, programs) in of_data {
        for name in *programs {
            let fault = worker.perform(job(&OneFails { worker: &worker, name, fails: "exceeded wall" }));
            let fault = fault.unwrap_err();
            let what = format!("`{name}` did not end within 3 s");
            assert!(source_of(&fault) == "undecided" && fault.what.starts_with(&what), "{kind}: {fault}");
        }
    }
}

#[test]
fn a_validator_that_was_stopped_has_not_refused_an_invalid_input() {
    let worker = ScriptedWorker::new();
    for (validator, want) in [
        ("code 43", None),
        ("signal 11", None),
        ("code 42", Some("every input validator accepts this input, which should be invalid")),
        ("exceeded cpu", Some("input validator `input validator` used more than 2 s of CPU time")),
        ("exceeded memory", Some("input validator `input validator` used more than 64 MiB of memory")),
    ] {
        let made = OneFails { worker: &worker, name: "input validator", fails: validator }.make_case();
        let Task::MakeCase(task) = made else { unreachable!() };
        let mut task = MakeTask::clone(&task);
        task.places[0].input = InputRule::Refused;
        let Ok(Outcome::Case(case)) = worker.perform(Task::MakeCase(Arc::new(task))) else { panic!() };
        let problem = match &case {
            CaseResult::Made { .. } => None,
            CaseResult::Refused { problem, .. } => Some(problem.as_str()),
        };
        assert_eq!(problem, want, "{validator}");
    }
}

#[test]
fn a_fault_of_any_program_in_any_job_keeps_its_source_and_words() {
    let worker = ScriptedWorker::new();
    for (kind, job, programs) in JOBS {
        let done = worker.perform(job(&OneFails { worker: &worker, name: "", fails: "" }));
        assert!(done.is_ok(), "{kind}: {done:?}");
        for (name, (item, source)) in programs.iter().flat_map(|name| {
            [("fault", "machine"), ("stumbled", "validator"), ("disturbed", "undecided")]
                .map(|row| (name, row))
        }) {
            let fails = format!("{item} over it");
            let fault = worker.perform(job(&OneFails { worker: &worker, name, fails: &fails })).unwrap_err();
            assert_eq!((source_of(&fault), fault.what.as_str()), (source, "over it"), "{kind}, {name}");
        }
    }
}
