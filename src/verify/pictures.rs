//! The visualizers of a package on its cases: with a submission that is right.
//! Pictures are kept for whoever asked for them.

use super::{Bench, Level, Remark, Section, Verified, counted, judged::Seen};
use crate::{
    grade::{Album, Judged, Trouble, pictures},
    score::State,
    verdict::Verdict,
};
use std::collections::BTreeSet;

/// Which cases are drawn.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Gallery {
    /// The first of every directory: enough to see whether visualizers work.
    Specimens,
    /// All.
    Whole,
}

/// Draws, if there is something to draw with.
pub fn check(bench: &Bench, gallery: Gallery, judged: &Judged, seen: &[Seen], verified: &mut Verified) {
    let package = bench.package;
    if package.input_visualizer.is_none() && package.output_visualizer.is_none() {
        return;
    }
    let right = |seen: &Seen| seen.card.state == State::Decided(Verdict::Accepted);
    let row = seen.iter().position(right).unwrap_or(0);
    let cases = chosen(bench, gallery);
    match pictures(bench.workshop, package, judged, row, &cases) {
        Ok(album) => tell(album, cases.len(), verified),
        Err(fault) => verified.fault(format!("draw pictures: {fault}")),
    }
}

fn chosen(bench: &Bench, gallery: Gallery) -> Vec<usize> {
    let all = bench.tests.cases.iter().enumerate();
    let mut seen = BTreeSet::new();
    let mut first = |name: &str| seen.insert(name.rsplit_once('/').map(|(dir, _)| dir.to_owned()));
    let wanted = all.filter(|(_, case)| gallery == Gallery::Whole || first(&case.name));
    wanted.map(|(index, _)| index).collect()
}

/// The same trouble on many cases is told once, with the number.
fn tell(album: Album, cases: usize, verified: &mut Verified) {
    let told = album.troubles.first().map(|trouble| trouble.at);
    for at in ["input_visualizer", "output_visualizer"] {
        let own: Vec<&Trouble> = album.troubles.iter().filter(|trouble| trouble.at == at).collect();
        let Some(first) = own.first() else { continue };
        let more = if own.len() > 1 { format!("; {} more", own.len() - 1) } else { String::new() };
        let what = format!("{}{more}", first.what);
        let remark = Remark::new(Section::Data, Level::Error, what).at(at);
        verified.add(remark.todo("mend the visualizer, or remove it: verdicts do not depend on it"));
    }
    if told.is_none() {
        let drawn = format!("{} of {}", counted(album.pictures.len(), "picture"), counted(cases, "case"));
        verified.check(Section::Data, drawn);
    }
    verified.pictures = album.pictures;
}
