//! Checks whether this machine can measure fairly: its settings, and the spread of equal spins.

use crate::meters::spin::spin;
use std::{fs, time::Duration};

/// The grade of a machine in one respect.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum FindingLevel {
    /// Good.
    Pass,
    /// Times may vary.
    Caution,
    /// Times are unreliable.
    Fail,
}

/// A property that makes equal programs take unequal times.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MachineFinding {
    /// Its name.
    pub what: &'static str,
    /// Its grade.
    pub grade: FindingLevel,
    /// The observation.
    pub found: String,
    /// The remedy, if there is one.
    pub remedy: Option<String>,
}

fn finding_of(
    what: &'static str,
    grade: FindingLevel,
    found: impl Into<String>,
    remedy: &str,
) -> MachineFinding {
    let remedy = Some(remedy.to_owned()).filter(|r| !r.is_empty() && grade != FindingLevel::Pass);
    MachineFinding { what, grade, found: found.into(), remedy }
}

fn read_text(path: &str) -> Option<String> {
    fs::read_to_string(path).ok().map(|text| text.trim().to_owned())
}

fn read_number(path: &str) -> Option<u64> {
    read_text(path)?.parse().ok()
}

/// Checks all properties that make equal programs take unequal times.
pub fn check_machine() -> Vec<MachineFinding> {
    vec![check_governor(), check_turbo(), check_hyperthreads(), check_swap(), check_load(), check_spread()]
}

fn check_governor() -> MachineFinding {
    let all: Vec<String> = (0..1024)
        .map_while(|cpu| read_text(&format!("/sys/devices/system/cpu/cpu{cpu}/cpufreq/scaling_governor")))
        .collect();
    let remedy = "cpupower frequency-set -g performance";
    match all.iter().find(|governor| *governor != "performance") {
        Some(other) => finding_of(
            "governor",
            FindingLevel::Caution,
            format!("{other}: the clock follows the load"),
            remedy,
        ),
        None if all.is_empty() => {
            finding_of("governor", FindingLevel::Pass, "not visible (a virtual machine?)", "")
        }
        None => finding_of("governor", FindingLevel::Pass, "performance", ""),
    }
}

fn check_turbo() -> MachineFinding {
    let off = read_number("/sys/devices/system/cpu/intel_pstate/no_turbo");
    let boost = read_number("/sys/devices/system/cpu/cpufreq/boost");
    match (off, boost) {
        (Some(0), _) => finding_of(
            "turbo",
            FindingLevel::Caution,
            "on: the clock depends on the load of other CPUs",
            "echo 1 > /sys/devices/system/cpu/intel_pstate/no_turbo",
        ),
        (None, Some(1)) => finding_of(
            "turbo",
            FindingLevel::Caution,
            "on: the clock depends on the load of other CPUs",
            "echo 0 > /sys/devices/system/cpu/cpufreq/boost",
        ),
        (None, None) => finding_of("turbo", FindingLevel::Pass, "not visible", ""),
        _ => finding_of("turbo", FindingLevel::Pass, "off", ""),
    }
}

fn check_hyperthreads() -> MachineFinding {
    let active = read_number("/sys/devices/system/cpu/smt/active") == Some(1);
    let found = if active { "on: two programs may share a core" } else { "off" };
    let remedy = "echo off > /sys/devices/system/cpu/smt/control, or judge on one CPU of each core";
    finding_of("hyperthreads", if active { FindingLevel::Caution } else { FindingLevel::Pass }, found, remedy)
}

fn check_swap() -> MachineFinding {
    let devices = read_text("/proc/swaps").map_or(0, |text| text.lines().count().saturating_sub(1));
    let found = if devices > 0 { format!("{devices} on") } else { "none".into() };
    finding_of(
        "swap",
        if devices > 0 { FindingLevel::Caution } else { FindingLevel::Pass },
        found,
        "swapoff -a",
    )
}

/// The load of the last minute and the number of CPUs.
fn load_and_cpus() -> [f64; 2] {
    let load = read_text("/proc/loadavg").and_then(|text| text.split(' ').next()?.parse().ok());
    // Not those that this thread may use: it may be tied to one.
    let cpus = read_text("/proc/cpuinfo").map_or(1, |text| text.matches("\nprocessor").count() + 1);
    [load.unwrap_or(0.0), cpus as f64]
}

/// `load 9.6 on 2 CPUs here`, for a message about a machine that is too busy.
pub fn load_text() -> String {
    let [load, cpus] = load_and_cpus();
    format!("load {load:.1} on {cpus} CPUs here")
}

fn check_load() -> MachineFinding {
    let [load, cpus] = load_and_cpus();
    let grade = match load / cpus {
        share if share < 0.3 => FindingLevel::Pass,
        share if share < 1.0 => FindingLevel::Caution,
        _ => FindingLevel::Fail,
    };
    finding_of("load", grade, format!("{load:.1} on {cpus} CPUs"), "wait until nothing else runs here")
}

/// The number of spins that are compared.
const SPINS: usize = 10;

fn check_spread() -> MachineFinding {
    spread_of(std::array::from_fn(|_| spin()))
}

fn spread_of(mut times: [Duration; SPINS]) -> MachineFinding {
    times.sort();
    let median = times[SPINS / 2];
    // Without the fastest and the slowest: one interrupted spin is not a spread.
    let spread = times[SPINS - 2] - times[1];
    let share = spread.as_secs_f64() / median.as_secs_f64().max(f64::MIN_POSITIVE);
    let grade = match share {
        share if share < 0.05 => FindingLevel::Pass,
        share if share < 0.15 => FindingLevel::Caution,
        _ => FindingLevel::Fail,
    };
    let found = format!(
        "{SPINS} equal runs of arithmetic took {:.1?} to {:.1?} of CPU time, median {median:.1?}; {:.1} % apart \
         without the fastest and the slowest",
        times[0],
        times[SPINS - 1],
        share * 100.0
    );
    finding_of("spread", grade, found, "stop other programs; in a virtual machine, pin its CPUs")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_pass_needs_no_remedy() {
        assert_eq!(finding_of("x", FindingLevel::Pass, "y", "z").remedy, None);
        assert_eq!(finding_of("x", FindingLevel::Fail, "y", "z").remedy, Some("z".into()));
        assert!(FindingLevel::Fail > FindingLevel::Caution);
    }

    #[test]
    fn one_interrupted_spin_is_no_spread() {
        let grade = |millis: [u64; SPINS]| spread_of(millis.map(Duration::from_millis)).grade;
        assert_eq!(grade([10, 100, 100, 101, 101, 101, 102, 102, 104, 900]), FindingLevel::Pass);
        assert_eq!(grade([100, 100, 100, 100, 100, 100, 100, 100, 110, 110]), FindingLevel::Caution);
        assert_eq!(grade([100, 100, 100, 100, 100, 100, 100, 100, 120, 120]), FindingLevel::Fail);
        let finding = spread_of([20; SPINS].map(Duration::from_millis));
        assert_eq!(
            finding.found,
            "10 equal runs of arithmetic took 20.0ms to 20.0ms of CPU time, median 20.0ms; 0.0 % apart without \
             the fastest and the slowest"
        );
    }
}
