//! Live progress on standard error, unless it is piped.

use super::{interrupt::stop_flag, terminal_output::print_message};
use crate::{
    base::wording::one_line, course::CourseEvent, generate::GenerationStep, grade::GradeEvent,
    stress::HuntStep, verdict::Verdict,
};
use indicatif::{HumanDuration, ProgressBar, ProgressState, ProgressStyle};
use std::{fmt::Write, sync::atomic::Ordering, time::Duration};

/// A bar for one stage after another, hidden until the first one begins.
struct TitledBar {
    bar: ProgressBar,
    title: String,
}

impl TitledBar {
    fn hidden(title: &str) -> TitledBar {
        TitledBar { bar: ProgressBar::hidden(), title: title.to_owned() }
    }

    /// Begins a stage. The bar shows its name, its progress and the rest of the template.
    fn begin_stage(&mut self, stage: &str, jobs: usize, rest: &str) {
        self.bar.finish_and_clear();
        // A bar without jobs would stay at zero.
        if jobs == 0 {
            self.bar = ProgressBar::hidden();
            return;
        }
        let style = ProgressStyle::with_template(&format!("{{prefix}} {{bar:12}} {{pos}} of {{len}} {rest}"));
        let style = style.expect("the templates of this file are right");
        let style = style.with_key("rate", write_rate).with_key("left", write_time_left);
        let bar = ProgressBar::new(jobs as u64).with_style(style);
        // Keeps the bar alive during one long job.
        bar.enable_steady_tick(Duration::from_millis(200));
        self.bar = bar.with_prefix(format!("{} {stage}", console::truncate_str(&self.title, 20, "…")));
    }
}

/// `8.9/s`, once there is something to measure.
fn write_rate(state: &ProgressState, text: &mut dyn Write) {
    if state.pos() > 0 && state.per_sec().is_finite() {
        let _ = write!(text, "{:.1}/s ", state.per_sec());
    }
}

fn write_time_left(state: &ProgressState, text: &mut dyn Write) {
    let seconds = state.eta().as_secs();
    let rest = match state.pos() {
        _ if stop_flag().load(Ordering::Relaxed) => Rest::Stopping,
        0 => Rest::Unknown,
        _ => Rest::Seconds(seconds),
    };
    let _ = text.write_str(&rest.in_words());
}

/// The rest of a stage.
enum Rest {
    Unknown,
    Seconds(u64),
    /// After Ctrl-C, until the current runs end.
    Stopping,
}

impl Rest {
    fn in_words(&self) -> String {
        match self {
            Rest::Unknown | Rest::Seconds(0) => String::new(),
            Rest::Seconds(seconds) => format!("{} left ", HumanDuration(Duration::from_secs(*seconds))),
            Rest::Stopping => "finishing these runs; Ctrl-C ends now ".to_owned(),
        }
    }
}

/// Progress of judging: title, count, rate and time left.
pub(super) struct JudgingProgress {
    bar: TitledBar,
    /// For a class: number of hand-ins.
    hand_ins: usize,
    finished: usize,
    not_accepted: u64,
}

impl JudgingProgress {
    /// For a package with this name.
    pub(super) fn new(title: &str) -> JudgingProgress {
        JudgingProgress { bar: TitledBar::hidden(title), hand_ins: 0, finished: 0, not_accepted: 0 }
    }

    /// Like [`JudgingProgress::new`], with a count of hand-ins if there are several.
    pub(super) fn of_class(title: &str, hand_ins: usize) -> JudgingProgress {
        JudgingProgress { hand_ins, ..JudgingProgress::new(title) }
    }

    pub(super) fn show_event(&mut self, event: &GradeEvent) {
        let bar = &self.bar.bar;
        match event {
            GradeEvent::Wave { what, jobs, .. } => {
                (self.not_accepted, self.finished) = (0, 0);
                self.bar.begin_stage(what, *jobs, "{rate}{left}{wide_msg}");
            }
            GradeEvent::Built { name, .. } => self.advance(name.to_string()),
            GradeEvent::Tried { name, verdict } => {
                self.not_accepted += u64::from(*verdict != Verdict::Accepted);
                self.advance(self.message(name));
            }
            GradeEvent::Finished(rows) => self.finished += rows,
            GradeEvent::Spared(jobs) => {
                bar.set_length(bar.length().unwrap_or(0).saturating_sub(*jobs as u64))
            }
            GradeEvent::Failed(fault) => {
                // Suspended, because the next tick of the bar would overwrite the line.
                bar.suspend(|| print_message!("fault: {fault}"));
                bar.inc(1);
            }
            GradeEvent::Waiting { toolchains, seconds } => {
                let changed = toolchains.join(", ");
                bar.suspend(|| {
                    print_message!(
                        "waiting {seconds} s for an installation to end: {changed} changed while it was used"
                    );
                });
            }
        }
    }

    fn message(&self, name: &str) -> String {
        let count = match self.hand_ins {
            0 | 1 => String::new(),
            all => format!("{} of {all} hand-ins, ", self.finished),
        };
        format!("{count}{name} ({} not accepted)", self.not_accepted)
    }

    fn advance(&self, message: String) {
        self.bar.bar.set_message(one_line(&message));
        self.bar.bar.inc(1);
    }

    pub(super) fn close(&self) {
        self.bar.bar.finish_and_clear();
    }
}

/// Progress of generating a test set.
pub(super) struct GenerationProgress(TitledBar);

impl GenerationProgress {
    /// Until the first step.
    pub(super) fn hidden() -> GenerationProgress {
        GenerationProgress(TitledBar::hidden(""))
    }

    pub(super) fn show_step(&mut self, step: &GenerationStep) {
        match step {
            GenerationStep::Begin { package, cases } => {
                self.0.title.clone_from(package);
                self.0.begin_stage("test data", *cases, "{left}{wide_msg}");
            }
            GenerationStep::Build { program } => {
                self.0.bar.set_message(one_line(&format!("building {program}")))
            }
            GenerationStep::Done { case } => {
                self.0.bar.set_message(one_line(case));
                self.0.bar.inc(1);
            }
            GenerationStep::End => self.close(),
        }
    }

    pub(super) fn close(&self) {
        self.0.bar.finish_and_clear();
    }
}

/// Progress of many small checks.
pub(super) struct CheckProgress(TitledBar);

impl CheckProgress {
    /// For a package with this name.
    pub(super) fn new(title: &str) -> CheckProgress {
        CheckProgress(TitledBar::hidden(title))
    }

    /// Begins a stage of `jobs` checks.
    pub(super) fn begin(&mut self, what: &str, jobs: usize) {
        self.0.begin_stage(what, jobs, "{left}");
    }

    /// Counts one finished check.
    pub(super) fn advance(&self) {
        self.0.bar.inc(1);
    }

    pub(super) fn close(&self) {
        self.0.bar.finish_and_clear();
    }
}

/// Progress of a hunt: number found, number tried.
pub(super) struct HuntProgress {
    bar: TitledBar,
    found: u64,
}

impl HuntProgress {
    /// For this number of subjects.
    pub(super) fn new(title: &str, subjects: usize) -> HuntProgress {
        let mut bar = TitledBar::hidden(title);
        bar.begin_stage("found", subjects, "{elapsed} {wide_msg}");
        HuntProgress { bar, found: 0 }
    }

    pub(super) fn show_step(&mut self, step: &HuntStep) {
        let bar = &self.bar.bar;
        match step {
            HuntStep::Round(counts) => {
                bar.set_message(format!("{} valid inputs, {} runs", counts.valid, counts.trials));
            }
            HuntStep::Begins(_) => {}
            HuntStep::Found(_) => {
                self.found += 1;
                bar.set_position(self.found);
            }
            HuntStep::Tried { name, bytes } => bar.set_message(format!("{name}: {bytes} bytes")),
        }
    }

    pub(super) fn close(&self) {
        self.bar.bar.finish_and_clear();
    }
}

/// Progress of the parts of a class on a cluster.
pub(super) struct BatchProgress(TitledBar);

impl BatchProgress {
    pub(super) fn new(parts: usize) -> BatchProgress {
        let mut bar = TitledBar::hidden("Slurm:");
        bar.begin_stage("parts", parts, "{elapsed} {wide_msg}");
        BatchProgress(bar)
    }

    pub(super) fn show(&self, finished: usize, state: &str) {
        self.0.bar.set_position(finished as u64);
        self.0.bar.set_message(one_line(state));
    }

    pub(super) fn show_trouble(&self, what: &str) {
        self.0.bar.set_message(one_line(what));
    }

    pub(super) fn close(&self) {
        self.0.bar.finish_and_clear();
    }
}

/// Progress of grading a course, with its messages.
pub(super) struct CourseProgress {
    generation: GenerationProgress,
    judging: JudgingProgress,
    hunt: Option<HuntProgress>,
}

impl CourseProgress {
    pub(super) fn hidden() -> CourseProgress {
        let (generation, judging) = (GenerationProgress::hidden(), JudgingProgress::new(""));
        CourseProgress { generation, judging, hunt: None }
    }

    pub(super) fn show_event(&mut self, event: CourseEvent) {
        match event {
            CourseEvent::Said(line) => print_message!("{line}"),
            CourseEvent::Warned(line) => print_message!("warning: {line}"),
            CourseEvent::Generating(step) => self.generation.show_step(&step),
            CourseEvent::Begins { package, participants } => {
                self.judging = JudgingProgress::of_class(package, participants);
            }
            CourseEvent::Step(step) => self.judging.show_event(&step),
            CourseEvent::HuntBegins { package, programs } => {
                self.hunt = Some(HuntProgress::new(package, programs));
            }
            CourseEvent::Hunt(step) => self.hunt.iter_mut().for_each(|hunt| hunt.show_step(&step)),
            CourseEvent::Ends => {
                self.judging.close();
                self.hunt.take().iter().for_each(HuntProgress::close);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn after_ctrl_c_the_bar_says_how_to_end_at_once() {
        assert_eq!(Rest::Unknown.in_words(), "");
        assert_eq!(Rest::Seconds(0).in_words(), "");
        assert_eq!(Rest::Seconds(12).in_words(), "12 seconds left ");
        assert_eq!(Rest::Stopping.in_words(), "finishing these runs; Ctrl-C ends now ");
    }
}
