//! Counters of the whole machine that a program can read and move: the kernel numbers pipes, sockets and
//! files in memory. What one program did to them the next could read, so they are moved in between.

use super::{errors::fault_in, run_result::Fault, streams::memory_file};
use rustix::{
    fs::fstat,
    pipe::{PipeFlags, pipe_with},
    rand::{GetRandomFlags, getrandom},
};

/// Takes the next number of a counter.
type NextNumber = fn() -> Result<u64, Fault>;

/// Sockets and pipes share one. Each CPU takes numbers in batches of its own.
const COUNTERS: [NextNumber; 2] = [next_pipe, next_memory_file];

/// They are moved by up to so many times what they moved.
const BLUR: u64 = 4;
/// And by up to so much at least: far more than a runtime takes when it starts.
const LEAST: u64 = 1 << 10;
/// And no further: that takes a tenth of a second.
const MOST: u64 = 1 << 14;

/// Where they stood, on one CPU.
#[derive(Debug, Clone, Copy)]
pub struct MachineCounters([u64; 2]);

impl MachineCounters {
    /// As they are now on the CPU of this thread.
    pub fn read() -> Result<MachineCounters, Fault> {
        let [pipes, memory_files] = COUNTERS;
        Ok(MachineCounters([pipes()?, memory_files()?]))
    }

    /// Moves each by a random amount, the larger the more it has moved since.
    pub(super) fn scatter(&self) -> Result<(), Fault> {
        for (next, before) in COUNTERS.iter().zip(self.0) {
            let moved = next()?.abs_diff(before);
            let range = moved.saturating_mul(BLUR).clamp(LEAST, MOST);
            for _ in 0..random_number()? % range {
                next()?;
            }
        }
        Ok(())
    }
}

fn next_pipe() -> Result<u64, Fault> {
    let act = "number a pipe";
    let (end, _) = pipe_with(PipeFlags::CLOEXEC).map_err(|e| fault_in(act, e))?;
    Ok(fstat(&end).map_err(|e| fault_in(act, e))?.st_ino)
}

fn next_memory_file() -> Result<u64, Fault> {
    let file = memory_file("number")?;
    Ok(fstat(&file).map_err(|e| fault_in("number a file in memory", e))?.st_ino)
}

fn random_number() -> Result<u64, Fault> {
    let mut bytes = [0; 8];
    getrandom(&mut bytes, GetRandomFlags::empty()).map_err(|e| fault_in("choose a number", e))?;
    Ok(u64::from_ne_bytes(bytes))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counters_move_by_amounts_that_nobody_can_foresee() {
        let distances = || {
            let before = MachineCounters::read().unwrap();
            before.scatter().unwrap();
            let after = MachineCounters::read().unwrap();
            [0, 1].map(|which| after.0[which].abs_diff(before.0[which]))
        };
        let all: Vec<[u64; 2]> = (0..8).map(|_| distances()).collect();
        for which in [0, 1] {
            let one = all.iter().map(|distance| distance[which]);
            // Eight numbers below 1024 all lie within 32 once in ten thousand million times.
            let (least, most) = (one.clone().min().unwrap(), one.max().unwrap());
            assert!(most - least > 32, "{all:?}");
        }
    }
}
