//! What all pages share: head, style and script, a policy that forbids them to load anything, links and colours.

use crate::phrases::Tone;
use base64::{Engine, prelude::BASE64_STANDARD};
use kopek_base::wording::one_line;
use kopek_sentences::{PageLanguage, Said};
use maud::{DOCTYPE, Markup, PreEscaped, html};
use sha2::{Digest, Sha256};
use std::collections::BTreeMap;

const STYLE: &str = include_str!("page.css");
const SCRIPT: &str = include_str!("page.js");

pub fn whole_page(title: &str, body: &Markup) -> String {
    page_in(PageLanguage::English, title, body)
}

/// A page in a language of participants.
pub(super) fn page_in(language: PageLanguage, title: &str, body: &Markup) -> String {
    let page = html! {
        (DOCTYPE)
        html lang=(language.code()) {
            head {
                meta charset="utf-8";
                meta http-equiv="Content-Security-Policy" content=(content_policy());
                meta name="viewport" content="width=device-width, initial-scale=1";
                meta name="referrer" content="no-referrer";
                meta name="generator" content=(concat!("kopek ", env!("CARGO_PKG_VERSION")));
                title { (title) }
                // An icon in the page: browsers ask the server for one otherwise.
                link rel="icon" href="data:,";
                style { (PreEscaped(STYLE)) }
            }
            body {
                a class="skip" href="#main" { (language.say(&Said::SkipToResults)) }
                main id="main" tabindex="-1" { (body) }
                script { (PreEscaped(SCRIPT)) }
            }
        }
    };
    page.into_string()
}

/// A second defence behind the escaping: only this style and this script are allowed, by their digests, and
/// nothing can be loaded.
fn content_policy() -> String {
    let digest = |text: &str| BASE64_STANDARD.encode(Sha256::digest(text.as_bytes()));
    format!(
        "default-src 'none'; img-src data:; style-src 'sha256-{}'; script-src 'sha256-{}'; base-uri 'none'; form-action 'none'",
        digest(STYLE),
        digest(SCRIPT)
    )
}

/// Links on the page of a class.
#[derive(Debug, Clone, Copy, Default)]
pub struct ClassView<'a> {
    /// From names of participants to their pages.
    pub pages: Option<&'a BTreeMap<String, String>>,
}

/// A participant's name, as a link where there is a page.
pub(crate) fn name_link(name: &str, view: ClassView) -> Markup {
    let page = view.pages.and_then(|pages| pages.get(name));
    html! { @if let Some(page) = page { a href=(page) { (one_line(name)) } } @else { (one_line(name)) } }
}

/// The CSS class of a tone. Colour never shows a fact alone: the text says it, too.
pub(crate) fn tone_class(tone: Tone) -> &'static str {
    match tone {
        Tone::Good => "good",
        Tone::Bad => "bad",
        Tone::Unsure => "unsure",
        Tone::Plain | Tone::Strong => "",
    }
}

/// A part of a page, folded if it is long.
pub(crate) fn folded(title: &Markup, lines: usize, inside: &Markup) -> Markup {
    const MAX_OPEN: usize = 12;
    html! { details open[lines <= MAX_OPEN] { summary { (title) } (inside) } }
}

/// The teacher's rules in one box.
pub(super) fn rule_notes(rules: &[Said], language: PageLanguage) -> Markup {
    html! {
        @match rules {
            [] => {}
            [only] => { p class="note" { (language.say(only)) } }
            several => { ul class="note" { @for rule in several { li { (language.say(rule)) } } } }
        }
    }
}
