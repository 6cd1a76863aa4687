//! A folder of DMOJ: `init.yml`, test data and a bridged checker.

use super::{
    losses::Loss,
    own_grading::{OwnGroup, own_groups},
    own_words::whole_mib,
    pack_layout::PackLayout,
};
use anyhow::Result;
use kopek_engine::package::{
    Case,
    yaml::{YamlNode, YamlValue, emit_compact},
};

const ADAPTER: &str = include_str!("adapters/dmoj.cpp");
const LANGUAGE: &str = "CPP17";

impl PackLayout<'_> {
    pub fn add_dmoj(&mut self) -> Result<()> {
        let groups = own_groups(self.package, self.tests);
        let (program, key) = match self.package.kind.interactive {
            true => ("interactor.cpp", "interactive"),
            false => ("checker.cpp", "checker"),
        };
        let source = self.adapted_validator(ADAPTER)?;
        self.add_text(program, source);
        let bridge = YamlNode::map([
            ("files", YamlNode::string(program)),
            ("lang", YamlNode::string(LANGUAGE)),
            ("type", YamlNode::string("coci")),
        ]);
        let bridge = match self.package.kind.interactive {
            true => bridge,
            false => YamlNode::map([("name", YamlNode::string("bridged")), ("args", bridge)]),
        };
        let output = self.package.limits.output.0;
        let keys = [
            (key, bridge),
            // Keeps the inputs unchanged.
            ("binary_data", YamlNode::bare(true)),
            ("output_limit_length", YamlNode::bare(output)),
            ("test_cases", YamlNode::new(0, YamlValue::List(self.dmoj_cases(&groups)))),
        ];
        self.add_text("init.yml", emit_compact(YamlNode::map(keys)));
        for case in self.tests.cases.iter().filter(|case| case.name.starts_with("secret/")) {
            self.add_case_files(case);
        }
        self.add_dmoj_statements()?;
        self.report_site_settings(&groups);
        if !self.package.submissions.is_empty() {
            self.report_loss(Loss::SubmissionForm, "submissions", &[]);
        }
        Ok(())
    }

    /// Groups as batches, which score the minimum of their cases; cases of a sum become single cases.
    fn dmoj_cases(&mut self, groups: &[OwnGroup]) -> Vec<YamlNode> {
        let parts = |group: &OwnGroup| {
            let cases = group.cases.len() as u64;
            if group.sums { cases / greatest_divisor(group.most, cases) } else { 1 }
        };
        let factor = groups.iter().map(parts).fold(1, |all, one| all / greatest_divisor(all, one) * one);
        if factor > 1 {
            self.report_points(groups, &factor.to_string());
        }
        let mut samples_used = false;
        let mut batches: Vec<&str> = Vec::new();
        let mut all = Vec::new();
        for group in groups {
            let number = |name: &String| batches.iter().position(|own| own == name).map(|at| at + 1);
            let needs: Vec<Option<usize>> =
                group.requires.iter().filter(|name| *name != "sample").map(number).collect();
            let with_samples = group.requires.iter().any(|name| name == "sample");
            if needs.contains(&None) || (group.sums && !group.requires.is_empty()) {
                self.report_loss(
                    Loss::PartialRequirement,
                    format!("data/{}", group.name),
                    &[&group.requires.join(", ")],
                );
            }
            if group.sums {
                let points = group.most * factor / group.cases.len() as u64;
                all.extend(group.cases.iter().map(|&case| self.dmoj_case(case, Some(points))));
                continue;
            }
            let samples = if with_samples { self.sample_cases() } else { Vec::new() };
            samples_used |= with_samples;
            let cases = samples.iter().chain(&group.cases).map(|&case| self.dmoj_case(case, None)).collect();
            let mut keys = vec![("points", YamlNode::bare(group.most * factor))];
            let needs: Vec<YamlNode> = needs.into_iter().flatten().map(YamlNode::bare).collect();
            if !needs.is_empty() {
                let list = YamlNode::new(0, YamlValue::List(needs));
                keys.push(("dependencies", YamlNode { flow: true, ..list }));
            }
            keys.push(("batched", YamlNode::new(0, YamlValue::List(cases))));
            all.push(YamlNode::map(keys));
            batches.push(&group.name);
        }
        match samples_used {
            true => {
                self.sample_cases().into_iter().for_each(|case| self.add_case_files(&self.tests.cases[case]))
            }
            false if self.sample_cases().is_empty() => {}
            false => self.report_loss(Loss::Samples, "data/sample", &[]),
        }
        all
    }

    fn add_case_files(&mut self, case: &Case) {
        let at = self.flat_name(case);
        self.add_copy(format!("{at}.in"), &case.input);
        self.add_copy(format!("{at}.out"), &case.answer);
    }

    fn dmoj_case(&self, case: usize, points: Option<u64>) -> YamlNode {
        let name = self.flat_name(&self.tests.cases[case]);
        let mut keys = vec![
            ("in", YamlNode::string(format!("{name}.in"))),
            ("out", YamlNode::string(format!("{name}.out"))),
        ];
        keys.extend(points.map(|points| ("points", YamlNode::bare(points))));
        YamlNode { flow: true, ..YamlNode::map(keys) }
    }

    /// The site expects formulas between `~`.
    fn add_dmoj_statements(&mut self) -> Result<()> {
        for statement in self.own_statements()? {
            match (&statement.markdown, &statement.pdf) {
                (Some(markdown), _) => {
                    let text = with_tildes(markdown);
                    self.add_text(format!("statement.{}.md", statement.language), text);
                    for figure in self.figures()? {
                        self.report_loss(Loss::Figure, "statement", &[&figure.to_string_lossy()]);
                    }
                }
                (None, Some(pdf)) => self.add_copy(format!("statement.{}.pdf", statement.language), pdf),
                (None, None) => self.report_loss(Loss::StatementForm, "statement", &["PDF or Markdown"]),
            }
        }
        Ok(())
    }

    fn report_site_settings(&mut self, groups: &[OwnGroup]) {
        let memory = whole_mib(self.package.limits.memory).to_string();
        let points = groups.iter().map(|group| group.most).sum::<u64>().to_string();
        match self.package.limits.time {
            Some(time) => {
                let seconds = time.as_secs_f64().to_string();
                self.report_loss(Loss::TimeLimit, "problem.yaml", &[&seconds, &memory, &points]);
            }
            None => self.report_loss(Loss::NoTimeLimit, "problem.yaml", &[&memory, &points]),
        }
    }
}

/// Replaces `$` around inline formulas by `~`; keeps `$$` and code.
fn with_tildes(markdown: &str) -> String {
    let mut text = String::new();
    let mut fenced = false;
    for line in markdown.lines() {
        fenced ^= line.trim_start().starts_with("```");
        let parts = line.split('`').enumerate().map(|(at, part)| match at % 2 == 0 && !fenced {
            true => part
                .replace("$$", "\0")
                .replace("\\$", "\u{1}")
                .replace('$', "~")
                .replace('\u{1}', "\\$")
                .replace('\0', "$$"),
            false => part.to_owned(),
        });
        text += &(parts.collect::<Vec<_>>().join("`") + "\n");
    }
    text
}

fn greatest_divisor(a: u64, b: u64) -> u64 {
    if b == 0 { a.max(1) } else { greatest_divisor(b, a % b) }
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
    fn greatest_divisors_are_greatest() {
        assert_eq!([greatest_divisor(50, 3), greatest_divisor(12, 18), greatest_divisor(0, 4)], [1, 6, 4]);
    }
}
