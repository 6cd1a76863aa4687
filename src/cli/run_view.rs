//! Judges and shows one solution for `kopek run` and `kopek test`.

use super::{
    exit_status::ExitStatus,
    judging::{judge_cohort, judge_silently},
    limit_options::LimitOptions,
    machine_options::BuildKind,
    named_packages::LoadedPackage,
    own_tests::LimitsOrigin,
    progress_bars::JudgingProgress,
    saved_cases::save_failed_cases,
    terminal_output::{print_message, print_text, terminal_page},
};
use crate::{
    base::wording::{counted, shortened},
    grade::{ChangingCase, DEFAULT_TIME, GradeSession, JudgedCohort, package_report},
    language::LanguageTable,
    package::Participant,
    render::{self, RunWords, SolutionFiles, WholeCases},
    results::{OpenCase, OpenReason, PackageReport, Report},
    score::State,
    verdict::Verdict,
};
use anyhow::Result;
use std::{
    path::{Path, PathBuf},
    sync::atomic::AtomicBool,
    time::Duration,
};

/// Options for the output and repetition of a run.
#[derive(clap::Args, Clone)]
pub(super) struct RunViewOptions {
    /// Show every failed case in full, and all compiler output
    #[arg(long, short)]
    verbose: bool,
    /// Build with sanitizers or similar checks, with ten times the time limit
    #[arg(long)]
    debug: bool,
    /// Run again whenever the solution or a test is saved
    #[arg(long, conflicts_with_all = ["again", "format"])]
    pub(super) watch: bool,
    /// Show a table of all cases with time and memory
    #[arg(long)]
    cases: bool,
    /// Save input, answer, output and stderr of failed cases into DIR
    #[arg(long, value_name = "DIR", conflicts_with = "watch")]
    save: Option<PathBuf>,
    /// Run cached cases again, N times, to find unstable programs
    #[arg(long, value_name = "N", num_args = 0..=1, default_missing_value = "1",
          value_parser = clap::value_parser!(u32).range(1..=1000))]
    again: Option<u32>,
    /// Output format
    #[arg(long, value_enum, default_value_t = RunFormat::Text)]
    format: RunFormat,
}

#[derive(Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
enum RunFormat {
    Text,
    Json,
    Junit,
    Lines,
}

/// A result that is not printed yet.
pub(super) struct QuietResult {
    pub(super) text: String,
    pub(super) status: ExitStatus,
    pub(super) judged: JudgedCohort,
}

/// The maximum slowdown of a debug build.
pub(super) const DEBUG_FACTOR: u32 = 10;

impl RunViewOptions {
    /// How programs are built.
    pub(super) fn build_kind(&self) -> BuildKind {
        if self.debug { BuildKind::Debugging } else { BuildKind::Usual }
    }

    /// The origin of the limits.
    pub(super) fn limits_origin(&self, limits: &LimitOptions) -> LimitsOrigin {
        match limits.are_usual() && self.build_kind() == BuildKind::Usual {
            true => LimitsOrigin::Package,
            false => LimitsOrigin::CommandLine,
        }
    }

    /// The requested limit, else that of the package; a debug build multiplies the latter.
    pub(super) fn time_limit(&self, asked: Option<Duration>, own: Option<Duration>) -> Option<Duration> {
        match (asked, self.build_kind()) {
            (None, BuildKind::Debugging) => Some(own.unwrap_or(DEFAULT_TIME) * DEBUG_FACTOR),
            (asked, _) => asked.or(own),
        }
    }
}

/// The inputs for judging one solution.
pub(super) struct SoloJudging<'a> {
    pub(super) session: &'a GradeSession<'a>,
    pub(super) loaded: &'a LoadedPackage,
    pub(super) stop: &'a AtomicBool,
    /// Whether all cases are judged, not only a selection.
    pub(super) whole: bool,
}

impl SoloJudging<'_> {
    /// Judges the only participant and prints the result.
    pub(super) fn judge_and_show(
        &self,
        view: &RunViewOptions,
        cohort: &[Participant],
        report: &mut Report,
    ) -> Result<(ExitStatus, JudgedCohort)> {
        let mut judged = judge_cohort(self.session, self.loaded, cohort, report)?;
        let mut own = match self.loaded.own.as_deref() {
            None => None,
            Some(own) => {
                let judged =
                    with_new_lines(report, |report| judge_cohort(self.session, own, cohort, report))?;
                Some((own, judged))
            }
        };
        let mut all: Vec<(&LoadedPackage, &mut JudgedCohort)> = vec![(self.loaded, &mut judged)];
        all.extend(own.as_mut().map(|(loaded, judged)| (*loaded, judged)));
        let mut remarks = Vec::new();
        let mut changing = Vec::new();
        match view.again {
            None => {
                let known = all.iter().map(|(_, judged)| judged.graded.known_trials).sum();
                remarks.extend(known_remark(known));
            }
            Some(times) => {
                for (loaded, judged) in &mut all {
                    changing.extend(self.judge_again(loaded, times, judged, report)?);
                }
                remarks.extend(changing_remark(&changing));
            }
        }
        if !self.whole {
            let cases = all.iter().map(|(loaded, _)| loaded.tests.cases.len()).sum();
            remarks.push(format!("ran only {}; points need all cases", counted(cases, "case")));
        }
        remarks.extend(report.rules.iter().cloned());
        let results = report_of_all(&all);
        let language = results.rows[0].language.as_deref().filter(|_| view.debug);
        if let Some(code) = language.filter(|code| !LanguageTable::has_debug_build(code)) {
            remarks.push(format!("--debug has no effect for {code}"));
        }
        if matches!(view.format, RunFormat::Text | RunFormat::Lines) {
            report.warnings.iter().for_each(|warning| print_message!("warning: {warning}"));
        }
        print_text(&self.render(view, report, &results, &RunTexts { cohort, remarks: &remarks }))?;
        render::open_lines(report).iter().for_each(|line| print_message!("not judged: {line}"));
        if let Some(dir) = &view.save {
            for (loaded, judged) in &all {
                save_failed_cases(dir, &self.session.engine, &loaded.tests, judged)?;
            }
        }
        let accepted = is_accepted(&results) && changing.is_empty();
        let complete = if accepted { ExitStatus::Success } else { ExitStatus::Negative };
        Ok((ExitStatus::of_judging(self.stop, &report.all_faults(), complete), judged))
    }

    /// Like [`SoloJudging::judge_and_show`], without a bar or output; calls `on_event` on progress.
    pub(super) fn judge_quietly(
        &self,
        view: &RunViewOptions,
        cohort: &[Participant],
        on_event: &mut (dyn FnMut() + Send),
        report: &mut Report,
    ) -> Result<QuietResult> {
        let mut judged = judge_silently(self.session, self.loaded, cohort, on_event, report)?;
        let mut own = match self.loaded.own.as_deref() {
            None => None,
            Some(own) => {
                let judge = |report: &mut Report| judge_silently(self.session, own, cohort, on_event, report);
                Some((own, with_new_lines(report, judge)?))
            }
        };
        let own_judged = own.as_mut().map(|(loaded, judged)| (*loaded, judged));
        let results =
            report_of_all(&[(self.loaded, &mut judged)].into_iter().chain(own_judged).collect::<Vec<_>>());
        let texts = RunTexts { cohort, remarks: &report.rules };
        let mut text = self.render(view, report, &results, &texts);
        render::open_lines(report).iter().for_each(|line| text += &format!("not judged: {line}\n"));
        let accepted = is_accepted(&results);
        let complete = if accepted { ExitStatus::Success } else { ExitStatus::Negative };
        Ok(QuietResult {
            text,
            status: ExitStatus::of_judging(self.stop, &report.all_faults(), complete),
            judged,
        })
    }

    /// Repeats all cases until each has run `times` times in this command.
    fn judge_again(
        &self,
        loaded: &LoadedPackage,
        times: u32,
        judged: &mut JudgedCohort,
        report: &mut Report,
    ) -> Result<Vec<ChangingCase>> {
        let LoadedPackage { package, tests, .. } = loaded;
        let mut progress = JudgingProgress::new(&package.name);
        let faults_before = judged.graded.faults.len();
        let changing = self
            .session
            .judge_again(package, tests, judged, 0, times, &mut |event| progress.show_event(&event));
        progress.close();
        let faults = judged.graded.faults[faults_before..].iter();
        report.faults.extend(faults.map(|(what, fault)| OpenCase {
            package: package.name.clone(),
            what: what.clone(),
            why: OpenReason::Fault(fault.to_string()),
        }));
        changing
    }

    fn render(
        &self,
        view: &RunViewOptions,
        report: &Report,
        results: &PackageReport,
        texts: &RunTexts,
    ) -> String {
        let (row, page, remarks) = (&results.rows[0], terminal_page(), texts.remarks);
        match view.format {
            RunFormat::Json => render::render_run_json(report, results, row, remarks),
            RunFormat::Junit => render::render_run_junit(report, results, row),
            RunFormat::Lines => texts.with_files(|files| render::render_run_lines(row, files)),
            RunFormat::Text => {
                let whole = if view.verbose { WholeCases::All } else { WholeCases::First };
                let about = self.loaded.about.as_deref();
                let mut text = render::render_run(results, row, RunWords { whole, about, remarks }, page);
                let stop = view.debug.then(|| texts.with_files(|files| render::first_stop(row, files)));
                if let Some(stop) = stop.flatten() {
                    text = format!("{stop}\n\n{text}");
                }
                if view.cases && !row.cases.is_empty() {
                    text += &format!("\n{}", render::render_case_table(results, row, page));
                }
                text
            }
        }
    }
}

/// The solution and the remarks of a run.
struct RunTexts<'a> {
    cohort: &'a [Participant],
    remarks: &'a [String],
}

impl RunTexts<'_> {
    /// Calls `act` with the files of the solution, with paths relative to the current directory.
    fn with_files<T>(&self, act: impl FnOnce(&SolutionFiles) -> T) -> T {
        let submission = self.cohort.first().and_then(|one| one.submission.as_ref().ok());
        let (root, files) = submission.map_or((Path::new(""), &[][..]), |submission| {
            (&*submission.source.root, &submission.source.files[..])
        });
        let names: Vec<String> = files.iter().map(|file| file.to_string_lossy().into_owned()).collect();
        let here = std::env::current_dir().unwrap_or_default();
        let path = |name: &str| {
            let path = root.join(name);
            path.strip_prefix(&here).unwrap_or(&path).to_string_lossy().into_owned()
        };
        act(&SolutionFiles { names: &names, path: &path })
    }
}

/// Calls `act`, and adds only its new warnings and faults to the report.
fn with_new_lines<T>(report: &mut Report, act: impl FnOnce(&mut Report) -> Result<T>) -> Result<T> {
    let mut said = Report { warnings: Vec::new(), faults: Vec::new(), ..report.clone() };
    let done = act(&mut said)?;
    add_new(&mut report.warnings, said.warnings);
    add_new(&mut report.faults, said.faults);
    Ok(done)
}

fn add_new<T: PartialEq>(all: &mut Vec<T>, said: Vec<T>) {
    let new: Vec<T> = said.into_iter().filter(|one| !all.contains(one)).collect();
    all.extend(new);
}

/// One report for the package's tests and the user's own, if any.
fn report_of_all(all: &[(&LoadedPackage, &mut JudgedCohort)]) -> PackageReport {
    let reports = all.iter().map(|(loaded, judged)| package_report(&loaded.package, &loaded.tests, judged));
    reports.reduce(PackageReport::with_own_tests).expect("the tests of the package come first")
}

fn is_accepted(results: &PackageReport) -> bool {
    results.rows[0].card.state == State::Decided(Verdict::Accepted)
}

fn known_remark(known: usize) -> Option<String> {
    let them = if known == 1 { "it" } else { "them" };
    (known > 0).then(|| format!("{} cached; `--again` runs {them}", counted(known, "case")))
}

fn changing_remark(changing: &[ChangingCase]) -> Option<String> {
    let case = |one: &ChangingCase| {
        let verdicts: Vec<String> = one.verdicts.iter().map(|verdict| verdict.short().to_owned()).collect();
        format!("{} gave {}", one.case, shortened(&verdicts, 8, ", "))
    };
    let cases: Vec<String> = changing.iter().map(case).collect();
    (!cases.is_empty()).then(|| {
        format!(
            "NOT THE SAME AT EACH RUN: {}: the program depends on more than its input (uninitialised memory, threads, the \
                clock, randomness)",
            shortened(&cases, 5, "; ")
        )
    })
}
