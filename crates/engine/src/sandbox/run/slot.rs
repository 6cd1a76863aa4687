//! A place where one program runs at a time: what the rest of the judge uses.

use super::{
    messages::{Isolation, RunReply},
    run_request::{effective_limits, has_untouchable_box, run_request_for, wall_extension, worker_setup_for},
    streams::{EndedOutput, StreamCache},
    worker_handle::WorkerHandle,
    worker_host::WorkerHost,
};
use crate::base::Bytes;
use crate::sandbox::{
    boxes::{box_dir::TakenOut, box_watch::BoxWatch},
    errors::fault_in,
    exec::Exec,
    machine::modes::Sandbox,
    meters::exit_cause::{
        JudgeReadings, classify_exit, filled_by_ended_processes, hidden_by_files, is_abnormal, notes_on,
        ran_out_elsewhere, usage_of,
    },
    run_result::{CountedEvents, Exit, Fault, Limit, RunResult},
};
use std::{
    cell::Cell,
    fs::File,
    os::fd::AsFd,
    time::{Duration, Instant},
};

/// How long after the wall limit a worker may still be silent. Only a worker that hangs needs that long: one that ends
/// hundreds of processes without cgroups, on a machine with 20 others ready to run, took more than 5 s.
const REPLY_GRACE: Duration = Duration::from_secs(60);

/// A place where one program, or a pair, runs at a time.
#[derive(Debug)]
pub struct Slot {
    // Before the sandbox: their cgroups must be gone when it leaves its own.
    pub(crate) hosts: [WorkerHost; 2],
    pub(crate) sandbox: Sandbox,
    pub(crate) cpu: Option<usize>,
    streams: StreamCache,
}

impl Sandbox {
    /// A place to run programs on this CPU (`None`: wherever).
    pub fn slot(&self, cpu: Option<usize>) -> Slot {
        let (hosts, streams) = Default::default();
        Slot { sandbox: self.clone(), cpu, hosts, streams }
    }
}

impl Slot {
    /// Runs a program to its end.
    pub fn run(&mut self, exec: &Exec) -> Result<RunResult, Fault> {
        let setup = worker_setup_for(&self.sandbox, self.cpu, exec)?;
        let result = self.streams.open_input(exec, setup.isolation).and_then(|stdin| {
            self.sandbox.worker(&mut self.hosts[0], setup)?;
            run_on(&mut self.hosts[0], exec, stdin, &mut self.streams)
        });
        if !result.as_ref().is_ok_and(|finished| finished.worker_reusable) {
            self.hosts[0].drop_worker();
            self.streams = StreamCache::default();
        }
        let FinishedRun { ran, .. } = result?;
        Ok(ran)
    }

    /// Keeps the calling thread on this place's CPU: handing a run over and back is then two short
    /// switches, while to wake another CPU takes longer than many a program. It sleeps meanwhile.
    pub fn pin_thread(&self) -> Result<(), Fault> {
        thread_local! {
            static PINNED_TO: Cell<Option<usize>> = const { Cell::new(None) };
        }
        let Some(cpu) = self.cpu else { return Ok(()) };
        // Whoever moved the thread since moved it to another CPU: to ask for that the kernel is not called.
        if PINNED_TO.get() == Some(cpu) && rustix::thread::sched_getcpu() == cpu {
            return Ok(());
        }
        let mut only = rustix::thread::CpuSet::new();
        only.set(cpu);
        let done = rustix::thread::sched_setaffinity(None, &only);
        done.map_err(|e| fault_in(format!("stay on CPU {cpu}"), e))?;
        PINNED_TO.set(Some(cpu));
        Ok(())
    }

    /// Throws the worker away: nothing of what ran before can be seen by what runs next.
    pub fn renew_worker(&mut self) {
        self.hosts.iter_mut().for_each(WorkerHost::drop_worker);
        // Even of an empty file modes and flags could be a note.
        self.streams = StreamCache::default();
    }
}

/// One request to the worker of this host.
fn run_on(
    host: &mut WorkerHost,
    exec: &Exec,
    stdin: File,
    streams: &mut StreamCache,
) -> Result<FinishedRun, Fault> {
    let worker = host.current_worker()?;
    worker.box_dir.fill(&exec.files)?;
    let placed = bytes_in_box(worker, exec)?;
    let before = worker.counted_events();
    let outputs = [streams.take_output(0)?, streams.take_output(1)?];
    let request = run_request_for(exec, &worker.setup);
    let stdio = [stdin.as_fd(), outputs[0].write_end.as_fd(), outputs[1].write_end.as_fd()];
    worker.request(&request, &stdio)?;
    let reply = wait_for_reply(worker, exec, placed)?;
    let counted = worker.counted_events().since(&before);
    // Before the outputs are looked at: until then something may still write to them.
    host.end_run()?;
    streams.check_empty_input()?;
    let [stdout, stderr] = outputs;
    let (stdout, stderr) = (streams.return_output(0, stdout)?, streams.return_output(1, stderr)?);
    let ended = EndedRun { reply, placed, counted, stdout, stderr };
    finish_run(host.current_worker()?, exec, ended)
}

/// Waits for the end of a run, and looks at its box meanwhile where that must be.
fn wait_for_reply(worker: &mut WorkerHandle, exec: &Exec, placed: u64) -> Result<RunReply, Fault> {
    let deadline = reply_deadline(exec);
    if let Some(mut watch) = BoxWatch::start(worker, exec, placed)? {
        while !worker.has_message(watch.pause())? && Instant::now() < deadline {
            watch.look(worker)?;
        }
    }
    worker.wait_for_reply(deadline)
}

/// Bytes in the box before a run.
pub(crate) fn bytes_in_box(worker: &WorkerHandle, exec: &Exec) -> Result<u64, Fault> {
    if has_untouchable_box(exec) {
        return Ok(0);
    }
    Ok(worker.box_dir.usage().map_err(|e| fault_in("look at the box", e))?.bytes)
}

/// Until when a reply must have come.
pub(crate) fn reply_deadline(exec: &Exec) -> Instant {
    let wall = exec.limits.wall.saturating_add(wall_extension(exec));
    Instant::now() + wall.min(Duration::from_secs(1 << 20)) + REPLY_GRACE
}

/// What is known when a program has ended.
pub(crate) struct EndedRun {
    pub(crate) reply: RunReply,
    /// Bytes that lay in the box before.
    pub(crate) placed: u64,
    pub(crate) counted: CountedEvents,
    pub(crate) stdout: EndedOutput,
    pub(crate) stderr: EndedOutput,
}

/// What a caller gets, and whether the worker is as good as before.
pub(crate) struct FinishedRun {
    pub(crate) ran: RunResult,
    pub(crate) worker_reusable: bool,
}

/// What the judge does after a run: measure, decide, take out, empty.
pub(crate) fn finish_run(worker: &WorkerHandle, exec: &Exec, ended: EndedRun) -> Result<FinishedRun, Fault> {
    let EndedRun { reply, placed, counted, stdout, stderr } = ended;
    let (limits, program) = (effective_limits(exec), exec.argv.first().map_or("a program", String::as_str));
    if reply.starved {
        return Err(Fault::disturbed(format!(
            "{program} waited for the CPU that others used, for {:.1} s; run again when the machine is quiet",
            reply.wall.as_secs_f64()
        )));
    }
    if ran_out_elsewhere(&reply, &limits) {
        return Err(Fault::new(format!(
            "the kernel stopped {program} for want of memory though it held only {} of its {}: a container, a \
             service or the whole machine ran out; give kopek more memory, or judge fewer at a time (--jobs)",
            Bytes(reply.peak.saturating_sub(reply.before)),
            exec.limits.memory
        )));
    }
    let mut readings =
        JudgeReadings { stdout: stdout.size, stderr: stderr.size, counted, ..JudgeReadings::default() };
    if !has_untouchable_box(exec) {
        let usage = worker.box_dir.usage().map_err(|e| fault_in("look at the box", e))?;
        readings.files = usage.bytes.saturating_sub(placed);
        readings.box_full = usage.full && exec.view.writable;
    }
    let exit = classify_exit(&reply, &limits, &readings);
    if exit == Exit::Exceeded(Limit::Memory) && filled_by_ended_processes(&reply, &limits) {
        return Err(Fault::disturbed(format!(
            "the kernel was late in taking back what ended processes of {program} had held, at least {}, and \
             stopped it for want of memory; run again when the machine is quiet",
            Bytes(reply.released_late)
        )));
    }
    if matches!(exit, Exit::Code(_) | Exit::Signal(_)) && hidden_by_files(&reply, &limits, &readings) {
        return Err(Fault::new(format!(
            "undecided: {program} held up to {} of its {}, but part of that may be files that had to be read for it; if \
             the machine is short of memory, run again when it has some to spare",
            Bytes(reply.peak.saturating_sub(reply.before)),
            exec.limits.memory
        )));
    }
    // What was placed may be taken out as well; one byte more is the sign of too much.
    let most = worker.setup.box_size.0.saturating_add(1);
    let exit = match (worker.box_dir.take_out(&exec.keep, most)?, exit) {
        (TakenOut::TooMuch, Exit::Code(_) | Exit::Signal(_)) => Exit::Exceeded(Limit::Files),
        _ => exit,
    };
    let box_clean = has_untouchable_box(exec) || worker.box_dir.clear();
    // Without a namespace the worker was killed with its run.
    let worker_lives = worker.setup.isolation == Isolation::Namespaces;
    let ran = RunResult {
        exit,
        usage: usage_of(&reply, &readings),
        unseen: reply.unseen,
        stdout: stdout.captured,
        stderr: stderr.captured,
        notes: notes_on(&reply, &readings),
    };
    let worker_reusable = box_clean && worker_lives && !is_abnormal(&reply, exit);
    Ok(FinishedRun { ran, worker_reusable })
}
