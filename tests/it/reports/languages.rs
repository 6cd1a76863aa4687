//! Pages in the languages of participants: no sentence stays English.

use super::decided_report;
use kopek::{
    render::participant_pages,
    results::{FeedbackLevel, Note, Report, SlowInput, case_in_text},
    sentences::{Decimal, Listed, PageLanguage, Said},
};
use regex_lite::Regex;
use std::{collections::BTreeSet, time::Duration};

/// Words and names that are equal in two languages.
const EQUAL: [&str; 4] = ["kopek", "Test", "points", "n"];

/// The texts of the pages between their marks, without programs and data.
fn texts(report: &Report) -> BTreeSet<String> {
    let data =
        Regex::new(r"(?s)<(pre|code|style|script|title)\b.*?</(pre|code|style|script|title)>").unwrap();
    let marks = Regex::new(r"<[^>]*>").unwrap();
    let label = Regex::new("aria-label=\"([^\"]*)\"").unwrap();
    let mut all = BTreeSet::new();
    for (_, page) in participant_pages(report) {
        all.extend(label.captures_iter(&page).map(|found| found[1].to_owned()));
        let page = data.replace_all(&page, "<>");
        let texts = marks.split(&page).map(str::trim);
        all.extend(texts.filter(|text| text.chars().any(char::is_alphabetic)).map(str::to_owned));
    }
    all
}

/// Fails for each text that is the same in English and in another language, but for these names.
#[track_caller]
pub fn assert_translated(report: &Report, names: &[&str]) {
    let of = |language| texts(&Report { language, ..report.clone() });
    let english = of(PageLanguage::English);
    assert!(english.len() > 10, "{english:?}");
    for language in PageLanguage::ALL.into_iter().filter(|own| *own != PageLanguage::English) {
        let translated = of(language);
        let has_equal_words = |text: &str| {
            let mut words =
                text.split(|letter: char| !letter.is_alphabetic()).filter(|word| !word.is_empty());
            words.all(|word| EQUAL.contains(&word))
        };
        let is_known =
            |text: &&String| names.contains(&text.trim_end_matches([':', ' '])) || has_equal_words(text);
        let left: Vec<&String> = english.intersection(&translated).filter(|text| !is_known(text)).collect();
        assert!(left.is_empty(), "{language:?}: {left:#?}");
    }
}

/// Each kind of change of each kind of place.
fn changes() -> Vec<Said> {
    let about = |place: Said, shape: Said| Said::About { place: Box::new(place), reason: Box::new(shape) };
    let is = |number: Said| Said::NumberIs { number: Box::new(number), value: Decimal::new(32) };
    vec![
        is(Said::Name { name: "n".into() }),
        is(Said::FirstNumberOfLine { line: 2 }),
        is(Said::NumberOfLine { number: 15, line: 2 }),
        about(Said::WholeLine { line: 3 }, Said::Letters { number: 1 }),
        about(Said::WholeLine { line: 4 }, Said::MultiplesOf { number: 42_043 }),
        about(Said::ColumnFromLine { column: 2, line: 5 }, Said::CountingUp),
        about(Said::PairsFromLine { line: 5 }, Said::MixedPath),
        about(Said::WordOfLine { word: 2, line: 6 }, Said::OtherLetterMiddle),
    ]
}

#[test]
fn changes_of_a_slow_input_are_in_the_language_of_the_page() {
    let slow = SlowInput {
        case: "sample/1".into(),
        changes: changes(),
        input: Vec::new(),
        time: Duration::from_secs(3),
        limit: Duration::from_secs(1),
        accepted: Duration::from_millis(7),
    };
    let mut report = Report { feedback: FeedbackLevel::Full, ..decided_report() };
    report.packages[0].rows[0].slow_input = Some(slow);
    for (language, expected) in [
        (
            PageLanguage::English,
            "exceeds the time limit with n = 32; the first number of line 2 = 32; number 15 of line 2 = 32; \
             line 3: 1 letter; line 4: multiples of 42043; column 2 from line 5 on: counting up; \
             the pairs from line 5 on: a path with mixed numbers; \
             word 2 of line 6: one letter, the middle another \
             (accepted solutions take at most 0.007 s)",
        ),
        (
            PageLanguage::German,
            "überschreitet das Zeitlimit mit dieser Eingabe: n = 32; die erste Zahl in Zeile 2 = 32; \
             die 15. Zahl in Zeile 2 = 32; Zeile 3: 1 Buchstabe; Zeile 4: Vielfache von 42043; \
             Spalte 2 ab Zeile 5: aufwärts gezählt; die Paare ab Zeile 5: ein Pfad mit gemischten Nummern; \
             das 2. Wort in Zeile 6: ein Buchstabe, in der Mitte ein anderer \
             (richtige Lösungen brauchen höchstens 0,007 s)",
        ),
        (
            PageLanguage::French,
            "dépasse la limite de temps avec cette entrée : n = 32 ; le premier nombre de la ligne 2 = 32 ; \
             le 15e nombre de la ligne 2 = 32 ; ligne 3 : 1 lettre ; ligne 4 : des multiples de 42043 ; \
             colonne 2 à partir de la ligne 5 : en comptant vers le haut ; \
             les paires à partir de la ligne 5 : un chemin aux numéros mélangés ; \
             le 2e mot de la ligne 6 : une lettre, une autre au milieu \
             (les solutions acceptées prennent au plus 0,007 s)",
        ),
        (
            PageLanguage::Spanish,
            "supera el límite de tiempo con esta entrada: n = 32; el primer número de la línea 2 = 32; \
             el número 15 de la línea 2 = 32; línea 3: 1 letra; línea 4: múltiplos de 42043; \
             columna 2 desde la línea 5: contando hacia arriba; \
             los pares desde la línea 5: un camino con números mezclados; \
             la palabra 2 de la línea 6: una letra, otra en el medio \
             (las soluciones correctas tardan como mucho 0,007 s)",
        ),
    ] {
        report.language = language;
        let texts = texts(&report);
        let found = texts.iter().find(|text| text.contains("42043"));
        assert_eq!(found.map(String::as_str), Some(expected), "{language:?}");
    }
}

#[test]
fn every_text_of_a_page_is_in_its_language() {
    for feedback in [FeedbackLevel::AsDeclared, FeedbackLevel::Full] {
        let mut report = Report { feedback, ..decided_report() };
        let cases = Listed::first(vec![case_in_text("secret/2/b")], 20);
        report.notices.rules = vec![
            Said::OneRunDecided,
            Said::TotalsRounded { step: Decimal::new("0.5") },
            Said::CaseExcluded { package: "sums".into(), cases },
        ];
        let row = &mut report.packages[0].rows[0];
        row.notes.push(Note::for_teacher("not for participants"));
        let rows = &report.packages[0].rows;
        let mut names: Vec<&str> = rows.iter().map(|row| row.card.name.as_str()).collect();
        names.extend([
            "=HYPERLINK(&quot;http://x&quot;)",
            "From Russia with Love",
            "general",
            "last",
            "small",
        ]);
        assert_translated(&report, &names);
    }
}
