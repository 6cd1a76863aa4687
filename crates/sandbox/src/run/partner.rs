//! One of two programs that talk with each other, or a program that talks with a person.

use super::{
    finished_run::{EndedRun, bytes_in_box, reply_deadline},
    messages::RunReply,
    pair_events::{Awaited, AwaitedSide, SideEvents},
    run_request::run_request_for,
    streams::{EndedOutput, memory_file, reopen_for_writing},
    worker_handle::WorkerHandle,
};
use crate::{
    boxes::{box_fill::fill_box, box_watch::BoxWatch},
    captured_output::CapturedOutput,
    errors::fault_in,
    exec::Exec,
    fault::Fault,
    run_result::PairMember,
};
use std::{
    fs::File,
    os::fd::{AsFd, OwnedFd},
    time::Instant,
};

/// Standard input and output of a program, from its side.
pub(crate) struct ProgramEnds {
    pub(crate) stdin: OwnedFd,
    pub(crate) stdout: OwnedFd,
}

/// A program that has started, with its state.
pub(crate) struct Partner<'a> {
    pub(crate) who: PairMember,
    pub(crate) exec: &'a Exec,
    pub(crate) worker: &'a mut WorkerHandle,
    pub(crate) pidfd: OwnedFd,
    pub(crate) is_dead: bool,
    pub(crate) reply: Option<RunReply>,
    pub(crate) watch: Option<BoxWatch>,
    stderr: File,
    placed: u64,
}

impl Partner<'_> {
    /// Starts it with these ends of pipes, which are closed here.
    pub(crate) fn start<'a>(
        who: PairMember,
        exec: &'a Exec,
        worker: &'a mut WorkerHandle,
        ends: ProgramEnds,
    ) -> Result<Partner<'a>, Fault> {
        fill_box(&worker.box_dir, &exec.files)?;
        let placed = bytes_in_box(worker, exec)?;
        let stderr = memory_file("output")?;
        let stderr_end = reopen_for_writing(&stderr)?;
        let watch = BoxWatch::start(worker, exec, placed)?;
        let mut request = run_request_for(exec, &worker.setup);
        request.wants_pidfd = true;
        worker.request(&request, &[ends.stdin.as_fd(), ends.stdout.as_fd(), stderr_end.as_fd()])?;
        let pidfd = worker.wait_for_start(reply_deadline(exec))?;
        Ok(Partner { who, exec, worker, pidfd, is_dead: false, reply: None, watch, stderr, placed })
    }

    /// Its awaited events, with these of its pipes.
    pub(crate) fn awaited<'a>(&'a self, output: Awaited<'a>, room: Awaited<'a>) -> AwaitedSide<'a> {
        AwaitedSide {
            reply: Awaited { fd: Some(self.worker.as_fd()), matters: self.reply.is_none() },
            death: Awaited { fd: Some(self.pidfd.as_fd()), matters: !self.is_dead },
            output,
            room,
        }
    }

    /// Checks its box, and receives its reply if there is one.
    pub(crate) fn attend(&mut self, events: SideEvents, deadline: Instant) -> Result<(), Fault> {
        if self.reply.is_some() {
            return Ok(());
        }
        self.watch.as_mut().map_or(Ok(()), |watch| watch.look(self.worker))?;
        if events.has_reply {
            self.reply = Some(self.worker.wait_for_reply(deadline)?);
        }
        Ok(())
    }

    /// The result after its end; `said` is the number of bytes that it wrote to the other.
    pub(crate) fn ended_run(&self, said: u64) -> Result<EndedRun, Fault> {
        let reply = self.reply.ok_or_else(|| Fault::new("a conversation ended without a reply"))?;
        let stderr =
            CapturedOutput::new(self.stderr.try_clone().map_err(|e| fault_in("keep standard error", e))?);
        let stderr_size = stderr.size().map_err(|e| fault_in("measure standard error", e))?;
        Ok(EndedRun {
            reply,
            placed: self.placed,
            // Its output went to the other; only its size is known.
            stdout: EndedOutput { captured: CapturedOutput::new(memory_file("output")?), size: said },
            stderr: EndedOutput { captured: stderr, size: stderr_size.0 },
        })
    }
}
