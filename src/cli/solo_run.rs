//! The body of `kopek run` and `kopek test`: judges one solution, once or on every save.

use super::{
    exit_status::ExitStatus,
    interrupt::stop_on_interrupt,
    own_input::run_on_input,
    run_view::SoloJudging,
    terminal_output::write_case_pictures,
    watch_loop::{LoadTests, SoloRequest, watch},
};
use crate::{
    class,
    exec::{Engine, local_executor},
    grade::{PictureRequest, draw_cases, lend_cases},
    machine::Machine,
    results::Noticed,
};
use anyhow::{Context, Result};

/// Judges a solution and shows samples, then groups, and the first difference.
pub(super) fn judge_solution(
    request: &SoloRequest,
    machine: &Machine,
    load: &mut LoadTests,
) -> Result<ExitStatus> {
    if request.view.watch {
        return watch(request, machine, load);
    }
    let stop = stop_on_interrupt()?;
    let executor = local_executor(machine);
    let engine = Engine::new(machine, &executor, &stop);
    let Noticed { value: loaded, notices } = load(&engine)?;
    let session = (request.session)(engine);
    // Its unpacked archives are needed until the programs are read.
    let mut class = None;
    let cohort = [match request.participant {
        None => class::read_single(request.solution, &loaded.package, &request.rules)?,
        Some(name) => {
            let read = class::read(request.solution, None, std::slice::from_ref(&loaded.package.name))?;
            class.insert(read).participant(name, &loaded.package, &request.rules).context("--only")?
        }
    }];
    if let Some(input) = request.input {
        return run_on_input(&session, loaded, input, &cohort, notices, &stop);
    }
    let judging = SoloJudging { session: &session, loaded: &loaded, stop: &stop, whole: request.whole };
    let shown = judging.judge_and_show(request.view, &cohort, notices)?;
    if let Some(dir) = request.pictures {
        let package = &loaded.package;
        let cases: Vec<usize> = (0..shown.judged.plan.cases.len()).collect();
        let data = lend_cases(&machine.store, package, &loaded.tests)?;
        let pictures = PictureRequest { package, data, judged: &shown.judged, cases: &cases };
        write_case_pictures(dir, &draw_cases(&engine, pictures, 0).context("draw pictures")?)?;
    }
    Ok(shown.status)
}
