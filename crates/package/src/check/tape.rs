//! Reads bytes in blocks, forwards and again from any place, in constant memory. Knows nothing about tokens
//! except white space.

use std::{fs::File, io, os::unix::fs::FileExt};

/// A source of bytes.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Tape<'a> {
    Memory(&'a [u8]),
    /// A regular file; its own offset is neither used nor moved.
    File(&'a File),
}

impl Tape<'_> {
    pub(crate) fn size(&self) -> io::Result<u64> {
        match self {
            Tape::Memory(bytes) => Ok(bytes.len() as u64),
            Tape::File(file) => Ok(file.metadata()?.len()),
        }
    }

    /// Fills the buffer with the bytes from this place on, as far as there are any.
    pub fn read(&self, buffer: &mut [u8], from: u64) -> io::Result<usize> {
        let mut filled = 0;
        while filled < buffer.len() {
            match self.read_some(&mut buffer[filled..], from + filled as u64) {
                Ok(0) => break,
                Ok(n) => filled += n,
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) => return Err(error),
            }
        }
        Ok(filled)
    }

    fn read_some(&self, buffer: &mut [u8], from: u64) -> io::Result<usize> {
        match self {
            Tape::File(file) => file.read_at(buffer, from),
            Tape::Memory(bytes) => {
                let rest = usize::try_from(from).ok().and_then(|from| bytes.get(from..)).unwrap_or(&[]);
                let n = rest.len().min(buffer.len());
                buffer[..n].copy_from_slice(&rest[..n]);
                Ok(n)
            }
        }
    }
}

/// Whether a byte is white space: space, form feed, line feed, carriage return, both tabs.
pub(crate) const fn is_space(byte: u8) -> bool {
    matches!(byte, b' ' | b'\t'..=b'\r')
}

/// A place on a tape, with the bytes around it.
pub(crate) struct TapeReader<'a> {
    tape: Tape<'a>,
    /// Bytes that are written later do not count.
    size: u64,
    buffer: Vec<u8>,
    /// Place of the buffer's first byte on the tape.
    base: u64,
    at: usize,
    end: usize,
    /// The last token that was read as a whole; keeps the allocation.
    token: Vec<u8>,
}

impl<'a> TapeReader<'a> {
    /// At the start of a tape; reads in blocks of this size.
    pub(crate) fn new(tape: Tape<'a>, block: usize) -> io::Result<TapeReader<'a>> {
        // Not larger than the file: a small file does not need a whole block.
        let size = tape.size()?;
        let buffer = vec![0; usize::try_from(size).unwrap_or(usize::MAX).clamp(1, block)];
        Ok(TapeReader { tape, size, buffer, base: 0, at: 0, end: 0, token: Vec::new() })
    }

    /// The buffered bytes from here on; empty only at the end.
    // Called several times for every place that differs, so it is inlined.
    #[inline]
    pub(crate) fn rest(&mut self) -> io::Result<&[u8]> {
        // Not beyond the end: most files are so short that another system call costs as much as reading them.
        if self.at == self.end && self.place() < self.size {
            self.read_block()?;
        }
        Ok(&self.buffer[self.at..self.end])
    }

    #[cold]
    fn read_block(&mut self) -> io::Result<()> {
        self.base += self.end as u64;
        (self.at, self.end) = (0, 0);
        self.end = self.tape.read(&mut self.buffer, self.base)?;
        Ok(())
    }

    /// Skips this many of the buffered bytes.
    #[inline]
    pub(crate) fn pass(&mut self, bytes: usize) {
        self.at += bytes;
    }

    /// The next byte; `None` at the end.
    #[inline]
    pub(crate) fn peek(&mut self) -> io::Result<Option<u8>> {
        Ok(self.rest()?.first().copied())
    }

    /// The place of the next byte.
    #[inline]
    pub(crate) fn place(&self) -> u64 {
        self.base + self.at as u64
    }

    /// Returns to an earlier place.
    pub(crate) fn back(&mut self, place: u64) {
        match place.checked_sub(self.base) {
            // Still in the buffer.
            Some(at) => self.at = at as usize,
            None => (self.base, self.at, self.end) = (place, 0, 0),
        }
    }

    /// The number of bytes since the last white space or the start; examines at most `max` bytes.
    pub(crate) fn bytes_since_space(&self, max: usize) -> io::Result<usize> {
        let since = |bytes: &[u8]| bytes.iter().rev().position(|&byte| is_space(byte));
        let near = &self.buffer[self.at.saturating_sub(max)..self.at];
        if let Some(bytes) = since(near) {
            return Ok(bytes);
        }
        let before = self.base.min((max - near.len()) as u64);
        let mut far = vec![0; before as usize];
        self.tape.read(&mut far, self.base - before)?;
        Ok(near.len() + since(&far).unwrap_or(far.len()))
    }

    /// Skips white space.
    #[inline]
    pub(crate) fn pass_space(&mut self) -> io::Result<()> {
        loop {
            let rest = self.rest()?;
            let n = rest.iter().position(|&byte| !is_space(byte)).unwrap_or(rest.len());
            let more = n > 0 && n == rest.len();
            self.pass(n);
            if !more {
                return Ok(());
            }
        }
    }

    /// Reads the token that starts here, or its first `max` bytes, and skips them.
    pub(crate) fn token(&mut self, max: usize) -> io::Result<&[u8]> {
        self.token.clear();
        loop {
            self.rest()?;
            let rest = &self.buffer[self.at..self.end];
            let part = &rest[..rest.len().min(max - self.token.len())];
            let n = part.iter().position(|&byte| is_space(byte)).unwrap_or(part.len());
            let more = n > 0 && n == rest.len();
            self.token.extend_from_slice(&part[..n]);
            self.pass(n);
            if !more {
                return Ok(&self.token);
            }
        }
    }
}
