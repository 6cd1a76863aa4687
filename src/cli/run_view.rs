//! Shows one solution for `kopek run` and `kopek test`.

use super::{
    exit_status::ExitStatus,
    machine_options::BuildKind,
    report_options::empty_report,
    terminal_output::{print_message, print_text, terminal_page},
};
use crate::{
    base::wording::{counted, limit_text, shortened},
    grade::{ChangingCase, run_limits},
    language::LanguageTable,
    machine::Machine,
    package::{Package, Participant},
    render::{self, RunWords, SolutionFiles, WholeCases},
    results::{Counterexamples, Notices, Report},
    solution::{SolutionLimits, SolutionReport, SolutionTests},
};
use anyhow::Result;
use std::{
    path::{Path, PathBuf},
    sync::atomic::AtomicBool,
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
    pub(super) save: Option<PathBuf>,
    /// Run cached cases again, N times, to find unstable programs
    #[arg(long, value_name = "N", num_args = 0..=1, default_missing_value = "1",
          value_parser = clap::value_parser!(u32).range(1..=1000))]
    pub(super) again: Option<u32>,
    /// Output format
    #[arg(long, value_enum, default_value_t = RunFormat::Text)]
    format: RunFormat,
}

#[derive(Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
enum RunFormat {
    Text,
    Json,
    Lines,
}

impl RunViewOptions {
    pub(super) fn build_kind(&self) -> BuildKind {
        if self.debug { BuildKind::Debugging } else { BuildKind::Usual }
    }
}

/// A judged solution to show.
pub(super) struct SolutionView<'a> {
    pub(super) report: &'a SolutionReport,
    pub(super) tests: &'a SolutionTests,
    pub(super) solution: &'a Participant,
    pub(super) machine: &'a Machine,
    /// Whether all cases were judged, not only a selection.
    pub(super) whole: bool,
    /// An input of the bank on which it fails.
    pub(super) failing_input: Option<Counterexamples>,
}

impl SolutionView<'_> {
    /// Prints the result. The notices are those of loading.
    pub(super) fn print(
        &self,
        view: &RunViewOptions,
        notices: Notices,
        stop: &AtomicBool,
    ) -> Result<ExitStatus> {
        let mut remarks = Vec::new();
        match view.again {
            None => remarks.extend(known_remark(self.report.judged.graded.known_trials)),
            Some(_) => remarks.extend(changing_remark(&self.report.changing)),
        }
        if !self.whole {
            remarks.push(format!(
                "ran only {}; points need all cases",
                counted(self.tests.tests.cases.len(), "case")
            ));
        }
        let report = self.report_with(notices);
        remarks.extend(report.notices.rules.iter().map(ToString::to_string));
        if view.debug
            && let Some(code) = &self.report.row().language
            && !LanguageTable::has_debug_build(code)
        {
            remarks.push(format!("--debug has no effect for {code}"));
        }
        if matches!(view.format, RunFormat::Text | RunFormat::Lines) {
            report.notices.warnings.iter().for_each(|warning| print_message!("{warning}"));
        }
        print_text(&self.render(view, &report, &remarks))?;
        render::open_lines(&report).iter().for_each(|line| print_message!("not judged: {line}"));
        let complete = if self.report.is_accepted() { ExitStatus::Success } else { ExitStatus::Negative };
        Ok(ExitStatus::of_judging(stop, &report.all_faults(), complete))
    }

    /// Renders the result, and the open cases below it.
    pub(super) fn quietly(&self, view: &RunViewOptions) -> String {
        let report = self.report_with(Notices::default());
        let rules: Vec<String> = report.notices.rules.iter().map(ToString::to_string).collect();
        let mut text = self.render(view, &report, &rules);
        render::open_lines(&report).iter().for_each(|line| text += &format!("not judged: {line}\n"));
        text
    }

    fn report_with(&self, mut notices: Notices) -> Report {
        notices.add(self.report.notices.clone());
        let mut report = empty_report(self.machine);
        report.notices.add(notices);
        report.counterexamples.extend(self.failing_input.clone());
        report
    }

    fn render(&self, view: &RunViewOptions, report: &Report, remarks: &[String]) -> String {
        let (results, row) = (&self.report.results, self.report.row());
        let page = terminal_page();
        match view.format {
            RunFormat::Json => render::render_run_json(report, results, row, remarks),
            RunFormat::Lines => self.with_files(|files| render::render_run_lines(row, files)),
            RunFormat::Text => {
                let whole = if view.verbose { WholeCases::All } else { WholeCases::First };
                let about = self.tests.about.as_deref();
                let mut text = render::render_run(results, row, RunWords { whole, about, remarks }, page);
                if let Some(found) = report.counterexamples.first()
                    && let Some(own) = found.of_participant(&row.card.name)
                {
                    text += &render::render_failing_input(own, row, page);
                }
                if view.debug
                    && let Some(stop) = self.with_files(|files| render::first_stop(row, files))
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

    /// Calls `act` with the files of the solution, with paths relative to the current directory.
    fn with_files<T>(&self, act: impl FnOnce(&SolutionFiles) -> T) -> T {
        let mut root = Path::new("");
        let mut names: Vec<String> = Vec::new();
        if let Ok(submission) = &self.solution.submission {
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

/// A line about the tests and limits of a package.
pub(super) fn about_package(tests: &SolutionTests, limits: SolutionLimits) -> String {
    let SolutionTests { package, tests, .. } = tests;
    let cases = |cases: &[usize]| counted(cases.len(), "case");
    let own = tests.own_cases();
    let name = |&case: &usize| tests.cases[case].name.trim_start_matches("own/").to_owned();
    let names: Vec<String> = own.iter().map(name).collect();
    let own = match names.len() {
        0 => String::new(),
        _ => format!(", and {} of your own ({})", cases(&own), shortened(&names, 3, ", ")),
    };
    let whose = if limits.are_usual() { format!(" of {}", package.name) } else { String::new() };
    format!(
        "tests: {} of {}{own}; limits{whose}: {}",
        cases(&tests.package_cases()),
        package.name,
        limits_of(package)
    )
}

/// `1 s, 256 MiB`
pub(super) fn limits_of(package: &Package) -> String {
    format!("{}, {}", limit_text(run_limits(package).cpu), package.limits.memory)
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::verdict::Verdict::{Accepted, WrongAnswer};

    #[test]
    fn remarks_say_what_is_known_and_what_differs() {
        assert_eq!(known_remark(0), None);
        assert_eq!(known_remark(1).as_deref(), Some("1 case cached; `--again` runs it"));
        assert_eq!(known_remark(7).as_deref(), Some("7 cases cached; `--again` runs them"));
        assert_eq!(changing_remark(&[]), None);
        let changing = ChangingCase { case: "sample/1".into(), verdicts: vec![Accepted, WrongAnswer] };
        let remark = changing_remark(&[changing]).unwrap();
        assert!(remark.starts_with("NOT THE SAME AT EACH RUN: sample/1 gave AC, WA: "), "{remark}");
    }
}
