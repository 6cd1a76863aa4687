//! Finishes a run on the judge's side: measures, decides, copies files out, and empties the box.

use super::{
    messages::{Isolation, RunReply},
    run_request::{effective_limits, has_untouchable_box, wall_extension},
    streams::EndedOutput,
    worker_handle::WorkerHandle,
};
use crate::{
    boxes::box_dir::TakenOut,
    errors::fault_in,
    exec::Exec,
    fault::{Fault, FaultSource},
    meters::exit_cause::{
        JudgeReadings, classify_exit, filled_by_ended_processes, hidden_by_files, is_abnormal, notes_on,
        ran_out_elsewhere, usage_of,
    },
    run_result::{Exit, Limit, RunResult},
};
use kopek_base::Bytes;
use std::time::{Duration, Instant};

/// How long after the wall limit a worker may be silent. Only a worker that hangs needs that long: one that
/// ended hundreds of processes without cgroups, on a machine with 20 others ready to run, took more than 5 s.
const REPLY_GRACE: Duration = Duration::from_secs(60);

/// Bytes in the box before a run.
pub(crate) fn bytes_in_box(worker: &WorkerHandle, exec: &Exec) -> Result<u64, Fault> {
    if has_untouchable_box(exec) {
        return Ok(0);
    }
    Ok(worker.box_dir.usage().map_err(|e| fault_in("look at the box", e))?.bytes)
}

/// The time by which a reply must have come.
pub(crate) fn reply_deadline(exec: &Exec) -> Instant {
    let wall = exec.limits.wall.saturating_add(wall_extension(exec));
    Instant::now() + wall.min(Duration::from_secs(1 << 20)) + REPLY_GRACE
}

/// The state when a program has ended.
pub(crate) struct EndedRun {
    pub(crate) reply: RunReply,
    /// Bytes that were in the box before.
    pub(crate) placed: u64,
    pub(crate) stdout: EndedOutput,
    pub(crate) stderr: EndedOutput,
}

/// The result for the caller, and whether the worker is as good as before.
pub(crate) struct FinishedRun {
    pub(crate) ran: RunResult,
    pub(crate) worker_reusable: bool,
}

/// What the judge reads from the box.
fn read_box(worker: &WorkerHandle, exec: &Exec, placed: u64) -> Result<JudgeReadings, Fault> {
    let mut readings = JudgeReadings::default();
    if !has_untouchable_box(exec) {
        let usage = worker.box_dir.usage().map_err(|e| fault_in("look at the box", e))?;
        readings.files = usage.bytes.saturating_sub(placed);
        readings.box_full = usage.full && exec.view.writable;
    }
    Ok(readings)
}

/// Measures and decides after a run, copies files out, and empties the box.
pub(crate) fn finish_run(worker: &WorkerHandle, exec: &Exec, ended: EndedRun) -> Result<FinishedRun, Fault> {
    let EndedRun { reply, placed, stdout, stderr } = ended;
    let limits = effective_limits(exec);
    let program = exec.argv.first().map_or("a program", String::as_str);
    if reply.starved && reply.cpu <= exec.enough_cpu {
        return Err(Fault::undecided(format!(
            "{program} waited {:.1} s for the CPU, which other programs used; run again on an idle machine",
            reply.wall.as_secs_f64()
        )));
    }
    if ran_out_elsewhere(&reply, &limits) {
        return Err(Fault::new(format!(
            "the kernel stopped {program} for lack of memory although it used only {} of its {}: a container, a \
             service or the machine ran out; give kopek more memory, or run fewer jobs in parallel (--jobs)",
            Bytes(reply.peak.saturating_sub(reply.before)),
            exec.limits.memory
        )));
    }
    let box_readings = read_box(worker, exec, placed)?;
    let readings = JudgeReadings { stdout: stdout.size, stderr: stderr.size, ..box_readings };
    let exit = classify_exit(&reply, &limits, &readings);
    if exit == Exit::Exceeded(Limit::Memory) && filled_by_ended_processes(&reply, &limits) {
        return Err(Fault::undecided(format!(
            "the kernel reclaimed memory of ended processes of {program} too late, at least {}, and stopped it \
             for lack of memory; run again on an idle machine",
            Bytes(reply.released_late)
        )));
    }
    if matches!(exit, Exit::Code(_) | Exit::Signal(_)) && hidden_by_files(&reply, &limits, &readings) {
        let what = format!(
            "{program} used up to {} of its {}, but part of that may be files that were read for it; if \
             the machine is short of memory, free some and run again",
            Bytes(reply.peak.saturating_sub(reply.before)),
            exec.limits.memory
        );
        return Err(Fault { what, source: FaultSource::UnclearMemory });
    }
    // Placed files may be copied out as well; one byte more shows that it is too much.
    let max = worker.setup.box_size.0.saturating_add(1);
    let exit = match (worker.box_dir.take_out(&exec.keep, max)?, exit) {
        (TakenOut::TooMuch, Exit::Code(_) | Exit::Signal(_)) => Exit::Exceeded(Limit::Files),
        _ => exit,
    };
    let box_clean = has_untouchable_box(exec) || worker.box_dir.clear();
    // Without a namespace, the worker was killed with its run.
    let worker_lives = worker.setup.isolation == Isolation::Namespaces;
    let ran = RunResult {
        exit,
        usage: usage_of(&reply),
        unseen: reply.unseen,
        stdout: stdout.captured,
        stderr: stderr.captured,
        notes: notes_on(&reply, &readings),
    };
    let worker_reusable = box_clean && worker_lives && !is_abnormal(&reply, exit);
    Ok(FinishedRun { ran, worker_reusable })
}
