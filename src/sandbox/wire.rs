//! Bytes between judge, keeper and worker: numbers and strings in a row, and
//! descriptors beside them. Same machine, same program: no versions, no names.

use rustix::net::{
    RecvAncillaryBuffer, RecvAncillaryMessage, RecvFlags, SendAncillaryBuffer, SendAncillaryMessage,
    SendFlags, recvmsg, sendmsg,
};
use std::{
    io::{self, IoSlice, IoSliceMut},
    mem::MaybeUninit,
    os::fd::{AsFd, BorrowedFd, OwnedFd},
};

/// The largest message.
pub const MOST: usize = 192 << 10;

/// A message being written.
#[derive(Default)]
pub struct Put(pub Vec<u8>);

impl Put {
    /// A number.
    pub fn number(&mut self, n: u64) -> &mut Put {
        self.0.extend_from_slice(&n.to_le_bytes());
        self
    }

    /// Some bytes.
    pub fn bytes(&mut self, bytes: &[u8]) -> &mut Put {
        self.number(bytes.len() as u64);
        self.0.extend_from_slice(bytes);
        self
    }

    /// A list of strings.
    pub fn strings<S: AsRef<[u8]>>(&mut self, list: impl ExactSizeIterator<Item = S>) -> &mut Put {
        self.number(list.len() as u64);
        list.for_each(|s| {
            self.bytes(s.as_ref());
        });
        self
    }
}

/// A message being read.
pub struct Get<'a>(pub &'a [u8]);

fn short() -> io::Error {
    io::Error::new(io::ErrorKind::InvalidData, "a message between judge and worker is too short")
}

impl<'a> Get<'a> {
    fn take(&mut self, n: usize) -> io::Result<&'a [u8]> {
        let (head, tail) = self.0.split_at_checked(n).ok_or_else(short)?;
        self.0 = tail;
        Ok(head)
    }

    /// A number.
    pub fn number(&mut self) -> io::Result<u64> {
        let mut n = [0; 8];
        n.copy_from_slice(self.take(8)?);
        Ok(u64::from_le_bytes(n))
    }

    /// Some bytes.
    pub fn bytes(&mut self) -> io::Result<&'a [u8]> {
        let n = self.number()?;
        self.take(usize::try_from(n).map_err(|_| short())?)
    }

    /// Some text.
    pub fn text(&mut self) -> io::Result<String> {
        Ok(String::from_utf8_lossy(self.bytes()?).into_owned())
    }

    /// A list of strings.
    pub fn strings(&mut self) -> io::Result<Vec<&'a [u8]>> {
        (0..self.number()?).map(|_| self.bytes()).collect()
    }
}

/// Sends one message with descriptors.
pub fn send(socket: impl AsFd, message: &[u8], fds: &[BorrowedFd]) -> io::Result<()> {
    if message.len() > MOST {
        return Err(io::Error::new(
            io::ErrorKind::ArgumentListTooLong,
            "arguments and environment are too long",
        ));
    }
    let mut space = [MaybeUninit::uninit(); rustix::cmsg_space!(ScmRights(4))];
    let mut beside = SendAncillaryBuffer::new(&mut space);
    if !fds.is_empty() {
        beside.push(SendAncillaryMessage::ScmRights(fds));
    }
    loop {
        match sendmsg(socket.as_fd(), &[IoSlice::new(message)], &mut beside, SendFlags::NOSIGNAL) {
            Err(rustix::io::Errno::INTR) => continue,
            other => return other.map(drop).map_err(Into::into),
        }
    }
}

/// Receives one message with descriptors into `buffer`; its length is zero when the other end is gone.
pub fn receive(socket: impl AsFd, buffer: &mut [u8]) -> io::Result<(usize, Vec<OwnedFd>)> {
    receive_with(socket, buffer, RecvFlags::CMSG_CLOEXEC)
}

/// The same; the descriptors are for a program that we execute.
pub fn receive_for_program(socket: impl AsFd, buffer: &mut [u8]) -> io::Result<(usize, Vec<OwnedFd>)> {
    receive_with(socket, buffer, RecvFlags::empty())
}

fn receive_with(socket: impl AsFd, buffer: &mut [u8], flags: RecvFlags) -> io::Result<(usize, Vec<OwnedFd>)> {
    let mut space = [MaybeUninit::uninit(); rustix::cmsg_space!(ScmRights(4))];
    let mut beside = RecvAncillaryBuffer::new(&mut space);
    let got = loop {
        let mut into = [IoSliceMut::new(buffer)];
        match recvmsg(socket.as_fd(), &mut into, &mut beside, flags) {
            Err(rustix::io::Errno::INTR) => continue,
            Err(rustix::io::Errno::CONNRESET) => return Ok((0, Vec::new())),
            other => break other?.bytes,
        }
    };
    let rights = beside.drain().filter_map(|message| match message {
        RecvAncillaryMessage::ScmRights(fds) => Some(fds),
        _ => None,
    });
    Ok((got, rights.flatten().collect()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_message_is_read_as_it_was_written() {
        let mut put = Put::default();
        put.number(7).bytes(b"x").strings(["a", "", "bc"].iter());
        let mut get = Get(&put.0);
        assert_eq!(get.number().unwrap(), 7);
        assert_eq!(get.text().unwrap(), "x");
        assert_eq!(get.strings().unwrap(), [&b"a"[..], b"", b"bc"]);
        assert!(get.number().is_err());
    }
}
