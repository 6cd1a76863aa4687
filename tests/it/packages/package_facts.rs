//! The facts read from a package, as lines for an expectation.

use kopek::package::{Expectation, Group, Judge, Member, Package, Rule, StaticScore, TestSet, VerdictWord};
use std::fmt::Write;

/// Everything that was understood, a line each.
pub fn list_facts(package: &Package, set: &TestSet) -> Vec<String> {
    let mut lines = about(package);
    lines.extend(programs(package));
    lines.extend(claims(package));
    group(&set.root, set, &mut lines);
    for validation in &set.validation {
        let args = &validation.case.arguments.output;
        lines.push(format!("validation {:?} {} {args:?}", validation.must, validation.case.name));
    }
    lines
}

fn about(package: &Package) -> Vec<String> {
    let limits = &package.limits;
    let kind = package.kind;
    let mut lines = vec![
        format!("format {:?}", package.format),
        format!("limit memory {}", limits.memory),
        format!("limit output {}", limits.output),
        format!("limit code {}", limits.code),
        format!("limit multipliers {} {}", limits.ac_to_time_limit, limits.time_limit_to_tle),
        format!("limit resolution {:?}", limits.time_resolution),
        format!("limit passes {}", limits.validation_passes),
        format!("limit compilation {:?} {}", limits.compilation_time, limits.compilation_memory),
        format!(
            "limit validation {:?} {} {}",
            limits.validation_time, limits.validation_memory, limits.validation_output
        ),
        format!("languages {:?}", package.languages),
        format!("writes files {}", package.allow_file_writing),
        format!("license {:?} owner {:?}", package.about.license, package.about.rights_owner),
        format!("source {:?}", package.about.source),
        format!("keywords {:?}", package.about.keywords),
        format!("lower is better {}", package.about.lower_is_better),
        format!("named files {:?}", package.named_files.as_ref().map(|files| (&files.input, &files.output))),
    ];
    lines.push(match limits.time {
        Some(time) => format!("limit time {time:?}"),
        None => "limit time unset".into(),
    });
    let flags = [
        ("scoring", kind.scoring),
        ("interactive", kind.interactive),
        ("multi-pass", kind.multi_pass),
        ("submit-answer", kind.submit_answer),
    ];
    lines.extend(flags.iter().map(|(name, on)| format!("kind {name} {on}")));
    lines.extend(package.about.titles.iter().map(|(code, title)| format!("title {code} {title}")));
    lines.extend(package.about.credits.iter().map(|(role, names)| format!("credits {role} {names:?}")));
    lines.extend(package.constants.iter().map(|(name, value)| format!("constant {name} {value}")));
    lines
}

fn programs(package: &Package) -> Vec<String> {
    let mut lines = Vec::new();
    let mut add = |kind: &str, name: &str, files: usize| lines.push(format!("{kind} {name} {files}"));
    package.input_validators.iter().for_each(|one| add("input validator", &one.name, one.source.files.len()));
    if let Judge::Programs { programs, scores } = &package.judge {
        let kind = if *scores { "scoring output validator" } else { "output validator" };
        programs.iter().for_each(|one| add(kind, &one.name, one.source.files.len()));
    }
    for (kind, program) in [
        ("static validator", &package.static_validator),
        ("input visualizer", &package.input_visualizer),
        ("output visualizer", &package.output_visualizer),
        ("grader", &package.grader),
    ] {
        program.iter().for_each(|one| add(kind, &one.name, one.source.files.len()));
    }
    lines.extend(package.include.keys().map(|code| format!("include {code}")));
    for one in &package.submissions {
        lines.push(format!("submission {} {:?} {:?}", one.name, one.language, one.entry));
        let (mut results, mut score, mut grades) = (vec![], None, vec![]);
        let words = |words: &[VerdictWord]| words.iter().map(|word| word.word.clone()).collect();
        for tag in one.tags.iter().flat_map(|claim| &claim.expectations) {
            match tag {
                Expectation::Result(found) => results = words(found),
                Expectation::Score { min, .. } => score = Some(min.to_string()),
                Expectation::Grades(found) => grades = words(found),
                other => panic!("{} is tagged with {other:?}", one.name),
            }
        }
        lines.push(format!("tags {} {results:?} {score:?} {grades:?}", one.name));
    }
    lines
}

fn claims(package: &Package) -> Vec<String> {
    let mut lines = Vec::new();
    for claim in &package.claims {
        let mut line = format!("claim {} {}", claim.submissions, claim.cases.as_deref().unwrap_or("*"));
        for expectation in &claim.expectations {
            match expectation {
                Expectation::Permitted(set) => write!(line, " permitted {set:?}").unwrap(),
                Expectation::Required(set) => write!(line, " required {set:?}").unwrap(),
                Expectation::Score { min, max } => write!(line, " score {min} {max}").unwrap(),
                Expectation::Message(message) => write!(line, " message {message}").unwrap(),
                Expectation::LessThanBest => {}
                tag => panic!("{} is claimed to be {tag:?}", claim.submissions),
            }
        }
        claim.time_bound().iter().for_each(|bound| write!(line, " bound {bound:?}").unwrap());
        lines.push(line);
    }
    lines
}

fn group(group: &Group, set: &TestSet, lines: &mut Vec<String>) {
    lines.push(match &group.rule {
        Rule::Modern { max_score, aggregation, require_pass, static_validation, static_validator_args } => {
            let max = max_score.as_ref().map_or("unbounded".into(), ToString::to_string);
            let extra = match static_validation {
                None => String::new(),
                Some(StaticScore::PassFail) => format!(" static pass-fail {static_validator_args:?}"),
                Some(StaticScore::Points(points)) => format!(" static {points} {static_validator_args:?}"),
            };
            format!("group {} max {max} {aggregation:?} requires {require_pass:?}{extra}", group.name)
        }
        Rule::Legacy(rule) => {
            let bound = |points: &Option<_>| points.as_ref().map_or("inf".into(), ToString::to_string);
            format!(
                "group {} accept {} reject {} range {} {} flags {:?} continue {} custom {}",
                group.name,
                rule.accept_score,
                rule.reject_score,
                bound(&rule.range.0),
                bound(&rule.range.1),
                rule.grader_flags,
                rule.continue_on_reject,
                rule.custom_grading
            )
        }
    });
    let mut order = Vec::new();
    for member in &group.members {
        match member {
            Member::Group(below) => {
                order.push(below.name.clone());
                self::group(below, set, lines);
            }
            Member::Case(at) => {
                let case = &set.cases[*at];
                order.push(case.name.clone());
                lines.push(format!("case {}", case.name));
                lines.push(format!("case {} args {:?}", case.name, case.arguments.args));
                lines.push(format!("case {} input validator {:?}", case.name, case.arguments.input));
                lines.push(format!("case {} output validator {:?}", case.name, case.arguments.output));
                lines.push(format!("case {} full feedback {}", case.name, case.full_feedback));
                lines.push(format!(
                    "case {} hint {:?} description {:?}",
                    case.name, case.hint, case.description
                ));
                lines.push(format!("case {} files {}", case.name, case.files.is_some()));
            }
        }
    }
    lines.push(format!("order {} {order:?}", group.name));
}
