//! Judges and shows one solution for `kopek run` and `kopek test`.

use super::{
    exit_status::ExitStatus,
    judging::{judge_cohort, judge_silently},
    limit_options::LimitOptions,
    machine_options::BuildKind,
    named_packages::LoadedPackage,
    own_tests::LimitsOrigin,
    progress_bars::JudgingProgress,
    report_options::empty_report,
    saved_cases::save_failed_cases,
    terminal_output::{print_message, print_text, terminal_page},
};
use crate::{
    base::wording::{counted, shortened},
    grade::{ChangingCase, DEFAULT_TIME, GradeSession, JudgedCohort, package_report},
    language::LanguageTable,
    package::Participant,
    render::{self, RunWords, SolutionFiles, WholeCases},
    results::{Noticed, Notices, OpenCase, OpenReason, PackageReport, Report},
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
    pub(super) fn build_kind(&self) -> BuildKind {
        if self.debug { BuildKind::Debugging } else { BuildKind::Usual }
    }

    /// The origin of the limits.
    pub(super) fn limits_origin(&self, limits: &LimitOptions) -> LimitsOrigin {
        if limits.are_usual() && self.build_kind() == BuildKind::Usual {
            LimitsOrigin::Package
        } else {
            LimitsOrigin::CommandLine
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

/// A set of tests, and what the solution did on them.
struct JudgedTests<'a> {
    loaded: &'a LoadedPackage,
    judged: JudgedCohort,
}

/// A result that was printed.
pub(super) struct PrintedResult {
    pub(super) status: ExitStatus,
    /// Without the user's own tests.
    pub(super) judged: JudgedCohort,
}

impl<'a> SoloJudging<'a> {
    /// Judges the only participant and prints the result. The notices are those of loading.
    pub(super) fn judge_and_show(
        &self,
        view: &RunViewOptions,
        cohort: &[Participant],
        mut notices: Notices,
    ) -> Result<PrintedResult> {
        let judge = |loaded: &LoadedPackage| judge_cohort(self.session, loaded, cohort);
        let mut all = self.judge_all(judge)?.note_in(&mut notices);
        let mut remarks = Vec::new();
        let mut changing = Vec::new();
        match view.again {
            None => {
                let known = all.iter().map(|tests| tests.judged.graded.known_trials).sum();
                remarks.extend(known_remark(known));
            }
            Some(times) => {
                for tests in &mut all {
                    changing.extend(self.judge_again(tests, times)?.note_in(&mut notices));
                }
                remarks.extend(changing_remark(&changing));
            }
        }
        if !self.whole {
            let cases = all.iter().map(|tests| tests.loaded.tests.cases.len()).sum();
            remarks.push(format!("ran only {}; points need all cases", counted(cases, "case")));
        }
        let mut report = empty_report(self.session.engine.machine);
        report.notices.add(notices);
        remarks.extend(report.notices.rules.iter().cloned());
        let results = report_of_all(&all);
        if view.debug
            && let Some(code) = &results.rows[0].language
            && !LanguageTable::has_debug_build(code)
        {
            remarks.push(format!("--debug has no effect for {code}"));
        }
        if matches!(view.format, RunFormat::Text | RunFormat::Lines) {
            report.notices.warnings.iter().for_each(|warning| print_message!("{warning}"));
        }
        print_text(&self.render(view, &report, &results, &RunTexts { cohort, remarks: &remarks }))?;
        render::open_lines(&report).iter().for_each(|line| print_message!("not judged: {line}"));
        if let Some(dir) = &view.save {
            for JudgedTests { loaded, judged } in &all {
                save_failed_cases(dir, &self.session.engine, &loaded.tests, judged)?;
            }
        }
        let complete = if changing.is_empty() { complete_status(&results) } else { ExitStatus::Negative };
        let status = self.status(&report, complete);
        Ok(PrintedResult { status, judged: all.swap_remove(0).judged })
    }

    /// Like [`SoloJudging::judge_and_show`], without a bar or output; calls `on_event` on progress.
    pub(super) fn judge_quietly(
        &self,
        view: &RunViewOptions,
        cohort: &[Participant],
        on_event: &mut (dyn FnMut() + Send),
    ) -> Result<QuietResult> {
        let judge = |loaded: &LoadedPackage| judge_silently(self.session, loaded, cohort, on_event);
        let Noticed { value: mut all, notices } = self.judge_all(judge)?;
        let mut report = empty_report(self.session.engine.machine);
        report.notices.add(notices);
        let results = report_of_all(&all);
        let texts = RunTexts { cohort, remarks: &report.notices.rules };
        let mut text = self.render(view, &report, &results, &texts);
        render::open_lines(&report).iter().for_each(|line| text += &format!("not judged: {line}\n"));
        let status = self.status(&report, complete_status(&results));
        Ok(QuietResult { text, status, judged: all.swap_remove(0).judged })
    }

    /// Judges the tests of the package, then the user's own.
    fn judge_all(
        &self,
        mut judge: impl FnMut(&LoadedPackage) -> Result<Noticed<JudgedCohort>>,
    ) -> Result<Noticed<Vec<JudgedTests<'a>>>> {
        let mut all = Vec::new();
        let mut notices = Notices::default();
        for loaded in [Some(self.loaded), self.loaded.own.as_deref()].into_iter().flatten() {
            let judged = judge(loaded)?.note_in(&mut notices);
            all.push(JudgedTests { loaded, judged });
        }
        Ok(Noticed { value: all, notices })
    }

    fn status(&self, report: &Report, complete: ExitStatus) -> ExitStatus {
        ExitStatus::of_judging(self.stop, &report.all_faults(), complete)
    }

    /// Repeats all cases until each has run `times` times in this command.
    fn judge_again(&self, all: &mut JudgedTests, times: u32) -> Result<Noticed<Vec<ChangingCase>>> {
        let LoadedPackage { package, tests, .. } = all.loaded;
        let judged = &mut all.judged;
        let mut progress = JudgingProgress::new(&package.name);
        let faults_before = judged.graded.faults.len();
        let changing = self
            .session
            .judge_again(package, tests, judged, 0, times, &mut |event| progress.show_event(&event));
        progress.close();
        let mut notices = Notices::default();
        for (what, fault) in &judged.graded.faults[faults_before..] {
            let why = OpenReason::Fault(fault.to_string());
            notices.faults.push(OpenCase { package: package.name.clone(), what: what.clone(), why });
        }
        Ok(Noticed { value: changing?, notices })
    }

    fn render(
        &self,
        view: &RunViewOptions,
        report: &Report,
        results: &PackageReport,
        texts: &RunTexts,
    ) -> String {
        let row = &results.rows[0];
        let page = terminal_page();
        let remarks = texts.remarks;
        match view.format {
            RunFormat::Json => render::render_run_json(report, results, row, remarks),
            RunFormat::Junit => render::render_run_junit(report, results, row),
            RunFormat::Lines => texts.with_files(|files| render::render_run_lines(row, files)),
            RunFormat::Text => {
                let whole = if view.verbose { WholeCases::All } else { WholeCases::First };
                let about = self.loaded.about.as_deref();
                let mut text = render::render_run(results, row, RunWords { whole, about, remarks }, page);
                if view.debug
                    && let Some(stop) = texts.with_files(|files| render::first_stop(row, files))
                {
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
        let mut root = Path::new("");
        let mut names: Vec<String> = Vec::new();
        if let Some(submission) = submission {
            root = &submission.source.root;
            names.extend(submission.source.files.iter().map(|file| file.to_string_lossy().into_owned()));
        }
        let here = std::env::current_dir().unwrap_or_default();
        let path = |name: &str| {
            let path = root.join(name);
            path.strip_prefix(&here).unwrap_or(&path).to_string_lossy().into_owned()
        };
        act(&SolutionFiles { names: &names, path: &path })
    }
}

/// One report for the package's tests and the user's own, if any.
fn report_of_all(all: &[JudgedTests]) -> PackageReport {
    let report = |one: &JudgedTests| package_report(&one.loaded.package, &one.loaded.tests, &one.judged);
    let reports = all.iter().map(report);
    reports.reduce(PackageReport::with_own_tests).expect("the tests of the package come first")
}

/// The status if everything was judged.
fn complete_status(results: &PackageReport) -> ExitStatus {
    match results.rows[0].card.state {
        State::Decided(Verdict::Accepted) => ExitStatus::Success,
        _ => ExitStatus::Negative,
    }
}

fn known_remark(known: usize) -> Option<String> {
    let them = match known {
        0 => return None,
        1 => "it",
        _ => "them",
    };
    Some(format!("{} cached; `--again` runs {them}", counted(known, "case")))
}

fn changing_remark(changing: &[ChangingCase]) -> Option<String> {
    if changing.is_empty() {
        return None;
    }
    let mut cases: Vec<String> = Vec::new();
    for one in changing {
        let verdicts: Vec<String> = one.verdicts.iter().map(|verdict| verdict.short().to_owned()).collect();
        cases.push(format!("{} gave {}", one.case, shortened(&verdicts, 8, ", ")));
    }
    Some(format!(
        "NOT THE SAME AT EACH RUN: {}: the program depends on more than its input (uninitialised memory, threads, the \
            clock, randomness)",
        shortened(&cases, 5, "; ")
    ))
}
