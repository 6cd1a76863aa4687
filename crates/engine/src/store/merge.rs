//! Merges the facts of another store, so that several machines can each judge a part of a class. Facts are
//! only added.

use super::{Store, StoredFact};
use anyhow::{Context, Result};
use kopek_package::check::Score;
use kopek_plan::plan::{BlobName, Build, Key, Outcome};

/// The number of facts in one batch.
const BATCH: usize = 1000;

/// The result of a merge.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct Merged {
    /// Facts that are new here.
    pub added: usize,
    /// Facts that were known here.
    pub known: usize,
    /// Facts whose blobs the other store no longer has: they are useless.
    pub lost: usize,
    /// Facts that differ between the stores.
    pub disagreements: Vec<Disagreement>,
}

/// Equal jobs with different outcomes on two machines.
#[derive(Debug, PartialEq, Eq)]
pub struct Disagreement {
    pub key: Key,
    /// The outcome here, which stays.
    pub here: String,
    /// The outcome in the other store.
    pub there: String,
}

/// Adds the facts of another store, with their blobs. Facts that are known here stay.
pub fn take_over(store: &Store, other: &Store) -> Result<Merged> {
    let take = || -> Result<Merged> {
        let mut merged = Merged::default();
        for keys in other.facts.keys()?.chunks(BATCH) {
            take_over_batch(store, other, keys, &mut merged)?;
        }
        Ok(merged)
    };
    take().with_context(|| format!("take over the store {}", other.dir.display()))
}

fn take_over_batch(store: &Store, other: &Store, keys: &[Key], merged: &mut Merged) -> Result<()> {
    let there = other.stored_facts(keys)?;
    let here = store.get_many(keys)?;
    let mut new = Vec::new();
    for ((key, fact), own) in keys.iter().zip(&there).zip(here) {
        // A fact of another version is unknown there, too.
        let Some(StoredFact { guard, outcome }) = fact else { continue };
        match own.filter(|own| store.has_all(&own.blobs())) {
            Some(own) => {
                merged.known += 1;
                merged.disagreements.extend(disagreement(*key, &own, outcome));
            }
            // Blobs first: a fact is useless without them.
            None if take_over_blobs(store, other, &outcome.blobs())? => {
                new.push((*key, StoredFact { guard: *guard, outcome }));
            }
            None => merged.lost += 1,
        }
    }
    merged.added += new.len();
    store.put_many(&new)
}

/// Copies the blobs, and returns whether all of them are here now.
fn take_over_blobs(store: &Store, other: &Store, blobs: &[BlobName]) -> Result<bool> {
    for blob in blobs {
        if store.has(blob.digest()) {
            continue;
        }
        let taken = match blob {
            BlobName::Tree(digest) => other.tree(digest)?.map(|tree| store.put_tree(&tree)),
            BlobName::File(digest) => other.bytes(digest)?.map(|bytes| store.put_bytes(&bytes)),
        };
        match taken {
            Some(taken) => drop(taken?),
            None => return Ok(false),
        }
    }
    Ok(true)
}

/// The disagreement between two outcomes. Times differ between any two runs; the inputs of a grade must not.
fn disagreement(key: Key, here: &Outcome, there: &Outcome) -> Option<Disagreement> {
    let here = gist(here)?;
    let there = gist(there)?;
    if here != there { Some(Disagreement { key, here, there }) } else { None }
}

fn score_text(score: &Score) -> String {
    match score {
        Score::Points(points) => format!("{points}"),
        Score::Multiplier(share) => format!("{share} of all points"),
    }
}

/// The part of an outcome that a grade depends on.
fn gist(outcome: &Outcome) -> Option<String> {
    Some(match outcome {
        Outcome::Trial(trial) => match &trial.score {
            Some(score) => format!("{} with score {}", trial.verdict, score_text(score)),
            None => trial.verdict.to_string(),
        },
        Outcome::Build(Build::Program { .. }) => "it compiles".into(),
        Outcome::Build(Build::Refused { .. }) => "it does not compile".into(),
        Outcome::Validation(reply) if reply.accepted => "the validators accept it".into(),
        Outcome::Validation(_) => "the validators refuse it".into(),
        Outcome::Grade(text) => format!("the grader printed {text:?}"),
        Outcome::Case(_) | Outcome::Drawing(_) | Outcome::Probe(_) => return None,
    })
}
