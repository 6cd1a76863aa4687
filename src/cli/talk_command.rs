//! `kopek talk`: plays an interactive problem by hand.

use super::{
    exit_status::ExitStatus,
    interrupt::stop_on_interrupt,
    limit_options::LimitOptions,
    loose_judge::adapt_checker,
    machine_options::{BuildKind, MachineOptions},
    named_packages::load_package,
    talk_view::{TalkSide, TalkView},
    terminal_output::{print_aside, print_message, print_text},
};
use crate::{
    base::ScratchDir,
    class::{self, CohortRules},
    exec::{Engine, NoProgram, local_executor},
    grade::{TalkingSolution, only_case, prepare},
    loading::{LoadedPackage, PackagePlace, locate_package},
    machine::Machine,
    package::{LOOSE_TIME, missing_path},
    plan::Trial,
    render::{self, visible_text},
    results::Notices,
    sandbox::{EndedTalk, Fault, Person, TalkEnd},
    solution::{LooseJudge, LooseTalk},
    verdict::Verdict,
    worker::{JudgeSide, talk_as_judge, talk_as_submission, talk_of_programs},
};
use anyhow::{Context, Result, bail};
use std::{
    os::fd::AsFd,
    path::{Path, PathBuf},
    sync::atomic::{AtomicBool, Ordering},
    time::Duration,
};

#[derive(clap::Args)]
#[command(after_help = "\
You are the judge:     kopek talk PACKAGE SOLUTION, or kopek talk SOLUTION\n\
You are the solution:  kopek talk PACKAGE, or kopek talk --interactor PROGRAM\n\
You watch both:        kopek talk --interactor PROGRAM SOLUTION\n\n\
Lines of the judge begin with <, those of the solution with >. Ctrl-D ends your input, Ctrl-C the talk.\n\n\
Exit codes: 0 accepted, or ended well; 1 not; 2 error; 3 the judge or kopek failed; 130 interrupted.")]
pub(super) struct Args {
    /// Package of an interactive problem, if there is one
    #[arg(value_name = "PACKAGE")]
    first: Option<PathBuf>,
    /// Solution: file or directory
    solution: Option<PathBuf>,
    /// Side that you play
    #[arg(long, value_name = "SIDE", value_enum)]
    play: Option<Play>,
    /// Case, by name or pattern [default: the first]
    #[arg(long, value_name = "NAME")]
    case: Option<String>,
    /// Interactive output validator that judges, without a package
    #[arg(long, value_name = "PROGRAM")]
    interactor: Option<PathBuf>,
    /// Input of the interactor
    #[arg(long, value_name = "FILE", requires = "interactor")]
    input: Option<PathBuf>,
    /// Answer of the interactor
    #[arg(long, value_name = "FILE", requires = "interactor")]
    answer: Option<PathBuf>,
    #[command(flatten)]
    limits: LimitOptions,
    /// Build with debug checks, as `kopek run --debug`
    #[arg(long)]
    debug: bool,
    #[command(flatten, next_help_heading = "Machine")]
    machine: MachineOptions,
}

/// The side that the user plays.
#[derive(Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
enum Play {
    Judge,
    Solution,
    #[value(name = "none", alias = "nobody")]
    Nobody,
}

struct TalkRequest<'a> {
    package: Option<PackagePlace>,
    solution: Option<&'a Path>,
    play: Play,
}

pub(super) fn run(args: Args) -> Result<ExitStatus> {
    // Parsed first, because a mistyped path must not create a store.
    let request = args.request()?;
    let aside = ScratchDir::new().context("make a directory for the judge")?;
    let loose = if request.package.is_none() { Some(args.loose_talk().load(aside.path())?) } else { None };
    let machine = args.machine.open_for(args.builds())?;
    let stop = stop_on_interrupt()?;
    let executor = local_executor(&machine);
    let engine = Engine::new(&machine, &executor, &stop);
    let mut notices = Notices { warnings: machine.warnings(), ..Notices::default() };
    let mut loaded = match (&request.package, loose) {
        (Some(place), _) => load_package(place.dir(), &engine)?.note_in(&mut notices),
        (None, Some(loose)) => loose,
        (None, None) => unreachable!("without a package it is loose"),
    };
    args.apply_limits(&mut loaded);
    check_interactive(&request, &loaded)?;
    notices.warnings.iter().for_each(|warning| print_message!("{warning}"));
    let case = args.chosen_case(&loaded)?;
    let talk = Talk { machine: &machine, engine, loaded: &loaded, case, stop: &stop };
    match request.solution {
        Some(solution) if request.play != Play::Solution => talk.with_solution(solution, &request),
        Some(_) | None => talk.with_judge(&request),
    }
}

impl Args {
    fn request(&self) -> Result<TalkRequest<'_>> {
        let first = self.first.as_deref();
        let second = self.solution.as_deref();
        for path in [&self.input, &self.answer].into_iter().flatten() {
            if !path.is_file() {
                return Err(missing_path("read", path));
            }
        }
        let is_package = first.is_some_and(|path| path.join("problem.yaml").exists() || is_zip(path));
        let (package, solution) = match (first, second) {
            (Some(first), Some(second)) if !is_package && second.join("problem.yaml").exists() => bail!(
                "{0} is not a problem package, but {1} is; did you mean `kopek talk {1} {0}`?",
                first.display(),
                second.display()
            ),
            (Some(first), Some(second)) => (Some(first), Some(second)),
            (Some(first), None) if is_package => (Some(first), None),
            (first, None) => (None, first),
            (None, Some(_)) => unreachable!("the first argument comes first"),
        };
        if let Some(solution) = solution.filter(|path| path.symlink_metadata().is_err()) {
            return Err(missing_path("read the solution", solution));
        }
        let play = self.side(package.is_some(), solution.is_some())?;
        if let (Some(package), Some(_)) = (package, &self.interactor) {
            bail!("{} has its own judge; remove --interactor or the package", package.display());
        }
        if self.case.is_some() && package.is_none() {
            bail!("--case needs a package");
        }
        Ok(TalkRequest { package: package.map(locate_package).transpose()?, solution, play })
    }

    /// The requested side, else the one without a program.
    #[expect(clippy::fn_params_excessive_bools, reason = "facts about the arguments")]
    fn side(&self, has_package: bool, has_solution: bool) -> Result<Play> {
        let has_judge = has_package || self.interactor.is_some();
        let usual = match (has_solution, self.interactor.is_some()) {
            (false, _) => Play::Solution,
            (true, true) => Play::Nobody,
            (true, false) => Play::Judge,
        };
        let play = self.play.unwrap_or(usual);
        if play != Play::Judge && !has_judge {
            bail!("no interactor; give a package or --interactor PROGRAM");
        }
        if play != Play::Solution && !has_solution {
            bail!("no solution given; without one you play the solution (--play solution)");
        }
        Ok(play)
    }

    /// A replacement for a missing package.
    fn loose_talk(&self) -> LooseTalk<'_> {
        let judge = self.interactor.as_deref().map_or(LooseJudge::Comparison, LooseJudge::Interactor);
        let (input, answer) = (self.input.as_deref(), self.answer.as_deref());
        LooseTalk { judge, adapt: &adapt_checker, input, answer }
    }

    fn builds(&self) -> BuildKind {
        if self.debug { BuildKind::Debugging } else { BuildKind::Usual }
    }

    fn apply_limits(&self, loaded: &mut LoadedPackage) {
        let limits = &mut loaded.package.limits;
        if self.debug {
            limits.time.get_or_insert(LOOSE_TIME);
        }
        self.limits.limits(self.builds()).apply(limits);
    }

    /// The index of the requested case.
    fn chosen_case(&self, loaded: &LoadedPackage) -> Result<usize> {
        self.case.as_ref().map_or(Ok(0), |name| only_case(&loaded.tests, name))
    }
}

fn is_zip(path: &Path) -> bool {
    path.is_file() && path.extension().is_some_and(|ending| ending.eq_ignore_ascii_case("zip"))
}

fn check_interactive(request: &TalkRequest, loaded: &LoadedPackage) -> Result<()> {
    if request.package.is_none() || loaded.package.kind.interactive {
        return Ok(());
    }
    bail!(
        "{} is not interactive; `kopek run PACKAGE SOLUTION --input -` runs a solution on what you type",
        loaded.package.name
    )
}

/// The conversation, without its two sides.
struct Talk<'a> {
    machine: &'a Machine,
    engine: Engine<'a>,
    loaded: &'a LoadedPackage,
    case: usize,
    stop: &'a AtomicBool,
}

impl Talk<'_> {
    /// Connects a solution with the user, or with the judge's program.
    fn with_solution(&self, solution: &Path, request: &TalkRequest) -> Result<ExitStatus> {
        let LoadedPackage { package, tests, .. } = self.loaded;
        let participant = class::read_single(solution, package, &CohortRules::usual(&self.machine.table))?;
        let built = match TalkingSolution::build(&self.engine, package, tests, self.case, &participant)? {
            Ok(built) => built,
            Err(why) => return no_conversation(solution, &why),
        };
        if request.play == Play::Nobody {
            return self.read_programs(&built);
        }
        if request.package.is_some() {
            let case = &self.loaded.tests.cases[self.case];
            print_message!("the case is {}; its input is {}", case.name, case.input.display());
        }
        print_message!("you are the judge; lines with > are of {}", solution.display());
        let patience = built.task.setting.limits.wall;
        let talk = self.hold(TalkSide::Submission, patience, |person| {
            talk_as_judge(self.machine, &built.task, person)
        })?;
        let Some(EndedTalk { end, result: mut trial }) = talk else { return Ok(ExitStatus::Faults) };
        if end == TalkEnd::Stopped {
            return Ok(ExitStatus::Interrupted);
        }
        if end == TalkEnd::Silence {
            print_message!("stopped: it did not end within {:.0?} after the end of your input", patience);
        }
        trial.stderr = built.in_own_names(&trial.stderr);
        print_aside(&render::end_of_talk(&trial));
        let is_well = end == TalkEnd::Program && trial.verdict == Verdict::Accepted;
        Ok(if is_well { ExitStatus::Success } else { ExitStatus::Negative })
    }

    /// Connects the user with the judge's program.
    fn with_judge(&self, request: &TalkRequest) -> Result<ExitStatus> {
        let LoadedPackage { package, tests, .. } = self.loaded;
        let plan = prepare(&self.engine, package, tests, &[], Duration::ZERO)?;
        let side = JudgeSide { setting: &plan.setting, case: &plan.cases[self.case] };
        let on = if request.package.is_some() { format!(" on {}", side.case.name) } else { String::new() };
        print_message!("you are the solution{on}; lines with < are of the judge");
        let patience = side.setting.limits.wall;
        let talk =
            self.hold(TalkSide::Judge, patience, |person| talk_as_submission(self.machine, side, person))?;
        let Some(talk) = talk else { return Ok(ExitStatus::Faults) };
        match talk.end {
            TalkEnd::Stopped => Ok(ExitStatus::Interrupted),
            TalkEnd::Silence => {
                print_message!(
                    "stopped: the judge did not end within {patience:.0?} after the end of your input"
                );
                Ok(ExitStatus::Faults)
            }
            TalkEnd::Program => Ok(show_reply(&talk.result)),
        }
    }

    /// Connects two programs, and shows the conversation when both have ended.
    fn read_programs(&self, built: &TalkingSolution) -> Result<ExitStatus> {
        let talk = talk_of_programs(self.machine, &built.task).inspect_err(print_fault);
        let Ok(mut trial) = talk else { return Ok(ExitStatus::Faults) };
        if self.stop.load(Ordering::Relaxed) {
            return Ok(ExitStatus::Interrupted);
        }
        print_message!("lines with < are of the judge, those with > of the solution");
        print_text(&render::whole_transcript(&trial.transcript))?;
        trial.stderr = built.in_own_names(&trial.stderr);
        print_aside(&render::end_of_talk(&trial));
        Ok(show_reply(&trial))
    }

    /// Holds a conversation with the user at standard input. `None`: a fault, which is printed.
    fn hold(
        &self,
        program: TalkSide,
        patience: Duration,
        talk: impl FnOnce(&mut Person) -> Result<EndedTalk<Trial>, Fault>,
    ) -> Result<Option<EndedTalk<Trial>>> {
        let mut view = TalkView::new(program);
        let stdin = std::io::stdin();
        let mut hears = |speaker, bytes: &[u8]| {
            view.show(speaker, bytes);
            if view.trouble.is_some() {
                self.stop.store(true, Ordering::Relaxed);
            }
        };
        let mut person = Person { says: stdin.as_fd(), hears: &mut hears, stop: self.stop, patience };
        let talked = talk(&mut person);
        view.close();
        match view.trouble {
            Some(trouble) => Err(trouble),
            None => Ok(talked.inspect_err(print_fault).ok()),
        }
    }
}

/// Prints why there is no program to talk with.
fn no_conversation(solution: &Path, why: &NoProgram) -> Result<ExitStatus> {
    match why {
        NoProgram::Refused(_) | NoProgram::DoesNotCompile(_) => {
            print_text(&visible_text(&format!("{}: {why}\n", solution.display())))?;
            Ok(ExitStatus::Negative)
        }
        NoProgram::Fault(fault) => {
            print_fault(fault);
            Ok(ExitStatus::Faults)
        }
        NoProgram::Interrupted => Ok(ExitStatus::Interrupted),
    }
}

/// Prints the judge's verdict and message.
fn show_reply(trial: &Trial) -> ExitStatus {
    print_aside(&render::reply_of_judge(trial));
    match trial.verdict {
        Verdict::Accepted => ExitStatus::Success,
        _ => ExitStatus::Negative,
    }
}

fn print_fault(fault: &Fault) {
    print_message!("fault: {fault}");
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::package;
    use clap::Parser;
    use std::fs;

    #[derive(Parser)]
    struct OnlyTalk {
        #[command(flatten)]
        args: Args,
    }

    /// The error before anything is run. Words with a slash are paths in the folder.
    fn error_of(home: &Path, words: &[&str]) -> String {
        let word = |word: &&str| match word.strip_prefix('/') {
            Some(path) => home.join(path).display().to_string(),
            None => word.to_string(),
        };
        let words = std::iter::once("talk".to_owned()).chain(words.iter().map(word));
        let args = OnlyTalk::parse_from(words).args;
        let checked = args.request().and_then(|request| {
            let dir = request.package.as_ref().expect("only with a package all is well so far").dir();
            let package = package::read(dir).unwrap().package.unwrap();
            let (tests, _) = package::read_tests(&package).unwrap();
            let loaded = LoadedPackage::new(package, tests);
            check_interactive(&request, &loaded)?;
            args.chosen_case(&loaded)
        });
        let error = format!("{:#}", checked.unwrap_err());
        error.replace(&format!("{}/", home.display()), "/")
    }

    #[test]
    fn an_impossible_talk_is_refused_before_anything_runs() {
        let home = tempfile::tempdir().unwrap();
        let write = |path: &str, text: &str| {
            let path = home.path().join(path);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, text).unwrap();
        };
        for (name, kind) in [("p", "interactive"), ("alone", "pass-fail")] {
            let head = "problem_format_version: 2025-09\nuuid: 1\n";
            write(&format!("{name}/problem.yaml"), &format!("{head}name: {name}\ntype: {kind}\n"));
            for case in ["sample/1", "secret/2"] {
                write(&format!("{name}/data/{case}.in"), "1\n");
                write(&format!("{name}/data/{case}.ans"), "1\n");
            }
        }
        write("p/output_validator/judge.py", "");
        write("a.py", "");
        for (words, said) in [
            (&[][..], "no interactor; give a package or --interactor PROGRAM"),
            (&["/a.py", "--play", "solution"], "no interactor"),
            (&["/p", "--play", "judge"], "no solution given"),
            (&["/a.py", "/p"], "`kopek talk /p /a.py`"),
            (&["/p", "/b.py"], "read the solution /b.py"),
            (&["/p", "/a.py", "--interactor", "/a.py"], "has its own judge"),
            (&["/a.py", "--case", "1"], "needs a package"),
            (&["/p", "--case", "*"], "matches 2 cases"),
            (&["/alone", "/a.py"], "--input -"),
        ] {
            let error = error_of(home.path(), words);
            assert!(error.contains(said), "{words:?}: {error}");
        }
    }
}
