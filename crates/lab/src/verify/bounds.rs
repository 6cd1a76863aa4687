//! Bounds of groups that no case reaches.
//!
//! A bound is an argument of an input validator such as `--max-n=2000` or `--min-n 3`. It is reached if the validator
//! refuses some case of the group once the bound is tightened by one. Other arguments cannot be tightened and are
//! ignored.

use super::{
    checked::Checked,
    inputs::input_task,
    verification::{Answer, FlatGroup, Verification, VerificationStep, flat_groups},
};
use anyhow::Result;
use kopek_base::wording::counted;
use kopek_package::package::{Message, TestSet, is_sample};
use kopek_plan::plan::{Program, Task};
use kopek_sandbox::Fault;
use std::sync::Arc;

/// A bound of a group, and the arguments with it tightened.
struct GroupBound<'a> {
    group: &'a FlatGroup,
    validator: &'a Arc<Program>,
    shown: String,
    args: &'a [String],
    tighter: Vec<String>,
}

/// The result for a bound.
#[derive(Clone)]
enum BoundReach {
    /// Some case is refused by the tighter bound only.
    Reached,
    /// There are valid cases, but no such case.
    Missed,
    /// The validator accepts no case of the group, which was reported already; the bound is unknown.
    Unknown,
    /// The check failed by our fault.
    Failed(Fault),
}

/// Finds the bounds that no case of their group reaches.
pub(super) fn check_bounds(verification: &Verification, validators: &[Arc<Program>]) -> Result<Checked> {
    let mut checked = Checked::default();
    let groups = flat_groups(verification.tests);
    let secret = groups.iter().filter(|group| !is_sample(&group.name));
    let pairs = secret.flat_map(|group| validators.iter().map(move |validator| (group, validator)));
    let bounds: Vec<GroupBound> =
        pairs.flat_map(|(group, validator)| bounds_of_group(verification.tests, group, validator)).collect();
    if bounds.is_empty() {
        return Ok(checked);
    }
    let mut hit = 0;
    for (bound, result) in bounds.iter().zip(find_reached(verification, &bounds)?) {
        match result {
            BoundReach::Reached => hit += 1,
            BoundReach::Failed(fault) => {
                checked.fault(format!("look for {} in {}: {fault}", bound.shown, bound.group.name))
            }
            BoundReach::Missed if !verification.engine().is_stopped() => checked.add(idle(bound)),
            BoundReach::Missed | BoundReach::Unknown => {}
        }
    }
    checked.done(format!("{} of groups reached", counted(hit, "bound")));
    Ok(checked)
}

fn idle(bound: &GroupBound) -> Message {
    let what = format!("no case of {} reaches the bound `{}`", bound.group.name, bound.shown);
    Message::warning(format!("data/{}", bound.group.name), what)
        .todo("add a case that does, or tighten the bound")
}

/// Bounds in the arguments that all cases of a group share.
fn bounds_of_group<'a>(
    tests: &'a TestSet,
    group: &'a FlatGroup,
    validator: &'a Arc<Program>,
) -> Vec<GroupBound<'a>> {
    let of = |&case: &usize| tests.cases[case].arguments.own_of_input_validator(&validator.name);
    let Some(args) = group.cases.first().map(of) else { return vec![] };
    // Cases with different arguments have different bounds, so the group has none.
    if !group.cases.iter().all(|case| of(case) == args) {
        return vec![];
    }
    let bound = |TightArgs { shown, args: tighter }| GroupBound { group, validator, shown, args, tighter };
    tightened(args).into_iter().map(bound).collect()
}

/// All arguments, with one bound tightened by one.
struct TightArgs {
    /// The original bound.
    shown: String,
    args: Vec<String>,
}

/// The arguments for each bound in them.
fn tightened(args: &[String]) -> Vec<TightArgs> {
    let mut found = Vec::new();
    for (at, arg) in args.iter().enumerate() {
        let with = |place: usize, text: String| {
            let mut args = args.to_vec();
            args[place] = text;
            args
        };
        if let Some((name, value)) = arg.split_once('=') {
            if let Some(value) = tighter(name, value) {
                let args = with(at, format!("{name}={value}"));
                found.push(TightArgs { shown: arg.clone(), args });
            }
        } else if let Some(next) = args.get(at + 1)
            && let Some(value) = tighter(arg, next)
        {
            found.push(TightArgs { shown: format!("{arg} {next}"), args: with(at + 1, value) });
        }
    }
    found
}

fn tighter(name: &str, value: &str) -> Option<String> {
    // Wide enough to tighten a bound at the edge of 64 bits.
    let value: i128 = value.parse().ok()?;
    let name = name.to_ascii_lowercase();
    let has = |word: &str| {
        name.split(|c: char| !c.is_ascii_alphabetic())
            .any(|part| part.starts_with(word) || part.ends_with(word))
    };
    match (has("min"), has("max")) {
        (true, false) => Some((value + 1).to_string()),
        (false, true) => Some((value - 1).to_string()),
        // `minmax` is ambiguous: tightened the wrong way, it would be reported as never reached.
        (true, true) | (false, false) => None,
    }
}

/// Finds the bounds with a case that only the tighter bound refuses.
///
/// Usually one of the first cases of a group is such a case. So all open bounds move on to their next case together,
/// and the validator runs only a few times in vain.
fn find_reached(verification: &Verification, bounds: &[GroupBound]) -> Result<Vec<BoundReach>> {
    (verification.progress)(VerificationStep::Begin { what: "bounds", jobs: bounds.len() });
    let mut found = vec![BoundReach::Unknown; bounds.len()];
    let mut open: Vec<usize> = (0..bounds.len()).collect();
    for round in 0.. {
        let mut ask = |some: &[usize], args: fn(&GroupBound) -> Vec<String>| -> Result<_> {
            let task = |&at: &usize| {
                let bound: &GroupBound = &bounds[at];
                let case = &verification.tests.cases[bound.group.cases[round]];
                Task::CheckInput(input_task(
                    bound.validator,
                    case,
                    [args(bound), case.arguments.args.clone()].concat(),
                ))
            };
            let answers = verification.ask_each(some.iter().map(task).collect(), &mut || ())?;
            let mut accepted = Vec::new();
            let mut refused = Vec::new();
            for (&at, answer) in some.iter().zip(answers) {
                match answer {
                    Answer::Reply(reply) if reply.accepted => accepted.push(at),
                    Answer::Reply(_) => refused.push(at),
                    Answer::Fault(fault) => found[at] = BoundReach::Failed(fault),
                    Answer::None => {}
                }
            }
            Ok((accepted, refused))
        };
        let (valid, refused) = ask(&open, |bound| bound.tighter.clone())?;
        // The original bound is checked, too: a validator that refuses both says nothing about the bound.
        let (accepted, _) = ask(&refused, |bound| bound.args.to_vec())?;
        valid.into_iter().for_each(|at| found[at] = BoundReach::Missed);
        accepted.into_iter().for_each(|at| found[at] = BoundReach::Reached);
        let before = open.len();
        let is_open = |reach: &BoundReach| matches!(reach, BoundReach::Missed | BoundReach::Unknown);
        open.retain(|&at| is_open(&found[at]) && round + 1 < bounds[at].group.cases.len());
        (open.len()..before).for_each(|_| (verification.progress)(VerificationStep::Done));
        if open.is_empty() || verification.engine().is_stopped() {
            break;
        }
    }
    Ok(found)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words(line: &str) -> Vec<String> {
        line.split_whitespace().map(str::to_owned).collect()
    }

    #[test]
    fn bounds_are_tightened_by_one_and_nothing_else_is_touched() {
        let shown = |line: &str| {
            let found = tightened(&words(line)).into_iter();
            found.map(|one| format!("{} -> {}", one.shown, one.args.join(" "))).collect::<Vec<_>>()
        };
        assert_eq!(shown("--max-n=20 --last"), ["--max-n=20 -> --max-n=19 --last"]);
        assert_eq!(shown("--nmin 3 --m 4"), ["--nmin 3 -> --nmin 4 --m 4"]);
        assert_eq!(shown("--maxn=-5"), ["--maxn=-5 -> --maxn=-6"]);
        assert!(shown("--n=5 --mode=max 7 minimum").is_empty());
    }
}
