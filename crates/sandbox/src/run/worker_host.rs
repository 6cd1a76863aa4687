//! The judge's side of one supervisor: starts it, has it start workers, and ends both. Every failure is a
//! fault, and the next run gets new ones.

use super::{
    messages::{END_RUN, Isolation, ProcOrigin, SUPERVISOR_NAME, WorkerSetup, tag},
    wire::{self, MAX_MESSAGE},
    worker_handle::{SILENT, VANISHED, WorkerHandle, bound_receiving, receive_until},
};
use crate::{
    boxes::{
        box_dir::{BoxDir, BoxFileSystem},
        built_programs::answer_mode_changes,
        host_boxes::host_box_name,
    },
    errors::fault_in,
    fault::Fault,
    machine::program_ids::ids_for,
    meters::cgroup_meters::PeakSupport,
};
use rustix::net::{AddressFamily, SocketFlags, SocketType, socketpair};
use std::{
    fs::File,
    io,
    os::{
        fd::{AsFd, AsRawFd, OwnedFd},
        unix::process::CommandExt,
    },
    process::{Child, Command, Stdio},
    time::{Duration, Instant},
};

/// How long a worker may take to start.
const START_TIMEOUT: Duration = Duration::from_secs(20);

/// A supervisor and at most one worker; both are started on demand.
#[derive(Debug, Default)]
pub(crate) struct WorkerHost {
    // The worker's socket closes before the wait for the supervisor.
    worker: Option<WorkerHandle>,
    supervisor: Option<SupervisorProcess>,
    /// The number of workers started here.
    started: u64,
}

#[derive(Debug)]
struct SupervisorProcess {
    child: Child,
    /// `None` while it is ending.
    control: Option<OwnedFd>,
}

fn new_socket_pair() -> io::Result<(OwnedFd, OwnedFd)> {
    Ok(socketpair(AddressFamily::UNIX, SocketType::SEQPACKET, SocketFlags::CLOEXEC, None)?)
}

impl SupervisorProcess {
    /// Executes our own program again: the new process is small, however large we are.
    #[expect(clippy::disallowed_methods, reason = "the one process that starts all others")]
    fn start(exe: &File) -> Result<SupervisorProcess, Fault> {
        let act = "start a sandbox supervisor";
        let (ours, theirs) = new_socket_pair().map_err(|e| fault_in(act, e))?;
        // By descriptor: the file at its path cannot be replaced, and we need no access to the path.
        let child = Command::new(format!("/proc/self/fd/{}", exe.as_raw_fd()))
            .arg0(SUPERVISOR_NAME)
            .env_clear()
            .current_dir("/")
            .stdin(theirs)
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .map_err(|e| fault_in(act, e))?;
        Ok(SupervisorProcess { child, control: Some(ours) })
    }

    fn control(&self) -> Result<&OwnedFd, Fault> {
        self.control.as_ref().ok_or_else(|| Fault::new("the sandbox supervisor has ended"))
    }
}

impl Drop for SupervisorProcess {
    /// Closing the socket ends it; it cleans up by itself.
    fn drop(&mut self) {
        self.control = None;
        let _ = self.child.wait();
    }
}

/// Whether a worker can run a program that needs this setup.
fn is_suitable(worker: &WorkerHandle, needed: &WorkerSetup) -> bool {
    let has = &worker.setup;
    // Ids and the box on the host belong to the worker; a larger box is suitable.
    let comparable = WorkerSetup {
        box_size: has.box_size,
        ids: has.ids,
        host_box: has.host_box.clone(),
        ..needed.clone()
    };
    // But not a box of any size, because it is memory that the program may fill.
    let largest = needed.box_size.0.saturating_mul(4).max(1 << 20);
    comparable == *has && has.box_size >= needed.box_size && has.box_size.0 <= largest
}

impl WorkerHost {
    /// A worker for this setup: the existing one, or a new one.
    pub(crate) fn worker_for(&mut self, exe: &File, setup: WorkerSetup) -> Result<&mut WorkerHandle, Fault> {
        if !self.worker.as_ref().is_some_and(|worker| is_suitable(worker, &setup)) {
            self.worker = None;
            let had_supervisor = self.supervisor.is_some();
            let mut started = self.start_worker(exe, &setup);
            if started.is_err() && had_supervisor {
                // The supervisor may have died since its last worker.
                self.supervisor = None;
                started = self.start_worker(exe, &setup);
            }
            // A supervisor that failed once is not used again.
            let worker = started.inspect_err(|_| self.supervisor = None)?;
            self.worker = Some(worker);
        }
        self.current_worker()
    }

    fn start_worker(&mut self, exe: &File, needed: &WorkerSetup) -> Result<WorkerHandle, Fault> {
        let act = "start a sandbox worker";
        let supervisor = match self.supervisor.take() {
            Some(supervisor) => self.supervisor.insert(supervisor),
            None => self.supervisor.insert(SupervisorProcess::start(exe)?),
        };
        self.started += 1;
        let mut setup = needed.clone();
        if setup.ids.is_some() {
            setup.ids = ids_for(supervisor.child.id());
        }
        if setup.isolation == Isolation::Landlock {
            let name = host_box_name(supervisor.child.id(), self.started);
            setup.host_box.push(name.map_err(|e| fault_in(act, e))?);
        }
        let (socket, theirs) = new_socket_pair().map_err(|e| fault_in(act, e))?;
        bound_receiving(&socket).map_err(|e| fault_in(act, e))?;
        let control = supervisor.control()?;
        let message = wire::encode(&setup).map_err(|e| fault_in(act, e))?;
        wire::send_message(control, &message, &[theirs.as_fd()]).map_err(|e| fault_in(act, e))?;
        // Our copy would keep the socket open when the worker dies.
        drop(theirs);
        let mut buffer = vec![0; MAX_MESSAGE];
        let end = Instant::now() + START_TIMEOUT;
        let ready = receive_until(&socket, &mut buffer, end)
            // The supervisor knows why it died.
            .map_err(|e| last_fault_of(control, &mut buffer).unwrap_or(e))?;
        let mut peaks = [0; 2];
        receive_until(control, &mut peaks, end)?;
        let mut fds = ready.fds.into_iter();
        let (tag::READY, Some(root)) = (ready.tag, fds.next()) else {
            return Err(Fault::new(format!("{act}: it sent no box")));
        };
        let proc = match buffer[1..ready.length] {
            [1] => ProcOrigin::Own,
            [0] => ProcOrigin::Host,
            _ => return Err(Fault::new(format!("{act}: it did not say what it can see"))),
        };
        let file_system = match setup.isolation {
            Isolation::Namespaces => BoxFileSystem::Own,
            Isolation::Landlock => BoxFileSystem::Shared,
        };
        let box_dir = BoxDir::new(root, setup.ids.map(|first| first + 1), file_system)?;
        if let Some(listener) = fds.next() {
            answer_mode_changes(listener, &box_dir).map_err(|e| fault_in(act, e))?;
        }
        Ok(WorkerHandle { box_dir, setup, peaks: PeakSupport::from_byte(peaks[1]), proc, socket, buffer })
    }

    /// Ends everything that belongs to the run that has just ended, if the worker cannot: without a process
    /// namespace only the supervisor is outside their group.
    pub(crate) fn end_run(&mut self) -> Result<(), Fault> {
        let (Some(worker), Some(supervisor)) = (&mut self.worker, &self.supervisor) else { return Ok(()) };
        if worker.setup.isolation == Isolation::Namespaces {
            return Ok(());
        }
        let control = supervisor.control()?;
        wire::send_message(control, END_RUN, &[]).map_err(|e| fault_in("end a run", e))?;
        let answer = receive_until(control, &mut worker.buffer, Instant::now() + START_TIMEOUT)?;
        match answer.tag {
            tag::ENDED => Ok(()),
            _ => Err(Fault::new("the sandbox supervisor sent an unexpected message")),
        }
    }

    pub(crate) fn current_worker(&mut self) -> Result<&mut WorkerHandle, Fault> {
        self.worker.as_mut().ok_or_else(|| Fault::new("no worker"))
    }

    /// Ends the worker; the next run gets a new one.
    pub(crate) fn drop_worker(&mut self) {
        self.worker = None;
    }
}

/// The last fault that a supervisor reports before it is silent or gone.
fn last_fault_of(control: &OwnedFd, buffer: &mut [u8]) -> Option<Fault> {
    let soon = Instant::now() + Duration::from_millis(200);
    let mut fault = None;
    loop {
        match receive_until(control, buffer, soon) {
            Err(e) if e.what == VANISHED || e.what == SILENT => return fault,
            Err(e) => fault = Some(e),
            Ok(_) => {}
        }
    }
}
