//! `--watch`: judges the solution again on every save, previously failed cases first.

use super::{
    exit_status::ExitStatus,
    interrupt::{halt_on_interrupt, stop_on_interrupt},
    run_view::SolutionView,
    save_watcher::SaveWatcher,
    solo_request::{LoadTests, SoloRequest},
    watch_screen::WatchScreen,
};
use crate::{
    class::read_solution,
    exec::{Engine, Executor, local_executor},
    grade::{GradeSession, Thoroughness},
    machine::Machine,
    package::TestSet,
    solution::{SolutionReport, SolutionRequest, SolutionTests, judge_solution},
};
use anyhow::Result;
use std::{
    collections::BTreeSet,
    path::PathBuf,
    sync::atomic::{AtomicBool, Ordering},
};

/// Judges after every save until a signal ends it.
pub(super) fn watch(run: &SoloRequest, machine: &Machine, load: &mut LoadTests) -> Result<ExitStatus> {
    let quit = stop_on_interrupt()?;
    let halt = halt_on_interrupt()?;
    let paths = [&[run.solution.to_owned()], run.tests].concat();
    let executor = local_executor(machine);
    let mut watching = Watching {
        run,
        machine,
        executor: &executor,
        halt: &halt,
        watcher: SaveWatcher::new(&paths),
        screen: WatchScreen::new(run.solution),
        failed: BTreeSet::new(),
        loaded: None,
    };
    loop {
        halt.store(quit.load(Ordering::Relaxed), Ordering::Relaxed);
        let judged = watching.judge_saved(load);
        // A save during the run restarts it; an error stays visible until the next save.
        if let (Err(error), false) = (judged, halt.load(Ordering::Relaxed)) {
            watching.screen.show(&format!("error: {error:#}\n"))?;
        }
        if quit.load(Ordering::Relaxed) {
            watching.screen.end()?;
            return Ok(ExitStatus::Interrupted);
        }
        if halt.load(Ordering::Relaxed) {
            continue;
        }
        let saved = watching.watcher.wait(|| quit.load(Ordering::Relaxed));
        watching.forget_changed_tests(&saved.unwrap_or_default());
    }
}

struct Watching<'a> {
    run: &'a SoloRequest<'a>,
    machine: &'a Machine,
    executor: &'a dyn Executor,
    halt: &'a AtomicBool,
    watcher: SaveWatcher,
    screen: WatchScreen,
    /// Names of the cases that were not accepted in the last run.
    failed: BTreeSet<String>,
    loaded: Option<SolutionTests>,
}

impl Watching<'_> {
    fn judge_saved(&mut self, load: &mut LoadTests) -> Result<()> {
        self.screen.begin()?;
        let engine = Engine::new(self.machine, self.executor, self.halt);
        let tests = match self.loaded.take() {
            Some(tests) => tests,
            None => load(&engine)?.value,
        };
        let tests = self.loaded.insert(tests);
        let run = self.run;
        let solution = read_solution(run.solution, run.participant, &tests.package, &run.rules)?;
        let watcher = &mut self.watcher;
        let halt = self.halt;
        let mut notice_save = || {
            if !watcher.saved_now().is_empty() {
                halt.store(true, Ordering::Relaxed);
            }
        };
        let mut judge = |session: &GradeSession, cases: &TestSet| {
            let package = &tests.package;
            let request =
                SolutionRequest { session, package, tests: cases, solution: &solution, again: None };
            judge_solution(&request, &mut |_| notice_save())
        };
        let show = |report: &SolutionReport| {
            let machine = self.machine;
            SolutionView { report, tests, solution: &solution, machine, whole: true, failing_input: None }
                .quietly(self.run.view)
        };
        let session = (self.run.session)(engine);
        // The author looks at the failed cases first.
        if let Some(part) = tests.part(&self.failed) {
            let session = GradeSession { thoroughness: Thoroughness::All, ..session };
            let report = judge(&session, &part)?;
            if let Some(report) = report.filter(|report| !report.is_accepted()) {
                self.screen.show(&show(&report))?;
                self.screen.begin()?;
            }
        }
        let report = judge(&session, &tests.tests)?;
        let Some(report) = report.filter(|_| !halt.load(Ordering::Relaxed)) else { return Ok(()) };
        self.failed = report.failed_cases();
        self.screen.show(&show(&report))
    }

    /// Forces a reload of all tests if one changed.
    fn forget_changed_tests(&mut self, saved: &[PathBuf]) {
        let of_tests = |path: &PathBuf| self.run.tests.iter().any(|place| path.starts_with(place));
        if saved.iter().any(|path| of_tests(path) && !path.starts_with(self.run.solution)) {
            self.loaded = None;
        }
    }
}
