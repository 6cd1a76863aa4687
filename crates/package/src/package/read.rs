//! Reads a package: first `problem.yaml`, then the directories beside it.

use super::{
    Format, Judge, Message, Package, PackageProgram, ProblemKind, about,
    attachments::check_attachments,
    cause::sorted_findings,
    codes::LANGUAGES,
    disk::{Disk, LinkReach},
    field_reader::FieldReader,
    named_files::named_files,
    nearest::nearest_word,
    number::positive_seconds,
    package_programs::{all_programs, single_program},
    read_manifest::{read_manifest, time_limit_file},
    submissions::read_submissions,
};
use crate::language::SourceFiles;
use anyhow::{Context, Result};
use std::{
    collections::{BTreeMap, BTreeSet},
    path::{Path, PathBuf},
};

/// The result of reading a package.
#[derive(Debug, Clone)]
pub struct PackageReading {
    /// The package; `None` only if `problem.yaml` could not be read at all.
    pub package: Option<Package>,
    /// All problems, by file and line.
    pub findings: Vec<Message>,
}

/// Reads a package. Fails only if there is none: no such directory, or no `problem.yaml`.
pub fn read(dir: &Path) -> Result<PackageReading> {
    read_linked(dir, LinkReach::Workspace)
}

/// As [`read()`], with links that may lead this far.
pub fn read_linked(dir: &Path, links: LinkReach) -> Result<PackageReading> {
    let act = || format!("read package {}", dir.display());
    let disk = Disk::open(dir, links).with_context(act)?;
    let mut field_reader = FieldReader::new("problem.yaml");
    let file = disk.item("problem.yaml", &mut field_reader.findings).filter(|item| !item.is_dir);
    let bytes = match file {
        Some(item) => disk.read(&item.path).context("read problem.yaml").with_context(act)?,
        None => return Err(missing_manifest(&field_reader)).with_context(act),
    };
    let tree = field_reader.parse(&bytes);
    let package = tree
        .and_then(|node| read_manifest(&disk, &node, &mut field_reader))
        .map(|manifest| Package { links, ..assemble_package(&disk, manifest, &mut field_reader) });
    Ok(PackageReading { package, findings: sorted_findings(field_reader.findings) })
}

/// All files below a directory of a package as the format sees it, relative to that directory. A link that is
/// broken or leaves the package becomes a finding.
pub fn files_below(package: &Package, dir: &Path, findings: &mut Vec<Message>) -> Result<Vec<PathBuf>> {
    let disk =
        Disk::open(&package.dir, package.links).with_context(|| format!("read {}", package.dir.display()))?;
    let item = disk.item(dir, findings).filter(|item| item.is_dir);
    Ok(item.map(|item| disk.every_file(&item.path, findings)).unwrap_or_default())
}

/// Why there is no `problem.yaml`: it may be a link that leaves the package.
fn missing_manifest(field_reader: &FieldReader) -> anyhow::Error {
    match field_reader.findings.first() {
        Some(finding) => anyhow::anyhow!(finding.placed_text()),
        None => anyhow::anyhow!("no problem.yaml: not a problem package"),
    }
}

fn assemble_package(disk: &Disk, mut manifest: Package, field_reader: &mut FieldReader) -> Package {
    let modern = manifest.format == Format::V2025_09;
    stray_directories(disk, &manifest, &mut field_reader.findings);
    if modern {
        check_attachments(disk, &mut field_reader.findings);
    }
    check_statements(disk, &mut manifest, field_reader);
    take_time_limit(disk, &mut manifest, field_reader);
    let found = &mut field_reader.findings;
    let judge = output_judge(disk, &manifest, found);
    let only =
        |dir: &str, found: &mut Vec<Message>| if modern { single_program(disk, dir, found) } else { None };
    let static_validator = only("static_validator", found);
    if static_validator.is_some() && manifest.kind.submit_answer {
        found.push(Message::error("static_validator", "a submit-answer problem has no source to validate"));
    }
    let (submissions, claims) = read_submissions(disk, &manifest, found);
    Package {
        dir: disk.dir.clone(),
        name: package_name(&disk.dir),
        judge,
        input_validators: input_validators(disk, found),
        static_validator,
        input_visualizer: only("input_visualizer", found),
        output_visualizer: only("output_visualizer", found),
        include: included_files(disk, &manifest, found),
        submissions,
        claims,
        named_files: named_files(disk, found),
        grader: custom_grader(disk, manifest.data, manifest.kind, found),
        ..manifest
    }
}

fn package_name(dir: &Path) -> String {
    // `.` and `..` have no name.
    let whole = std::fs::canonicalize(dir).unwrap_or_else(|_| dir.to_owned());
    whole.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default()
}

/// Directories that only 2025-09 has.
const ONLY_MODERN: &[&str] = &["static_validator", "input_visualizer", "output_visualizer"];

fn stray_directories(disk: &Disk, manifest: &Package, findings: &mut Vec<Message>) {
    let mut ignore = |name: &str, hint: String| {
        if disk.path(name).is_dir() {
            findings.push(
                Message::warning(name, "is ignored: this version of the format has no such directory")
                    .todo(hint),
            );
        }
    };
    // By the version of the groups: a draft with legacy groups may have a grader.
    if manifest.data == Format::V2025_09 {
        ignore("graders", "in 2025-09 groups are scored as their `test_group.yaml` says".into());
    }
    match manifest.format {
        Format::V2025_09 => ignore("problem_statement", "in 2025-09 it is called statement/".into()),
        Format::Legacy => {
            ignore("statement", "in legacy it is called problem_statement/".into());
            ONLY_MODERN.iter().for_each(|name| ignore(name, "only 2025-09 has it".into()));
        }
    }
}

fn check_statements(disk: &Disk, manifest: &mut Package, field_reader: &mut FieldReader) {
    let (dir, plain) = match manifest.format {
        Format::V2025_09 => ("statement", None),
        Format::Legacy => ("problem_statement", Some("en")),
    };
    let codes = about::statement_languages(disk, dir, plain, field_reader);
    if codes.is_empty() {
        let finding = Message::warning(dir, "no problem statement");
        field_reader.findings.push(finding.todo(format!("add {dir}/problem.en.md, .tex or .pdf")));
    } else if manifest.format == Format::V2025_09 && !manifest.about.titles.is_empty() {
        let titles: BTreeSet<String> = manifest.about.titles.keys().cloned().collect();
        for code in titles.difference(&codes) {
            let finding =
                Message::warning("problem.yaml", format!("`name` in `{code}`, but no statement in it"));
            field_reader
                .findings
                .push(finding.todo(format!("add statement/problem.{code}.md, or remove the name")));
        }
        for code in codes.difference(&titles) {
            let finding =
                Message::warning("problem.yaml", format!("a statement in `{code}`, but no `name` in it"));
            field_reader.findings.push(finding.todo(format!("add `{code}: …` below `name`")));
        }
    }
    manifest.about.statements = codes;
}

fn take_time_limit(disk: &Disk, manifest: &mut Package, field_reader: &mut FieldReader) {
    let Some((file, number)) = time_limit_file(disk, field_reader) else { return };
    let finding = match (manifest.limits.time, positive_seconds(number)) {
        (Some(limit), Some(time)) if limit == time => return,
        (Some(_), _) => Message::warning(file, "is ignored: problem.yaml sets another time limit"),
        (None, Some(time)) => {
            manifest.limits.time = Some(time);
            Message::warning(
                file,
                format!("the time limit of {number} s is set outside problem.yaml: accepted anyway"),
            )
        }
        (None, None) => Message::error(file, format!("{number} is not a time limit")),
    };
    field_reader.findings.push(match manifest.format {
        Format::V2025_09 => finding.todo("write it to `limits: {time_limit: …}` in problem.yaml"),
        Format::Legacy => finding,
    });
}

fn output_judge(disk: &Disk, manifest: &Package, findings: &mut Vec<Message>) -> Judge {
    let judge = match manifest.format {
        // Its presence decides: 2025-09 has no key `validation`.
        Format::V2025_09 => match modern_validator(disk, findings) {
            Some(program) => Judge::Programs { programs: vec![program], scores: manifest.kind.scoring },
            None => Judge::Default,
        },
        Format::Legacy => legacy_judge(disk, manifest, findings),
    };
    let ProblemKind { interactive, multi_pass, .. } = manifest.kind;
    if matches!(judge, Judge::Default) && (interactive || multi_pass) {
        let kind = if interactive { "an interactive" } else { "a multi-pass" };
        let dir = if manifest.format == Format::Legacy { "output_validators" } else { "output_validator" };
        findings.push(
            Message::error(dir, format!("{kind} problem needs an output validator"))
                .todo(format!("add one to {dir}/")),
        );
    }
    judge
}

/// Uses a validator under the name of the other version: without it, outputs would be compared in a way that
/// the package does not ask for.
fn modern_validator(disk: &Disk, findings: &mut Vec<Message>) -> Option<PackageProgram> {
    if disk.path("output_validator").is_dir() || !disk.path("output_validators").is_dir() {
        return single_program(disk, "output_validator", findings);
    }
    let finding = Message::warning("output_validators", "is the legacy name: accepted anyway");
    findings.push(finding.todo("in 2025-09 it is called output_validator/"));
    single_program(disk, "output_validators", findings)
}

fn legacy_judge(disk: &Disk, manifest: &Package, findings: &mut Vec<Message>) -> Judge {
    let mut programs = all_programs(disk, "output_validators", findings);
    let declared = match manifest.judge {
        Judge::Programs { scores, .. } => Some(scores),
        Judge::Default => None,
    };
    if declared.is_some() && programs.is_empty() && disk.path("output_validator").is_dir() {
        let finding = Message::warning("output_validator", "is the 2025-09 name: accepted anyway");
        findings.push(finding.todo("in legacy it is called output_validators/"));
        programs.extend(single_program(disk, "output_validator", findings));
    }
    match (declared, programs.is_empty()) {
        (Some(scores), false) => return Judge::Programs { programs, scores },
        // For interactive and multi-pass problems the caller reports a missing validator.
        (Some(_), true) if !manifest.kind.interactive && !manifest.kind.multi_pass => {
            let finding =
                Message::error("output_validators", "`validation: custom`, but no output validator");
            findings.push(finding.todo("add one to output_validators/, or write `validation: default`"));
        }
        (None, false) => {
            let finding = Message::warning("output_validators", "is ignored: `validation` is not `custom`");
            findings.push(finding.todo("write `validation: custom` in problem.yaml"));
        }
        (Some(_) | None, true) => {}
    }
    Judge::Default
}

fn input_validators(disk: &Disk, findings: &mut Vec<Message>) -> Vec<PackageProgram> {
    let mut programs = all_programs(disk, "input_validators", findings);
    if programs.is_empty() {
        programs = all_programs(disk, "input_format_validators", findings);
        if !programs.is_empty() {
            let finding =
                Message::warning("input_format_validators", "is a deprecated name: accepted anyway");
            findings.push(finding.todo("rename it to input_validators/"));
        }
    }
    if programs.is_empty() {
        let finding = Message::warning("input_validators", "no input validator");
        findings.push(finding.todo("add one: a program that exits with 42 for valid input"));
    }
    programs
}

fn custom_grader(
    disk: &Disk,
    format: Format,
    kind: ProblemKind,
    findings: &mut Vec<Message>,
) -> Option<PackageProgram> {
    if format != Format::Legacy || !disk.path("graders").is_dir() {
        return None;
    }
    if !kind.scoring {
        let finding =
            Message::warning("graders", "a grader in a problem without points: other systems ignore it");
        findings.push(finding.todo("write `type: scoring`, or remove it"));
    }
    single_program(disk, "graders", findings)
}

fn included_files(
    disk: &Disk,
    manifest: &Package,
    findings: &mut Vec<Message>,
) -> BTreeMap<String, SourceFiles> {
    let mut all = BTreeMap::new();
    for item in disk.list(Path::new("include"), findings).items {
        if !item.is_dir {
            let finding =
                Message::warning(&item.path, "is ignored: include files belong in a directory per language");
            findings.push(finding.todo("move it to include/default/"));
            continue;
        }
        if item.name != "default" && !LANGUAGES.contains(&item.name.as_str()) {
            let finding = Message::warning(&item.path, format!("`{}` is not a language code", item.name));
            findings.push(match nearest_word(&item.name, LANGUAGES) {
                Some(near) => finding.todo(format!("did you mean `{near}`?")),
                None => finding.todo("a code of the format's table, or `default`"),
            });
            continue;
        }
        let excluded = |codes: &Vec<String>| item.name != "default" && !codes.contains(&item.name);
        if manifest.languages.as_ref().is_some_and(excluded) {
            let finding = Message::warning(&item.path, format!("`languages` does not allow `{}`", item.name));
            findings.push(finding.todo("add it to `languages` in problem.yaml, or remove the directory"));
        }
        let files = disk.files(&item.path, findings);
        if files.is_empty() {
            findings.push(Message::warning(&item.path, "is empty").todo("remove it"));
        }
        all.insert(item.name, SourceFiles { root: disk.path(&item.path), files });
    }
    all
}
