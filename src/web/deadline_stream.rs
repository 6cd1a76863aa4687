//! A connection that is read until a moment: a timeout for each read alone would let a client drip for
//! ever.

use std::{
    io::{self, Read},
    net::TcpStream,
    time::{Duration, Instant},
};

/// How long a client may take for a request.
const PATIENCE: Duration = Duration::from_secs(10);

/// What is read of a connection in time.
pub(crate) struct DeadlineStream<'a> {
    stream: &'a TcpStream,
    end: Instant,
}

impl<'a> DeadlineStream<'a> {
    /// The time begins now.
    pub(crate) fn new(stream: &'a TcpStream) -> DeadlineStream<'a> {
        DeadlineStream { stream, end: Instant::now() + PATIENCE }
    }
}

impl Read for DeadlineStream<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let left = self.end.saturating_duration_since(Instant::now());
        // Zero would mean no limit at all.
        self.stream.set_read_timeout(Some(left.max(Duration::from_millis(1))))?;
        if left.is_zero() {
            return Err(io::ErrorKind::TimedOut.into());
        }
        (&mut &*self.stream).read(buffer)
    }
}
