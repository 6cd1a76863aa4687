//! Values of a course by the names that they are for.

use super::course_values::{Named, Origin};
use anyhow::{Result, anyhow, bail, ensure};
use kopek_base::wording::one_line;
use kopek_class::{near_people, people_called};
use kopek_package::package::Participant;
use std::collections::BTreeMap;

/// The remedy for an unknown participant.
pub const KNOWN_NAMES: &str = "give the name as the table shows it, or the number of the platform";

/// Values by name. The command line comes after the file and overrides it; within one of them a second value is an
/// error.
pub(super) struct UniqueValues<'a, T> {
    what: &'static str,
    values: BTreeMap<String, &'a Named<T>>,
}

impl<'a, T: Clone> UniqueValues<'a, T> {
    pub(super) fn new(what: &'static str) -> UniqueValues<'a, T> {
        UniqueValues { what, values: BTreeMap::new() }
    }

    pub(super) fn add(&mut self, name: String, value: &'a Named<T>) -> Result<()> {
        let is_option = |one: &Named<T>| matches!(one.from, Origin::Option(_));
        if let Some(other) = self.values.get(&name) {
            ensure!(
                is_option(other) != is_option(value),
                "{}: {name} has two {}; give one",
                value.from,
                self.what
            );
        }
        self.values.insert(name, value);
        Ok(())
    }

    pub(super) fn values(&self) -> BTreeMap<String, T> {
        self.values.iter().map(|(name, named)| (name.clone(), named.value.clone())).collect()
    }
}

/// The values by the names of participants; fails for a name that means none or several.
pub(super) fn of_participants<'a, T: Clone>(
    list: &'a [Named<T>],
    what: &'static str,
    classes: &[Vec<Participant>],
) -> Result<BTreeMap<String, &'a Named<T>>> {
    let mut values = UniqueValues::new(what);
    for one in list {
        let found = people_called(classes, &one.name).map_err(|why| anyhow!("{}: {why}", one.from))?;
        if found.is_empty() {
            let near = near_people(classes, &one.name);
            let remedy = if near.is_empty() { format!("; {KNOWN_NAMES}") } else { one_line(&near) };
            bail!("{}: {}: no such participant{remedy}", one.from, one_line(&one.name));
        }
        for name in found {
            values.add(name, one)?;
        }
    }
    Ok(values.values)
}
