//! Computes the digests of all cases in parallel: many files are small, and some are large.

use crate::package::{Case, CaseIds, Package, TestSet, disk::Disk};
use anyhow::{Context, Result};
use kopek_base::{Digest, DigestFields, KnownFiles, TreeId, map_in_parallel, tree_id};
use std::{
    collections::BTreeSet,
    io,
    path::{Path, PathBuf},
};

/// More threads would only wait for the disk.
const THREADS: usize = 8;

/// Fills in the digests of all cases.
pub(super) fn fill_digests(set: &mut TestSet, disk: &Disk, known: &KnownFiles) -> Result<()> {
    let mut all: Vec<&mut Case> = set
        .cases
        .iter_mut()
        .chain(set.validation.iter_mut().map(|validation| &mut validation.case))
        .collect();
    // Below some dozen files, threads cost more than they save.
    let threads = THREADS.min(all.len().div_ceil(16));
    let ids = map_in_parallel(&all, threads, |case| case_ids(case, disk, known));
    for (case, ids) in all.iter_mut().zip(ids) {
        case.ids = ids?;
        case.digest = whole_digest(&case.ids);
    }
    Ok(())
}

fn case_ids(case: &Case, disk: &Disk, known: &KnownFiles) -> Result<CaseIds> {
    let file_id = |path: &Path| known.id(path).with_context(|| format!("read {}", path.display()));
    let input = file_id(&case.input)?;
    // Inputs that must be refused need no answer.
    let answer = match file_id(&case.answer) {
        Ok(id) => Some(id),
        Err(error) if is_absent(&error) => None,
        Err(error) => return Err(error),
    };
    let files = case.files.as_ref().map(|dir| {
        // Lists the same files as when the case was read: no link leaves the package.
        let below = dir.strip_prefix(&disk.dir).unwrap_or(dir);
        tree_id(dir, &disk.files(below, &mut Vec::new()).into_iter().collect(), known)
    });
    Ok(CaseIds { input, answer, files: files.transpose()? })
}

fn whole_digest(ids: &CaseIds) -> Digest {
    // By contents alone: equal cases with other names share their facts.
    let mut fields = DigestFields::new("case").with("in", ids.input.digest.as_bytes());
    if let Some(answer) = &ids.answer {
        fields = fields.with("ans", answer.digest.as_bytes());
    }
    if let Some(files) = &ids.files {
        fields = fields.with("files", files.digest.as_bytes());
    }
    fields.digest()
}

fn is_absent(error: &anyhow::Error) -> bool {
    error.downcast_ref::<io::Error>().is_some_and(|error| error.kind() == io::ErrorKind::NotFound)
}

/// Endings of files of a case: keys already contain their contents.
const OF_CASES: [&str; 3] = ["in", "ans", "out"];

/// The files in `data/` that are not inputs, answers or `.files` of cases. Validators may read them, so their
/// digest is part of every validator's key. Their stamps include those of all directories: validators would also
/// see a file that appears later.
pub fn data_beside_cases(package: &Package) -> Result<TreeId> {
    let disk =
        Disk::open(&package.dir, package.links).with_context(|| format!("read {}", package.dir.display()))?;
    let ends_in = |path: &Path, endings: &[&str]| {
        path.extension().and_then(|ending| ending.to_str()).is_some_and(|ending| endings.contains(&ending))
    };
    // By name alone, so that the result does not depend on the selected cases.
    let of_a_case = |below: &PathBuf| {
        ends_in(below, &OF_CASES) || below.ancestors().skip(1).any(|above| ends_in(above, &["files"]))
    };
    // Before the files are listed, so that later ones are noticed.
    let directories = disk.directory_stamps(Path::new("data"));
    let all = disk.every_file(Path::new("data"), &mut Vec::new());
    let beside: BTreeSet<PathBuf> = all.into_iter().filter(|below| !of_a_case(below)).collect();
    let mut tree = tree_id(&package.dir.join("data"), &beside, &package.known_files)?;
    tree.stamps.extend(directories);
    Ok(tree)
}
