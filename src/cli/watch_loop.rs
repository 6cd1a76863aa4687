//! `--watch`: judges the solution again on every save, previously failed cases first.

use super::{
    exit_status::ExitStatus,
    interrupt::{halt_on_interrupt, stop_on_interrupt},
    named_packages::LoadedPackage,
    run_view::{RunViewOptions, SoloJudging},
    save_watcher::SaveWatcher,
    watch_screen::WatchScreen,
};
use crate::{
    class::{self, CohortRules},
    exec::{Engine, Executor, local_executor},
    grade::{GradeSession, Thoroughness, part_of},
    machine::Machine,
    results::Noticed,
    verdict::Verdict,
};
use anyhow::Result;
use std::{
    collections::BTreeSet,
    path::{Path, PathBuf},
    sync::atomic::{AtomicBool, Ordering},
};

/// A solution, its tests, and how to judge.
pub(super) struct SoloRequest<'a> {
    pub(super) solution: &'a Path,
    /// The participant to judge, if the solution is a class.
    pub(super) participant: Option<&'a str>,
    /// The places of the tests; with `--watch`, a change there reloads all tests.
    pub(super) tests: &'a [PathBuf],
    /// The choice of the program in the solution.
    pub(super) rules: CohortRules<'a>,
    pub(super) view: &'a RunViewOptions,
    /// Whether all cases are judged, not only a selection.
    pub(super) whole: bool,
    /// The user's own input, which nothing checks.
    pub(super) input: Option<&'a Path>,
    /// Where to draw the cases and outputs.
    pub(super) pictures: Option<&'a Path>,
    pub(super) session: &'a dyn for<'e> Fn(Engine<'e>) -> GradeSession<'e>,
}

/// Reads the package and its cases.
pub(super) type LoadTests<'a> = dyn FnMut(&Engine) -> Result<Noticed<LoadedPackage>> + 'a;

/// Judges after every save until a signal ends it.
pub(super) fn watch(request: &SoloRequest, machine: &Machine, load: &mut LoadTests) -> Result<ExitStatus> {
    let quit = stop_on_interrupt()?;
    let halt = halt_on_interrupt()?;
    let paths = [&[request.solution.to_owned()], request.tests].concat();
    let executor = local_executor(machine);
    let mut watching = Watching {
        request,
        machine,
        executor: &executor,
        halt: &halt,
        watcher: SaveWatcher::new(&paths)?,
        screen: WatchScreen::new(request.solution),
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
        let saved = watching.watcher.wait(|| quit.load(Ordering::Relaxed))?;
        watching.forget_changed_tests(&saved.unwrap_or_default());
    }
}

struct Watching<'a> {
    request: &'a SoloRequest<'a>,
    machine: &'a Machine,
    executor: &'a dyn Executor,
    halt: &'a AtomicBool,
    watcher: SaveWatcher,
    screen: WatchScreen,
    /// Names of the cases that were not accepted in the last run.
    failed: BTreeSet<String>,
    loaded: Option<LoadedPackage>,
}

impl Watching<'_> {
    fn judge_saved(&mut self, load: &mut LoadTests) -> Result<()> {
        self.screen.begin()?;
        let engine = Engine::new(self.machine, self.executor, self.halt);
        let loaded = match self.loaded.take() {
            Some(loaded) => loaded,
            None => load(&engine)?.value,
        };
        let loaded = self.loaded.insert(loaded);
        let cohort = [class::read_single(self.request.solution, &loaded.package, &self.request.rules)?];
        let watcher = &mut self.watcher;
        let halt = self.halt;
        let mut notice_save = || {
            // An error of the watcher appears again in the next wait.
            if watcher.saved_now().is_ok_and(|saved| !saved.is_empty()) {
                halt.store(true, Ordering::Relaxed);
            }
        };
        let failed: BTreeSet<usize> = (0..loaded.tests.cases.len())
            .filter(|&case| self.failed.contains(&loaded.tests.cases[case].name))
            .collect();
        if !failed.is_empty() && failed.len() < loaded.tests.cases.len() {
            // The author looks at the failed cases first.
            let mut package = loaded.package.clone();
            package.kind.scoring = false;
            let tests = part_of(&loaded.tests, &failed);
            let part = LoadedPackage { about: loaded.about.clone(), ..LoadedPackage::new(package, tests) };
            let all = GradeSession { thoroughness: Thoroughness::All, ..(self.request.session)(engine) };
            let first = SoloJudging { session: &all, loaded: &part, stop: halt, whole: false };
            let shown = first.judge_quietly(self.request.view, &cohort, &mut notice_save)?;
            if shown.status != ExitStatus::Success {
                self.screen.show(&shown.text)?;
                self.screen.begin()?;
            }
        }
        let needed = (self.request.session)(engine);
        let whole = SoloJudging { session: &needed, loaded, stop: halt, whole: true };
        let shown = whole.judge_quietly(self.request.view, &cohort, &mut notice_save)?;
        if halt.load(Ordering::Relaxed) {
            return Ok(());
        }
        self.failed.clear();
        for (&case, trial) in shown.judged.graded.trials.iter().flatten() {
            if trial.verdict != Verdict::Accepted {
                self.failed.insert(shown.judged.plan.cases[case].name.clone());
            }
        }
        self.screen.show(&shown.text)
    }

    /// Forces a reload of all tests if one changed.
    fn forget_changed_tests(&mut self, saved: &[PathBuf]) {
        let of_tests = |path: &PathBuf| self.request.tests.iter().any(|place| path.starts_with(place));
        if saved.iter().any(|path| of_tests(path) && !path.starts_with(self.request.solution)) {
            self.loaded = None;
        }
    }
}
