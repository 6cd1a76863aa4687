//! Programs as plain values: how one is built, and one that was built.

use super::key::{JobKind, Key, bytes_of};
use crate::language::{Language, Toolchain};
use kopek_base::{Bytes, Digest, DigestFields};
use kopek_sandbox::Limits;
use serde::{Deserialize, Serialize};
use std::{
    path::PathBuf,
    sync::{Arc, OnceLock},
};

/// How to build a program.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct BuildTask {
    /// Its files as they are laid out, in order of their paths.
    pub files: Vec<LaidFile>,
    /// Digest of the layout and of the entry point.
    pub digest: Digest,
    /// The file or class that is run; nothing for what a compiler links.
    pub entry: String,
    /// The row of the table.
    pub language: Language,
    /// What the row's commands must be wherever it is built.
    pub toolchain: ToolchainId,
    /// Limits of the compiler.
    pub limits: Limits,
    /// The kind of isolation.
    pub isolation: String,
    /// The key, once computed: it is asked for at every trial.
    #[serde(skip)]
    pub cached: OnceLock<Key>,
}

/// A file of a program.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct LaidFile {
    /// Relative to the directory of the program.
    pub path: PathBuf,
    /// Names the blob with its contents.
    pub digest: Digest,
    /// Whether it may be executed.
    pub executable: bool,
    /// Size of the contents.
    pub size: Bytes,
}

/// Which toolchain, without a path of any machine.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ToolchainId {
    /// The language's code.
    pub code: String,
    /// For people.
    pub version: String,
    /// Of everything that makes it this one.
    pub digest: Digest,
    /// See `ToolchainLook`; known only where the job was planned.
    #[serde(skip)]
    pub guard: Option<Digest>,
}

impl From<&Toolchain> for ToolchainId {
    fn from(toolchain: &Toolchain) -> ToolchainId {
        let Toolchain { code, version, digest, guard, .. } = toolchain;
        ToolchainId { code: code.clone(), version: version.clone(), digest: *digest, guard: *guard }
    }
}

impl BuildTask {
    /// The key of the build.
    pub fn key(&self) -> Key {
        *self.cached.get_or_init(|| {
            JobKind::Build
                .fields()
                .with("source", self.digest.as_bytes())
                .with("language", self.language.digest().as_bytes())
                .with("toolchain", self.toolchain.digest.as_bytes())
                .with("limits", &bytes_of(&self.limits))
                .with("isolation", self.isolation.as_bytes())
                .digest()
        })
    }
}

/// A program that was built, with the limits of its runs: everything foreign that runs is one.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Program {
    /// For people.
    pub name: String,
    /// How it was built: its language tells how it is run.
    pub build: Arc<BuildTask>,
    /// Names the blob with what was built.
    pub blob: Digest,
    /// The file or class that is run.
    pub entry: String,
    /// Limits of a run.
    pub limits: Limits,
}

impl Program {
    /// Everything that can change what it does. Not the blob: compilers may write other bytes for the
    /// same program.
    pub(crate) fn identity(&self) -> Digest {
        DigestFields::new("program run")
            .with("build", self.build.key().as_bytes())
            .with("limits", &bytes_of(&self.limits))
            .digest()
    }
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;
    use crate::language::LanguageTable;
    use std::time::Duration;

    /// A program that exists nowhere.
    pub(crate) fn program() -> Program {
        let limits = Limits {
            cpu: Duration::from_secs(1),
            wall: Duration::from_secs(3),
            memory: Bytes::mib(64),
            output: Bytes::mib(1),
            files: Bytes::mib(1),
            processes: 8,
        };
        let file = LaidFile {
            path: "main.c".into(),
            digest: Digest::of(b"int x;"),
            executable: false,
            size: Bytes(6),
        };
        let build = BuildTask {
            files: vec![file],
            digest: Digest::of(b"layout"),
            entry: String::new(),
            language: LanguageTable::embedded().get("c").expect("C has a row").clone(),
            toolchain: ToolchainId {
                code: "c".into(),
                version: "1".into(),
                digest: Digest::of(b"toolchain"),
                guard: None,
            },
            limits,
            isolation: "namespaces".into(),
            cached: OnceLock::new(),
        };
        Program {
            name: "main".into(),
            build: Arc::new(build),
            blob: Digest::of(b"blob"),
            entry: String::new(),
            limits,
        }
    }

    #[test]
    fn another_limit_or_source_is_another_program_and_another_blob_is_not() {
        let one = program();
        let other_blob = Program { blob: Digest::of(b"other"), ..one.clone() };
        let other_limit = Program { limits: Limits { processes: 9, ..one.limits }, ..one.clone() };
        let build =
            BuildTask { digest: Digest::of(b"other"), cached: OnceLock::new(), ..(*one.build).clone() };
        let other_source = Program { build: Arc::new(build), ..one.clone() };
        assert_eq!(one.identity(), other_blob.identity());
        assert_ne!(one.identity(), other_limit.identity());
        assert_ne!(one.identity(), other_source.identity());
    }
}
