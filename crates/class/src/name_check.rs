//! Whether a text names anybody of a class: what anonymous reports do not show.
//!
//! Words are compared without capitals, accents and the usual transliterations, each alone, and the whole name in both orders as
//! one word.

use kopek_package::{check::Difference, package::HandIn};
use kopek_plan::plan::{TranscriptPiece, Trial};
use kopek_results::{Counterexamples, RowReport, TextExcerpt};
use kopek_sentences::Said;
use std::collections::BTreeSet;
use unicode_normalization::{UnicodeNormalization, char::is_combining_mark};

/// Shown instead of a text that names anybody.
const HIDDEN: &str = "(hidden: it contains a name)";

/// Shorter parts of names are also common words.
const MIN_PART: usize = 3;
/// Shorter numbers are also outputs of most programs, and identify nobody.
const MIN_NUMBER: usize = 4;

/// The names, accounts and numbers of a class.
#[derive(Debug, Clone, Default)]
pub struct NameCheck {
    /// Each alone names somebody.
    words: BTreeSet<String>,
    /// Names of several words as one word, in both orders, also if the words are short.
    joined: BTreeSet<String>,
}

impl NameCheck {
    /// Adds a name, an account, an address or a number.
    pub fn add(&mut self, name: &str) {
        // The rest of an address is an institution's.
        let name = name.split('@').next().unwrap_or_default();
        for word in words_of(name).iter().flat_map(|word| pieces_of(word)) {
            let least = if is_number(word) { MIN_NUMBER } else { MIN_PART };
            if word.chars().count() >= least {
                self.words.insert(plain(word));
            }
        }
        self.add_joined(name);
    }

    /// The words of a name that are written as one.
    fn add_joined(&mut self, name: &str) {
        let mut words = words_of(name);
        if words.len() < 2 {
            return;
        }
        for _ in 0..2 {
            let joined = words.concat();
            if joined.chars().count() > MIN_PART && !is_number(&joined) {
                self.joined.insert(plain(&joined));
            }
            words.reverse();
        }
    }

    pub(super) fn add_hand_in(&mut self, hand_in: &HandIn) {
        hand_in.id.iter().chain(&hand_in.email).for_each(|own| self.add(own));
        // No single word of it: `Team Blue` is not known by `blue`.
        hand_in.group.iter().for_each(|group| self.add_joined(group));
    }

    /// Whether a text holds a name, an account or a number of anybody.
    pub fn finds_name(&self, text: &str) -> bool {
        let words = words_of(text);
        if words.iter().flat_map(|word| pieces_of(word)).any(|word| self.words.contains(&plain(word))) {
            return true;
        }
        let joined = plain(&words.concat());
        self.joined.iter().any(|name| joined.contains(name.as_str()))
    }

    /// The text, or that it is hidden.
    pub fn shown(&self, text: &str) -> String {
        if self.finds_name(text) { HIDDEN.to_owned() } else { text.to_owned() }
    }

    fn hide(&self, text: &mut String) {
        if self.finds_name(text) {
            HIDDEN.clone_into(text);
        }
    }

    fn hide_said(&self, said: &mut Said) {
        if self.finds_name(&said.to_string()) {
            *said = Said::Hidden;
        }
    }

    /// Leaves nothing in a row that names anybody. `files` are those of its hand-in, whose names participants choose.
    pub fn hide_in_row(&self, row: &mut RowReport, files: &BTreeSet<String>) {
        // Comments, style and the names of variables identify the author.
        row.source.clear();
        row.compile_message.clear();
        for note in &mut row.notes {
            let text = note.said.to_string();
            if self.finds_name(&text) || files.iter().any(|file| text.contains(file.as_str())) {
                note.said = Said::Hidden;
            }
        }
        if let Some(mistake) = &mut row.memory_mistake {
            mistake.place = None;
            self.hide_said(&mut mistake.what);
        }
        row.card.judge_errors.iter_mut().for_each(|error| self.hide(error));
        row.cases
            .iter_mut()
            .filter_map(|case| case.trial.as_mut())
            .for_each(|trial| self.hide_in_trial(trial));
    }

    fn hide_in_trial(&self, trial: &mut Trial) {
        trial.stderr.clear();
        self.hide(&mut trial.judge_message);
        self.hide(&mut trial.team_message);
        trial.notes.iter_mut().for_each(|note| self.hide_said(note));
        let mut texts: Vec<&str> = Vec::new();
        if let Some(Difference { output_lines, found, .. }) = &trial.difference {
            texts.push(output_lines);
            texts.extend(found.as_deref());
        }
        let said: String = trial.transcript.iter().map(text_of_piece).collect();
        texts.push(&said);
        let names_somebody = texts.iter().any(|text| self.finds_name(text));
        if names_somebody {
            // As a whole: the words of a name may be in different parts.
            trial.transcript.clear();
            trial.difference = None;
            trial.notes.insert(0, Said::OutputHidden);
        }
    }

    /// The same for inputs on which programs fail.
    pub fn hide_in_counterexamples(&self, found: &mut Counterexamples) {
        for failure in found.inputs.iter_mut().flat_map(|example| &mut example.failures) {
            for TextExcerpt { text, .. } in failure.printed.iter_mut().chain(&mut failure.conversation) {
                self.hide(text);
            }
            failure.programs.iter_mut().for_each(|program| program.stderr.clear());
        }
    }
}

fn text_of_piece(piece: &TranscriptPiece) -> &str {
    match piece {
        TranscriptPiece::Judge { text, .. } | TranscriptPiece::Submission { text, .. } => text,
        TranscriptPiece::Pass(_) | TranscriptPiece::Cut => "\n",
    }
}

fn is_number(text: &str) -> bool {
    text.bytes().all(|byte| byte.is_ascii_digit())
}

/// The letters and digits between other signs.
fn words_of(text: &str) -> Vec<String> {
    let text: String = text.nfc().collect();
    let words = text.split(|letter: char| !letter.is_alphanumeric());
    words.filter(|word| !word.is_empty()).map(str::to_owned).collect()
}

/// A word, and its parts between letters and digits and before capital letters: `annaSmith17` has three.
fn pieces_of(word: &str) -> Vec<&str> {
    let mut pieces = vec![word];
    let mut start = 0;
    let mut last: Option<char> = None;
    for (at, letter) in word.char_indices() {
        let begins = last.is_some_and(|last| {
            last.is_numeric() != letter.is_numeric() || last.is_lowercase() && letter.is_uppercase()
        });
        if begins {
            pieces.push(&word[start..at]);
            start = at;
        }
        last = Some(letter);
    }
    if start > 0 {
        pieces.push(&word[start..]);
    }
    pieces
}

/// Signs with another base than Unicode gives them, as people write them without accents.
const BASES: [(char, &str); 9] = [
    ('ß', "ss"),
    ('æ', "ae"),
    ('œ', "oe"),
    ('ø', "o"),
    ('ł', "l"),
    ('đ', "d"),
    ('ð', "d"),
    ('þ', "th"),
    ('ı', "i"),
];

/// In small letters without accents; `ae` and `ä` are both `a`, whichever a text has.
fn plain(word: &str) -> String {
    let mut plain = String::new();
    for letter in word.to_lowercase().nfd().filter(|letter| !is_combining_mark(*letter)) {
        match BASES.iter().find(|(own, _)| *own == letter) {
            Some((_, base)) => plain += base,
            None => plain.push(letter),
        }
    }
    plain.replace("ae", "a").replace("oe", "o").replace("ue", "u").replace("aa", "a")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_is_found_in_every_spelling() {
        let mut check = NameCheck::default();
        ["Zoë Strauß", "Jörg Müller", "Li Wu", "Søren Ångström", "Ron McDonald"]
            .iter()
            .for_each(|name| check.add(name));
        let hand_in = HandIn {
            id: Some("51021".into()),
            email: Some("amber.fox17@example.org".into()),
            group: Some("Team Oxlip".into()),
            ..HandIn::default()
        };
        check.add_hand_in(&hand_in);
        check.add("17");
        for text in [
            "zoe strauss",
            "STRAUSS",
            "by Zoe\u{308}!",
            "class ZoeStrauss {",
            "zoestrauss",
            "straußzoë",
            "Joerg",
            "jorg",
            "Mueller",
            "muller2",
            "x_müller_y",
            "li_wu",
            "Wu, Li",
            "wuli.py",
            "soren",
            "Soeren",
            "aangstrom",
            "ångström",
            "51021",
            "id51021",
            "amber",
            "fox",
            "team-oxlip",
            "McDonald",
            "mcdonald",
        ] {
            assert!(check.finds_name(text), "{text}");
        }
        for text in
            ["", "17", "5102", "510211", "li", "straussing", "jo mullers", "example", "12 34", "sue", "oxlip"]
        {
            assert!(!check.finds_name(text), "{text}");
        }
        assert_eq!(check.shown("by Zoe"), "(hidden: it contains a name)");
    }
}
