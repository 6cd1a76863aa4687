//! `kopek grade`: a folder of hand-ins against one package or several.

use super::{
    exit_status::ExitStatus,
    gradebook_options::{GradebookOptions, write_feedback},
    hand_in_options::{EntryOptions, layout_parser},
    interrupt::stop_on_interrupt,
    judging::{JudgingOptions, WatchedSession, judge_watched},
    live_view::LiveOptions,
    machine_options::MachineOptions,
    named_packages::{LoadedPackage, find_packages, load_package},
    report_options::{ReportOptions, add_toolchains, empty_report},
    similar_command::GradeSimilarOptions,
    terminal_output::write_case_pictures,
};
use crate::{
    base::wording::counted,
    cohort::{self, HandInLayout, Shard},
    exec::Engine,
    grade::{PictureRequest, draw_inputs, draw_outputs, lend_cases, package_report},
    language::LanguageTable,
    package::Participant,
};
use anyhow::{Context, Result, bail, ensure};
use std::{
    path::{Path, PathBuf},
    time::Instant,
};

#[derive(clap::Args)]
#[command(
    override_usage = "kopek grade [OPTIONS] <PACKAGE>... <COHORT>",
    after_help = "\
Exit codes: 0 everything was judged; 2 the request cannot be done; \
3 not everything was judged (faults are listed); 4 everything was judged, but a package has errors \
(listed): not as declared; 130 interrupted."
)]
pub(super) struct Args {
    /// Packages (or folders of packages), then the folder of hand-ins, or a zip or tar of it
    #[arg(required = true, num_args = 2.., value_names = ["PACKAGE", "COHORT"])]
    paths: Vec<PathBuf>,
    /// How the hand-ins are laid out [default: found out]
    #[arg(long, value_name = "LAYOUT", value_parser = layout_parser())]
    layout: Option<HandInLayout>,
    #[command(flatten)]
    entries: EntryOptions,
    /// Grade only this participant, by name or number; may be repeated
    #[arg(long, value_name = "NAME")]
    only: Vec<String>,
    /// Judge only this part of the class, as the first of three: 1/3. Equal programs are in one part;
    /// `kopek merge` joins the stores of all parts
    #[arg(long, value_name = "K/N", conflicts_with_all = ["gradebook", "similar"])]
    shard: Option<Shard>,
    #[command(flatten)]
    gradebook: GradebookOptions,
    #[command(flatten)]
    judging: JudgingOptions,
    #[command(flatten)]
    report: ReportOptions,
    /// Also draw the cases, and what every submission did on them, into `pictures` below the directory
    /// of --out; this runs the submissions again
    #[arg(long, requires = "out")]
    pictures: bool,
    #[command(flatten)]
    similar: GradeSimilarOptions,
    #[command(flatten)]
    live: LiveOptions,
    #[command(flatten)]
    machine: MachineOptions,
}

pub(super) fn run(args: Args) -> Result<ExitStatus> {
    let start = Instant::now();
    let (folder, places) = args.paths.split_last().context("no folder of hand-ins")?;
    let found = find_packages(places)?;
    let machine = args.machine.open()?;
    let (stop, executor) = (stop_on_interrupt()?, machine.executor());
    let engine = Engine::new(&machine, &executor, &stop);
    let similarity = args.similar.read_skeleton(&machine.table)?;
    let session = args.judging.session(engine);
    let mut report = empty_report(&machine);
    let loaded = found.iter().map(|dir| load_package(dir, &engine, &mut report));
    let mut loaded = loaded.collect::<Result<Vec<_>>>()?;
    let unsound = loaded.iter().any(|package| package.errors > 0);
    let complete = if unsound { ExitStatus::Unsound } else { ExitStatus::Success };
    let (layout, classes) = read_classes(&args, folder, &loaded, &machine.table)?;
    if args.shard.is_some() && classes.iter().all(Vec::is_empty) {
        eprintln!("nothing to judge in this part");
    }
    let gradebook = args.gradebook.open(&loaded, &classes)?;
    loaded.iter_mut().try_for_each(|loaded| args.judging.limits.apply(&session, loaded))?;
    let live = args.live.start(&report)?;
    let session = WatchedSession { session, live: live.as_ref() };
    // A part of the class may have nothing for a package; a whole class that has nothing is refused.
    let has_work = |class: &[Participant]| args.shard.is_none() || !class.is_empty();
    for (loaded, class) in loaded.iter().zip(&classes).filter(|(_, class)| has_work(class)) {
        let package = &loaded.package;
        let judged = judge_watched(&session, loaded, class, &mut report)?;
        if let Some(out) = args.report.out.as_ref().filter(|_| args.pictures) {
            let cases: Vec<usize> = (0..judged.plan.cases.len()).collect();
            let data = lend_cases(&machine.store, package, &loaded.tests)?;
            let request = PictureRequest { package, data, judged: &judged, cases: &cases };
            draw_pictures(&out.join("pictures").join(&package.name), &engine, request)?;
        }
        if let Some((check, out)) = similarity.as_ref().zip(args.report.out.as_ref()) {
            // The packages' names are names of files already.
            let name =
                if found.len() > 1 { format!("similar-{}", package.name) } else { "similar".to_owned() };
            check.write_package((out, &name), package, class, &machine.table)?;
        }
        add_toolchains(&judged, &mut report);
        let mut results = package_report(package, &loaded.tests, &judged);
        results.keep_best_attempts();
        report.packages.push(results);
        live.iter().for_each(|live| live.end_package(&report));
    }
    report.elapsed = start.elapsed();
    args.report.show(&report)?;
    // An interrupted run knows a part of the grades only.
    if !engine.is_stopped() {
        let out = args.report.out.as_deref();
        gradebook.iter().try_for_each(|book| book.write(&report, out))?;
        write_feedback(&report, layout, out)?;
    }
    if let Some(live) = live {
        live.end(&report);
    }
    Ok(ExitStatus::of_judging(&stop, &report.faults, complete))
}

/// The hand-ins for each package. What is wrong with the folder is said before anything is judged.
fn read_classes(
    args: &Args,
    folder: &Path,
    loaded: &[LoadedPackage],
    table: &LanguageTable,
) -> Result<(HandInLayout, Vec<Vec<Participant>>)> {
    let decisions = args.entries.read_decisions()?;
    let rules = args.entries.rules(table, &decisions);
    let names: Vec<String> = loaded.iter().map(|loaded| loaded.package.name.clone()).collect();
    let cohort = cohort::read(folder, args.layout, &names)?;
    eprintln!("{}", cohort.summary());
    cohort.remarks().iter().for_each(|remark| eprintln!("warning: {remark}"));
    let mut classes: Vec<_> =
        loaded.iter().map(|loaded| cohort.participants(&loaded.package, &rules)).collect();
    decisions.check_used()?;
    cohort.check_programs(classes.iter().flatten())?;
    keep_only(&args.only, &mut classes)?;
    args.shard.map_or(Ok(()), |shard| keep_shard(shard, &mut classes))?;
    Ok((cohort.layout(), classes))
}

/// Leaves the participants who are named; all, if nobody is.
fn keep_only(only: &[String], classes: &mut [Vec<Participant>]) -> Result<()> {
    let is_called =
        |one: &Participant, name: &String| one.name == *name || one.hand_in.id.as_ref() == Some(name);
    if let Some(name) = only.iter().find(|name| !classes.iter().flatten().any(|one| is_called(one, name))) {
        bail!("--only {name}: no participant is called so");
    }
    if !only.is_empty() {
        classes.iter_mut().for_each(|class| class.retain(|one| only.iter().any(|name| is_called(one, name))));
    }
    Ok(())
}

/// Leaves the participants of a part of the class.
fn keep_shard(shard: Shard, classes: &mut [Vec<Participant>]) -> Result<()> {
    let count = |classes: &[Vec<Participant>]| classes.iter().map(Vec::len).sum::<usize>();
    let all = count(classes);
    ensure!(all > 0, "there are no hand-ins to take a part of");
    classes.iter_mut().for_each(|class| class.retain(|one| shard.has(one)));
    eprintln!("part {shard} of the class: {} of {}", count(classes), counted(all, "participant"));
    Ok(())
}

/// Draws the inputs, and a directory for each participant.
fn draw_pictures(dir: &Path, engine: &Engine, request: PictureRequest) -> Result<()> {
    let inputs = draw_inputs(engine, request).context("draw the inputs")?;
    write_case_pictures(&dir.join("inputs"), &inputs)?;
    for (index, row) in request.judged.plan.rows.iter().enumerate() {
        let name = &row.participant.name;
        let drawn = draw_outputs(engine, request, index);
        let drawn = drawn.with_context(|| format!("draw what {name} did"))?;
        write_case_pictures(&dir.join("outputs").join(name), &drawn)?;
    }
    Ok(())
}
