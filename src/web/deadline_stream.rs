//! A connection with a deadline for the whole request: with a timeout per read alone, a slow client could
//! take forever.

use std::{
    io::{self, Read, Write},
    net::TcpStream,
    time::{Duration, Instant},
};

/// Reads or writes a connection until the deadline.
pub(crate) struct DeadlineStream<'a> {
    stream: &'a TcpStream,
    end: Instant,
}

impl<'a> DeadlineStream<'a> {
    /// Starts the time limit now.
    pub(crate) fn within(stream: &'a TcpStream, patience: Duration) -> DeadlineStream<'a> {
        DeadlineStream { stream, end: Instant::now() + patience }
    }
}

impl DeadlineStream<'_> {
    fn time_left(&self) -> io::Result<Option<Duration>> {
        let left = self.end.saturating_duration_since(Instant::now());
        if left.is_zero() { Err(io::ErrorKind::TimedOut.into()) } else { Ok(Some(left)) }
    }
}

impl Read for DeadlineStream<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        self.stream.set_read_timeout(self.time_left()?)?;
        (&mut &*self.stream).read(buffer)
    }
}

impl Write for DeadlineStream<'_> {
    fn write(&mut self, buffer: &[u8]) -> io::Result<usize> {
        self.stream.set_write_timeout(self.time_left()?)?;
        (&mut &*self.stream).write(buffer)
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}
