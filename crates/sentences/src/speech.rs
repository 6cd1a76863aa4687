//! The texts of sentences in a language.

use super::{arguments::Argument, said::Said};
use fluent_bundle::{FluentArgs, FluentResource, concurrent::FluentBundle};
use serde::{Serialize, Serializer};
use std::{fmt, str::FromStr, sync::LazyLock};

/// The language of pages and feedback for participants.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum PageLanguage {
    #[default]
    English,
    German,
    Spanish,
    French,
}

impl PageLanguage {
    pub const ALL: [PageLanguage; 4] =
        [PageLanguage::English, PageLanguage::German, PageLanguage::Spanish, PageLanguage::French];

    /// Two letters, as in HTML.
    pub fn code(self) -> &'static str {
        match self {
            PageLanguage::English => "en",
            PageLanguage::German => "de",
            PageLanguage::Spanish => "es",
            PageLanguage::French => "fr",
        }
    }

    pub(super) fn table(self) -> &'static str {
        match self {
            PageLanguage::English => include_str!("en.ftl"),
            PageLanguage::German => include_str!("de.ftl"),
            PageLanguage::Spanish => include_str!("es.ftl"),
            PageLanguage::French => include_str!("fr.ftl"),
        }
    }

    /// The sign behind a title.
    pub fn colon(self) -> &'static str {
        if self == PageLanguage::French { " : " } else { ": " }
    }

    pub fn say(self, said: &Said) -> String {
        Speech::new(self).say(said)
    }

    /// Several sentences as one.
    pub fn say_all(self, said: &[Said]) -> String {
        Speech::new(self).say_all(said)
    }

    /// With `quote` around each text that is no word of ours.
    pub fn say_quoting(self, said: &Said, quote: &dyn Fn(&str) -> String) -> String {
        Speech { language: self, quote }.say(said)
    }
}

impl FromStr for PageLanguage {
    type Err = String;

    fn from_str(text: &str) -> Result<PageLanguage, String> {
        let language = PageLanguage::ALL.into_iter().find(|language| language.code() == text);
        language
            .ok_or_else(|| format!("write one of {}", PageLanguage::ALL.map(PageLanguage::code).join(", ")))
    }
}

/// A language, and what becomes of foreign texts in its sentences.
pub(super) struct Speech<'q> {
    pub language: PageLanguage,
    pub quote: &'q dyn Fn(&str) -> String,
}

static TABLES: LazyLock<[FluentBundle<FluentResource>; 4]> = LazyLock::new(|| PageLanguage::ALL.map(bundle));

fn bundle(language: PageLanguage) -> FluentBundle<FluentResource> {
    let code = language.code().parse().expect("a code of ours");
    let mut bundle = FluentBundle::new_concurrent(vec![code]);
    // Pages and terminals would show the marks.
    bundle.set_use_isolating(false);
    let table = FluentResource::try_new(language.table().to_owned()).expect("a test reads all tables");
    bundle.add_resource(table).expect("a test finds each key once");
    bundle
}

impl Speech<'_> {
    pub fn new(language: PageLanguage) -> Speech<'static> {
        Speech { language, quote: &|text: &str| text.to_owned() }
    }

    pub fn say(&self, said: &Said) -> String {
        let mut arguments = FluentArgs::new();
        said.each_argument(&mut |name, argument: &dyn Argument| arguments.set(name, argument.value(self)));
        let at = PageLanguage::ALL.iter().position(|own| *own == self.language).expect("one of all");
        let bundle = &TABLES[at];
        let message = bundle.get_message(&said.code()).and_then(|message| message.value());
        let pattern = message.expect("a test looks up all keys");
        bundle.format_pattern(pattern, Some(&arguments), &mut Vec::new()).into_owned()
    }

    pub fn say_all(&self, said: &[Said]) -> String {
        let texts = said.iter().map(|one| self.say(one));
        // The texts are in the form of this speech already.
        let plain = Speech::new(self.language);
        texts.reduce(|before, after| plain.say(&Said::Separator { before, after })).unwrap_or_default()
    }
}

/// In English.
impl fmt::Display for Said {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str(&PageLanguage::English.say(self))
    }
}

/// A sentence in JSON: its code and arguments, and its English text. It is read back as a [`Said`], from the first two.
pub struct WithText<'a>(pub &'a Said);

impl Serialize for WithText<'_> {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        #[derive(Serialize)]
        struct Spoken<'a> {
            #[serde(flatten)]
            said: &'a Said,
            text: String,
        }
        Spoken { said: self.0, text: self.0.to_string() }.serialize(to)
    }
}

/// As [`WithText`], of a field.
pub fn serialize_said<S: Serializer>(said: &Said, to: S) -> Result<S::Ok, S::Error> {
    WithText(said).serialize(to)
}

/// As [`WithText`], of a field with several.
pub fn serialize_all_said<S: Serializer>(said: &[Said], to: S) -> Result<S::Ok, S::Error> {
    to.collect_seq(said.iter().map(WithText))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Decimal, Names, Span};
    use fluent_bundle::FluentValue;
    use std::collections::BTreeSet;

    #[test]
    fn every_sentence_has_a_text_in_every_language_with_all_its_arguments() {
        for (at, language) in PageLanguage::ALL.into_iter().enumerate() {
            let speech = Speech::new(language);
            let mut codes = BTreeSet::new();
            for said in Said::examples() {
                let place = format!("{language:?} {}", said.code());
                let message = TABLES[at].get_message(&said.code()).expect(&place);
                let pattern = message.value().expect(&place);
                let mut arguments = FluentArgs::new();
                said.each_argument(&mut |name, argument| arguments.set(name, argument.value(&speech)));
                let mut errors = Vec::new();
                let text = TABLES[at].format_pattern(pattern, Some(&arguments), &mut errors);
                assert!(errors.is_empty(), "{place}: {errors:?}");
                for (name, value) in arguments.iter() {
                    let value = match value {
                        FluentValue::String(text) => text.to_string(),
                        FluentValue::Number(number) => number.as_string().into_owned(),
                        other => panic!("{place}: {other:?}"),
                    };
                    assert!(text.contains(&*value), "{place}: {name} is not in {text}");
                }
                assert!(!text.contains(['\u{2068}', '\u{2069}']), "{place}");
                codes.insert(said.code());
            }
            let keys = language.table().lines().filter_map(|line| line.split_once(" ="));
            let keys: Vec<String> =
                keys.map(|(key, _)| key.to_owned()).filter(|key| !key.starts_with(' ')).collect();
            assert_eq!(keys.len(), codes.len(), "{language:?}: a key is there twice");
            assert_eq!(keys.into_iter().collect::<BTreeSet<_>>(), codes, "{language:?}");
        }
    }

    /// Sentences of arguments and signs only, and words that two languages share.
    const EQUAL: [&str; 24] = [
        "about",
        "at-place",
        "by-with-comment",
        "cases",
        "foreign",
        "hour",
        "hours",
        "input",
        "minutes",
        "name",
        "notebook-lines",
        "number",
        "number-is",
        "plus",
        "points",
        "points-in",
        "samples",
        "separator",
        "several",
        "span-of",
        "term",
        "test-column",
        "titled",
        "weighted-term",
    ];

    #[test]
    fn no_text_of_another_language_is_english() {
        let english: Vec<String> = Said::examples().iter().map(Said::to_string).collect();
        let mut equal = Vec::new();
        for language in PageLanguage::ALL.into_iter().filter(|own| *own != PageLanguage::English) {
            for (said, english) in Said::examples().iter().zip(&english) {
                let is_equal = language.decimals(english) == language.say(said);
                equal.extend((is_equal && !EQUAL.contains(&&*said.code())).then(|| (language, said.code())));
            }
        }
        assert_eq!(equal, []);
    }

    #[test]
    fn arguments_are_in_the_language_of_the_sentence() {
        let german = PageLanguage::German;
        let reason = Said::LateEach {
            span: Said::Days { number: 2 }.into(),
            amount: Said::PercentReached { percent: Decimal::new("2.5") }.into(),
        };
        let said = Said::Penalty { points: Decimal::new("6.75"), reason: reason.into() };
        assert_eq!(said.to_string(), "penalty of 6.75 points: 2 days late, 2.5 % of the points reached each");
        let text = "Abzug von 6,75 Punkten: 2 Tage zu spät, je 2,5 % der erreichten Punkte";
        assert_eq!(german.say(&said), text);
        let point = Said::Points { points: Decimal::new(1) };
        assert_eq!(
            PageLanguage::ALL.map(|own| own.say(&point)),
            ["1 point", "1 Punkt", "1 punto", "1 point"]
        );
        let span = |seconds| german.say(&Said::LateBy { span: Span(seconds) });
        assert_eq!([span(93_600), span(0)], ["1 Tag 2 Stunden zu spät", "0 Sekunden zu spät"]);
        assert_eq!(german.decimals("1.5 s, v1.x. 2.25"), "1,5 s, v1.x. 2,25");
        let french = PageLanguage::French.say_all(&[Said::InTime, Said::Right]);
        assert_eq!(french, "à temps ; Juste.");
    }

    #[test]
    fn names_with_commas_are_told_apart_and_have_no_control_characters() {
        let names = ["Lee, Ann", "Bob\n", "Eve"].map(String::from);
        let said = |max| Said::TeacherChooses { files: Names::first(&names, max) }.to_string();
        assert!(said(3).ends_with(": Lee, Ann; Bob ; Eve"), "{}", said(3));
        assert!(said(1).ends_with(": Lee, Ann and 2 more"), "{}", said(1));
        let said = Said::EndsBefore { expected: "a<b".into() };
        let html = PageLanguage::English.say_quoting(&said, &|text| format!("<code>{text}</code>"));
        assert_eq!(html, "Your program's output ends where <code>a<b</code> was expected");
    }

    #[test]
    fn json_has_code_arguments_and_text_and_is_read_back() {
        for said in Said::examples() {
            let json = serde_json::to_string(&WithText(&said)).unwrap();
            assert_eq!(serde_json::from_str::<Said>(&json).unwrap(), said, "{json}");
        }
        let said = Said::GroupSkipped { group: Said::GroupHeading { name: "2".into() }.into() };
        assert_eq!(
            serde_json::to_string(&WithText(&said)).unwrap(),
            "{\"code\":\"group-skipped\",\"arguments\":{\"group\":{\"code\":\"group-heading\",\"arguments\":\
             {\"name\":\"2\"}}},\"text\":\"skipped: Group 2 was not passed\"}"
        );
    }
}
