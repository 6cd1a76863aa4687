//! Pages in the languages of participants: no sentence stays English.

use super::decided_report;
use kopek::{
    render::participant_pages,
    results::{FeedbackLevel, Note, Report, case_in_text},
    sentences::{Decimal, Listed, PageLanguage, Said},
};
use regex_lite::Regex;
use std::collections::BTreeSet;

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
