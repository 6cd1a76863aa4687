//! One package and its cohort, from the plan to scorecards.

use super::{
    cards::scorecards,
    facts::JudgedCohort,
    graders,
    missing_modules::missing_modules,
    prepare::prepare,
    request::{GradeEvent, GradeRequest, OnGradeEvent, Thoroughness, TimePolicy, WitnessSource},
    waves::grade,
    witness::plan_accepted,
};
use anyhow::{Context, Result, bail};
use kopek_engine::exec::Engine;
use kopek_package::package::{Format, Judge, Message, Package, Participant, TestSet};
use kopek_plan::{
    plan::Plan,
    score::{LegacyReading, ScoringRules},
};
use kopek_results::Notices;
use std::{borrow::Cow, collections::BTreeSet, time::Duration};

/// Seconds to wait before each further judging. A lone change is over at once; the installation of a compiler and what
/// it needs takes up to a minute.
const PAUSES: [u32; 6] = [0, 2, 4, 8, 16, 30];

/// Settings shared by all packages of a run.
pub struct GradeSession<'a> {
    pub engine: Engine<'a>,
    /// Whether cases that can change nothing are run as well.
    pub thoroughness: Thoroughness,
    /// How legacy groups are read.
    pub reading: LegacyReading,
    /// Instead of the package's.
    pub time_limit: Option<Duration>,
    /// How times above a limit are decided.
    pub timing: TimePolicy,
    /// Languages, by code, whose programs may use the standard library only: other modules are not missing.
    pub standard_library: &'a [String],
}

impl<'a> GradeSession<'a> {
    /// A session with the rules that most runs have.
    pub fn usual(engine: Engine<'a>, thoroughness: Thoroughness) -> GradeSession<'a> {
        GradeSession {
            engine,
            thoroughness,
            reading: LegacyReading::Kattis,
            time_limit: None,
            timing: TimePolicy::default(),
            standard_library: &[],
        }
    }
}

impl GradeSession<'_> {
    /// Judges a cohort on a package's cases.
    pub fn judge(
        &self,
        package: &Package,
        tests: &TestSet,
        cohort: &[Participant],
        on_event: &mut OnGradeEvent,
    ) -> Result<JudgedCohort> {
        self.judge_patiently(Duration::ZERO, package, tests, cohort, on_event)
    }

    /// Judges. No run is stopped before it has used `patience` of CPU time. If toolchains changed meanwhile,
    /// everything that depends on them is judged again, for as long as an installation may take.
    pub fn judge_patiently(
        &self,
        patience: Duration,
        package: &Package,
        tests: &TestSet,
        cohort: &[Participant],
        on_event: &mut OnGradeEvent,
    ) -> Result<JudgedCohort> {
        let package = &*self.as_read(package);
        let judge = |on_event: &mut OnGradeEvent| {
            let plan = prepare(&self.engine, package, tests, cohort, patience)
                .with_context(|| format!("prepare {}", package.name))?;
            self.judge_plan(package, tests, plan, on_event)
        };
        let mut pauses = PAUSES.iter();
        let mut changed = BTreeSet::new();
        loop {
            let judged = judge(on_event);
            let changing = self.toolchains_changed_during(&judged);
            if changing.is_empty() {
                return Ok(JudgedCohort { changed_toolchains: changed.into_iter().collect(), ..judged? });
            }
            let Some(pause) = pauses.next() else {
                bail!(
                    "{} kept changing while it was used: wait until the installation has ended, and run the same \
                     command again",
                    changing.join(", ")
                );
            };
            if *pause > 0 {
                on_event(GradeEvent::Waiting { toolchains: &changing, seconds: *pause });
            }
            changed.extend(changing);
            self.wait_for_installation(*pause);
        }
    }

    fn wait_for_installation(&self, seconds: u32) {
        for _ in 0..seconds {
            if self.engine.is_stopped() {
                return;
            }
            self.engine.machine.clock.wait(Duration::from_secs(1));
        }
    }

    fn toolchains_changed_during(&self, judged: &Result<JudgedCohort>) -> Vec<String> {
        let may_matter = match judged {
            Ok(JudgedCohort { graded, .. }) => {
                let has_run = graded.done > 0 || !graded.faults.is_empty() || !graded.open.is_empty();
                has_run && !graded.interrupted
            }
            // A validator that could not be built.
            Err(_) => !self.engine.is_stopped(),
        };
        if may_matter { self.engine.machine.forget_changed_toolchains() } else { vec![] }
    }

    fn judge_plan(
        &self,
        package: &Package,
        tests: &TestSet,
        plan: Plan,
        on_event: &mut OnGradeEvent,
    ) -> Result<JudgedCohort> {
        let machine = self.engine.machine;
        let accepted = |languages: Option<&BTreeSet<&str>>| plan_accepted(machine, package, tests, languages);
        let grading = GradeRequest {
            rules: rules(package, tests, self.reading),
            plan: &plan,
            jobs: self.engine.jobs,
            thoroughness: self.thoroughness,
            timing: self.timing,
            witnesses: WitnessSource { least_times: &machine.least_times, accepted: &accepted },
            clock: machine.clock.clone(),
        };
        let mut graded = grade(&grading, on_event)?;
        graders::ask_grader(&self.engine, package, &grading, &mut graded)?;
        let cards = scorecards(&grading.rules, &plan, &graded);
        let mut judged = JudgedCohort { plan, graded, cards, changed_toolchains: vec![] };
        let missing = missing_modules(&machine.store, &judged, self.standard_library)?;
        if !missing.is_empty() {
            judged.leave_open(&missing);
            self.score_again(package, tests, &mut judged);
        }
        Ok(judged)
    }

    /// What there is to say about the judging, besides the results.
    pub fn notices(&self, package: &Package, judged: &JudgedCohort) -> Notices {
        let name = &package.name;
        let mut warnings = self.engine.machine.slow_builds();
        if !judged.changed_toolchains.is_empty() {
            let changed = judged.changed_toolchains.join(", ");
            let what = "changed during this run; the programs that depend on it were judged again";
            warnings.push(Message::package_warning(name, format!("{changed} {what}")));
        }
        warnings.extend(judged.validator_warning(name));
        let mut toolchains = BTreeSet::new();
        for program in &judged.plan.programs {
            toolchains.insert(format!("{}: {}", program.language.name, program.toolchain.version));
        }
        Notices {
            warnings,
            faults: judged.open_cases(name),
            undecided: judged.undecided(name),
            rules: self.timing.remark().into_iter().collect(),
            toolchains,
            ran: judged.graded.done,
            reused: judged.graded.reused,
        }
    }

    /// Computes the scorecards again, from facts that have changed.
    pub(super) fn score_again(&self, package: &Package, tests: &TestSet, judged: &mut JudgedCohort) {
        judged.cards = scorecards(&rules(package, tests, self.reading), &judged.plan, &judged.graded);
    }

    /// The package with the session's time limit, and as the selected judge reads it: DOMjudge accepts the score files
    /// of every validator.
    fn as_read<'p>(&self, package: &'p Package) -> Cow<'p, Package> {
        let mut package = Cow::Borrowed(package);
        if self.time_limit.is_some() {
            package.to_mut().limits.time = self.time_limit;
        }
        if self.reading == LegacyReading::Domjudge
            && let Judge::Programs { scores: false, .. } = package.judge
            && let Judge::Programs { scores, .. } = &mut package.to_mut().judge
        {
            *scores = true;
        }
        package
    }
}

/// How a package is scored.
pub fn rules<'a>(package: &Package, tests: &'a TestSet, reading: LegacyReading) -> ScoringRules<'a> {
    let score_files = match (&package.judge, package.data) {
        (Judge::Programs { scores, .. }, Format::Legacy) => *scores,
        (Judge::Programs { .. }, Format::V2025_09) => true,
        (Judge::Default, _) => false,
    };
    ScoringRules { tests, scoring: tests.gives_points(package), score_files, reading }
}
