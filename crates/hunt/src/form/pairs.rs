//! Pairs of nodes: what may hold in the first two columns of a block, if they are the edges of a graph.

use super::{
    evidence::{Evidence, note},
    facts::{FactCase, Order, PairRule, PlaceFacts},
    input_lines::integer,
    layout::{Column, Field, Item, Part, Reader, Scope, Visitor},
};
use std::collections::{BTreeMap, BTreeSet};

/// The first two tokens of the lines of each block, if both are numbers up to the same one: pairs of nodes.
pub(super) fn pairs_of(parts: &[Part], facts: &[PlaceFacts]) -> BTreeMap<usize, usize> {
    let mut found = BTreeMap::new();
    for part in parts {
        if let Part::Block(_, body) = part {
            found.extend(pairs_of(body, facts));
        }
        if let Some(
            [Field { place: one, item: Item::Token }, Field { place: other, item: Item::Token }, ..],
        ) = part.row()
        {
            let bounds = |place: usize| {
                let orders = facts[place].orders.iter().filter(|(_, order)| *order == Order::AtMost);
                orders.map(|(bound, _)| *bound).collect::<BTreeSet<usize>>()
            };
            let nodes = bounds(*one).intersection(&bounds(*other)).next().copied();
            found.extend(nodes.map(|nodes| (*other, nodes)));
        }
    }
    found
}

/// `nodes` has the place of the number of nodes, by that of the second node.
pub(super) fn add_pair_rules(
    parts: &[Part],
    cases: &[FactCase],
    nodes: &BTreeMap<usize, usize>,
    facts: &mut [PlaceFacts],
) {
    let mut collector = PairCollector { nodes, rules: BTreeMap::new() };
    for case in cases {
        Reader::new(case.lines).read(parts, &mut collector);
    }
    for ((place, rule), evidence) in collector.rules {
        if evidence.counts() {
            facts[place].pair_rules.push(rule);
        }
    }
}

struct PairCollector<'n> {
    nodes: &'n BTreeMap<usize, usize>,
    rules: BTreeMap<(usize, PairRule), Evidence>,
}

impl<'a> Visitor<'a> for PairCollector<'_> {
    fn columns(&mut self, columns: &[Column<'a>], scope: &Scope) -> bool {
        if let Some((place, pairs)) = Pairs::read(columns, self.nodes, scope) {
            for rule in PairRule::ALL {
                let seen = Evidence { holds: rule.holds(&pairs), shown: pairs.pairs.len() };
                note(&mut self.rules, (place, rule), seen);
            }
        }
        true
    }
}

/// Pairs of nodes.
pub(super) struct Pairs {
    nodes: usize,
    pairs: Vec<[i128; 2]>,
}

impl Pairs {
    /// The first two columns of a block, if they are nodes of which a number says how many there are, and the second place.
    pub fn read(columns: &[Column], nodes: &BTreeMap<usize, usize>, scope: &Scope) -> Option<(usize, Pairs)> {
        let [one, other, ..] = columns else { return None };
        let nodes = scope.number(*nodes.get(&other.place)?)?;
        let both = one.tokens.iter().zip(&other.tokens);
        let pairs = both.filter_map(|(one, other)| Some([integer(one)?, integer(other)?]));
        Some((other.place, Pairs { nodes: usize::try_from(nodes).unwrap_or(0), pairs: pairs.collect() }))
    }

    /// How often two parts of the graph became one.
    fn joins(&self) -> usize {
        let mut parents: BTreeMap<i128, i128> = BTreeMap::new();
        let root = |mut node: i128, parents: &mut BTreeMap<i128, i128>| {
            while let Some(&parent) = parents.get(&node) {
                // Shorter for the next time: of a star, all nodes would be in one chain.
                if let Some(&above) = parents.get(&parent) {
                    parents.insert(node, above);
                }
                node = parent;
            }
            node
        };
        let mut joins = 0;
        for [one, other] in &self.pairs {
            let (one, other) = (root(*one, &mut parents), root(*other, &mut parents));
            if one != other {
                parents.insert(one, other);
                joins += 1;
            }
        }
        joins
    }
}

impl PairRule {
    const ALL: [PairRule; 4] = [PairRule::Unequal, PairRule::Distinct, PairRule::Connected, PairRule::Forest];

    pub fn holds(self, pairs: &Pairs) -> bool {
        match self {
            PairRule::Unequal => pairs.pairs.iter().all(|[one, other]| one != other),
            PairRule::Distinct => {
                let sorted = pairs.pairs.iter().map(|[one, other]| [one.min(other), one.max(other)]);
                sorted.collect::<BTreeSet<_>>().len() == pairs.pairs.len()
            }
            PairRule::Connected => pairs.joins() + 1 == pairs.nodes,
            PairRule::Forest => pairs.joins() == pairs.pairs.len(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn large_stars_and_paths_are_trees() {
        const NODES: i128 = 100_000;
        let star = (2..=NODES).map(|node| [1, node]).collect();
        let path = (2..=NODES).map(|node| [node, node - 1]).collect();
        let back = (2..=NODES).rev().map(|node| [node - 1, node]).collect();
        for pairs in [star, path, back] {
            let pairs = Pairs { nodes: NODES as usize, pairs };
            assert!([PairRule::Connected, PairRule::Forest].into_iter().all(|rule| rule.holds(&pairs)));
        }
    }
}
