//! A generator with calls that have open places. Pure.

use super::template_words::{TemplatePiece, TemplateWords, explored_pieces, push_text, range_pieces};
use kopek_plan::plan::{Program, SeedPlace};
use std::sync::Arc;

/// A generator's call with placeholders.
#[derive(Debug, Clone)]
pub struct CommandTemplate {
    /// The command as written, to show to people.
    pub text: String,
    pub program: Arc<Program>,
    pub(super) words: TemplateWords,
    /// Index of the hunt's ground for its inputs.
    pub ground: usize,
}

impl CommandTemplate {
    /// A command of a recipe: its seed becomes a placeholder, and its numbers are explored.
    pub(super) fn of_recipe(
        text: &str,
        program: Arc<Program>,
        args: &[String],
        seed: Option<&SeedPlace>,
        ground: usize,
    ) -> CommandTemplate {
        let word = |(at, word): (usize, &String)| match seed {
            Some(seed) if seed.arg == at => {
                let mut pieces = Vec::new();
                push_text(&mut pieces, &seed.prefix);
                pieces.push(TemplatePiece::Seed);
                push_text(&mut pieces, &seed.suffix);
                pieces
            }
            Some(_) | None => explored_pieces(word),
        };
        let words = TemplateWords { words: args.iter().enumerate().map(word).collect() };
        CommandTemplate { text: text.to_owned(), program, words, ground }
    }

    /// A command written by hand for a hunt, with `{seed}` and `{a..b}`.
    pub(super) fn of_words(
        text: &str,
        program: Arc<Program>,
        args: &[String],
        ground: usize,
    ) -> CommandTemplate {
        let words = TemplateWords { words: args.iter().map(|word| range_pieces(word)).collect() };
        CommandTemplate { text: text.to_owned(), program, words, ground }
    }

    /// The same, with a seed at the end if it has no placeholder, so that calls differ.
    #[must_use]
    pub(super) fn with_some_seed(mut self) -> CommandTemplate {
        if self.is_fixed() {
            self.words.words.push(vec![TemplatePiece::Seed]);
        }
        self
    }

    /// Whether all calls are the same.
    pub(super) fn is_fixed(&self) -> bool {
        self.words.is_fixed()
    }

    /// The maximum number that a placeholder may have.
    pub(super) fn max(&self) -> i128 {
        self.words.max()
    }
}
