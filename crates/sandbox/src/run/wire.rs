//! The encoding of messages between judge, supervisor and worker: numbers and strings in sequence, with
//! descriptors beside them. Both ends are the same program on the same machine, so there are no versions and
//! no names.

use kopek_base::Patience;
use rustix::{
    io::{Errno, retry_on_intr},
    net::{
        RecvAncillaryBuffer, RecvAncillaryMessage, RecvFlags, SendAncillaryBuffer, SendAncillaryMessage,
        SendFlags, recvmsg, sendmsg,
    },
};
use std::{
    io::{self, IoSlice, IoSliceMut},
    mem::MaybeUninit,
    os::fd::{AsFd, BorrowedFd, OwnedFd},
    time::Duration,
};

/// The largest message in bytes; below the default size of a message on such a socket.
pub(crate) const MAX_MESSAGE: usize = 192 << 10;

#[derive(Default)]
pub(crate) struct MessageWriter(pub Vec<u8>);

impl MessageWriter {
    pub(crate) fn put_number(&mut self, n: u64) -> &mut MessageWriter {
        self.0.extend_from_slice(&n.to_le_bytes());
        self
    }

    pub(crate) fn put_bytes(&mut self, bytes: &[u8]) -> &mut MessageWriter {
        self.put_number(bytes.len() as u64);
        self.0.extend_from_slice(bytes);
        self
    }

    pub(crate) fn put_strings<S: AsRef<[u8]>>(
        &mut self,
        list: impl ExactSizeIterator<Item = S>,
    ) -> &mut MessageWriter {
        self.put_number(list.len() as u64);
        list.for_each(|s| {
            self.put_bytes(s.as_ref());
        });
        self
    }
}

pub(crate) struct MessageReader<'a>(pub &'a [u8]);

fn too_short() -> io::Error {
    io::Error::new(io::ErrorKind::InvalidData, "a message between judge and worker is too short")
}

impl<'a> MessageReader<'a> {
    fn take_bytes(&mut self, n: usize) -> io::Result<&'a [u8]> {
        let (head, tail) = self.0.split_at_checked(n).ok_or_else(too_short)?;
        self.0 = tail;
        Ok(head)
    }

    pub(crate) fn read_number(&mut self) -> io::Result<u64> {
        let mut n = [0; 8];
        n.copy_from_slice(self.take_bytes(8)?);
        Ok(u64::from_le_bytes(n))
    }

    pub(crate) fn read_bytes(&mut self) -> io::Result<&'a [u8]> {
        let n = self.read_number()?;
        self.take_bytes(usize::try_from(n).map_err(|_| too_short())?)
    }

    pub(crate) fn read_text(&mut self) -> io::Result<String> {
        Ok(String::from_utf8_lossy(self.read_bytes()?).into_owned())
    }

    pub(crate) fn read_strings(&mut self) -> io::Result<Vec<&'a [u8]>> {
        (0..self.read_number()?).map(|_| self.read_bytes()).collect()
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
    Patience { most: Duration::from_secs(20), pause: Duration::from_millis(1) };

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
    fn what_cannot_be_sent_because_of_others_is_sent_later() {
        let mut answers =
            [Err(Errno::TOOMANYREFS), Err(Errno::INTR), Err(Errno::TOOMANYREFS), Ok(1)].into_iter();
        send_when_possible(|| answers.next().unwrap()).unwrap();
        assert_eq!(answers.next(), None);
        let failed = send_when_possible(|| Err(Errno::PIPE)).unwrap_err();
        assert_eq!(failed.kind(), io::ErrorKind::BrokenPipe);
    }

    #[test]
    fn a_message_is_read_as_it_was_written() {
        let mut writer = MessageWriter::default();
        writer.put_number(7).put_bytes(b"x").put_strings(["a", "", "bc"].iter());
        let mut reader = MessageReader(&writer.0);
        assert_eq!(reader.read_number().unwrap(), 7);
        assert_eq!(reader.read_text().unwrap(), "x");
        assert_eq!(reader.read_strings().unwrap(), [&b"a"[..], b"", b"bc"]);
        assert!(reader.read_number().is_err());
    }
}
