//! The interface between jobs and the sandbox: a [`Slot`], or a scripted one in tests.

use super::{slot::Slot, talk::PairOptions};
use crate::{
    exec::Exec,
    fault::Fault,
    meters::spin::spin,
    run_result::{PairResult, RunResult},
};
use std::time::Duration;

/// Runs one program, or a pair, at a time.
pub trait RunPrograms: Send {
    /// Runs a program to its end: see [`Slot::run`].
    fn run(&mut self, exec: &Exec) -> Result<RunResult, Fault>;

    /// Runs a program while it is wanted: see [`Slot::run_while`]. Scripted programs end at once anyway.
    fn run_while(&mut self, exec: &Exec, _is_wanted: &dyn Fn() -> bool) -> Result<RunResult, Fault> {
        self.run(exec)
    }

    /// Runs two programs with crossed pipes: see [`Slot::run_pair`].
    fn run_pair(&mut self, first: &Exec, second: &Exec, options: PairOptions) -> Result<PairResult, Fault>;

    /// Discards the worker: see [`Slot::renew_worker`].
    fn renew_worker(&mut self);

    /// Keeps the calling thread on the CPU where programs run: see [`Slot::pin_thread`].
    fn pin_thread(&self) -> Result<(), Fault>;

    /// CPU time of a fixed piece of arithmetic: see [`spin`].
    fn time_spin(&mut self) -> Duration;
}

impl RunPrograms for Slot {
    fn run(&mut self, exec: &Exec) -> Result<RunResult, Fault> {
        Slot::run(self, exec)
    }

    fn run_while(&mut self, exec: &Exec, is_wanted: &dyn Fn() -> bool) -> Result<RunResult, Fault> {
        Slot::run_while(self, exec, is_wanted)
    }

    fn run_pair(&mut self, first: &Exec, second: &Exec, options: PairOptions) -> Result<PairResult, Fault> {
        Slot::run_pair(self, first, second, options)
    }

    fn renew_worker(&mut self) {
        Slot::renew_worker(self);
    }

    fn pin_thread(&self) -> Result<(), Fault> {
        Slot::pin_thread(self)
    }

    fn time_spin(&mut self) -> Duration {
        spin()
    }
}
