//! The cases that the searches of a campaign change. Each is measured once, when the first search needs it.

use super::{
    forms::{Base, MAX_BYTES},
    largest_inputs::LargestInputs,
    timed_runs::TimedRuns,
};
use crate::stress::{HuntingGround, InputText};
use anyhow::Result;
use kopek_engine::exec::Engine;
use kopek_package::package::is_sample;
use std::collections::VecDeque;

/// The cases with which a search begins.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SlowStart {
    Largest,
    /// Inputs made of samples are public.
    Samples,
}

/// Cases to start from for each kind of arguments, and cases of which they are chosen.
const BASES: usize = 2;
const CASES: usize = 5;

pub(super) struct Bases<'a> {
    engine: &'a Engine<'a>,
    /// Of validators only.
    runs: TimedRuns<'a>,
    measured: Vec<Base<'a>>,
    others: VecDeque<Base<'a>>,
}

impl<'a> Bases<'a> {
    /// The largest samples, and others, of each kind of arguments; cases with equal numbers last, because of those it is
    /// not known what they count.
    pub fn read(engine: &'a Engine<'a>, ground: &'a HuntingGround, start: SlowStart) -> Result<Bases<'a>> {
        let runs = TimedRuns::new(engine)?;
        let mut others = VecDeque::new();
        for samples in [start == SlowStart::Samples, start != SlowStart::Samples] {
            for (at, probe_ground) in ground.grounds.iter().enumerate() {
                let tests = ground.tests.iter().rev();
                let tests = tests.filter(|test| test.ground == at && is_sample(&test.name) == samples);
                let mut of_ground = Vec::new();
                for test in tests.take(CASES) {
                    let bytes = test.contents()?.input;
                    if bytes.len() <= MAX_BYTES {
                        let base = Base::new(test.name.clone(), probe_ground, InputText::read(&bytes));
                        of_ground.push(LargestInputs { engine, runs: &runs }.with_one_test(base)?);
                    }
                }
                of_ground.sort_by_key(|base| base.parts.is_ambiguous(&base.text));
                others.extend(of_ground.into_iter().take(BASES));
            }
        }
        Ok(Bases { engine, runs, measured: Vec::new(), others })
    }

    /// Makes this one ready; returns whether there is one.
    pub fn measure(&mut self, at: usize) -> Result<bool> {
        while self.measured.len() <= at {
            let Some(mut base) = self.others.pop_front() else { return Ok(false) };
            LargestInputs { engine: self.engine, runs: &self.runs }.measure(&mut base)?;
            self.measured.push(base);
        }
        Ok(true)
    }

    /// One that is ready.
    pub fn get(&self, at: usize) -> &Base<'a> {
        &self.measured[at]
    }
}
