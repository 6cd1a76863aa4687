//! Recorded runs, as `benches/flips.rs` writes them.

use serde::Deserialize;
use std::time::Duration;

/// A run of a suspect, and the runs right after it on the same CPU. CPU times in microseconds.
#[derive(Deserialize)]
pub struct RecordedRun {
    pub kind: String,
    pub load: String,
    /// The number of a series of runs of one program.
    pub group: usize,
    pub cpu: u64,
    /// The same program on a smaller input.
    pub witness: u64,
    /// Another program of the same kind.
    pub cousin: u64,
    /// The same program on an input that takes a few milliseconds.
    pub short: u64,
    /// The witness of another kind.
    pub other: u64,
    pub spin: u64,
}

/// All runs of a recording, in order.
pub struct Recording(Vec<RecordedRun>);

impl Recording {
    pub fn parse(text: &str) -> Recording {
        Recording(text.lines().map(|line| serde_json::from_str(line).unwrap()).collect())
    }

    /// The loads in the order of the recording.
    pub fn loads(&self) -> Vec<&str> {
        let mut loads: Vec<&str> = vec![];
        for run in &self.0 {
            if !loads.contains(&run.load.as_str()) {
                loads.push(&run.load);
            }
        }
        loads
    }

    /// The series of runs under a load.
    pub fn groups(&self, load: &str) -> Vec<Vec<&RecordedRun>> {
        let runs: Vec<&RecordedRun> = self.0.iter().filter(|run| run.load == load).collect();
        runs.chunk_by(|a, b| (a.group, &a.kind) == (b.group, &b.kind)).map(<[_]>::to_vec).collect()
    }

    /// The shortest of these times of a kind under a load.
    pub fn min(&self, kind: &str, load: &str, time: fn(&RecordedRun) -> u64) -> Duration {
        let runs = self.0.iter().filter(|run| run.kind == kind && run.load == load);
        Duration::from_micros(runs.map(time).min().unwrap())
    }
}

/// The decision of a policy about a case.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Decision {
    Accepted,
    TimeLimit,
    Undecided,
}

/// A program with a limit.
pub(super) struct Case<'a> {
    /// The first run, then those that a policy may request.
    pub(super) runs: Vec<&'a RecordedRun>,
    pub(super) limit: Duration,
    pub(super) witness: fn(&RecordedRun) -> u64,
    pub(super) is_alike: bool,
    /// The witness's least time.
    pub(super) min: Duration,
}
