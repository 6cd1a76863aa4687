//! Chooses the sources that are compiled together with the entry point.

use super::{
    found_source::FoundSource,
    scan_result::{ProgramStart, names_file},
};
use kopek_engine::language::EntryPoint;
use std::collections::BTreeSet;

/// Where the source with the entry point comes from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum StartOfProgram {
    /// The package; then every source of the hand-in is a part.
    Package,
    /// The hand-in.
    HandIn,
}

/// The chosen source and its parts: for a compiled language every source without its own entry point, else
/// the sources that it names. Tests and other programs are excluded, so their errors do no harm. An unreadable
/// source could be a part.
pub(super) fn parts_of_program(sources: &[FoundSource], chosen: usize, start: StartOfProgram) -> Vec<usize> {
    let driven = start == StartOfProgram::Package;
    let code = &sources[chosen].language.code;
    let joined = !matches!(sources[chosen].language.entry, EntryPoint::File(_));
    let is_part = |at: usize| {
        let source = &sources[at];
        let quiet = source.scan.start != ProgramStart::Declared || source.unreadable.is_some() || driven;
        source.language.code == *code && !source.is_test && (quiet && joined || driven)
    };
    let mut kept = vec![chosen];
    kept.extend((0..sources.len()).filter(|&at| at != chosen && is_part(at)));
    if !sources[chosen].language.one_start {
        add_named(sources, &mut kept);
    }
    kept.sort_unstable();
    kept
}

/// Adds the sources that the kept ones name, recursively.
fn add_named(sources: &[FoundSource], kept: &mut Vec<usize>) {
    let code = sources[kept[0]].language.code.clone();
    let mut words: BTreeSet<String> = BTreeSet::new();
    kept.iter().for_each(|&at| words.extend(sources[at].scan.words.iter().cloned()));
    loop {
        let named = (0..sources.len()).find(|&at| {
            let source = &sources[at];
            let is_named = names_file(&words, &source.stem()) || source.stem() == "__init__";
            !kept.contains(&at) && source.language.code == code && is_named
        });
        let Some(at) = named else { return };
        words.extend(sources[at].scan.words.iter().cloned());
        kept.push(at);
    }
}
