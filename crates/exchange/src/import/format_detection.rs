//! Detects the format of a source by its files.

use super::{imported::ForeignFormat, italian, polygon, source::ForeignPackage};
use anyhow::{Result, bail, ensure};

/// The format of the source; `None`: it has no manifest.
pub fn detect_format(source: &ForeignPackage) -> Result<Option<ForeignFormat>> {
    if source.has(polygon::FILE) {
        return Ok(Some(ForeignFormat::Polygon));
    }
    if let Some(file) = source.first_of(italian::FILES) {
        check_italian_dialect(source, file)?;
        return Ok(Some(ForeignFormat::Italian));
    }
    if source.has("problem.yaml") {
        bail!("it holds problem.yaml: a package of this format already; nothing to import");
    }
    if source.has("task.toml") {
        bail!("it holds task.toml, from which task.yaml is made: make it first, and import again");
    }
    check_sinol(source)?;
    Ok(None)
}

/// Whether a directory of the source is a package with a manifest.
pub fn has_manifest(source: &ForeignPackage, dir: &str) -> bool {
    let start = if dir.is_empty() { String::new() } else { format!("{dir}/") };
    let mut files = [polygon::FILE, "problem.yaml"].iter().chain(italian::FILES);
    files.any(|file| source.has(&format!("{start}{file}")))
}

/// Keys of task.yaml in the dialect of the Austrian olympiad, which lists tests, solutions and texts there.
const AUSTRIAN_KEYS: [&str; 6] =
    ["long_name", "subtasks", "testcases", "test_submissions", "sample_solution", "extends"];

/// Refuses a task.yaml of another dialect than the Italian format.
fn check_italian_dialect(source: &ForeignPackage, file: &str) -> Result<()> {
    if source.has(italian::TESTS) {
        return Ok(());
    }
    let text = source.read_text(file)?;
    let is_key = |key: &&str| text.lines().any(|line| line.split(':').next() == Some(*key) && *key != line);
    let keys: Vec<&str> = AUSTRIAN_KEYS.into_iter().filter(is_key).collect();
    ensure!(
        keys.is_empty(),
        "{file} has the keys {}: this is not the Italian format but a dialect of it, as the Austrian olympiad \
         (cms-aoi-import) writes it, which kopek does not read; build the task with its own tool, and put the tests \
         that this makes into data/secret of a package that `kopek init` begins",
        keys.join(", ")
    );
    Ok(())
}

/// Refuses a package of sinol-make, and names that format.
fn check_sinol(source: &ForeignPackage) -> Result<()> {
    let has_dir = |dir: &str| source.paths().any(|path| path.starts_with(dir));
    let says_so = || {
        Ok::<_, anyhow::Error>(source.has("config.yml") && source.read_text("config.yml")?.contains("sinol_"))
    };
    ensure!(
        !(has_dir("prog/") && (source.has("config.yml") || has_dir("in/")) || says_so()?),
        "this is a package of sinol-make (config.yml, prog/, in/, out/), the format of the Polish olympiad, which \
         kopek does not read; put the tests of in/ and out/ into data/secret of a package that `kopek init` begins"
    );
    Ok(())
}
