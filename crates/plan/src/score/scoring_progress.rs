//! Determines which cases can still change a scorecard. It is updated trial by trial, at almost no cost for
//! any number of cases.
//!
//! A case is no longer needed once an earlier case of its group decided the group. Earlier cases stay needed:
//! the verdict is that of the *first* failure, and must not depend on the order in which parallel trials end.

use super::{
    default_grader::GraderFlags,
    scorecard::{LegacyReading, Mark, ScoringRules},
};
use kopek_package::{
    package::{Aggregation, Group, Member, Rule, is_sample},
    verdict::Verdict,
};

/// The cases that remain to be run for one submission.
#[derive(Debug, Clone)]
pub struct Progress {
    nodes: Vec<GroupNode>,
    /// Cases in judging order; the index is the case's rank.
    order: Vec<usize>,
    /// By case: its rank and its innermost group.
    place: Vec<Option<(usize, usize)>>,
    /// By case: whether its trial is known, or was handed out.
    known: Vec<bool>,
    handed_out: Vec<bool>,
    /// Ranges of `order` within one group that are not handed out yet.
    stretches: Vec<Stretch>,
    /// All ranges before this one are exhausted.
    first: usize,
}

#[derive(Debug, Clone)]
struct GroupNode {
    parent: Option<usize>,
    name: String,
    /// Rank of its first case.
    start: usize,
    /// Rank after its last case.
    end: usize,
    /// From this rank on, none of its cases can change anything.
    stop: usize,
    /// Whether its first failure ends it.
    breaks: bool,
    /// Whether its points are known once any part failed, wherever that is.
    decides: bool,
    /// Whether a failure in it is also a failure of its parent.
    fails_parent: bool,
    /// The number of cases and static validations that are unknown.
    unknown: usize,
    failed: bool,
    /// Whether a group that it requires has failed.
    shut: bool,
    requires: Vec<usize>,
    required_by: Vec<usize>,
}

#[derive(Debug, Clone)]
struct Stretch {
    node: usize,
    start: usize,
    next: usize,
    end: usize,
}

/// Whether a case needs to run.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum CaseStanding {
    Open,
    /// A group that it requires is not passed yet.
    Waiting,
    /// It can no longer change anything.
    Lost,
}

/// The next case of a range.
enum NextCase {
    Case(usize),
    NotYet,
    Nothing,
}

impl Progress {
    /// Starts without any results.
    pub fn new(rules: &ScoringRules) -> Progress {
        let cases = rules.tests.cases.len();
        let mut progress = Progress {
            nodes: Vec::new(),
            order: Vec::with_capacity(cases),
            place: vec![None; cases],
            known: vec![false; cases],
            handed_out: vec![false; cases],
            stretches: Vec::new(),
            first: 0,
        };
        progress.add_group(rules, &rules.tests.root, None);
        if let Some(own) = &rules.tests.own {
            progress.add_group(rules, own, None);
        }
        progress.connect_requirements(&rules.tests.root);
        progress
    }

    /// Records the result of a case. Recording it again changes nothing.
    pub fn record(&mut self, case: usize, mark: &Mark) {
        let Some((rank, node)) = self.place[case] else { return };
        if std::mem::replace(&mut self.known[case], true) {
            return;
        }
        self.settle_case(node, rank + 1, mark);
    }

    /// Records the result of a group's static validation, once. It comes before the group's cases.
    pub fn record_static(&mut self, group: &str, mark: &Mark) {
        if let Some(node) = self.node_of_group(group) {
            self.settle_case(node, self.nodes[node].start, mark);
        }
    }

    /// Marks a case as handed out that did not come from [`Progress::take`].
    pub fn hand_out(&mut self, case: usize) {
        self.handed_out[case] = true;
    }

    /// Returns a case from [`Progress::take`] that has no result.
    pub fn give_back(&mut self, case: usize) {
        let Some((rank, node)) = self.place[case] else { return };
        self.handed_out[case] = false;
        let of = |stretch: &Stretch| stretch.node == node && stretch.start <= rank && rank < stretch.end;
        if let Some(at) = self.stretches.iter().position(of) {
            self.stretches[at].next = self.stretches[at].next.min(rank);
            self.first = self.first.min(at);
        }
    }

    fn node_of_group(&self, name: &str) -> Option<usize> {
        self.nodes.iter().position(|node| node.name == name)
    }

    /// Whether a case must run now: its result is unknown, it can still change the scorecard, and the groups
    /// it requires are passed.
    pub fn is_needed(&self, case: usize) -> bool {
        let Some((rank, node)) = self.place[case] else { return false };
        !self.known[case] && self.case_standing(node, rank) == CaseStanding::Open
    }

    /// Whether more runs of a case may change points: unlike a needed case, not once a later case of its group failed.
    pub fn may_cost_points(&self, case: usize) -> bool {
        let mut at = self.place[case].map(|(_, node)| node);
        while let Some(node) = at {
            if self.nodes[node].failed && self.nodes[node].decides {
                return false;
            }
            at = self.nodes[node].parent;
        }
        self.is_needed(case)
    }

    /// The next case to run, in judging order and each at most once; groups that wait for others are skipped.
    /// `None` if nothing can run until more results are recorded.
    pub fn take(&mut self) -> Option<usize> {
        self.take_where(|_| true)
    }

    /// The same, but skips ranges whose next case may not be taken now.
    pub fn take_where(&mut self, may_be_taken: impl Fn(usize) -> bool) -> Option<usize> {
        let mut at = self.first;
        while at < self.stretches.len() {
            match self.next_in(at) {
                NextCase::Case(case) if may_be_taken(case) => {
                    self.handed_out[case] = true;
                    return Some(case);
                }
                // Only at the front: `first` guarantees that everything before it is done.
                NextCase::Nothing if at == self.first => self.first += 1,
                NextCase::Nothing | NextCase::NotYet | NextCase::Case(_) => {}
            }
            at += 1;
        }
        None
    }

    fn next_in(&mut self, at: usize) -> NextCase {
        let Stretch { node, mut next, end, .. } = self.stretches[at];
        while next < end && (self.known[self.order[next]] || self.handed_out[self.order[next]]) {
            next += 1;
        }
        let standing = self.case_standing(node, next);
        self.stretches[at].next = next;
        match standing {
            _ if next == end => NextCase::Nothing,
            CaseStanding::Lost => {
                // Failures only move the stop forward: a case that was lost stays lost.
                self.stretches[at].next = end;
                NextCase::Nothing
            }
            CaseStanding::Waiting => NextCase::NotYet,
            CaseStanding::Open => NextCase::Case(self.order[next]),
        }
    }

    fn case_standing(&self, node: usize, rank: usize) -> CaseStanding {
        let mut standing = CaseStanding::Open;
        let mut at = Some(node);
        while let Some(index) = at {
            let node = &self.nodes[index];
            if node.shut || rank >= node.stop {
                return CaseStanding::Lost;
            }
            let passed = |&group: &usize| !self.nodes[group].failed && self.nodes[group].unknown == 0;
            if !node.requires.iter().all(passed) {
                standing = CaseStanding::Waiting;
            }
            at = node.parent;
        }
        standing
    }

    fn settle_case(&mut self, node: usize, stop: usize, mark: &Mark) {
        let mut at = Some(node);
        while let Some(index) = at {
            self.nodes[index].unknown -= 1;
            at = self.nodes[index].parent;
        }
        if mark.verdict != Verdict::Accepted {
            self.fail_group(node, stop);
        }
    }

    fn fail_group(&mut self, node: usize, stop: usize) {
        let mut at = Some(node);
        let mut stop = stop;
        while let Some(index) = at {
            self.shut_those_requiring(index);
            let node = &mut self.nodes[index];
            node.failed = true;
            if node.breaks {
                node.stop = node.stop.min(stop);
            }
            // For its parents, this whole group is one failed part: the cases after it may be lost.
            stop = node.end;
            at = if node.fails_parent { node.parent } else { None };
        }
    }

    fn shut_those_requiring(&mut self, node: usize) {
        let mut lost = vec![node];
        while let Some(node) = lost.pop() {
            for group in self.nodes[node].required_by.clone() {
                // Once each: two paths may lead to the same group.
                if !std::mem::replace(&mut self.nodes[group].shut, true) {
                    lost.push(group);
                }
            }
        }
    }

    fn add_group(&mut self, rules: &ScoringRules, group: &Group, parent: Option<usize>) -> usize {
        let node = self.nodes.len();
        self.nodes.push(new_node(rules, group, parent, self.order.len()));
        self.add_members(rules, group, node);
        self.nodes[node].end = self.order.len();
        node
    }

    fn add_members(&mut self, rules: &ScoringRules, group: &Group, node: usize) {
        for member in &group.members {
            match member {
                Member::Case(case) => self.add_case(node, *case),
                Member::Group(below) if is_plain_directory(below, &self.nodes[node].name) => {
                    self.add_members(rules, below, node);
                }
                Member::Group(below) => {
                    let below = self.add_group(rules, below, Some(node));
                    self.nodes[node].unknown += self.nodes[below].unknown;
                }
            }
        }
    }

    fn add_case(&mut self, node: usize, case: usize) {
        let rank = self.order.len();
        self.place[case] = Some((rank, node));
        self.order.push(case);
        self.nodes[node].unknown += 1;
        match self.stretches.last_mut() {
            // Consecutive members of one group share a range, so that `take` can skip them together.
            Some(last) if last.node == node => last.end += 1,
            Some(_) | None => self.stretches.push(Stretch { node, start: rank, next: rank, end: rank + 1 }),
        }
    }

    fn connect_requirements(&mut self, group: &Group) {
        if let (Rule::Modern { require_pass, .. }, Some(node)) =
            (&group.rule, self.node_of_group(&group.name))
        {
            for required in
                require_pass.iter().filter_map(|name| self.node_of_group(name)).collect::<Vec<_>>()
            {
                self.nodes[node].requires.push(required);
                self.nodes[required].required_by.push(node);
            }
        }
        group.groups().for_each(|below| self.connect_requirements(below));
    }
}

/// In 2025-09, groups are not nested: a directory in one only sorts files on disk.
fn is_plain_directory(group: &Group, parent: &str) -> bool {
    matches!(group.rule, Rule::Modern { .. }) && !matches!(parent, "" | "secret")
}

fn new_node(rules: &ScoringRules, group: &Group, parent: Option<usize>, start: usize) -> GroupNode {
    let (breaks, decides, fails_parent) = match &group.rule {
        // In a pass-fail problem one failure decides everything.
        Rule::Modern { .. } if !rules.scoring => (true, true, true),
        Rule::Modern { aggregation, .. } => {
            // In a sum every case counts separately; otherwise the first failure decides.
            let breaks = is_sample(&group.name) || *aggregation != Aggregation::Sum;
            (breaks, breaks, false)
        }
        Rule::Legacy(rule) => {
            let flags = GraderFlags::read(&rule.grader_flags);
            // A custom grader may accept a group with failures, so nothing can be skipped before it has run.
            let decided = flags.one_failure_decides() && !rule.custom_grading;
            // The points of a legacy group may depend on which case failed first.
            (!rule.continue_on_reject, false, decided || rules.reading == LegacyReading::Domjudge)
        }
    };
    let validated = matches!(&group.rule, Rule::Modern { static_validation: Some(_), .. });
    GroupNode {
        parent,
        name: group.name.clone(),
        start,
        end: start,
        stop: usize::MAX,
        breaks,
        decides,
        fails_parent,
        unknown: usize::from(validated),
        failed: false,
        shut: false,
        requires: Vec::new(),
        required_by: Vec::new(),
    }
}
