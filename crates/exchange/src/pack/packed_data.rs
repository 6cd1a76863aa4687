//! `data/`: cases in directories with the grading of their groups.

use super::{
    losses::Loss,
    pack_layout::PackLayout,
    target::Target,
    testdata_yaml::{PackedGroupTerms, Scorer, all_or_nothing, flag_keys, score_rule},
    validator_flags::{ValidatorFlags, validator_mentions},
};
use anyhow::Result;
use kopek_engine::{
    package::{
        Aggregation, Case, Group, Rule, case_extras,
        yaml::{YamlNode, emit},
    },
    points::Points,
};
use std::collections::{BTreeMap, BTreeSet};

/// Cases of a directory by their new names.
type Named<'a> = BTreeMap<String, &'a Case>;

impl<'a> PackLayout<'a> {
    pub fn add_data(&mut self) -> Result<()> {
        self.note_odd_flags();
        self.note_unscored();
        let tests = self.tests;
        if let Some(secret) = tests.root.group_named("secret") {
            if self.package.kind.scoring {
                self.add_testdata_yaml(
                    "data",
                    &PackedGroupTerms::of_all(&secret.rule),
                    &ValidatorFlags::default(),
                );
            }
            self.add_secret(secret)?;
        }
        if let Some(sample) = tests.root.group_named("sample") {
            let terms = self.package.kind.scoring.then(|| PackedGroupTerms::of_samples(self.scorer()));
            let cases = self.named_cases(sample, &sample.name, "");
            self.spread_cases("data/sample", cases, terms.as_ref())?;
        }
        Ok(())
    }

    fn add_secret(&mut self, secret: &'a Group) -> Result<()> {
        let groups: Vec<&Group> = secret.groups().collect();
        let flat = !self.package.kind.scoring && self.target == Target::Domjudge;
        if groups.is_empty() || flat {
            let terms =
                self.package.kind.scoring.then(|| PackedGroupTerms::of_cases(&secret.rule, self.scorer()));
            let mut cases = self.named_cases(secret, "secret", "");
            cases.extend(self.required_cases(secret, secret));
            return self.spread_cases("data/secret", cases, terms.as_ref());
        }
        if self.package.kind.scoring {
            self.add_testdata_yaml(
                "data/secret",
                &PackedGroupTerms::of_groups(&secret.rule),
                &ValidatorFlags::default(),
            );
        }
        groups.into_iter().try_for_each(|group| self.add_group(secret, group))
    }

    fn add_group(&mut self, secret: &'a Group, group: &'a Group) -> Result<()> {
        let mut cases = self.named_cases(group, &group.name, "");
        cases.extend(self.required_cases(secret, group));
        if cases.is_empty() {
            return Ok(()); // Only a static validation, which has its note already.
        }
        let scorer = self.scorer();
        let terms = self.package.kind.scoring.then(|| match score_rule(&secret.rule) {
            // All groups must pass: each has the points of the whole.
            (most, Aggregation::PassFail) => PackedGroupTerms {
                accept: most.clone().unwrap_or(Points::zero()),
                most,
                ..PackedGroupTerms::of_cases(&group.rule, scorer)
            },
            (_, Aggregation::Sum | Aggregation::Min) => PackedGroupTerms::of_cases(&group.rule, scorer),
        });
        self.spread_cases(&format!("data/{}", group.name), cases, terms.as_ref())
    }

    fn scorer(&self) -> Scorer {
        if self.writes_scores() { Scorer::Validator } else { Scorer::Verdict }
    }

    /// All cases of a group by flat names, because in legacy every directory is a group.
    fn named_cases(&self, group: &'a Group, above: &str, prefix: &str) -> Named<'a> {
        let mut named = Named::new();
        for case in group.cases() {
            let case = &self.tests.cases[case];
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
    fn required_cases(&mut self, secret: &'a Group, group: &'a Group) -> Named<'a> {
        let required = self.required_groups(secret, group);
        if required.is_empty() {
            return Named::new();
        }
        if !all_or_nothing(&group.rule) || self.writes_scores() {
            self.report_loss(
                Loss::PartialRequirement,
                format!("data/{}", group.name),
                &[&group_names(&required)],
            );
            return Named::new();
        }
        self.report_loss(Loss::RequirePass, format!("data/{}", group.name), &[&group_names(&required)]);
        let prefix = |name: &str| format!("{}-", name.replace('/', "-").trim_start_matches("secret-"));
        required.iter().flat_map(|one| self.named_cases(one, &one.name, &prefix(&one.name))).collect()
    }

    /// The groups that a group requires, directly or not.
    fn required_groups(&self, secret: &'a Group, group: &'a Group) -> Vec<&'a Group> {
        let mut names = BTreeSet::new();
        let mut open: Vec<&str> = required_names(&group.rule).chain(required_names(&secret.rule)).collect();
        let all: Vec<&Group> = self.tests.root.groups().chain(secret.groups()).collect();
        while let Some(name) = open.pop().filter(|name| *name != group.name) {
            if names.insert(name) {
                let found = all.iter().find(|one| one.name == name);
                open.extend(found.into_iter().flat_map(|one| required_names(&one.rule)));
            }
        }
        all.into_iter().filter(|one| names.contains(one.name.as_str())).collect()
    }

    /// Puts cases into a directory, or into one below it for each list of flags, or for each case.
    fn spread_cases(&mut self, dir: &str, cases: Named, terms: Option<&PackedGroupTerms>) -> Result<()> {
        let mut parts: BTreeMap<ValidatorFlags, Named> = BTreeMap::new();
        for (name, case) in cases {
            parts.entry(self.case_flags(case)).or_default().insert(name, case);
        }
        let shares = terms.is_some_and(PackedGroupTerms::counts_each_case);
        // DOMjudge gives a directory's points once, for all its cases.
        let each = shares && (self.target == Target::Domjudge || parts.len() > 1);
        if parts.len() == 1 && !each {
            let (flags, cases) = parts.into_iter().next().expect("there is one");
            self.add_head(dir, terms, &flags);
            return cases.iter().try_for_each(|(name, case)| self.add_case(dir, name, case));
        }
        self.add_head(dir, terms, &ValidatorFlags::default());
        for (index, (flags, cases)) in parts.iter().enumerate() {
            let together = format!("{dir}/args-{}", index + 1);
            for (name, case) in cases {
                let below = if each { format!("{dir}/{name}") } else { together.clone() };
                let alone = terms.map(|terms| if each { terms.alone_in_directory() } else { terms.clone() });
                self.add_head(&below, alone.as_ref(), flags);
                self.add_case(&below, name, case)?;
            }
        }
        Ok(())
    }

    fn add_head(&mut self, dir: &str, terms: Option<&PackedGroupTerms>, flags: &ValidatorFlags) {
        match terms {
            Some(terms) => self.add_testdata_yaml(dir, terms, flags),
            None if flags.is_empty() => {}
            None => self.add_text(format!("{dir}/testdata.yaml"), emit(&YamlNode::map(flag_keys(flags)))),
        }
    }

    fn add_testdata_yaml(&mut self, dir: &str, terms: &PackedGroupTerms, flags: &ValidatorFlags) {
        self.add_text(format!("{dir}/testdata.yaml"), terms.emit_yaml(self.target, flags));
    }

    fn add_case(&mut self, dir: &str, name: &str, case: &Case) -> Result<()> {
        let at = format!("{dir}/{name}");
        self.add_copy(format!("{at}.in"), &case.input);
        self.add_copy(format!("{at}.ans"), &case.answer);
        for (ending, text) in [("hint", &case.hint), ("desc", &case.description)] {
            if let Some(text) = text {
                self.add_text(format!("{at}.{ending}"), format!("{text}\n"));
            }
        }
        let beside = case_extras(self.package, case)?;
        for file in [&beside.illustration, &beside.interaction].into_iter().flatten() {
            let ending = file.extension().unwrap_or_default().to_string_lossy();
            self.add_copy(format!("{at}.{ending}"), file);
        }
        Ok(())
    }

    /// Settings of groups that `testdata.yaml` lacks.
    fn note_unscored(&mut self) {
        let all = self.tests.root.groups().flat_map(|group| std::iter::once(group).chain(group.groups()));
        for group in all.collect::<Vec<_>>() {
            let judged = group.name.starts_with("secret/");
            if judged && all_or_nothing(&group.rule) && self.writes_scores() {
                self.report_loss(Loss::PlainGroup, format!("data/{}", group.name), &[]);
            }
        }
        if self.package.kind.scoring && validator_mentions(self.package, "score_multiplier.txt") {
            self.report_loss(Loss::ScoreMultiplier, "output_validator", &[]);
        }
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
