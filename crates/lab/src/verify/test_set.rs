//! The test set of a package: makes the stale cases of its recipe, and reads all cases.

use super::{
    checked::Checked,
    verification::{Found, Progress, VerificationStep},
};
use anyhow::Result;
use kopek_base::wording::{counted, shortened};
use kopek_engine::exec::Engine;
use kopek_judge::generate::{
    self,
    lock::{self, Drift},
};
use kopek_package::package::{self, Message, NoCases, Package, TestSet};
use std::{collections::BTreeSet, path::Path};

/// Makes stale cases of the recipe. Returns the cases that groups include; `None`: the test set is incomplete.
pub(super) fn make_test_set(
    package: &Package,
    engine: &Engine,
    progress: &Progress,
) -> Result<Found<Option<BTreeSet<String>>>> {
    let made = generate::ensure(package, engine, &mut |step| progress(VerificationStep::Making(step)))?;
    let value = made.is_sound().then_some(made.included);
    let mut trouble = Checked::from(made.findings);
    trouble.faults = made.faults;
    trouble.messages.extend(drift_messages(&made.drift, &package.dir));
    if made.made + made.reused > 0 {
        trouble.done(format!("{} made from the recipe", counted(made.made + made.reused, "case")));
    }
    Ok(Found { value, trouble })
}

/// A message for each kind of difference from the lock; a single one if git does not track the lock, which was then
/// only not updated.
fn drift_messages(drift: &[Drift], package: &Path) -> Vec<Message> {
    const LOCK: &str = "generators/lock.toml";
    if !drift.is_empty() && !lock::is_tracked(package) {
        let what = format!("data and lock differ: {}", counted(drift.len(), "file"));
        let todo = "run `kopek generate --update`; `kopek generate --check` lists the files";
        return vec![Message::error(LOCK, what).todo(todo)];
    }
    let of_kind = |is_kind: fn(&Drift) -> bool, what: &str, todo: &str| {
        let own = drift.iter().filter(|drift| is_kind(drift));
        let files: Vec<String> = own.map(|drift| drift.file.clone()).collect();
        let message = Message::error(LOCK, format!("{what} {}", shortened(&files, 3, ", "))).todo(todo);
        (!files.is_empty()).then_some(message)
    };
    let update = "accept it with `kopek generate --update`";
    let bytes = "if the recipe, its programs or its solution changed, accept it with `kopek generate \
        --update`; otherwise another machine or toolchain is the cause";
    let messages = [
        of_kind(|one| one.made.is_some() && one.locked.is_some(), "differs from the generated", bytes),
        of_kind(|one| one.locked.is_none(), "does not name", update),
        of_kind(|one| one.made.is_none(), "names files that were not made:", update),
    ];
    messages.into_iter().flatten().collect()
}

/// Reads all cases. `None`: there is none.
pub(super) fn read_test_set(package: &Package) -> Result<Found<Option<TestSet>>> {
    let none = match package::read_tests(package) {
        Ok((tests, findings)) => return Ok(Found { value: Some(tests), trouble: findings.into() }),
        Err(error) => error.downcast::<NoCases>()?,
    };
    let is_empty = none.tests.cases.is_empty();
    let judged = if is_empty { "nothing can be judged" } else { "only the samples are judged" };
    let message = Message::error("data/secret", format!("no cases, so {judged}"));
    let message = message.todo("put cases there, or a recipe into generators/generators.yaml");
    let trouble = [vec![message], none.findings].concat().into();
    Ok(Found { value: (!is_empty).then_some(*none.tests), trouble })
}

/// Reads the existing cases of an incomplete test set. Ignores findings about them: they follow from cases that could
/// not be made.
pub(super) fn read_partial_test_set(package: &Package) -> Result<TestSet> {
    match package::read_tests(package) {
        Ok((tests, _)) => Ok(tests),
        Err(error) => Ok(*error.downcast::<NoCases>()?.tests),
    }
}
