//! The judge's end of a worker: requests and replies, each with a deadline.

use super::{
    messages::{ProcOrigin, RunReply, RunRequest, STOP_RUN, WorkerSetup, tag},
    wire,
};
use crate::{boxes::box_dir::BoxDir, errors::fault_in, fault::Fault, meters::cgroup_meters::PeakSupport};
use rustix::{
    event::{PollFd, PollFlags, poll},
    net::sockopt::{Timeout, set_socket_timeout},
    time::Timespec,
};
use std::{
    io,
    os::fd::{AsFd, BorrowedFd, OwnedFd},
    time::{Duration, Instant},
};

pub(crate) const VANISHED: &str = "the sandbox worker vanished";
pub(crate) const SILENT: &str = "the sandbox worker does not answer";

/// How long a worker's socket waits for a message before it reports a timeout.
const RECEIVE_TIMEOUT: Duration = Duration::from_secs(1);

/// Makes receiving from a worker's socket time out now and then.
pub(crate) fn bound_receiving(socket: &OwnedFd) -> io::Result<()> {
    Ok(set_socket_timeout(socket, Timeout::Recv, Some(RECEIVE_TIMEOUT))?)
}

/// A worker that is ready.
#[derive(Debug)]
pub(crate) struct WorkerHandle {
    pub(crate) setup: WorkerSetup,
    /// The process that started it.
    pub(crate) box_dir: BoxDir,
    /// The runs for which its cgroup reports the peak.
    pub(crate) peaks: PeakSupport,
    pub(crate) proc: ProcOrigin,
    pub(crate) socket: OwnedFd,
    pub(crate) buffer: Vec<u8>,
}

impl WorkerHandle {
    /// Requests a run with these three streams.
    pub(crate) fn request(&self, request: &RunRequest, stdio: &[BorrowedFd; 3]) -> Result<(), Fault> {
        wire::encode(request)
            .and_then(|message| wire::send_message(&self.socket, &message, stdio))
            .map_err(|e| fault_in("request a run", e))
    }

    /// Waits for the program's own descriptor, if it was requested.
    pub(crate) fn wait_for_start(&mut self, end: Instant) -> Result<OwnedFd, Fault> {
        match receive_until(&self.socket, &mut self.buffer, end)? {
            TaggedMessage { tag: tag::STARTED, mut fds, .. } if !fds.is_empty() => Ok(fds.remove(0)),
            _ => Err(Fault::new("the sandbox worker did not show what it started")),
        }
    }

    /// Whether a message has come, or comes within this time.
    pub(crate) fn has_message(&self, within: Duration) -> Result<bool, Fault> {
        match poll(&mut [PollFd::new(&self.socket, PollFlags::IN)], Some(&timespec_of(within))) {
            Ok(n) => Ok(n > 0),
            Err(rustix::io::Errno::INTR) => Ok(false),
            Err(e) => Err(fault_in("wait for the sandbox worker", e)),
        }
    }

    pub(crate) fn wait_for_reply(&mut self, end: Instant) -> Result<RunReply, Fault> {
        match self.receive_reply(end)? {
            TaggedMessage { tag: tag::REPLY, length, .. } => {
                wire::decode(&self.buffer[1..length]).map_err(|e| fault_in("read a reply", e))
            }
            _ => Err(Fault::new("the sandbox worker sent an unexpected message")),
        }
    }

    /// Waits and receives in one call: the socket itself times out every [`RECEIVE_TIMEOUT`].
    fn receive_reply(&mut self, end: Instant) -> Result<TaggedMessage, Fault> {
        loop {
            match wire::receive_message(&self.socket, &mut self.buffer) {
                Err(e) if e.kind() == io::ErrorKind::WouldBlock => {
                    if Instant::now() >= end {
                        return Err(Fault::new(SILENT));
                    }
                }
                received => return read_tag(received, &self.buffer),
            }
        }
    }

    pub(crate) fn stop_run(&self) {
        // If the worker is gone, the run is over as well.
        let _ = wire::send_message(&self.socket, STOP_RUN, &[]);
    }
}

/// A message from a supervisor or worker; its bytes are in the buffer.
pub(crate) struct TaggedMessage {
    pub(crate) tag: u8,
    pub(crate) length: usize,
    pub(crate) fds: Vec<OwnedFd>,
}

/// Waits for one message. A worker's fault message becomes a fault.
pub(crate) fn receive_until(
    socket: &OwnedFd,
    buffer: &mut [u8],
    end: Instant,
) -> Result<TaggedMessage, Fault> {
    wait_until_readable(socket, end)?;
    let received = wire::receive_message(socket, buffer);
    read_tag(received, buffer)
}

fn read_tag(received: io::Result<(usize, Vec<OwnedFd>)>, buffer: &[u8]) -> Result<TaggedMessage, Fault> {
    let (length, fds) = received.map_err(|e| fault_in("receive from the sandbox worker", e))?;
    match buffer[..length].first() {
        None => Err(Fault::new(VANISHED)),
        Some(&tag::FAULT) => Err(Fault::new(String::from_utf8_lossy(&buffer[1..length]))),
        Some(tag) => Ok(TaggedMessage { tag: *tag, length, fds }),
    }
}

pub(crate) fn timespec_of(d: Duration) -> Timespec {
    Timespec { tv_sec: d.as_secs() as i64, tv_nsec: d.subsec_nanos().into() }
}

fn wait_until_readable(socket: &OwnedFd, end: Instant) -> Result<(), Fault> {
    loop {
        let left = end.saturating_duration_since(Instant::now());
        match poll(&mut [PollFd::new(socket, PollFlags::IN)], Some(&timespec_of(left))) {
            Ok(0) => return Err(Fault::new(SILENT)),
            Ok(_) => return Ok(()),
            Err(rustix::io::Errno::INTR) => {}
            Err(e) => return Err(fault_in("wait for the sandbox worker", e)),
        }
    }
}

impl AsFd for WorkerHandle {
    /// Readable when a reply has come.
    fn as_fd(&self) -> BorrowedFd<'_> {
        self.socket.as_fd()
    }
}
