//! Pictures of a package's inputs and of what a submission did on them, drawn by
//! the package's visualizers after judging. Changes no verdict.

use super::{JudgedCohort, lend_cases, prepare::build_visualizer, runnable_programs};
use crate::{
    base::Digest,
    exec::{Engine, KnownFacts},
    package::{self, Package, TestSet},
    plan::{DrawTask, Drawing, Job, Outcome, Program, Task},
};
use anyhow::{Context, Result};
use std::{path::PathBuf, sync::Arc};

/// Pictures, and what was wrong with the visualizers.
#[derive(Debug, Default)]
pub struct CasePictures {
    /// Files, named after the case: `secret/1.svg` of an input, `secret/1.judgeimage.svg` of an output.
    pub pictures: Vec<(PathBuf, Vec<u8>)>,
    /// What is wrong with the package.
    pub problems: Vec<VisualizerProblem>,
}

/// What is wrong with a visualizer.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct VisualizerProblem {
    /// `input_visualizer` or `output_visualizer`.
    pub at: &'static str,
    /// What it did.
    pub what: String,
}

/// What is drawn: cases of a test set on which a cohort was judged.
#[derive(Clone, Copy)]
pub struct PictureRequest<'a> {
    /// Whose visualizers.
    pub package: &'a Package,
    /// Whose cases.
    pub tests: &'a TestSet,
    /// What the cohort did.
    pub judged: &'a JudgedCohort,
    /// Which cases.
    pub cases: &'a [usize],
}

/// Draws the cases, and what the submission of a row did on them.
pub fn draw_cases(engine: &Engine, request: PictureRequest, row: usize) -> Result<CasePictures> {
    let mut all = draw_inputs(engine, request)?;
    let outputs = draw_outputs(engine, request, row)?;
    all.pictures.extend(outputs.pictures);
    all.problems.extend(outputs.problems);
    Ok(all)
}

/// Draws the inputs, if the package has something to draw them with.
pub fn draw_inputs(engine: &Engine, request: PictureRequest) -> Result<CasePictures> {
    const AT: &str = "input_visualizer";
    let mut all = CasePictures::default();
    let visualizer = all.visualizer(engine, request.package, AT, request.package.input_visualizer.as_ref());
    let Some(visualizer) = visualizer else { return Ok(all) };
    let data = lend_cases(engine.store(), request.package, request.tests)?;
    let task = |&case: &usize| DrawTask::Input {
        visualizer: visualizer.clone(),
        case: request.judged.plan.cases[case].clone(),
        data,
    };
    let ending = |name: &str| name.rsplit('.').next().unwrap_or(name).to_owned();
    all.draw(engine, AT, request, request.cases, request.cases.iter().map(task).collect(), ending)?;
    Ok(all)
}

/// Draws what the submission of a row did on the cases, as far as it was tried on them.
pub fn draw_outputs(engine: &Engine, request: PictureRequest, row: usize) -> Result<CasePictures> {
    const AT: &str = "output_visualizer";
    let PictureRequest { package, tests, judged, cases } = request;
    let mut all = CasePictures::default();
    // One that does not compile is reported; a validator may still have drawn.
    let visualizer = all.visualizer(engine, package, AT, package.output_visualizer.as_ref());
    let Some((index, program)) = judged.runnable_program(row) else { return Ok(all) };
    let data: Digest = lend_cases(engine.store(), package, tests)?;
    let tried: Vec<usize> =
        cases.iter().copied().filter(|case| judged.graded.trials[index].contains_key(case)).collect();
    let task = |&case: &usize| DrawTask::Output {
        visualizer: visualizer.clone(),
        trial: judged.plan.trial(&program, case),
        data,
    };
    all.draw(engine, AT, request, &tried, tried.iter().map(task).collect(), str::to_owned)?;
    Ok(all)
}

impl CasePictures {
    fn visualizer(
        &mut self,
        engine: &Engine,
        package: &Package,
        at: &'static str,
        program: Option<&package::PackageProgram>,
    ) -> Option<Arc<Program>> {
        match build_visualizer(engine, package, at, program?) {
            Ok(visualizer) => Some(visualizer),
            Err(error) => {
                self.problems.push(VisualizerProblem { at, what: format!("{error:#}") });
                None
            }
        }
    }

    fn draw(
        &mut self,
        engine: &Engine,
        at: &'static str,
        request: PictureRequest,
        cases: &[usize],
        tasks: Vec<DrawTask>,
        ending: fn(&str) -> String,
    ) -> Result<()> {
        let jobs = tasks.into_iter().map(|task| Job::new(Task::Draw(task))).collect();
        let results = engine.run_all(jobs, KnownFacts::Use, &mut |_, _| Ok(()))?;
        for (&case, result) in cases.iter().zip(results) {
            let name = &request.judged.plan.cases[case].name;
            match result {
                Some(Ok(Outcome::Drawing(drawing))) => self.add(engine, at, name, drawing, ending)?,
                Some(Ok(other)) => unreachable!("drawing has the outcome of drawing, not {other:?}"),
                // Pictures are an extra after judging: a fault ends the drawing and touches no verdict.
                Some(Err(fault)) => anyhow::bail!("draw {name}: {fault}"),
                None => {}
            }
        }
        Ok(())
    }

    fn add(
        &mut self,
        engine: &Engine,
        at: &'static str,
        case: &str,
        drawing: Drawing,
        ending: fn(&str) -> String,
    ) -> Result<()> {
        for (name, digest) in drawing.pictures {
            let bytes =
                engine.store().bytes(&digest)?.context("a picture vanished from the store; run again")?;
            self.pictures.push((PathBuf::from(format!("{case}.{}", ending(&name))), bytes));
        }
        let problem = |what: String| VisualizerProblem { at, what: format!("on {case} it {what}") };
        self.problems.extend(drawing.problems.into_iter().map(problem));
        Ok(())
    }
}

impl JudgedCohort {
    /// The program of a row with its index, if it was built.
    fn runnable_program(&self, row: usize) -> Option<(usize, Arc<Program>)> {
        let index = *self.plan.rows[row].program.as_ref().ok()?;
        runnable_programs(&self.plan, &self.graded).into_iter().find(|(at, _)| *at == index)
    }
}
