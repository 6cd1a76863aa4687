//! Bounds of groups that no case reaches.
//!
//! A bound is an argument of an input validator such as `--max-n=2000` or
//! `--min-n 3`. Whether it is reached can be asked: with a bound tighter by one,
//! the validator must refuse some case of the group. Other arguments say nothing
//! that could be tightened, and are left alone.

use super::{
    Bench, Level, Remark, Section, Tell, Verified, counted, crew,
    programs::Asked,
    tables::{Flat, groups},
};
use crate::{
    package::Case,
    sandbox::{Fault, Input, Slot},
};

/// A bound of a group, and the arguments with it tightened.
struct Bound<'a> {
    group: &'a Flat,
    validator: &'a Asked,
    shown: String,
    args: &'a [String],
    tighter: Vec<String>,
}

/// Tells the bounds that no case of their group reaches.
pub fn check(bench: &Bench, validators: &[Asked], verified: &mut Verified, tell: &mut Tell) {
    let groups = groups(bench.tests);
    let secret = groups.iter().filter(|group| group.name != "sample");
    let pairs = secret.flat_map(|group| validators.iter().map(move |validator| (group, validator)));
    let bounds: Vec<Bound> = pairs.flat_map(|(group, validator)| of_group(bench, group, validator)).collect();
    if bounds.is_empty() {
        return;
    }
    let results = crew::each(bench, "bounds", &bounds, tell, |slot, bound| reached(bench, bound, slot));
    let mut hit = 0;
    for (bound, result) in bounds.iter().zip(results) {
        match result {
            Some(Ok(true)) => hit += 1,
            Some(Ok(false)) => verified.add(idle(bound)),
            Some(Err(fault)) => {
                verified.fault(format!("look for {} in {}: {fault}", bound.shown, bound.group.name))
            }
            None => {}
        }
    }
    verified.check(Section::Data, format!("{} of groups reached", counted(hit, "bound")));
}

fn idle(bound: &Bound) -> Remark {
    let what = format!("no case of {} reaches the bound `{}`", bound.group.name, bound.shown);
    let remark = Remark::new(Section::Data, Level::Warning, what).at(format!("data/{}", bound.group.name));
    remark.todo("add a case that does, or tighten the bound")
}

/// Bounds in the arguments that all cases of a group share.
fn of_group<'a>(bench: &'a Bench, group: &'a Flat, validator: &'a Asked) -> Vec<Bound<'a>> {
    let of = |&case: &usize| validator.own_args(&bench.tests.cases[case]);
    let Some(args) = group.cases.first().map(of) else { return vec![] };
    if !group.cases.iter().all(|case| of(case) == args) {
        return vec![];
    }
    let bound = |(shown, tighter)| Bound { group, validator, shown, args, tighter };
    tightened(args).into_iter().map(bound).collect()
}

/// Every bound as shown, with all arguments after it was tightened by one.
fn tightened(args: &[String]) -> Vec<(String, Vec<String>)> {
    let mut found = Vec::new();
    for (at, arg) in args.iter().enumerate() {
        let with = |place: usize, text: String| {
            let mut args = args.to_vec();
            args[place] = text;
            args
        };
        if let Some((name, value)) = arg.split_once('=') {
            if let Some(value) = tighter(name, value) {
                found.push((arg.clone(), with(at, format!("{name}={value}"))));
            }
        } else if let Some(next) = args.get(at + 1)
            && let Some(value) = tighter(arg, next)
        {
            found.push((format!("{arg} {next}"), with(at + 1, value)));
        }
    }
    found
}

fn tighter(name: &str, value: &str) -> Option<String> {
    let value: i128 = value.parse().ok()?;
    let name = name.to_ascii_lowercase();
    let has = |word: &str| {
        name.split(|c: char| !c.is_ascii_alphabetic())
            .any(|part| part.starts_with(word) || part.ends_with(word))
    };
    match (has("min"), has("max")) {
        (true, false) => Some((value + 1).to_string()),
        (false, true) => Some((value - 1).to_string()),
        (true, true) | (false, false) => None,
    }
}

/// Whether some case is refused by the tighter bound only.
fn reached(bench: &Bench, bound: &Bound, slot: &mut Slot) -> Result<bool, Fault> {
    let mut ask = |case: &Case, args: &[String]| {
        let input = (Input::Path(case.input.clone()), &case.digest);
        let store = &bench.workshop.store;
        bound.validator.on_input((store, &mut *slot), input, case.files.as_ref(), args)
    };
    for &case in &bound.group.cases {
        let case = &bench.tests.cases[case];
        let with_own = |args: &[String]| [args, &case.args].concat();
        if !ask(case, &with_own(&bound.tighter))?.accepted && ask(case, &with_own(bound.args))?.accepted {
            return Ok(true);
        }
    }
    Ok(false)
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
            found.map(|(bound, args)| format!("{bound} -> {}", args.join(" "))).collect::<Vec<_>>()
        };
        assert_eq!(shown("--max-n=20 --last"), ["--max-n=20 -> --max-n=19 --last"]);
        assert_eq!(shown("--nmin 3 --m 4"), ["--nmin 3 -> --nmin 4 --m 4"]);
        assert_eq!(shown("--maxn=-5"), ["--maxn=-5 -> --maxn=-6"]);
        assert!(shown("--n=5 --mode=max 7 minimum").is_empty());
    }
}
