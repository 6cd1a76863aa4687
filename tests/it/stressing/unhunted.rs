//! Mutants where no time is left.

use super::{fake_package, mutate_fake};
use kopek::results::MutantFate;
use std::time::Duration;

#[test]
fn survivors_that_nobody_hunted_are_undecided() {
    let (home, dir) = fake_package();
    let report = mutate_fake(&home, &dir, vec![], Duration::ZERO).unwrap();
    let count =
        |is_meant: fn(&MutantFate) -> bool| report.mutants.iter().filter(|(_, fate)| is_meant(fate)).count();
    assert!(count(|fate| matches!(fate, MutantFate::Killed(_))) > 5, "{report:?}");
    assert!(count(|fate| *fate == MutantFate::Unknown) > 0, "{report:?}");
    assert_eq!(count(|fate| *fate == MutantFate::ProbablyEquivalent), 0);
}
