//! A place where one program runs at a time: the interface for the rest of the judge.

use super::{
    finished_run::{EndedRun, FinishedRun, bytes_in_box, finish_run, reply_deadline},
    messages::RunReply,
    pair, person,
    person::{EndedTalk, Person},
    run_request::run_request_for,
    slot_workers::SlotWorkers,
    streams::StreamCache,
    talk::PairOptions,
    worker_handle::WorkerHandle,
    worker_host::WorkerHost,
};
use crate::{
    boxes::{box_fill::fill_box, box_watch::BoxWatch},
    errors::fault_in,
    exec::Exec,
    fault::Fault,
    machine::modes::Sandbox,
    meters::idle_clock::LOOK_INTERVAL,
    run_result::{PairResult, RunResult},
};
use std::{cell::Cell, fs::File, os::fd::AsFd, time::Instant};

/// A place where one program, or a pair, runs at a time.
#[derive(Debug)]
pub struct Slot {
    workers: SlotWorkers,
    streams: StreamCache,
}

impl Sandbox {
    /// A place to run programs on this CPU (`None`: on any).
    pub fn slot(&self, cpu: Option<usize>) -> Slot {
        let (hosts, streams) = Default::default();
        Slot { workers: SlotWorkers { hosts, sandbox: self.clone(), cpu }, streams }
    }
}

impl Slot {
    /// Runs a program to its end.
    pub fn run(&mut self, exec: &Exec) -> Result<RunResult, Fault> {
        self.run_with(exec, None)
    }

    /// The same, but stops the program soon after it is no longer wanted; its result then means nothing.
    pub fn run_while(&mut self, exec: &Exec, is_wanted: &dyn Fn() -> bool) -> Result<RunResult, Fault> {
        self.run_with(exec, Some(is_wanted))
    }

    fn run_with(&mut self, exec: &Exec, is_wanted: Option<&dyn Fn() -> bool>) -> Result<RunResult, Fault> {
        let setup = self.workers.setup_for(exec)?;
        let SlotWorkers { sandbox, hosts: [host, _], .. } = &mut self.workers;
        let result = self.streams.open_input(exec, setup.isolation).and_then(|stdin| {
            sandbox.worker(host, setup)?;
            run_on(host, exec, stdin, &mut self.streams, is_wanted)
        });
        if !result.as_ref().is_ok_and(|finished| finished.worker_reusable) {
            host.drop_worker();
            self.streams = StreamCache::default();
        }
        Ok(result?.ran)
    }

    /// Runs two programs with crossed pipes: the output of each is the other's input. Their `stdin` fields
    /// are ignored.
    pub fn run_pair(
        &mut self,
        first: &Exec,
        second: &Exec,
        options: PairOptions,
    ) -> Result<PairResult, Fault> {
        pair::run_pair(&mut self.workers, [first, second], options)
            .inspect_err(|_| self.workers.drop_workers())
    }

    /// Runs a program with a person at its standard streams. Its `stdin` field is ignored.
    pub fn run_with_person(
        &mut self,
        exec: &Exec,
        person: &mut Person,
    ) -> Result<EndedTalk<RunResult>, Fault> {
        person::run_with_person(&mut self.workers, exec, person).inspect_err(|_| self.workers.drop_workers())
    }

    /// Keeps the calling thread, which sleeps during a run, on this place's CPU. Starting a run and getting
    /// its result then takes two short switches; waking another CPU takes longer than many programs.
    pub fn pin_thread(&self) -> Result<(), Fault> {
        thread_local! {
            static PINNED_TO: Cell<Option<usize>> = const { Cell::new(None) };
        }
        let Some(cpu) = self.workers.cpu else { return Ok(()) };
        // Moving the thread elsewhere would change its CPU, so this check needs no system call.
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

    /// Discards the worker, so that the next run can see nothing of earlier ones.
    pub fn renew_worker(&mut self) {
        self.workers.drop_workers();
        // Even the mode and flags of an empty file could carry a message.
        self.streams = StreamCache::default();
    }
}

/// One request to the worker of this host.
fn run_on(
    host: &mut WorkerHost,
    exec: &Exec,
    stdin: File,
    streams: &mut StreamCache,
    is_wanted: Option<&dyn Fn() -> bool>,
) -> Result<FinishedRun, Fault> {
    let worker = host.current_worker()?;
    fill_box(&worker.box_dir, &exec.files)?;
    let placed = bytes_in_box(worker, exec)?;
    let outputs = [streams.take_output(0)?, streams.take_output(1)?];
    let request = run_request_for(exec, &worker.setup);
    let stdio = [stdin.as_fd(), outputs[0].write_end.as_fd(), outputs[1].write_end.as_fd()];
    worker.request(&request, &stdio)?;
    let watch = BoxWatch::start(worker, exec, placed)?;
    let reply = wait_for_reply(worker, reply_deadline(exec), watch, is_wanted)?;
    // Before the outputs are read: until then a process may still write to them.
    host.end_run()?;
    streams.check_empty_input()?;
    let [stdout, stderr] = outputs;
    let stdout = streams.return_output(0, stdout)?;
    let stderr = streams.return_output(1, stderr)?;
    let ended = EndedRun { reply, placed, stdout, stderr };
    finish_run(host.current_worker()?, exec, ended)
}

/// Waits for the end of a run. In the meantime, checks its box and whether it is still wanted, if necessary.
fn wait_for_reply(
    worker: &mut WorkerHandle,
    deadline: Instant,
    mut watch: Option<BoxWatch>,
    is_wanted: Option<&dyn Fn() -> bool>,
) -> Result<RunReply, Fault> {
    while watch.is_some() || is_wanted.is_some() {
        let pause = watch.as_ref().map_or(LOOK_INTERVAL, BoxWatch::pause);
        if worker.has_message(pause)? || Instant::now() >= deadline {
            break;
        }
        if let Some(watch) = &mut watch {
            watch.look(worker)?;
        }
        if is_wanted.is_some_and(|is_wanted| !is_wanted()) {
            worker.stop_run();
            break;
        }
    }
    worker.wait_for_reply(deadline)
}
