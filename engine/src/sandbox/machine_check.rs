//! Whether this machine can measure fairly: its settings, and one fixed program measured on the spot.

use super::{
    cpu_load::count_running,
    exec::{Exec, Input, Keep, Limits, SandboxView},
    modes::Sandbox,
    run_result::{Exit, Usage},
    sys::{CountedEvent, count_events},
    yardstick::{CacheUse, Slowdown, YardstickTimes, measure_large_programs, measure_yardstick},
};
use crate::base::Bytes;
use std::{fs, time::Duration};

/// How well a machine does in one respect.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum FindingLevel {
    /// As it should be.
    Pass,
    /// Times may wander.
    Caution,
    /// Times mean little.
    Fail,
}

/// One thing that makes equal programs take unequal times.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MachineFinding {
    /// Its name.
    pub what: &'static str,
    /// How good it is.
    pub grade: FindingLevel,
    /// What was found.
    pub found: String,
    /// What to do about it, if anything.
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

/// Everything that makes equal programs take unequal times.
pub fn check_machine(sandbox: &Sandbox) -> Vec<MachineFinding> {
    vec![
        check_governor(),
        check_turbo(),
        check_hyperthreads(),
        check_swap(),
        check_load(),
        check_slowdown(),
        check_counters(sandbox),
        check_noise(sandbox),
    ]
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
            finding_of("governor", FindingLevel::Pass, "none to be seen (a virtual machine?)", "")
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
            "on: the clock depends on what the other CPUs do",
            "echo 1 > /sys/devices/system/cpu/intel_pstate/no_turbo",
        ),
        (None, Some(1)) => finding_of(
            "turbo",
            FindingLevel::Caution,
            "on: the clock depends on what the other CPUs do",
            "echo 0 > /sys/devices/system/cpu/cpufreq/boost",
        ),
        (None, None) => finding_of("turbo", FindingLevel::Pass, "none to be seen", ""),
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

fn check_load() -> MachineFinding {
    let cpus = std::thread::available_parallelism().map_or(1, |n| n.get()) as f64;
    let load: f64 = read_text("/proc/loadavg").and_then(|t| t.split(' ').next()?.parse().ok()).unwrap_or(0.0);
    let grade = match load / cpus {
        share if share < 0.3 => FindingLevel::Pass,
        share if share < 1.0 => FindingLevel::Caution,
        _ => FindingLevel::Fail,
    };
    finding_of("load", grade, format!("{load:.1} on {cpus} CPUs"), "wait until nothing else runs here")
}

/// The yardstick for a while: by how much moments differ, and who else runs.
fn check_slowdown() -> MachineFinding {
    let moments: Vec<YardstickTimes> = (0..MOMENTS)
        .map(|_| {
            std::thread::sleep(Duration::from_millis(20));
            measure_yardstick().least(&measure_large_programs(CacheUse::Much))
        })
        .collect();
    let best = moments.iter().copied().reduce(|a, b| a.least(&b)).unwrap_or(moments[0]);
    let median_and_worst = |cache| {
        let mut all: Vec<Slowdown> =
            moments.iter().filter_map(|times| times.slowdown_over(&best, cache)).collect();
        all.sort_unstable();
        (all[MOMENTS / 2], all[MOMENTS - 1])
    };
    let (median, worst) = median_and_worst(CacheUse::Nothing);
    let (large_median, large_worst) = median_and_worst(CacheUse::Much);
    let running = count_running().map_or(0, |running| running.saturating_sub(1));
    let grade = match (median, large_median) {
        (Slowdown(..1100), Slowdown(..1250)) => FindingLevel::Pass,
        (Slowdown(..1250), _) => FindingLevel::Caution,
        _ => FindingLevel::Fail,
    };
    let found = format!(
        "the yardstick takes {:.1?}; {MOMENTS} moments: median {median}, worst {worst} the best (programs that use \
         much memory: {large_median}, {large_worst}); {running} other programs run now",
        best.total()
    );
    finding_of(
        "slowdown",
        grade,
        found,
        "wait until nothing else runs here: what is near the limit stays undecided",
    )
}

/// How many moments are compared.
const MOMENTS: usize = 9;

fn check_counters(sandbox: &Sandbox) -> MachineFinding {
    let usage = run_yardstick(sandbox, 1).first().copied().unwrap_or_default();
    let counted = usage.instructions.is_some();
    let found = match (usage.cycles_per_instruction(), counted) {
        (Some(cycles), _) => format!("counted, and cycles: {cycles:.2} for each instruction"),
        (None, true) => "counted, but no cycles".to_owned(),
        (None, false) => match count_events(std::process::id(), CountedEvent::TaskClock, true) {
            Ok(_) => {
                "cannot be counted here (the kernel counts, the processor does not): times are all there is"
            }
            Err(_) => "cannot be counted here (the kernel refuses): times are all there is",
        }
        .to_owned(),
    };
    finding_of(
        "instructions",
        if counted { FindingLevel::Pass } else { FindingLevel::Caution },
        found,
        "sysctl -w kernel.perf_event_paranoid=2, on a machine whose processor counts",
    )
}

/// A fixed program, several times: by how much its CPU times differ.
fn check_noise(sandbox: &Sandbox) -> MachineFinding {
    let mut times: Vec<Duration> = run_yardstick(sandbox, 15).into_iter().map(|usage| usage.cpu).collect();
    times.sort();
    let Some(middle) = times.get(times.len() / 2).filter(|_| times.len() >= 10) else {
        return finding_of("noise", FindingLevel::Fail, why_it_did_not_run(sandbox), "see the mode above");
    };
    // The middle four fifths: one interrupted run is no noise.
    let spread = times[times.len() * 9 / 10] - times[times.len() / 10];
    let share = spread.as_secs_f64() / middle.as_secs_f64();
    let grade = match share {
        s if s < 0.05 => FindingLevel::Pass,
        s if s < 0.15 => FindingLevel::Caution,
        _ => FindingLevel::Fail,
    };
    let found = format!("{:.1} % around {:.1?} of CPU time, 15 runs", share * 100.0, middle);
    finding_of("noise", grade, found, "stop other programs; in a virtual machine, pin its CPUs")
}

/// What a shell that counts to a fixed number used. A shell, because every machine has one.
fn run_yardstick(sandbox: &Sandbox, times: usize) -> Vec<Usage> {
    let (mut slot, exec) = (sandbox.slot(Some(0)), yardstick());
    let runs = (0..times).filter_map(|_| slot.run(&exec).ok());
    runs.filter(|ran| ran.exit == Exit::Code(0)).map(|ran| ran.usage).collect()
}

fn why_it_did_not_run(sandbox: &Sandbox) -> String {
    match sandbox.slot(Some(0)).run(&yardstick()) {
        Err(fault) => format!("the program to measure by did not run: {fault}"),
        Ok(ran) => format!("the program to measure by did not always end well: {:?}", ran.exit),
    }
}

fn yardstick() -> Exec {
    let time = Duration::from_secs(10);
    let size = Bytes::mib(64);
    let script = "i=0; while [ $i -lt 20000 ]; do i=$((i+1)); done";
    Exec {
        argv: ["/bin/sh", "-c", script].map(str::to_owned).into(),
        env: vec![],
        view: SandboxView::default(),
        cwd: "/box".into(),
        files: vec![],
        stdin: Input::Nothing,
        limits: Limits { cpu: time, wall: time, memory: size, output: size, files: size, processes: 1 },
        keep: Keep::Nothing,
        reserves: false,
    }
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
}
