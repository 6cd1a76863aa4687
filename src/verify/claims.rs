//! What was claimed of submissions, against what they did. Pure.

use super::{
    Bench, Level, Remark, Section, Verified, counted,
    judged::{End, Seen},
    outputs::told,
    programs::short,
};
use crate::{
    package::{Claim, Format, Submission, glob_matches},
    plan::Trial,
    points::Points,
    score::State,
    verdict::{Class, Verdict},
};
use std::collections::{BTreeMap, BTreeSet};

/// A claim that does not hold: what was claimed and happened; what to do.
struct Broken {
    what: String,
    todo: &'static str,
}

/// Checks every claim on every submission that it speaks about.
pub fn check(bench: &Bench, seen: &[Seen], verified: &mut Verified) {
    let mut held = 0;
    for one in seen {
        match &one.end {
            End::Refused(why) => unbuilt(one, why, verified),
            End::Foreign(why) => unjudged(one, why, verified),
            End::Tried(_) | End::Unknown => {}
        }
    }
    for claim in &bench.package.claims {
        // A pattern that matches nothing was told by the reader.
        let scope = scope(bench, claim);
        for one in seen.iter().filter(|one| speaks_of(claim, one.submission)) {
            let Some(trials) = one.trials() else { continue };
            let broken = broken(bench, claim, one, trials, &scope);
            held += usize::from(broken.is_empty());
            verified.remarks.extend(broken.into_iter().map(|broken| remark(bench, claim, one, broken)));
        }
    }
    let judged = seen.iter().filter(|one| !matches!(one.end, End::Foreign(_))).count();
    let what =
        format!("{} judged on {}", counted(judged, "submission"), counted(bench.tests.cases.len(), "case"));
    verified.check(Section::Submissions, what);
    verified.check(Section::Submissions, format!("{} kept", counted(held, "claim")));
}

/// Whether a claim is about a submission.
pub fn speaks_of(claim: &Claim, submission: &Submission) -> bool {
    glob_matches(&claim.submissions, &submission.name)
}

/// The cases a claim is about.
pub fn scope(bench: &Bench, claim: &Claim) -> Vec<usize> {
    let cases = bench.tests.cases.iter().enumerate();
    let meant = |name: &str| claim.cases.as_ref().is_none_or(|glob| glob_matches(glob, name));
    cases.filter(|(_, case)| meant(&case.name)).map(|(at, _)| at).collect()
}

fn unbuilt(one: &Seen, why: &str, verified: &mut Verified) {
    if one.submission.tags.results.iter().any(|word| word == "COMPILER-ERROR") {
        return;
    }
    let remark = Remark::new(Section::Submissions, Level::Error, why).at(one.path());
    verified.add(remark.todo("mend it, or say `@EXPECTED_RESULTS@: COMPILER-ERROR` in it"));
}

/// Packages bring examples for judges that know other languages.
fn unjudged(one: &Seen, why: &str, verified: &mut Verified) {
    let what = format!("not judged: {why}");
    let remark = Remark::new(Section::Submissions, Level::Warning, what).at(one.path());
    verified.add(remark.todo("write it in a language of `kopek languages`, or remove it"));
}

/// Where a claim is written.
fn origin(claim: &Claim) -> String {
    match &claim.at {
        Some((file, line)) => format!("{}:{line}", file.display()),
        None => format!("submissions/{}", claim.submissions),
    }
}

fn remark(bench: &Bench, claim: &Claim, one: &Seen, broken: Broken) -> Remark {
    let level = if forgiven(bench, claim, one) { Level::Warning } else { Level::Error };
    let by = if claim.at.is_none() { " (as its directory claims)" } else { "" };
    let what = format!("`{}` {}{by}", one.submission.name, broken.what);
    let todo = match (&claim.at, bench.package.format) {
        (Some(_), _) => format!("{}, or change the claim", broken.todo),
        (None, Format::V2025_09) => {
            format!("{}, or claim what it does in submissions/submissions.yaml", broken.todo)
        }
        (None, Format::Legacy) => format!("{}, or move it to another directory", broken.todo),
    };
    Remark::new(Section::Submissions, level, what).at(origin(claim)).todo(todo)
}

/// Legacy tools look at the final verdict only: if that is the directory's, the rest is no error.
fn forgiven(bench: &Bench, claim: &Claim, one: &Seen) -> bool {
    let expected = match claim.submissions.as_str() {
        "accepted" => Class::Ac,
        "wrong_answer" => Class::Wa,
        "time_limit_exceeded" => Class::Tle,
        "run_time_error" => Class::Rte,
        _ => return false,
    };
    let legacy = bench.package.data == Format::Legacy && claim.at.is_none();
    legacy && final_verdict(one).and_then(Verdict::class) == Some(expected)
}

/// The verdict of the whole, if it is known.
pub fn final_verdict(one: &Seen) -> Option<Verdict> {
    match one.card.state {
        State::Decided(verdict) => Some(verdict),
        State::Requires(_) | State::Unknown(_) => None,
    }
}

fn broken(
    bench: &Bench,
    claim: &Claim,
    one: &Seen,
    trials: &BTreeMap<usize, Trial>,
    scope: &[usize],
) -> Vec<Broken> {
    let known: Vec<(usize, &Trial)> =
        scope.iter().filter_map(|&case| Some((case, trials.get(&case)?))).collect();
    let complete = known.len() == scope.len();
    let mut broken = Vec::new();
    if let Some(permitted) = &claim.permitted {
        broken.extend(forbidden(bench, permitted, &known));
    }
    if let Some(required) = claim.required.as_ref().filter(|_| complete && !scope.is_empty()) {
        broken.extend(missing(claim, required, &known));
    }
    if let Some((low, high)) = &claim.score {
        broken.extend(scores(claim, one, low, high));
    }
    if let Some(message) = claim.message.as_ref().filter(|_| complete) {
        let said = known.iter().any(|(_, trial)| trial.judge_message.contains(message.as_str()));
        let what = || {
            format!(
                "must make the output validator say `{}`, but it never does{}",
                short(message),
                place(claim)
            )
        };
        let todo = "mend the submission, the data or the message";
        broken.extend((!said).then(|| Broken { what: what(), todo }));
    }
    broken.extend(legacy_score(bench, claim, one));
    broken
}

fn place(claim: &Claim) -> String {
    claim.cases.as_ref().map(|cases| format!(" in {cases}")).unwrap_or_default()
}

fn forbidden(bench: &Bench, permitted: &BTreeSet<Class>, known: &[(usize, &Trial)]) -> Option<Broken> {
    let bad =
        |(_, trial): &&(usize, &Trial)| trial.verdict.class().is_none_or(|class| !permitted.contains(&class));
    let bad: Vec<_> = known.iter().filter(bad).collect();
    let (case, trial) = bad.first()?;
    let more = match bad.len() - 1 {
        0 => String::new(),
        1 => " and so on 1 more case".to_owned(),
        more => format!(" and so on {more} more cases"),
    };
    let what = format!(
        "may only be {}, but is {} on {}{}{more}",
        words(permitted),
        trial.verdict.short(),
        bench.tests.cases[*case].name,
        reason(trial)
    );
    Some(Broken { what, todo: "mend the submission or the data" })
}

fn missing(claim: &Claim, required: &BTreeSet<Class>, known: &[(usize, &Trial)]) -> Option<Broken> {
    if known.iter().any(|(_, trial)| trial.verdict.class().is_some_and(|class| required.contains(&class))) {
        return None;
    }
    let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
    known.iter().for_each(|(_, trial)| *counts.entry(trial.verdict.short()).or_default() += 1);
    let got =
        counts.iter().map(|(verdict, count)| format!("{verdict} on {count}")).collect::<Vec<_>>().join(", ");
    let what = format!("must be {} on some case{}, but is {got}", words(required), place(claim));
    Some(Broken { what, todo: "add a case that it fails so" })
}

fn words(classes: &BTreeSet<Class>) -> String {
    let word = |class: &Class| match class {
        Class::Ac => "AC",
        Class::Wa => "WA",
        Class::Tle => "TLE",
        Class::Rte => "RTE",
    };
    classes.iter().map(word).collect::<Vec<_>>().join(" or ")
}

/// Why a trial ended as it did, in brackets.
fn reason(trial: &Trial) -> String {
    let why = match trial.verdict {
        Verdict::TimeLimit | Verdict::IdleLimit => format!("{:.2} s", trial.usage.cpu.as_secs_f64()),
        Verdict::WrongAnswer => match &trial.difference {
            Some(difference) => told(difference),
            None => short(&trial.judge_message),
        },
        Verdict::Accepted => format!("{:.2} s", trial.usage.cpu.as_secs_f64()),
        Verdict::MemoryLimit | Verdict::OutputLimit | Verdict::RunTimeError | Verdict::CompileError => {
            trial.notes.first().map(|note| short(note)).unwrap_or_default()
        }
    };
    if why.is_empty() { why } else { format!(" ({why})") }
}

/// Every group that is meant must have a score in the range; without cases, the whole.
fn scores(claim: &Claim, one: &Seen, low: &Points, high: &Points) -> Vec<Broken> {
    let range = if low == high { low.to_string() } else { format!("{low} to {high}") };
    let outside = |points: &Points| points < low || points > high;
    let broken = |what: String| Broken { what, todo: "mend the submission or the data" };
    let Some(glob) = &claim.cases else {
        let points = one.card.points.as_ref().filter(|points| outside(points));
        return points
            .map(|points| broken(format!("must score {range}, but scores {points}")))
            .into_iter()
            .collect();
    };
    let groups = one.card.groups.iter().map(|group| (group.name.as_str(), group.points.as_ref()));
    let whole = (!one.card.groups.iter().any(|group| group.name == "secret"))
        .then_some(("secret", one.card.points.as_ref()));
    let meant = groups.chain(whole).filter(|(name, _)| glob_matches(glob, name) && is_group(glob, name));
    let meant: Vec<_> = meant.collect();
    if meant.is_empty() {
        return vec![broken(format!(
            "is claimed a score in `{glob}`, but that is no group, and only groups have scores"
        ))];
    }
    let wrong =
        meant.into_iter().filter_map(|(name, points)| Some((name, points.filter(|points| outside(points))?)));
    wrong.map(|(name, points)| broken(format!("must score {range} in {name}, but scores {points}"))).collect()
}

/// `secret` means the whole of it, not every group in it.
fn is_group(glob: &str, name: &str) -> bool {
    glob.trim_end_matches('/').split('/').count() == name.split('/').count()
}

/// What the legacy directory `partially_accepted` says: accepted, but not with the best score.
fn legacy_score(bench: &Bench, claim: &Claim, one: &Seen) -> Option<Broken> {
    let partial = claim.submissions == "partially_accepted" && claim.at.is_none();
    if !partial || bench.package.data != Format::Legacy {
        return None;
    }
    let todo = "mend the submission or the data";
    let verdict = final_verdict(one)?;
    if verdict != Verdict::Accepted {
        return Some(Broken {
            what: format!("must be accepted with less than the best score, but is {}", verdict.short()),
            todo,
        });
    }
    let (points, max) = (one.card.points.as_ref()?, one.card.max.as_ref()?);
    let best = points >= max && !bench.package.about.lower_is_better;
    best.then(|| Broken { what: format!("must not have the best score, but scores {points}"), todo })
}
