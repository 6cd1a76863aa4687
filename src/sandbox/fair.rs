//! Whether this machine can measure fairly: looks and one fixed program, measured on the spot.

use super::{Exec, Exit, Input, Keep, Limits, Sandbox, View};
use crate::base::Bytes;
use std::{fs, time::Duration};

/// How good a finding is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Grade {
    /// As it should be.
    Pass,
    /// Times may wander.
    Caution,
    /// Times mean little.
    Fail,
}

/// One thing looked at.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Finding {
    /// What.
    pub what: &'static str,
    /// How good it is.
    pub grade: Grade,
    /// What was found.
    pub found: String,
    /// What to do about it, if anything.
    pub remedy: Option<String>,
}

fn finding(what: &'static str, grade: Grade, found: impl Into<String>, remedy: &str) -> Finding {
    let remedy = Some(remedy.to_owned()).filter(|r| !r.is_empty() && grade != Grade::Pass);
    Finding { what, grade, found: found.into(), remedy }
}

fn read(path: &str) -> Option<String> {
    fs::read_to_string(path).ok().map(|text| text.trim().to_owned())
}

fn number(path: &str) -> Option<u64> {
    read(path)?.parse().ok()
}

/// Everything that makes equal programs take unequal times.
pub fn look(sandbox: &Sandbox) -> Vec<Finding> {
    vec![governor(), turbo(), siblings(), swap(), load(), counters(sandbox), noise(sandbox)]
}

fn governor() -> Finding {
    let all: Vec<String> = (0..1024)
        .map_while(|cpu| read(&format!("/sys/devices/system/cpu/cpu{cpu}/cpufreq/scaling_governor")))
        .collect();
    let remedy = "cpupower frequency-set -g performance";
    match all.iter().find(|governor| *governor != "performance") {
        Some(other) => {
            finding("governor", Grade::Caution, format!("{other}: the clock follows the load"), remedy)
        }
        None if all.is_empty() => {
            finding("governor", Grade::Pass, "none to be seen (a virtual machine?)", "")
        }
        None => finding("governor", Grade::Pass, "performance", ""),
    }
}

fn turbo() -> Finding {
    let off = number("/sys/devices/system/cpu/intel_pstate/no_turbo");
    let boost = number("/sys/devices/system/cpu/cpufreq/boost");
    match (off, boost) {
        (Some(0), _) => finding(
            "turbo",
            Grade::Caution,
            "on: the clock depends on what the other CPUs do",
            "echo 1 > /sys/devices/system/cpu/intel_pstate/no_turbo",
        ),
        (None, Some(1)) => finding(
            "turbo",
            Grade::Caution,
            "on: the clock depends on what the other CPUs do",
            "echo 0 > /sys/devices/system/cpu/cpufreq/boost",
        ),
        (None, None) => finding("turbo", Grade::Pass, "none to be seen", ""),
        _ => finding("turbo", Grade::Pass, "off", ""),
    }
}

fn siblings() -> Finding {
    let active = number("/sys/devices/system/cpu/smt/active") == Some(1);
    let found = if active { "on: two programs may share a core" } else { "off" };
    let remedy = "echo off > /sys/devices/system/cpu/smt/control, or judge on one CPU of each core";
    finding("hyperthreads", if active { Grade::Caution } else { Grade::Pass }, found, remedy)
}

fn swap() -> Finding {
    let devices = read("/proc/swaps").map_or(0, |text| text.lines().count().saturating_sub(1));
    let found = if devices > 0 { format!("{devices} on") } else { "none".into() };
    finding("swap", if devices > 0 { Grade::Caution } else { Grade::Pass }, found, "swapoff -a")
}

fn load() -> Finding {
    let cpus = std::thread::available_parallelism().map_or(1, |n| n.get()) as f64;
    let load: f64 = read("/proc/loadavg").and_then(|t| t.split(' ').next()?.parse().ok()).unwrap_or(0.0);
    let grade = match load / cpus {
        share if share < 0.3 => Grade::Pass,
        share if share < 1.0 => Grade::Caution,
        _ => Grade::Fail,
    };
    finding("load", grade, format!("{load:.1} on {cpus} CPUs"), "wait until nothing else runs here")
}

fn counters(sandbox: &Sandbox) -> Finding {
    let counted = burn(sandbox, 1).first().is_some_and(|(_, instructions)| *instructions);
    let found = if counted { "counted" } else { "cannot be counted here: times are all there is" };
    finding(
        "instructions",
        if counted { Grade::Pass } else { Grade::Caution },
        found,
        "sysctl -w kernel.perf_event_paranoid=2, on a machine whose processor counts",
    )
}

/// A fixed program, several times: by how much its CPU times differ.
fn noise(sandbox: &Sandbox) -> Finding {
    let mut times: Vec<Duration> = burn(sandbox, 15).into_iter().map(|(time, _)| time).collect();
    times.sort();
    let Some(middle) = times.get(times.len() / 2).filter(|_| times.len() >= 10) else {
        return finding("noise", Grade::Fail, "the program to measure by did not run", "see the mode above");
    };
    // The middle four fifths: one interrupted run is no noise.
    let spread = times[times.len() * 9 / 10] - times[times.len() / 10];
    let share = spread.as_secs_f64() / middle.as_secs_f64();
    let grade = match share {
        s if s < 0.05 => Grade::Pass,
        s if s < 0.15 => Grade::Caution,
        _ => Grade::Fail,
    };
    let found = format!("{:.1} % around {:.1?} of CPU time, 15 runs", share * 100.0, middle);
    finding("noise", grade, found, "stop other programs; in a virtual machine, pin its CPUs")
}

/// CPU times of a shell that counts, and whether instructions were counted.
fn burn(sandbox: &Sandbox, times: usize) -> Vec<(Duration, bool)> {
    let second = Duration::from_secs(10);
    let mib = Bytes::mib(64);
    let script = "i=0; while [ $i -lt 20000 ]; do i=$((i+1)); done";
    let exec = Exec {
        argv: ["/bin/sh", "-c", script].map(str::to_owned).into(),
        env: vec![],
        view: View::default(),
        cwd: "/box".into(),
        files: vec![],
        stdin: Input::Nothing,
        limits: Limits { cpu: second, wall: second, memory: mib, output: mib, files: mib, processes: 1 },
        keep: Keep::Nothing,
    };
    let mut slot = sandbox.slot(Some(0));
    let runs = (0..times).filter_map(|_| slot.run(&exec).ok());
    runs.filter(|ran| ran.exit == Exit::Code(0))
        .map(|ran| (ran.usage.cpu, ran.usage.instructions.is_some()))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_pass_needs_no_remedy() {
        assert_eq!(finding("x", Grade::Pass, "y", "z").remedy, None);
        assert_eq!(finding("x", Grade::Fail, "y", "z").remedy, Some("z".into()));
        assert!(Grade::Fail > Grade::Caution);
    }
}
