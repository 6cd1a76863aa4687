//! Which cases can still change a scorecard: kept up to date trial by trial, so
//! that it costs next to nothing however many cases there are.
//!
//! A case is not needed any more once an earlier case of its group lost the
//! group. Earlier ones stay needed: the verdict is that of the *first* failure,
//! and must not depend on which of several running trials ended first.

use super::{
    default_grader::GraderFlags,
    scorecard::{LegacyReading, Mark, ScoringRules},
};
use crate::{
    package::{Aggregation, Group, Member, Rule},
    verdict::Verdict,
};

/// What is still to be run for one submission.
#[derive(Debug, Clone)]
pub struct Progress {
    nodes: Vec<GroupNode>,
    /// Cases in judging order; the place in it is the case's rank.
    order: Vec<usize>,
    /// By case: its rank and its innermost group.
    place: Vec<Option<(usize, usize)>>,
    /// By case: whether its trial is known, or given out.
    known: Vec<bool>,
    handed_out: Vec<bool>,
    /// Stretches of `order` within one group, not yet given out.
    stretches: Vec<Stretch>,
    /// All stretches before this one have nothing more to give.
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
    /// From this rank on, nothing in it can change anything any more.
    stop: usize,
    /// Whether the first failure in it ends it.
    breaks: bool,
    /// Whether a failure in it is a failure of its parent, too.
    fails_parent: bool,
    /// Cases, and static validations, that are not known.
    unknown: usize,
    failed: bool,
    /// A group that it requires was lost.
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

/// Whether a case is to be run.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum CaseStanding {
    Open,
    /// A group that it requires is not yet passed.
    Waiting,
    /// It cannot change anything any more.
    Lost,
}

/// What a stretch has to give.
enum NextCase {
    Case(usize),
    NotYet,
    Nothing,
}

impl Progress {
    /// Nothing is known yet.
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
        progress.connect_requirements(&rules.tests.root);
        progress
    }

    /// Records the result of a case. A second record changes nothing.
    pub fn record(&mut self, case: usize, mark: &Mark) {
        let Some((rank, node)) = self.place[case] else { return };
        if std::mem::replace(&mut self.known[case], true) {
            return;
        }
        self.settle_case(node, rank + 1, mark);
    }

    /// Records, once, how the static validation of a group ended. It comes before the group's cases.
    pub fn record_static(&mut self, group: &str, mark: &Mark) {
        if let Some(node) = self.node_of_group(group) {
            self.settle_case(node, self.nodes[node].start, mark);
        }
    }

    /// Takes note that a case is given out though [`Progress::take`] did not give it.
    pub fn hand_out(&mut self, case: usize) {
        self.handed_out[case] = true;
    }

    /// Takes a case back that [`Progress::take`] gave and that came to nothing.
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

    /// Whether a case must run now: it is not known, it can still change the scorecard, and the
    /// groups it requires are passed.
    pub fn is_needed(&self, case: usize) -> bool {
        let Some((rank, node)) = self.place[case] else { return false };
        !self.known[case] && self.case_standing(node, rank) == CaseStanding::Open
    }

    /// The next case to run, each at most once: in judging order, except that groups which wait for
    /// others are passed over. `None`: nothing to run until more is recorded.
    pub fn take(&mut self) -> Option<usize> {
        self.take_where(|_| true)
    }

    /// The same, but no case of a stretch whose next case may not be taken now.
    pub fn take_where(&mut self, may_be_taken: impl Fn(usize) -> bool) -> Option<usize> {
        let mut at = self.first;
        while at < self.stretches.len() {
            match self.next_in(at) {
                NextCase::Case(case) if may_be_taken(case) => {
                    self.handed_out[case] = true;
                    return Some(case);
                }
                // Only at the front: `first` promises that everything before it is done.
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
                // Failures only move the stop forwards: what is lost stays lost.
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
        let (mut at, mut stop) = (Some(node), stop);
        while let Some(index) = at {
            self.shut_those_requiring(index);
            let node = &mut self.nodes[index];
            node.failed = true;
            if node.breaks {
                node.stop = node.stop.min(stop);
            }
            // For the groups above, this whole group is one failed part: what lies behind it may be
            // lost.
            stop = node.end;
            at = node.parent.filter(|_| node.fails_parent);
        }
    }

    fn shut_those_requiring(&mut self, node: usize) {
        let mut lost = vec![node];
        while let Some(node) = lost.pop() {
            for group in self.nodes[node].required_by.clone() {
                // Each once: two ways may lead to the same group.
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
            // Members of one group that follow each other share a stretch, so that `take` skips them at
            // once.
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

/// 2025-09 knows no groups in groups: what lies in one is there for order on disk only.
fn is_plain_directory(group: &Group, parent: &str) -> bool {
    matches!(group.rule, Rule::Modern { .. }) && !matches!(parent, "" | "secret")
}

fn new_node(rules: &ScoringRules, group: &Group, parent: Option<usize>, start: usize) -> GroupNode {
    let (breaks, fails_parent) = match &group.rule {
        // In a pass-fail problem one failure decides everything.
        Rule::Modern { .. } if !rules.scoring => (true, true),
        Rule::Modern { aggregation, .. } => {
            // In a sum every case counts by itself; elsewhere the first failure decides.
            (group.name == "sample" || *aggregation != Aggregation::Sum, false)
        }
        Rule::Legacy(rule) => {
            let flags = GraderFlags::read(&rule.grader_flags);
            // A custom grader may accept a group with failures: nothing follows before it has run.
            let decided = flags.one_failure_decides() && !rule.custom_grading;
            (!rule.continue_on_reject, decided || rules.reading == LegacyReading::Domjudge)
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
        fails_parent,
        unknown: usize::from(validated),
        failed: false,
        shut: false,
        requires: Vec::new(),
        required_by: Vec::new(),
    }
}
