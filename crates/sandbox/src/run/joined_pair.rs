//! Runs two programs at the ends of the same pipes: their messages go directly from one to the other, at the
//! same cost as without a judge.
//!
//! We hold ends of both pipes, so that an end is still noted before the other can see it: a pipe has no end
//! of file while we can write to it, and a program that writes to a dead one is not killed while we can read
//! from it. If the first closes its output and lives on, we notice that slightly late, by checking its open
//! files or because both rest: then we release that pipe, and the second sees the end. Messages to a program
//! that closed its input and lives on are discarded as soon as the other waits for it.
//!
//! The length of the messages is known only together with all other output.

use super::{
    carried_pair::{CHUNK, is_ready},
    pair_events::{Awaited, AwaitedSide, PairEvents},
    partner::{Partner, ProgramEnds},
    talk::{PairOptions, Talk, TalkedPair},
    worker_handle::WorkerHandle,
};
use crate::{errors::fault_in, exec::Exec, fault::Fault, meters::procfs, run_result::PairMember};
use rustix::{
    fs::fstat,
    io::{ioctl_fionbio, ioctl_fionread},
    pipe::{PipeFlags, fcntl_getpipe_size, pipe_with},
};
use std::{
    fs::File,
    io::Read,
    os::fd::{AsFd, OwnedFd},
};

/// Our ends of the pipe from one program (the speaker) to the other (the listener).
struct HeldPipe {
    /// Closed when the listener may see the speaker's end.
    write_end: Option<OwnedFd>,
    /// Read from when the listener is dead, or closed its end.
    read_end: Option<File>,
    /// Whether the listener lives and has closed its end.
    is_deaf: bool,
    /// Bytes drained after the listener closed its end.
    discarded: u64,
}

/// Lets them talk until both have ended.
pub(crate) fn hold(
    programs: [(&Exec, &mut WorkerHandle); 2],
    options: PairOptions,
) -> Result<TalkedPair, Fault> {
    let [first_may_say, second_may_say] =
        [options.first_may_say.unwrap_or(programs[0].0.limits.output), programs[1].0.limits.output];
    let ([mut of_first, mut of_second], [first_ends, second_ends]) = new_pipes()?;
    let [(first_exec, first_worker), (second_exec, second_worker)] = programs;
    let mut first = Partner::start(PairMember::First, first_exec, first_worker, first_ends)?;
    let mut second = Partner::start(PairMember::Second, second_exec, second_worker, second_ends)?;
    let mut talk = Talk::start(options, [&first, &second]);
    let mut events = PairEvents::new().map_err(|e| fault_in("watch a conversation", e))?;
    let mut chunk = vec![0; CHUNK];
    // Without that, a program does not notice that the other has closed a stream.
    let is_certain = of_second.can_be_watched(&first) && of_first.can_be_watched(&second);
    if !is_certain {
        [&first, &second].iter().for_each(|partner| partner.worker.stop_run());
    }
    while first.reply.is_none() || second.reply.is_none() {
        let awaited = [awaited_of(&first, &of_first, &second), awaited_of(&second, &of_second, &first)];
        let (happened, mut ends) = talk.wait(&mut events, [&first, &second], awaited)?;
        // If we released that end, the second may have seen the first's end before us, and ended because of
        // it.
        let may_have_heard = of_first.write_end.is_none() && ends.are_dead[1];
        if may_have_heard && (ends.are_dead[0] || procfs::is_exiting(&first.pidfd)) {
            ends.earlier = Some(PairMember::First);
        }
        talk.note_ends(ends, [&mut first, &mut second]);
        of_first.follow(&first, &second, &mut chunk)?;
        of_second.follow(&second, &first, &mut chunk)?;
        // A flood waits for us: on a busy machine, a limit of CPU time is reached late or never.
        if of_second.discarded > second_may_say.0 {
            talk.stop_second(&second);
        }
        let looked = talk.attend([&mut first, &mut second], happened, 0)?;
        if looked && !first.is_dead && !second.is_dead {
            if talk.rest.is_resting {
                of_first.look_for_ear(&second)?;
                of_second.look_for_ear(&first)?;
            }
            if talk.rest.is_resting || of_first.is_held_by(&first)? == Some(false) {
                of_first.write_end = None;
            }
        }
    }
    let most_written = |partner: &Partner| partner.reply.and_then(|reply| reply.written).unwrap_or(u64::MAX);
    let too_much = most_written(&first) > first_may_say.0 || most_written(&second) > second_may_say.0;
    let said = |partner: &Partner| most_written(partner).min(partner.exec.limits.output.0);
    let mut talked = talk.end([first.ended_run(said(&first))?, second.ended_run(said(&second))?]);
    for run in &mut talked.runs {
        run.stdout.size = run.stdout.size.saturating_sub(run.stderr.size);
    }
    if of_second.discarded > second_may_say.0 {
        talked.runs[1].stdout.size = of_second.discarded;
    }
    Ok(TalkedPair { is_certain, may_exceed: too_much, ..talked })
}

/// The output pipes of the first and the second, and the programs' own ends.
fn new_pipes() -> Result<([HeldPipe; 2], [ProgramEnds; 2]), Fault> {
    let new_pipe = || pipe_with(PipeFlags::CLOEXEC).map_err(|e| fault_in("make a pipe", e));
    let copy = |end: &OwnedFd| end.try_clone().map_err(|e| fault_in("hold a pipe", e));
    let ((second_stdin, first_stdout), (first_stdin, second_stdout)) = (new_pipe()?, new_pipe()?);
    let held = |read_end: &OwnedFd, write_end: &OwnedFd| -> Result<HeldPipe, Fault> {
        Ok(HeldPipe {
            write_end: Some(copy(write_end)?),
            read_end: Some(File::from(copy(read_end)?)),
            is_deaf: false,
            discarded: 0,
        })
    };
    let pipes = [held(&second_stdin, &first_stdout)?, held(&first_stdin, &second_stdout)?];
    let first = ProgramEnds { stdin: first_stdin, stdout: first_stdout };
    Ok((pipes, [first, ProgramEnds { stdin: second_stdin, stdout: second_stdout }]))
}

fn awaited_of<'a>(partner: &'a Partner, spoken: &'a HeldPipe, listener: &Partner) -> AwaitedSide<'a> {
    let nobody_reads = listener.is_dead || spoken.is_deaf;
    let unread = Awaited { fd: spoken.read_end.as_ref().map(AsFd::as_fd), matters: nobody_reads };
    partner.awaited(unread, Awaited::default())
}

impl HeldPipe {
    /// Lets the listener see that the speaker is dead, and discards bytes that will not be read.
    fn follow(&mut self, speaker: &Partner, listener: &Partner, chunk: &mut [u8]) -> Result<(), Fault> {
        if speaker.is_dead {
            self.write_end = None;
        }
        if (listener.is_dead || self.is_deaf)
            && let Some(read_end) = &mut self.read_end
        {
            // If the listener had this very end, it would have read without waiting, too.
            ioctl_fionbio(&*read_end, true).map_err(|e| fault_in("prepare a pipe", e))?;
            match read_end.read(chunk) {
                Ok(0) => self.read_end = None,
                Ok(n) => self.discarded += n as u64,
                Err(e) if e.kind() == std::io::ErrorKind::WouldBlock => {}
                Err(_) => self.read_end = None,
            }
        }
        Ok(())
    }

    /// Whether the open files of this program are visible, which include at least this pipe. A dead program
    /// has none.
    fn can_be_watched(&self, partner: &Partner) -> bool {
        let is_seen = || self.is_held_by(partner).is_ok_and(|held| held == Some(true));
        procfs::can_watch_tree(&partner.pidfd) && is_seen() || is_ready(&partner.pidfd)
    }

    /// Whether one of the two has its end open; `None` if that is not visible.
    fn is_held_by(&self, partner: &Partner) -> Result<Option<bool>, Fault> {
        let Some(end) = &self.read_end else { return Ok(None) };
        let pipe = fstat(end).map_err(|e| fault_in("look at a pipe", e))?.st_ino;
        Ok(procfs::tree_holds_pipe(&partner.pidfd, pipe))
    }

    /// Checks while both rest whether the speaker waits for a listener that closed its end. Pages of a pipe
    /// may be half empty.
    fn look_for_ear(&mut self, listener: &Partner) -> Result<(), Fault> {
        let Some(end) = &self.read_end else { return Ok(()) };
        let look = |e| fault_in("look into a pipe", e);
        let holds = ioctl_fionread(end).map_err(look)?;
        let size = fcntl_getpipe_size(end).map_err(look)?;
        self.is_deaf |= holds > size as u64 / 4 && self.is_held_by(listener)? == Some(false);
        Ok(())
    }
}
