//! Which sets of standard headers to precompile, so that programs take the least CPU time to build.

use super::standard_headers::HeaderSet;
use std::collections::BTreeSet;

/// How many are made for a toolchain at most: each takes some ten MB of disk.
const MOST: usize = 8;

/// To make a header costs as much as it saves in this many programs. Measured with g++ 12 for sets from `<vector>` to
/// `bits/stdc++.h`: to parse 1 MB takes 0.2 s, to load it 0.05 s, and to make it 0.6 s.
const MAKE: i64 = 4;

/// To build a sample both ways costs about as much as 2 MB less to parse save.
const SAMPLE: i64 = 20;

/// The sets to make, best first, for programs that lead with these headers: each set with the number of programs. `usable`:
/// those that there are. `tried`: those, and those that turned out not to be usable.
pub(crate) fn choose_headers(
    programs: &[(HeaderSet, u32)],
    usable: &[HeaderSet],
    tried: &[HeaderSet],
) -> Vec<HeaderSet> {
    let pairs =
        programs.iter().flat_map(|(one, _)| programs.iter().map(|(other, _)| one.intersection(*other)));
    let mut candidates: BTreeSet<HeaderSet> = pairs.collect();
    candidates.retain(|set| !tried.contains(set));
    let mut usable = usable.to_vec();
    let mut chosen = Vec::new();
    while tried.len() + chosen.len() < MOST {
        let left: Vec<(HeaderSet, u32, u32)> =
            programs.iter().map(|(set, number)| (*set, *number, size(best_header(*set, &usable)))).collect();
        let gains = candidates.iter().map(|set| (gain(*set, &left), *set));
        let Some((_, best)) = gains.max().filter(|(gain, _)| *gain > 0) else { break };
        usable.push(best);
        chosen.push(best);
    }
    chosen
}

/// The header that leaves least to parse.
pub(crate) fn best_header(program: HeaderSet, usable: &[HeaderSet]) -> Option<HeaderSet> {
    usable.iter().copied().filter(|header| header.is_subset(program)).max_by_key(|header| header.size())
}

fn size(header: Option<HeaderSet>) -> u32 {
    header.map_or(0, HeaderSet::size)
}

/// What a header saves, less its cost. `programs`: each set with the number of programs and the size of its best header so far.
fn gain(header: HeaderSet, programs: &[(HeaderSet, u32, u32)]) -> i64 {
    let saved = |(_, number, so_far): &(HeaderSet, u32, u32)| {
        i64::from(*number) * i64::from(header.size().saturating_sub(*so_far))
    };
    let served = programs.iter().filter(|(set, ..)| header.is_subset(*set));
    served.map(saved).sum::<i64>() - MAKE * i64::from(header.size()) - SAMPLE
}

#[cfg(test)]
mod tests {
    use super::{super::standard_headers::tests::headers, *};

    fn chosen(programs: &[(&str, u32)], usable: &[&str], tried: &[&str]) -> Vec<HeaderSet> {
        let programs: Vec<_> = programs.iter().map(|(names, number)| (headers(names), *number)).collect();
        let [usable, tried] =
            [usable, tried].map(|sets| sets.iter().map(|names| headers(names)).collect::<Vec<_>>());
        choose_headers(&programs, &usable, &[usable.clone(), tried].concat())
    }

    #[test]
    fn headers_are_chosen_where_they_save_more_than_they_cost() {
        let sets = |sets: &[&str]| sets.iter().map(|names| headers(names)).collect::<Vec<_>>();
        let none = sets(&[]);
        assert_eq!(chosen(&[], &[], &[]), none);
        assert_eq!(chosen(&[("cstdio cstring", 1000)], &[], &[]), none);
        assert_eq!(chosen(&[("bits/stdc++.h", 1)], &[], &[]), none);
        assert_eq!(chosen(&[("bits/stdc++.h", 4)], &[], &[]), none);
        assert_eq!(chosen(&[("bits/stdc++.h", 5)], &[], &[]), sets(&["bits/stdc++.h"]));
        assert_eq!(chosen(&[("iostream", 6)], &[], &[]), none);
        assert_eq!(chosen(&[("iostream", 7)], &[], &[]), sets(&["iostream"]));
        // What sets have in common serves all of them.
        let mixed = [("iostream vector", 3), ("iostream map", 3), ("vector iostream string map", 2)];
        assert_eq!(chosen(&mixed, &[], &[]), sets(&["iostream"]));
        // More of it is worth a header of its own only for many programs.
        assert_eq!(chosen(&[("iostream vector algorithm", 10)], &["iostream"], &[]), none);
        let many = [("iostream vector algorithm", 30)];
        assert_eq!(chosen(&many, &["iostream"], &[]), sets(&["iostream vector algorithm"]));
        // What was tried is not tried again, and there are at most eight.
        assert_eq!(chosen(&many, &["iostream"], &["iostream vector algorithm"]), none);
        let tried = ["map", "set", "list", "deque", "queue", "stack", "array", "tuple"];
        assert_eq!(chosen(&[("iostream", 99)], &[], &tried[1..]), sets(&["iostream"]));
        assert_eq!(chosen(&[("iostream", 99)], &[], &tried), none);
    }

    #[test]
    fn a_class_of_many_habits_gets_few_headers() {
        let class = [
            ("iostream", 20),
            ("iostream vector", 15),
            ("algorithm iostream vector", 15),
            ("iostream map string vector", 10),
            ("cmath cstdio", 5),
            ("bits/stdc++.h", 30),
            ("", 5),
        ];
        assert_eq!(chosen(&class, &[], &[]), [headers("bits/stdc++.h"), headers("iostream")]);
    }
}
