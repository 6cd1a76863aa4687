//! Which builds use which precompiled headers, with a compiler that only copies.

use super::{
    build::build,
    fake_box::{box_files, captured_text, host_path, keep_file},
};
use crate::{
    exec::{Engine, KnownFacts, with_headers},
    machine::{Machine, no_toolchain},
    store::Store,
    toolchains::Search,
    worker::Perform,
};
use kopek_base::{Bytes, Digest};
use kopek_package::{
    language::{Language, LanguageTable, PrecompiledHeader, Toolchain},
    package::{Level, Message},
};
use kopek_plan::plan::{Build, BuildTask, Job, LaidFile, Outcome, Task, ToolchainId};
use kopek_sandbox::{
    Exec, Exit, Fault, Limits, PairOptions, PairResult, RunPrograms, RunResult, Sandbox, Usage,
};
use std::{
    fs,
    path::{Path, PathBuf},
    sync::{Arc, Condvar, Mutex, OnceLock, atomic::AtomicBool},
    time::Duration,
};

/// A compiler whose programs are their sources. It refuses sources that contain `refuse`.
#[derive(Default)]
struct CopyingCompiler {
    /// The calls, in order: `make HEADERS`, `plain` or `with HEADERS`.
    asked: Vec<String>,
    /// The path of the last header that it was given.
    given: String,
    /// Whether a precompiled header changes the program.
    differs: bool,
    /// The message for programs that are built with a header.
    warning: &'static str,
    /// Lets each header take until this many programs without it were built, and records the programs.
    builds: Option<Arc<BuildCount>>,
}

struct BuildCount {
    wanted: usize,
    texts: Mutex<Vec<String>>,
    added: Condvar,
}

impl BuildCount {
    fn add(&self, text: String) {
        self.texts.lock().unwrap().push(text);
        self.added.notify_all();
    }

    fn wait(&self) {
        let texts = self.texts.lock().unwrap();
        let waited = self.added.wait_timeout_while(texts, A_MINUTE, |texts| texts.len() < self.wanted);
        assert!(!waited.unwrap().1.timed_out(), "the other slot is idle");
    }
}

const A_MINUTE: Duration = Duration::from_secs(60);

impl CopyingCompiler {
    fn compile(&mut self, exec: &Exec) -> std::io::Result<RunResult> {
        let files = box_files(exec)?;
        let given = exec.argv.last().filter(|argument| argument.ends_with("/all.h"));
        let header = given.and_then(|path| host_path(exec, Path::new(path)));
        let (mut exit, mut message) = (Exit::Code(0), "");
        let all = |text: &[u8]| String::from_utf8_lossy(text).replace("#include ", "").replace('\n', " ");
        if exec.argv[0] == "make" {
            self.builds.iter().for_each(|builds| builds.wait());
            let text = &files[Path::new("all.h")];
            self.asked.push(format!("make {}", all(text).trim_end()));
            keep_file(exec, Path::new("all.h"), text)?;
            if text.windows(7).any(|word| word == b"<regex>") {
                (exit, message) = (Exit::Code(1), "no such header");
            }
        } else {
            let mut program: Vec<u8> = files.values().flatten().copied().collect();
            match header {
                None => {
                    self.asked.push("plain".into());
                    self.builds.iter().for_each(|builds| builds.add(all(&program)));
                }
                Some(header) => {
                    self.given.clone_from(&exec.argv[exec.argv.len() - 1]);
                    self.asked.push(format!("with {}", all(&fs::read(header)?).trim_end()));
                    program.extend(if self.differs { &b"other"[..] } else { b"" });
                    message = self.warning;
                }
            }
            if program.windows(6).any(|word| word == b"refuse") {
                exit = Exit::Code(1);
            }
            keep_file(exec, Path::new(".program"), &program)?;
        }
        let (stdout, stderr) = (captured_text("")?, captured_text(message)?);
        Ok(RunResult { exit, usage: Usage::default(), unseen: Duration::ZERO, stdout, stderr, notes: vec![] })
    }
}

impl RunPrograms for CopyingCompiler {
    fn run(&mut self, exec: &Exec) -> Result<RunResult, Fault> {
        self.compile(exec).map_err(|error| Fault::new(error.to_string()))
    }

    fn run_pair(&mut self, _: &Exec, _: &Exec, _: PairOptions) -> Result<PairResult, Fault> {
        Err(Fault::new("a compiler talks to no program"))
    }

    fn renew_worker(&mut self) {}

    fn pin_thread(&self) -> Result<(), Fault> {
        Ok(())
    }

    fn time_spin(&mut self) -> Duration {
        Duration::ZERO
    }
}

/// A machine with this compiler, whose store later machines can open.
struct TestBuilder {
    home: tempfile::TempDir,
    machine: Machine,
    compiler: CopyingCompiler,
    row: Language,
    toolchain: ToolchainId,
    /// Makes all programs different.
    programs: u32,
}

impl TestBuilder {
    fn new() -> TestBuilder {
        TestBuilder::at(tempfile::tempdir().unwrap())
    }

    fn at(home: tempfile::TempDir) -> TestBuilder {
        let store = Store::open(&home.path().join("store")).unwrap();
        let table = LanguageTable::embedded();
        let machine = Machine::new(Sandbox::untried(), store, table, Search::default(), vec![0]);
        let precompiled = PrecompiledHeader { make: vec!["make".into()], give: vec!["/warm/all.h".into()] };
        let row = Language {
            precompiled: Some(precompiled),
            hello: None,
            ..machine.table.get("cpp").unwrap().clone()
        };
        let digest = Digest::of(b"a compiler");
        let toolchain = Toolchain { code: row.code.clone(), digest, ..no_toolchain() };
        machine.toolchains.set(&row, toolchain.clone());
        let (compiler, toolchain) = (CopyingCompiler::default(), ToolchainId::from(&toolchain));
        TestBuilder { home, machine, compiler, row, toolchain, programs: 0 }
    }

    /// Opens the same store in another run.
    fn again(self) -> TestBuilder {
        let TestBuilder { home, machine, programs, .. } = self;
        drop(machine);
        TestBuilder { programs, ..TestBuilder::at(home) }
    }

    /// The task that builds a new program of these files.
    fn task(&mut self, files: &[(&str, &str)]) -> BuildTask {
        self.programs += 1;
        let lay = |(path, text): &(&str, &str)| {
            let bytes: Arc<[u8]> = format!("{text}// {}\n", self.programs).into_bytes().into();
            let (digest, size) = (self.machine.store.hold(&bytes).unwrap(), Bytes(bytes.len() as u64));
            LaidFile { path: PathBuf::from(path), digest, executable: false, size }
        };
        let limits = Limits {
            cpu: Duration::from_secs(1),
            wall: Duration::from_secs(1),
            memory: Bytes::mib(1),
            output: Bytes::mib(1),
            files: Bytes::mib(1),
            processes: 1,
        };
        BuildTask {
            files: files.iter().map(lay).collect(),
            digest: Digest::of(&self.programs.to_le_bytes()),
            entry: String::new(),
            language: self.row.clone(),
            toolchain: self.toolchain.clone(),
            limits,
            isolation: "none".into(),
            cached: OnceLock::new(),
        }
    }

    /// Builds a program and returns the calls of the compiler.
    fn build(&mut self, task: &BuildTask) -> String {
        self.compiler.asked.clear();
        let built = build(&self.machine, &mut self.compiler, task).unwrap();
        if let Build::Program { blob, message, .. } = built {
            let program = fs::read(self.machine.store.directory(&blob).unwrap().join(".program")).unwrap();
            assert!(!program.ends_with(b"other") && message.is_empty(), "{message}");
        }
        self.compiler.asked.join(", ")
    }

    /// Builds a new program with this text.
    fn build_text(&mut self, text: &str) -> String {
        let task = self.foresee(&[text]).remove(0);
        self.build(&task)
    }

    /// Announces new programs with these texts to the machine.
    fn foresee(&mut self, texts: &[&str]) -> Vec<BuildTask> {
        let tasks: Vec<BuildTask> = texts.iter().map(|text| self.task(&[("main.cpp", text)])).collect();
        let job = |task: &BuildTask| Job::new(Task::Build(Arc::new(task.clone())));
        let jobs = tasks.iter().map(job).collect();
        self.machine.toolchains.headers.sort(&self.machine.store, jobs);
        tasks
    }

    /// Whether the header of a new program exists.
    fn has_header(&mut self, text: &str) -> bool {
        let task = self.task(&[("main.cpp", text)]);
        let header = self.machine.toolchains.headers.header_of(&self.machine.store, &task);
        header.is_some_and(|header| header.is_ready())
    }
}

const IO: &str = "#include <iostream>\n";
const ALL: &str = "#include <bits/stdc++.h>\n";
const SAMPLE: &str = "make <iostream>, plain, with <iostream>";

#[test]
fn a_header_is_made_when_it_has_paid_and_stays() {
    let mut builder = TestBuilder::new();
    for _ in 0..3 {
        assert_eq!(builder.build_text(IO), "plain");
    }
    builder = builder.again();
    for _ in 0..3 {
        assert_eq!(builder.build_text("// in order\n#include <iostream>\n#include <string>\n"), "plain");
    }
    assert_eq!(builder.build_text(IO), SAMPLE);
    assert_eq!(builder.build_text("#include <iostream>\n#include <map>\n"), "with <iostream>");
    // In another order the headers could write functions in another order.
    assert_eq!(builder.build_text("#include <map>\n#include <iostream>\n"), "plain");
    // A single new program in another run uses the header that exists.
    builder = builder.again();
    assert_eq!(builder.build_text(IO), "with <iostream>");
    assert!(builder.machine.slow_builds().is_empty());
}

#[test]
fn a_class_that_is_foreseen_has_its_headers_from_the_first_program() {
    let mut builder = TestBuilder::new();
    let tasks = builder.foresee(&[&[IO; 7][..], &[ALL; 5], &["#include <cstdio>\n"; 9]].concat());
    let mut asked: Vec<String> = tasks.iter().map(|task| builder.build(task)).collect();
    assert_eq!((&*asked[0], &*asked[7]), (SAMPLE, "make <bits/stdc++.h>, plain, with <bits/stdc++.h>"));
    asked.dedup();
    assert_eq!(asked[1], "with <iostream>");
    assert_eq!(asked[3..], ["with <bits/stdc++.h>", "plain"]);
    // A header for a single program is never worth it.
    let tasks = builder.foresee(&["#include <random>\n"]);
    assert_eq!(builder.build(&tasks[0]), "plain");
}

#[test]
fn a_build_does_not_wait_for_a_header_that_another_slot_makes() {
    let mut builder = TestBuilder::new();
    let tasks = builder.foresee(&[IO; 9]);
    let mut other = CopyingCompiler::default();
    let machine = &builder.machine;
    let headers = &machine.toolchains.headers;
    let turn_of_another = headers.begin(&headers.header_of(&machine.store, &tasks[0]).unwrap()).unwrap();
    build(machine, &mut other, &tasks[0]).unwrap();
    assert_eq!(other.asked, ["plain"]);
    drop(turn_of_another);
    assert_eq!(builder.build(&tasks[1]), SAMPLE);
}

/// Builds nine programs for each of these headers and six without one, in one slot more than there are headers.
fn build_while_headers_are_made(headers: &[&str]) {
    let mut builder = TestBuilder::new();
    let texts = [headers.repeat(9), vec!["#include <cstdio>\n"; 6]].concat();
    let tasks: Vec<BuildTask> = texts.iter().map(|text| builder.task(&[("main.cpp", text)])).collect();
    let jobs: Vec<Job> = tasks.into_iter().map(|task| Job::new(Task::Build(Arc::new(task)))).collect();
    let builds = Arc::new(BuildCount { wanted: 6, texts: Mutex::default(), added: Condvar::new() });
    let machine = &builder.machine;
    let slot = |_| -> Perform {
        let mut compiler = CopyingCompiler { builds: Some(builds.clone()), ..CopyingCompiler::default() };
        Box::new(move |job| match &job.task {
            Task::Build(task) => build(machine, &mut compiler, task).map(Outcome::Build),
            other => unreachable!("{other:?}"),
        })
    };
    let executor = with_headers(machine, (0..=headers.len()).map(slot).collect());
    let stop = AtomicBool::new(false);
    let engine = Engine::new(machine, &executor, &stop);
    let results = engine.run_all(jobs, KnownFacts::Use, &mut |_, _| Ok(())).unwrap();
    assert!(results.iter().all(|result| matches!(result, Some(Ok(_)))), "{results:?}");
    let texts = builds.texts.lock().unwrap();
    assert!(texts[..6].iter().all(|text| text.starts_with("<cstdio>")), "{texts:?}");
    assert!(texts.len() >= 6 + headers.len(), "samples are built without their headers as well");
}

#[test]
fn other_programs_are_built_while_slots_make_headers() {
    build_while_headers_are_made(&[IO]);
    build_while_headers_are_made(&[IO, ALL]);
}

fn slower_builds(why: &str) -> Message {
    Message::new(Level::Warning, format!("builds are slower than usual: no precompiled header for {why}"))
}

#[test]
fn a_header_that_changes_a_program_is_not_used() {
    let mut builder = TestBuilder::new();
    builder.compiler.differs = true;
    let tasks = builder.foresee(&[IO; 9]);
    // A program that does not compile proves nothing about the header.
    let refused = builder.task(&[("main.cpp", "#include <iostream>\nrefuse")]);
    assert_eq!(builder.build(&refused), "make <iostream>, plain");
    assert_eq!(builder.build(&tasks[0]), "plain, with <iostream>");
    assert_eq!(builder.build(&tasks[1]), "plain");
    let why = "C++: programs built with it differ";
    let slow = [slower_builds(why)];
    assert_eq!(builder.machine.slow_builds(), slow);
    let warm = builder.home.path().join("store/warm");
    assert_eq!(fs::read_dir(&warm).unwrap().count(), 0, "it only takes space");
    // The next run remembers it.
    builder = builder.again();
    let tasks = builder.foresee(&[IO; 9]);
    assert_eq!(builder.build(&tasks[0]), "plain");
    assert_eq!(builder.machine.slow_builds(), slow);
}

#[test]
fn programs_that_a_header_could_change_are_built_without_it() {
    let mut builder = TestBuilder::new();
    let task = builder.foresee(&[IO; 9]).pop().unwrap();
    assert_eq!(builder.build(&task), SAMPLE);
    for (files, asked) in [
        (
            &[("a.cpp", IO), ("b.cpp", "#include <iostream>\n#include <map>\n"), ("c.h", "")][..],
            "with <iostream>",
        ),
        (&[("a.cpp", IO), ("b.cpp", "int b;\n")], "plain"),
        (&[("a.cpp", IO), ("iostream", "")], "plain"),
        (&[("a.cpp", IO), ("lib/iostream", "")], "plain"),
        (&[("a.cpp", "#define int long long\n#include <iostream>\n")], "plain"),
        (&[("a.cpp", "#include <iostream>\nchar t[] = __TIME__;\n")], "plain"),
        (&[("a.cpp", "#include <iostream>\n#import \"a.h\"\n"), ("a.h", "")], "plain"),
        (&[("a.cpp", "#include <iostream>\n#include \"a.h\"\n"), ("a.h", "#imp\\ \r\nort <map>\n")], "plain"),
        (&[("a.cpp", "#include <iostream>\n#imp??/\nort <map>\n")], "plain"),
        // The message of a refusal must be that of the plain build.
        (&[("a.cpp", "#include <iostream>\nrefuse\n")], "with <iostream>, plain"),
    ] {
        let task = builder.task(files);
        assert_eq!(builder.build(&task), asked, "{files:?}");
    }
    builder.compiler.warning = "In file included from /warm/all.h:1:";
    assert_eq!(builder.build_text(IO), "with <iostream>, plain");
}

#[test]
fn a_header_that_was_touched_is_made_again_and_one_that_is_gone_only_if_it_pays() {
    let mut builder = TestBuilder::new();
    let task = builder.foresee(&[IO; 9]).pop().unwrap();
    assert_eq!(builder.build(&task), SAMPLE);
    let warm = builder.home.path().join("store/warm");
    let header = || fs::read_dir(&warm).unwrap().next().unwrap().unwrap().path();
    builder = builder.again();
    assert!(builder.has_header(IO) && !builder.has_header("#include <map>\n"));
    fs::write(header().join("all.h"), "#define cout cerr\n").unwrap();
    builder = builder.again();
    assert!(!builder.has_header(IO));
    assert_eq!(builder.build_text(IO), SAMPLE);
    assert!(builder.has_header(IO));
    fs::remove_dir_all(header()).unwrap();
    builder = builder.again();
    assert_eq!(builder.build_text("#include <map>\n"), "plain");
}

#[test]
fn headers_that_cannot_be_made_only_make_builds_slower() {
    let mut builder = TestBuilder::new();
    let tasks = builder.foresee(&["#include <regex>\n#include <iostream>\n"; 20]);
    assert_eq!(builder.build(&tasks[0]), "make <regex> <iostream>, plain");
    assert_eq!(builder.build(&tasks[1]), "plain");
    let why = "C++: precompile headers (Code(1)): no such header";
    assert_eq!(builder.machine.slow_builds(), [slower_builds(why)]);
}
