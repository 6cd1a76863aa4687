//! The terminal or paper for a text.

use kopek_sentences::PageLanguage;

/// The terminal or paper for a text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Page {
    /// In columns.
    pub width: usize,
    /// Whether colours can be seen.
    pub colour: Colour,
    /// Of the texts for participants.
    pub language: PageLanguage,
}

/// Whether colours can be seen. No fact is shown by colour alone.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Colour {
    /// No escape sequences.
    Plain,
    Coloured,
}

impl Default for Page {
    /// A plain page of 80 columns in English.
    fn default() -> Page {
        Page { width: 80, colour: Colour::Plain, language: PageLanguage::English }
    }
}

impl Page {
    /// A terminal may call itself narrower than any table can be.
    pub(super) fn usable(self) -> Page {
        Page { width: self.width.max(40), ..self }
    }
}
