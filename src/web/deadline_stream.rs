//! A connection with a deadline for the whole request: with a timeout per read alone, a slow client could
//! take forever.

use std::{
    io::{self, Read},
    net::TcpStream,
    time::{Duration, Instant},
};

/// Time limit of a request.
const PATIENCE: Duration = Duration::from_secs(10);

/// Reads a connection until the deadline.
pub(crate) struct DeadlineStream<'a> {
    stream: &'a TcpStream,
    end: Instant,
}

impl<'a> DeadlineStream<'a> {
    /// Starts the time limit now.
    pub(crate) fn new(stream: &'a TcpStream) -> DeadlineStream<'a> {
        DeadlineStream { stream, end: Instant::now() + PATIENCE }
    }
}

impl Read for DeadlineStream<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let left = self.end.saturating_duration_since(Instant::now());
        // Zero would mean no timeout.
        self.stream.set_read_timeout(Some(left.max(Duration::from_millis(1))))?;
        if left.is_zero() {
            return Err(io::ErrorKind::TimedOut.into());
        }
        (&mut &*self.stream).read(buffer)
    }
}
