//! Precompiled headers on this machine: chooses headers for builds, and checks that they change no program.
//!
//! A build uses a precompiled header of the standard headers at the beginning of all sources of the program.
//! Headers are chosen for the builds so far and for announced builds, and a chosen header stays. The first
//! program is built both ways: if the results differ, the header is not used.

use super::{
    header_choice::{best_header, choose_headers},
    leading_includes::leading_includes,
    precompiled::{EarlierHeaders, contents_of, header_name, precompile_headers},
    standard_headers::HeaderRun,
};
use crate::store::Store;
use kopek_base::Digest;
use kopek_package::language::{Language, ReadyLanguage};
use kopek_plan::plan::{BuildTask, Foresight, Job, Key, Task};
use kopek_sandbox::RunPrograms;
use serde::{Deserialize, Serialize};
use std::{
    collections::{BTreeMap, BTreeSet, HashMap, HashSet},
    fs,
    path::{Path, PathBuf},
    sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError, TryLockError},
};

/// The headers of all rows, by row and toolchain.
#[derive(Default)]
pub(crate) struct PrecompiledHeaders(Mutex<RowsByName>);

type RowsByName = BTreeMap<String, RowHeaders>;

/// The headers of a row, with its toolchain.
#[derive(Default)]
struct RowHeaders {
    record: ChoiceRecord,
    /// In the order of `record.chosen`.
    headers: Vec<Arc<ChosenHeader>>,
    /// Builds that are in the record, or for which no header could be better.
    counted: HashSet<Key>,
}

/// Data for later runs.
#[derive(Default, Serialize, Deserialize)]
struct ChoiceRecord {
    /// The leading headers of programs without a header of that size, latest last, with the number of
    /// programs.
    programs: Vec<(HeaderRun, u32)>,
    chosen: Vec<HeaderRun>,
}

/// At most this many runs of headers are recorded, so that the record stays small.
const REMEMBERED: usize = 100;

/// Data about a header for later runs.
#[derive(Default, PartialEq, Serialize, Deserialize)]
struct HeaderRecord {
    /// See [`contents_of`].
    contents: Vec<String>,
    /// Whether a program was equal with and without it; `None` if none was built yet.
    is_harmless: Option<bool>,
}

/// A header that builds may use.
pub(crate) struct ChosenHeader {
    /// The name of its language, to show.
    language: String,
    headers: HeaderRun,
    name: String,
    /// Its directory, once it was made.
    made: Mutex<Option<PathBuf>>,
    /// The same, once a program was equal with and without it: builds need no lock then.
    ready: OnceLock<PathBuf>,
    /// Why it is not used, to show.
    failure: OnceLock<String>,
}

/// The tools to make a header.
pub(crate) struct HeaderBuild<'a> {
    pub store: &'a Store,
    pub slot: &'a mut dyn RunPrograms,
    pub language: ReadyLanguage<'a>,
    /// Whether the toolchain is still the one that was identified.
    pub is_unchanged: &'a dyn Fn() -> bool,
}

/// A program that was built with a header, compared with the build without it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum SampleBuild {
    Equal,
    Different,
}

impl PrecompiledHeaders {
    /// Chooses headers for announced builds. Returns for each build with a header whether the header exists.
    pub(crate) fn foresee(&self, store: &Store, jobs: &[Job]) -> HashMap<Key, Foresight> {
        let mut by_row: BTreeMap<String, Vec<(&BuildTask, HeaderRun)>> = BTreeMap::new();
        for job in jobs {
            let Task::Build(task) = &job.task else { continue };
            let leading = leading_headers(store, task);
            if !leading.is_light() {
                by_row.entry(row_name(task)).or_default().push((task, leading));
            }
        }
        let mut rows = self.lock();
        let mut foresights = HashMap::new();
        for builds in by_row.values() {
            let Some(row) = choose(&mut rows, store, builds) else { continue };
            for (task, leading) in builds {
                if let Some(header) = row.best(leading) {
                    foresights.insert(task.key(), header.foresight());
                }
            }
        }
        foresights
    }

    /// The header for a build, if there is one.
    pub(crate) fn header_of(&self, store: &Store, task: &BuildTask) -> Option<Arc<ChosenHeader>> {
        let leading = leading_headers(store, task);
        if leading.is_light() {
            return None;
        }
        let mut rows = self.lock();
        let row = choose(&mut rows, store, &[(task, leading.clone())])?;
        row.best(&leading).cloned()
    }

    /// Why headers are not used, to show.
    pub(crate) fn failures(&self) -> BTreeSet<String> {
        let rows = self.lock();
        rows.values()
            .flat_map(|row| &row.headers)
            .filter_map(|header| header.failure.get().cloned())
            .collect()
    }

    fn lock(&self) -> MutexGuard<'_, RowsByName> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Chooses headers of a row, given these additional builds.
fn choose<'a>(
    rows: &'a mut RowsByName,
    store: &Store,
    builds: &[(&BuildTask, HeaderRun)],
) -> Option<&'a RowHeaders> {
    let (task, _) = builds.first()?;
    let name = row_name(task);
    let row = rows.entry(name).or_insert_with_key(|name| RowHeaders::recall(store, name, task));
    row.count(store, builds);
    Some(row)
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

fn row_name(task: &BuildTask) -> String {
    header_name("", &task.language, &task.toolchain.digest, &HeaderRun::default())
}

impl RowHeaders {
    fn recall(store: &Store, name: &str, task: &BuildTask) -> RowHeaders {
        let mut record: ChoiceRecord = store.recall(&record_name(name)).ok().flatten().unwrap_or_default();
        let header = |headers: &HeaderRun| ChosenHeader::recall(store, headers.clone(), task);
        let headers: Vec<_> = record.chosen.iter().filter_map(header).map(Arc::new).collect();
        record.chosen = headers.iter().map(|header| header.headers.clone()).collect();
        RowHeaders { record, headers, counted: HashSet::new() }
    }

    /// Chooses headers, given these additional builds.
    fn count(&mut self, store: &Store, builds: &[(&BuildTask, HeaderRun)]) {
        let usable = self.usable();
        let mut is_new = false;
        for (task, headers) in builds {
            let is_served = best_header(headers, &usable).is_some_and(|best| best.size() == headers.size());
            if self.counted.insert(task.key()) && !is_served {
                self.record.count(headers.clone());
                is_new = true;
            }
        }
        let Some((task, _)) = builds.first().filter(|_| is_new) else { return };
        for headers in choose_headers(&self.record.programs, &usable, &self.record.chosen) {
            self.record.chosen.push(headers.clone());
            self.headers.push(Arc::new(ChosenHeader::new(
                store,
                headers,
                &task.language,
                &task.toolchain.digest,
            )));
        }
        let forgotten = self.record.programs.len().saturating_sub(REMEMBERED);
        self.record.programs.drain(..forgotten);
        // Only a cache.
        let _ = store.remember(&record_name(&row_name(task)), &self.record);
    }

    /// The header for programs that begin with these headers.
    fn best(&self, leading: &HeaderRun) -> Option<&Arc<ChosenHeader>> {
        let usable = self.usable();
        let best = best_header(leading, &usable)?;
        self.headers.iter().find(|header| header.headers == *best)
    }

    fn usable(&self) -> Vec<HeaderRun> {
        let usable = self.headers.iter().filter(|header| header.failure.get().is_none());
        usable.map(|header| header.headers.clone()).collect()
    }
}

fn record_name(row: &str) -> String {
    format!("precompiled headers of {row}")
}

impl ChoiceRecord {
    fn count(&mut self, headers: HeaderRun) {
        let at = self.programs.iter().position(|(known, _)| *known == headers);
        let number = at.map_or(0, |at| self.programs.remove(at).1);
        self.programs.push((headers, number.saturating_add(1)));
    }
}

impl HeaderRecord {
    fn recall(store: &Store, name: &str) -> HeaderRecord {
        store.recall(&format!("precompiled {name}")).ok().flatten().unwrap_or_default()
    }

    fn remember(&self, store: &Store, name: &str) -> Result<(), String> {
        store.remember(&format!("precompiled {name}"), self).map_err(|error| format!("{error:#}"))
    }
}

impl ChosenHeader {
    pub(super) fn new(store: &Store, headers: HeaderRun, row: &Language, toolchain: &Digest) -> ChosenHeader {
        let id = store.id();
        let known_id = id.as_ref().map_or("", String::as_str);
        let name = header_name(known_id, row, toolchain, &headers);
        let language = row.name.clone();
        let (made, ready, failure) = Default::default();
        let header = ChosenHeader { language, headers, name, made, ready, failure };
        if let Err(why) = id {
            header.fail(&format!("{why:#}"));
        }
        header
    }

    /// A header that an earlier run chose; `None` if it was never made, or was pruned and may not be worth it
    /// today.
    fn recall(store: &Store, headers: HeaderRun, task: &BuildTask) -> Option<ChosenHeader> {
        let header = ChosenHeader::new(store, headers, &task.language, &task.toolchain.digest);
        let known = HeaderRecord::recall(store, &header.name);
        if known.is_harmless == Some(false) {
            header.fail(CHANGES);
            return Some(header);
        }
        let at = store.warm().join(&header.name);
        if !at.is_dir() {
            return None;
        }
        let is_whole = contents_of(&at).is_ok_and(|contents| contents == known.contents);
        if known.is_harmless == Some(true) && is_whole {
            let _ = header.ready.set(at);
        }
        Some(header)
    }

    fn foresight(&self) -> Foresight {
        if self.ready().is_some() { Foresight::IsPrepared } else { Foresight::Needs(self.name.clone()) }
    }

    /// Its directory, if builds can use it without a lock.
    pub(crate) fn ready(&self) -> Option<&Path> {
        self.ready.get().map(PathBuf::as_path)
    }

    /// Locks the header; `None` while another build makes it.
    pub(crate) fn try_lock(&self) -> Option<MutexGuard<'_, Option<PathBuf>>> {
        match self.made.try_lock() {
            Ok(made) => Some(made),
            Err(TryLockError::Poisoned(poisoned)) => Some(poisoned.into_inner()),
            Err(TryLockError::WouldBlock) => None,
        }
    }

    /// The directory of the header, made if it is missing; `None` if it is not used.
    pub(crate) fn find_or_make(&self, build: HeaderBuild, made: &mut Option<PathBuf>) -> Option<PathBuf> {
        if self.failure.get().is_none() && made.is_none() {
            match self.make(build) {
                Ok(at) => *made = Some(at),
                Err(why) => self.fail(&why),
            }
        }
        if self.failure.get().is_none() { made.clone() } else { None }
    }

    fn make(&self, build: HeaderBuild) -> Result<PathBuf, String> {
        let HeaderBuild { store, slot, language, is_unchanged } = build;
        let known = HeaderRecord::recall(store, &self.name);
        // Files that an earlier submission left must not be compiled in.
        slot.renew_worker();
        let earlier = EarlierHeaders { dir: &store.warm(), name: &self.name, contents: &known.contents };
        let at = precompile_headers(slot, language, &self.headers, &earlier).map_err(|fault| fault.what)?;
        // Without a record, a later run makes it again.
        if !is_unchanged() {
            return Err("the toolchain was changed meanwhile".into());
        }
        let contents = contents_of(&at).map_err(|error| error.to_string())?;
        let is_harmless = if known.contents == contents { known.is_harmless } else { None };
        HeaderRecord { contents, is_harmless }.remember(store, &self.name)?;
        // Another process made and tried it meanwhile.
        if is_harmless == Some(true) {
            let _ = self.ready.set(at.clone());
        }
        Ok(at)
    }

    /// Records whether a program was equal with and without the header in this directory.
    pub(crate) fn note_sample(&self, store: &Store, at: &Path, sample: SampleBuild) {
        let is_harmless = sample == SampleBuild::Equal;
        let contents = HeaderRecord::recall(store, &self.name).contents;
        // Only a cache: a record that cannot be stored is determined again.
        let _ = HeaderRecord { contents, is_harmless: Some(is_harmless) }.remember(store, &self.name);
        if is_harmless {
            let _ = self.ready.set(at.to_owned());
        } else {
            self.fail(CHANGES);
            let _ = fs::remove_dir_all(at);
        }
    }

    /// Why it is not used, to show.
    pub(super) fn failure(&self) -> String {
        self.failure.get().cloned().unwrap_or_default()
    }

    fn fail(&self, why: &str) {
        let _ = self.failure.set(format!("{}: {why}", self.language));
    }
}
