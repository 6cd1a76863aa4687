//! Layouts of folders of hand-ins, one file each.

mod canvas;
mod gradescope;
mod moodle;
mod plain;
mod repositories;

pub(super) use plain::entry_stem;

use super::{
    found_files::FileFinder,
    found_person::{FoundClass, LayoutRequest},
};
use anyhow::Result;
use std::path::PathBuf;

/// A layout of a folder of hand-ins.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum HandInLayout {
    /// `NAME.ext` or `NAME/…`.
    Plain,
    /// Moodle's download, with or without folders.
    Moodle,
    Canvas,
    Gradescope,
    /// A repository for each participant.
    Repositories,
}

impl HandInLayout {
    /// All layouts, in the order of detection: the surest signs first.
    pub const ALL: [HandInLayout; 5] = [
        HandInLayout::Gradescope,
        HandInLayout::Moodle,
        HandInLayout::Canvas,
        HandInLayout::Repositories,
        HandInLayout::Plain,
    ];

    pub fn name(self) -> &'static str {
        match self {
            HandInLayout::Plain => "plain",
            HandInLayout::Moodle => "moodle",
            HandInLayout::Canvas => "canvas",
            HandInLayout::Gradescope => "gradescope",
            HandInLayout::Repositories => "repositories",
        }
    }

    pub fn parse(name: &str) -> Option<HandInLayout> {
        HandInLayout::ALL.into_iter().find(|layout| layout.name() == name)
    }

    pub(super) fn detect(entries: &[PathBuf]) -> HandInLayout {
        let fits = |layout: &HandInLayout| match layout {
            HandInLayout::Gradescope => gradescope::fits(entries),
            HandInLayout::Moodle => moodle::fits(entries),
            HandInLayout::Canvas => canvas::fits(entries),
            HandInLayout::Repositories => repositories::fits(entries),
            HandInLayout::Plain => true,
        };
        HandInLayout::ALL.into_iter().find(fits).unwrap_or(HandInLayout::Plain)
    }

    /// The people that these entries belong to.
    pub(super) fn find_people(self, request: LayoutRequest, finder: &mut FileFinder) -> Result<FoundClass> {
        match self {
            HandInLayout::Gradescope => gradescope::find_people(request, finder),
            HandInLayout::Moodle => Ok(moodle::find_people(request, finder)),
            HandInLayout::Canvas => Ok(canvas::find_people(request, finder)),
            HandInLayout::Repositories => Ok(repositories::find_people(request, finder)),
            HandInLayout::Plain => Ok(plain::find_people(request, finder)),
        }
    }
}
