//! Digests of all cases, by several threads: many files are small, and some are large.

use crate::{
    base::{Digest, Fields},
    package::{Case, TestSet, disk::Disk},
};
use anyhow::{Context, Result};
use std::{
    fs, io,
    path::Path,
    sync::atomic::{AtomicUsize, Ordering},
    thread,
};

/// More threads than this only wait for the disk.
const THREADS: usize = 8;
/// Files up to this size are read at once.
const SMALL: u64 = 1 << 20;

/// Fills in the digests of all cases.
pub fn fill(set: &mut TestSet, disk: &Disk) -> Result<()> {
    let all: Vec<&mut Case> = set
        .cases
        .iter_mut()
        .chain(set.validation.iter_mut().map(|validation| &mut validation.case))
        .collect();
    let digests = all_digests(&all, disk)?;
    for (case, digest) in all.into_iter().zip(digests) {
        case.digest = digest;
    }
    Ok(())
}

fn all_digests(cases: &[&mut Case], disk: &Disk) -> Result<Vec<Digest>> {
    let threads =
        thread::available_parallelism().map_or(1, usize::from).min(THREADS).min(cases.len().div_ceil(16));
    if threads <= 1 {
        return cases.iter().map(|case| digest(case, disk)).collect();
    }
    let next = AtomicUsize::new(0);
    let work = || -> Result<Vec<(usize, Digest)>> {
        let mut done = Vec::new();
        while let Some((at, case)) =
            Some(next.fetch_add(1, Ordering::Relaxed)).and_then(|at| Some((at, cases.get(at)?)))
        {
            done.push((at, digest(case, disk)?));
        }
        Ok(done)
    };
    let mut digests = thread::scope(|scope| -> Result<Vec<(usize, Digest)>> {
        let running: Vec<_> = (0..threads).map(|_| scope.spawn(work)).collect();
        let mut all = Vec::with_capacity(cases.len());
        for thread in running {
            let part = thread.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic));
            all.extend(part?);
        }
        Ok(all)
    })?;
    digests.sort_by_key(|(at, _)| *at);
    Ok(digests.into_iter().map(|(_, digest)| digest).collect())
}

fn digest(case: &Case, disk: &Disk) -> Result<Digest> {
    let fields = Fields::new("case").with("in", of(&case.input)?.to_string().as_bytes());
    // Inputs that must be refused need no answer.
    let answer = match of(&case.answer) {
        Ok(digest) => digest.to_string(),
        Err(error) if is_absent(&error) => String::new(),
        Err(error) => return Err(error),
    };
    let mut fields = fields.with("ans", answer.as_bytes());
    if let Some(dir) = &case.files {
        // The same files that were seen when the case was read: no link leads away.
        let below = dir.strip_prefix(&disk.dir).unwrap_or(dir);
        for file in disk.files(below, &mut Vec::new()) {
            fields = fields.with("name", file.as_os_str().as_encoded_bytes());
            fields = fields.with("file", of(&dir.join(file))?.to_string().as_bytes());
        }
    }
    Ok(fields.digest())
}

fn of(path: &Path) -> Result<Digest> {
    let read = || match fs::metadata(path)?.len() {
        0..=SMALL => Ok(Digest::of(&fs::read(path)?)),
        _ => Digest::of_file(path),
    };
    read().with_context(|| format!("read {}", path.display()))
}

fn is_absent(error: &anyhow::Error) -> bool {
    error.downcast_ref::<io::Error>().is_some_and(|error| error.kind() == io::ErrorKind::NotFound)
}
