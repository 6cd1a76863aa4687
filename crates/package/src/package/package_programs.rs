//! Finds programs in their directories: each is a file or a directory. Other modules decide on the language.

use super::{
    Message, PackageProgram,
    disk::{Disk, Item, file_stem},
};
use crate::language::SourceFiles;
use kopek_base::Bytes;
use std::path::Path;

/// Maximum size of the sources of a package's program.
pub const TOOL_CODE_LIMIT: Bytes = Bytes::mib(64);

pub(super) fn program_source(disk: &Disk, item: &Item, findings: &mut Vec<Message>) -> SourceFiles {
    if item.is_dir {
        let files = disk.files(&item.path, findings);
        if files.is_empty() {
            let hint = "put its files there, or remove the directory";
            findings.push(Message::error(&item.path, "is a program without files").todo(hint));
        }
        return SourceFiles { root: disk.path(&item.path), files };
    }
    let dir = item.path.parent().unwrap_or(Path::new(""));
    SourceFiles { root: disk.path(dir), files: vec![item.name.clone().into()] }
}

/// All programs of a directory. Programs that differ only in their endings share a name, and so their
/// settings.
pub(super) fn all_programs(disk: &Disk, dir: &str, findings: &mut Vec<Message>) -> Vec<PackageProgram> {
    let found = program_items(disk, dir, findings);
    let program = |item: Item| {
        let source = program_source(disk, &item, findings);
        (!source.files.is_empty()).then(|| PackageProgram { name: program_name(&item).to_owned(), source })
    };
    found.into_iter().filter_map(program).collect()
}

/// The only program of a directory: its only entry, or the directory itself where it clearly is the program.
pub(super) fn single_program(disk: &Disk, dir: &str, findings: &mut Vec<Message>) -> Option<PackageProgram> {
    let item = disk.item(dir, findings).filter(|item| item.is_dir)?;
    let mut candidates = program_items(disk, dir, findings);
    if candidates.len() > 1 && is_one_program(&candidates) {
        return Some(PackageProgram {
            name: item.name.clone(),
            source: program_source(disk, &item, findings),
        });
    }
    if candidates.len() > 1 {
        let names: Vec<&str> = candidates.iter().map(|item| item.name.as_str()).collect();
        let what = format!("holds {} programs, expected one: {}", candidates.len(), names.join(", "));
        findings
            .push(Message::error(dir, what).todo("put the files of one program into a directory below it"));
        // The error is reported. One program is kept so that the rest of the package can be checked.
        candidates.truncate(1);
    }
    let Some(only) = candidates.pop() else {
        findings.push(Message::error(dir, "holds no program").todo("add one, or remove the directory"));
        return None;
    };
    let whole = if has_headers(disk, dir, &only) { &item } else { &only };
    let source = program_source(disk, whole, findings);
    (!source.files.is_empty()).then(|| PackageProgram { name: program_name(&only).to_owned(), source })
}

/// Whether the only C file has headers beside it, and forms a program with them.
fn has_headers(disk: &Disk, dir: &str, only: &Item) -> bool {
    let header = |item: &Item| [".h", ".hpp"].iter().any(|ending| item.name.ends_with(ending));
    is_c(only) && disk.list(Path::new(dir), &mut Vec::new()).items.iter().any(header)
}

fn program_items(disk: &Disk, dir: &str, findings: &mut Vec<Message>) -> Vec<Item> {
    let listing = disk.list(Path::new(dir), findings);
    listing.report_ignored(Path::new(dir), findings);
    listing.items.into_iter().filter(|item| item.is_dir || !is_beside(&item.name)).collect()
}

fn program_name(item: &Item) -> &str {
    if item.is_dir { &item.name } else { file_stem(&item.name) }
}

/// Whether a file beside programs is not a program.
fn is_beside(name: &str) -> bool {
    let lower = name.to_ascii_lowercase();
    lower.starts_with("readme")
        || [".md", ".txt", ".h", ".hpp", ".inc", ".yaml", ".template"]
            .iter()
            .any(|ending| lower.ends_with(ending))
}

/// With only one program allowed, several C files in one directory are its parts, with directories of headers, and so are
/// the modules beside a `main.rs`.
fn is_one_program(items: &[Item]) -> bool {
    let has = |name: &str| items.iter().any(|item| item.name == name && !item.is_dir);
    let are_parts = items.iter().any(is_c) && items.iter().all(|item| item.is_dir || is_c(item));
    let is_crate = has("main.rs") && items.iter().all(|item| item.is_dir || item.name.ends_with(".rs"));
    has("build") || has("run") || has("__main__.py") || are_parts || is_crate
}

fn is_c(item: &Item) -> bool {
    let c = [".c", ".cc", ".cpp", ".cxx", ".c++", ".C"];
    !item.is_dir && c.iter().any(|ending| item.name.ends_with(ending))
}
