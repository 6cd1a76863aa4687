//! Bounds of the statement whose numbers have a place in the inputs for certain, and the cases from which inputs
//! at such a bound are made. Asks nobody.

use super::{
    inputs::all_args,
    number_ranges::NumberSurvey,
    stated_numbers::{statement_texts, widest_bounds},
};
use crate::{
    constraints::{
        BoundEnd, ColumnRange, NamedPlace, NumberBound, StatedBound, named_places, statement_bounds,
    },
    exec::Engine,
    package::{Package, TestSet},
    plan::Program,
};
use std::{cmp::Reverse, collections::BTreeMap, fs, sync::Arc};

/// Whom to ask about what.
pub struct EdgeGround<'a> {
    /// The package.
    pub package: &'a Package,
    /// Its cases.
    pub tests: &'a TestSet,
    /// Does the jobs.
    pub engine: &'a Engine<'a>,
    /// Its input validators.
    pub validators: &'a [Arc<Program>],
}

/// A bound that is tied to a place.
pub(super) struct TiedBound {
    pub(super) bound: NumberBound,
    pub(super) place: (usize, usize),
    pub(super) file: String,
}

/// Greater inputs are not changed.
const LARGEST_BASE: u64 = 4 << 20;
/// Of so many sets of arguments inputs are made.
const ARGUMENT_SETS: usize = 6;

impl EdgeGround<'_> {
    /// Bounds that hold for all cases, of names that stand for numbers of the inputs for certain.
    pub(super) fn tied_bounds(&self, seen: &NumberSurvey) -> Vec<TiedBound> {
        let kind = self.package.kind;
        // What their submissions read is not what the input says.
        if kind.interactive || kind.multi_pass || self.validators.is_empty() {
            return vec![];
        }
        let mut tied: Vec<TiedBound> = Vec::new();
        for (file, text) in statement_texts(self.package) {
            let stated = statement_bounds(&text);
            let bounds: Vec<&StatedBound> = widest_bounds(&stated).into_iter().map(|(one, _)| one).collect();
            let is_bounded = |name: &str| bounds.iter().any(|one| one.bound.name == name);
            let places = named_places(&text, &seen.columns, &is_bounded);
            for one in bounds.iter().filter(|one| !is_exceeded(one, &stated)) {
                let Some(place) = only_place(&places, &one.bound.name) else { continue };
                let is_known = |other: &TiedBound| other.place == place && other.bound.end == one.bound.end;
                if !tied.iter().any(is_known) {
                    tied.push(TiedBound { bound: one.bound.clone(), place, file: file.clone() });
                }
            }
        }
        tied.sort_by(|one, other| (&one.file, one.bound.line).cmp(&(&other.file, other.bound.line)));
        tied
    }

    /// Of every set of arguments the smallest case, and the one that is nearest to the bound.
    pub(super) fn base_cases(&self, tied: &TiedBound, seen: &NumberSurvey) -> Vec<usize> {
        let mut sets: BTreeMap<Vec<Vec<String>>, Vec<(u64, usize)>> = BTreeMap::new();
        for (at, case) in self.tests.cases.iter().enumerate() {
            let size = fs::metadata(&case.input).map_or(u64::MAX, |file| file.len());
            if size <= LARGEST_BASE && case.files.is_none() && seen.range_in(at, tied.place).is_some() {
                let args = self.validators.iter().map(|validator| all_args(validator, case)).collect();
                sets.entry(args).or_default().push((size, at));
            }
        }
        let nearness = |at: usize| seen.range_in(at, tied.place).map(|range| tied.excess(&range));
        let chosen = |cases: &Vec<(u64, usize)>| {
            let smallest = cases.iter().min().map(|(_, at)| *at);
            let nearest = cases.iter().max_by_key(|(size, at)| (nearness(*at), Reverse((*size, *at))));
            let nearest = nearest.map(|(_, at)| *at).filter(|at| Some(*at) != smallest);
            [smallest, nearest].into_iter().flatten().collect::<Vec<usize>>()
        };
        // Groups that come near the bound are those that may be allowed what is beyond.
        let mut sets: Vec<&Vec<(u64, usize)>> = sets.values().collect();
        sets.sort_by_cached_key(|cases| Reverse(cases.iter().filter_map(|(_, at)| nearness(*at)).max()));
        sets.into_iter().take(ARGUMENT_SETS).flat_map(chosen).collect()
    }
}

impl TiedBound {
    /// The number that is so many beyond.
    pub(super) fn value(&self, step: i128) -> i128 {
        match self.bound.end {
            BoundEnd::Least => self.bound.value - step,
            BoundEnd::Greatest => self.bound.value + step,
        }
    }

    /// How far numbers go beyond; less than 0: they do not reach it.
    pub(super) fn excess(&self, range: &ColumnRange) -> i128 {
        match self.bound.end {
            BoundEnd::Least => self.bound.value - range.least,
            BoundEnd::Greatest => range.greatest - self.bound.value,
        }
    }
}

/// Whether some group is allowed more than all cases are: then nobody knows what holds.
fn is_exceeded(one: &StatedBound, stated: &[StatedBound]) -> bool {
    let NumberBound { name, end, value, .. } = &one.bound;
    let is_same =
        |other: &&StatedBound| other.bound.name.eq_ignore_ascii_case(name) && other.bound.end == *end;
    stated.iter().filter(is_same).any(|other| match end {
        BoundEnd::Least => other.bound.value < *value,
        BoundEnd::Greatest => other.bound.value > *value,
    })
}

/// The place of a name that has only one, and shares it with none.
fn only_place(places: &[NamedPlace], name: &str) -> Option<(usize, usize)> {
    let mut of_name = places.iter().filter(|one| one.name == name);
    let place = of_name.next()?.place;
    let is_shared = places.iter().filter(|one| one.place == place).count() > 1;
    (of_name.next().is_none() && !is_shared).then_some(place)
}
