//! Calls of programs that wait until another process answers them.

use super::raw::check;
use rustix::{
    event::{PollFd, PollFlags, poll},
    io::Errno,
};
use seccompiler::sock_filter;
use std::{
    io,
    mem::zeroed,
    os::fd::{AsRawFd, FromRawFd, OwnedFd},
};

/// Installs a filter in this process and all its later children. Calls for which it says so wait for an answer through
/// the returned descriptor.
pub(crate) fn install_listening(filter: &[sock_filter]) -> io::Result<OwnedFd> {
    let program = libc::sock_fprog { len: filter.len() as u16, filter: filter.as_ptr().cast_mut().cast() };
    // SAFETY: the kernel reads `program` and the filter, which has the layout of the kernel's own structure.
    let listener = check(unsafe {
        libc::syscall(
            libc::SYS_seccomp,
            libc::SECCOMP_SET_MODE_FILTER,
            libc::SECCOMP_FILTER_FLAG_NEW_LISTENER,
            &raw const program,
        )
    })?;
    // SAFETY: the kernel just made this descriptor for us alone.
    Ok(unsafe { OwnedFd::from_raw_fd(listener as i32) })
}

/// A call that waits for an answer.
pub(crate) struct WaitingCall {
    id: u64,
    pub(crate) number: i64,
    pub(crate) arguments: [u64; 6],
}

/// Waits for a call; `None` if all processes with the filter have ended.
pub(crate) fn next_waiting_call(listener: &OwnedFd) -> Option<WaitingCall> {
    loop {
        let mut fds = [PollFd::new(listener, PollFlags::IN)];
        match poll(&mut fds, None) {
            Err(Errno::INTR) => continue,
            Ok(_) if fds[0].revents().contains(PollFlags::IN) => {}
            _ => return None,
        }
        // SAFETY: zero is a valid state, and the one that the kernel demands; it then writes the structure.
        let (done, call) = unsafe {
            let mut call: libc::seccomp_notif = zeroed();
            (libc::ioctl(listener.as_raw_fd(), libc::SECCOMP_IOCTL_NOTIF_RECV, &raw mut call), call)
        };
        if done == 0 {
            return Some(WaitingCall { id: call.id, number: call.data.nr.into(), arguments: call.data.args });
        }
        // Otherwise its process was killed in the meantime.
    }
}

/// Lets a call succeed without doing it.
pub(crate) fn pretend_success(listener: &OwnedFd, call: &WaitingCall) {
    let mut answer = libc::seccomp_notif_resp { id: call.id, val: 0, error: 0, flags: 0 };
    // SAFETY: a valid structure. It fails only if the process was killed in the meantime.
    unsafe { libc::ioctl(listener.as_raw_fd(), libc::SECCOMP_IOCTL_NOTIF_SEND, &raw mut answer) };
}
