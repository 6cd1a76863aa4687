//! The encoding of messages between judge, supervisor and worker: values in sequence, with descriptors
//! beside them. Both ends are the same program on the same machine, so there are no versions and no names.

use kopek_base::Patience;
use rustix::{
    io::{Errno, retry_on_intr},
    net::{
        RecvAncillaryBuffer, RecvAncillaryMessage, RecvFlags, SendAncillaryBuffer, SendAncillaryMessage,
        SendFlags, recvmsg, sendmsg,
    },
};
use serde::{Deserialize, Serialize};
use std::{
    ffi::OsStr,
    io::{self, IoSlice, IoSliceMut},
    mem::MaybeUninit,
    os::{
        fd::{AsFd, BorrowedFd, OwnedFd},
        unix::ffi::OsStrExt,
    },
    path::{Path, PathBuf},
    time::Duration,
};

/// The largest message in bytes; below the default size of a message on such a socket.
pub(crate) const MAX_MESSAGE: usize = 192 << 10;

pub(crate) fn encode(message: &impl Serialize) -> io::Result<Vec<u8>> {
    postcard::to_stdvec(message).map_err(io::Error::other)
}

pub(crate) fn decode<'a, T: Deserialize<'a>>(bytes: &'a [u8]) -> io::Result<T> {
    postcard::from_bytes(bytes).map_err(|e| io::Error::new(io::ErrorKind::InvalidData, e))
}

/// Paths as bytes: serde refuses those that are not UTF-8.
pub(crate) mod path_as_bytes {
    use super::{Deserialize, OsStr, OsStrExt, Path, PathBuf};
    use serde::{Deserializer, Serializer};

    pub(crate) fn serialize<S: Serializer>(path: &Path, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_bytes(path.as_os_str().as_bytes())
    }

    pub(crate) fn deserialize<'a, D: Deserializer<'a>>(deserializer: D) -> Result<PathBuf, D::Error> {
        let bytes = <&[u8]>::deserialize(deserializer)?;
        Ok(OsStr::from_bytes(bytes).into())
    }
}

/// Sends one message with descriptors.
pub(crate) fn send_message(socket: impl AsFd, message: &[u8], fds: &[BorrowedFd]) -> io::Result<()> {
    if message.len() > MAX_MESSAGE {
        return Err(io::Error::new(
            io::ErrorKind::ArgumentListTooLong,
            "arguments and environment are too long",
        ));
    }
    let mut space = [MaybeUninit::uninit(); rustix::cmsg_space!(ScmRights(4))];
    let mut ancillary = SendAncillaryBuffer::new(&mut space);
    if !fds.is_empty() {
        ancillary.push(SendAncillaryMessage::ScmRights(fds));
    }
    send_when_possible(|| {
        sendmsg(socket.as_fd(), &[IoSlice::new(message)], &mut ancillary, SendFlags::NOSIGNAL)
    })
}

/// How long to wait while others' descriptors keep us from sending ours: as long as a worker may take to
/// start.
const WHILE_OTHERS_SEND: Patience =
    Patience { max: Duration::from_secs(20), pause: Duration::from_millis(1) };

/// Sends, and waits while too many descriptors are in flight: the kernel counts those of all programs of a
/// user.
fn send_when_possible(mut send: impl FnMut() -> rustix::io::Result<usize>) -> io::Result<()> {
    let sent = WHILE_OTHERS_SEND.retry(|error| *error == Errno::TOOMANYREFS, || retry_on_intr(&mut send));
    match sent {
        Err(Errno::TOOMANYREFS) => Err(io::Error::other(
            "programs of this user have too many descriptors under way in sockets; end them and run again",
        )),
        other => other.map(drop).map_err(Into::into),
    }
}

/// Sends a message whose first byte gives its kind.
pub(crate) fn send_tagged(socket: impl AsFd, tag: u8, message: &[u8], fds: &[BorrowedFd]) -> io::Result<()> {
    send_message(socket, &[&[tag], message].concat(), fds)
}

/// Receives one message with descriptors into `buffer`; a length of zero means that the other end is gone.
pub(crate) fn receive_message(socket: impl AsFd, buffer: &mut [u8]) -> io::Result<(usize, Vec<OwnedFd>)> {
    receive_with_flags(socket, buffer, RecvFlags::CMSG_CLOEXEC)
}

/// The same; the descriptors are for a program that we execute, so they stay open across `execve`.
pub(crate) fn receive_for_program(socket: impl AsFd, buffer: &mut [u8]) -> io::Result<(usize, Vec<OwnedFd>)> {
    receive_with_flags(socket, buffer, RecvFlags::empty())
}

fn receive_with_flags(
    socket: impl AsFd,
    buffer: &mut [u8],
    flags: RecvFlags,
) -> io::Result<(usize, Vec<OwnedFd>)> {
    let mut space = [MaybeUninit::uninit(); rustix::cmsg_space!(ScmRights(4))];
    let mut ancillary = RecvAncillaryBuffer::new(&mut space);
    let length = loop {
        let mut into = [IoSliceMut::new(buffer)];
        match recvmsg(socket.as_fd(), &mut into, &mut ancillary, flags) {
            Err(Errno::INTR) => continue,
            // The other end died before reading our messages: the same as hanging up.
            Err(Errno::CONNRESET) => return Ok((0, Vec::new())),
            other => break other?.bytes,
        }
    };
    let rights = ancillary.drain().filter_map(|message| match message {
        RecvAncillaryMessage::ScmRights(fds) => Some(fds),
        _ => None,
    });
    Ok((length, rights.flatten().collect()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sending_is_repeated_after_transient_errors() {
        let mut answers =
            [Err(Errno::TOOMANYREFS), Err(Errno::INTR), Err(Errno::TOOMANYREFS), Ok(1)].into_iter();
        send_when_possible(|| answers.next().unwrap()).unwrap();
        assert_eq!(answers.next(), None);
        let failed = send_when_possible(|| Err(Errno::PIPE)).unwrap_err();
        assert_eq!(failed.kind(), io::ErrorKind::BrokenPipe);
    }
}
