//! The output of a program, kept in memory by the kernel instead of by us.

use kopek_base::Bytes;
use std::{fs::File, io, sync::Arc};

/// The output of a program, kept in memory by the kernel.
#[derive(Debug, Clone)]
pub struct CapturedOutput {
    file: Arc<File>,
    /// The size, if the file can no longer be written to.
    final_size: Option<u64>,
}

impl CapturedOutput {
    /// The contents of a file.
    pub fn new(file: File) -> CapturedOutput {
        CapturedOutput { file: Arc::new(file), final_size: None }
    }

    /// The contents of a file that can no longer be written to.
    pub(crate) fn ended(file: Arc<File>, size: u64) -> CapturedOutput {
        CapturedOutput { file, final_size: Some(size) }
    }

    /// The file; its own position is neither used nor moved.
    pub fn file(&self) -> &File {
        &self.file
    }

    /// The number of bytes written.
    pub fn size(&self) -> io::Result<Bytes> {
        match self.final_size {
            Some(size) => Ok(Bytes(size)),
            None => Ok(Bytes(self.file.metadata()?.len())),
        }
    }

    /// All bytes.
    pub fn bytes(&self) -> io::Result<Vec<u8>> {
        self.head(usize::MAX)
    }

    /// At most the first `max` bytes.
    pub fn head(&self, max: usize) -> io::Result<Vec<u8>> {
        self.read_part(0, (max as u64).min(self.size()?.0))
    }

    /// At most the last `max` bytes.
    pub fn tail(&self, max: usize) -> io::Result<Vec<u8>> {
        let size = self.size()?.0;
        let length = (max as u64).min(size);
        self.read_part(size - length, length)
    }

    fn read_part(&self, from: u64, length: u64) -> io::Result<Vec<u8>> {
        use std::os::unix::fs::FileExt;
        let mut bytes = vec![0; usize::try_from(length).map_err(io::Error::other)?];
        self.file.read_exact_at(&mut bytes, from)?;
        Ok(bytes)
    }
}
