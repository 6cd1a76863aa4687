//! Pictures of a package's inputs and of the runs of a submission on them, drawn by the package's visualizers after
//! judging. Changes no verdict.

use super::{facts::runnable_programs, judged_cohort::JudgedCohort, prepare::build_visualizer};
use anyhow::{Context, Result};
use kopek_base::Digest;
use kopek_engine::{
    exec::{Engine, KnownFacts},
    package::{self, Package},
    plan::{DrawTask, Drawing, Job, Outcome, Program, Task},
};
use std::{path::PathBuf, sync::Arc};

/// Pictures, and problems with the visualizers.
#[derive(Debug, Default)]
pub struct CasePictures {
    /// Files, named after the case: `secret/1.svg` of an input, `secret/1.judgeimage.svg` of an output.
    pub pictures: Vec<(PathBuf, Vec<u8>)>,
    pub problems: Vec<VisualizerProblem>,
}

/// A problem with a visualizer.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct VisualizerProblem {
    /// `input_visualizer` or `output_visualizer`.
    pub at: &'static str,
    /// A description of the problem.
    pub what: String,
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
pub fn draw_inputs(engine: &Engine, request: PictureRequest) -> Result<CasePictures> {
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
pub fn draw_outputs(engine: &Engine, request: PictureRequest, row: usize) -> Result<CasePictures> {
    let PictureRequest { package, data, judged, cases } = request;
    let mut drawer = Drawer::new(engine, request, "output_visualizer");
    // A visualizer that does not compile is reported; a validator may have drawn pictures all the same.
    let visualizer = drawer.build_visualizer(package.output_visualizer.as_ref());
    let Some((index, program)) = judged.runnable_program(row) else { return Ok(drawer.drawn) };
    let tried: Vec<usize> =
        cases.iter().copied().filter(|case| judged.graded.trials[index].contains_key(case)).collect();
    let task = |&case: &usize| DrawTask::Output {
        visualizer: visualizer.clone(),
        trial: judged.plan.trial(&program, case),
        data,
    };
    drawer.draw(&tried, tried.iter().map(task).collect())?;
    Ok(drawer.drawn)
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
        self.drawn.problems.push(VisualizerProblem { at: self.at, what });
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
                Some(Err(fault)) => anyhow::bail!("draw {name}: {fault}"),
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

impl JudgedCohort {
    /// The program of a row and its index, if it was built.
    pub fn runnable_program(&self, row: usize) -> Option<(usize, Arc<Program>)> {
        let index = *self.plan.rows[row].program.as_ref().ok()?;
        runnable_programs(&self.plan, &self.graded).into_iter().find(|(at, _)| *at == index)
    }
}
