//! Precompiled headers on this machine: chooses headers for builds, and checks that they change no program.
//!
//! A build uses a precompiled header of the standard headers at the beginning of all sources of the program.
//! Headers are chosen for the builds so far and for a list of new builds, and a chosen header stays. The first
//! program is built both ways: if the results differ, the header is not used.

use super::{
    header_choice::{best_header, choose_headers},
    leading_includes::leading_includes,
    precompiled::{EarlierHeaders, contents_of, header_name, precompile_headers, secret_name},
    standard_headers::HeaderRun,
};
use crate::store::Store;
use kopek_base::Digest;
use kopek_package::language::{Language, ReadyLanguage};
use kopek_plan::plan::{BuildTask, Job, Task};
use kopek_sandbox::RunPrograms;
use serde::{Deserialize, Serialize};
use std::{
    collections::{BTreeMap, BTreeSet},
    fs,
    path::PathBuf,
    sync::{Mutex, MutexGuard, PoisonError},
};

/// Chooses headers and gives them to builds. Their records are in the store.
#[derive(Default)]
pub(crate) struct PrecompiledHeaders(Mutex<HeadersOfRun>);

#[derive(Default)]
struct HeadersOfRun {
    /// Headers that a build makes or tries. The other builds do without: waiting would leave their CPUs idle for
    /// longer than such a build takes.
    busy: BTreeSet<PathBuf>,
    /// Why headers are not used, to show.
    failures: BTreeMap<PathBuf, String>,
}

/// The headers for a row with its toolchain.
#[derive(Clone, Copy)]
pub(super) struct HeaderList<'a> {
    pub store: &'a Store,
    pub row: &'a Language,
    pub toolchain: &'a Digest,
}

/// The stored record of the headers at the beginning of programs.
#[derive(Clone, Default, Serialize, Deserialize)]
struct HeaderRecord {
    headers: HeaderRun,
    /// Programs that begin with them and had no header of that size.
    programs: u32,
    is_chosen: bool,
    /// See [`contents_of`].
    contents: Vec<String>,
    /// Whether a program was equal with and without it; `None` if none was built yet.
    is_harmless: Option<bool>,
}

/// At most this many runs of headers are recorded, so that the record stays small.
const REMEMBERED: usize = 100;

/// A header that a build may use.
pub(crate) struct ChosenHeader<'a> {
    list: HeaderList<'a>,
    record: HeaderRecord,
    pub at: PathBuf,
}

/// The tools to make a header.
pub(crate) struct HeaderBuild<'a> {
    pub store: &'a Store,
    pub slot: &'a mut dyn RunPrograms,
    pub language: ReadyLanguage<'a>,
    /// Whether the toolchain is still the one that was identified.
    pub is_unchanged: &'a dyn Fn() -> bool,
}

/// The turn of one build to make and try a header.
pub(crate) struct HeaderTrial<'a>(&'a PrecompiledHeaders, PathBuf);

impl PrecompiledHeaders {
    /// Chooses headers for these jobs and sorts them: first a build for each missing header, the largest first; last the
    /// builds that are quick once their header exists, those that wait shortest for it first.
    pub(crate) fn sort(&self, store: &Store, mut jobs: Vec<Job>) -> Vec<Job> {
        let mut by_list: BTreeMap<String, (HeaderList, Vec<HeaderRun>)> = BTreeMap::new();
        for job in &jobs {
            let Task::Build(task) = &job.task else { continue };
            let leading = leading_headers(store, task);
            if !leading.is_light() {
                let list = HeaderList::of(store, task);
                by_list.entry(list.name()).or_insert_with(|| (list, Vec::new())).1.push(leading);
            }
        }
        for (list, programs) in by_list.values() {
            self.choose(*list, programs);
        }
        let mut first = BTreeSet::new();
        jobs.sort_by_cached_key(|job| {
            let Task::Build(task) = &job.task else { return (1, 0) };
            let Some(header) = self.header_of(store, task) else { return (1, 0) };
            let size = i64::from(header.record.headers.size());
            match () {
                () if header.is_ready() => (2, 0),
                () if first.insert(header.at.clone()) => (0, -size),
                () => (3, size),
            }
        });
        jobs
    }

    /// The header for a build that leaves the least to parse.
    pub(crate) fn header_of<'a>(&self, store: &'a Store, task: &'a BuildTask) -> Option<ChosenHeader<'a>> {
        let leading = leading_headers(store, task);
        if leading.is_light() {
            return None;
        }
        let list = HeaderList::of(store, task);
        let chosen = list.read().into_iter().filter(|record| leading.begins_with(&record.headers));
        let usable = chosen.filter(|record| self.is_usable(list, record));
        list.header(usable.max_by_key(|record| record.headers.size())?)
    }

    /// Begins to make and try a header, unless another build does.
    pub(crate) fn begin(&self, header: &ChosenHeader) -> Option<HeaderTrial<'_>> {
        let is_first = self.lock().busy.insert(header.at.clone());
        is_first.then(|| HeaderTrial(self, header.at.clone()))
    }

    /// Records why a header is not used.
    pub(crate) fn fail(&self, header: &ChosenHeader, why: &str) {
        let why = format!("{}: {why}", header.list.row.name);
        self.lock().failures.insert(header.at.clone(), why);
    }

    /// Why headers are not used, to show.
    pub(crate) fn failures(&self) -> BTreeSet<String> {
        self.lock().failures.values().cloned().collect()
    }

    fn choose(&self, list: HeaderList, programs: &[HeaderRun]) {
        let mut records = list.read();
        for record in &mut records {
            // One that was pruned is made again only if it pays today.
            if record.is_harmless != Some(false)
                && !record.contents.is_empty()
                && list.header(record.clone()).is_none_or(|header| !header.at.is_dir())
            {
                *record = HeaderRecord { headers: record.headers.clone(), ..HeaderRecord::default() };
            }
        }
        let is_chosen = |record: &&HeaderRecord| record.is_chosen;
        let usable = |record: &&HeaderRecord| self.is_usable(list, record);
        let tried = runs(records.iter().filter(is_chosen));
        let usable = runs(records.iter().filter(usable));
        for headers in programs {
            let is_served = best_header(headers, &usable).is_some_and(|best| best.size() == headers.size());
            if !is_served {
                // The latest are last.
                let mut record = taken(&mut records, headers);
                record.programs = record.programs.saturating_add(1);
                records.push(record);
            }
        }
        let counts: Vec<(HeaderRun, u32)> =
            records.iter().map(|record| (record.headers.clone(), record.programs)).collect();
        for headers in choose_headers(&counts, &usable, &tried) {
            let record = taken(&mut records, &headers);
            records.push(HeaderRecord { is_chosen: true, ..record });
        }
        let mut forgotten = records.len().saturating_sub(REMEMBERED);
        records.retain(|record| {
            let is_kept = record.is_chosen || forgotten == 0;
            forgotten -= usize::from(!is_kept);
            is_kept
        });
        list.write(&records);
    }

    fn is_usable(&self, list: HeaderList, record: &HeaderRecord) -> bool {
        if !record.is_chosen {
            return false;
        }
        let Some(header) = list.header(record.clone()) else { return false };
        if record.is_harmless == Some(false) {
            self.fail(&header, CHANGES);
        }
        !self.lock().failures.contains_key(&header.at)
    }

    fn lock(&self) -> MutexGuard<'_, HeadersOfRun> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

fn runs<'a>(records: impl Iterator<Item = &'a HeaderRecord>) -> Vec<HeaderRun> {
    records.map(|record| record.headers.clone()).collect()
}

/// Takes the record of these headers out of the list, a new one if there is none.
fn taken(records: &mut Vec<HeaderRecord>, headers: &HeaderRun) -> HeaderRecord {
    let at = records.iter().position(|record| record.headers == *headers);
    let new = || HeaderRecord { headers: headers.clone(), ..HeaderRecord::default() };
    at.map_or_else(new, |at| records.remove(at))
}

/// The standard headers that all sources of a program include first, for a row that precompiles headers.
fn leading_headers(store: &Store, task: &BuildTask) -> HeaderRun {
    let read = || -> Option<HeaderRun> {
        let row = &task.language;
        row.precompiled.as_ref()?;
        // Compilers could read their own arguments there.
        if row.proc || row.build_proc {
            return None;
        }
        let mut leading: Option<HeaderRun> = None;
        for file in &task.files {
            let text = store.read(&file.digest).ok()?;
            if must_be_built_alone(&text) {
                return None;
            }
            if file.path.to_str().is_some_and(|path| task.language.owns(path)) {
                let of_file = leading_includes(&text);
                leading = Some(match leading {
                    Some(all) => all.shared_beginning(&of_file),
                    None => of_file,
                });
            }
        }
        Some(leading?.before_files(task.files.iter().map(|file| &*file.path)))
    };
    read().unwrap_or_default()
}

/// Whether two builds of a source may differ, or one with a header from one without.
pub(super) fn must_be_built_alone(text: &[u8]) -> bool {
    // g++ does not import a file with the contents of one that is in the precompiled header. `import` cannot come
    // out of a macro, but it may be continued on the next line, after a `\` or its trigraph.
    let words = ["__DATE__", "__TIME", "import"].map(str::as_bytes);
    let joined = joined_lines(text);
    words.iter().any(|word| memchr::memmem::find(&joined, word).is_some())
}

/// The text without the ends of lines that are continued; g++ ignores blanks before such an end.
fn joined_lines(text: &[u8]) -> Vec<u8> {
    let mut joined: Vec<u8> = Vec::with_capacity(text.len());
    for line in text.split_inclusive(|byte| *byte == b'\n') {
        let kept = line.trim_ascii_end();
        match kept.strip_suffix(b"\\").or_else(|| kept.strip_suffix(b"??/")) {
            Some(continued) => joined.extend_from_slice(continued),
            None => joined.extend_from_slice(line),
        }
    }
    joined
}

/// Why a working header is not used.
const CHANGES: &str = "programs built with it differ";

impl<'a> HeaderList<'a> {
    fn of(store: &'a Store, task: &'a BuildTask) -> HeaderList<'a> {
        HeaderList { store, row: &task.language, toolchain: &task.toolchain.digest }
    }

    /// One of these headers, as far as it was made and tried before.
    pub(super) fn find(self, headers: &HeaderRun) -> Option<ChosenHeader<'a>> {
        self.header(taken(&mut self.read(), headers))
    }

    /// A header at a secret place; `None` if the store cannot say which.
    fn header(self, record: HeaderRecord) -> Option<ChosenHeader<'a>> {
        let name = header_name(&self.store.id().ok()?, self.row, self.toolchain, &record.headers);
        Some(ChosenHeader { list: self, at: self.store.warm().join(name), record })
    }

    fn name(self) -> String {
        format!("precompiled headers of {}", header_name("", self.row, self.toolchain, &HeaderRun::default()))
    }

    fn read(self) -> Vec<HeaderRecord> {
        self.store.recall(&self.name()).ok().flatten().unwrap_or_default()
    }

    fn write(self, records: &[HeaderRecord]) {
        // Only a cache: what cannot be stored is determined again.
        let _ = self.store.remember(&self.name(), &records);
    }
}

impl ChosenHeader<'_> {
    /// Whether it is as it was when a program was equal with and without it.
    pub(crate) fn is_ready(&self) -> bool {
        let is_whole = || contents_of(&self.at).is_ok_and(|contents| contents == self.record.contents);
        self.record.is_harmless == Some(true) && is_whole()
    }

    /// Makes it if it is missing or was changed. The error says why it cannot be used.
    pub(crate) fn make(&mut self, build: HeaderBuild) -> Result<(), String> {
        let HeaderBuild { store, slot, language, is_unchanged } = build;
        // Another process may have made it meanwhile.
        self.record = taken(&mut self.list.read(), &self.record.headers);
        // Files that an earlier submission left must not be compiled in.
        slot.renew_worker();
        let name = secret_name(&self.at);
        let earlier = EarlierHeaders { dir: &store.warm(), name, contents: &self.record.contents };
        precompile_headers(slot, language, &self.record.headers, &earlier).map_err(|fault| fault.what)?;
        // Without a record, a later run makes it again.
        if !is_unchanged() {
            return Err("the toolchain was changed meanwhile".into());
        }
        let contents = contents_of(&self.at).map_err(|error| error.to_string())?;
        if contents != self.record.contents {
            (self.record.contents, self.record.is_harmless) = (contents, None);
        }
        self.record();
        Ok(())
    }

    /// Records whether a program was equal with and without it.
    pub(crate) fn note_sample(&mut self, sample: SampleBuild, all: &PrecompiledHeaders) {
        self.record.is_harmless = Some(sample == SampleBuild::Equal);
        self.record();
        if sample == SampleBuild::Different {
            all.fail(self, CHANGES);
            let _ = fs::remove_dir_all(&self.at);
        }
    }

    fn record(&mut self) {
        let mut records = self.list.read();
        self.record.is_chosen = true;
        taken(&mut records, &self.record.headers);
        records.push(self.record.clone());
        self.list.write(&records);
    }
}

impl Drop for HeaderTrial<'_> {
    fn drop(&mut self) {
        self.0.lock().busy.remove(&self.1);
    }
}

/// A program that was built with a header, compared with the build without it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum SampleBuild {
    Equal,
    Different,
}
