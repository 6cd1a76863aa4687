//! `kopek serve`: runs programs for Moodle's CodeRunner.

use super::{
    exit_status::ExitStatus,
    interrupt::{EndAtOnce, ServerSignals},
    machine_options::MachineOptions,
    named_packages::load_package,
    terminal_output::print_message,
    timing_option::TimingOption,
};
use crate::{
    base::wording::{counted, shortened},
    exec::{Engine, local_executor},
    grade::prepare,
    loading::{LoadedPackage, find_packages},
    machine::Machine,
    sentences::PageLanguage,
    serve::{ApiKeys, JudgingRules, ProtocolServer, Reasons, ServedProblem, ServerRules, serve},
};
use anyhow::{Context, Result, bail, ensure};
use clap::builder::{PossibleValuesParser, TypedValueParser};
use std::{
    fs,
    net::{SocketAddr, TcpListener},
    path::{Path, PathBuf},
    sync::atomic::{AtomicBool, Ordering},
    time::Duration,
};

fn language_parser() -> impl TypedValueParser<Value = PageLanguage> {
    PossibleValuesParser::new(PageLanguage::ALL.map(PageLanguage::code))
        .try_map(|code| code.parse::<PageLanguage>())
}

#[derive(clap::Args)]
#[command(after_help = "\
Speaks the protocol of Jobe. Programs run in the sandbox, and none is stored longer than its run; results of packages \
are cached. Logs a line for each request. Ctrl-C or SIGTERM finishes what runs; SIGHUP then reads all packages again.\n\n\
Exit codes: 0 ended by a signal; 2 error.")]
pub(super) struct Args {
    /// Judge with the packages in DIR: the language `kopek`
    #[arg(long, value_name = "DIR")]
    problems: Option<PathBuf>,
    /// Address and port; other machines need --keys
    #[arg(long, value_name = "ADDRESS", default_value = "127.0.0.1:4000")]
    address: SocketAddr,
    /// Demand one of the keys in FILE, one per line
    #[arg(long, value_name = "FILE")]
    keys: Option<PathBuf>,
    /// Longest `cputime` that a request may ask for
    #[arg(long, value_name = "SECONDS", default_value_t = 120, value_parser = clap::value_parser!(u64).range(1..=3600))]
    cputime: u64,
    /// Longest time to judge a program; the next request continues from there
    #[arg(long, value_name = "SECONDS", default_value_t = 40, value_parser = clap::value_parser!(u64).range(1..=3600))]
    judging: u64,
    /// Language of the answers to participants, e.g. de
    #[arg(long, value_name = "LANGUAGE", default_value = "en", value_parser = language_parser())]
    feedback_language: PageLanguage,
    /// Show an input on which a program fails, never a test; `none` for exams
    #[arg(long, value_name = "REASONS", default_value = "shown")]
    reasons: ReasonsOption,
    #[command(flatten)]
    timing: TimingOption,
    #[command(flatten, next_help_heading = "Machine")]
    machine: MachineOptions,
}

#[derive(Clone, Copy, clap::ValueEnum)]
enum ReasonsOption {
    Shown,
    None,
}

/// Maximum number of waiting runs; others get the answer "overload".
const MAX_WAITING: usize = 500;

pub(super) fn run(args: Args) -> Result<ExitStatus> {
    if !args.address.ip().is_loopback() && args.keys.is_none() {
        bail!(
            "--address {} lets other machines run programs here: give --keys FILE with a key per line, or listen on \
             127.0.0.1",
            args.address
        );
    }
    // First, because a port in use is the usual error. Clients that come early wait.
    let listener = TcpListener::bind(args.address).with_context(|| {
        format!("listen on {}; another program may use it: choose another --address", args.address)
    })?;
    let keys = args.keys.as_deref().map(read_keys).transpose()?;
    let packages = || match &args.problems {
        Some(dir) => find_packages(std::slice::from_ref(dir)),
        None => Ok(Vec::new()),
    };
    packages()?;
    let mut machine = args.machine.open_with_warning()?;
    // What runs is finished after a signal.
    machine.stop = Default::default();
    let signals = ServerSignals::listen()?;
    loop {
        signals.pause.store(false, Ordering::SeqCst);
        if !signals.stop.load(Ordering::SeqCst) {
            serve_packages(
                &args,
                &packages()?,
                &machine,
                &Listening { listener: &listener, keys: keys.as_ref(), signals: &signals },
            )?;
        }
        if signals.stop.load(Ordering::SeqCst) {
            return Ok(ExitStatus::Success);
        }
        print_message!("reads all packages again");
    }
}

/// The parts of a server that survive a restart.
struct Listening<'a> {
    listener: &'a TcpListener,
    keys: Option<&'a ApiKeys>,
    signals: &'a ServerSignals,
}

/// Reads the packages, and serves until a signal.
fn serve_packages(args: &Args, dirs: &[PathBuf], machine: &Machine, at: &Listening) -> Result<()> {
    let Listening { listener, keys, signals } = *at;
    let problems = args.problems.as_ref().map(|_| load_problems(dirs, machine, &signals.stop));
    if let Some(problems) = &problems {
        let names: Vec<String> = problems.iter().map(|one| one.name().to_owned()).collect();
        print_message!("{}: {}", counted(names.len(), "package"), shortened(&names, 20, ", "));
    }
    let starting = EndAtOnce::with(ExitStatus::Success)?;
    if signals.stop.load(Ordering::SeqCst) {
        return Ok(());
    }
    let judging = JudgingRules {
        max_time: Duration::from_secs(args.judging),
        timing: args.timing.for_platform(),
        language: args.feedback_language,
        reasons: match args.reasons {
            ReasonsOption::Shown => Reasons::Shown,
            ReasonsOption::None => Reasons::None,
        },
    };
    let most_cpu = Duration::from_secs(args.cputime);
    let rules = ServerRules { most_cpu, most_waiting: MAX_WAITING, judging };
    let mut server = ProtocolServer::new(machine, rules, problems)?;
    for why in server.compile_headers(machine) {
        print_message!("warning: {why}");
    }
    let names = server.language_names();
    drop(starting);
    let address = listener.local_addr().context("ask for the port")?;
    print_message!("listening on {address}: {}; Ctrl-C ends", shortened(&names, 12, ", "));
    serve(listener, &server, keys, &signals.pause, &|line| print_message!("{line}"))
}

fn read_keys(path: &Path) -> Result<ApiKeys> {
    let text = fs::read_to_string(path).with_context(|| format!("read the keys {}", path.display()))?;
    ApiKeys::parse(&text).with_context(|| format!("read the keys {}", path.display()))
}

/// Reads all packages, generates their missing cases, and builds their validators. Names those that judge nothing.
fn load_problems(dirs: &[PathBuf], machine: &Machine, stop: &AtomicBool) -> Vec<ServedProblem> {
    let executor = local_executor(machine);
    let engine = Engine::new(machine, &executor, stop);
    let mut problems = Vec::new();
    for dir in dirs {
        let loaded = load_problem(dir, &engine);
        if engine.is_stopped() {
            break;
        }
        problems.push(loaded.unwrap_or_else(|error| {
            let why = format!("{error:#}");
            print_message!("error: {} judges nothing: {why}", dir.display());
            let name = dir.file_name().unwrap_or_default().to_string_lossy().into_owned();
            ServedProblem::unsound(name, why)
        }));
    }
    problems
}

/// Fails if programs would not be judged as the package declares it.
fn load_problem(dir: &Path, engine: &Engine) -> Result<ServedProblem> {
    let loaded = load_package(dir, engine)?;
    loaded.notices.warnings.iter().for_each(|warning| print_message!("{warning}"));
    let LoadedPackage { package, tests, errors, .. } = loaded.value;
    ensure!(errors == 0, "the package has errors; `kopek verify {}` lists them", dir.display());
    prepare(engine, &package, &tests, &[], Duration::ZERO)?;
    Ok(ServedProblem::new(package, tests))
}
