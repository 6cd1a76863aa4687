//! The cases that the searches of a campaign change. Each is measured once, when the first search needs it.

use super::{
    changed_cases::{Base, MAX_BYTES},
    largest_inputs::LargestInputs,
};
use crate::{
    bench::{Bench, TimedRuns},
    form::InputText,
};
use anyhow::Result;
use kopek_package::package::is_sample;
use std::{collections::VecDeque, time::Duration};

/// The cases with which a search begins.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SlowStart {
    Largest,
    /// Inputs made of samples are public.
    Samples,
}

/// Cases to start from for each kind of arguments.
const BASES: usize = 2;

pub(super) struct Bases<'a> {
    /// Of validators only.
    runs: TimedRuns<'a>,
    /// CPU time for measuring all of them.
    budget: Duration,
    measured: Vec<Base<'a>>,
    others: VecDeque<Base<'a>>,
}

impl<'a> Bases<'a> {
    /// The largest samples, and others, of each kind of arguments.
    pub fn read(bench: Bench<'a>, start: SlowStart, budget: Duration) -> Result<Bases<'a>> {
        let ground = bench.ground;
        let runs = TimedRuns::new(bench)?;
        let mut others = VecDeque::new();
        for samples in [start == SlowStart::Samples, start != SlowStart::Samples] {
            for (at, probe_ground) in ground.grounds.iter().enumerate() {
                let tests = ground.tests.iter().rev();
                let tests = tests.filter(|test| test.ground == at && is_sample(&test.name) == samples);
                for test in tests.take(BASES) {
                    let bytes = test.contents()?.input;
                    if bytes.len() <= MAX_BYTES {
                        let form = ground.form.as_deref().ok();
                        let base = Base::new(test.name.clone(), probe_ground, form, InputText::read(&bytes));
                        others.push_back(LargestInputs { runs: &runs, budget }.with_one_test(base)?);
                    }
                }
            }
        }
        Ok(Bases { runs, budget, measured: Vec::new(), others })
    }

    /// Makes this one ready; returns whether there is one.
    pub fn measure(&mut self, at: usize) -> Result<bool> {
        while self.measured.len() <= at {
            let Some(mut base) = self.others.pop_front() else { return Ok(false) };
            LargestInputs { runs: &self.runs, budget: self.budget }.measure(&mut base)?;
            self.measured.push(base);
        }
        Ok(true)
    }

    /// One that is ready.
    pub fn get(&self, at: usize) -> &Base<'a> {
        &self.measured[at]
    }
}
