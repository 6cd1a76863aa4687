//! The result of mutation testing, as JSON has it. Plain data.

use super::{mutant::Mutant, stress_report::StressReport};
use serde::{Serialize, Serializer};
use serde_json::{Value, json};
use std::{collections::BTreeMap, time::Duration};

/// The result for a mutant.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum MutantFate {
    /// It does not compile.
    Unviable,
    /// It is the same program as the original.
    SameProgram,
    /// It is the same program as an earlier mutant.
    Duplicate,
    /// By group: the case that kills it.
    Killed(Vec<Option<String>>),
    /// No case kills it, but the input of this finding does.
    Proven(usize),
    /// Neither a case nor the hunt kills it.
    ProbablyEquivalent,
    /// There was no time for it, or our run failed.
    Unknown,
}

/// The report of a run.
#[derive(Debug)]
pub struct MutationReport {
    pub title: String,
    /// How many mutants there are, before the selection.
    pub listed: usize,
    /// The selected mutants and their results.
    pub mutants: Vec<(Mutant, MutantFate)>,
    pub groups: Vec<String>,
    /// Inputs that kill survivors.
    pub hunt: Option<StressReport>,
    /// How many trials ran now.
    pub trials: usize,
    /// How long it took.
    pub took: Duration,
    pub faults: Vec<String>,
}

impl MutantFate {
    fn word(&self) -> &'static str {
        match self {
            MutantFate::Unviable => "unviable",
            MutantFate::SameProgram => "same_program",
            MutantFate::Duplicate => "duplicate",
            MutantFate::Killed(_) => "killed",
            MutantFate::Proven(_) => "missed",
            MutantFate::ProbablyEquivalent => "probably_equivalent",
            MutantFate::Unknown => "unknown",
        }
    }
}

/// The kills of a group.
#[derive(Serialize)]
pub struct GroupKills<'a> {
    pub name: &'a str,
    /// How many mutants.
    #[serde(rename = "kills")]
    pub all: usize,
    /// How many of these no other group kills.
    pub alone: usize,
}

impl MutationReport {
    pub fn count(&self, is_meant: impl Fn(&MutantFate) -> bool) -> usize {
        self.mutants.iter().filter(|(_, fate)| is_meant(fate)).count()
    }

    /// The number of mutants that are different programs and were tried.
    pub fn viable(&self) -> usize {
        self.count(|fate| {
            matches!(fate, MutantFate::Killed(_) | MutantFate::Proven(_) | MutantFate::ProbablyEquivalent)
        })
    }

    pub fn kills_by_group(&self) -> Vec<GroupKills<'_>> {
        let mut kills = vec![(0, 0); self.groups.len()];
        for (_, fate) in &self.mutants {
            let MutantFate::Killed(killers) = fate else { continue };
            let killing: Vec<usize> = (0..killers.len()).filter(|&group| killers[group].is_some()).collect();
            killing.iter().for_each(|&group| kills[group].0 += 1);
            if let [alone] = killing[..] {
                kills[alone].1 += 1;
            }
        }
        self.groups.iter().zip(kills).map(|(name, (all, alone))| GroupKills { name, all, alone }).collect()
    }

    /// By group: the case that kills it.
    fn killers<'a>(&'a self, fate: &'a MutantFate) -> BTreeMap<&'a String, &'a String> {
        let MutantFate::Killed(killers) = fate else { return BTreeMap::new() };
        let named = self.groups.iter().zip(killers);
        named.filter_map(|(group, case)| Some((group, case.as_ref()?))).collect()
    }
}

impl Serialize for MutationReport {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        let mut mutants: Vec<Value> = Vec::new();
        for (mutant, fate) in &self.mutants {
            mutants.push(json!({
                "name": mutant.name(),
                "submission": mutant.submission,
                "file": mutant.file,
                "line": mutant.mutation.line,
                "kind": mutant.mutation.kind,
                "before": mutant.source[mutant.mutation.range.clone()],
                "after": mutant.mutation.by,
                "fate": fate.word(),
                "killers": self.killers(fate),
                "diff": mutant.diff_lines(),
            }));
        }
        let report = json!({
            "title": self.title,
            "listed": self.listed,
            "viable": self.viable(),
            "killed": self.count(|fate| matches!(fate, MutantFate::Killed(_))),
            "missed": self.count(|fate| matches!(fate, MutantFate::Proven(_))),
            "probably_equivalent": self.count(|fate| *fate == MutantFate::ProbablyEquivalent),
            "groups": self.kills_by_group(),
            "mutants": mutants,
            "hunt": self.hunt,
            "seconds": self.took.as_secs_f64(),
            "faults": self.faults,
        });
        report.serialize(to)
    }
}
