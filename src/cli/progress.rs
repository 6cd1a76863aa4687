//! Live progress on standard error; nothing when it is piped.

use crate::{generate::Step, grade::Event};
use indicatif::{ProgressBar, ProgressStyle};
use std::time::Duration;

/// A moving bar: what, how far, and the rest as its template says.
fn bar(what: String, jobs: u64, rest: &str) -> ProgressBar {
    let style = ProgressStyle::with_template(&format!("{{prefix}} {{bar:24}} {{pos}}/{{len}} {rest}"));
    let bar = ProgressBar::new(jobs).with_style(style.expect("the templates of this file are right"));
    bar.enable_steady_tick(Duration::from_millis(200));
    bar.with_prefix(what)
}

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
        self.bar = if jobs == 0 {
            ProgressBar::hidden()
        } else {
            bar(format!("{} {what}", self.title), jobs, "{per_sec} {eta} left {wide_msg}")
        };
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
                self.bar = bar(format!("{} test data", self.title), *cases as u64, "{eta} left {wide_msg}");
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
        self.bar = bar(format!("{} {what}", self.title), jobs as u64, "{eta} left");
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
