//! Differences between the source and the imported package: losses and changes.

use serde::Serialize;

/// The severity of a difference.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Loss {
    /// The new package lacks it.
    Lost,
    /// It is expressed differently, and may mean something else.
    Changed,
}

/// A difference.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize)]
pub struct Change {
    /// Its severity.
    pub loss: Loss,
    /// Its place in the source.
    pub at: String,
    /// The part of the source.
    pub what: String,
    /// What happens instead.
    pub instead: String,
}

/// All differences, in the order of their discovery.
#[derive(Debug, Default)]
pub struct Changes(pub Vec<Change>);

impl Changes {
    /// Adds something that is lost.
    pub fn add_loss(&mut self, at: impl Into<String>, what: impl Into<String>, instead: impl Into<String>) {
        self.add(Loss::Lost, at.into(), what.into(), instead.into());
    }

    /// Adds something that is expressed differently.
    pub fn add_change(&mut self, at: impl Into<String>, what: impl Into<String>, instead: impl Into<String>) {
        self.add(Loss::Changed, at.into(), what.into(), instead.into());
    }

    fn add(&mut self, loss: Loss, at: String, what: String, instead: String) {
        let change = Change { loss, at, what, instead };
        if !self.0.contains(&change) {
            self.0.push(change);
        }
    }
}
