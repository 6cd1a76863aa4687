//! Compares each claim, wherever it is written, with the results of a submission. Pure.

use super::{
    judged::{JudgedSubmission, SubmissionEnd},
    verification::Verification,
};
use kopek_base::wording::{counted, short_line};
use kopek_package::{
    package::{Claim, ClaimOrigin, Expectation, Package, VerdictWord, glob_matches, is_sample},
    points::Points,
    verdict::{Class, Verdict},
};
use kopek_plan::{
    plan::Trial,
    score::{GroupScore, State},
};
use std::collections::{BTreeMap, BTreeSet};

/// One way in which a claim does not hold.
pub(super) struct Breach {
    /// The claim and the result, as a sentence that begins with its verb.
    pub what: String,
    pub todo: &'static str,
}

const FIX_SUBMISSION_OR_DATA: &str = "fix the submission or the data";

/// A claim and a submission to which it applies.
pub(super) struct ClaimCheck<'a> {
    pub bench: &'a Verification<'a>,
    pub claim: &'a Claim,
    pub one: &'a JudgedSubmission<'a>,
    /// Trials on the cases of the claim, as far as they were run.
    trials: Vec<(usize, &'a Trial)>,
    /// Whether all of them were run.
    complete: bool,
}

impl<'a> ClaimCheck<'a> {
    /// `cases`: all cases of the claim.
    pub fn new(
        bench: &'a Verification,
        claim: &'a Claim,
        one: &'a JudgedSubmission,
        cases: &[usize],
    ) -> ClaimCheck<'a> {
        let known = one.trials();
        let trials: Vec<(usize, &Trial)> =
            cases.iter().filter_map(|&case| Some((case, known?.get(&case)?))).collect();
        let complete = trials.len() == cases.len();
        ClaimCheck { bench, claim, one, trials, complete }
    }

    /// Every breach of the claim, as far as is known; `None` if the submission has no results to compare with the
    /// claim.
    pub fn breaches(&self) -> Option<Vec<Breach>> {
        let did_something = match self.claim.origin {
            // Tags apply to the whole, which has a verdict even if nothing could be built.
            ClaimOrigin::Tag { .. } => !matches!(self.one.end, SubmissionEnd::Foreign(_)),
            ClaimOrigin::Directory | ClaimOrigin::Declared(_) => self.one.trials().is_some(),
        };
        did_something.then(|| {
            self.claim.expectations.iter().flat_map(|expectation| self.breaches_of(expectation)).collect()
        })
    }

    /// The breaches that no further case could resolve.
    pub fn certain_breaches(&self) -> Vec<Breach> {
        let forbidden = |expectation: &Expectation| match expectation {
            Expectation::Permitted(classes) => self.forbidden_verdict(classes),
            Expectation::Required(_)
            | Expectation::Score { .. }
            | Expectation::Message(_)
            | Expectation::LessThanBest
            | Expectation::Result(_)
            | Expectation::Grades(_) => None,
        };
        self.claim.expectations.iter().filter_map(forbidden).collect()
    }

    fn breaches_of(&self, expectation: &Expectation) -> Vec<Breach> {
        let breach = match expectation {
            Expectation::Permitted(classes) => self.forbidden_verdict(classes),
            Expectation::Required(classes) => self.missing_verdict(classes),
            Expectation::Score { min, max } => return self.wrong_scores(min, max),
            Expectation::Message(message) => self.missing_message(message),
            Expectation::LessThanBest => self.wrong_partial_score(),
            Expectation::Result(words) => self.wrong_result(words),
            Expectation::Grades(words) => self.wrong_grade(words),
        };
        breach.into_iter().collect()
    }

    fn forbidden_verdict(&self, permitted: &BTreeSet<Class>) -> Option<Breach> {
        let bad: Vec<_> = self.trials.iter().filter(|(_, trial)| !self.is_one_of(trial, permitted)).collect();
        let (case, trial) = bad.first()?;
        let more = match bad.len() - 1 {
            0 => String::new(),
            more => format!(" and so on {more} more {}", if more == 1 { "case" } else { "cases" }),
        };
        let what = format!(
            "may only be {}, but is {} on {}{}{more}",
            class_names(permitted),
            trial.verdict.short(),
            self.bench.tests.cases[*case].name,
            bracketed_reason(trial)
        );
        Some(Breach { what, todo: FIX_SUBMISSION_OR_DATA })
    }

    /// A case that was not run could still have the verdict; the reader reports claims without cases.
    fn missing_verdict(&self, required: &BTreeSet<Class>) -> Option<Breach> {
        let is_met = self.trials.iter().any(|(_, trial)| self.is_one_of(trial, required));
        if !self.complete || self.trials.is_empty() || is_met {
            return None;
        }
        let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
        self.trials.iter().for_each(|(_, trial)| *counts.entry(trial.verdict.short()).or_default() += 1);
        let got: Vec<String> =
            counts.iter().map(|(verdict, count)| format!("{verdict} on {count}")).collect();
        let (required, place, got) = (class_names(required), self.in_cases(), got.join(", "));
        let what = format!("must be {required} on some case{place}, but is {got}");
        Some(Breach { what, todo: "add a case on which it fails like that" })
    }

    fn is_one_of(&self, trial: &Trial, classes: &BTreeSet<Class>) -> bool {
        is_one_of(trial, classes, self.bench.package)
    }

    fn missing_message(&self, message: &str) -> Option<Breach> {
        if !self.complete || some_trial_says(&self.trials, message) {
            return None;
        }
        let what = format!(
            "must make the output validator say `{}`, but it never does{}",
            short_line(message),
            self.in_cases()
        );
        Some(Breach { what, todo: "fix the submission, the data or the message" })
    }

    fn in_cases(&self) -> String {
        self.claim.cases.as_ref().map(|cases| format!(" in {cases}")).unwrap_or_default()
    }

    /// Every matching group must have a score in the range; without a pattern, the whole.
    fn wrong_scores(&self, min: &Points, max: &Points) -> Vec<Breach> {
        let range = if min == max { min.to_string() } else { format!("{min} to {max}") };
        let is_wrong = |points: &&Points| *points < min || *points > max;
        let breach = |what: String| Breach { what, todo: FIX_SUBMISSION_OR_DATA };
        let Some(pattern) = &self.claim.cases else {
            let whole = self.one.card.points.as_ref().filter(is_wrong);
            let what = |points: &Points| match self.claim.origin {
                ClaimOrigin::Tag { .. } => format!("{range}, but it scores {points}"),
                ClaimOrigin::Directory | ClaimOrigin::Declared(_) => {
                    format!("must score {range}, but scores {points}")
                }
            };
            return whole.map(|points| breach(what(points))).into_iter().collect();
        };
        // Only groups have scores; a case has the points that its group gives.
        let groups = self.groups_of_pattern(pattern);
        if groups.is_empty() {
            return vec![breach(format!("has a claimed score for `{pattern}`, which is not a group"))];
        }
        let wrong = groups.into_iter().filter_map(|(name, points)| Some((name, points.filter(is_wrong)?)));
        wrong
            .map(|(name, points)| breach(format!("must score {range} in {name}, but scores {points}")))
            .collect()
    }

    /// Groups with their points; `secret` means the whole if the scorecard does not list it.
    fn groups_of_pattern(&self, pattern: &str) -> Vec<(&str, Option<&Points>)> {
        let card = self.one.card;
        let groups = card.groups.iter().map(|group| (group.name.as_str(), group.points.as_ref()));
        let secret = (!card.groups.iter().any(|group| group.name == "secret"))
            .then_some(("secret", card.points.as_ref()));
        // A pattern also matches everything below: `secret` means the whole, not every group in it.
        let depth = |path: &str| path.trim_end_matches('/').split('/').count();
        let meant = |name: &str| glob_matches(pattern, name) && depth(pattern) == depth(name);
        groups.chain(secret).filter(|(name, _)| meant(name)).collect()
    }

    fn wrong_partial_score(&self) -> Option<Breach> {
        let breach = |what: String| Breach { what, todo: FIX_SUBMISSION_OR_DATA };
        let verdict = self.one.final_verdict()?;
        if verdict != Verdict::Accepted {
            let verdict = verdict.short();
            return Some(breach(format!(
                "must be accepted with less than the maximum score, but is {verdict}"
            )));
        }
        let (points, max) = (self.one.card.points.as_ref()?, self.one.card.max.as_ref()?);
        // If lower scores are better, the scorecard does not have the best score.
        let best = points >= max && !self.bench.package.about.lower_is_better;
        best.then(|| breach(format!("must not have the maximum score, but scores {points}")))
    }

    fn wrong_result(&self, words: &[VerdictWord]) -> Option<Breach> {
        let verdict = match self.one.end {
            SubmissionEnd::Refused(_) => Verdict::CompileError,
            SubmissionEnd::Tried(_) | SubmissionEnd::Foreign(_) | SubmissionEnd::Unknown => {
                self.one.final_verdict()?
            }
        };
        let names = || words.iter().map(|word| word.word.as_str()).collect::<Vec<_>>().join(", ");
        let what = || format!("{}, but it is {}", names(), verdict.short());
        let fits = words.iter().any(|word| word.verdicts.contains(&verdict));
        (!fits).then(|| Breach { what: what(), todo: FIX_SUBMISSION_OR_DATA })
    }

    fn wrong_grade(&self, words: &[VerdictWord]) -> Option<Breach> {
        let breach = |what: String| Breach { what, todo: FIX_SUBMISSION_OR_DATA };
        let groups: Vec<&GroupScore> =
            self.one.card.groups.iter().filter(|group| !is_sample(&group.name)).collect();
        if groups.len() != words.len() {
            let (grades, groups) = (counted(words.len(), "grade"), counted(groups.len(), "group"));
            return Some(breach(format!("{grades}, but {groups} in secret")));
        }
        groups.iter().zip(words).find_map(|(group, word)| {
            let State::Decided(verdict) = group.state else { return None };
            let what = || format!("{} for {}, but it is {}", word.word, group.name, verdict.short());
            (!word.verdicts.contains(&verdict)).then(|| breach(what()))
        })
    }
}

/// Whether everything that a claim requires on some case occurred in these trials.
pub(super) fn has_happened(claim: &Claim, trials: &[(usize, &Trial)], package: &Package) -> bool {
    claim.expectations.iter().all(|expectation| match expectation {
        Expectation::Required(classes) => trials.iter().any(|(_, trial)| is_one_of(trial, classes, package)),
        Expectation::Message(message) => some_trial_says(trials, message),
        Expectation::Permitted(_)
        | Expectation::Score { .. }
        | Expectation::LessThanBest
        | Expectation::Result(_)
        | Expectation::Grades(_) => true,
    })
}

/// Whether a trial is in one of these classes. A compile error is in none. One that failed above the time limit is also
/// too slow: most judges look at its time only.
fn is_one_of(trial: &Trial, classes: &BTreeSet<Class>, package: &Package) -> bool {
    let is_too_slow = package.limits.time.is_some_and(|limit| trial.usage.cpu > limit);
    trial.verdict.class().is_some_and(|class| classes.contains(&class))
        || is_too_slow && classes.contains(&Class::Tle)
}

fn some_trial_says(trials: &[(usize, &Trial)], message: &str) -> bool {
    trials.iter().any(|(_, trial)| trial.judge_message.contains(message))
}

fn class_names(classes: &BTreeSet<Class>) -> String {
    classes.iter().map(|class| class.short()).collect::<Vec<_>>().join(" or ")
}

/// The reason for the verdict of a trial, in parentheses.
fn bracketed_reason(trial: &Trial) -> String {
    let why = match trial.verdict {
        Verdict::TimeLimit | Verdict::IdleLimit | Verdict::Accepted => {
            format!("{:.2} s", trial.usage.cpu.as_secs_f64())
        }
        Verdict::WrongAnswer => match &trial.difference {
            Some(difference) => difference.in_words(),
            None => short_line(&trial.judge_message),
        },
        Verdict::MemoryLimit
        | Verdict::OutputLimit
        | Verdict::RunTimeError
        | Verdict::CompileError
        | Verdict::NoProgram => {
            // The last line of a traceback names the error.
            let last = trial.stderr.lines().rev().find(|line| !line.trim().is_empty());
            let note = trial.notes.first().map(|note| note.to_string());
            note.as_deref().or(last).map(short_line).unwrap_or_default()
        }
    };
    if why.is_empty() { why } else { format!(" ({why})") }
}
