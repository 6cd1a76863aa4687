//! The two commands of a language: one builds sources in the box, one runs the program.

use super::{
    Language, Toolchain,
    fill::{Values, fill},
    layout::{BINARY, sources_of},
};
use kopek_base::Bytes;
use kopek_sandbox::{BoxFile, Exec, Input, Keep, Limits, ReadOnlyMount, SandboxView};
use std::path::{Path, PathBuf};

/// The path of a built program inside the sandbox.
pub const EXE: &str = "/exe";

/// The path of the toolchain's cache inside the sandbox.
pub const WARM: &str = "/warm";

/// A row and its toolchain on this machine.
#[derive(Debug, Clone, Copy)]
pub struct ReadyLanguage<'a> {
    /// The row of the table.
    pub row: &'a Language,
    /// The toolchain that fills its placeholders.
    pub toolchain: &'a Toolchain,
}

/// Sources in the box of a build.
#[derive(Debug, Clone, Copy)]
pub struct LaidSources<'a> {
    pub paths: &'a [PathBuf],
    /// The file or class to run.
    pub entry: &'a str,
}

/// A program that was built.
#[derive(Debug, Clone, Copy)]
pub struct BuiltFiles<'a> {
    /// The output of its build, on the host.
    pub dir: &'a Path,
    /// The file or class to run.
    pub entry: &'a str,
}

/// The command that builds a program from files in the box; `None` if the language needs no build. All files
/// that it leaves below `/box` are copied to `to` (an existing host directory). They are the program, to be
/// mounted at [`EXE`].
pub fn build_exec(language: ReadyLanguage, sources: LaidSources, limits: Limits, to: &Path) -> Option<Exec> {
    let command = language.row.build.as_ref()?;
    let mut values = values(language.toolchain, sources.entry, "/box", limits.memory);
    // The leading `./` keeps a file called `-o.c` from being an option of the compiler.
    let files = sources_of(language.row, sources.paths.iter()).map(|file| format!("./{file}"));
    values.insert("files".into(), files.collect());
    let mut exec = exec_in_box(language, fill(command, &values), limits, to);
    exec.env.push(("TMPDIR".into(), "/box".into()));
    Some(exec)
}

/// The command that fills a directory for [`Toolchain::warm`]. All files that it leaves below `/box` are
/// copied to `to`, an existing host directory. `None` if the language has no such command.
pub fn warm(language: ReadyLanguage, limits: Limits, to: &Path) -> Option<Exec> {
    let command = language.row.warm.as_ref()?;
    let argv = fill(command, &values(language.toolchain, "", "/box", limits.memory));
    Some(exec_in_box(language, argv, limits, to))
}

/// The command that compiles this header into `to`; `None` if the row has no such command.
pub fn precompile(language: ReadyLanguage, header: String, limits: Limits, to: &Path) -> Option<Exec> {
    let command = &language.row.precompiled.as_ref()?.make;
    let argv = fill(command, &values(language.toolchain, "", "/box", limits.memory));
    let mut exec = exec_in_box(language, argv, limits, to);
    exec.env.push(("TMPDIR".into(), "/box".into()));
    exec.files = vec![BoxFile::Bytes("all.h".into(), header.into_bytes())];
    Some(exec)
}

/// A command that writes below `/box`.
fn exec_in_box(language: ReadyLanguage, argv: Vec<String>, limits: Limits, to: &Path) -> Exec {
    Exec {
        argv,
        env: language.row.env.clone().into_iter().collect(),
        view: build_view(language),
        cwd: "/box".into(),
        files: vec![],
        stdin: Input::Nothing,
        limits: with_runtime(language.row, limits),
        keep: Keep::Below(PathBuf::new(), to.to_owned()),
        reserves: false,
        extension: None,
        enough_cpu: std::time::Duration::MAX,
    }
}

/// Fills a command of the language for a program in the working directory, which starts at `entry`. `more`: values of
/// further placeholders.
pub fn fill_here(
    language: ReadyLanguage,
    command: &[String],
    entry: &str,
    memory: Bytes,
    more: Values,
) -> Vec<String> {
    let here = |word: &String| word.replace(EXE, ".");
    let command: Vec<String> = command.iter().map(here).collect();
    let mut values = values(language.toolchain, entry, ".", memory);
    values.extend(more);
    fill(&command, &values)
}

/// Mounts host paths at the same path inside; one inside another needs no mount.
pub fn show_in_place(roots: &[PathBuf]) -> Vec<ReadOnlyMount> {
    let mut roots = roots.to_vec();
    roots.sort();
    // Sorted by components, a path comes after the one that contains it.
    roots.dedup_by(|later, earlier| later.starts_with(earlier));
    roots.into_iter().map(|root| ReadOnlyMount { host: root.clone(), inside: root }).collect()
}

fn build_view(language: ReadyLanguage) -> SandboxView {
    let ReadyLanguage { row, toolchain } = language;
    let mut shown = show_in_place(&toolchain.roots);
    shown.extend(toolchain.warm.iter().map(|host| ReadOnlyMount { host: host.clone(), inside: WARM.into() }));
    SandboxView { mounts: shown, proc: row.proc || row.build_proc, writable: true }
}

/// The command that runs a built program, which is mounted at [`EXE`]. The caller fills in standard input and
/// the rest of the trial.
pub fn run_exec(language: ReadyLanguage, program: BuiltFiles, args: &[String], limits: Limits) -> Exec {
    let ReadyLanguage { row, toolchain } = language;
    let mut argv = fill(&row.run, &values(toolchain, program.entry, EXE, limits.memory));
    argv.extend(args.iter().cloned());
    let mut shown = show_in_place(&toolchain.roots);
    shown.push(ReadOnlyMount { host: program.dir.to_owned(), inside: EXE.into() });
    Exec {
        argv,
        env: row.env.clone().into_iter().collect(),
        view: SandboxView { mounts: shown, proc: row.proc, writable: row.scratch },
        cwd: EXE.into(),
        files: vec![],
        stdin: Input::Nothing,
        limits: with_runtime(row, limits),
        keep: Keep::Nothing,
        reserves: row.reserves,
        extension: None,
        enough_cpu: std::time::Duration::MAX,
    }
}

/// Starts a program that may write files in its own box, with a copy of its files.
#[must_use]
pub fn with_own_box(mut exec: Exec, built: &Path) -> Exec {
    exec.view.writable = true;
    exec.cwd = "/box".into();
    exec.files.push(BoxFile::Tree(PathBuf::new(), built.to_owned()));
    exec
}

fn with_runtime(language: &Language, limits: Limits) -> Limits {
    Limits {
        // Resources of the runtime itself must not reduce the program's own limit.
        memory: Bytes(limits.memory.0.saturating_add(language.spare.0)),
        processes: limits.processes.saturating_add(language.processes),
        ..limits
    }
}

fn values(toolchain: &Toolchain, entry: &str, dir: &str, memory: Bytes) -> Values {
    let stem = entry.rsplit_once('.').map_or(entry, |(stem, _)| stem);
    let tools = toolchain.tools.iter().map(|(tool, path)| (tool.clone(), vec![path.display().to_string()]));
    let mut values: Values = tools.chain(toolchain.extras.clone()).collect();
    let memory = (memory.0 >> 20).max(1).to_string();
    for (name, value) in
        [("entry", entry), ("stem", stem), ("binary", &format!("{dir}/{BINARY}")), ("memory", &memory)]
    {
        values.insert(name.into(), vec![value.to_owned()]);
    }
    values
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::language::LanguageTable;
    use kopek_base::Digest;
    use std::collections::BTreeMap;

    #[test]
    fn a_runtime_gets_its_own_memory_and_threads_beyond_the_programs() {
        let table = LanguageTable::embedded();
        let toolchain = Toolchain {
            code: "java".into(),
            program: PathBuf::new(),
            tools: [("java".to_owned(), PathBuf::from("/usr/bin/java"))].into(),
            extras: BTreeMap::new(),
            version: String::new(),
            warm: None,
            guards: vec![],
            digest: Digest::of(b""),
            roots: vec!["/opt/jdk".into(), "/opt/jdk/lib".into()],
        };
        let limits = Limits {
            cpu: std::time::Duration::from_secs(1),
            wall: std::time::Duration::from_secs(3),
            memory: Bytes::mib(100),
            output: Bytes::mib(1),
            files: Bytes::mib(1),
            processes: 1,
        };
        let java = table.get("java").unwrap();
        let language = ReadyLanguage { row: java, toolchain: &toolchain };
        let program = BuiltFiles { dir: Path::new("/blob"), entry: "Main" };
        let exec = run_exec(language, program, &["7".into()], limits);
        assert!(exec.argv.contains(&"-Xmx100m".to_owned()));
        assert_eq!(exec.argv[exec.argv.len() - 3..], ["/exe", "Main", "7"]);
        assert_eq!(exec.limits.memory, Bytes(Bytes::mib(100).0 + java.spare.0));
        assert_eq!(exec.limits.processes, 1 + java.processes);
        let shown: Vec<_> = exec.view.mounts.iter().map(|shown| shown.inside.to_str().unwrap()).collect();
        assert_eq!(shown, ["/opt/jdk", "/exe"]);
        assert_eq!(with_own_box(exec, Path::new("/blob")).cwd, "/box");
    }
}
