//! A folder of DMOJ: `init.yml` and test data.

use super::{
    general_losses::report_general_losses,
    losses::Loss,
    own_comparison::{OwnComparison, choose_comparison},
    own_grading::{OwnGroup, flat_name, own_groups, report_points, sample_cases},
    own_statements::{figures, own_statements, whole_mib},
    packed::{PackSource, Packed},
};
use anyhow::Result;
use kopek_package::package::{
    Case, is_sample,
    yaml::{YamlNode, YamlValue, emit_compact},
};

pub fn pack_for_dmoj(source: &PackSource) -> Result<Packed> {
    let mut packed = Packed::new(source.target);
    report_general_losses(source, &mut packed)?;
    let groups = own_groups(source.package, source.tests);
    let checker = checker_node(choose_comparison(source, &mut packed)?);
    let cases = dmoj_cases(source, &mut packed, &groups);
    let keys = [
        ("checker", checker),
        // Keeps the inputs unchanged.
        ("binary_data", YamlNode::bare(true)),
        ("output_limit_length", YamlNode::bare(source.package.limits.output.0)),
        ("test_cases", YamlNode::new(0, YamlValue::List(cases))),
    ];
    packed.add_text("init.yml", emit_compact(YamlNode::map(keys)));
    for case in source.tests.cases.iter().filter(|case| case.name.starts_with("secret/")) {
        add_case_files(source, &mut packed, case);
    }
    add_dmoj_statements(source, &mut packed)?;
    report_site_settings(source, &mut packed, &groups);
    if !source.package.submissions.is_empty() {
        packed.report_loss(Loss::SubmissionForm, "submissions", &[]);
    }
    Ok(packed)
}

fn checker_node(comparison: OwnComparison) -> YamlNode {
    match comparison {
        OwnComparison::Lines => YamlNode::string("standard"),
        OwnComparison::Bytes => YamlNode::string("identical"),
        OwnComparison::Numbers { precision, error } => {
            let args = [("precision", YamlNode::bare(precision)), ("error_mode", YamlNode::string(error))];
            YamlNode::map([("name", YamlNode::string("floats")), ("args", YamlNode::map(args))])
        }
    }
}

/// Groups as batches, which score the minimum of their cases; cases of a sum become single cases.
fn dmoj_cases(source: &PackSource, packed: &mut Packed, groups: &[OwnGroup]) -> Vec<YamlNode> {
    let parts = |group: &OwnGroup| {
        let cases = group.cases.len() as u64;
        if group.sums { cases / gcd(group.max, cases) } else { 1 }
    };
    let factor = groups.iter().map(parts).fold(1, |all, one| all / gcd(all, one) * one);
    if factor > 1 {
        report_points(packed, groups, &factor.to_string());
    }
    let mut samples_used = false;
    let mut batches: Vec<&str> = Vec::new();
    let mut all = Vec::new();
    for group in groups {
        let number = |name: &String| batches.iter().position(|own| own == name).map(|at| at + 1);
        let needs: Vec<Option<usize>> =
            group.requires.iter().filter(|name| !is_sample(name)).map(number).collect();
        let with_samples = group.requires.iter().any(|name| is_sample(name));
        if needs.contains(&None) || (group.sums && !group.requires.is_empty()) {
            packed.report_loss(
                Loss::PartialRequirement,
                format!("data/{}", group.name),
                &[&group.requires.join(", ")],
            );
        }
        if group.sums {
            let points = group.max * factor / group.cases.len() as u64;
            all.extend(group.cases.iter().map(|&case| dmoj_case(source, case, Some(points))));
            continue;
        }
        let samples = if with_samples { sample_cases(source) } else { Vec::new() };
        samples_used |= with_samples;
        let cases = samples.iter().chain(&group.cases).map(|&case| dmoj_case(source, case, None)).collect();
        let mut keys = vec![("points", YamlNode::bare(group.max * factor))];
        let needs: Vec<YamlNode> = needs.into_iter().flatten().map(YamlNode::bare).collect();
        if !needs.is_empty() {
            let list = YamlNode::new(0, YamlValue::List(needs));
            keys.push(("dependencies", YamlNode { flow: true, ..list }));
        }
        keys.push(("batched", YamlNode::new(0, YamlValue::List(cases))));
        all.push(YamlNode::map(keys));
        batches.push(&group.name);
    }
    let samples = sample_cases(source);
    if !samples_used && !samples.is_empty() {
        packed.report_loss(Loss::Samples, "data/sample", &[]);
    }
    for case in samples.into_iter().filter(|_| samples_used) {
        add_case_files(source, packed, &source.tests.cases[case]);
    }
    all
}

fn add_case_files(source: &PackSource, packed: &mut Packed, case: &Case) {
    let at = flat_name(source, case);
    packed.add_copy(format!("{at}.in"), &case.input);
    packed.add_copy(format!("{at}.out"), &case.answer);
}

fn dmoj_case(source: &PackSource, case: usize, points: Option<u64>) -> YamlNode {
    let name = flat_name(source, &source.tests.cases[case]);
    let mut keys = vec![
        ("in", YamlNode::string(format!("{name}.in"))),
        ("out", YamlNode::string(format!("{name}.out"))),
    ];
    keys.extend(points.map(|points| ("points", YamlNode::bare(points))));
    YamlNode { flow: true, ..YamlNode::map(keys) }
}

/// The site expects formulas between `~`.
fn add_dmoj_statements(source: &PackSource, packed: &mut Packed) -> Result<()> {
    for statement in own_statements(source)? {
        match (&statement.markdown, &statement.pdf) {
            (Some(markdown), _) => {
                let text = with_tildes(markdown);
                packed.add_text(format!("statement.{}.md", statement.language), text);
                for figure in figures(source)? {
                    packed.report_loss(Loss::Figure, "statement", &[&figure.to_string_lossy()]);
                }
            }
            (None, Some(pdf)) => packed.add_copy(format!("statement.{}.pdf", statement.language), pdf),
            (None, None) => packed.report_loss(Loss::StatementForm, "statement", &["PDF or Markdown"]),
        }
    }
    Ok(())
}

fn report_site_settings(source: &PackSource, packed: &mut Packed, groups: &[OwnGroup]) {
    let memory = whole_mib(source.package.limits.memory).to_string();
    let points = groups.iter().map(|group| group.max).sum::<u64>().to_string();
    match source.package.limits.time {
        Some(time) => {
            let seconds = time.as_secs_f64().to_string();
            packed.report_loss(Loss::TimeLimit, "problem.yaml", &[&seconds, &memory, &points]);
        }
        None => packed.report_loss(Loss::NoTimeLimit, "problem.yaml", &[&memory, &points]),
    }
}

/// Replaces `$` around inline formulas by `~`; keeps `$$` and code.
fn with_tildes(markdown: &str) -> String {
    let mut text = String::new();
    let mut fenced = false;
    for line in markdown.lines() {
        fenced ^= line.trim_start().starts_with("```");
        for (at, part) in line.split('`').enumerate() {
            text += if at > 0 { "`" } else { "" };
            if at % 2 == 1 || fenced {
                text += part;
                continue;
            }
            let kept = part.replace("$$", "\0").replace("\\$", "\u{1}");
            text += &kept.replace('$', "~").replace('\u{1}', "\\$").replace('\0', "$$");
        }
        text.push('\n');
    }
    text
}

fn gcd(a: u64, b: u64) -> u64 {
    if b == 0 { a.max(1) } else { gcd(b, a % b) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn formulas_of_a_line_are_between_tildes() {
        assert_eq!(
            with_tildes("a $n$ b `$x$`\n$$\nn\n$$\ncosts \\$5\n"),
            "a ~n~ b `$x$`\n$$\nn\n$$\ncosts \\$5\n"
        );
    }

    #[test]
    fn gcds() {
        assert_eq!([gcd(50, 3), gcd(12, 18), gcd(0, 4)], [1, 6, 4]);
    }
}
