//! `data/`: cases in directories that are graded as their groups were.

use super::{
    Target, Weight,
    flags::Flags,
    terms::{Terms, all_or_nothing, flag_lines, said},
    view::View,
};
use crate::{
    package::{Aggregation, Case, Group, Rule, extras},
    points::Points,
};
use anyhow::Result;
use std::collections::{BTreeMap, BTreeSet};

/// Cases of a directory by the names they get there.
type Named<'a> = BTreeMap<String, &'a Case>;

impl<'a> View<'a> {
    pub fn data(&mut self) -> Result<()> {
        self.odd_flags();
        self.unscored();
        let tests = self.tests;
        let groups = |name: &str| tests.root.groups().find(|group| group.name == name);
        if let Some(secret) = groups("secret") {
            if self.package.kind.scoring {
                self.rules("data", &Terms::of_all(&secret.rule), &Flags::default());
            }
            self.secret(secret)?;
        }
        if let Some(sample) = groups("sample") {
            let terms = self.package.kind.scoring.then(|| Terms::of_samples(self.writes_scores()));
            let cases = self.named(sample, &sample.name, "");
            self.spread("data/sample", cases, terms.as_ref())?;
        }
        Ok(())
    }

    fn secret(&mut self, secret: &'a Group) -> Result<()> {
        let groups: Vec<&Group> = secret.groups().collect();
        let flat = !self.package.kind.scoring && self.target == Target::Domjudge;
        if groups.is_empty() || flat {
            let terms =
                self.package.kind.scoring.then(|| Terms::of_cases(&secret.rule, self.writes_scores()));
            let mut cases = self.named(secret, "secret", "");
            cases.extend(self.required(secret, secret));
            return self.spread("data/secret", cases, terms.as_ref());
        }
        if self.package.kind.scoring {
            self.rules("data/secret", &Terms::of_groups(&secret.rule), &Flags::default());
        }
        groups.into_iter().try_for_each(|group| self.group(secret, group))
    }

    fn group(&mut self, secret: &'a Group, group: &'a Group) -> Result<()> {
        let mut cases = self.named(group, &group.name, "");
        cases.extend(self.required(secret, group));
        if cases.is_empty() {
            return Ok(()); // Only a static validation: that was told.
        }
        let scores = self.writes_scores();
        let terms = self.package.kind.scoring.then(|| match said(&secret.rule) {
            // All must pass for the whole: each group has the whole's worth.
            (most, Aggregation::PassFail) => Terms {
                accept: most.clone().unwrap_or(Points::zero()),
                most,
                ..Terms::of_cases(&group.rule, scores)
            },
            (_, Aggregation::Sum | Aggregation::Min) => Terms::of_cases(&group.rule, scores),
        });
        self.spread(&format!("data/{}", group.name), cases, terms.as_ref())
    }

    /// All cases of a group by flat names: in legacy every directory would be a group.
    fn named(&self, group: &'a Group, above: &str, prefix: &str) -> Named<'a> {
        let mut named = Named::new();
        for case in group.cases() {
            let case = &self.tests.cases[case];
            let below = case.name.strip_prefix(above).unwrap_or(&case.name).trim_start_matches('/');
            let mut name = format!("{prefix}{}", below.replace('/', "-"));
            while named.contains_key(&name) {
                name.push('_');
            }
            named.insert(name, case);
        }
        named
    }

    /// The cases of all groups that must be passed first: where one failure takes all points, they do as
    /// much inside the group as before it.
    fn required(&mut self, secret: &'a Group, group: &'a Group) -> Named<'a> {
        let wanted = self.wanted(secret, group);
        if wanted.is_empty() {
            return Named::new();
        }
        if !all_or_nothing(&group.rule) || self.writes_scores() {
            let what = format!("`require_pass` of a group of partial points: {}", names(&wanted));
            self.tell(
                Weight::Results,
                format!("data/{}", group.name),
                what,
                "it is run and counted whatever the others do",
            );
            return Named::new();
        }
        let what = format!("`require_pass: {}`", names(&wanted));
        let instead = "the cases required are in the group itself: the same points, judged twice";
        self.tell(Weight::Looks, format!("data/{}", group.name), what, instead);
        let prefix = |name: &str| format!("{}-", name.replace('/', "-").trim_start_matches("secret-"));
        wanted.iter().flat_map(|one| self.named(one, &one.name, &prefix(&one.name))).collect()
    }

    /// What a group requires, and what that requires.
    fn wanted(&self, secret: &'a Group, group: &'a Group) -> Vec<&'a Group> {
        let mut names = BTreeSet::new();
        let mut open: Vec<&str> = requires(&group.rule).chain(requires(&secret.rule)).collect();
        let all: Vec<&Group> = self.tests.root.groups().chain(secret.groups()).collect();
        while let Some(name) = open.pop().filter(|name| *name != group.name) {
            if names.insert(name) {
                let found = all.iter().find(|one| one.name == name);
                open.extend(found.into_iter().flat_map(|one| requires(&one.rule)));
            }
        }
        all.into_iter().filter(|one| names.contains(one.name.as_str())).collect()
    }

    /// Puts cases into a directory, or into one below it for each list of flags, or for each case.
    fn spread(&mut self, dir: &str, cases: Named, terms: Option<&Terms>) -> Result<()> {
        let mut parts: BTreeMap<Flags, Named> = BTreeMap::new();
        for (name, case) in cases {
            parts.entry(self.flags(case)).or_default().insert(name, case);
        }
        let shares = terms.is_some_and(Terms::shares);
        // DOMjudge gives a directory's points once, for all its cases.
        let each = shares && (self.target == Target::Domjudge || parts.len() > 1);
        if parts.len() == 1 && !each {
            let (flags, cases) = parts.into_iter().next().expect("there is one");
            self.head(dir, terms, &flags);
            return cases.iter().try_for_each(|(name, case)| self.case(dir, name, case));
        }
        self.head(dir, terms, &Flags::default());
        for (index, (flags, cases)) in parts.iter().enumerate() {
            let together = format!("{dir}/args-{}", index + 1);
            for (name, case) in cases {
                let below = if each { format!("{dir}/{name}") } else { together.clone() };
                let alone = terms.map(|terms| if each { terms.alone() } else { terms.clone() });
                self.head(&below, alone.as_ref(), flags);
                self.case(&below, name, case)?;
            }
        }
        Ok(())
    }

    fn head(&mut self, dir: &str, terms: Option<&Terms>, flags: &Flags) {
        match terms {
            Some(terms) => self.rules(dir, terms, flags),
            None if flags.is_empty() => {}
            None => self.text(format!("{dir}/testdata.yaml"), flag_lines(flags)),
        }
    }

    fn rules(&mut self, dir: &str, terms: &Terms, flags: &Flags) {
        self.text(format!("{dir}/testdata.yaml"), terms.yaml(self.target, flags));
    }

    fn case(&mut self, dir: &str, name: &str, case: &Case) -> Result<()> {
        let at = format!("{dir}/{name}");
        self.copy(format!("{at}.in"), &case.input);
        self.copy(format!("{at}.ans"), &case.answer);
        for (ending, text) in [("hint", &case.hint), ("desc", &case.description)] {
            if let Some(text) = text {
                self.text(format!("{at}.{ending}"), format!("{text}\n"));
            }
        }
        let beside = extras(self.package, case)?;
        for file in [&beside.illustration, &beside.interaction].into_iter().flatten() {
            let ending = file.extension().unwrap_or_default().to_string_lossy();
            self.copy(format!("{at}.{ending}"), file);
        }
        let shown = [&beside.output, &beside.input_shown, &beside.answer_shown];
        if shown.into_iter().any(Option::is_some) {
            let what = "another text to be shown for a sample";
            self.tell(
                Weight::Looks,
                format!("data/{}", case.name),
                what,
                "input and answer are shown as they are",
            );
        }
        Ok(())
    }

    /// What the groups say and no `testdata.yaml` can.
    fn unscored(&mut self) {
        let all = self.tests.root.groups().flat_map(|group| std::iter::once(group).chain(group.groups()));
        for group in all.collect::<Vec<_>>() {
            let judged = group.name.starts_with("secret/");
            if judged && all_or_nothing(&group.rule) && self.writes_scores() && self.target == Target::Kattis
            {
                let what = "no scores in a group, though the validator writes some elsewhere";
                let instead = "Kattis wants score.txt for each accepted case: write one there, too";
                self.tell(Weight::Results, format!("data/{}", group.name), what, instead);
            }
            if let Rule::Modern { static_validation: Some(_), .. } = &group.rule {
                let what = "a static validation case";
                self.tell(
                    Weight::Results,
                    format!("data/{}", group.name),
                    what,
                    "nobody looks at the source",
                );
            }
        }
        let kinds: BTreeSet<&str> = self.tests.validation.iter().map(|one| kind(&one.case.name)).collect();
        for kind in kinds {
            let what = "data that validators must refuse or accept";
            self.tell(Weight::Looks, format!("data/{kind}"), what, "left out");
        }
        if self.package.kind.scoring && self.validator_says("score_multiplier.txt") {
            let what = "score_multiplier.txt, of which the validator speaks";
            self.tell(Weight::Results, "output_validator", what, "only score.txt is read");
        }
        let open =
            self.tests.cases.iter().find(|case| case.full_feedback && !case.name.starts_with("sample/"));
        if let Some(case) = open {
            let what = "`full_feedback` for secret cases";
            self.tell(Weight::Looks, format!("data/{}", case.name), what, "nothing of them is shown");
        }
    }
}

fn kind(name: &str) -> &str {
    name.split('/').next().unwrap_or(name)
}

fn names(groups: &[&Group]) -> String {
    groups.iter().map(|group| group.name.as_str()).collect::<Vec<_>>().join(", ")
}

fn requires(rule: &Rule) -> impl Iterator<Item = &str> {
    let list = match rule {
        Rule::Modern { require_pass, .. } => require_pass.as_slice(),
        Rule::Legacy(_) => &[],
    };
    list.iter().map(String::as_str)
}
