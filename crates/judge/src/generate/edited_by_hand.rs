//! Files that people changed after kopek made them, or put where a rule writes its own. They are never overwritten.

use super::{
    case_plan::PlannedCase,
    generation_run::Run,
    place::{self, CaseContents, EditedByHand},
};
use kopek_base::Digest;
use std::{fs, path::Path};

/// Files of a case that equal neither the version made before nor the new one.
pub(super) fn edited_files(run: &Run, case: &PlannedCase, new: &CaseContents) -> Vec<String> {
    let digests = place::digests(new);
    let below = |path: &String, ext: &String| format!("{path}.{ext}");
    let files = case.places.iter().flat_map(|place| {
        let old = run.old.files(&place.path);
        let is_edited = |(ext, new): &(&String, &Digest)| {
            is_edited(run, &below(&place.path, ext), &[Some(**new), old.get(*ext).copied()])
        };
        let edited: Vec<_> = digests.iter().filter(is_edited).collect();
        edited.into_iter().map(|(ext, _)| format!("data/{}", below(&place.path, ext))).collect::<Vec<_>>()
    });
    files.collect()
}

/// Reports a `test_group.yaml` that equals neither the version made before nor the new one.
pub(super) fn keeps_edited_group(run: &mut Run, below: &str, new: &Digest) -> bool {
    let edited = is_edited(run, below, &[Some(*new), run.old.groups.get(below).copied()]);
    if edited {
        run.done.findings.extend(EditedByHand(vec![format!("data/{below}")]).findings());
    }
    edited
}

/// Whether a file exists that equals none of these and differs from the lock.
fn is_edited(run: &Run, below: &str, known: &[Option<Digest>]) -> bool {
    let path = run.data().join(below);
    if !is_there(&path) {
        return false;
    }
    let locked = run.locked.as_ref().and_then(|files| files.get(&format!("data/{below}")));
    match Digest::of_file(&path) {
        Ok(found) => !known.contains(&Some(found)) && locked != Some(&found),
        Err(_) => true,
    }
}

/// Also true for a dangling link.
fn is_there(path: &Path) -> bool {
    fs::symlink_metadata(path).is_ok()
}
