//! Common parts of a class's page.

use crate::phrases::Tone;
use kopek_base::wording::one_line;
use maud::{Markup, html};
use std::collections::BTreeMap;

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
