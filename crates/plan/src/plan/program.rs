//! Programs as plain values, before and after the build.

use super::key::{JobKind, Key, bytes_of};
use kopek_base::{Bytes, Digest, DigestFields};
use kopek_package::language::{Language, Toolchain};
use kopek_sandbox::Limits;
use std::{
    path::PathBuf,
    sync::{Arc, OnceLock},
};

/// The build of a program.
#[derive(Debug, Clone)]
pub struct BuildTask {
    /// Its files in the layout, sorted by path.
    pub files: Vec<LaidFile>,
    /// Digest of the layout and of the entry point.
    pub digest: Digest,
    /// The file or class to run; empty for a linked program.
    pub entry: String,
    /// The row of the table.
    pub language: Language,
    /// The toolchain that every machine must use for it.
    pub toolchain: ToolchainId,
    pub limits: Limits,
    pub isolation: String,
    /// The computed key: every trial needs it.
    pub cached: OnceLock<Key>,
}

/// A file of a program.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LaidFile {
    /// Relative to the directory of the program.
    pub path: PathBuf,
    /// Names the blob with its contents.
    pub digest: Digest,
    /// Whether it may be executed.
    pub executable: bool,
    pub size: Bytes,
}

/// The identity of a toolchain, without local paths.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ToolchainId {
    pub code: String,
    /// For messages.
    pub version: String,
    /// Of everything that identifies it.
    pub digest: Digest,
    /// See `ToolchainLook`; known only on the machine that planned the job.
    pub guards: Vec<Digest>,
}

impl From<&Toolchain> for ToolchainId {
    fn from(toolchain: &Toolchain) -> ToolchainId {
        let Toolchain { code, version, digest, guards, .. } = toolchain;
        ToolchainId { code: code.clone(), version: version.clone(), digest: *digest, guards: guards.clone() }
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

/// A built program with the limits of its runs: every untrusted program that runs is one.
#[derive(Debug, Clone)]
pub struct Program {
    /// For messages.
    pub name: String,
    /// Its build: its language defines how it is run.
    pub build: Arc<BuildTask>,
    /// The blob with the built files.
    pub blob: Digest,
    /// The file or class to run.
    pub entry: String,
    pub limits: Limits,
}

impl Program {
    /// A digest of everything that can change its behaviour. Without the blob: compilers may write other
    /// bytes for the same program.
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
    use kopek_package::language::LanguageTable;
    use std::time::Duration;

    /// A program that does not exist.
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
                guards: vec![],
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
