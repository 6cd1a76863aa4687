//! A program with line numbers.

use kopek_base::wording::{one_line, without_control_characters};
use kopek_package::language::FileBytes;
use kopek_sentences::{PageLanguage, Said};
use maud::{Markup, html};

/// The files of a program that are text.
pub(super) fn program_text(source: &FileBytes, language: PageLanguage) -> Markup {
    html! {
        @for (path, file) in source {
            h4 { (one_line(&path.to_string_lossy())) }
            @match std::str::from_utf8(&file.bytes).ok().filter(|text| !text.contains('\0')) {
                Some(text) => pre class="source" tabindex="0" { code { @for line in text.lines() { (source_line(html! { (without_control_characters(line)) })) } } },
                None => p class="soft" { (language.say(&Said::NoText)) },
            }
        }
    }
}

/// A line; the style sheet numbers it.
pub(super) fn source_line(content: Markup) -> Markup {
    html! { span class="l" { (content) } "\n" }
}
