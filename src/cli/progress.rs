//! Live progress on standard error; nothing when it is piped.

use crate::{generate::Step, grade::Event};
use indicatif::{ProgressBar, ProgressStyle};
use std::time::Duration;

/// A bar per wave: what, how far, rate, time left.
pub struct Progress {
    bar: ProgressBar,
    title: String,
    bad: u64,
}

impl Progress {
    /// For a package of this name.
    pub fn new(title: &str) -> Progress {
        Progress { bar: ProgressBar::hidden(), title: title.to_owned(), bad: 0 }
    }

    /// Shows what happened.
    pub fn tell(&mut self, event: &Event) {
        match event {
            Event::Wave { what, jobs, .. } => self.open(what, *jobs as u64),
            Event::Built { name, .. } => self.step(name, false),
            Event::Tried { name, verdict } => self.step(name, *verdict != crate::verdict::Verdict::Accepted),
            Event::Spared(jobs) => self.shrink(*jobs as u64),
            Event::Failed(fault) => {
                self.bar.suspend(|| eprintln!("fault: {fault}"));
                self.bar.inc(1);
            }
        }
    }

    fn open(&mut self, what: &str, jobs: u64) {
        self.bar.finish_and_clear();
        self.bad = 0;
        if jobs == 0 {
            self.bar = ProgressBar::hidden();
            return;
        }
        let style = "{prefix} {bar:24} {pos}/{len} {per_sec} {eta} left {wide_msg}";
        let style = ProgressStyle::with_template(style).expect("the template is fixed and right");
        self.bar = ProgressBar::new(jobs).with_style(style).with_prefix(format!("{} {what}", self.title));
        self.bar.enable_steady_tick(Duration::from_millis(200));
    }

    fn step(&mut self, name: &str, bad: bool) {
        self.bad += u64::from(bad);
        self.bar.set_message(format!("{name} ({} not accepted)", self.bad));
        self.bar.inc(1);
    }

    fn shrink(&self, jobs: u64) {
        self.bar.set_length(self.bar.length().unwrap_or(0).saturating_sub(jobs));
    }

    /// Removes the bar.
    pub fn close(&self) {
        self.bar.finish_and_clear();
    }
}

/// A bar for the making of a test set.
pub struct Making {
    bar: ProgressBar,
    title: String,
}

impl Making {
    /// For a package of this name.
    pub fn new(title: &str) -> Making {
        Making { bar: ProgressBar::hidden(), title: title.to_owned() }
    }

    /// Shows what happened.
    pub fn tell(&mut self, step: &Step) {
        match step {
            Step::Begin { cases } => {
                let style =
                    ProgressStyle::with_template("{prefix} {bar:24} {pos}/{len} {eta} left {wide_msg}");
                let style = style.expect("the template is fixed and right");
                let bar = ProgressBar::new(*cases as u64).with_style(style);
                self.bar = bar.with_prefix(format!("{} test data", self.title));
                self.bar.enable_steady_tick(Duration::from_millis(200));
            }
            Step::Build { program } => self.bar.set_message(format!("building {program}")),
            Step::Done { case } => {
                self.bar.set_message(case.clone());
                self.bar.inc(1);
            }
        }
    }

    /// Removes the bar.
    pub fn close(&self) {
        self.bar.finish_and_clear();
    }
}

/// A bar for many small checks.
pub struct Looking {
    bar: ProgressBar,
    title: String,
}

impl Looking {
    /// For a package of this name.
    pub fn new(title: &str) -> Looking {
        Looking { bar: ProgressBar::hidden(), title: title.to_owned() }
    }

    /// So many of a kind will be looked at.
    pub fn begin(&mut self, what: &str, jobs: usize) {
        self.bar.finish_and_clear();
        let style = ProgressStyle::with_template("{prefix} {bar:24} {pos}/{len} {eta} left");
        let bar = ProgressBar::new(jobs as u64).with_style(style.expect("the template is fixed and right"));
        self.bar = bar.with_prefix(format!("{} {what}", self.title));
        self.bar.enable_steady_tick(Duration::from_millis(200));
    }

    /// One was.
    pub fn step(&self) {
        self.bar.inc(1);
    }

    /// Removes the bar.
    pub fn close(&self) {
        self.bar.finish_and_clear();
    }
}
