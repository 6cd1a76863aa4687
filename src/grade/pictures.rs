//! Pictures of a package's inputs and of what a submission did on them, drawn by
//! the package's visualizers after judging. Changes no verdict.

use super::{Judged, prepare};
use crate::{
    exec::{Drawn, Workshop},
    package::{Package, Program},
    plan::{Build, Ready, TrialTask},
    sandbox::Fault,
};
use std::path::PathBuf;

/// Pictures, and what was wrong with the visualizers.
#[derive(Debug, Default)]
pub struct Album {
    /// Files, named after the case: `secret/1.svg` of an input, `secret/1.judgeimage.svg` of an output.
    pub pictures: Vec<(PathBuf, Vec<u8>)>,
    /// What is wrong with the package.
    pub troubles: Vec<Trouble>,
}

/// What is wrong with a visualizer.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Trouble {
    /// `input_visualizer` or `output_visualizer`.
    pub at: &'static str,
    /// What it did.
    pub what: String,
}

/// Draws these cases, and what the submission of this row did on them.
pub fn pictures(
    workshop: &Workshop,
    package: &Package,
    judged: &Judged,
    row: usize,
    cases: &[usize],
) -> Result<Album, Fault> {
    let mut album = pictures_of_inputs(workshop, package, judged, cases)?;
    let outputs = pictures_of_outputs(workshop, package, judged, row, cases)?;
    album.pictures.extend(outputs.pictures);
    album.troubles.extend(outputs.troubles);
    Ok(album)
}

/// Draws the inputs of these cases, if the package has something to draw them with.
pub fn pictures_of_inputs(
    workshop: &Workshop,
    package: &Package,
    judged: &Judged,
    cases: &[usize],
) -> Result<Album, Fault> {
    let mut album = Album::default();
    let artist = album.artist(workshop, package, "input_visualizer", package.input_visualizer.as_ref());
    let Some(artist) = artist else { return Ok(album) };
    let (mut slot, data) = (workshop.slot(), package.dir.join("data"));
    for &index in cases {
        let case = &judged.plan.cases[index];
        let drawn = workshop.draw_input(&mut slot, &artist, &data, case)?;
        album.add("input_visualizer", &case.name, drawn, ending);
    }
    Ok(album)
}

/// Draws what the submission of this row did on these cases, as far as it was tried on them.
pub fn pictures_of_outputs(
    workshop: &Workshop,
    package: &Package,
    judged: &Judged,
    row: usize,
    cases: &[usize],
) -> Result<Album, Fault> {
    let mut album = Album::default();
    let artist = album.artist(workshop, package, "output_visualizer", package.output_visualizer.as_ref());
    // One that does not compile was told; a validator may still have drawn.
    for (index, task) in cases.iter().filter_map(|&index| Some((index, judged.task(row, index)?))) {
        let drawn = workshop.draw_output(artist.as_ref(), &task)?;
        album.add("output_visualizer", &judged.plan.cases[index].name, drawn, str::to_owned);
    }
    Ok(album)
}

fn ending(name: &str) -> String {
    name.rsplit('.').next().unwrap_or(name).to_owned()
}

impl Album {
    fn artist(
        &mut self,
        workshop: &Workshop,
        package: &Package,
        at: &'static str,
        program: Option<&Program>,
    ) -> Option<Ready> {
        match prepare::visualizer(workshop, package, at, program?) {
            Ok(ready) => Some(ready),
            Err(error) => {
                self.troubles.push(Trouble { at, what: format!("{error:#}") });
                None
            }
        }
    }

    fn add(&mut self, at: &'static str, case: &str, drawn: Drawn, named: fn(&str) -> String) {
        let place = |name: &str| PathBuf::from(format!("{case}.{}", named(name)));
        self.pictures.extend(drawn.pictures.into_iter().map(|(name, bytes)| (place(&name), bytes)));
        let told = |what: String| Trouble { at, what: format!("on {case} it {what}") };
        self.troubles.extend(drawn.troubles.into_iter().map(told));
    }
}

impl Judged {
    /// The trial of a row's program on a case, if the program was built and tried on it.
    fn task(&self, row: usize, case: usize) -> Option<TrialTask> {
        let program = *self.plan.rows[row].program.as_ref().ok()?;
        self.graded.trials[program].get(&case)?;
        let Some(Build::Program { blob, entry, .. }) = &self.graded.builds[program] else { return None };
        Some(TrialTask {
            program: self.plan.programs[program].clone(),
            blob: *blob,
            entry: entry.clone(),
            case: self.plan.cases[case].clone(),
            setting: self.plan.setting.clone(),
        })
    }
}
