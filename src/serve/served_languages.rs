//! The languages of the server: those of the protocol, by its names, and all rows of the table by their codes. Makes the
//! commands of a program.

use super::{
    reply::RefusedRequest,
    run_spec::{RunParameters, RunSpec},
};
use crate::{
    base::{Bytes, map_in_parallel},
    language::{
        FileBytes, JobeRow, Language, MemoryBound, ReadyLanguage, RefusalSign, SourceFile, SourceLayout,
        Toolchain, Values, classes_with_main, fill_here,
    },
    machine::{Machine, TOOL_BUILD_LIMITS},
    package::shell_words::quote_word,
    sandbox::Limits,
    toolchains::{FrequentHeader, NoToolchain},
    worker::{PlainBuild, PlainProgram},
};
use std::{
    collections::BTreeSet,
    path::{Path, PathBuf},
    sync::Arc,
    time::Duration,
};

/// The default limits of a run.
const CPU: Duration = Duration::from_secs(5);
const DISK: u64 = 20;
const STREAM: u64 = 2;
const PROCESSES: u32 = 30;
const MEMORY: u64 = 400;
/// The files of a build in a language of the protocol. At most three times those of a usual run: a run takes over the
/// worker of its build if its box is at most four times as large as needed, and starting one takes 5 ms of CPU time.
const BUILT_FILES: Bytes = Bytes::mib(64);
/// The most memory of a run, whatever it asks for.
const MOST_MEMORY: Bytes = Bytes::mib(2048);

/// The languages that are installed.
pub(super) struct ServedLanguages {
    rows: Vec<InstalledRow>,
}

struct InstalledRow {
    row: Language,
    toolchain: Toolchain,
    /// Headers for builds with the protocol's usual arguments.
    headers: Vec<FrequentHeader>,
}

/// The headers that most programs begin with, if not with one that compiles fast.
const FREQUENT_HEADERS: [&str; 2] = ["iostream", "bits/stdc++.h"];

/// A file of a program.
type NamedBytes = (PathBuf, Arc<[u8]>);

/// A language with the version of its toolchain.
pub(super) struct NamedVersion<'a> {
    pub(super) name: &'a str,
    pub(super) version: String,
}

impl ServedLanguages {
    /// Finds the toolchains of a machine. Fails if one is there but cannot be examined.
    pub(super) fn find(machine: &Machine) -> Result<ServedLanguages, NoToolchain> {
        let table = machine.table.languages();
        let found = map_in_parallel(table, table.len(), |row| machine.toolchain(row));
        let mut rows = Vec::new();
        for (row, toolchain) in table.iter().zip(found) {
            match toolchain {
                Ok(toolchain) => rows.push(InstalledRow { row: row.clone(), toolchain, headers: vec![] }),
                Err(NoToolchain::Missing(_)) => {}
                Err(fault @ NoToolchain::Fault(_)) => return Err(fault),
            }
        }
        Ok(ServedLanguages { rows })
    }

    /// Compiles headers that many programs begin with, and returns why some cannot be used.
    pub(super) fn compile_headers(&mut self, machine: &Machine) -> BTreeSet<String> {
        let mut failures = BTreeSet::new();
        for InstalledRow { row, toolchain, headers } in &mut self.rows {
            let (Some(jobe), Some(_)) = (&row.jobe, &row.precompiled) else { continue };
            for name in FREQUENT_HEADERS {
                match machine.frequent_header(ReadyLanguage { row, toolchain }, name, &jobe.compiler) {
                    Ok(header) => headers.push(header),
                    Err(why) => drop(failures.insert(why)),
                }
            }
        }
        failures
    }

    /// The host paths of all tools.
    pub(super) fn roots(&self) -> Vec<PathBuf> {
        self.rows.iter().flat_map(|row| row.toolchain.roots.iter().cloned()).collect()
    }

    /// All names, those of the protocol first.
    pub(super) fn names(&self) -> Vec<NamedVersion<'_>> {
        let named =
            |name, row: &InstalledRow| NamedVersion { name, version: short_version(&row.toolchain.version) };
        let of_protocol = self.rows.iter().filter_map(|row| Some(named(&row.row.jobe.as_ref()?.name, row)));
        let mut all: Vec<NamedVersion> = of_protocol.collect();
        for row in &self.rows {
            if !all.iter().any(|known| known.name == row.row.code) {
                all.push(named(&row.row.code, row));
            }
        }
        all
    }

    /// The program that a client wants to run. `files` are the contents of the listed files, in their order.
    pub(super) fn program(
        &self,
        spec: RunSpec,
        files: Vec<Arc<[u8]>>,
    ) -> Result<PlainProgram, RefusedRequest> {
        let named = spec.files.iter().zip(files);
        let files: Vec<NamedBytes> = named.map(|(file, bytes)| (PathBuf::from(&file.name), bytes)).collect();
        for row in &self.rows {
            match &row.row.jobe {
                Some(jobe) if jobe.name == spec.language => {
                    return Ok(program_of_protocol(jobe, row, spec, files));
                }
                Some(_) | None => {}
            }
        }
        match self.rows.iter().find(|row| row.row.code == spec.language) {
            Some(row) => program_of_table(row, spec, files),
            None => {
                Err(RefusedRequest::bad(format!("Language '{}' is not known", spec.language.escape_debug())))
            }
        }
    }
}

/// The last number with dots: `gcc (Debian 12.2.0-14) 12.2.0` is `12.2.0`.
fn short_version(text: &str) -> String {
    let is_part = |letter: char| letter.is_ascii_digit() || letter == '.';
    let mut numbers = text.split_whitespace().map(|word| {
        let number = word.trim_start_matches(|letter: char| !letter.is_ascii_digit());
        number.split(|letter| !is_part(letter)).next().unwrap_or_default()
    });
    numbers.rfind(|number| number.contains('.')).unwrap_or(text).to_owned()
}

fn program_of_protocol(
    language: &JobeRow,
    row: &InstalledRow,
    spec: RunSpec,
    mut files: Vec<NamedBytes>,
) -> PlainProgram {
    // Some clients call every Java program prog.java.
    let named = spec.file_name.filter(|name| name != "prog.java");
    let file = named.unwrap_or_else(|| usual_file(language, &spec.source));
    let given = &spec.parameters;
    let ready = ReadyLanguage { row: &row.row, toolchain: &row.toolchain };
    let is_usual = given.compiler.is_none();
    let header = row.headers.iter().find(|header| is_usual && header.helps(&spec.source));
    let values = command_values(language, row, given, &file, header);
    let command =
        |command: &str| fill_here(ready, &[command.to_owned()], "", Bytes(0), values.clone()).concat();
    let memory = given.memory.unwrap_or(language.memory);
    let is_bounded = memory > 0 && language.bound == MemoryBound::AddressSpace;
    let bound = if is_bounded { format!("ulimit -v {}; ", memory * 1000) } else { String::new() };
    let source: Arc<[u8]> = spec.source.into_bytes().into();
    // Octave finds the place of a mistake only in a file with this ending.
    if language.name == "octave" && !file.ends_with(".m") {
        files.push((PathBuf::from(format!("{file}.m")), source.clone()));
    }
    files.insert(0, (PathBuf::from(&file), source));
    let build = language.build.as_ref().map(|build| PlainBuild {
        command: match &language.quick {
            Some(quick) if header.is_some() || !quick.contains("{header}") => {
                quicker(&command(quick), &command(build))
            }
            _ => command(build),
        },
        shown: header.map(|header| header.dir().to_owned()).into_iter().collect(),
        limits: Limits { files: BUILT_FILES, ..TOOL_BUILD_LIMITS },
        refusal: language.refusal,
    });
    PlainProgram {
        build,
        run: format!("{bound}exec {}", command(&language.run)),
        env: row.row.env.clone().into_iter().collect(),
        files,
        input: spec.input.into_bytes(),
        warm: row.toolchain.warm.clone(),
        // A quarter more than one process may map: a stack without end then ends as one.
        limits: run_limits(&row.row, given, memory.saturating_mul(5) / 4),
        output: output_size(given),
    }
}

/// The values of the placeholders in the commands of a language.
fn command_values(
    language: &JobeRow,
    row: &InstalledRow,
    given: &RunParameters,
    file: &str,
    header: Option<&FrequentHeader>,
) -> Values {
    let or = |own: &Option<String>, usual: &str| own.clone().unwrap_or_else(|| usual.to_owned());
    let stem = file.split('.').next().unwrap_or_default();
    let main = given.main_class.as_deref().unwrap_or(stem);
    let give: Vec<String> = header.map(FrequentHeader::arguments).unwrap_or_default();
    let mut values: Values = [
        ("file", quote_word(file)),
        ("main", quote_word(main)),
        ("header", give.iter().map(|word| quote_word(word)).collect::<Vec<_>>().join(" ")),
        ("compileargs", or(&given.compiler, &language.compiler)),
        ("linkargs", or(&given.linker, "")),
        ("interpreterargs", or(&given.interpreter, &language.interpreter)),
        ("runargs", or(&given.program, "")),
    ]
    .map(|(name, value)| (name.to_owned(), vec![value]))
    .into();
    for (tool, path) in &row.toolchain.tools {
        values.insert(tool.clone(), vec![quote_word(&path.to_string_lossy())]);
    }
    values
}

/// A build that is replaced by a quicker one, if that succeeds without a message.
fn quicker(quick: &str, build: &str) -> String {
    format!("quick=$({quick} 2>&1) && [ -z \"$quick\" ] || exec {build}")
}

fn usual_file(language: &JobeRow, source: &str) -> String {
    let mut classes = if language.name == "java" { classes_with_main(source) } else { Vec::new() };
    match classes.pop() {
        Some(class) => format!("{}.java", class.rsplit('.').next().unwrap_or(&class)),
        None => language.file.clone(),
    }
}

/// A program in a language of the table: built and run as the row says.
fn program_of_table(
    row: &InstalledRow,
    spec: RunSpec,
    files: Vec<NamedBytes>,
) -> Result<PlainProgram, RefusedRequest> {
    let InstalledRow { row: language, toolchain, .. } = row;
    let name = spec.file_name.unwrap_or_else(|| "main".to_owned());
    let name = if language.owns(&name) { name } else { stem_of(&name) + &language.endings[0] };
    let mut sources = FileBytes::new();
    sources.insert(name.into(), SourceFile::new(spec.source.as_bytes()));
    let layout = SourceLayout::new(language, &sources, None, None);
    let layout = layout.map_err(|why| RefusedRequest::bad(format!("sourcefilename: {why}")))?;
    let given = &spec.parameters;
    let ready = ReadyLanguage { row: language, toolchain };
    let memory = given.memory.unwrap_or(MEMORY);
    let limits = run_limits(language, given, memory);
    let mut all: Vec<NamedBytes> =
        layout.files.iter().map(|(path, file)| (path.clone(), file.bytes.clone())).collect();
    let of_language: Vec<String> =
        all.iter().chain(&files).filter_map(|(path, _)| source_word(language, path)).collect();
    all.extend(files);
    let command = |command: &[String]| {
        let values = Values::from([("files".to_owned(), of_language.clone())]);
        let words = fill_here(ready, command, &layout.entry, limits.memory, values);
        words.iter().map(|word| quote_word(word)).collect::<Vec<_>>()
    };
    let args = |words: &Option<String>| words.clone().unwrap_or_default();
    let build = language.build.as_ref().map(|build| {
        let mut words = command(build);
        // Before the sources, where compilers expect options.
        let at = words.iter().position(|word| of_language.contains(word)).unwrap_or(words.len());
        words.insert(at, args(&given.compiler));
        words.push(args(&given.linker));
        let command = format!("export TMPDIR=\"$PWD\"; {}", words.join(" "));
        PlainBuild { command, limits: TOOL_BUILD_LIMITS, refusal: RefusalSign::ExitCode, shown: vec![] }
    });
    let mut run = command(&language.run);
    run.insert(1.min(run.len()), args(&given.interpreter));
    run.push(args(&given.program));
    Ok(PlainProgram {
        build,
        run: format!("exec {}", run.join(" ")),
        env: language.env.clone().into_iter().collect(),
        files: all,
        input: spec.input.into_bytes(),
        warm: toolchain.warm.clone(),
        limits,
        output: output_size(given),
    })
}

fn stem_of(name: &str) -> String {
    name.split('.').next().unwrap_or(name).to_owned()
}

fn source_word(language: &Language, path: &Path) -> Option<String> {
    let name = path.to_str().filter(|name| language.owns(name))?;
    Some(format!("./{name}"))
}

/// The bytes of an output that a client gets.
fn output_size(given: &RunParameters) -> usize {
    Bytes::mib(given.stream.unwrap_or(STREAM)).0 as usize
}

/// The limits of a run. A program that writes more output than is returned runs on, as clients expect it.
fn run_limits(language: &Language, given: &RunParameters, memory: u64) -> Limits {
    let cpu = given.cpu.unwrap_or(CPU);
    let asked = if memory == 0 { MOST_MEMORY } else { Bytes(memory.saturating_mul(1 << 20)) };
    let files = Bytes::mib(given.disk.unwrap_or(DISK));
    Limits {
        cpu,
        wall: cpu * 2,
        memory: Bytes(asked.min(MOST_MEMORY).0 + language.spare.0),
        output: files.max(Bytes::mib(given.stream.unwrap_or(STREAM))),
        files,
        processes: given.processes.unwrap_or(PROCESSES).max(1) + language.processes,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::language::LanguageTable;

    #[test]
    fn the_page_of_moodle_lists_the_languages_of_jobe() {
        let page = std::fs::read_to_string(concat!(env!("CARGO_MANIFEST_DIR"), "/docs/moodle.md")).unwrap();
        let list = page.split("by Jobe's names (").nth(1).unwrap().split(')').next().unwrap();
        let mut listed: Vec<&str> = list.split('`').skip(1).step_by(2).collect();
        let table = LanguageTable::embedded();
        let mut served: Vec<&str> =
            table.languages().iter().filter_map(|row| Some(&*row.jobe.as_ref()?.name)).collect();
        listed.sort_unstable();
        served.sort_unstable();
        assert_eq!(listed, served);
    }

    #[test]
    fn the_version_is_the_last_word_that_looks_like_one() {
        for (text, version) in [
            ("gcc (Debian 12.2.0-14+deb12u1) 12.2.0", "12.2.0"),
            ("Python 3.11.2", "3.11.2"),
            ("v18.19.0", "18.19.0"),
            ("go version go1.19.8 linux/amd64", "1.19.8"),
            ("3.2.2+dfsg-20", "3.2.2"),
            ("PHP 8.2.7 (cli) (built: Jun 9 2023 19:37:27) (NTS)", "8.2.7"),
        ] {
            assert_eq!(short_version(text), version);
        }
    }
}
