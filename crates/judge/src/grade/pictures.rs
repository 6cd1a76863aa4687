//! Files made after judging, which change no verdict: pictures of a package's inputs and of the runs of a submission on
//! them, drawn by the package's visualizers, and outputs. Judging keeps no outputs, so a submission runs again for them.

use super::{facts::JudgedCohort, prepare::build_visualizer};
use anyhow::{Context, Result, bail};
use kopek_base::Digest;
use kopek_engine::exec::{Engine, KnownFacts};
use kopek_package::package::{self, Message, Package};
use kopek_plan::plan::{DrawTask, Drawing, Job, Outcome, Program, Task};
use std::{path::PathBuf, sync::Arc};

/// Pictures, and problems with the visualizers.
#[derive(Debug, Default)]
pub struct CasePictures {
    /// Files, named after the case: `secret/1.svg` of an input, `secret/1.judgeimage.svg` of an output.
    pub pictures: Vec<(PathBuf, Vec<u8>)>,
    /// About `input_visualizer` or `output_visualizer`.
    pub problems: Vec<Message>,
}

/// The subject of pictures: cases of a test set on which a cohort was judged.
#[derive(Clone, Copy)]
pub struct PictureRequest<'a> {
    /// The package with the visualizers.
    pub package: &'a Package,
    /// The files beside the cases: see [`lend_cases`](super::lend_cases).
    pub data: Digest,
    pub judged: &'a JudgedCohort,
    pub cases: &'a [usize],
}

/// Draws the cases, and the runs of a row's submission on them.
pub fn draw_cases(engine: &Engine, request: PictureRequest, row: usize) -> Result<CasePictures> {
    let mut all = draw_inputs(engine, request)?;
    let outputs = draw_outputs(engine, request, row)?;
    all.pictures.extend(outputs.pictures);
    all.problems.extend(outputs.problems);
    Ok(all)
}

/// Draws the inputs, if the package has a visualizer for them.
fn draw_inputs(engine: &Engine, request: PictureRequest) -> Result<CasePictures> {
    let mut drawer = Drawer::new(engine, request, "input_visualizer");
    let visualizer = drawer.build_visualizer(request.package.input_visualizer.as_ref());
    let Some(visualizer) = visualizer else { return Ok(drawer.drawn) };
    let task = |&case: &usize| DrawTask::Input {
        visualizer: visualizer.clone(),
        case: request.judged.plan.cases[case].clone(),
        data: request.data,
    };
    // A case has one picture, which gets the case's name.
    drawer.ending = |name| name.rsplit('.').next().unwrap_or(name).to_owned();
    drawer.draw(request.cases, request.cases.iter().map(task).collect())?;
    Ok(drawer.drawn)
}

/// Draws the runs of a row's submission on the cases, as far as it was tried on them.
fn draw_outputs(engine: &Engine, request: PictureRequest, row: usize) -> Result<CasePictures> {
    let PictureRequest { package, data, judged, cases } = request;
    let mut drawer = Drawer::new(engine, request, "output_visualizer");
    // A visualizer that does not compile is reported; a validator may have drawn pictures all the same.
    let visualizer = drawer.build_visualizer(package.output_visualizer.as_ref());
    let Some((index, program)) = judged.runnable_program(row) else { return Ok(drawer.drawn) };
    let tried = judged.tried(index, cases);
    let task = |&case: &usize| DrawTask::Output {
        visualizer: visualizer.clone(),
        trial: judged.plan.trial(&program, case),
        data,
    };
    drawer.draw(&tried, tried.iter().map(task).collect())?;
    Ok(drawer.drawn)
}

/// The whole output of a row on each of these cases, as far as it was tried on them; `None` if it has no output to
/// keep, as in an interactive run.
pub fn keep_outputs(
    engine: &Engine,
    judged: &JudgedCohort,
    row: usize,
    cases: &[usize],
) -> Result<Vec<(usize, Option<Vec<u8>>)>> {
    let Some((index, program)) = judged.runnable_program(row) else { return Ok(vec![]) };
    let tried = judged.tried(index, cases);
    let task = |&case: &usize| Task::Draw(DrawTask::Files { trial: judged.plan.trial(&program, case) });
    let jobs = tried.iter().map(task).map(Job::new).collect();
    let mut kept = Vec::new();
    for (case, result) in tried.into_iter().zip(engine.run_all(jobs, KnownFacts::Use, &mut |_, _| Ok(()))?) {
        let name = &judged.plan.cases[case].name;
        let drawing = match result {
            Some(Ok(Outcome::Drawing(drawing))) => drawing,
            Some(Ok(other)) => unreachable!("drawing has the outcome of drawing, not {other:?}"),
            Some(Err(fault)) => bail!("keep the output on {name}: {fault}"),
            None => continue,
        };
        // With several passes, the last one sorts last.
        let bytes = match drawing.pictures.last_key_value() {
            Some((_, digest)) => {
                Some(engine.store().bytes(digest)?.context("an output vanished from the store; run again")?)
            }
            None => None,
        };
        kept.push((case, bytes));
    }
    Ok(kept)
}

/// Draws with one visualizer.
struct Drawer<'a> {
    engine: &'a Engine<'a>,
    request: PictureRequest<'a>,
    at: &'static str,
    /// The part of a picture's own name to append to the name of the case.
    ending: fn(&str) -> String,
    drawn: CasePictures,
}

impl<'a> Drawer<'a> {
    fn new(engine: &'a Engine, request: PictureRequest<'a>, at: &'static str) -> Drawer<'a> {
        Drawer { engine, request, at, ending: str::to_owned, drawn: CasePictures::default() }
    }

    fn add_problem(&mut self, what: String) {
        self.drawn.problems.push(Message::warning(self.at, what));
    }

    fn build_visualizer(&mut self, program: Option<&package::PackageProgram>) -> Option<Arc<Program>> {
        match build_visualizer(self.engine, self.request.package, self.at, program?) {
            Ok(visualizer) => Some(visualizer),
            Err(error) => {
                self.add_problem(format!("{error:#}"));
                None
            }
        }
    }

    fn draw(&mut self, cases: &[usize], tasks: Vec<DrawTask>) -> Result<()> {
        let jobs = tasks.into_iter().map(|task| Job::new(Task::Draw(task))).collect();
        let results = self.engine.run_all(jobs, KnownFacts::Use, &mut |_, _| Ok(()))?;
        for (&case, result) in cases.iter().zip(results) {
            let name = &self.request.judged.plan.cases[case].name;
            match result {
                Some(Ok(Outcome::Drawing(drawing))) => self.add_drawing(name, drawing)?,
                Some(Ok(other)) => unreachable!("drawing has the outcome of drawing, not {other:?}"),
                // Pictures are an extra after judging: a fault ends the drawing and touches no verdict.
                Some(Err(fault)) => bail!("draw {name}: {fault}"),
                None => {}
            }
        }
        Ok(())
    }

    fn add_drawing(&mut self, case: &str, drawing: Drawing) -> Result<()> {
        for (name, digest) in drawing.pictures {
            let bytes = self
                .engine
                .store()
                .bytes(&digest)?
                .context("a picture vanished from the store; run again")?;
            let file = PathBuf::from(format!("{case}.{}", (self.ending)(&name)));
            self.drawn.pictures.push((file, bytes));
        }
        drawing.problems.into_iter().for_each(|what| self.add_problem(format!("on {case} it {what}")));
        Ok(())
    }
}
