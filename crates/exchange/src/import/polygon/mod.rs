//! Packages of Polygon: `problem.xml` and the files it names.

mod checking;
mod parse_xml;
mod polygon_groups;
mod polygon_solutions;
mod polygon_tests;
mod problem_xml;
mod statements;

use super::{
    adapt::{JudgeRole, ProgramSources, asks_for_group, below_directory},
    draft::{Content, Draft, legal_name},
    options::ImportOptions,
    source::ForeignPackage,
};
use anyhow::{Result, bail};
use problem_xml::{PolygonManifest, PolygonTestSet};
use std::collections::BTreeSet;

pub use problem_xml::FILE;

/// Directories of headers, besides the program's own.
const HEADERS: &[&str] = &["files", ""];

/// Reads it as a package of this format.
pub fn read(source: &ForeignPackage, options: &ImportOptions) -> Result<Draft> {
    let manifest = parse_xml::read(source)?;
    let sources = ProgramSources { source, headers: HEADERS, testlib: &options.testlib };
    let mut draft = Draft {
        name: manifest.name.clone(),
        origin: Some(manifest.url.clone().unwrap_or_else(|| "Polygon".into())),
        keywords: manifest.tags.clone(),
        interactive: manifest.interactor.is_some(),
        ..Draft::default()
    };
    let set = choose_test_set(&manifest, &mut draft)?;
    set_limits(&manifest, set, &mut draft)?;
    statements::add_statements(source, &manifest, &mut draft)?;
    let scores = checking::add_output_validator(&sources, &manifest, &mut draft)?;
    // The order matters: groups hold indices of tests, validators and claims refer to groups.
    polygon_tests::add_tests(&sources, &manifest, set, options, &mut draft)?;
    polygon_groups::add_groups(&manifest, set, scores, &mut draft)?;
    add_input_validators(&sources, &manifest, set, &mut draft)?;
    checking::add_own_tests(source, &manifest, &mut draft)?;
    polygon_solutions::add_solutions(source, &manifest, &mut draft)?;
    add_attachments(source, &manifest, &mut draft)?;
    add_graders(source, &manifest, &mut draft)?;
    for other in &manifest.others {
        draft.changes.add_loss(format!("{FILE}: <{other}>"), "has no counterpart", "it is left out");
    }
    Ok(draft)
}

/// The set that counts.
fn choose_test_set<'a>(manifest: &'a PolygonManifest, draft: &mut Draft) -> Result<&'a PolygonTestSet> {
    if manifest.run_count > 1 {
        let runs = manifest.run_count;
        bail!(
            "{FILE}: a problem whose submissions run {runs} times on a test: how one run feeds the next is decided by programs that the package does not name; write it as a multi-pass problem by hand"
        );
    }
    let named = manifest.testsets.iter().find(|set| set.name == "tests");
    let Some(set) = named.or(manifest.testsets.first()) else {
        bail!("{FILE}: there is no <testset> below <judging>: nothing to judge with");
    };
    for other in manifest.testsets.iter().filter(|other| other.name != set.name && !other.tests.is_empty()) {
        let what = format!("{} tests of another set", other.tests.len());
        let at = format!("{FILE}: testset `{}`", other.name);
        draft.changes.add_loss(at, what, format!("only the set `{}` is judged", set.name));
    }
    Ok(set)
}

fn set_limits(manifest: &PolygonManifest, set: &PolygonTestSet, draft: &mut Draft) -> Result<()> {
    draft.time_limit = set.time_limit;
    if set.time_limit == Some(0) {
        bail!("{FILE}: the time limit is 0");
    }
    if let Some(bytes) = set.memory_limit {
        let mib = bytes.div_ceil(1 << 20).max(1);
        draft.memory = Some(mib);
        if bytes % (1 << 20) != 0 {
            let what = format!("a memory limit of {bytes} bytes");
            draft.changes.add_change(format!("{FILE}: memory-limit"), what, format!("it is {mib} MiB"));
        }
    }
    draft.named_files = match (manifest.named_files.0.as_str(), manifest.named_files.1.as_str()) {
        ("" | "stdin", "" | "stdout") => None,
        (input, output) if !input.is_empty() && !output.is_empty() => {
            Some((legal_name(input), legal_name(output)))
        }
        (input, output) => {
            let what = format!("one file (`{input}{output}`) and one standard stream");
            let at = format!("{FILE}: judging");
            draft.changes.add_loss(at, what, "both are standard streams: submissions must be changed");
            None
        }
    };
    if draft.named_files.is_some() {
        let what = "files instead of standard streams";
        draft.changes.add_change(
            format!("{FILE}: judging"),
            what,
            "kopek.toml says so; other tools do not know that file",
        );
    }
    Ok(())
}

fn add_input_validators(
    sources: &ProgramSources,
    manifest: &PolygonManifest,
    set: &PolygonTestSet,
    draft: &mut Draft,
) -> Result<()> {
    let mut names = BTreeSet::new();
    let mut grouped = false;
    for path in &manifest.validators {
        let stem = path.rsplit('/').next().unwrap_or(path).split('.').next().unwrap_or("validator");
        let mut name = legal_name(stem);
        while !names.insert(name.clone()) {
            name.push('_');
        }
        grouped |= asks_for_group(&sources.source.read_text(path)?);
        let files = sources.testlib_program(path, JudgeRole::Validator)?;
        draft.files.extend(below_directory(&format!("input_validators/{name}"), files));
    }
    if grouped {
        report_validators(set, draft);
    }
    Ok(())
}

fn add_attachments(source: &ForeignPackage, manifest: &PolygonManifest, draft: &mut Draft) -> Result<()> {
    for path in &manifest.attachments {
        let name = legal_name(super::adapt::base_name(path));
        draft.files.insert(format!("attachments/{name}"), Content::File(source.path_of(path)?));
    }
    Ok(())
}

/// Endings of files that are compiled together with a submission, and the languages they join.
const GRADERS: &[(&str, &[&str])] = &[
    ("h", &["c", "cpp"]),
    ("hpp", &["cpp"]),
    ("c", &["c"]),
    ("cpp", &["cpp"]),
    ("cc", &["cpp"]),
    ("java", &["java"]),
];

fn add_graders(source: &ForeignPackage, manifest: &PolygonManifest, draft: &mut Draft) -> Result<()> {
    for path in &manifest.graders {
        let name = legal_name(super::adapt::base_name(path));
        let ending = name.rsplit_once('.').map_or("", |(_, ending)| ending);
        let Some((_, languages)) = GRADERS.iter().find(|row| row.0 == ending) else {
            draft.changes.add_loss(
                path,
                "a resource of solutions that is not compiled together with them",
                "it is left out",
            );
            continue;
        };
        for language in *languages {
            draft.files.insert(format!("include/{language}/{name}"), Content::File(source.path_of(path)?));
        }
    }
    Ok(())
}

/// Validators that read the group get it as an argument, as in Polygon.
fn report_validators(set: &PolygonTestSet, draft: &mut Draft) {
    let arguments = |group: &str| {
        let mut args = vec!["--testset".to_owned(), set.name.clone()];
        if !group.is_empty() {
            args.extend(["--group".to_owned(), group.to_owned()]);
        }
        args
    };
    draft.groups.iter_mut().for_each(|group| group.input_args = arguments(&group.origin));
    let samples: BTreeSet<&str> =
        set.tests.iter().filter(|test| test.sample).map(|test| test.group.as_deref().unwrap_or("")).collect();
    match samples.into_iter().collect::<Vec<_>>().as_slice() {
        [only] => draft.sample_input_args = arguments(only),
        [] => {}
        many => {
            let what = format!("samples of {} groups, and a validator that asks for the group", many.len());
            let instead = format!("all samples are validated as `{}`", many[0]);
            draft.sample_input_args = arguments(many[0]);
            draft.changes.add_change(format!("{FILE}: tests"), what, instead);
        }
    }
}
