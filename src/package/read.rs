//! Reading a package: `problem.yaml` first, then what lies beside it.

use super::{
    Finding, Format, Judge, Kind, Package, Program, about,
    codes::LANGUAGES,
    disk::Disk,
    manifest::{Manifest, manifest, time_limit_file},
    named_files::named_files,
    nearest::nearest,
    number::seconds,
    programs::{many, single},
    sheet::Sheet,
    submissions::submissions,
};
use crate::language::Source;
use anyhow::{Context, Result};
use std::{
    collections::{BTreeMap, BTreeSet},
    path::{Path, PathBuf},
};

/// What came of reading a package.
#[derive(Debug, Clone)]
pub struct Reading {
    /// The package; `None` only where `problem.yaml` could not be understood at all.
    pub package: Option<Package>,
    /// Everything odd, by file and line.
    pub findings: Vec<Finding>,
}

/// Reads a package. Fails only where there is none: no such directory, no `problem.yaml`.
pub fn read(dir: &Path) -> Result<Reading> {
    let act = || format!("read package {}", dir.display());
    let disk = Disk::open(dir).with_context(act)?;
    let mut sheet = Sheet::new("problem.yaml");
    let file = disk.item("problem.yaml", &mut sheet.findings).filter(|item| !item.is_dir);
    let bytes = match file {
        Some(item) => disk.read(&item.path).context("read problem.yaml").with_context(act)?,
        None => return Err(absent(&sheet)).with_context(act),
    };
    let tree = sheet.parse(&bytes);
    let package =
        tree.and_then(|node| manifest(&disk, &node, &mut sheet)).map(|said| package(&disk, said, &mut sheet));
    Ok(Reading { package, findings: sorted(sheet.findings) })
}

/// All files below a directory of a package as the format sees it, relative to that directory; a link
/// that leads away, or nowhere, is a finding.
pub fn files_below(package: &Package, dir: &Path, findings: &mut Vec<Finding>) -> Result<Vec<PathBuf>> {
    let disk = Disk::open(&package.dir).with_context(|| format!("read {}", package.dir.display()))?;
    let item = disk.item(dir, findings).filter(|item| item.is_dir);
    Ok(item.map(|item| disk.every_file(&item.path, findings)).unwrap_or_default())
}

/// Why there is no `problem.yaml`: perhaps it is a link that leads away.
fn absent(sheet: &Sheet) -> anyhow::Error {
    match sheet.findings.first() {
        Some(finding) => anyhow::anyhow!("{}: {}", finding.file.display(), finding.what),
        None => anyhow::anyhow!("no problem.yaml: not a problem package"),
    }
}

/// By file and line, each once.
pub fn sorted(mut findings: Vec<Finding>) -> Vec<Finding> {
    findings
        .sort_by(|a, b| (&a.file, a.line, a.severity, &a.what).cmp(&(&b.file, b.line, b.severity, &b.what)));
    findings.dedup();
    findings
}

fn package(disk: &Disk, mut said: Manifest, sheet: &mut Sheet) -> Package {
    let modern = said.format == Format::V2025_09;
    stray_directories(disk, &said, &mut sheet.findings);
    statements(disk, &mut said, sheet);
    time_limit(disk, &mut said, sheet);
    let found = &mut sheet.findings;
    let judge = judge(disk, &said, found);
    let only = |dir: &str, found: &mut Vec<Finding>| if modern { single(disk, dir, found) } else { None };
    let static_validator = only("static_validator", found);
    if static_validator.is_some() && said.kind.submit_answer {
        found.push(Finding::error("static_validator", "a submit-answer problem has no source to validate"));
    }
    let (submissions, claims) = submissions(disk, &said, found);
    Package {
        dir: disk.dir.clone(),
        name: name(&disk.dir),
        judge,
        input_validators: input_validators(disk, found),
        static_validator,
        input_visualizer: only("input_visualizer", found),
        output_visualizer: only("output_visualizer", found),
        include: include(disk, &said, found),
        submissions,
        claims,
        named_files: named_files(disk, found),
        grader: grader(disk, said.data, found),
        format: said.format,
        data: said.data,
        about: said.about,
        kind: said.kind,
        limits: said.limits,
        languages: said.languages,
        allow_file_writing: said.allow_file_writing,
        constants: said.constants,
    }
}

fn name(dir: &Path) -> String {
    let whole = std::fs::canonicalize(dir).unwrap_or_else(|_| dir.to_owned());
    whole.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default()
}

/// Directories that only 2025-09 has.
const ONLY_MODERN: &[&str] = &["static_validator", "input_visualizer", "output_visualizer"];

fn stray_directories(disk: &Disk, said: &Manifest, findings: &mut Vec<Finding>) {
    let mut tell = |name: &str, hint: String| {
        if disk.path(name).is_dir() {
            findings.push(
                Finding::warning(name, "is ignored: this version of the format has no such directory")
                    .hint(hint),
            );
        }
    };
    if said.data == Format::V2025_09 {
        tell("graders", "in 2025-09 groups are scored as their `test_group.yaml` says".into());
    }
    match said.format {
        Format::V2025_09 => tell("problem_statement", "in 2025-09 it is called statement/".into()),
        Format::Legacy => {
            tell("statement", "in legacy it is called problem_statement/".into());
            ONLY_MODERN.iter().for_each(|name| tell(name, "only 2025-09 has it".into()));
        }
    }
}

fn statements(disk: &Disk, said: &mut Manifest, sheet: &mut Sheet) {
    let (dir, plain) = match said.format {
        Format::V2025_09 => ("statement", None),
        Format::Legacy => ("problem_statement", Some("en")),
    };
    let codes = about::statements(disk, dir, plain, sheet);
    if codes.is_empty() {
        let finding = Finding::warning(dir, "no problem statement");
        sheet.findings.push(finding.hint(format!("add {dir}/problem.en.md, .tex or .pdf")));
    } else if said.format == Format::V2025_09 && !said.about.titles.is_empty() {
        let titles: BTreeSet<String> = said.about.titles.keys().cloned().collect();
        for code in titles.difference(&codes) {
            let finding =
                Finding::warning("problem.yaml", format!("`name` in `{code}`, but no statement in it"));
            sheet.findings.push(finding.hint(format!("add statement/problem.{code}.md, or remove the name")));
        }
        for code in codes.difference(&titles) {
            let finding =
                Finding::warning("problem.yaml", format!("a statement in `{code}`, but no `name` in it"));
            sheet.findings.push(finding.hint(format!("add `{code}: …` below `name`")));
        }
    }
    said.about.statements = codes;
}

fn time_limit(disk: &Disk, said: &mut Manifest, sheet: &mut Sheet) {
    let Some((file, number)) = time_limit_file(disk, sheet) else { return };
    let told = match (said.limits.time, seconds(number)) {
        (Some(limit), Some(time)) if limit == time => return,
        (Some(_), _) => Finding::warning(file, "is ignored: problem.yaml sets another time limit"),
        (None, Some(time)) => {
            said.limits.time = Some(time);
            Finding::warning(
                file,
                format!("the time limit of {number} s stands outside problem.yaml: taken as meant"),
            )
        }
        (None, None) => Finding::error(file, format!("{number} is not a time limit")),
    };
    sheet.findings.push(match said.format {
        Format::V2025_09 => told.hint("write it to `limits: {time_limit: …}` in problem.yaml"),
        Format::Legacy => told,
    });
}

fn judge(disk: &Disk, said: &Manifest, findings: &mut Vec<Finding>) -> Judge {
    let judge = match said.format {
        Format::V2025_09 => match modern_validator(disk, findings) {
            Some(program) => Judge::Programs { programs: vec![program], scores: said.kind.scoring },
            None => Judge::Default,
        },
        Format::Legacy => legacy_judge(disk, said, findings),
    };
    let Kind { interactive, multi_pass, .. } = said.kind;
    if matches!(judge, Judge::Default) && (interactive || multi_pass) {
        let kind = if interactive { "an interactive" } else { "a multi-pass" };
        let dir = if said.format == Format::Legacy { "output_validators" } else { "output_validator" };
        findings.push(
            Finding::error(dir, format!("{kind} problem needs an output validator"))
                .hint(format!("add one to {dir}/")),
        );
    }
    judge
}

/// A validator under the name of the other version is meant to judge: without it
/// outputs would be compared in a way that nobody asked for.
fn modern_validator(disk: &Disk, findings: &mut Vec<Finding>) -> Option<Program> {
    if disk.path("output_validator").is_dir() || !disk.path("output_validators").is_dir() {
        return single(disk, "output_validator", findings);
    }
    let finding = Finding::warning("output_validators", "has the name of legacy: taken as meant");
    findings.push(finding.hint("in 2025-09 it is called output_validator/"));
    single(disk, "output_validators", findings)
}

fn legacy_judge(disk: &Disk, said: &Manifest, findings: &mut Vec<Finding>) -> Judge {
    let mut programs = many(disk, "output_validators", findings);
    if said.validation.custom && programs.is_empty() && disk.path("output_validator").is_dir() {
        let finding = Finding::warning("output_validator", "has the name of 2025-09: taken as meant");
        findings.push(finding.hint("in legacy it is called output_validators/"));
        programs.extend(single(disk, "output_validator", findings));
    }
    match (said.validation.custom, programs.is_empty()) {
        (true, false) => return Judge::Programs { programs, scores: said.validation.score },
        (true, true) if !said.kind.interactive && !said.kind.multi_pass => {
            let finding =
                Finding::error("output_validators", "`validation: custom`, but no output validator");
            findings.push(finding.hint("add one to output_validators/, or write `validation: default`"));
        }
        (false, false) => {
            let finding = Finding::warning("output_validators", "is ignored: `validation` is not `custom`");
            findings.push(finding.hint("write `validation: custom` in problem.yaml"));
        }
        (true, true) | (false, true) => {}
    }
    Judge::Default
}

fn input_validators(disk: &Disk, findings: &mut Vec<Finding>) -> Vec<Program> {
    let mut programs = many(disk, "input_validators", findings);
    if programs.is_empty() {
        programs = many(disk, "input_format_validators", findings);
        if !programs.is_empty() {
            let finding = Finding::warning("input_format_validators", "is a deprecated name: taken as meant");
            findings.push(finding.hint("rename it to input_validators/"));
        }
    }
    if programs.is_empty() {
        let finding = Finding::warning("input_validators", "no input validator");
        findings.push(finding.hint("add one: a program that exits with 42 for valid input"));
    }
    programs
}

fn grader(disk: &Disk, format: Format, findings: &mut Vec<Finding>) -> Option<Program> {
    if format != Format::Legacy || !disk.path("graders").is_dir() {
        return None;
    }
    single(disk, "graders", findings)
}

fn include(disk: &Disk, said: &Manifest, findings: &mut Vec<Finding>) -> BTreeMap<String, Source> {
    let mut all = BTreeMap::new();
    for item in disk.list(Path::new("include"), findings).items {
        if !item.is_dir {
            let finding =
                Finding::warning(&item.path, "is ignored: included files lie in a directory per language");
            findings.push(finding.hint("move it to include/default/"));
            continue;
        }
        if item.name != "default" && !LANGUAGES.contains(&item.name.as_str()) {
            let finding = Finding::warning(&item.path, format!("`{}` is not a language code", item.name));
            findings.push(match nearest(&item.name, LANGUAGES) {
                Some(near) => finding.hint(format!("did you mean `{near}`?")),
                None => finding.hint("a code of the format's table, or `default`"),
            });
            continue;
        }
        let excluded = |codes: &Vec<String>| item.name != "default" && !codes.contains(&item.name);
        if said.languages.as_ref().is_some_and(excluded) {
            let finding = Finding::warning(&item.path, format!("`languages` does not allow `{}`", item.name));
            findings.push(finding.hint("add it to `languages` in problem.yaml, or remove the directory"));
        }
        let files = disk.files(&item.path, findings);
        if files.is_empty() {
            findings.push(Finding::warning(&item.path, "is empty").hint("remove it"));
        }
        all.insert(item.name, Source { root: disk.path(&item.path), files });
    }
    all
}
