//! Live progress on standard error; nothing when it is piped.

use super::terminal_output::print_message;
use crate::{generate::GenerationStep, grade::GradeEvent, stress::HuntStep, verdict::Verdict};
use indicatif::{HumanDuration, ProgressBar, ProgressState, ProgressStyle, WeakProgressBar};
use std::{
    fmt::Write,
    sync::{Mutex, PoisonError},
    time::Duration,
};

/// A bar for one stage after another; hidden until the first begins.
struct TitledBar {
    bar: ProgressBar,
    title: String,
}

/// The bar that is drawn now, if one is.
static DRAWN: Mutex<Option<WeakProgressBar>> = Mutex::new(None);

/// Prints a message that has nothing to do with the bar that may be drawn now: it stands above it.
#[cfg(feature = "cluster")]
pub(super) fn print_above_bar(message: &str) {
    let drawn = DRAWN.lock().unwrap_or_else(PoisonError::into_inner).clone();
    match drawn.and_then(|bar| bar.upgrade()) {
        Some(bar) => bar.suspend(|| print_message!("{message}")),
        None => print_message!("{message}"),
    }
}

impl TitledBar {
    fn hidden(title: &str) -> TitledBar {
        TitledBar { bar: ProgressBar::hidden(), title: title.to_owned() }
    }

    /// Begins a stage: its name, how far it is, and the rest as this template says.
    fn begin_stage(&mut self, stage: &str, jobs: usize, rest: &str) {
        self.bar.finish_and_clear();
        // A bar of nothing would stay at zero.
        if jobs == 0 {
            self.bar = ProgressBar::hidden();
            return;
        }
        let style = ProgressStyle::with_template(&format!("{{prefix}} {{bar:12}} {{pos}} of {{len}} {rest}"));
        let style = style.expect("the templates of this file are right");
        let style = style.with_key("rate", write_rate).with_key("left", write_time_left);
        let bar = ProgressBar::new(jobs as u64).with_style(style);
        // Time goes on while one long job runs: the bar must not look dead.
        bar.enable_steady_tick(Duration::from_millis(200));
        self.bar = bar.with_prefix(format!("{} {stage}", console::truncate_str(&self.title, 20, "…")));
        *DRAWN.lock().unwrap_or_else(PoisonError::into_inner) = Some(self.bar.downgrade());
    }
}

/// `8.9/s`, once there is something to count.
fn write_rate(state: &ProgressState, text: &mut dyn Write) {
    if state.pos() > 0 && state.per_sec().is_finite() {
        let _ = write!(text, "{:.1}/s ", state.per_sec());
    }
}

/// `12s left`; at the beginning nobody knows.
fn write_time_left(state: &ProgressState, text: &mut dyn Write) {
    let seconds = state.eta().as_secs();
    if state.pos() > 0 && seconds > 0 {
        let _ = write!(text, "{} left ", HumanDuration(Duration::from_secs(seconds)));
    }
}

/// Progress of judging: what, how far, rate, time left.
pub(super) struct JudgingProgress {
    bar: TitledBar,
    /// Of a class: so many hand-ins, and so many of them are done.
    hand_ins: usize,
    finished: usize,
    not_accepted: u64,
}

impl JudgingProgress {
    /// For a package of this name.
    pub(super) fn new(title: &str) -> JudgingProgress {
        JudgingProgress { bar: TitledBar::hidden(title), hand_ins: 0, finished: 0, not_accepted: 0 }
    }

    /// As [`JudgingProgress::new`], for so many hand-ins, which are counted if there are several.
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
            GradeEvent::Standing(_) => {}
            GradeEvent::Failed(fault) => {
                // Suspended: a line printed through the bar would be overdrawn by its next tick.
                bar.suspend(|| print_message!("fault: {fault}"));
                bar.inc(1);
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
        self.bar.bar.set_message(message);
        self.bar.bar.inc(1);
    }

    /// Removes the bar.
    pub(super) fn close(&self) {
        self.bar.bar.finish_and_clear();
    }
}

/// Progress of making a test set.
pub(super) struct GenerationProgress(TitledBar);

impl GenerationProgress {
    /// For a package of this name.
    pub(super) fn new(title: &str) -> GenerationProgress {
        GenerationProgress(TitledBar::hidden(title))
    }

    pub(super) fn show_step(&mut self, step: &GenerationStep) {
        match step {
            GenerationStep::Begin { cases } => self.0.begin_stage("test data", *cases, "{left}{wide_msg}"),
            GenerationStep::Build { program } => self.0.bar.set_message(format!("building {program}")),
            GenerationStep::Done { case } => {
                self.0.bar.set_message(case.clone());
                self.0.bar.inc(1);
            }
        }
    }

    /// Removes the bar.
    pub(super) fn close(&self) {
        self.0.bar.finish_and_clear();
    }
}

/// Progress of many small checks.
pub(super) struct CheckProgress(TitledBar);

impl CheckProgress {
    /// For a package of this name.
    pub(super) fn new(title: &str) -> CheckProgress {
        CheckProgress(TitledBar::hidden(title))
    }

    /// So many checks of a kind begin.
    pub(super) fn begin(&mut self, what: &str, jobs: usize) {
        self.0.begin_stage(what, jobs, "{left}");
    }

    /// One check is done.
    pub(super) fn advance(&self) {
        self.0.bar.inc(1);
    }

    /// Removes the bar.
    pub(super) fn close(&self) {
        self.0.bar.finish_and_clear();
    }
}

/// Progress of a hunt: how many are found, how much was tried.
pub(super) struct HuntProgress {
    bar: TitledBar,
    found: u64,
}

impl HuntProgress {
    /// For so many subjects.
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
            HuntStep::Found(_) => {
                self.found += 1;
                bar.set_position(self.found);
            }
            HuntStep::Shrinking { name, bytes } => bar.set_message(format!("{name}: {bytes} bytes")),
        }
    }

    /// Removes the bar.
    pub(super) fn close(&self) {
        self.bar.bar.finish_and_clear();
    }
}
