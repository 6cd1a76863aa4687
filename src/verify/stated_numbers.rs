//! Numbers that disagree: what statements, `problem.yaml` and arguments of groups say, against validators.
//!
//! A validator that says nothing about a number by its name convicts nobody: then it is only noted that a
//! number of the statement stands nowhere in it.

use super::{
    Level, Remark, Section, Verification, Verified,
    tables::{FlatGroup, flat_groups},
};
use crate::{
    constraints::{
        BoundEnd, NumberBound, ProgramBounds, StatedBound, StatedScope, bound_of_argument, bound_of_name,
        statement_bounds, whole_number,
    },
    language::TESTLIB_HEADER,
    package::{Format, Package, TestSet, fill_constants},
};
use std::{
    collections::{BTreeMap, BTreeSet},
    fs,
    path::{Path, PathBuf},
};

/// Longer texts are libraries or data.
const LONGEST: u64 = 128 << 10;
/// Smaller numbers stand somewhere by chance.
const TELLING: i128 = 10;
/// Arrays are made a little larger than the greatest index.
const SLACK: i128 = 16;

/// A bound and the file that says it, relative to the package.
struct PlacedBound {
    file: String,
    bound: NumberBound,
}

/// What all input validators say.
#[derive(Default)]
struct ValidatorNumbers {
    stated: Vec<PlacedBound>,
    possible: Vec<NumberBound>,
    numbers: BTreeSet<i128>,
    texts: usize,
}

/// Compares them all.
pub(super) fn check_stated_numbers(
    verification: &Verification,
    validators: &[ReadText],
    verified: &mut Verified,
) {
    let package = verification.package;
    verified.remarks.extend(variant_remarks(package));
    let mut validators = ValidatorNumbers::of(validators);
    validators.add_arguments(verification.tests);
    let of_generators = generator_constants(package);
    let mut compared = 0;
    for (file, text) in statement_texts(package) {
        let stated = statement_bounds(&text);
        compared += stated.len();
        let mut remarks = whole_remarks(&file, &stated, &validators);
        remarks.extend(group_remarks(verification.tests, &file, &stated, &validators));
        remarks.extend(constant_remarks(package, &file, &stated));
        remarks.extend(generator_remarks(&of_generators, &file, &stated));
        verified.remarks.extend(remarks);
    }
    if compared > 0 {
        verified
            .check(Section::Data, format!("{} of the statement compared", super::counted(compared, "bound")));
    }
}

/// Statements that are text, with their names, constants filled in.
pub(super) fn statement_texts(package: &Package) -> Vec<(String, String)> {
    let dir = match package.format {
        Format::V2025_09 => "statement",
        Format::Legacy => "problem_statement",
    };
    let Ok(entries) = fs::read_dir(package.dir.join(dir)) else { return vec![] };
    let names = entries.filter_map(|entry| entry.ok()?.file_name().into_string().ok());
    let is_statement = |name: &String| {
        name.starts_with("problem.") && [".md", ".tex"].iter().any(|ending| name.ends_with(ending))
    };
    let names: BTreeSet<String> = names.filter(is_statement).collect();
    let text = |name: String| {
        let text = small_text(&package.dir.join(dir).join(&name))?;
        let text = text.replace("\\constant{", "{{");
        Some((format!("{dir}/{name}"), fill_constants(&closed_braces(&text), &package.constants)))
    };
    names.into_iter().filter_map(text).collect()
}

/// `{{n}` of TeX's `\constant{n}` closes as the other spelling does.
fn closed_braces(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find("{{") {
        let end = rest[at..].find('}').map_or(rest.len(), |end| at + end + 1);
        out += &rest[..end];
        if end <= rest.len() && !rest[end..].starts_with('}') && rest[at..].contains('}') {
            out.push('}');
        }
        rest = &rest[end..];
    }
    out + rest
}

/// The text of a file that may say something of this problem: the header of testlib says nothing of it.
fn small_text(path: &Path) -> Option<String> {
    if path.file_name().is_some_and(|name| name == TESTLIB_HEADER) {
        return None;
    }
    (fs::metadata(path).ok()?.len() <= LONGEST).then_some(())?;
    fs::read(path).ok().map(|bytes| String::from_utf8_lossy(&bytes).into_owned())
}

/// The text of a program, read.
pub(super) struct ReadText {
    /// Its path in the package.
    pub(super) file: String,
    pub(super) bounds: ProgramBounds,
}

/// The texts of all input validators.
pub(super) fn read_validators(package: &Package) -> Vec<ReadText> {
    let read = |path: PathBuf| {
        let text = fill_constants(&small_text(&path)?, &package.constants);
        let file = path.strip_prefix(&package.dir).unwrap_or(&path).display().to_string();
        Some(ReadText { file, bounds: ProgramBounds::of(&text) })
    };
    let sources = package.input_validators.iter().map(|program| &program.source);
    sources
        .flat_map(|source| source.files.iter().map(|file| source.root.join(file)))
        .filter_map(read)
        .collect()
}

impl ValidatorNumbers {
    fn of(texts: &[ReadText]) -> ValidatorNumbers {
        let mut all = ValidatorNumbers { texts: texts.len(), ..ValidatorNumbers::default() };
        for ReadText { file, bounds } in texts {
            let placed = |bound: &NumberBound| PlacedBound { file: file.clone(), bound: bound.clone() };
            all.stated.extend(bounds.stated.iter().map(placed));
            all.possible.extend(bounds.possible.iter().cloned());
            all.numbers.extend(&bounds.numbers);
        }
        all
    }

    fn add_arguments(&mut self, tests: &TestSet) {
        for args in tests.cases.iter().flat_map(|case| case.input_validator_args.values()) {
            self.possible.extend(argument_bounds(args));
            self.numbers.extend(args.iter().flat_map(|arg| argument_numbers(arg)));
        }
    }

    /// What they certainly say about this end of a number.
    fn stated_of(&self, bound: &NumberBound) -> Vec<&PlacedBound> {
        self.stated.iter().filter(|one| is_same_end(&one.bound, bound)).collect()
    }

    fn may_say(&self, bound: &NumberBound) -> bool {
        let stated = self.stated.iter().map(|one| &one.bound);
        stated.chain(&self.possible).any(|one| is_same_end(one, bound) && one.value == bound.value)
    }

    fn has_number(&self, value: i128) -> bool {
        [value - 1, value, value + 1]
            .iter()
            .any(|one| self.numbers.contains(one) || self.numbers.contains(&-one))
    }
}

fn argument_numbers(arg: &str) -> Vec<i128> {
    let value = arg.split_once('=').map_or(arg, |(_, value)| value);
    whole_number(value).into_iter().collect()
}

/// `--max-n=5` and `--max-n 5`.
fn argument_bounds(args: &[String]) -> Vec<NumberBound> {
    let bound = |(at, arg): (usize, &String)| {
        let (name, value) = match arg.split_once('=') {
            Some(pair) => pair,
            None => (arg.as_str(), args.get(at + 1)?.as_str()),
        };
        let (end, name, value) = bound_of_argument(name, value)?;
        Some(NumberBound { name, end, value, line: 0 })
    };
    args.iter().enumerate().filter_map(bound).collect()
}

fn is_same_end(one: &NumberBound, other: &NumberBound) -> bool {
    one.end == other.end && one.name.eq_ignore_ascii_case(&other.name)
}

/// Of each end of each number, what holds for all cases: the bound that lets most through, and all its rivals.
pub(super) fn widest_bounds(stated: &[StatedBound]) -> Vec<(&StatedBound, BTreeSet<i128>)> {
    let everywhere = stated.iter().filter(|one| one.scope == StatedScope::Everywhere);
    let mut widest: BTreeMap<(String, BoundEnd), (&StatedBound, BTreeSet<i128>)> = BTreeMap::new();
    for one in everywhere {
        let bound = &one.bound;
        let entry = widest.entry((bound.name.clone(), bound.end)).or_insert_with(|| (one, BTreeSet::new()));
        entry.1.insert(bound.value);
        let is_wider = match bound.end {
            BoundEnd::Least => bound.value < entry.0.bound.value,
            BoundEnd::Greatest => bound.value > entry.0.bound.value,
        };
        if is_wider {
            entry.0 = one;
        }
    }
    // `n` and `N` are two numbers, and validators rarely keep them apart.
    let names: Vec<String> = widest.keys().map(|(name, _)| name.clone()).collect();
    let has_twin = |name: &str| names.iter().any(|other| other != name && other.eq_ignore_ascii_case(name));
    let unique = widest.into_iter().filter(|((name, _), _)| !has_twin(name));
    unique.map(|(_, found)| found).collect()
}

fn whole_remarks(file: &str, stated: &[StatedBound], validators: &ValidatorNumbers) -> Vec<Remark> {
    let remark = |(one, values): (&StatedBound, BTreeSet<i128>)| {
        let bound = &one.bound;
        let at = format!("{file}:{}", bound.line);
        let rivals = validators.stated_of(bound);
        let agrees = values.iter().any(|&value| validators.may_say(&NumberBound { value, ..bound.clone() }));
        if agrees || validators.texts == 0 {
            return None;
        }
        if let Some(rival) = rivals.iter().min_by_key(|rival| rival.bound.value.abs_diff(bound.value)) {
            let place = format!("{}:{}", rival.file, rival.bound.line);
            let what = format!("says `{bound}`, but {place} has `{}`", rival.bound);
            let remark = Remark::new(Section::Data, Level::Warning, what).at(at);
            return Some(remark.todo("mend the one that is wrong"));
        }
        let unseen = one.of_input && bound.value.abs() > TELLING && !validators.has_number(bound.value);
        let what = format!("says `{bound}`, and no input validator has that number");
        unseen.then(|| {
            let remark = Remark::new(Section::Data, Level::Warning, what).at(at);
            remark.todo("let an input validator refuse what is beyond; nothing, if one does in another way")
        })
    };
    widest_bounds(stated).into_iter().filter_map(remark).collect()
}

fn group_remarks(
    tests: &TestSet,
    file: &str,
    stated: &[StatedBound],
    validators: &ValidatorNumbers,
) -> Vec<Remark> {
    let groups = flat_groups(tests);
    let remark = |one: &StatedBound| {
        let StatedScope::Group(number) = one.scope else { return None };
        let group = group_with_number(&groups, number)?;
        let bound = &one.bound;
        let args = tests.cases[*group.cases.first()?].input_validator_args.values();
        let args: Vec<NumberBound> = args.flat_map(|args| argument_bounds(args)).collect();
        let rivals: Vec<&NumberBound> = args.iter().filter(|arg| is_same_end(arg, bound)).collect();
        let at = format!("{file}:{}", bound.line);
        match rivals.as_slice() {
            [] if bound.value.abs() > TELLING && !validators.has_number(bound.value) => {
                let what = format!("says `{bound}` in {}, and no input validator is told so", group.name);
                let remark = Remark::new(Section::Data, Level::Warning, what).at(at);
                Some(
                    remark.todo(
                        "give the validators an argument such as `--max-n` in the group's test_group.yaml",
                    ),
                )
            }
            [first, ..] if rivals.iter().all(|rival| rival.value != bound.value) => {
                let what =
                    format!("says `{bound}` in {}, but its input validators are told `{first}`", group.name);
                Some(Remark::new(Section::Data, Level::Warning, what).at(at).todo(format!(
                    "mend the one that is wrong: the statement, or input_validator_args of data/{}",
                    group.name
                )))
            }
            _ => None,
        }
    };
    stated.iter().filter_map(remark).collect()
}

/// The one group whose name has this number.
pub(super) fn group_with_number(groups: &[FlatGroup], number: u32) -> Option<&FlatGroup> {
    let has_number = |group: &&FlatGroup| {
        let name = group.name.strip_prefix("secret/").unwrap_or("");
        let digits = name.trim_start_matches(|c: char| !c.is_ascii_digit());
        let end = digits.find(|c: char| !c.is_ascii_digit()).unwrap_or(digits.len());
        digits[..end].parse() == Ok(number)
    };
    let found: Vec<&FlatGroup> = groups.iter().filter(has_number).collect();
    (found.len() == 1).then(|| found[0])
}

/// Constants called like bounds that the statement has otherwise.
fn constant_remarks(package: &Package, file: &str, stated: &[StatedBound]) -> Vec<Remark> {
    let remark = |(name, value): (&String, &String)| {
        let (end, number) = bound_of_name(name).filter(|_| !name.contains('.'))?;
        let value = whole_number(value)?;
        let constant = NumberBound { name: number, end, value, line: 0 };
        let rival = rival_in_statement(&constant, stated, 0)?;
        let what = format!("the constant `{name}` is {value}, but {file}:{} says `{}`", rival.line, rival);
        Some(
            Remark::new(Section::Data, Level::Warning, what)
                .at(manifest_place(package, name))
                .todo(format!("write `{{{{{name}}}}}` into the statement, or mend the one that is wrong")),
        )
    };
    package.constants.iter().filter_map(remark).collect()
}

/// What the statement says about this end of a number for all cases, if it never says the same.
fn rival_in_statement(known: &NumberBound, stated: &[StatedBound], slack: i128) -> Option<NumberBound> {
    let same: Vec<&StatedBound> = stated.iter().filter(|one| is_same_end(&one.bound, known)).collect();
    let agrees = same.iter().any(|one| (0..=slack).contains(&(known.value - one.bound.value)));
    let everywhere = same.iter().find(|one| one.scope == StatedScope::Everywhere)?;
    (!agrees).then(|| everywhere.bound.clone())
}

/// The line of `problem.yaml` where a constant stands, as far as it is found.
fn manifest_place(package: &Package, name: &str) -> String {
    let text = small_text(&package.dir.join("problem.yaml")).unwrap_or_default();
    let begins = |line: &str| line.trim_start().starts_with(&format!("{name}:"));
    text.lines().position(begins).map_or("problem.yaml".into(), |at| format!("problem.yaml:{}", at + 1))
}

/// `value: 100000` with `latex: 10^6`.
fn variant_remarks(package: &Package) -> Vec<Remark> {
    let remark = |(name, text): (&String, &String)| {
        let (constant, variant) = name.split_once('.')?;
        let value = whole_number(package.constants.get(constant)?)?;
        let other = whole_number(text)?;
        let what = format!("the constant `{constant}` is {value}, but its variant `{variant}` is `{text}`");
        let remark = Remark::new(Section::Data, Level::Warning, what).at(manifest_place(package, constant));
        (value != other).then(|| remark.todo("mend the one that is wrong"))
    };
    package.constants.iter().filter_map(remark).collect()
}

/// Constants of generators that are called like bounds.
fn generator_constants(package: &Package) -> Vec<PlacedBound> {
    let Ok(entries) = fs::read_dir(package.dir.join("generators")) else { return vec![] };
    let mut paths: Vec<PathBuf> = entries.filter_map(|entry| Some(entry.ok()?.path())).collect();
    paths.sort();
    let is_source = |path: &&PathBuf| {
        let ending = path.extension().and_then(|ending| ending.to_str()).unwrap_or("");
        path.is_file() && !["", "yaml", "yml", "toml", "in", "ans", "md", "txt"].contains(&ending)
    };
    let constants = |path: &PathBuf| {
        let file = path.strip_prefix(&package.dir).unwrap_or(path).display().to_string();
        let found = small_text(path).map(|text| ProgramBounds::of(&text).constants).unwrap_or_default();
        found.into_iter().map(move |bound| PlacedBound { file: file.clone(), bound })
    };
    paths.iter().filter(is_source).flat_map(constants).collect()
}

/// Those that are others in the statement.
fn generator_remarks(constants: &[PlacedBound], file: &str, stated: &[StatedBound]) -> Vec<Remark> {
    let remark = |constant: &PlacedBound| {
        let rival = rival_in_statement(&constant.bound, stated, SLACK)?;
        let what = format!("has `{}`, but {file}:{} says `{rival}`", constant.bound, rival.line);
        let at = format!("{}:{}", constant.file, constant.bound.line);
        let remark = Remark::new(Section::Data, Level::Warning, what).at(at);
        Some(remark.todo("mend the one that is wrong; nothing, if the generator means another number"))
    };
    constants.iter().filter_map(remark).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn remarks(statement: &str, validator: &str) -> Vec<String> {
        let bounds = ProgramBounds::of(validator);
        let placed = |bound| PlacedBound { file: "v".into(), bound };
        let validators = ValidatorNumbers {
            stated: bounds.stated.into_iter().map(placed).collect(),
            possible: bounds.possible,
            numbers: bounds.numbers,
            texts: 1,
        };
        let found = whole_remarks("s", &statement_bounds(statement), &validators);
        found.iter().map(|one| format!("{} {}", one.at.clone().unwrap(), one.what)).collect()
    }

    #[test]
    fn only_what_disagrees_is_reported() {
        let statement = "## Input\n$1 \\le n \\le 10^5$, $0 \\le a_i \\le 10^9$";
        assert!(remarks(statement, "readInt(1, 100000, \"n\"); readInts(n, 0, 1e9, \"a_i\");").is_empty());
        assert_eq!(
            remarks(statement, "readInt(1, 200000, \"N\"); readInt(0, 1e9, \"a\");"),
            ["s:2 says `n ≤ 100000`, but v:1 has `N ≤ 200000`"]
        );
        assert_eq!(
            remarks(statement, "readInt(0, 100000, \"n\"); readInt(0, 1e9, \"a\");"),
            ["s:2 says `n ≥ 1`, but v:1 has `n ≥ 0`"]
        );
        assert_eq!(
            remarks(statement, "x = 100000"),
            ["s:2 says `a ≤ 1000000000`, and no input validator has that number"]
        );
        assert!(remarks("In the end $x \\le 77$.", "y = 1").is_empty(), "not where inputs are described");
        assert!(
            remarks("$1 \\le n \\le 5$, $1 \\le N \\le 9$", "readInt(1, 9, \"n\")").is_empty(),
            "n and N"
        );
        assert!(remarks("Part 1: $n \\le 9$; part 2: $n \\le 20$", "assert 1 <= n <= 9").is_empty());
    }

    #[test]
    fn constants_of_statements_in_tex_are_filled() {
        assert_eq!(closed_braces("{{n} a {{m}} {x}"), "{{n}} a {{m}} {x}");
    }
}
