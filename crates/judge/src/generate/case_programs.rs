//! The programs that cases need, as the recipe and the package name them, and where their sources are.

use super::copied_files::resolve_inside;
use kopek_engine::{
    exec::{Engine, ProgramRequest},
    machine::{BuildRules, DeclaredSource, SourceRole, TOOL_BUILD_LIMITS, plan_build},
};
use kopek_package::{
    language::SourceFiles,
    package::{Package, PackageProgram, Submission, TOOL_CODE_LIMIT},
};
use kopek_plan::plan::MAKE_LIMITS;
use kopek_sandbox::Limits;
use std::{collections::BTreeMap, path::Path, sync::Arc};

/// A program as the recipe and the package name it.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct ProgramSpec {
    /// For people.
    pub(super) name: String,
    pub(super) source: SourceFiles,
    /// Code of its language, if stated.
    pub(super) language: Option<String>,
    /// The entry point, if stated.
    pub(super) entry: Option<String>,
    /// Files laid over its own, by language code; only submissions have them.
    pub(super) include: BTreeMap<String, SourceFiles>,
    pub(super) role: SourceRole,
    /// The values of `{{name}}` in it.
    pub(super) constants: BTreeMap<String, String>,
    pub(super) limits: Limits,
}

impl ProgramSpec {
    /// A tool without constants.
    pub(super) fn tool(name: &str, source: SourceFiles) -> ProgramSpec {
        ProgramSpec {
            name: name.to_owned(),
            source,
            language: None,
            entry: None,
            include: BTreeMap::new(),
            role: SourceRole::Tool,
            constants: BTreeMap::new(),
            limits: MAKE_LIMITS,
        }
    }

    pub(super) fn validator(package: &Package, program: &PackageProgram, limits: Limits) -> ProgramSpec {
        let constants = package.constants.clone();
        ProgramSpec { constants, limits, ..ProgramSpec::tool(&program.name, program.source.clone()) }
    }

    pub(super) fn submission(package: &Package, submission: &Submission) -> ProgramSpec {
        ProgramSpec {
            language: submission.language.clone(),
            entry: submission.entry.clone(),
            include: package.include.clone(),
            role: SourceRole::Example,
            constants: package.constants.clone(),
            ..ProgramSpec::tool(&format!("submissions/{}", submission.name), submission.source.clone())
        }
    }

    pub(super) fn request(&self, engine: &Engine) -> ProgramRequest {
        let rules = BuildRules {
            role: self.role,
            constants: &self.constants,
            allowed: None,
            include: &self.include,
            limits: TOOL_BUILD_LIMITS,
            code: TOOL_CODE_LIMIT,
        };
        let declared = DeclaredSource {
            source: &self.source,
            language: self.language.as_deref(),
            entry: self.entry.as_deref(),
        };
        let build = plan_build(engine.machine, declared, &rules).map(Arc::new);
        ProgramRequest { name: self.name.clone(), build, limits: self.limits }
    }
}

/// A program that is a file or a directory.
pub(super) fn find_program(package: &Package, path: &Path, name: &str) -> Result<ProgramSpec, String> {
    let real = resolve_inside(package, path)?;
    if !real.is_dir() {
        let (Some(root), Some(file)) = (path.parent(), path.file_name()) else {
            return Err(format!("`{name}` is not a program"));
        };
        return Ok(ProgramSpec::tool(name, SourceFiles { root: root.to_owned(), files: vec![file.into()] }));
    }
    let mut files = Vec::new();
    for entry in walkdir::WalkDir::new(path).follow_links(true).sort_by_file_name() {
        let entry = entry.map_err(|error| format!("cannot read `{name}`: {error}"))?;
        if entry.file_type().is_file() {
            resolve_inside(package, entry.path())?;
            let file = entry.path();
            files.push(file.strip_prefix(path).unwrap_or(file).to_owned());
        }
    }
    Ok(ProgramSpec::tool(name, SourceFiles { root: path.to_owned(), files }))
}
