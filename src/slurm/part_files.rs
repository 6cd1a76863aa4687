//! The folder that the parts of a class share. A part's store is one file, replaced as a whole: a store itself must not
//! be opened over a network, and a half written file must not be read.

use crate::{
    base::{Digest, files::write_atomic, files::write_atomic_with},
    machine::{LeastTimes, Machine},
    store::{Merged, Store, take_over},
};
use anyhow::{Context, Result, bail, ensure};
use serde::{Deserialize, Serialize};
use std::{
    collections::BTreeMap,
    fs::{self, File, TryLockError},
    io,
    path::{Path, PathBuf},
};

/// The folder of a run by parts.
pub struct PartFolder {
    dir: PathBuf,
    /// Held by the process that waits for the parts.
    _lock: Option<File>,
}

/// The machine that judged a part.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct PartNode {
    pub name: String,
    pub kopek: String,
    pub processor: String,
    pub isolation: String,
    /// Names of languages, and the identity of their toolchains.
    pub toolchains: BTreeMap<String, String>,
}

/// A part, as its node describes it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct PartRecord {
    pub node: PartNode,
    /// Its exit code; `None` until it ends.
    pub code: Option<u8>,
}

impl PartNode {
    pub fn of(machine: &Machine, name: String) -> PartNode {
        PartNode {
            name,
            kopek: env!("CARGO_PKG_VERSION").to_owned(),
            processor: machine.kind.class.clone(),
            isolation: machine.kind.isolation.clone(),
            toolchains: machine.identified_toolchains(),
        }
    }

    /// The differences that make results of another node unusable here.
    pub fn differences(&self, other: &PartNode) -> Vec<String> {
        let of = |what: &str, ours: &str, theirs: &str| format!("{what} {theirs} there, {ours} here");
        let mut found = Vec::new();
        if self.processor != other.processor {
            found.push(of("processor", &self.processor, &other.processor));
        }
        if self.isolation != other.isolation {
            found.push(of("isolation", &self.isolation, &other.isolation));
        }
        for (language, ours) in &self.toolchains {
            let theirs = other.toolchains.get(language).filter(|theirs| *theirs != ours);
            found.extend(theirs.map(|theirs| of(language, ours, theirs)));
        }
        found
    }
}

impl PartFolder {
    /// Opens the folder, or makes it, for the only process that waits for its parts.
    pub fn open_or_make(dir: &Path) -> Result<PartFolder> {
        let act = || format!("--slurm-folder {}: make this folder", dir.display());
        fs::create_dir_all(dir).with_context(act)?;
        let dir = fs::canonicalize(dir).with_context(act)?;
        let mut options = File::options();
        let lock =
            options.write(true).create(true).truncate(false).open(dir.join("lock")).with_context(act)?;
        match lock.try_lock() {
            Ok(()) => Ok(PartFolder { dir, _lock: Some(lock) }),
            Err(TryLockError::WouldBlock) => bail!(
                "--slurm-folder {}: another kopek waits for the parts of this folder; wait until it ends, or name another folder",
                dir.display()
            ),
            Err(TryLockError::Error(error)) => Err(error).with_context(act),
        }
    }

    /// The folder of a running part. Fails if its node does not see it.
    pub fn open(dir: &Path, node: &str) -> Result<PartFolder> {
        ensure!(
            dir.is_dir(),
            "{node} does not see {}; name a folder on a file system that all nodes see with --slurm-folder",
            dir.display()
        );
        Ok(PartFolder { dir: dir.to_owned(), _lock: None })
    }

    /// The name of its jobs, by which a later run finds them.
    pub fn job_name(&self) -> String {
        format!("kopek-{}", Digest::of(self.dir.as_os_str().as_encoded_bytes()).short())
    }

    pub fn dir(&self) -> &Path {
        &self.dir
    }

    pub fn script(&self) -> PathBuf {
        self.dir.join("part.sh")
    }

    /// The output of a part, by its number or by `%a`.
    pub fn output(&self, part: &str) -> PathBuf {
        self.dir.join(format!("part-{part}.out"))
    }

    fn store_file(&self, part: u64) -> PathBuf {
        self.dir.join(format!("part-{part}.tar"))
    }

    fn record_file(&self, part: u64) -> PathBuf {
        self.dir.join(format!("part-{part}.json"))
    }

    /// The number of parts: that of an earlier run, whose parts would else not fit, or this one.
    pub fn parts(&self, wanted: u64) -> Result<u64> {
        let file = self.dir.join("parts");
        match fs::read_to_string(&file) {
            Ok(text) => text.trim().parse().with_context(|| format!("read {}", file.display())),
            Err(error) if error.kind() == io::ErrorKind::NotFound => {
                write_atomic(&file, format!("{wanted}\n").as_bytes())?;
                Ok(wanted)
            }
            Err(error) => Err(error).with_context(|| format!("read {}", file.display())),
        }
    }

    /// What the node of a part wrote about it; `None` if it has not begun.
    pub fn record(&self, part: u64) -> Result<Option<PartRecord>> {
        let file = self.record_file(part);
        let text = match fs::read(&file) {
            Ok(text) => text,
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
            Err(error) => return Err(error).with_context(|| format!("read {}", file.display())),
        };
        serde_json::from_slice(&text).map(Some).with_context(|| format!("read {}", file.display()))
    }

    pub fn write_record(&self, part: u64, record: &PartRecord) -> Result<()> {
        let text = serde_json::to_vec_pretty(record).context("write the node of a part")?;
        write_atomic(&self.record_file(part), &text)
    }

    /// Forgets how these parts ended, because they begin again. Their results stay.
    pub fn forget_ends(&self, parts: &[u64]) -> Result<()> {
        for part in parts {
            if let Some(record) = self.record(*part)? {
                self.write_record(*part, &PartRecord { code: None, ..record })?;
            }
            // Otherwise the lines of an earlier failure would look like those of this run.
            let _ = fs::remove_file(self.output(&part.to_string()));
        }
        Ok(())
    }

    /// The last lines that a part printed.
    pub fn last_lines(&self, part: u64, count: usize) -> Vec<String> {
        let text = fs::read(self.output(&part.to_string())).unwrap_or_default();
        let text = String::from_utf8_lossy(&text).into_owned();
        let lines: Vec<&str> = text.lines().filter(|line| !line.trim().is_empty()).collect();
        lines[lines.len().saturating_sub(count)..].iter().map(|line| (*line).to_owned()).collect()
    }

    /// Copies the results of a store into the part's file. `scratch` is on a local disk.
    pub fn keep(&self, part: u64, store: &Store, scratch: &Path) -> Result<()> {
        let copy = tempfile::tempdir_in(scratch).context("make a folder for a copy of the store")?;
        let dir = copy.path().join("store");
        {
            // The store itself is in use: a copy of its files could be torn.
            let other = Store::open(&dir)?;
            take_over(&other, store)?;
            LeastTimes::take_over(&other, store)?;
        }
        write_atomic_with(&self.store_file(part), |file| {
            let mut archive = tar::Builder::new(io::BufWriter::new(file));
            archive.append_dir_all(".", &dir)?;
            archive.into_inner()?.into_inner().map_err(io::IntoInnerError::into_error)?;
            Ok(())
        })
    }

    /// Adds the results in a part's file to a store; `None` if there are none yet. Fails if another version of kopek
    /// made them.
    pub fn join(&self, part: u64, store: &Store, scratch: &Path) -> Result<Option<Merged>> {
        let file = self.store_file(part);
        let archive = match File::open(&file) {
            Ok(archive) => archive,
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
            Err(error) => return Err(error).with_context(|| format!("open {}", file.display())),
        };
        let made_by = self.record(part)?.map(|record| record.node.kopek);
        let made_by = made_by.with_context(|| format!("{} has no record beside it", file.display()))?;
        ensure!(
            made_by == env!("CARGO_PKG_VERSION"),
            "{} was made by kopek {made_by}, and this is kopek {}; name another folder with --slurm-folder, or remove {}",
            file.display(),
            env!("CARGO_PKG_VERSION"),
            self.dir.display()
        );
        let copy = tempfile::tempdir_in(scratch).context("make a folder for the store of a part")?;
        let unpack = || -> Result<Merged> {
            tar::Archive::new(archive).unpack(copy.path())?;
            let other = Store::open_existing(copy.path())?;
            let merged = take_over(store, &other)?;
            LeastTimes::take_over(store, &other)?;
            Ok(merged)
        };
        unpack().map(Some).with_context(|| format!("read the results of {}", file.display()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn node(processor: &str, python: &str) -> PartNode {
        PartNode {
            name: "node7".into(),
            kopek: "1".into(),
            processor: processor.into(),
            isolation: "namespaces".into(),
            toolchains: BTreeMap::from([("Python 3".into(), python.into())]),
        }
    }

    #[test]
    fn nodes_differ_in_processor_isolation_and_compilers() {
        let here = node("x86_64 A", "3.12");
        assert!(here.differences(&here).is_empty());
        let found = here.differences(&node("x86_64 B", "3.11"));
        assert_eq!(found, ["processor x86_64 B there, x86_64 A here", "Python 3 3.11 there, 3.12 here"]);
    }

    #[test]
    fn parts_of_another_version_are_refused_and_a_torn_file_is_an_error() {
        let home = tempfile::tempdir().unwrap();
        let folder = PartFolder::open_or_make(&home.path().join("folder")).unwrap();
        assert_eq!((folder.parts(8).unwrap(), folder.parts(4).unwrap()), (8, 8), "the parts stay");
        let store = Store::open(&home.path().join("store")).unwrap();
        let scratch = home.path();
        assert!(folder.join(3, &store, scratch).unwrap().is_none());
        folder.keep(3, &store, scratch).unwrap();
        folder.write_record(3, &PartRecord { node: node("A", "3"), code: Some(0) }).unwrap();
        let error = folder.join(3, &store, scratch).unwrap_err().to_string();
        assert!(error.contains("part-3.tar was made by kopek 1, and this is kopek"), "{error}");
        let ours = PartNode { kopek: env!("CARGO_PKG_VERSION").into(), ..node("A", "3") };
        folder.write_record(3, &PartRecord { node: ours, code: Some(0) }).unwrap();
        assert_eq!(folder.join(3, &store, scratch).unwrap(), Some(Merged::default()));
        fs::write(folder.store_file(3), "half of a").unwrap();
        let error = folder.join(3, &store, scratch).unwrap_err().to_string();
        assert!(error.starts_with("read the results of "), "{error}");
    }
}
