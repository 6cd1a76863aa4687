//! The sentences for participants in their language.
//!
//! English is in the code. A file for each language translates sentences, with their values as named placeholders; what it
//! lacks stays English.

use kopek_results::PageLanguage;
use maud::{Markup, PreEscaped};
use std::sync::LazyLock;

/// The language of a page.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Words(pub PageLanguage);

/// In the format of gettext: `msgid "Right, in {time}."`, then `msgstr` alike.
const FILES: [(PageLanguage, &str); 3] = [
    (PageLanguage::German, include_str!("words/de.po")),
    (PageLanguage::Spanish, include_str!("words/es.po")),
    (PageLanguage::French, include_str!("words/fr.po")),
];

static TABLES: LazyLock<Vec<(PageLanguage, Vec<Sentence>)>> =
    LazyLock::new(|| FILES.iter().map(|(language, text)| (*language, sentences(text))).collect());

/// Placeholders for sentences and words that are translated, too.
const NESTED: [&str; 6] = ["amount", "count", "group", "most", "reason", "state"];
/// Placeholders for values that may contain `; `.
const HOLDING_ANYTHING: [&str; 2] = ["changes", "file"];
/// A placeholder for a span of time: `1 day 2 hours`.
const SPAN: &str = "span";

struct Sentence {
    english: Vec<Piece>,
    translated: Vec<Piece>,
}

enum Piece {
    Text(&'static str),
    Value(&'static str),
}

impl Words {
    /// The sentence in this language, by the first template that fits. Of several with `; ` between them, each one: no
    /// value contains it but the name of a file.
    pub fn say(self, english: &str) -> String {
        let table = TABLES.iter().find(|(language, _)| *language == self.0);
        let Some((_, table)) = table else { return english.to_owned() };
        let found = table.iter().find_map(|sentence| Some((sentence, values(&sentence.english, english)?)));
        match found {
            Some((sentence, values)) => self.fill(&sentence.translated, &values),
            None if english.contains("; ") => {
                english.split("; ").map(|part| self.say(part)).collect::<Vec<_>>().join("; ")
            }
            None => english.to_owned(),
        }
    }

    /// The same for a sentence with marked words.
    pub(super) fn html(self, english: &Markup) -> Markup {
        PreEscaped(self.say(&english.0))
    }

    fn fill(self, translated: &[Piece], values: &[(&str, &str)]) -> String {
        let text = |piece: &Piece| match piece {
            Piece::Text(text) => (*text).to_owned(),
            Piece::Value(name) => {
                let value = values.iter().find(|(own, _)| own == name).map_or("", |(_, value)| value);
                match *name {
                    SPAN => self.say_pairs(value),
                    name if NESTED.contains(&name) => self.say(value),
                    _ => value.to_owned(),
                }
            }
        };
        translated.iter().map(text).collect()
    }

    fn say_pairs(self, numbers_and_units: &str) -> String {
        let words: Vec<&str> = numbers_and_units.split(' ').collect();
        words.chunks(2).map(|pair| self.say(&pair.join(" "))).collect::<Vec<_>>().join(" ")
    }
}

/// The values of a template's placeholders in a text; `None`: it does not fit.
fn values<'t>(template: &[Piece], text: &'t str) -> Option<Vec<(&'static str, &'t str)>> {
    let (first, rest) = match template.split_first() {
        None => return text.is_empty().then(Vec::new),
        Some(parts) => parts,
    };
    let name = match first {
        Piece::Text(start) => return values(rest, text.strip_prefix(start)?),
        Piece::Value(name) => *name,
    };
    let ends: Vec<usize> = match rest.first() {
        None => vec![text.len()],
        Some(Piece::Text(next)) => text.match_indices(next).map(|(at, _)| at).collect(),
        Some(Piece::Value(_)) => unreachable!("a test refuses placeholders side by side"),
    };
    ends.into_iter().filter(|&end| end > 0).find_map(|end| {
        let value = &text[..end];
        let fits = match name {
            "number" => value.bytes().all(|byte| byte.is_ascii_digit()),
            // `4 more cases`, `2 days`
            "count" | SPAN => value.starts_with(|first: char| first.is_ascii_digit()),
            "name" => !value.contains(": "),
            _ => true,
        };
        let may_hold_many = HOLDING_ANYTHING.contains(&name);
        let fits = fits && (may_hold_many || !value.contains("; "));
        let later = values(rest, &text[end..]).filter(|_| fits)?;
        Some([vec![(name, value)], later].concat())
    })
}

fn sentences(file: &'static str) -> Vec<Sentence> {
    let quoted = |line: &'static str, key: &str| line.strip_prefix(key)?.strip_suffix('"');
    let ids = file.lines().filter_map(|line| quoted(line, "msgid \""));
    let texts = file.lines().filter_map(|line| quoted(line, "msgstr \""));
    let pairs = ids.zip(texts).filter(|(id, text)| !id.is_empty() && !text.is_empty());
    pairs.map(|(id, text)| Sentence { english: pieces(id), translated: pieces(text) }).collect()
}

fn pieces(text: &'static str) -> Vec<Piece> {
    let mut pieces = Vec::new();
    for part in text.split('{') {
        let (value, rest) = part.split_once('}').map_or((None, part), |(value, rest)| (Some(value), rest));
        pieces.extend(value.map(Piece::Value));
        pieces.extend((!rest.is_empty()).then_some(Piece::Text(rest)));
    }
    pieces
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::{collections::BTreeSet, fs, path::Path};

    fn ids(file: &str) -> Vec<&str> {
        file.lines().filter_map(|line| line.strip_prefix("msgid \"")?.strip_suffix('"')).collect()
    }

    fn placeholders(pieces: &[Piece]) -> BTreeSet<&str> {
        let name = |piece: &Piece| if let Piece::Value(name) = piece { Some(*name) } else { None };
        pieces.iter().filter_map(name).collect()
    }

    /// With a value for each placeholder that no sentence takes for another.
    fn filled(pieces: &[Piece]) -> String {
        let text = |piece: &Piece| match piece {
            Piece::Text(text) => (*text).to_owned(),
            Piece::Value("number" | "count" | SPAN) => "7".to_owned(),
            Piece::Value(name) => format!("<{name}>"),
        };
        pieces.iter().map(text).collect()
    }

    #[test]
    fn all_files_have_the_same_sentences_with_the_same_placeholders() {
        for ((language, table), (_, file)) in TABLES.iter().zip(FILES) {
            assert_eq!(ids(file), ids(FILES[0].1), "{language:?}");
            assert_eq!(table.len() + 1, ids(file).len(), "{language:?}: a sentence is empty");
            for Sentence { english, translated } in table {
                let id = filled(english);
                assert_eq!(placeholders(english), placeholders(translated), "{language:?}: {id}");
                let are_side_by_side = |two: &[Piece]| two.iter().all(|one| matches!(one, Piece::Value(_)));
                assert!(!english.windows(2).any(are_side_by_side), "{id}");
                assert_eq!(Words(*language).say(&id), filled(translated), "an earlier sentence fits: {id}");
            }
        }
    }

    #[test]
    fn values_are_kept_and_our_own_words_in_them_are_translated() {
        let german = Words(PageLanguage::German);
        for (english, wanted) in [
            ("skipped: Group 2 was not passed", "übersprungen: Gruppe 2 nicht bestanden"),
            (
                "1 day 6 hours after the deadline; 2 days late",
                "1 Tag 6 Stunden nach dem Abgabetermin; 2 Tage zu spät",
            ),
            ("4 more cases right", "4 weitere Testfälle richtig"),
            ("a sentence that no file has", "a sentence that no file has"),
            ("x more cases", "x more cases"),
            ("data or limits of the problem", "Daten oder Limits der Aufgabe"),
            (
                "the file is empty; x.py was UTF-16, converted to UTF-8",
                "the file is empty; x.py war UTF-16, umgewandelt in UTF-8",
            ),
            ("by hand: Noether: nice; but late", "von Hand: Noether: nice; but late"),
            (
                "late hand-ins lose 10 % of the points reached up to 1 day late; 5 points up to 2 days late",
                "verspätete Abgaben verlieren 10 % der erreichten Punkte bis 1 Tag Verspätung; 5 Punkte bis 2 Tage Verspätung",
            ),
            (
                "a.py: this is Python 2 (`print` without parentheses); it is judged as Python 3",
                "a.py: das ist Python 2 (`print` ohne Klammern); es wird als Python 3 bewertet",
            ),
        ] {
            assert_eq!(german.say(english), wanted);
            assert_eq!(Words::default().say(english), english);
        }
    }

    fn add_sources(dir: &Path, all: &mut String) {
        for entry in fs::read_dir(dir).unwrap().map(|entry| entry.unwrap().path()) {
            if entry.is_dir() {
                add_sources(&entry, all);
            } else if entry.extension().is_some_and(|ending| ending == "rs") && !entry.ends_with("words.rs") {
                // A text may continue in the next line.
                for line in fs::read_to_string(&entry).unwrap().lines().map(str::trim_start) {
                    all.push_str(line.strip_suffix('\\').unwrap_or(line));
                }
            }
        }
    }

    /// Sentences are made of pieces, so each piece is looked for.
    #[test]
    fn every_sentence_is_in_the_code() {
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
        let mut code = String::new();
        ["crates", "src"].iter().for_each(|dir| add_sources(&root.join(dir), &mut code));
        let mut stale = Vec::new();
        for Sentence { english, .. } in &TABLES[0].1 {
            for piece in english {
                let Piece::Text(text) = piece else { continue };
                for part in text.split([',', ':', ';']) {
                    let part = part.trim_matches(|c: char| !c.is_alphabetic()).trim_end_matches('s');
                    let part = part.strip_prefix("it ").unwrap_or(part);
                    stale.extend((!code.contains(part)).then(|| (part, filled(english))));
                }
            }
        }
        assert_eq!(stale, []);
    }
}
