//! The events of two programs that talk, in one call. The kernel gets the list of events once and not for
//! every message: most waits end with one, and registering would cost as much as carrying it.

use crate::run_result::PairMember;
use rustix::{
    event::{
        Timespec,
        epoll::{self, CreateFlags, Event, EventData, EventFlags},
    },
    io::Errno,
};
use std::{
    os::fd::{BorrowedFd, OwnedFd},
    time::Duration,
};

/// The possible actions for one of the two.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct SideEvents {
    pub(crate) has_reply: bool,
    /// It wrote something, or closed its output.
    pub(crate) has_output: bool,
}

/// Which of the two are dead, among those whose death is awaited.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct PairEnds {
    pub(crate) are_dead: [bool; 2],
    /// The one that died earlier, if both did: however late we look, the kernel reports events in their
    /// order.
    pub(crate) earlier: Option<PairMember>,
}

/// A descriptor whose events may be awaited.
#[derive(Clone, Copy, Default)]
pub(crate) struct Awaited<'a> {
    /// `None` once it is closed.
    pub(crate) fd: Option<BorrowedFd<'a>>,
    /// Whether its events matter now.
    pub(crate) matters: bool,
}

/// The awaited events of one of the two.
pub(crate) struct AwaitedSide<'a> {
    pub(crate) reply: Awaited<'a>,
    pub(crate) death: Awaited<'a>,
    pub(crate) output: Awaited<'a>,
    /// Signals room for the bytes that wait.
    pub(crate) room: Awaited<'a>,
}

/// Kinds of events of one of the two, in the order of [`AwaitedSide`].
const KINDS: usize = 4;
const ROOM: usize = 3;

pub(crate) struct PairEvents {
    epoll: OwnedFd,
    /// The events that the kernel watches.
    watched: [bool; 2 * KINDS],
    found: Vec<Event>,
}

impl PairEvents {
    pub(crate) fn new() -> Result<PairEvents, Errno> {
        let epoll = epoll::create(CreateFlags::CLOEXEC)?;
        Ok(PairEvents { epoll, watched: [false; 2 * KINDS], found: Vec::with_capacity(2 * KINDS) })
    }

    /// Waits for one of these events, or until the timeout.
    pub(crate) fn wait(
        &mut self,
        sides: [AwaitedSide; 2],
        timeout: Duration,
    ) -> Result<([SideEvents; 2], PairEnds), Errno> {
        for (at, side) in sides.into_iter().enumerate() {
            let AwaitedSide { reply, death, output, room } = side;
            for (kind, awaited) in [reply, death, output, room].into_iter().enumerate() {
                self.watch(at * KINDS + kind, awaited)?;
            }
        }
        // Whole milliseconds, rounded up: every kernel supports them, and the loop does not spin.
        let millis = timeout.as_micros().div_ceil(1000) as i64;
        let timeout = Timespec { tv_sec: millis / 1000, tv_nsec: millis % 1000 * 1_000_000 };
        self.found.clear();
        match epoll::wait(&self.epoll, rustix::buffer::spare_capacity(&mut self.found), Some(&timeout)) {
            Ok(_) | Err(Errno::INTR) => Ok(self.events()),
            Err(error) => Err(error),
        }
    }

    fn watch(&mut self, which: usize, awaited: Awaited) -> Result<(), Errno> {
        match (awaited.fd, self.watched[which], awaited.matters) {
            (Some(fd), false, true) => {
                let flags = if which % KINDS == ROOM { EventFlags::OUT } else { EventFlags::IN };
                epoll::add(&self.epoll, fd, EventData::new_u64(which as u64), flags)?;
                self.watched[which] = true;
            }
            (Some(fd), true, false) => {
                epoll::delete(&self.epoll, fd)?;
                self.watched[which] = false;
            }
            // The kernel forgets closed descriptors.
            (None, _, _) => self.watched[which] = false,
            (Some(_), true, true) | (Some(_), false, false) => {}
        }
        Ok(())
    }

    fn events(&self) -> ([SideEvents; 2], PairEnds) {
        let mut sides = [SideEvents::default(); 2];
        let mut ends = PairEnds::default();
        for event in &self.found {
            let which = event.data.u64() as usize;
            let side = &mut sides[which / KINDS];
            match which % KINDS {
                0 => side.has_reply = true,
                1 => {
                    ends.are_dead[which / KINDS] = true;
                    ends.earlier.get_or_insert([PairMember::First, PairMember::Second][which / KINDS]);
                }
                2 => side.has_output = true,
                // Writing is attempted in every round.
                _ => {}
            }
        }
        (sides, ends)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use rustix::process::{Pid, PidfdFlags, WaitId, WaitIdOptions, pidfd_open, waitid};
    use std::{
        os::fd::AsFd,
        process::{Child, Command},
    };

    #[test]
    #[expect(clippy::disallowed_methods, reason = "children to be watched")]
    fn of_two_deaths_before_a_look_the_earlier_is_known() {
        for round in 0..20 {
            let mut children = [(); 2].map(|()| Command::new("sleep").arg("60").spawn().unwrap());
            let pid = |child: &Child| Pid::from_raw(child.id() as i32).unwrap();
            let pidfds = [0, 1].map(|at| pidfd_open(pid(&children[at]), PidfdFlags::empty()).unwrap());
            let awaited = || {
                [0, 1].map(|at| AwaitedSide {
                    reply: Awaited::default(),
                    death: Awaited { fd: Some(pidfds[at].as_fd()), matters: true },
                    output: Awaited::default(),
                    room: Awaited::default(),
                })
            };
            let mut events = PairEvents::new().unwrap();
            let (_, ends) = events.wait(awaited(), Duration::ZERO).unwrap();
            assert_eq!(ends.are_dead, [false, false]);
            let order = [round % 2, 1 - round % 2];
            for at in order {
                children[at].kill().unwrap();
                // It is dead now, but not reaped.
                let options = WaitIdOptions::EXITED | WaitIdOptions::NOWAIT;
                waitid(WaitId::Pid(pid(&children[at])), options).unwrap();
            }
            let (_, ends) = events.wait(awaited(), Duration::ZERO).unwrap();
            assert_eq!(ends.are_dead, [true, true]);
            assert_eq!(ends.earlier, Some([PairMember::First, PairMember::Second][order[0]]));
            children.iter_mut().for_each(|child| drop(child.wait()));
        }
    }
}
