//! The two commands: from sources in the box to a program, and from the program to a run.

use super::{
    Language, Toolchain,
    fill::{Values, fill},
    layout::{BINARY, sources_of},
};
use crate::{
    base::Bytes,
    sandbox::{BoxFile, Exec, Input, Keep, Limits, ReadOnlyMount, SandboxView},
};
use std::path::{Path, PathBuf};

/// Where a built program lies inside.
pub const EXE: &str = "/exe";

/// Where builds find what was made for all of them.
pub(crate) const WARM: &str = "/warm";

/// The command that builds a program from files that are put into the box; `None`: its language is
/// not built. `paths`: where the files lie in the box. What lies below `/box` afterwards is copied to
/// `to` (an existing host directory): the program, to be shown at [`EXE`].
pub fn build_exec(
    language: &Language,
    toolchain: &Toolchain,
    paths: &[PathBuf],
    entry: &str,
    limits: Limits,
    to: &Path,
) -> Option<Exec> {
    let command = language.build.as_ref()?;
    let mut values = values(toolchain, entry, "/box", limits.memory);
    // With `./` in front a file called `-o.c` is no option of the compiler.
    let sources = sources_of(language, paths.iter()).map(|file| format!("./{file}"));
    values.insert("files".into(), sources.collect());
    let mut env: Vec<_> = language.env.clone().into_iter().collect();
    env.push(("TMPDIR".into(), "/box".into()));
    Some(Exec {
        argv: fill(command, &values),
        env,
        view: build_view(language, toolchain),
        cwd: "/box".into(),
        files: vec![],
        stdin: Input::Nothing,
        limits: with_runtime(language, limits),
        keep: Keep::Below(PathBuf::new(), to.to_owned()),
        reserves: false,
        extension: None,
    })
}

/// The command that fills a directory for [`Toolchain::warm`]; what lies below `/box` afterwards
/// is copied to `to`, an existing host directory. `None`: the language has no use for one.
pub(crate) fn warm(language: &Language, toolchain: &Toolchain, limits: Limits, to: &Path) -> Option<Exec> {
    Some(preparation(language, toolchain, (language.warm.as_ref()?, limits), to))
}

/// The command that compiles this header into `to`; `None`: the row does not say how.
pub(crate) fn precompile(
    language: &Language,
    toolchain: &Toolchain,
    header: String,
    limits: Limits,
    to: &Path,
) -> Option<Exec> {
    let row = language.precompiled.as_ref()?;
    let mut exec = preparation(language, toolchain, (&row.make, limits), to);
    exec.env.push(("TMPDIR".into(), "/box".into()));
    exec.files = vec![BoxFile::Bytes("all.h".into(), header.into_bytes())];
    Some(exec)
}

fn preparation(
    language: &Language,
    toolchain: &Toolchain,
    (command, limits): (&[String], Limits),
    to: &Path,
) -> Exec {
    Exec {
        argv: fill(command, &values(toolchain, "", "/box", limits.memory)),
        env: language.env.clone().into_iter().collect(),
        view: build_view(language, toolchain),
        cwd: "/box".into(),
        files: vec![],
        stdin: Input::Nothing,
        limits: with_runtime(language, limits),
        keep: Keep::Below(PathBuf::new(), to.to_owned()),
        reserves: false,
        extension: None,
    }
}

/// Host paths, each shown where it lies; a path within another is shown by that one.
pub(crate) fn show_in_place(roots: &[PathBuf]) -> Vec<ReadOnlyMount> {
    let mut roots = roots.to_vec();
    roots.sort();
    // Sorted by components, a path stands behind the one that holds it.
    roots.dedup_by(|later, earlier| later.starts_with(earlier));
    roots.into_iter().map(|root| ReadOnlyMount { host: root.clone(), inside: root }).collect()
}

fn build_view(language: &Language, toolchain: &Toolchain) -> SandboxView {
    let mut shown = show_in_place(&toolchain.roots);
    shown.extend(toolchain.warm.iter().map(|host| ReadOnlyMount { host: host.clone(), inside: WARM.into() }));
    SandboxView { mounts: shown, proc: language.proc || language.build_proc, writable: true }
}

/// The command that runs a built program: `built` is shown at [`EXE`]. Standard input, and
/// what else belongs to the trial, is the caller's to fill in.
pub fn run_exec(
    language: &Language,
    toolchain: &Toolchain,
    entry: &str,
    built: &Path,
    args: &[String],
    limits: Limits,
) -> Exec {
    let mut argv = fill(&language.run, &values(toolchain, entry, EXE, limits.memory));
    argv.extend(args.iter().cloned());
    let mut shown = show_in_place(&toolchain.roots);
    shown.push(ReadOnlyMount { host: built.to_owned(), inside: EXE.into() });
    Exec {
        argv,
        env: language.env.clone().into_iter().collect(),
        view: SandboxView { mounts: shown, proc: language.proc, writable: language.scratch },
        cwd: EXE.into(),
        files: vec![],
        stdin: Input::Nothing,
        limits: with_runtime(language, limits),
        keep: Keep::Nothing,
        reserves: language.reserves,
        extension: None,
    }
}

/// A program that may write files starts in a box of its own with a copy of its files.
#[must_use]
pub fn with_own_box(mut exec: Exec, built: &Path) -> Exec {
    exec.view.writable = true;
    exec.cwd = "/box".into();
    exec.files.push(BoxFile::Tree(PathBuf::new(), built.to_owned()));
    exec
}

fn with_runtime(language: &Language, limits: Limits) -> Limits {
    Limits {
        // What the runtime itself takes must not be taken from the program's own limit.
        memory: Bytes(limits.memory.0.saturating_add(language.spare.0)),
        processes: limits.processes.saturating_add(language.processes),
        ..limits
    }
}

fn values(toolchain: &Toolchain, entry: &str, home: &str, memory: Bytes) -> Values {
    let stem = entry.rsplit_once('.').map_or(entry, |(stem, _)| stem);
    let tools = toolchain.tools.iter().map(|(tool, path)| (tool.clone(), vec![path.display().to_string()]));
    let mut values: Values = tools.chain(toolchain.extras.clone()).collect();
    let memory = (memory.0 >> 20).max(1).to_string();
    for (name, value) in
        [("entry", entry), ("stem", stem), ("binary", &format!("{home}/{BINARY}")), ("memory", &memory)]
    {
        values.insert(name.into(), vec![value.to_owned()]);
    }
    values
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{base::Digest, language::LanguageTable};
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
            stamps: vec![],
            guard: None,
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
        let exec = run_exec(java, &toolchain, "Main", Path::new("/blob"), &["7".into()], limits);
        assert!(exec.argv.contains(&"-Xmx100m".to_owned()));
        assert_eq!(exec.argv[exec.argv.len() - 3..], ["/exe", "Main", "7"]);
        assert_eq!(exec.limits.memory, Bytes(Bytes::mib(100).0 + java.spare.0));
        assert_eq!(exec.limits.processes, 1 + java.processes);
        let shown: Vec<_> = exec.view.mounts.iter().map(|shown| shown.inside.to_str().unwrap()).collect();
        assert_eq!(shown, ["/opt/jdk", "/exe"]);
        assert_eq!(with_own_box(exec, Path::new("/blob")).cwd, "/box");
    }
}
