//! What the parts of a class's page have in common.

use crate::phrases::{Tone, one_line};
use maud::{Markup, html};
use std::collections::BTreeMap;

/// What the page of a class shows besides its results.
#[derive(Debug, Clone, Copy, Default)]
pub struct ClassView<'a> {
    /// Names of participants to the pages of their own.
    pub pages: Option<&'a BTreeMap<String, String>>,
    /// Where changes are announced, and how far judging is; `None`: it is over.
    pub live: Option<(&'a str, &'a str)>,
}

/// A participant's name, as a link where there is a page.
pub(super) fn name_link(name: &str, view: ClassView) -> Markup {
    let page = view.pages.and_then(|pages| pages.get(name));
    html! { @if let Some(page) = page { a href=(page) { (one_line(name)) } } @else { (one_line(name)) } }
}

/// The class of a tone; the same thing always stands there in letters, too.
pub(super) fn tone_class(tone: Tone) -> &'static str {
    match tone {
        Tone::Good => "good",
        Tone::Bad => "bad",
        Tone::Unsure => "unsure",
        Tone::Plain | Tone::Strong => "",
    }
}
