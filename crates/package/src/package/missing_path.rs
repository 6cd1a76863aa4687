//! Suggestions for paths that do not exist.

use super::nearest_word;
use kopek_base::files::directory_of;
use std::{fs, path::Path};

/// An error about a missing path, with the nearest name in its folder.
pub fn missing_path(what: &str, path: &Path) -> anyhow::Error {
    let near = near_name(path).map(|near| format!("; did you mean `{near}`?")).unwrap_or_default();
    anyhow::anyhow!("{what} {}: no such file or directory{near}", path.display())
}

/// An entry of the same folder with a similar name.
fn near_name(path: &Path) -> Option<String> {
    let folder = directory_of(path);
    let name = path.file_name()?.to_string_lossy().into_owned();
    let entries = fs::read_dir(folder).ok()?.filter_map(|entry| Some(entry.ok()?.file_name()));
    let names: Vec<String> = entries.map(|name| name.to_string_lossy().into_owned()).collect();
    let known: Vec<&str> = names.iter().map(String::as_str).filter(|name| !name.starts_with('.')).collect();
    let stem = |name: &str| name.split('.').next().unwrap_or(name).to_owned();
    let same_stem = known.iter().find(|known| stem(known) == stem(&name)).copied();
    let near = nearest_word(&name, &known).or(same_stem)?;
    Some(path.with_file_name(near).display().to_string())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_slip_finds_its_neighbour() {
        let dir = tempfile::tempdir().unwrap();
        fs::create_dir(dir.path().join("sums")).unwrap();
        fs::write(dir.path().join("ada.cpp"), "").unwrap();
        let near = |name: &str| {
            near_name(&dir.path().join(name)).map(|near| near.rsplit('/').next().unwrap().to_owned())
        };
        assert_eq!(near("sumz").as_deref(), Some("sums"));
        assert_eq!(near("ada.py").as_deref(), Some("ada.cpp"));
        assert_eq!(near("elsewhere"), None);
    }
}
