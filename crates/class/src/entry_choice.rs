//! Chooses the program among the files of a hand-in. Never guesses silently: the teacher decides unclear cases.
//!
//! Tests and data are skipped. Then, in this order: the file that the teacher names; the only file with an
//! entry point; if there are several, the one named like the package, `main` or `solution`.

use super::{
    entry_point::{EntryRequest, entry_name},
    found_files::{FoundFile, is_foreign_archive, not_unpacked, plain_name},
    found_source::{
        FoundSource, OtherFile, file_stem, find_sources, is_header, read_bytes, read_other, unread_text,
    },
    program_contents::{StartOfProgram, parts_of_program, program_contents, two_files},
    source_scan::{ProgramStart, names_file, scan_source},
};
use kopek_base::{Bytes, composed_name, wording::shortened};
use kopek_package::{
    language::{
        EntryPoint, FileBytes, LanguageTable, Links, SourceFile, SourceFiles, other_version, read_files,
    },
    package::{NoSubmission, Package, Submission},
};
use kopek_sentences::{Names, Said};
use std::{collections::BTreeSet, ffi::OsStr, path::Path};

/// The rules of the choice, apart from the files.
pub(super) struct ChoiceRules<'a> {
    pub(super) package: &'a Package,
    pub(super) table: &'a LanguageTable,
    /// File names that the teacher prefers for all participants.
    pub(super) preferred: &'a [String],
    /// The teacher's decision for this participant.
    pub(super) decided: Option<&'a str>,
}

#[derive(Debug)]
pub(super) struct ProgramChoice {
    pub(super) submission: Result<Submission, NoSubmission>,
    pub(super) entry: Option<String>,
    pub(super) other_files: usize,
    /// Files that the program does not get, apart from those of which a note says why.
    pub(super) left_out: Vec<String>,
    pub(super) notes: Vec<Said>,
}

/// Why no source is chosen.
struct NoChoice {
    why: Box<NoSubmission>,
    /// Those among which a person must choose.
    open: Vec<usize>,
}

impl From<NoSubmission> for NoChoice {
    fn from(why: NoSubmission) -> NoChoice {
        NoChoice { why: why.into(), open: Vec::new() }
    }
}

/// The decision that a hand-in has no program.
const NOTHING: &str = "-";

/// Chooses the program among the files of a hand-in by `name`.
pub(super) fn choose_program(name: &str, files: &[FoundFile], rules: &ChoiceRules) -> ProgramChoice {
    if rules.package.kind.submit_answer {
        return all_files(name, files, rules.package.limits.output);
    }
    if let Some(why) = repeated_name(files) {
        return ProgramChoice::without(why, files);
    }
    let limit = rules.package.limits.code;
    let sources = find_sources(files, rules.table, limit.max(MAX_READ));
    let chosen = match choose_source(name, &sources, files, rules) {
        Ok(chosen) => chosen,
        Err(none) => return ProgramChoice::open(none, &sources, files),
    };
    let entry = &sources[chosen];
    let refused = |why| ProgramChoice::refused(why, entry, files);
    let driven = has_driver(rules.package, entry);
    let start = if driven { StartOfProgram::Package } else { StartOfProgram::HandIn };
    let kept = parts_of_program(&sources, chosen, start);
    if let Some(why) = kept.iter().find_map(|&at| sources[at].unreadable.clone()) {
        return refused(why);
    }
    if kept.iter().all(|&at| sources[at].is_empty()) {
        return refused(NoSubmission::Refused(Said::FileEmpty));
    }
    let request = EntryRequest {
        participant: name,
        source: entry,
        is_alone: kept.len() == 1,
        is_driven: driven,
        package: &rules.package.name,
    };
    let declared = match entry_name(&request) {
        Ok(declared) => declared,
        Err(why) => return refused(why),
    };
    let parts: Vec<&FoundSource> = kept.iter().map(|&at| &sources[at]).collect();
    let is_source = |file: &&FoundFile| sources.iter().any(|source| source.handed_in == file.name);
    let others = files.iter().filter(|file| !is_source(file)).collect();
    let contents = match program_contents(&parts, others, limit) {
        Ok(contents) => contents,
        Err(why) => return refused(why),
    };
    let is_left_out = |file: &&FoundFile| {
        let is_known = contents.files.contains_key(&file.name) || contents.skipped.contains_key(&file.name);
        !is_known && parts.iter().all(|part| part.handed_in != file.name)
    };
    let left_out = files.iter().filter(is_left_out);
    let left_out = left_out.map(|file| file.name.display().to_string()).collect();
    let notes = parts.into_iter().flat_map(notes_of).chain(contents.skipped.into_values()).collect();
    let submission = submission_of(name, contents.files, files);
    let language = Some(entry.language.code.clone());
    ProgramChoice {
        submission: Ok(Submission { language, entry: declared, ..submission }),
        entry: Some(entry.handed_in.display().to_string()),
        other_files: files.len() - 1,
        left_out,
        notes,
    }
}

/// Why no file can be chosen: two different files have one name, as letters with accents can be written in two ways,
/// and archives and uploads can hold equal names.
fn repeated_name(files: &[FoundFile]) -> Option<NoSubmission> {
    let mut names = BTreeSet::new();
    let again = files.iter().find(|file| !names.insert(&file.name))?;
    Some(two_files(&again.name))
}

impl ProgramChoice {
    pub(super) fn without(why: NoSubmission, files: &[FoundFile]) -> ProgramChoice {
        ProgramChoice { other_files: files.len(), ..ProgramChoice::with_all(Err(why)) }
    }

    fn open(none: NoChoice, sources: &[FoundSource], files: &[FoundFile]) -> ProgramChoice {
        let left_out = none.open.iter().map(|&at| sources[at].handed_in.display().to_string()).collect();
        ProgramChoice { left_out, ..ProgramChoice::without(*none.why, files) }
    }

    /// A program that no file is left out of.
    pub(super) fn with_all(submission: Result<Submission, NoSubmission>) -> ProgramChoice {
        ProgramChoice { submission, entry: None, other_files: 0, left_out: Vec::new(), notes: Vec::new() }
    }

    /// The program is known, but cannot be judged.
    fn refused(why: NoSubmission, source: &FoundSource, files: &[FoundFile]) -> ProgramChoice {
        let entry = Some(source.handed_in.display().to_string());
        ProgramChoice { entry, other_files: files.len() - 1, ..ProgramChoice::without(why, files) }
    }
}

/// Maximum total size of the sources of a hand-in that are scanned.
const MAX_READ: Bytes = Bytes::mib(16);

/// Maximum size of a source or header to compare: a larger one is not written by hand.
const MAX_SOURCE: Bytes = Bytes::mib(1);

/// All sources of a hand-in except tests, and its headers.
pub(super) fn every_source(name: &str, files: &[FoundFile], table: &LanguageTable) -> ProgramChoice {
    let sources = find_sources(files, table, MAX_READ);
    let by_hand = |file: &SourceFile| file.bytes.len() as u64 <= MAX_SOURCE.0;
    let readable = sources
        .iter()
        .filter(|source| !source.is_test && source.unreadable.is_none() && by_hand(&source.file));
    let mut contents: FileBytes = readable.map(|source| (source.name.clone(), source.file.clone())).collect();
    if contents.is_empty() {
        return ProgramChoice::without(no_source(files, MAX_READ, None), files);
    }
    let headers = files.iter().filter(|file| is_header(&file.name));
    contents.extend(headers.filter_map(|file| match read_other(file, MAX_SOURCE) {
        Ok(OtherFile::Read(read)) => Some((file.name.clone(), read)),
        Ok(OtherFile::TooLarge(_)) | Err(_) => None,
    }));
    ProgramChoice::with_all(Ok(submission_of(name, contents, files)))
}

/// All files: for a submit-answer package every file is an output.
fn all_files(name: &str, files: &[FoundFile], limit: Bytes) -> ProgramChoice {
    let mut contents = FileBytes::new();
    for file in files {
        match read_bytes(file, limit) {
            Ok(read) => {
                if contents.insert(file.name.clone(), read).is_some() {
                    return ProgramChoice::without(two_files(&file.name), files);
                }
            }
            Err(why) => return ProgramChoice::without(why, files),
        }
    }
    if contents.is_empty() {
        return ProgramChoice::without(NoSubmission::Refused(Said::NoFiles), files);
    }
    let entry = files.first().map(|file| file.name.display().to_string());
    let submission = Ok(submission_of(name, contents, files));
    ProgramChoice { entry, other_files: files.len() - 1, ..ProgramChoice::with_all(submission) }
}

/// The caller sets `language` and `entry`.
fn submission_of(name: &str, contents: FileBytes, files: &[FoundFile]) -> Submission {
    // The root distinguishes example submissions of the package from hand-ins.
    let root = files.first().map(|file| file.root.to_path_buf()).unwrap_or_default();
    let source = SourceFiles { root, files: contents.keys().cloned().collect() };
    let contents = Some(contents);
    Submission { name: name.to_owned(), source, contents, language: None, entry: None, tags: Vec::new() }
}

fn choose_source(
    name: &str,
    sources: &[FoundSource],
    files: &[FoundFile],
    rules: &ChoiceRules,
) -> Result<usize, NoChoice> {
    if let Some(decided) = rules.decided {
        return decided_source(sources, decided);
    }
    let pool = considered_sources(sources, rules.package);
    let Some(&first) = pool.first() else {
        let allowed = rules.package.languages.as_deref();
        return Err(no_source(files, rules.package.limits.code.max(MAX_READ), allowed).into());
    };
    match matching(sources, &pool, rules.preferred).as_slice() {
        [only] => return Ok(*only),
        [] => {}
        several => return Err(undecided(name, sources, several)),
    }
    if pool.len() == 1 || has_driver(rules.package, &sources[first]) {
        return Ok(first);
    }
    let starts = starting_sources(sources, &pool);
    match starts.as_slice() {
        [only] => Ok(*only),
        // The error of its compiler or linker is clearer than ours.
        [] if is_one_linked_language(sources, &pool) => Ok(first),
        [] => by_name(sources, &pool, rules).ok_or_else(|| undecided(name, sources, &pool)),
        several => by_name(sources, several, rules).ok_or_else(|| undecided(name, sources, several)),
    }
}

fn decided_source(sources: &[FoundSource], decided: &str) -> Result<usize, NoChoice> {
    if decided == NOTHING {
        return Err(NoSubmission::Refused(Said::CountsAsNone).into());
    }
    let all: Vec<usize> = (0..sources.len()).collect();
    match matching(sources, &all, &[decided.to_owned()]).as_slice() {
        [only] => Ok(*only),
        [] => {
            let names = list_names(sources, &all);
            let why = format!("the decision names {decided}, but the hand-in has {names}");
            Err(NoChoice { why: NoSubmission::Undecided(why).into(), open: all })
        }
        several => {
            let names = list_names(sources, several);
            let why = format!("the decision names {decided}, which could be {names}; give the whole path");
            Err(NoChoice { why: NoSubmission::Undecided(why).into(), open: several.to_vec() })
        }
    }
}

/// The sources without tests, and without languages that the package excludes, unless none would remain.
fn considered_sources(sources: &[FoundSource], package: &Package) -> Vec<usize> {
    let allowed = |at: &usize| {
        package.languages.as_ref().is_none_or(|codes| codes.contains(&sources[*at].language.code))
    };
    let all: Vec<usize> = (0..sources.len()).collect();
    let without_tests: Vec<usize> = all.iter().copied().filter(|&at| !sources[at].is_test).collect();
    let pool = if without_tests.is_empty() { all } else { without_tests };
    let taken: Vec<usize> = pool.iter().copied().filter(allowed).collect();
    if taken.is_empty() { pool } else { taken }
}

/// The sources with the first name that matches any: by path, else by file name, ignoring case.
fn matching(sources: &[FoundSource], pool: &[usize], names: &[String]) -> Vec<usize> {
    for name in names.iter().map(|name| composed_name(&name.to_lowercase())) {
        let lower = |path: &Path| path.to_string_lossy().to_lowercase();
        let whole = |at: &&usize| lower(&sources[**at].handed_in) == name;
        let short =
            |at: &&usize| lower(Path::new(sources[**at].handed_in.file_name().unwrap_or_default())) == name;
        let by = |is: &dyn Fn(&&usize) -> bool| pool.iter().filter(|at| is(at)).copied().collect::<Vec<_>>();
        let found = Some(by(&whole)).filter(|found| !found.is_empty()).unwrap_or_else(|| by(&short));
        if !found.is_empty() {
            return found;
        }
    }
    Vec::new()
}

/// The sources with an entry point. A script without a guard that another script imports has none.
fn starting_sources(sources: &[FoundSource], pool: &[usize]) -> Vec<usize> {
    let is_start = |at: &usize| match sources[*at].scan.start {
        ProgramStart::Declared => true,
        ProgramStart::Acts => !is_imported(sources, pool, *at),
        ProgramStart::Nothing => false,
    };
    pool.iter().copied().filter(is_start).collect()
}

fn is_imported(sources: &[FoundSource], pool: &[usize], at: usize) -> bool {
    let stem = sources[at].stem();
    let imports_it = |other: usize| {
        sources[other].language.code == sources[at].language.code
            && names_file(&sources[other].scan.imports, &stem)
    };
    pool.iter().any(|&other| other != at && imports_it(other))
}

fn is_one_linked_language(sources: &[FoundSource], pool: &[usize]) -> bool {
    let codes: BTreeSet<&str> = pool.iter().map(|&at| sources[at].language.code.as_str()).collect();
    codes.len() == 1 && pool.iter().all(|&at| !matches!(sources[at].language.entry, EntryPoint::File(_)))
}

/// The only source named like the package, `main` or `solution`, in this order.
fn by_name(sources: &[FoundSource], pool: &[usize], rules: &ChoiceRules) -> Option<usize> {
    let package = plain_name(&rules.package.name);
    for wanted in [package.as_str(), "main", "solution"] {
        let is_called = |at: &usize| {
            let path = &sources[*at].name;
            let is_of_package = |dir: &OsStr| plain_name(&dir.to_string_lossy()) == package;
            let lies_in = || path.parent().into_iter().flatten().any(is_of_package);
            plain_name(&sources[*at].stem()) == wanted || wanted == package && lies_in()
        };
        let found: Vec<usize> = pool.iter().copied().filter(is_called).collect();
        match found.as_slice() {
            [] => {}
            [only] => return Some(*only),
            // The best name is ambiguous, so a lower one would be a guess.
            _ => return None,
        }
    }
    None
}

fn undecided(name: &str, sources: &[FoundSource], open: &[usize]) -> NoChoice {
    let first = sources[open[0]].handed_in.display().to_string();
    let why = format!(
        "several programs: {}. Say which one counts: a row `{name},{first}` below `participant,entry` in a table for \
         --decisions",
        list_names(sources, open)
    );
    NoChoice { why: NoSubmission::Undecided(why).into(), open: open.to_vec() }
}

fn list_names(sources: &[FoundSource], of: &[usize]) -> String {
    let name = |&at: &usize| sources[at].handed_in.display().to_string();
    shortened(&of.iter().map(name).collect::<Vec<_>>(), 5, ", ")
}

fn no_source(files: &[FoundFile], max: Bytes, allowed: Option<&[String]>) -> NoSubmission {
    // An archive that cannot be unpacked may hold the program.
    if let Some(odd) = files.iter().find(|file| is_foreign_archive(&file.name)) {
        return not_unpacked(odd);
    }
    if let Some(why) = unread_text(files, max) {
        return why;
    }
    if files.is_empty() {
        return NoSubmission::Refused(Said::NoFiles);
    }
    let name = |file: &FoundFile| file.name.display().to_string();
    let names: Vec<String> = files.iter().map(name).collect();
    let files = Names::first(&names, 3);
    NoSubmission::Refused(match allowed {
        Some(codes) => Said::NoAllowedLanguage { languages: codes.join(", "), files },
        None => Said::NoKnownLanguage { files },
    })
}

/// Whether the package has the entry point and the hand-in is only a part.
fn has_driver(package: &Package, source: &FoundSource) -> bool {
    let language = source.language;
    let include = package.include.get(&language.code).or(package.include.get("default"));
    let Some(include) = include else { return false };
    // Files of the package are small and trusted, so links are followed.
    let Ok(files) = read_files(include, Links::Follow, Bytes::mib(64)) else { return false };
    let owned = files.iter().filter(|(path, _)| language.owns(&path.to_string_lossy()));
    let mut starts = owned.map(|(path, file)| match &language.entry {
        EntryPoint::File(default) => path == Path::new(default) || file_stem(path) == "main",
        EntryPoint::Linked | EntryPoint::Class(_) | EntryPoint::Object(_) => {
            let text = String::from_utf8_lossy(&file.bytes);
            scan_source(language, &text).start == ProgramStart::Declared
        }
    });
    starts.any(|is_start| is_start)
}

fn notes_of(source: &FoundSource) -> Vec<Said> {
    let file = (source.name.as_path(), &source.file.bytes[..]);
    // A first line that requests another version already refuses the hand-in.
    let mut notes = source.notes.clone();
    if let Some(sign) = &source.scan.python2
        && other_version(source.language, [file].into_iter()).is_none()
    {
        let file = source.handed_in.display().to_string();
        notes.push(Said::Python2 { file, reason: sign.clone().into() });
    }
    notes
}
