//! Chapter: languages. Every row of the table, with its real toolchain.
//!
//! `testdata/languages/<code>/` holds five samples for one task (read `n` and `n`
//! numbers, print their sum), each of which must end in its own way, and for some
//! rows a directory `several/` with a program of several files, `broken_part/` with
//! one that must not build, or a `hungry` program that uses up its memory.

use crate::skip;
use crate::toolchain_search::search;
use kopek::{
    base::Bytes,
    language::{
        self, BuiltFiles, LaidSources, Language, LanguageTable, Links, MissingToolchain, ReadyLanguage,
        SourceFile, SourceFiles, SourceLayout, Toolchain, read_files,
    },
    sandbox::{BoxFile, Exec, Exit, Input, Limit, Limits, RunResult, Sandbox, Slot},
    toolchains::{self, NoToolchain, Search},
};
use std::{
    path::{Path, PathBuf},
    time::Duration,
};

const SAMPLES: [&str; 5] = ["ok", "wrong", "crash", "slow", "broken"];
const INPUT: &str = "4\n10 -3 1000000 35\n";
const SUM: &str = "1000042";

/// Compilers of other rows compete for the CPUs meanwhile.
const BUILD: Limits = Limits {
    cpu: Duration::from_secs(120),
    wall: Duration::from_secs(300),
    memory: Bytes::mib(2048),
    output: Bytes::mib(8),
    files: Bytes::mib(512),
    processes: 64,
};
const RUN: Limits = Limits {
    cpu: Duration::from_secs(10),
    wall: Duration::from_secs(60),
    memory: Bytes::mib(256),
    output: Bytes::mib(1),
    files: Bytes::mib(16),
    processes: 1,
};
/// Long enough for every runtime to reach the loop of `slow`.
const SHORT: Duration = Duration::from_millis(700);

fn samples(code: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("testdata/languages").join(code)
}

fn slot() -> Slot {
    Sandbox::open(Path::new(env!("CARGO_BIN_EXE_kopek"))).unwrap().slot(None)
}

/// The toolchain, or the reason why the row is skipped; where everything is required only
/// the rows that are optional may be.
fn toolchain(slot: &mut Slot, language: &Language) -> Result<Toolchain, MissingToolchain> {
    let strict = skip::everything_is_required();
    match toolchains::identify_toolchain(slot, language, &search()) {
        Ok(toolchain) => Ok(toolchain),
        Err(NoToolchain::Missing(missing)) if !strict || language.optional => Err(missing),
        Err(error) => panic!("{error}"),
    }
}

fn lone(language: &Language, sample: &str) -> SourceFiles {
    let ending = &language.endings[0];
    SourceFiles { root: samples(&language.code), files: vec![format!("{sample}{ending}").into()] }
}

fn directory(root: PathBuf) -> SourceFiles {
    let files = walkdir::WalkDir::new(&root).sort_by_file_name().into_iter().map(Result::unwrap);
    let files = files.filter(|entry| entry.file_type().is_file());
    let files = files.map(|entry| entry.path().strip_prefix(&root).unwrap().to_owned()).collect();
    SourceFiles { root, files }
}

fn text(ran: &RunResult) -> (String, String) {
    let text = |captured: &kopek::sandbox::CapturedOutput| {
        String::from_utf8_lossy(&captured.bytes().unwrap()).into_owned()
    };
    (text(&ran.stdout), text(&ran.stderr))
}

/// The build of a layout, its files put into the box.
pub fn build_exec(
    language: &Language,
    toolchain: &Toolchain,
    layout: &SourceLayout,
    limits: Limits,
    to: &Path,
) -> Option<Exec> {
    let paths: Vec<PathBuf> = layout.files.keys().cloned().collect();
    let ready = ReadyLanguage { row: language, toolchain };
    let sources = LaidSources { paths: &paths, entry: &layout.entry };
    let mut exec = language::build_exec(ready, sources, limits, to)?;
    let place = |(path, file): (&PathBuf, &SourceFile)| BoxFile::Bytes(path.clone(), file.bytes.to_vec());
    exec.files = layout.files.iter().map(place).collect();
    Some(exec)
}

/// The result of a source: its compile error, or its run.
fn judge(
    slot: &mut Slot,
    language: &Language,
    toolchain: &Toolchain,
    layout: &SourceLayout,
    cpu: Duration,
) -> Result<RunResult, String> {
    let home = tempfile::tempdir().unwrap();
    let build = build_exec(language, toolchain, layout, BUILD, home.path()).unwrap();
    let built = slot.run(&build).unwrap();
    if built.exit != Exit::Code(0) {
        let (out, err) = text(&built);
        assert!(matches!(built.exit, Exit::Code(_)), "{:?}: {:?} {out}{err}", build.argv, built.exit);
        return Err(out + &err);
    }
    let limits = Limits { cpu, ..RUN };
    let program = BuiltFiles { dir: home.path(), entry: &layout.entry };
    let mut run = language::run_exec(ReadyLanguage { row: language, toolchain }, program, &[], limits);
    run.stdin = Input::Bytes(INPUT.into());
    Ok(slot.run(&run).unwrap())
}

fn expect(language: &Language, sample: &str, judged: &Result<RunResult, String>) -> Result<(), String> {
    let fits = match (sample, judged) {
        ("broken", Err(complaint)) => !complaint.trim().is_empty(),
        ("ok" | "several", Ok(ran)) => ran.exit == Exit::Code(0) && text(ran).0.trim() == SUM,
        ("wrong", Ok(ran)) => ran.exit == Exit::Code(0) && text(ran).0.trim() == "1000043",
        ("crash", Ok(ran)) => matches!(ran.exit, Exit::Code(1..) | Exit::Signal(_)),
        ("slow", Ok(ran)) => ran.exit == Exit::Exceeded(Limit::Cpu),
        ("hungry", Ok(ran)) => {
            let reports_it = || language.ran_out_of_memory(text(ran).1.as_bytes());
            ran.exit == Exit::Exceeded(Limit::Memory) || (ran.exit != Exit::Code(0) && reports_it())
        }
        _ => false,
    };
    let description = || match judged {
        Ok(ran) => format!("{sample}: {:?}, {:?}", ran.exit, text(ran)),
        Err(complaint) => format!("{sample}: refused: {complaint:?}"),
    };
    if fits { Ok(()) } else { Err(description()) }
}

/// All samples of a row; the first that does not end as it should.
pub fn try_row(table: &LanguageTable, language: &Language) -> Result<Option<MissingToolchain>, String> {
    let slot = &mut slot();
    let mut toolchain = match toolchain(slot, language) {
        Ok(toolchain) => toolchain,
        Err(missing) => return Ok(Some(missing)),
    };
    let warm = tempfile::tempdir().unwrap();
    toolchains::warm_toolchain(slot, language, &mut toolchain, warm.path()).map_err(|e| e.to_string())?;
    let ready = ReadyLanguage { row: language, toolchain: &toolchain };
    toolchains::prove_toolchain(slot, ready).map_err(|e| e.to_string())?;
    let declared = Some(language.code.as_str()).filter(|_| !language.detect);
    let mut sources: Vec<_> = SAMPLES.iter().map(|&sample| (sample, lone(language, sample))).collect();
    if samples(&language.code).join("several").is_dir() {
        sources.push(("several", directory(samples(&language.code).join("several"))));
    }
    if samples(&language.code).join("broken_part").is_dir() {
        sources.push(("broken", directory(samples(&language.code).join("broken_part"))));
    }
    if samples(&language.code).join(format!("hungry{}", language.endings[0])).is_file() {
        sources.push(("hungry", lone(language, "hungry")));
    }
    for (sample, source) in sources {
        let detected =
            language::detect_language(table, &source, declared, None).map_err(|e| e.to_string())?;
        let files = read_files(&source, Links::Refuse, Bytes::mib(1)).map_err(|e| e.to_string())?;
        let layout = SourceLayout::new(detected, &files, None, None).map_err(|e| e.to_string())?;
        let cpu = if sample == "slow" { SHORT } else { RUN.cpu };
        expect(language, sample, &judge(slot, detected, &toolchain, &layout, cpu))?;
    }
    Ok(None)
}

#[test]
fn every_row_has_its_five_samples() {
    for language in LanguageTable::embedded().languages() {
        for sample in SAMPLES {
            let source = lone(language, sample);
            assert!(source.root.join(&source.files[0]).is_file(), "{}: no sample {sample}", language.code);
        }
    }
}

/// A directory for `PATH` with one program: this shell script. Not below `/tmp`: inside, that is
/// a place for the program's own files.
fn fake(name: &str, script: &str) -> (tempfile::TempDir, Search) {
    use std::os::unix::fs::PermissionsExt;
    // Not below /tmp, where a checkout may lie: a box has a /tmp of its own.
    let home = tempfile::tempdir_in("/var/tmp").unwrap();
    let bin = home.path().join("toolchain/bin");
    std::fs::create_dir_all(&bin).unwrap();
    std::fs::write(bin.join(name), format!("#!/bin/sh\n{script}\n")).unwrap();
    std::fs::set_permissions(bin.join(name), std::fs::Permissions::from_mode(0o755)).unwrap();
    let search = Search { path: bin.into(), ..Search::default() };
    (home, search)
}

#[test]
fn a_toolchain_that_is_not_there_is_named_with_the_remedy() {
    let table = LanguageTable::embedded();
    let kotlin = table.get("kotlin").unwrap();
    let error = toolchains::identify_toolchain(&mut slot(), kotlin, &Search::default()).unwrap_err();
    // The command depends on the system.
    let message = error.to_string();
    let remedy =
        message.strip_prefix("kotlin: `java`, `kotlinc` not found; ").unwrap_or_else(|| panic!("{message}"));
    assert!(remedy.contains("install") && remedy.contains("otlin"), "{message}");
}

#[test]
fn a_compiler_that_refuses_everything_is_a_broken_toolchain_and_no_verdict() {
    let table = LanguageTable::embedded();
    let c = table.get("c").unwrap();
    let (_home, search) =
        fake("gcc", "case $1 in --version) echo gcc 99;; *) echo no headers >&2; exit 1;; esac");
    let slot = &mut slot();
    let toolchain = toolchains::identify_toolchain(slot, c, &search).unwrap();
    assert_eq!(toolchain.version, "gcc 99");
    let ready = ReadyLanguage { row: c, toolchain: &toolchain };
    let message = toolchains::prove_toolchain(slot, ready).unwrap_err().to_string();
    assert!(message.contains("a trial could not be built") && message.contains("no headers"), "{message}");
}

#[test]
fn a_compiler_that_cannot_say_its_version_is_missing() {
    let table = LanguageTable::embedded();
    let (_home, search) = fake("gcc", "echo out of order >&2; exit 1");
    let message = toolchains::identify_toolchain(&mut slot(), table.get("c").unwrap(), &search)
        .unwrap_err()
        .to_string();
    assert!(message.starts_with("c: `") && message.contains("does not work: out of order; "), "{message}");
}

/// Version 2 has one library in `lib`, newer ones of version 3 two, deep in `maven2`.
#[test]
fn a_scala_compiler_brings_its_library_or_is_missing() {
    let table = LanguageTable::embedded();
    let (scala, slot) = (table.get("scala").unwrap(), &mut slot());
    let (home, search) = fake("scalac", "echo Scala 99");
    let toolchain = home.path().join("toolchain");
    std::fs::copy(toolchain.join("bin/scalac"), toolchain.join("bin/java")).unwrap();
    let message = toolchains::identify_toolchain(slot, scala, &search).unwrap_err().to_string();
    assert!(message.starts_with("scala: the library of Scala (`scala-library*.jar`) not found"), "{message}");
    let libraries =
        ["maven2/a/scala-library-2.jar", "maven2/b/scala3-library_3-3.jar"].map(|jar| toolchain.join(jar));
    for jar in &libraries {
        std::fs::create_dir_all(jar.parent().unwrap()).unwrap();
        std::fs::write(jar, "").unwrap();
    }
    let identified = toolchains::identify_toolchain(slot, scala, &search).unwrap();
    let both = libraries.map(|jar| jar.display().to_string()).join(":");
    assert_eq!(identified.extras["library"], [both]);
}

/// The compiler of Swift is a link whose name says that programs are compiled, and a single file is a script
/// unless it is told better.
#[test]
fn a_swift_program_that_marks_its_beginning_is_no_script() {
    let table = LanguageTable::embedded();
    let swift = table.get("swift").unwrap();
    let script = "test \"${0##*/}\" = swiftc || exit 7\ntest \"$1\" = --version && echo Swift 99 && exit\n\
                  printf '#!/bin/sh\\necho \"%s\"\\n' \"$*\" > /box/.program && chmod +x /box/.program";
    let (home, search) = fake("swift-frontend", script);
    let bin = home.path().join("toolchain/bin");
    std::os::unix::fs::symlink("swift-frontend", bin.join("swiftc")).unwrap();
    let path = std::env::join_paths([bin, "/usr/bin".into()]).unwrap();
    let (search, slot) = (Search { path, ..search }, &mut slot());
    let toolchain = toolchains::identify_toolchain(slot, swift, &search).unwrap();
    assert_eq!(toolchain.version, "Swift 99");
    for (sample, is_library) in [("ok", false), ("wrong", true)] {
        let files = read_files(&lone(swift, sample), Links::Refuse, Bytes::mib(1)).unwrap();
        let layout = SourceLayout::new(swift, &files, None, None).unwrap();
        let command = text(&judge(slot, swift, &toolchain, &layout, RUN.cpu).unwrap()).0;
        assert_eq!(command.contains("-parse-as-library"), is_library, "{sample}: {command}");
        assert!(command.trim().ends_with("-o /box/.program ./program.swift"), "{command}");
    }
}

#[test]
fn a_toolchains_identity_changes_with_its_contents_and_with_nothing_else() {
    let table = LanguageTable::embedded();
    let (bash, slot) = (table.get("bash").unwrap(), &mut slot());
    let (home, search) = fake("bash", "echo bash 1");
    let identity = |slot: &mut Slot| {
        (
            toolchains::look_at_toolchain(bash, &search).unwrap().guard,
            toolchains::identify_toolchain(slot, bash, &search).unwrap().digest,
        )
    };
    let before = identity(slot);
    assert_eq!(identity(slot), before);
    let path = home.path().join("toolchain/bin/bash");
    let text = std::fs::read_to_string(&path).unwrap();
    std::fs::write(&path, text + "# the same version, another program\n").unwrap();
    let after = identity(slot);
    assert!(after.0 != before.0 && after.1 != before.1);
}

#[test]
fn the_command_shows_every_row_and_what_is_missing() {
    let mine = tempfile::tempdir().unwrap();
    let file = mine.path().join("mine.toml");
    std::fs::write(&file, "[[language]]\ncode = 'c'\ntools = { cc = ['no-such-cc'] }").unwrap();
    let mut kopek = std::process::Command::new(env!("CARGO_BIN_EXE_kopek"));
    let ran = kopek.arg("languages").env("KOPEK_LANGUAGES", &file).output().unwrap();
    assert!(ran.status.success(), "{}", String::from_utf8_lossy(&ran.stderr));
    // The table is as wide as the terminal, and wraps longer lines.
    let text = String::from_utf8(ran.stdout).unwrap();
    let words = text.split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(words.contains("c C .c missing: `no-such-cc` not found; "), "{text}");
    for Language { code, name, .. } in LanguageTable::embedded().languages() {
        assert!(words.contains(&format!("{code} {name} .")), "{code}: {text}");
    }
}
