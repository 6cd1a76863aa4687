//! Constants of a package put into its program files. A source with constants in
//! it becomes another source, kept in the store; one without stays what it is.

use crate::{language::Source, package::fill_constants, store::Store};
use anyhow::{Context, Result};
use std::{collections::BTreeMap, fs, path::Path};

/// The source with every known `{{name}}` replaced.
pub fn filled(store: &Store, source: &Source, constants: &BTreeMap<String, String>) -> Result<Source> {
    if constants.is_empty() {
        return Ok(source.clone());
    }
    let mut texts = Vec::new();
    for file in &source.files {
        let path = source.root.join(file);
        let bytes = fs::read(&path).with_context(|| format!("read {}", path.display()))?;
        texts.push(changed(&bytes, constants));
    }
    if texts.iter().all(Option::is_none) {
        return Ok(source.clone());
    }
    let home = tempfile::tempdir().context("make a directory for constants to be put in")?;
    for (file, text) in source.files.iter().zip(texts) {
        lay(&source.root.join(file), &home.path().join(file), text)?;
    }
    let blob = store.put_tree(home.path())?;
    let root =
        store.tree(&blob)?.context("a program with its constants vanished from the store; run again")?;
    Ok(Source { root, files: source.files.clone() })
}

/// The text with constants in it; `None`: it has none, or is no text.
fn changed(bytes: &[u8], constants: &BTreeMap<String, String>) -> Option<String> {
    memchr::memmem::find(bytes, b"{{")?;
    let text = std::str::from_utf8(bytes).ok()?;
    Some(fill_constants(text, constants)).filter(|filled| filled != text)
}

/// Copied first, so that a script stays executable.
fn lay(from: &Path, to: &Path, text: Option<String>) -> Result<()> {
    let lay = || -> std::io::Result<()> {
        to.parent().map_or(Ok(()), fs::create_dir_all)?;
        fs::copy(from, to)?;
        text.map_or(Ok(()), |text| fs::write(to, text))
    };
    lay().with_context(|| format!("put constants into {}", from.display()))
}
