//! The body of `kopek run` and `kopek test`: judges one solution, once or on every save.

use super::{
    exit_status::ExitStatus,
    interrupt::stop_on_interrupt,
    own_input::{only_input, show_run_on_input},
    progress_bars::JudgingProgress,
    run_view::SolutionView,
    solo_request::{BankOfTests, LoadTests, SoloRequest},
    terminal_output::{print_message, write_case_pictures},
    watch_loop::watch,
};
use crate::{
    base::{ScratchDir, wording::counted},
    class::read_solution,
    exec::{Engine, StoppedEarly, local_executor},
    grade::{PictureRequest, draw_cases, lend_cases},
    hunt::{ExplainRequest, InputsFrom, explain, is_right},
    machine::Machine,
    results::Noticed,
    solution::{SolutionReport, SolutionRequest, SolutionTests, judge_solution, save_failed_cases},
    stress::Bank,
};
use anyhow::{Context, Result};
use std::path::Path;

/// Judges a solution and shows samples, then groups, and the first difference.
pub(super) fn run_solution(run: &SoloRequest, machine: &Machine, load: &mut LoadTests) -> Result<ExitStatus> {
    if run.view.watch {
        return watch(run, machine, load);
    }
    let stop = stop_on_interrupt()?;
    let executor = local_executor(machine);
    let engine = Engine::new(machine, &executor, &stop);
    let Noticed { value: mut tests, notices } = load(&engine)?;
    let session = (run.session)(engine);
    let solution = read_solution(run.solution, run.participant, &tests.package, &run.rules)?;
    let mut aside = None;
    if let Some(input) = run.input {
        let aside = aside.insert(ScratchDir::new().context("make a directory for the input")?);
        tests = only_input(tests, input, aside.path())?;
    }
    let SolutionTests { package, tests: cases, .. } = &tests;
    let again = run.view.again;
    let request = SolutionRequest { session: &session, package, tests: cases, solution: &solution, again };
    let mut progress = JudgingProgress::new(&package.name);
    let judged = judge_solution(&request, &mut |event| progress.show_event(&event));
    // Closed before an error is printed: the bar would overwrite it.
    progress.close();
    let mut judged = judged?.ok_or(StoppedEarly)?;
    if run.input.is_some() {
        return show_run_on_input(&engine, &judged, notices, &stop);
    }
    let members = std::slice::from_ref(&solution);
    let bank = match run.bank {
        BankOfTests::OfPackage if !is_right(judged.row()) => Bank::open(engine.store(), package, cases)?,
        BankOfTests::OfPackage | BankOfTests::None => Bank::default(),
    };
    let from = InputsFrom::Bank(&bank, &judged.judged);
    let request = ExplainRequest { engine: &engine, package, tests: cases, members, from };
    let failing_input = explain(request, &mut judged.results.rows, &mut |_| ())?;
    let shown = SolutionView {
        report: &judged,
        tests: &tests,
        solution: &solution,
        machine,
        whole: run.whole,
        failing_input,
    };
    let status = shown.print(run.view, notices, &stop)?;
    if let Some(dir) = &run.view.save {
        let saved = save_failed_cases(dir, &engine, &tests, &judged)?;
        print_message!("saved {} to {}", counted(saved, "case"), dir.display());
    }
    if let Some(dir) = run.pictures {
        draw_pictures(dir, &engine, &tests, &judged)?;
    }
    Ok(status)
}

fn draw_pictures(dir: &Path, engine: &Engine, tests: &SolutionTests, report: &SolutionReport) -> Result<()> {
    let SolutionTests { package, tests, .. } = tests;
    let judged = &report.judged;
    let cases: Vec<usize> = (0..judged.plan.cases.len()).collect();
    let data = lend_cases(&engine.machine.store, package, tests)?;
    let pictures = PictureRequest { package, data, judged, cases: &cases };
    write_case_pictures(dir, &draw_cases(engine, pictures, 0).context("draw pictures")?)
}
