//! Numbers instead of names, and the teacher's private key.

use super::{
    course_event::{CourseEvent, OnCourseEvent, warn},
    report_folder::is_inside,
};
use anyhow::{Context, Result, bail};
use kopek_base::files::write_atomic;
use kopek_class::{NameCheck, NumberKey};
use kopek_package::package::{NoSubmission, Participant};
use std::{
    fs, io,
    path::{Path, PathBuf},
};

/// Reads the key, adds new participants and writes it, so that an interrupted run keeps its numbers.
pub(super) fn open_key(
    place: Option<&Path>,
    folder: &Path,
    out: Option<&Path>,
    classes: &[Vec<Participant>],
    on_event: &mut OnCourseEvent,
) -> Result<NumberKey> {
    let place = match place {
        Some(place) => place.to_owned(),
        None => default_place(folder)?,
    };
    if out.is_some_and(|out| is_inside(&place, out)) {
        bail!(
            "--anonymous: the key {} is inside --out, which others may see; choose another place with \
                    --anonymous=FILE",
            place.display()
        );
    }
    let mut key = read_key(&place).with_context(|| format!("read the key {}", place.display()))?;
    key.add(classes.iter().flatten())?;
    write_atomic(&place, &key.to_csv()?).with_context(|| {
        format!("write the key {}; choose another place with --anonymous=FILE", place.display())
    })?;
    let place = place.display();
    on_event(CourseEvent::Said(format!("replaced names with numbers; the key is {place} (keep it private)")));
    Ok(key)
}

/// Replaces the names in the classes with numbers.
pub(super) fn hide_names(
    key: &NumberKey,
    names: &NameCheck,
    classes: &mut [Vec<Participant>],
    on_event: &mut OnCourseEvent,
) -> Result<()> {
    for class in classes {
        key.hide_names(class, names)?;
        for Participant { name, submission, .. } in class {
            if let Err(why @ (NoSubmission::Refused(_) | NoSubmission::Undecided(_))) = submission {
                warn([format!("{name}: {why}; a report with names says more")], on_event);
            }
        }
    }
    Ok(())
}

fn read_key(place: &Path) -> Result<NumberKey> {
    match fs::read_to_string(place) {
        Ok(text) => NumberKey::parse(&text),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(NumberKey::default()),
        Err(error) => Err(error.into()),
    }
}

/// Next to the folder of hand-ins: inside, the key could count as a hand-in or be shared with them.
fn default_place(folder: &Path) -> Result<PathBuf> {
    let whole = folder.canonicalize().with_context(|| format!("read {}", folder.display()))?;
    let Some(name) = whole.file_name() else {
        bail!("--anonymous: give the key a name with --anonymous=FILE")
    };
    let stem = name.to_string_lossy();
    let stem = [".zip", ".tar", ".tar.gz", ".tgz"]
        .iter()
        .find_map(|ending| stem.strip_suffix(ending))
        .unwrap_or(&stem);
    let name = format!("{stem}.key.csv");
    // The path as given by the teacher, if possible.
    Ok(match folder.file_name() {
        Some(_) => folder.with_file_name(name),
        None => whole.with_file_name(name),
    })
}
