//! A small package in which one file is replaced by arbitrary bytes.

use kopek::package;
use std::{
    fs,
    path::{Path, PathBuf},
};
use tempfile::TempDir;
use walkdir::WalkDir;

/// A package without mistakes except in one file.
pub struct Sample {
    home: TempDir,
    file: PathBuf,
}

impl Sample {
    /// A copy of `testdata/format/base/NAME`, in memory if there is room.
    pub fn new(name: &str, file: &str) -> Sample {
        let memory = Path::new("/dev/shm");
        let place = if memory.is_dir() { memory.to_owned() } else { std::env::temp_dir() };
        let home = TempDir::new_in(place).expect("a directory for the sample");
        let base = Path::new(env!("CARGO_MANIFEST_DIR")).join("../testdata/format/base").join(name);
        for entry in WalkDir::new(&base).min_depth(1) {
            let entry = entry.expect("the sample is there");
            let to = home.path().join(entry.path().strip_prefix(&base).expect("below its root"));
            match entry.file_type().is_dir() {
                true => fs::create_dir_all(to).expect("copy a directory"),
                false => drop(fs::copy(entry.path(), to).expect("copy a file")),
            }
        }
        let file = home.path().join(file);
        fs::create_dir_all(file.parent().expect("a file has a parent")).expect("make its directory");
        Sample { home, file }
    }

    /// Reads the package and its tests with these bytes in the file. A reader may report anything, but it
    /// must report unreadable files, and must not panic or hang.
    pub fn read_with(&self, bytes: &[u8]) {
        fs::write(&self.file, bytes).expect("write the bytes");
        let reading = package::read(self.home.path()).expect("there is a package");
        assert!(reading.package.is_some() || !reading.findings.is_empty(), "silently unreadable");
        if let Some(package) = reading.package {
            // No cases are fine; findings are made anyway.
            let _ = package::read_tests(&package);
        }
    }
}
