//! The directory that validators see as the package's data, with the input and answer of a case.

use super::{job_worker::Worker, passes::directory};
use kopek_base::{Digest, ScratchDir};
use kopek_plan::plan::CaseFiles;
use kopek_sandbox::Fault;
use std::{
    fs, io,
    path::{Path, PathBuf},
};

/// The files that a validator sees, as paths of this machine.
pub(crate) struct CasePaths {
    /// Mounted as `/data`.
    pub data: PathBuf,
    pub input: PathBuf,
    pub answer: PathBuf,
    /// Deletes the copies when dropped.
    _laid_out: Option<ScratchDir>,
}

/// The paths for validators. If input and answer are files of the package's own `data/`, that directory is
/// mounted as it is, so that equal views share a warm worker. Otherwise a copy of the same layout is mounted.
pub(super) fn case_paths(worker: &Worker, case: &CaseFiles, data: &Digest) -> Result<CasePaths, Fault> {
    if let Some(place) = worker.place.as_ref().filter(|place| place.holds(case)) {
        let input = place.input.clone();
        let answer = place.answer.clone();
        return Ok(CasePaths { data: place.dir().to_owned(), input, answer, _laid_out: None });
    }
    let dir = worker.directory(data)?;
    let input = worker.path_of(&case.input)?;
    let answer = worker.path_of(&case.answer)?;
    if input.starts_with(&dir) && answer.starts_with(&dir) {
        return Ok(CasePaths { data: dir, input, answer, _laid_out: None });
    }
    let laid_out = directory()?;
    let lay = |from: &Path, below: &str| -> io::Result<PathBuf> {
        let to = laid_out.path().join(below);
        to.parent().map_or(Ok(()), fs::create_dir_all)?;
        // A hard link changes the stamp of its file, so only blobs of the store are linked.
        let linked = from.starts_with(worker.machine.store.dir()) && fs::hard_link(from, &to).is_ok();
        if !linked {
            fs::copy(from, &to)?;
        }
        Ok(to)
    };
    let laid = || -> io::Result<(PathBuf, PathBuf)> {
        for entry in walkdir::WalkDir::new(&dir).follow_links(true) {
            let entry = entry?;
            if entry.file_type().is_file() {
                let below = entry.path().strip_prefix(&dir).unwrap_or(entry.path());
                lay(entry.path(), &below.to_string_lossy())?;
            }
        }
        Ok((lay(&input, &case.input_path())?, lay(&answer, &case.answer_path())?))
    };
    let (input, answer) = laid().map_err(|e| Fault::new(format!("lay out a case for a validator: {e}")))?;
    Ok(CasePaths { data: laid_out.path().to_owned(), input, answer, _laid_out: Some(laid_out) })
}
