//! Without namespaces, programs cannot change modes: see `MODE_ROW` in `syscall_table_weak`. The judge makes what they
//! build in their box executable in their place, so that they can run it.

use super::{
    box_dir::BoxDir,
    box_walk::{MAX_DEPTH, make_programs_executable},
};
use crate::sys::{WaitingCall, next_waiting_call, pretend_success};
use std::{io, os::fd::OwnedFd, thread, time::Instant};

/// The inverse of the share of time that looking for built programs may take.
const SHARE: u32 = 20;

/// Answers changes of modes until no process is left that can make one.
#[expect(clippy::disallowed_methods, reason = "answers system calls while the judge waits for their program")]
pub(crate) fn answer_mode_changes(listener: OwnedFd, box_dir: &BoxDir) -> io::Result<()> {
    let parts = box_dir.copy_parts()?;
    let answer_all = move || {
        while let Some(call) = next_waiting_call(&listener) {
            let start = Instant::now();
            let asks = asks_for_execution(&call);
            if asks {
                // A program that replaces files in the meantime can make this fail; then it asks in vain.
                parts.iter().for_each(|part| drop(make_programs_executable(part, MAX_DEPTH)));
            }
            let took = start.elapsed();
            pretend_success(&listener, &call);
            if asks {
                thread::sleep(took * SHARE);
            }
        }
    };
    thread::Builder::new().name("modes".into()).spawn(answer_all).map(drop)
}

/// The same number on all architectures; the C library's constant is not there on all.
const FCHMODAT2: i64 = 452;

/// Whether a change of a mode lets its owner execute a file.
fn asks_for_execution(call: &WaitingCall) -> bool {
    let is_relative = [libc::SYS_fchmodat, FCHMODAT2].contains(&call.number);
    call.arguments[if is_relative { 2 } else { 1 }] & 0o100 != 0
}
