//! Packages of Polygon: `problem.xml` and the files it names.

mod polygon_groups;
mod polygon_solutions;
mod problem_xml;
mod statements;

use super::{
    draft::{Draft, DraftTest, InputOrigin, OutputWorth},
    draft_files::{Content, base_name, ending_of, legal_name},
    imported::Regenerate,
    judge_programs::{JudgeRole, asks_for_group, gives_points},
};
use anyhow::{Context, Result, bail, ensure};
use kopek_package::package::yaml::{YamlNode, emit};
use polygon_groups::add_groups;
use problem_xml::{PolygonManifest, PolygonTest, PolygonTestSet, numbered_path};
use std::{collections::BTreeSet, fmt::Write};

pub use problem_xml::FILE;

/// Directories of headers, besides the program's own.
pub const HEADERS: &[&str] = &["files", ""];
/// Standard checkers, the arguments of the default validator that does the same, and the differences.
const STANDARD: &[(&str, &[&str], &str)] = &[
    ("wcmp", &["case_sensitive"], ""),
    ("ncmp", &["case_sensitive"], ""),
    ("icmp", &["case_sensitive"], ""),
    ("hcmp", &["case_sensitive"], ""),
    ("rcmp4", &["float_tolerance", "1e-4"], REAL),
    ("rcmp6", &["float_tolerance", "1e-6"], REAL),
    ("rcmp9", &["float_tolerance", "1e-9"], REAL),
];
const REAL: &str = ", which also takes numbers like 1e5";

pub fn read(draft: &mut Draft) -> Result<()> {
    let manifest = problem_xml::read(draft.source())?;
    draft.name.clone_from(&manifest.name);
    draft.origin = Some(manifest.url.clone().unwrap_or_else(|| "Polygon".into()));
    draft.keywords.clone_from(&manifest.tags);
    draft.interactive = manifest.interactor.is_some();
    let set = choose_test_set(&manifest, draft)?;
    set_limits(&manifest, set, draft)?;
    statements::add_statements(&manifest, draft)?;
    let scores = add_output_validator(&manifest, draft)?;
    // The order matters: groups hold indices of tests, validators and claims refer to groups.
    add_tests(&manifest, set, draft)?;
    add_groups(&manifest, set, scores, draft)?;
    add_input_validators(&manifest, set, draft)?;
    add_validator_tests(&manifest, draft)?;
    add_checker_tests(&manifest, draft)?;
    polygon_solutions::add_solutions(&manifest, draft)?;
    for path in &manifest.attachments {
        draft.copy(path, format!("attachments/{}", legal_name(base_name(path))))?;
    }
    add_graders(&manifest, draft)?;
    for other in &manifest.others {
        draft.lost(format!("{FILE}: <{other}>"), "has no counterpart", "it is left out");
    }
    Ok(())
}

fn choose_test_set<'m>(manifest: &'m PolygonManifest, draft: &mut Draft) -> Result<&'m PolygonTestSet> {
    let runs = manifest.run_count;
    ensure!(
        runs <= 1,
        "{FILE}: a problem whose submissions run {runs} times on a test: how one run feeds the next is decided by programs that the package does not name; write it as a multi-pass problem by hand"
    );
    let named = manifest.testsets.iter().find(|set| set.name == "tests");
    let Some(set) = named.or(manifest.testsets.first()) else {
        bail!("{FILE}: there is no <testset> below <judging>: nothing to judge with");
    };
    for other in manifest.testsets.iter().filter(|other| other.name != set.name && !other.tests.is_empty()) {
        let what = format!("{} tests of another set", other.tests.len());
        let at = format!("{FILE}: testset `{}`", other.name);
        draft.lost(at, what, format!("only the set `{}` is judged", set.name));
    }
    Ok(set)
}

fn set_limits(manifest: &PolygonManifest, set: &PolygonTestSet, draft: &mut Draft) -> Result<()> {
    ensure!(set.time_limit != Some(0), "{FILE}: the time limit is 0");
    draft.time_limit = set.time_limit;
    if let Some(bytes) = set.memory_limit {
        let mib = bytes.div_ceil(1 << 20).max(1);
        draft.memory = Some(mib);
        if bytes % (1 << 20) != 0 {
            let what = format!("a memory limit of {bytes} bytes");
            draft.changed(format!("{FILE}: memory-limit"), what, format!("it is {mib} MiB"));
        }
    }
    let at = format!("{FILE}: judging");
    match (manifest.named_files.0.as_str(), manifest.named_files.1.as_str()) {
        ("" | "stdin", "" | "stdout") => {}
        (input, output) if !input.is_empty() && !output.is_empty() => {
            draft.named_files = Some((legal_name(input), legal_name(output)));
            let instead = "kopek.toml says so; other tools do not know that file";
            draft.changed(at, "files instead of standard streams", instead);
        }
        (input, output) => {
            let what = format!("one file (`{input}{output}`) and one standard stream");
            draft.lost(at, what, "both are standard streams: submissions must be changed");
        }
    }
    Ok(())
}

/// Standard checkers become the default validator, all others get an adapter.
fn add_output_validator(manifest: &PolygonManifest, draft: &mut Draft) -> Result<OutputWorth> {
    let at = format!("{FILE}: checker");
    let (name, checker) = match &manifest.checker {
        Some((name, path)) => (name.as_str(), path.as_deref()),
        None => ("", None),
    };
    if let Some(interactor) = &manifest.interactor {
        let files = draft.programs.interactor_program(interactor, checker)?;
        draft.add_program("output_validator", files);
        return scores_of(draft, [Some(interactor.as_str()), checker]);
    }
    let standard = name.strip_prefix("std::").and_then(|name| name.strip_suffix(".cpp"));
    if let Some((name, args, differs)) = STANDARD.iter().find(|row| Some(row.0) == standard) {
        draft.output_args = args.iter().map(|&arg| arg.to_owned()).collect();
        let instead = format!("the default output validator with `{}` judges{differs}", args.join(" "));
        draft.changed(at, format!("std::{name}.cpp"), instead);
        return Ok(OutputWorth::Whole);
    }
    let Some(checker) = checker else {
        let what = if name.is_empty() {
            "there is no checker".into()
        } else {
            format!("`{name}` without its source")
        };
        let instead = "the default output validator compares token by token; put a checker into output_validator/ if that is wrong";
        draft.lost(at, what, instead);
        return Ok(OutputWorth::Whole);
    };
    let files = draft.programs.testlib_program(checker, JudgeRole::Checker)?;
    draft.add_program("output_validator", files);
    scores_of(draft, [Some(checker), None])
}

fn scores_of(draft: &Draft, paths: [Option<&str>; 2]) -> Result<OutputWorth> {
    for path in paths.into_iter().flatten() {
        if gives_points(&draft.source().read_text(path)?) {
            return Ok(OutputWorth::Parts);
        }
    }
    Ok(OutputWorth::Whole)
}

/// Adds the tests; the index of each in the draft is its number in the set minus one.
fn add_tests(manifest: &PolygonManifest, set: &PolygonTestSet, draft: &mut Draft) -> Result<()> {
    ensure!(!set.tests.is_empty(), "{FILE}: the set `{}` has no tests", set.name);
    let source = draft.source();
    let width = set.tests.len().to_string().len().max(2);
    // Without secret tests nothing would be judged.
    let only_samples = set.tests.iter().all(|test| test.sample);
    for (number, test) in (1..).zip(&set.tests) {
        let path = numbered_path(&set.input, number)?;
        let answer = numbered_path(&set.answer, number)?;
        // One of several files of a command cannot be made by a rule for one test.
        let command = if test.from_file.is_none() { test.cmd.as_ref() } else { None };
        let (input, answer) = match command {
            Some(command) if !source.has(&path) || draft.regenerate == Regenerate::All => {
                let made =
                    generator_command(manifest, command, draft).with_context(|| format!("make {path}"))?;
                (InputOrigin::Command(made), None)
            }
            _ if source.has(&path) => {
                (InputOrigin::File(source.path_of(&path)?, test.cmd.clone()), source.path_of(&answer).ok())
            }
            _ => bail!("{}", absent_message(&path, test)),
        };
        draft.tests.push(DraftTest {
            name: format!("{number:0width$}"),
            input,
            answer,
            sample: test.sample,
            secret: only_samples || !test.sample,
            description: test.description.clone(),
        });
    }
    keep_commands(manifest, draft)
}

fn absent_message(path: &str, test: &PolygonTest) -> String {
    let why = if test.from_file.is_some() {
        "is one of several files that a command writes"
    } else {
        "is not made by a command"
    };
    format!("{path} is not among the files and {why}: download the full package, which holds all tests")
}

/// The command for the recipe; adds its generator.
fn generator_command(manifest: &PolygonManifest, command: &str, draft: &mut Draft) -> Result<String> {
    let words: Vec<&str> = command.split_whitespace().collect();
    let (name, args) = words.split_first().context("its command is empty")?;
    let name = name.trim_end_matches(".exe");
    let path = source_of(manifest, name)
        .with_context(|| format!("its generator `{name}` is not among <executables> of {FILE}"))?;
    draft.generator_command(path, name, args)
}

fn source_of<'m>(manifest: &'m PolygonManifest, name: &str) -> Option<&'m str> {
    let is_meant = |path: &&str| {
        let base = base_name(path);
        base == name || base.rsplit_once('.').is_some_and(|(stem, _)| stem == name)
    };
    manifest.executables.iter().map(String::as_str).find(is_meant)
}

/// If files are copied, their commands are kept for readers.
fn keep_commands(manifest: &PolygonManifest, draft: &mut Draft) -> Result<()> {
    let mut list = String::new();
    let mut generators = BTreeSet::new();
    for test in &draft.tests {
        let InputOrigin::File(_, Some(command)) = &test.input else { continue };
        let _ = writeln!(list, "{}: {command}", test.name);
        generators.extend(source_of(manifest, command.split_whitespace().next().unwrap_or_default()));
    }
    if list.is_empty() {
        return Ok(());
    }
    for path in generators.into_iter().filter(|path| draft.source().has(path)).collect::<Vec<_>>() {
        draft.copy(path, format!("generators/kept/{}", legal_name(base_name(path))))?;
    }
    let what = format!("{} tests are made by commands", list.lines().count());
    let instead = "their files are copied; commands and generators are kept in generators/kept/ (--regenerate makes the tests again)";
    draft.changed(FILE, what, instead);
    draft.files.insert("generators/kept/commands.txt".into(), Content::Text(list));
    Ok(())
}

fn add_input_validators(manifest: &PolygonManifest, set: &PolygonTestSet, draft: &mut Draft) -> Result<()> {
    let mut names = BTreeSet::new();
    let mut asks = false;
    for path in &manifest.validators {
        let mut name = legal_name(base_name(path).split('.').next().unwrap_or("validator"));
        while !names.insert(name.clone()) {
            name.push('_');
        }
        asks |= asks_for_group(&draft.source().read_text(path)?);
        let files = draft.programs.testlib_program(path, JudgeRole::Validator)?;
        draft.add_program(&format!("input_validators/{name}"), files);
    }
    if asks {
        name_groups(set, draft);
    }
    Ok(())
}

/// Validators that read the group get it as an argument, as in Polygon.
fn name_groups(set: &PolygonTestSet, draft: &mut Draft) {
    let arguments = |group: &str| {
        let mut args = vec!["--testset".to_owned(), set.name.clone()];
        if !group.is_empty() {
            args.extend(["--group".to_owned(), group.to_owned()]);
        }
        args
    };
    for group in &mut draft.groups {
        group.input_args = arguments(&group.origin);
    }
    let samples = set.tests.iter().filter(|test| test.sample);
    let groups: BTreeSet<&str> = samples.map(|test| test.group.as_deref().unwrap_or("")).collect();
    let Some(first) = groups.first() else { return };
    draft.sample_input_args = arguments(first);
    if groups.len() > 1 {
        let what = format!("samples of {} groups, and a validator that asks for the group", groups.len());
        draft.changed(format!("{FILE}: tests"), what, format!("all samples are validated as `{first}`"));
    }
}

/// Inputs that a validator must refuse become validator data.
fn add_validator_tests(manifest: &PolygonManifest, draft: &mut Draft) -> Result<()> {
    let mut valid = 0;
    for (set, of) in manifest.validator_tests.iter().zip(1..) {
        for (number, test) in (1..).zip(&set.tests) {
            if test.verdict == "VALID" {
                valid += 1;
            }
            if test.verdict != "INVALID" {
                continue;
            }
            let path = numbered_path(&set.input, number)?;
            let is_for_a_group =
                test.group.is_some() || test.testset.as_deref().is_some_and(|set| set != "tests");
            if !draft.source().has(&path) || is_for_a_group {
                draft.lost(
                    path,
                    "a test of the validator, for a group or without its file",
                    "it is left out",
                );
                continue;
            }
            // Unchanged bytes: they may be the defect under test.
            draft.copy(&path, format!("data/invalid_input/validator-{of}-{number:02}.in"))?;
        }
    }
    if valid > 0 {
        let what = format!("tests of the validator that must be accepted: {valid}");
        let instead = "they are left out: every test of the package is validated";
        draft.lost(format!("{FILE}: validators"), what, instead);
    }
    Ok(())
}

/// Tests of the checker become validator data.
fn add_checker_tests(manifest: &PolygonManifest, draft: &mut Draft) -> Result<()> {
    let Some(set) = manifest.checker_tests.as_ref().filter(|_| !draft.interactive) else { return Ok(()) };
    let mut dirs = BTreeSet::new();
    for (number, test) in (1..).zip(&set.tests) {
        let dir = match test.verdict.as_str() {
            "OK" => "valid_output",
            "WRONG_ANSWER" | "PRESENTATION_ERROR" => "invalid_output",
            other => {
                let what = format!("a test of the checker that must end with {other}");
                draft.lost(format!("{FILE}: checker"), what, "it is left out");
                continue;
            }
        };
        let mut files = Vec::new();
        for (ending, pattern) in [("in", &set.input), ("out", &set.output), ("ans", &set.answer)] {
            files.push((ending, numbered_path(pattern, number)?));
        }
        if let Some((_, gone)) = files.iter().find(|(_, path)| !draft.source().has(path)) {
            draft.lost(gone, "a file of a test of the checker is not there", "the test is left out");
            continue;
        }
        dirs.insert(dir);
        for (ending, path) in files {
            let content = Content::Lines(draft.source().path_of(&path)?);
            draft.files.insert(format!("data/{dir}/checker-{number:02}.{ending}"), content);
        }
    }
    if !draft.output_args.is_empty() {
        let text = emit(&YamlNode::map([("output_validator_args", YamlNode::strings(&draft.output_args))]));
        for dir in dirs {
            draft.files.insert(format!("data/{dir}/test_group.yaml"), Content::text(text.as_str()));
        }
    }
    Ok(())
}

fn add_graders(manifest: &PolygonManifest, draft: &mut Draft) -> Result<()> {
    for path in &manifest.graders {
        let languages: &[&str] = match ending_of(path) {
            "h" => &["c", "cpp"],
            "hpp" | "cpp" | "cc" => &["cpp"],
            "c" => &["c"],
            "java" => &["java"],
            _ => {
                let what = "a resource of solutions that is not compiled together with them";
                draft.lost(path, what, "it is left out");
                continue;
            }
        };
        for language in languages {
            draft.copy(path, format!("include/{language}/{}", legal_name(base_name(path))))?;
        }
    }
    Ok(())
}
