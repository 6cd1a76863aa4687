//! What the imported package is not: what was lost, and what became something else.

use serde::Serialize;

/// How far the new package is from the old one in one point.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Loss {
    /// The new package does not have it.
    Lost,
    /// It is expressed in another way, and may mean something else.
    Changed,
}

/// One point.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize)]
pub struct Change {
    /// How bad it is.
    pub loss: Loss,
    /// Where it stands in the source.
    pub at: String,
    /// What it is.
    pub what: String,
    /// What happens instead.
    pub instead: String,
}

/// All points, in the order in which they were met.
#[derive(Debug, Default)]
pub struct Changes(pub Vec<Change>);

impl Changes {
    /// Something is not there any more.
    pub fn add_loss(&mut self, at: impl Into<String>, what: impl Into<String>, instead: impl Into<String>) {
        self.add(Loss::Lost, at.into(), what.into(), instead.into());
    }

    /// Something is expressed in another way.
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
