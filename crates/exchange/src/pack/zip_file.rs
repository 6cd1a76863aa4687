//! Writes the zip: complete or absent, with the same bytes on every machine.

use super::{
    losses::Note,
    packed::{Bundle, PackContents, PackFile},
    target::Target,
};
use anyhow::{Context, Result};
use kopek_base::{Bytes, files::write_atomic_with};
use serde::Serialize;
use std::{
    collections::BTreeSet,
    fs::File,
    io::{self, BufReader, BufWriter, Seek, Write},
    path::{Path, PathBuf},
};
use zip::{CompressionMethod, DateTime, ZipArchive, ZipWriter, write::SimpleFileOptions};

/// A zip needs the longer fields from this size on.
const LARGE: u64 = u32::MAX as u64;

/// A zip that was written.
#[derive(Debug, Clone, Serialize)]
pub struct PackedZip {
    pub package: String,
    #[serde(rename = "system")]
    pub target: Target,
    pub file: PathBuf,
    /// Whether it replaced an older zip.
    pub replaced: bool,
    pub bytes: Bytes,
    pub files: usize,
    pub notes: Vec<Note>,
}

/// The comment of zips, before the name of their system.
const COMMENT: &str = "kopek pack for ";

/// The system of a zip that kopek wrote; `None`: it is something else.
pub fn packed_for(zip: &Path) -> Option<String> {
    let zip = ZipArchive::new(File::open(zip).ok()?).ok()?;
    let comment = std::str::from_utf8(zip.comment()).ok()?;
    comment.strip_prefix(COMMENT).map(str::to_owned)
}

/// Writes it to a temporary file and renames that; returns its size.
pub fn write_zip(bundle: &Bundle, path: &Path) -> Result<Bytes> {
    let mut size = 0;
    write_atomic_with(path, |file| {
        let mut zip = ZipWriter::new(BufWriter::new(file));
        zip.set_comment(format!("{COMMENT}{}", bundle.target.name()))?;
        fill_zip(&mut zip, bundle)?;
        let mut file = zip.finish()?;
        file.flush()?;
        size = file.stream_position()?;
        Ok(())
    })?;
    Ok(Bytes(size))
}

fn fill_zip<W: Write + Seek>(zip: &mut ZipWriter<W>, bundle: &Bundle) -> Result<()> {
    for dir in directories_of(bundle) {
        // DOMjudge recognises a submission of several files by its directory entry.
        zip.add_directory(dir, file_options(0o755))?;
    }
    for (path, entry) in &bundle.files {
        add_file(zip, &format!("{}{path}", bundle.root), entry).with_context(|| format!("pack {path}"))?;
    }
    Ok(())
}

fn add_file<W: Write + Seek>(zip: &mut ZipWriter<W>, path: &str, entry: &PackFile) -> Result<()> {
    match &entry.contents {
        PackContents::Bytes(bytes) => {
            zip.start_file(path, file_options(entry.mode))?;
            zip.write_all(bytes)?;
        }
        PackContents::Of(from) => {
            let file = File::open(from).with_context(|| format!("read {}", from.display()))?;
            let large = file.metadata()?.len() >= LARGE;
            zip.start_file(path, file_options(entry.mode).large_file(large))?;
            io::copy(&mut BufReader::new(file), zip).with_context(|| format!("read {}", from.display()))?;
        }
    }
    Ok(())
}

/// The first date that a zip can express, so that neither clock nor user matter.
fn file_options(mode: u32) -> SimpleFileOptions {
    SimpleFileOptions::default()
        .compression_method(CompressionMethod::Deflated)
        .compression_level(Some(6))
        .last_modified_time(DateTime::default())
        .unix_permissions(mode)
}

fn directories_of(bundle: &Bundle) -> BTreeSet<String> {
    let mut all = BTreeSet::new();
    for path in bundle.files.keys() {
        let path = format!("{}{path}", bundle.root);
        all.extend(path.match_indices('/').map(|(at, _)| path[..=at].to_owned()));
    }
    all
}
