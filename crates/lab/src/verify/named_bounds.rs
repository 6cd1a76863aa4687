//! Named bounds that disagree, between constants of `problem.yaml`, validators and generators that contain the number
//! literally. The text of the statement is not read: it shows the constants of `problem.yaml`.

use super::{
    remarks::{Level, Remark, Section},
    verification::Verification,
    verified::Verified,
};
use crate::constraints::{LiteralBounds, NumberBound, bound_of_argument, literal_number};
use kopek_base::wording::counted;
use kopek_engine::{
    language::TESTLIB_HEADER,
    package::{Package, TestSet, fill_constants},
};
use std::{
    fs,
    path::{Path, PathBuf},
};

/// Longer texts are libraries or data.
const LONGEST: u64 = 128 << 10;
/// Arrays are often slightly larger than the greatest index.
const SLACK: i128 = 16;

/// The bounds in the text of a program.
pub(super) struct ReadText {
    /// Its path in the package.
    pub(super) file: String,
    pub(super) bounds: LiteralBounds,
}

/// A bound and its place: `file:line`.
struct PlacedBound {
    at: String,
    bound: NumberBound,
    /// How much it may exceed another bound.
    slack: i128,
}

/// Compares all named bounds.
pub(super) fn check_named_bounds(
    verification: &Verification,
    validators: &[ReadText],
    verified: &mut Verified,
) {
    let package = verification.package;
    verified.remarks.extend(variant_remarks(package));
    let constants = manifest_bounds(package);
    let of_validators = placed_bounds(validators);
    let of_generators = placed_bounds(&read_generators(package));
    let arguments = argument_bounds(verification.tests);
    for one in of_validators.iter().filter(|one| has_end(&constants, &one.bound)) {
        let others = of_validators.iter().chain(&arguments);
        let mut same = others.filter(|other| other.bound.is_same_end(&one.bound));
        if !same.any(|other| agrees_with_one(other, &constants)) {
            verified.add(disagreement(one, &constants));
        }
    }
    for one in &of_generators {
        let known = if has_end(&constants, &one.bound) { &constants } else { &of_validators };
        if has_end(known, &one.bound) && !agrees_with_one(one, known) {
            verified.add(disagreement(one, known));
        }
    }
    let compared = constants.len() + of_validators.len() + of_generators.len();
    if compared > 0 {
        verified.check(Section::Data, format!("{} compared", counted(compared, "named bound")));
    }
}

fn has_end(known: &[PlacedBound], bound: &NumberBound) -> bool {
    known.iter().any(|one| one.bound.is_same_end(bound))
}

fn agrees_with_one(one: &PlacedBound, known: &[PlacedBound]) -> bool {
    let mut same = known.iter().filter(|other| other.bound.is_same_end(&one.bound));
    same.any(|other| (0..=one.slack).contains(&(one.bound.value - other.bound.value)))
}

fn disagreement(one: &PlacedBound, known: &[PlacedBound]) -> Remark {
    let rivals = known.iter().filter(|other| other.bound.is_same_end(&one.bound));
    let rival = rivals.min_by_key(|other| other.bound.value.abs_diff(one.bound.value));
    let rival = rival.expect("only bounds that the others have, too, are compared");
    let what = format!("has `{}`, but {} has `{}`", one.bound, rival.at, rival.bound);
    Remark::new(Section::Data, Level::Warning, what).at(&*one.at).todo("fix the wrong one")
}

fn placed_bounds(texts: &[ReadText]) -> Vec<PlacedBound> {
    let of_text = |text: &ReadText| {
        let LiteralBounds { read, compared, constants } = &text.bounds;
        let checked = read.iter().chain(compared).map(|bound| (bound, 0));
        let all = checked.chain(constants.iter().map(|bound| (bound, SLACK)));
        let placed = |(bound, slack): (&NumberBound, i128)| {
            let at = format!("{}:{}", text.file, bound.line);
            PlacedBound { at, bound: bound.clone(), slack }
        };
        all.map(placed).collect::<Vec<_>>()
    };
    texts.iter().flat_map(of_text).collect()
}

/// Constants that are named like bounds.
fn manifest_bounds(package: &Package) -> Vec<PlacedBound> {
    let bound = |(name, value): (&String, &String)| {
        // A name with a dot is a variant, which is compared with its constant.
        let (end, number, value) = bound_of_argument(name, value).filter(|_| !name.contains('.'))?;
        let bound = NumberBound { name: number, end, value, line: 0 };
        Some(PlacedBound { at: manifest_place(package, name), bound, slack: 0 })
    };
    package.constants.iter().filter_map(bound).collect()
}

/// Arguments such as `--max-n=5` and `--max-n 5` of all groups and cases.
fn argument_bounds(tests: &TestSet) -> Vec<PlacedBound> {
    let lists = tests.cases.iter().flat_map(|case| case.input_validator_args.values());
    let of_list = |args: &Vec<String>| {
        let bound = |at: usize| {
            let (name, value) = match args[at].split_once('=') {
                Some(pair) => pair,
                None => (args[at].as_str(), args.get(at + 1)?.as_str()),
            };
            let (end, name, value) = bound_of_argument(name, value)?;
            let bound = NumberBound { name, end, value, line: 0 };
            Some(PlacedBound { at: "input_validator_args".into(), bound, slack: 0 })
        };
        (0..args.len()).filter_map(bound).collect::<Vec<_>>()
    };
    lists.flat_map(of_list).collect()
}

/// The text of a file that may be specific to this problem; excludes the header of testlib.
pub(super) fn small_text(path: &Path) -> Option<String> {
    if path.file_name().is_some_and(|name| name == TESTLIB_HEADER) {
        return None;
    }
    (fs::metadata(path).ok()?.len() <= LONGEST).then_some(())?;
    fs::read(path).ok().map(|bytes| String::from_utf8_lossy(&bytes).into_owned())
}

/// The texts of all input validators.
pub(super) fn read_validators(package: &Package) -> Vec<ReadText> {
    let sources = package.input_validators.iter().map(|program| &program.source);
    let paths = sources.flat_map(|source| source.files.iter().map(|file| source.root.join(file)));
    paths.filter_map(|path| read_program(package, &path)).collect()
}

fn read_generators(package: &Package) -> Vec<ReadText> {
    let Ok(entries) = fs::read_dir(package.dir.join("generators")) else { return vec![] };
    let mut paths: Vec<PathBuf> = entries.filter_map(|entry| Some(entry.ok()?.path())).collect();
    paths.sort();
    let is_source = |path: &&PathBuf| {
        let ending = path.extension().and_then(|ending| ending.to_str()).unwrap_or("");
        path.is_file() && !["", "yaml", "yml", "toml", "in", "ans", "md", "txt"].contains(&ending)
    };
    let read = |path: &PathBuf| {
        let text = read_program(package, path)?;
        // A generator compares and reads only its own arguments.
        let bounds = LiteralBounds { constants: text.bounds.constants, ..LiteralBounds::default() };
        Some(ReadText { bounds, ..text })
    };
    paths.iter().filter(is_source).filter_map(read).collect()
}

fn read_program(package: &Package, path: &Path) -> Option<ReadText> {
    let text = fill_constants(&small_text(path)?, &package.constants);
    let file = path.strip_prefix(&package.dir).unwrap_or(path).display().to_string();
    Some(ReadText { file, bounds: LiteralBounds::of(&text) })
}

/// The line of a constant in `problem.yaml`, if found.
fn manifest_place(package: &Package, name: &str) -> String {
    let text = small_text(&package.dir.join("problem.yaml")).unwrap_or_default();
    let begins = |line: &str| line.trim_start().starts_with(&format!("{name}:"));
    text.lines().position(begins).map_or("problem.yaml".into(), |at| format!("problem.yaml:{}", at + 1))
}

/// `value: 100000` with `latex: 10^6`.
fn variant_remarks(package: &Package) -> Vec<Remark> {
    let remark = |(name, text): (&String, &String)| {
        let (constant, variant) = name.split_once('.')?;
        let value = literal_number(package.constants.get(constant)?)?;
        let other = literal_number(text)?;
        let what = format!("the constant `{constant}` is {value}, but its variant `{variant}` is `{text}`");
        let remark = Remark::new(Section::Data, Level::Warning, what).at(manifest_place(package, constant));
        (value != other).then(|| remark.todo("fix the wrong one"))
    };
    package.constants.iter().filter_map(remark).collect()
}
