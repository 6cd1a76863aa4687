//! Searches that found nothing. That is a fact, too: it stays known until something changes on which it depends.

use anyhow::Result;
use kopek_base::Digest;
use kopek_engine::store::Store;
use kopek_plan::plan::Key;

/// Raised when searches can find more than before.
const MEANING: u32 = 3;

/// A search, by everything on which its result depends.
pub(crate) struct FruitlessSearch(String);

impl FruitlessSearch {
    /// `more` is what these keys do not cover.
    pub fn new(what: &str, keys: &[Key], more: &str) -> FruitlessSearch {
        let keys: Vec<String> = keys.iter().map(Key::to_string).collect();
        let text = format!("{MEANING} {} {more}", keys.join(" "));
        FruitlessSearch(format!("no {what} {}", Digest::of(text.as_bytes())))
    }

    pub fn is_known(&self, store: &Store) -> Result<bool> {
        Ok(!store.is_fresh() && store.recall(&self.0)?.unwrap_or(false))
    }

    pub fn keep(&self, store: &Store) -> Result<()> {
        store.remember(&self.0, &true)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_search_is_known_until_something_changes() {
        let store = Store::open(tempfile::tempdir().unwrap().path()).unwrap();
        let key = Digest::of(b"a key");
        let search = |what, more| FruitlessSearch::new(what, &[key], more);
        assert!(!search("growth", "5 s").is_known(&store).unwrap());
        search("growth", "5 s").keep(&store).unwrap();
        assert!(search("growth", "5 s").is_known(&store).unwrap());
        for other in
            [search("growth", "6 s"), search("slow input", "5 s"), FruitlessSearch::new("growth", &[], "5 s")]
        {
            assert!(!other.is_known(&store).unwrap());
        }
        store.ignore_older_facts();
        assert!(!search("growth", "5 s").is_known(&store).unwrap(), "everything is done again");
    }
}
