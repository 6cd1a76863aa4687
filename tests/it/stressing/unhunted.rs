//! Mutants where no time is left.

use super::package;
use crate::executors::contract::machine;
use kopek::{
    exec::Engine,
    generate::{GenerationMode, generate},
    mutate::{MutantFate, MutationRequest, mutate},
    package::{read, read_tests},
};
use std::{sync::atomic::AtomicBool, time::Duration};

#[test]
fn survivors_that_nobody_hunted_are_undecided() {
    let (home, dir) = package();
    let machine = machine(&home.path().join("store"));
    let (executor, stop) = (machine.executor(), AtomicBool::new(false));
    let engine = Engine::new(&machine, &executor, &stop);
    let package = read(&dir).unwrap().package.unwrap();
    assert!(generate(&package, &engine, GenerationMode::Stale, &mut |_| ()).unwrap().is_sound());
    let (tests, _) = read_tests(&package).unwrap();
    let (submissions, budget, hunt) = (Vec::new(), Duration::from_secs(600), Duration::ZERO);
    let request = MutationRequest { submissions, most: 20, budget, hunt, seed: 1 };
    let report = mutate(&engine, &package, &tests, &request, &mut |_| ()).unwrap();
    let count =
        |is_meant: fn(&MutantFate) -> bool| report.mutants.iter().filter(|(_, fate)| is_meant(fate)).count();
    assert!(count(|fate| matches!(fate, MutantFate::Killed(_))) > 5, "{report:?}");
    assert!(count(|fate| *fate == MutantFate::Unknown) > 0, "{report:?}");
    assert_eq!(count(|fate| *fate == MutantFate::ProbablyEquivalent), 0);
}
