//! Chooses which runs of standard headers to precompile, to minimise the CPU time of builds.

use super::standard_headers::HeaderRun;
use std::collections::BTreeSet;

/// At most this many headers per toolchain: each takes some ten MB of disk.
const MAX_COUNT: usize = 8;

/// The cost of making a header equals its savings in this many programs. Measured with g++ 12 from `<vector>`
/// to `bits/stdc++.h`: parsing 1 MB takes 0.2 s, loading it 0.05 s, and making it 0.6 s.
const MAKE: i64 = 4;

/// Building a sample both ways costs about as much as parsing 2 MB.
const SAMPLE: i64 = 20;

/// The runs to make, best first. `programs` are the runs at the beginning of programs, each with the number
/// of programs; `usable` are existing headers; `tried` are those and the headers that turned out unusable.
pub(crate) fn choose_headers(
    programs: &[(HeaderRun, u32)],
    usable: &[HeaderRun],
    tried: &[HeaderRun],
) -> Vec<HeaderRun> {
    let mut candidates: BTreeSet<HeaderRun> = programs.iter().flat_map(|(run, _)| run.beginnings()).collect();
    candidates.retain(|run| !tried.contains(run));
    let mut usable = usable.to_vec();
    let mut chosen = Vec::new();
    while tried.len() + chosen.len() < MAX_COUNT {
        let gains = candidates.iter().map(|run| (gain(run, programs, &usable), run));
        let Some((_, best)) = gains.max().filter(|(gain, _)| *gain > 0) else { break };
        usable.push(best.clone());
        chosen.push(best.clone());
    }
    chosen
}

/// The header that leaves the least of a program to parse.
pub(crate) fn best_header<'a>(program: &HeaderRun, usable: &'a [HeaderRun]) -> Option<&'a HeaderRun> {
    usable.iter().filter(|header| program.begins_with(header)).max_by_key(|header| header.size())
}

/// What a header saves beyond the existing ones, minus its cost.
fn gain(header: &HeaderRun, programs: &[(HeaderRun, u32)], usable: &[HeaderRun]) -> i64 {
    let saved = |(run, number): &(HeaderRun, u32)| {
        let so_far = best_header(run, usable).map_or(0, HeaderRun::size);
        i64::from(*number) * i64::from(header.size().saturating_sub(so_far))
    };
    let served = programs.iter().filter(|(run, _)| run.begins_with(header));
    served.map(saved).sum::<i64>() - MAKE * i64::from(header.size()) - SAMPLE
}

#[cfg(test)]
mod tests {
    use super::{super::standard_headers::tests::headers, *};

    fn chosen(programs: &[(&str, u32)], usable: &[&str], tried: &[&str]) -> Vec<HeaderRun> {
        let programs: Vec<_> = programs.iter().map(|(names, number)| (headers(names), *number)).collect();
        let [usable, tried] =
            [usable, tried].map(|runs| runs.iter().map(|names| headers(names)).collect::<Vec<_>>());
        choose_headers(&programs, &usable, &[usable.clone(), tried].concat())
    }

    #[test]
    fn headers_are_chosen_where_they_save_more_than_they_cost() {
        let runs = |runs: &[&str]| runs.iter().map(|names| headers(names)).collect::<Vec<_>>();
        let none = runs(&[]);
        assert_eq!(chosen(&[], &[], &[]), none);
        assert_eq!(chosen(&[("cstdio cstring", 1000)], &[], &[]), none);
        assert_eq!(chosen(&[("bits/stdc++.h", 1)], &[], &[]), none);
        assert_eq!(chosen(&[("bits/stdc++.h", 4)], &[], &[]), none);
        assert_eq!(chosen(&[("bits/stdc++.h", 5)], &[], &[]), runs(&["bits/stdc++.h"]));
        assert_eq!(chosen(&[("iostream", 6)], &[], &[]), none);
        assert_eq!(chosen(&[("iostream", 7)], &[], &[]), runs(&["iostream"]));
        // A common beginning serves all of them, and no others.
        let mixed = [("iostream vector", 3), ("iostream map", 3), ("iostream string map", 2)];
        assert_eq!(chosen(&mixed, &[], &[]), runs(&["iostream"]));
        assert_eq!(chosen(&[("iostream", 3), ("vector iostream", 4)], &[], &[]), none);
        // A longer header pays only for many programs.
        assert_eq!(chosen(&[("iostream vector algorithm", 10)], &["iostream"], &[]), none);
        let many = [("iostream vector algorithm", 30)];
        assert_eq!(chosen(&many, &["iostream"], &[]), runs(&["iostream vector algorithm"]));
        // Failed headers are not tried again, and there are at most eight.
        assert_eq!(chosen(&many, &["iostream"], &["iostream vector algorithm"]), none);
        let tried = ["map", "set", "list", "deque", "queue", "stack", "array", "tuple"];
        assert_eq!(chosen(&[("iostream", 99)], &[], &tried[1..]), runs(&["iostream"]));
        assert_eq!(chosen(&[("iostream", 99)], &[], &tried), none);
    }

    #[test]
    fn a_class_of_many_habits_gets_few_headers() {
        let class = [
            ("iostream", 20),
            ("iostream vector", 15),
            ("algorithm iostream vector", 15),
            ("vector iostream string map", 10),
            ("cmath cstdio", 5),
            ("bits/stdc++.h", 30),
            ("", 5),
        ];
        let runs = ["bits/stdc++.h", "iostream", "algorithm iostream vector", "vector iostream string map"];
        assert_eq!(chosen(&class, &[], &[]), runs.map(headers));
    }
}
