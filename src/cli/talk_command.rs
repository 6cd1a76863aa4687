//! `kopek talk`: plays the solution of an interactive problem by hand.

use super::{
    exit_status::ExitStatus,
    interrupt::stop_on_interrupt,
    machine_options::MachineOptions,
    named_packages::load_package,
    talk_view::TalkView,
    terminal_output::{print_aside, print_message},
};
use crate::{
    exec::{Engine, local_executor},
    grade::{only_case, prepare},
    loading::{LoadedPackage, locate_package},
    plan::Trial,
    render,
    results::Notices,
    sandbox::{Person, TalkEnd},
    verdict::Verdict,
    worker::{JudgeSide, talk_as_submission},
};
use anyhow::{Result, bail};
use std::{
    os::fd::AsFd,
    path::PathBuf,
    sync::atomic::{AtomicBool, Ordering},
    time::Duration,
};

#[derive(clap::Args)]
#[command(after_help = "\
You are the solution. Lines of the judge begin with <, yours with >. Ctrl-D ends your input, Ctrl-C the talk.\n\n\
Exit codes: 0 accepted; 1 not; 2 error; 3 the judge or kopek failed; 130 interrupted.")]
pub(super) struct Args {
    /// Package of an interactive problem
    package: PathBuf,
    /// Case, by name or pattern [default: the first]
    #[arg(long, value_name = "NAME")]
    case: Option<String>,
    #[command(flatten, next_help_heading = "Machine")]
    machine: MachineOptions,
}

pub(super) fn run(args: Args) -> Result<ExitStatus> {
    // Read first, because a mistyped path must not create a store.
    let place = locate_package(&args.package)?;
    let machine = args.machine.open()?;
    let stop = stop_on_interrupt()?;
    let executor = local_executor(&machine);
    let engine = Engine::new(&machine, &executor, &stop);
    let mut notices = Notices { warnings: machine.warnings(), ..Notices::default() };
    let loaded = load_package(place.dir(), &engine)?.note_in(&mut notices);
    let case = chosen_case(&loaded, args.case.as_deref())?;
    notices.warnings.iter().for_each(|warning| print_message!("{warning}"));
    talk_with_judge(&engine, &loaded, case, &stop)
}

/// The index of the requested case.
fn chosen_case(loaded: &LoadedPackage, name: Option<&str>) -> Result<usize> {
    if !loaded.package.kind.interactive {
        bail!(
            "{} is not interactive; `kopek run PACKAGE SOLUTION --input -` runs a solution on what you type",
            loaded.package.name
        );
    }
    name.map_or(Ok(0), |name| only_case(&loaded.tests, name))
}

/// Connects the user at standard input with the judge's program.
fn talk_with_judge(
    engine: &Engine,
    loaded: &LoadedPackage,
    case: usize,
    stop: &AtomicBool,
) -> Result<ExitStatus> {
    let LoadedPackage { package, tests, .. } = loaded;
    let plan = prepare(engine, package, tests, &[], Duration::ZERO)?;
    let side = JudgeSide { setting: &plan.setting, case: &plan.cases[case] };
    print_message!("you are the solution on {}; lines with < are of the judge", side.case.name);
    let patience = side.setting.limits.wall;
    let mut view = TalkView::new();
    let stdin = std::io::stdin();
    let mut hears = |speaker, bytes: &[u8]| {
        view.show(speaker, bytes);
        if view.trouble.is_some() {
            stop.store(true, Ordering::Relaxed);
        }
    };
    let mut person = Person { says: stdin.as_fd(), hears: &mut hears, stop, patience };
    let talked = talk_as_submission(engine.machine, side, &mut person);
    view.close();
    if let Some(trouble) = view.trouble {
        return Err(trouble);
    }
    let talk = match talked {
        Ok(talk) => talk,
        Err(fault) => {
            print_message!("fault: {fault}");
            return Ok(ExitStatus::Faults);
        }
    };
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

/// Prints the judge's verdict and message.
fn show_reply(trial: &Trial) -> ExitStatus {
    print_aside(&render::reply_of_judge(trial));
    match trial.verdict {
        Verdict::Accepted => ExitStatus::Success,
        _ => ExitStatus::Negative,
    }
}
