//! `data/`: cases in directories with the grading of their groups.

use super::{
    losses::Loss,
    packed::{PackSource, Packed, validator_mentions},
    target::Target,
    testdata_yaml::{
        PackedGroupTerms, Scorer, ValidatorFlags, aggregation, all_or_nothing, flag_keys, max_score,
    },
};
use anyhow::Result;
use kopek_package::{
    package::{
        Aggregation, Case, Group, Rule, TestSet, case_extras,
        yaml::{YamlNode, emit},
    },
    points::Points,
};
use std::collections::{BTreeMap, BTreeSet};

/// Cases of a directory by their new names.
type Named<'a> = BTreeMap<String, &'a Case>;

pub fn add_data(source: &PackSource, packed: &mut Packed) -> Result<()> {
    note_lost_settings(source, packed);
    let tests = source.tests;
    if let Some(secret) = tests.root.group_named("secret") {
        if source.package.kind.scoring {
            let terms = PackedGroupTerms::of_all(&secret.rule);
            add_head(source, packed, "data", Some(&terms), &ValidatorFlags::default());
        }
        add_secret(source, packed, secret)?;
    }
    if let Some(sample) = tests.root.group_named("sample") {
        let terms = source.package.kind.scoring.then(|| PackedGroupTerms::of_samples(scorer(source)));
        let cases = named_cases(source, sample, &sample.name, "");
        spread_cases(source, packed, "data/sample", cases, terms.as_ref())?;
    }
    Ok(())
}

fn add_secret<'a>(source: &PackSource<'a>, packed: &mut Packed, secret: &'a Group) -> Result<()> {
    let groups: Vec<&Group> = secret.groups().collect();
    let flat = !source.package.kind.scoring && source.target == Target::Domjudge;
    if groups.is_empty() || flat {
        let terms =
            source.package.kind.scoring.then(|| PackedGroupTerms::of_cases(&secret.rule, scorer(source)));
        let mut cases = named_cases(source, secret, "secret", "");
        cases.extend(required_cases(source, packed, secret, secret));
        return spread_cases(source, packed, "data/secret", cases, terms.as_ref());
    }
    if source.package.kind.scoring {
        let terms = PackedGroupTerms::of_groups(&secret.rule);
        add_head(source, packed, "data/secret", Some(&terms), &ValidatorFlags::default());
    }
    for group in groups {
        add_group(source, packed, secret, group)?;
    }
    Ok(())
}

fn add_group<'a>(
    source: &PackSource<'a>,
    packed: &mut Packed,
    secret: &'a Group,
    group: &Group,
) -> Result<()> {
    let mut cases = named_cases(source, group, &group.name, "");
    cases.extend(required_cases(source, packed, secret, group));
    if cases.is_empty() {
        return Ok(()); // Only a static validation, which has its note already.
    }
    let scorer = scorer(source);
    let mut terms = PackedGroupTerms::of_cases(&group.rule, scorer);
    if aggregation(&secret.rule) == Aggregation::PassFail {
        // All groups must pass: each has the points of the whole.
        terms.max = max_score(&secret.rule).cloned();
        terms.accept = terms.max.clone().unwrap_or(Points::zero());
    }
    let terms = if source.package.kind.scoring { Some(terms) } else { None };
    spread_cases(source, packed, &format!("data/{}", group.name), cases, terms.as_ref())
}

fn scorer(source: &PackSource) -> Scorer {
    if writes_scores(source) { Scorer::Validator } else { Scorer::Verdict }
}

/// All cases of a group by flat names, because in legacy every directory is a group.
fn named_cases<'a>(source: &PackSource<'a>, group: &Group, above: &str, prefix: &str) -> Named<'a> {
    let mut named = Named::new();
    for case in group.cases() {
        let case = &source.tests.cases[case];
        let below = case.name.strip_prefix(above).unwrap_or(&case.name).trim_start_matches('/');
        let mut name = format!("{prefix}{}", below.replace('/', "-"));
        // `a/b` and `a-b` become the same name.
        while named.contains_key(&name) {
            name.push('_');
        }
        named.insert(name, case);
    }
    named
}

/// The cases of all required groups. If one failure costs all points, they can be part of the group
/// instead.
fn required_cases<'a>(
    source: &PackSource<'a>,
    packed: &mut Packed,
    secret: &'a Group,
    group: &Group,
) -> Named<'a> {
    let required = required_groups(source, secret, group);
    if required.is_empty() {
        return Named::new();
    }
    if !all_or_nothing(&group.rule) || writes_scores(source) {
        packed.report_loss(
            Loss::PartialRequirement,
            format!("data/{}", group.name),
            &[&group_names(&required)],
        );
        return Named::new();
    }
    packed.report_loss(Loss::RequirePass, format!("data/{}", group.name), &[&group_names(&required)]);
    let prefix = |name: &str| format!("{}-", name.replace('/', "-").trim_start_matches("secret-"));
    required.iter().flat_map(|one| named_cases(source, one, &one.name, &prefix(&one.name))).collect()
}

/// The groups that a group requires, directly or not.
fn required_groups<'a>(source: &PackSource<'a>, secret: &'a Group, group: &Group) -> Vec<&'a Group> {
    let mut names = BTreeSet::new();
    let mut open: Vec<&str> = required_names(&group.rule).chain(required_names(&secret.rule)).collect();
    let all: Vec<&Group> = source.tests.root.groups().chain(secret.groups()).collect();
    while let Some(name) = open.pop().filter(|name| *name != group.name) {
        if names.insert(name) {
            let found = all.iter().find(|one| one.name == name);
            open.extend(found.into_iter().flat_map(|one| required_names(&one.rule)));
        }
    }
    all.into_iter().filter(|one| names.contains(one.name.as_str())).collect()
}

/// Puts cases into a directory, or into one below it for each list of flags, or for each case.
fn spread_cases(
    source: &PackSource,
    packed: &mut Packed,
    dir: &str,
    cases: Named,
    terms: Option<&PackedGroupTerms>,
) -> Result<()> {
    let is_shared = shared_output_flags(source.tests).is_some();
    let mut parts: BTreeMap<ValidatorFlags, Named> = BTreeMap::new();
    for (name, case) in cases {
        // problem.yaml has the flags that all cases share.
        let output = if is_shared { String::new() } else { case.arguments.output.join(" ") };
        let flags = ValidatorFlags { input: input_flags(source, packed, case), output };
        parts.entry(flags).or_default().insert(name, case);
    }
    let shares = terms.is_some_and(PackedGroupTerms::counts_each_case);
    // DOMjudge gives a directory's points once, for all its cases.
    let each = shares && (source.target == Target::Domjudge || parts.len() > 1);
    if let (1, false, Some((flags, cases))) = (parts.len(), each, parts.first_key_value()) {
        add_head(source, packed, dir, terms, flags);
        for (name, case) in cases {
            add_case(source, packed, dir, name, case)?;
        }
        return Ok(());
    }
    add_head(source, packed, dir, terms, &ValidatorFlags::default());
    for (index, (flags, cases)) in parts.iter().enumerate() {
        let together = format!("{dir}/args-{}", index + 1);
        for (name, case) in cases {
            let below = if each { format!("{dir}/{name}") } else { together.clone() };
            let alone = terms.map(|terms| if each { terms.alone_in_directory() } else { terms.clone() });
            add_head(source, packed, &below, alone.as_ref(), flags);
            add_case(source, packed, &below, name, case)?;
        }
    }
    Ok(())
}

/// The `testdata.yaml` of a directory, where it says something.
fn add_head(
    source: &PackSource,
    packed: &mut Packed,
    dir: &str,
    terms: Option<&PackedGroupTerms>,
    flags: &ValidatorFlags,
) {
    let text = match terms {
        Some(terms) => terms.emit_yaml(source.target, flags),
        None if flags.is_empty() => return,
        None => emit(&YamlNode::map(flag_keys(flags))),
    };
    packed.add_text(format!("{dir}/testdata.yaml"), text);
}

fn add_case(source: &PackSource, packed: &mut Packed, dir: &str, name: &str, case: &Case) -> Result<()> {
    let at = format!("{dir}/{name}");
    packed.add_copy(format!("{at}.in"), &case.input);
    packed.add_copy(format!("{at}.ans"), &case.answer);
    for (ending, text) in [("hint", &case.hint), ("desc", &case.description)] {
        if let Some(text) = text {
            packed.add_text(format!("{at}.{ending}"), format!("{text}\n"));
        }
    }
    let beside = case_extras(source.package, case)?;
    for file in [&beside.illustration, &beside.interaction].into_iter().flatten() {
        let ending = file.extension().unwrap_or_default().to_string_lossy();
        packed.add_copy(format!("{at}.{ending}"), file);
    }
    Ok(())
}

/// Settings that `testdata.yaml` lacks.
fn note_lost_settings(source: &PackSource, packed: &mut Packed) {
    // Flags are split at blanks.
    let odd = |word: &String| word.is_empty() || word.contains([' ', '\t', '\n', '"', '\'', '\\']);
    if let Some(case) = source.tests.cases.iter().find(|case| case.arguments.output.iter().any(odd)) {
        packed.report_loss(Loss::OddArguments, &case.name, &[]);
    }
    let secret = source.tests.root.group_named("secret").into_iter();
    for group in secret.flat_map(|secret| secret.groups()) {
        if all_or_nothing(&group.rule) && writes_scores(source) {
            packed.report_loss(Loss::PlainGroup, format!("data/{}", group.name), &[]);
        }
    }
    if source.package.kind.scoring && validator_mentions(source.package, "score_multiplier.txt") {
        packed.report_loss(Loss::ScoreMultiplier, "output_validator", &[]);
    }
}

fn group_names(groups: &[&Group]) -> String {
    groups.iter().map(|group| group.name.as_str()).collect::<Vec<_>>().join(", ")
}

fn required_names(rule: &Rule) -> impl Iterator<Item = &str> {
    let list = match rule {
        Rule::Modern { require_pass, .. } => require_pass.as_slice(),
        Rule::Legacy(_) => &[],
    };
    list.iter().map(String::as_str)
}

/// The output validator's flags, if they are the same for all cases.
pub fn shared_output_flags(tests: &TestSet) -> Option<String> {
    let mut all = tests.cases.iter().map(|case| &case.arguments.output);
    let first = all.next()?;
    if all.all(|args| args == first) { Some(first.join(" ")) } else { None }
}

/// Arguments of the input validators: the same for all of them, or none.
fn input_flags(source: &PackSource, packed: &mut Packed, case: &Case) -> String {
    let mut all = BTreeSet::new();
    for validator in &source.package.input_validators {
        all.insert(case.arguments.own_of_input_validator(&validator.name).join(" "));
    }
    if all.len() > 1 {
        packed.report_loss(Loss::InputArguments, "data", &[]);
        return String::new();
    }
    all.pop_first().unwrap_or_default()
}

/// Whether its output validator gives points, judged by its source.
pub fn writes_scores(source: &PackSource) -> bool {
    source.package.kind.scoring && validator_mentions(source.package, "score.txt")
}
