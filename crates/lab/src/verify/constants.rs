//! Constants of `problem.yaml` that bound numbers. Validators and statements name them, so that all have the same
//! value; this compares them with the data.

use super::{
    checked::Checked,
    number_ranges::NumberSurvey,
    statements::{StatementText, small_text},
    verification::Verification,
};
use kopek_base::wording::counted;
use kopek_package::package::{Judge, Level, Message, Package, PackageProgram, Place, TestSet};
use regex_lite::Regex;
use std::sync::LazyLock;

/// A number in a statement: `1000`, `100\,000`, `2 \cdot 10^5`.
static STATED: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(
        r"[0-9]+(?:(?:\\,|[ ,_'])[0-9]{3})*(?:\s*(?:\\cdot|\\times|\*)\s*10)?(?:\s*\^\s*\{?[0-9]+\}?)?",
    )
    .expect("a fixed pattern")
});

/// What stands between the variables of a chain like `1 \le n, m \le 1000`.
static BETWEEN_VARIABLES: LazyLock<Regex> =
    LazyLock::new(|| Regex::new(r"\\leqslant|\\leq|\\le\b|\\lt\b|≤|⩽|<=|<|,").expect("a fixed pattern"));

/// A constant with a name like `n_max` and an integer as its value.
#[derive(Debug, PartialEq, Eq)]
struct ConstantBound<'a> {
    name: &'a str,
    end: BoundEnd,
    value: i128,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum BoundEnd {
    Min,
    Max,
}

/// Finds constants that a statement does not show, that nothing checks, or that no input reaches.
pub(super) fn check_constants(
    bench: &Verification,
    statements: &[StatementText],
    seen: &NumberSurvey,
) -> Checked {
    let Verification { package, tests, .. } = *bench;
    let mut checked = Checked::from(wrong_variants(package));
    let bounds: Vec<ConstantBound> =
        package.constants.iter().filter_map(|(k, v)| constant_bound(k, v)).collect();
    if bounds.is_empty() {
        return checked;
    }
    let input_validators = texts_of(&package.input_validators);
    let output_validators = match &package.judge {
        Judge::Default => Vec::new(),
        Judge::Programs { programs, .. } => texts_of(programs),
    };
    for bound in &bounds {
        let is_checked = names_constant(&input_validators, bound.name) || is_argument(tests, bound.value);
        if is_checked {
            let silent = statements.iter().filter(|one| !shows(one, bound, &bounds));
            checked.messages.extend(silent.map(|statement| unstated(statement, bound)));
        }
        let is_reached = match bound.end {
            BoundEnd::Min => seen.reaches(|range| range.min, bound.value),
            BoundEnd::Max => seen.reaches(|range| range.max, bound.value),
        };
        if is_reached {
            continue;
        }
        let at = manifest_place(package, bound.name);
        let ConstantBound { name, value, .. } = bound;
        if !is_checked && !names_constant(&output_validators, name) {
            let what = format!("no validator names the constant `{name}`, and no input reaches it ({value})");
            let todo = format!("write `{{{{{name}}}}}` in the input validator and in the recipe");
            checked.add(Message::new(Level::Error, what).at(at).todo(todo));
        } else if is_checked && seen.are_all() {
            let what = format!("no input reaches the constant `{name}` ({value})");
            let message = Message::new(Level::Warning, what).at(at);
            checked.add(message.todo("add a case that does, or change the constant"));
        }
    }
    checked.done(format!("{} compared with statements and data", counted(bounds.len(), "constant")));
    checked
}

/// The bound in a constant. A name with a dot is a variant of another.
fn constant_bound<'a>(name: &'a str, value: &str) -> Option<ConstantBound<'a>> {
    if name.contains('.') {
        return None;
    }
    let value = literal_number(value)?;
    let words: Vec<String> = name.split('_').map(str::to_ascii_lowercase).collect();
    let has = |end: &str| words.iter().any(|word| word.starts_with(end) || word.ends_with(end));
    let end = match (has("min"), has("max")) {
        (true, false) => BoundEnd::Min,
        (false, true) => BoundEnd::Max,
        (true, true) | (false, false) => return None,
    };
    Some(ConstantBound { name, end, value })
}

fn texts_of(programs: &[PackageProgram]) -> Vec<String> {
    let sources = programs.iter().map(|program| &program.source);
    let paths = sources.flat_map(|source| source.files.iter().map(|file| source.root.join(file)));
    paths.filter_map(|path| small_text(&path)).collect()
}

fn names_constant(texts: &[String], name: &str) -> bool {
    let [plain, variant] = [format!("{{{{{name}}}}}"), format!("{{{{{name}.")];
    texts.iter().any(|text| text.contains(&plain) || text.contains(&variant))
}

/// Whether a group gives an input validator this value: `--max-n=5`, `5`.
fn is_argument(tests: &TestSet, value: i128) -> bool {
    let value = value.to_string();
    let mut args = tests.cases.iter().flat_map(|case| case.arguments.input.values().flatten());
    args.any(|arg| arg.rsplit('=').next() == Some(&value))
}

/// Whether a statement names a constant, or has its value. A positive value that several constants share must bound a
/// variable for each of them that is not named.
fn shows(statement: &StatementText, bound: &ConstantBound, all: &[ConstantBound]) -> bool {
    let text = &statement.template;
    let is_named = |name: &str| names_constant(std::slice::from_ref(text), name);
    if is_named(bound.name) {
        return true;
    }
    let mut shown = 0;
    for found in STATED.find_iter(text) {
        let value = literal_number(&found.as_str().replace("\\,", "").replace(',', ""));
        let is_negative = text[..found.start()].trim_end().ends_with(['-', '−']);
        if value == Some(bound.value.abs()) && (bound.value < 0 || !is_negative) {
            shown += variables_before(&text[..found.start()]);
        }
    }
    let same = all.iter().filter(|one| one.value == bound.value && !is_named(one.name)).count();
    if bound.value < 0 { shown > 0 } else { shown >= same }
}

/// How many variables the number after this text bounds: two in `1 \le n, m \le`, and one if it does not tell.
fn variables_before(text: &str) -> usize {
    let begin = text.rfind(['$', '\n', '(', ';']).map_or(0, |at| at + 1);
    let mut parts: Vec<&str> = BETWEEN_VARIABLES.split(&text[begin..]).map(str::trim).collect();
    // A relation at the end leaves an empty part, and so does a comma, which bounds nothing.
    if parts.pop() != Some("") || text.trim_end().ends_with(',') {
        return 1;
    }
    let is_prose = |part: &str| part.contains(char::is_whitespace);
    let is_variable =
        |part: &&&str| literal_number(part).is_none() && !part.contains("{{") && !is_prose(part);
    parts.iter().rev().take_while(is_variable).count().max(1)
}

fn unstated(statement: &StatementText, ConstantBound { name, value, .. }: &ConstantBound) -> Message {
    let what = format!("does not say the constant `{name}` ({value}), which input validators check");
    Message::error(&*statement.file, what)
        .todo(format!("write `{{{{{name}}}}}` where the statement says another number, or nothing"))
}

/// The line of a constant in `problem.yaml`, if found.
fn manifest_place(package: &Package, name: &str) -> Place {
    let text = small_text(&package.dir.join("problem.yaml")).unwrap_or_default();
    let begins = |line: &str| line.trim_start().starts_with(&format!("{name}:"));
    let line = text.lines().position(begins).map(|at| at as u32 + 1);
    Place::new("problem.yaml", line)
}

/// `value: 100000` with `latex: 10^6`.
fn wrong_variants(package: &Package) -> Vec<Message> {
    let message = |(name, text): (&String, &String)| {
        let (constant, variant) = name.split_once('.')?;
        let value = literal_number(package.constants.get(constant)?)?;
        let other = literal_number(text)?;
        let what = format!("the constant `{constant}` is {value}, but its variant `{variant}` is `{text}`");
        let message = Message::new(Level::Warning, what).at(manifest_place(package, constant));
        (value != other).then(|| message.todo("fix the wrong one"))
    };
    package.constants.iter().filter_map(message).collect()
}

/// A text that is an integer and nothing else: `100_000`, `10^{5}`, `2 \cdot 10^5`, `100\,000`.
fn literal_number(text: &str) -> Option<i128> {
    let mut plain = text.replace("\\cdot", "*").replace("\\times", "*").replace("\\,", "");
    plain.retain(|c| !c.is_whitespace() && !matches!(c, '$' | '{' | '}' | '_' | '\''));
    let (sign, digits) = match plain.strip_prefix('-') {
        Some(digits) => (-1, digits),
        None => (1, plain.as_str()),
    };
    digits.split('*').try_fold(sign, |product: i128, factor| product.checked_mul(literal_factor(factor)?))
}

fn literal_factor(text: &str) -> Option<i128> {
    let number = |digits: &str| digits.parse::<u64>().ok().map(i128::from);
    match text.split_once('^') {
        Some((base, power)) => number(base)?.checked_pow(power.parse().ok()?),
        None => number(text),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_read_as_constants_and_statements_write_them() {
        for text in ["100000", "100_000", "10^{5}", "$10^5$", "1 \\cdot 10^5", "100\\,000"] {
            assert_eq!(literal_number(text), Some(100_000), "{text}");
        }
        assert_eq!(literal_number("-5"), Some(-5));
        assert!(["", "x", "1.5", "5n", "10^", "1-1"].iter().all(|text| literal_number(text).is_none()));
    }

    #[test]
    fn a_constant_is_a_bound_by_its_name() {
        for (name, end) in [
            ("n_max", Some(BoundEnd::Max)),
            ("MIN_N", Some(BoundEnd::Min)),
            ("maxn", Some(BoundEnd::Max)),
            ("n_max_1", Some(BoundEnd::Max)),
            ("n_max.latex", None),
            ("minmax", None),
            ("n", None),
        ] {
            assert_eq!(constant_bound(name, "5").map(|bound| bound.end), end, "{name}");
        }
        assert_eq!(constant_bound("n_max", "five"), None);
    }

    #[test]
    fn a_statement_shows_a_constant_by_its_name_or_by_its_value() {
        let bound = ConstantBound { name: "n_max", end: BoundEnd::Max, value: 200_000 };
        let shown = |template: &str| {
            let statement =
                StatementText { file: String::new(), template: template.into(), text: String::new() };
            shows(&statement, &bound, std::slice::from_ref(&bound))
        };
        for text in [
            "$n \\le {{n_max}}$",
            "{{n_max.latex}}",
            "at most 200 000",
            "$2 \\cdot 10^5$",
            "$200\\,000$",
            "200,000",
        ] {
            assert!(shown(text), "{text}");
        }
        assert!(["{{n}}", "$n \\le 2000$", "$10^5$", "1200000"].iter().all(|text| !shown(text)));
    }

    #[test]
    fn a_value_that_constants_share_is_there_for_each_of_them() {
        let bound = |name| ConstantBound { name, end: BoundEnd::Max, value: 1000 };
        let all = [bound("n_max"), bound("value_max")];
        for (template, is_shown) in [
            ("$n \\le 1000$, $-1000 \\le a \\le 1000$", true),
            ("$n \\le 500$, $-1000 \\le a \\le 1000$", false),
            ("$n \\le 500$, $-{{value_max}} \\le a \\le {{value_max}}$", false),
            ("$n \\le 1000$, $|a| \\le {{value_max}}$", true),
            ("$1 \\le n, a \\le 1000$", true),
            ("1 ≤ a ≤ n ≤ 1000", true),
            ("$n \\le 500, -1000 \\le a \\le 1000$", false),
            ("at least 1, and at most 1000", false),
            ("$a, b, 1000$", false),
            ("if a town is large, n ≤ 1000", false),
            ("the number of towns ≤ 1000", false),
        ] {
            let statement =
                StatementText { file: String::new(), template: template.into(), text: String::new() };
            assert_eq!(shows(&statement, &all[0], &all), is_shown, "{template}");
        }
    }
}
