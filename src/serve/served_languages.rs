//! The languages of the server: those of the protocol, with its file names, commands and default arguments, and all
//! rows of the table under their codes. Makes the commands of a program.

use super::{
    reply::RefusedRequest,
    run_spec::{RunParameters, RunSpec},
};
use crate::{
    base::{Bytes, map_in_parallel},
    language::{
        FileBytes, Language, ReadyLanguage, SourceFile, SourceLayout, Toolchain, Values, classes_with_main,
        fill_here,
    },
    machine::{Machine, TOOL_BUILD_LIMITS},
    package::shell_words::quote_word,
    sandbox::Limits,
    toolchains::{FrequentHeader, NoToolchain},
    worker::{PlainBuild, PlainProgram, RefusalSign},
};
use std::{
    collections::BTreeSet,
    path::{Path, PathBuf},
    sync::Arc,
    time::Duration,
};

/// A language that clients can name.
pub(super) struct ServedLanguage {
    /// `python3`.
    pub(super) name: &'static str,
    code: &'static str,
    file: &'static str,
    /// A faster build, used if it succeeds without a message.
    quick: Option<&'static str>,
    build: Option<&'static str>,
    refusal: RefusalSign,
    run: &'static str,
    compiler: &'static str,
    interpreter: &'static str,
    /// Megabytes; zero: no limit but the server's.
    memory: u64,
    bound: MemoryBound,
}

/// What a limit of the memory bounds.
#[derive(Clone, Copy, PartialEq, Eq)]
enum MemoryBound {
    /// As the protocol has it: more address space is refused, instead of ending the program.
    AddressSpace,
    /// Used memory: a virtual machine maps far more than it uses.
    Used,
}

/// The languages of the protocol. Commands are for a shell; `{file}` is the source.
///
/// Clients' questions rely on these arguments, and on warnings of a compiler being errors.
const OF_PROTOCOL: [ServedLanguage; 8] = [
    ServedLanguage {
        name: "c",
        code: "c",
        file: "prog.c",
        quick: None,
        build: Some("{cc} {compileargs} -o {file}.exe {file} {linkargs}"),
        refusal: RefusalSign::Message,
        run: "./{file}.exe {interpreterargs} {runargs}",
        // Newer compilers warn of endless recursion, which belongs to the run.
        compiler: "-Wall -Werror -Wno-infinite-recursion -std=c99 -x c",
        interpreter: "",
        memory: 400,
        bound: MemoryBound::AddressSpace,
    },
    ServedLanguage {
        name: "cpp",
        code: "cpp",
        file: "prog.cpp",
        quick: Some("{cxx} {compileargs} {header} -o {file}.exe {file} {linkargs}"),
        build: Some("{cxx} {compileargs} -o {file}.exe {file} {linkargs}"),
        refusal: RefusalSign::Message,
        run: "./{file}.exe {interpreterargs} {runargs}",
        compiler: "-Wall -Werror",
        interpreter: "",
        memory: 400,
        bound: MemoryBound::AddressSpace,
    },
    ServedLanguage {
        name: "python3",
        code: "python3",
        file: "prog.py",
        // What the module does, which takes three times as long to start.
        quick: Some(
            "{python} -ISc 'import sys, _frozen_importlib_external as i; \
             i.SourceFileLoader(\"\", sys.argv[1]).get_code(\"\")' {file}",
        ),
        build: Some("{python} -m py_compile {file}"),
        refusal: RefusalSign::Message,
        run: "{python} {interpreterargs} {file} {runargs}",
        compiler: "",
        interpreter: "-BE",
        memory: 1000,
        bound: MemoryBound::AddressSpace,
    },
    ServedLanguage {
        name: "java",
        code: "java",
        file: "prog.java",
        quick: None,
        build: Some(
            "{javac} -J-XX:+UseSerialGC -J-XX:TieredStopAtLevel=1 -J-XX:-UsePerfData -J-XX:+IgnoreUnrecognizedVMOptions \
             -J-XX:SharedArchiveFile=/warm/javac.jsa {compileargs} {file}",
        ),
        refusal: RefusalSign::Message,
        run: "{java} -XX:+UseSerialGC -XX:-UsePerfData {interpreterargs} {main} {runargs}",
        compiler: "",
        interpreter: "-Xrs -Xss8m -Xmx200m",
        memory: 0,
        bound: MemoryBound::Used,
    },
    ServedLanguage {
        name: "nodejs",
        code: "javascript",
        file: "prog.js",
        quick: None,
        build: None,
        refusal: RefusalSign::ExitCode,
        run: "{node} {interpreterargs} {file} {runargs}",
        compiler: "",
        interpreter: "--use_strict",
        memory: 0,
        bound: MemoryBound::Used,
    },
    ServedLanguage {
        name: "pascal",
        code: "pascal",
        file: "prog.pas",
        quick: None,
        build: Some("{fpc} {compileargs} -o{file}.exe {file}"),
        refusal: RefusalSign::ExitCode,
        run: "./{file}.exe {interpreterargs} {runargs}",
        compiler: "-vew -Se",
        interpreter: "",
        memory: 400,
        bound: MemoryBound::AddressSpace,
    },
    ServedLanguage {
        name: "php",
        code: "php",
        file: "prog.php",
        quick: None,
        build: Some("{php} -l {file}"),
        refusal: RefusalSign::ExitCode,
        run: "{php} {interpreterargs} {file} {runargs}",
        compiler: "",
        interpreter: "--no-php-ini",
        memory: 400,
        bound: MemoryBound::AddressSpace,
    },
    ServedLanguage {
        name: "octave",
        code: "octave",
        file: "prog.m",
        quick: None,
        build: None,
        refusal: RefusalSign::ExitCode,
        run: "{octave} {interpreterargs} {file} {runargs}",
        compiler: "",
        interpreter: "--norc --no-window-system --silent -H",
        memory: 0,
        bound: MemoryBound::AddressSpace,
    },
];

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
            let Some(served) = OF_PROTOCOL.iter().find(|one| one.code == row.code) else { continue };
            if row.precompiled.is_none() {
                continue;
            }
            for name in FREQUENT_HEADERS {
                match machine.frequent_header(ReadyLanguage { row, toolchain }, name, served.compiler) {
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
        let of_protocol = OF_PROTOCOL.iter().filter_map(|one| Some(named(one.name, self.row(one.code)?)));
        let mut all: Vec<NamedVersion> = of_protocol.collect();
        for row in &self.rows {
            if !all.iter().any(|known| known.name == row.row.code) {
                all.push(named(&row.row.code, row));
            }
        }
        all
    }

    fn row(&self, code: &str) -> Option<&InstalledRow> {
        self.rows.iter().find(|row| row.row.code == code)
    }

    /// The program that a client wants to run. `files` are the contents of the listed files, in their order.
    pub(super) fn program(
        &self,
        spec: RunSpec,
        files: Vec<Arc<[u8]>>,
    ) -> Result<PlainProgram, RefusedRequest> {
        let named = spec.files.iter().zip(files);
        let files: Vec<NamedBytes> = named.map(|(file, bytes)| (PathBuf::from(&file.name), bytes)).collect();
        let unknown =
            || RefusedRequest::bad(format!("Language '{}' is not known", spec.language.escape_debug()));
        match OF_PROTOCOL.iter().find(|language| language.name == spec.language) {
            Some(language) => {
                let row = self.row(language.code).ok_or_else(unknown)?;
                Ok(program_of_protocol(language, row, spec, files))
            }
            None => {
                let row = self.row(&spec.language).ok_or_else(unknown)?;
                program_of_table(row, spec, files)
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
    language: &ServedLanguage,
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
    let build = language.build.map(|build| PlainBuild {
        command: match language.quick {
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
        run: format!("{bound}exec {}", command(language.run)),
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
    language: &ServedLanguage,
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
        ("compileargs", or(&given.compiler, language.compiler)),
        ("linkargs", or(&given.linker, "")),
        ("interpreterargs", or(&given.interpreter, language.interpreter)),
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

fn usual_file(language: &ServedLanguage, source: &str) -> String {
    let mut classes = if language.name == "java" { classes_with_main(source) } else { Vec::new() };
    match classes.pop() {
        Some(class) => format!("{}.java", class.rsplit('.').next().unwrap_or(&class)),
        None => language.file.to_owned(),
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

    #[test]
    fn the_page_of_moodle_lists_the_languages_of_jobe() {
        let page = std::fs::read_to_string(concat!(env!("CARGO_MANIFEST_DIR"), "/docs/moodle.md")).unwrap();
        let list = page.split("by Jobe's names (").nth(1).unwrap().split(')').next().unwrap();
        let mut listed: Vec<&str> = list.split('`').skip(1).step_by(2).collect();
        let mut served = OF_PROTOCOL.map(|language| language.name);
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
