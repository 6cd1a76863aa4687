//! `kopek grade`: grades a folder of hand-ins against one or more packages.

use super::{
    exit_status::ExitStatus,
    given_course::read_course,
    hand_in_options::{ChoiceOfProgram, layout_parser},
    interrupt::stop_on_interrupt,
    judging::JudgingOptions,
    machine_options::{FreshOption, MachineOptions},
    next_steps::GradedClass,
    progress_bars::CourseProgress,
    report_options::{ReportOptions, empty_report},
    similar_command::compare_class,
    slurm_options::{SlurmOptions, SlurmRun},
    slurm_part::{PartKeeper, node_name},
    terminal_output::{print_message, print_text},
};
use crate::{
    class::{Decisions, HandInLayout, Shard},
    course::{
        ClassRequest, Course, CourseEvent, CourseFiles, CourseRequest, FeedbackRules, GradebookFile,
        GradedCourse, HuntTime, OnCourseEvent, Placed, Rulings, StandingGrades, grade_course, lock_folder,
    },
    exec::{Engine, Executor, local_executor},
    grade::GradeSession,
    package::missing_path,
    render::{open_lines, participant_pages},
    results::Report,
    slurm::FoldOnly,
};
use anyhow::{Context, Result, ensure};
use std::{
    path::{Path, PathBuf},
    time::Instant,
};

#[derive(clap::Args)]
#[command(
    override_usage = "kopek grade [OPTIONS] [course.toml]\n       kopek grade [OPTIONS] <PACKAGE>... <HANDINS>",
    after_help = "\
Exit codes: 0 everything was judged; 2 error; 3 some runs were not judged (faults are listed); \
4 everything was judged, but a package has errors; 130 interrupted."
)]
pub(super) struct Args {
    /// course.toml [default: the one here]; or packages, then the hand-ins
    #[arg(value_name = "PATH")]
    paths: Vec<PathBuf>,
    /// Layout of the hand-ins [default: detected]
    #[arg(help_heading = "Which hand-ins", long, value_name = "LAYOUT", value_parser = layout_parser())]
    layout: Option<HandInLayout>,
    /// Only this participant, by name or number; repeatable
    #[arg(help_heading = "Which hand-ins", long, value_name = "NAME")]
    only: Vec<String>,
    #[command(flatten, next_help_heading = "Which hand-ins")]
    program: ChoiceOfProgram,
    /// Grade one of N parts of the class; `kopek merge` joins their stores: 1/3
    #[arg(help_heading = "Which hand-ins", long, hide = true, value_name = "K/N")]
    shard: Option<Shard>,
    #[command(flatten, next_help_heading = "Output")]
    report: ReportOptions,
    /// Fill in a gradebook of Moodle or Canvas; with --out a copy
    #[arg(help_heading = "Output", long, value_name = "CSV")]
    gradebook: Option<PathBuf>,
    /// Replace the grades that the gradebook has
    #[arg(help_heading = "Output", long)]
    overwrite_grades: bool,
    /// List changes since an earlier report, and write their pages
    #[arg(help_heading = "Output", long, value_name = "REPORT")]
    since: Option<PathBuf>,
    /// Replace names with numbers, listed in KEY [default: HANDINS.key.csv]
    #[arg(help_heading = "Output", long, value_name = "KEY", num_args = 0..=1, require_equals = true,
        conflicts_with_all = ["gradebook", "similar"])]
    anonymous: Option<Option<PathBuf>>,
    #[command(flatten, next_help_heading = "Judging")]
    judging: JudgingOptions,
    /// Leave out cases; repeatable: `secret/1/07`, `2/*`
    #[arg(help_heading = "Judging", long, value_name = "CASE")]
    without: Vec<String>,
    /// Find similar programs, as `kopek similar`, into --out
    #[arg(help_heading = "Output", long)]
    similar: bool,
    /// Find small failing inputs, 10 s for each program
    #[arg(help_heading = "Output", long, value_name = "S", num_args = 0..=1, require_equals = true,
        default_missing_value = "10", value_parser = clap::value_parser!(u64).range(1..=3600))]
    counterexamples: Option<u64>,
    #[command(flatten, next_help_heading = "Machine")]
    machine: MachineOptions,
    #[command(flatten, next_help_heading = "Machine")]
    fresh: FreshOption,
    #[command(flatten, next_help_heading = "Machine")]
    slurm: SlurmOptions,
}

impl Args {
    /// The course, with what this run asks for in other places than the file says.
    fn course(&self) -> Result<Course> {
        let mut course = read_course(&self.paths)?;
        let path = |given: &Option<PathBuf>| given.clone().map(Placed::option);
        course.out = path(&self.report.out).or(course.out);
        course.gradebook = path(&self.gradebook).or(course.gradebook);
        if !self.program.decisions.is_empty() {
            course.decisions = self.program.decisions.iter().cloned().map(Placed::option).collect();
        }
        let FeedbackRules { level, counterexamples, .. } = &mut course.feedback;
        *level = self.report.feedback.map(Placed::option).or(level.take());
        let hunt = self.counterexamples.map(HuntTime);
        *counterexamples = hunt.map(Placed::option).or(counterexamples.take());
        Ok(course)
    }

    /// Reads these files first, so that a typo costs no time.
    fn read_files(&self, course: &Course) -> Result<CourseFiles> {
        let places = course.hand_in_places();
        if let Some(place) = places.iter().find(|place| place.symlink_metadata().is_err()) {
            return Err(missing_path("read the hand-ins", place));
        }
        Ok(CourseFiles {
            rulings: Rulings::read(course, self.since.as_deref())?,
            decisions: Decisions::read(course.decisions.iter().map(|file| &file.value))?,
            gradebook: self.read_gradebook(course)?,
        })
    }

    fn read_gradebook(&self, course: &Course) -> Result<Option<GradebookFile>> {
        let Some(Placed { value: path, .. }) = &course.gradebook else {
            ensure!(
                !self.overwrite_grades,
                "--overwrite-grades needs --gradebook, or `gradebook` in course.toml"
            );
            ensure!(course.column.is_none(), "`column` needs --gradebook, or `gradebook` in course.toml");
            return Ok(None);
        };
        if path.symlink_metadata().is_err() {
            return Err(missing_path("read the gradebook", path));
        }
        let standing = if self.overwrite_grades { StandingGrades::Overwrite } else { StandingGrades::Keep };
        GradebookFile::read(path, standing, course).map(Some)
    }

    fn class_request(&self) -> ClassRequest<'_> {
        ClassRequest {
            only: &self.only,
            shard: self.shard,
            layout: self.layout,
            attempts: self.program.attempts,
            anonymous: self.anonymous.as_ref().map(Option::as_deref),
        }
    }
}

pub(super) fn run(args: Args) -> Result<ExitStatus> {
    let start = Instant::now();
    let mut course = args.course()?;
    if let (Some(folder), Some(shard)) = (&args.slurm.part, args.shard) {
        return args.judge_part(course, folder, shard);
    }
    args.check_part(&mut course)?;
    ensure!(!args.similar || course.out.is_some(), "--similar needs --out");
    let packages = course.find_packages()?;
    // First, so that a typo costs no time.
    args.read_files(&course)?;
    let _locked = course.out_place().map(lock_folder).transpose()?;
    let machine = args.machine.open()?;
    args.fresh.apply(&machine);
    let stop = stop_on_interrupt()?;
    let local = local_executor(&machine);
    let fold = FoldOnly::new(&local);
    let slurm = args.slurm.open(course.out_place(), &machine, &stop)?;
    let executor: &dyn Executor = if slurm.is_some() { &fold } else { &local };
    let engine = Engine::new(&machine, executor, &stop);
    let graded_by =
        GradedBy { args: &args, course: &course, packages: &packages, session: args.judging.session(engine) };
    if let Some(slurm) = &slurm {
        graded_by.parts(slurm, &fold)?;
    }
    let mut progress = CourseProgress::hidden();
    let mut graded = graded_by.grade(args.class_request(), &mut |event| match event {
        // Each would be a line.
        CourseEvent::Step(_) if slurm.is_some() => {}
        event => progress.show_event(event),
    })?;
    if let Some(slurm) = &slurm {
        slurm.name_other_nodes(&fold, &node_name())?;
    }
    graded.report.elapsed = start.elapsed();
    let report = graded.report_to_show();
    args.show(&graded, &report)?;
    // All grades are known, though Ctrl-C may have ended the search for inputs.
    graded.write_results(&report, &participant_pages, &mut |event| progress.show_event(event))?;
    args.compare_programs(&graded, &engine)?;
    args.print_next_steps(&graded, &report)?;
    let is_unsound = graded.packages.iter().any(|package| package.errors > 0);
    let complete = if is_unsound { ExitStatus::Unsound } else { ExitStatus::Success };
    Ok(ExitStatus::of_judging(&stop, &report.all_faults(), complete))
}

/// A course to grade with these options.
struct GradedBy<'a> {
    args: &'a Args,
    course: &'a Course,
    packages: &'a [PathBuf],
    session: GradeSession<'a>,
}

impl<'a> GradedBy<'a> {
    fn grade(&'a self, class: ClassRequest<'a>, on_event: &mut OnCourseEvent) -> Result<GradedCourse<'a>> {
        let request = CourseRequest {
            course: self.course,
            packages: self.packages,
            without: &self.args.without,
            class,
            files: self.args.read_files(self.course)?,
            session: &self.session,
        };
        grade_course(request, empty_report(self.session.engine.machine), on_event)
    }

    /// Judges programs without a result on the nodes.
    fn parts(&'a self, slurm: &SlurmRun, fold: &FoldOnly) -> Result<()> {
        slurm.continue_earlier()?;
        let mut generation = CourseProgress::hidden();
        let class = ClassRequest { anonymous: None, ..self.args.class_request() };
        let folded = self.grade(class, &mut |event| match event {
            CourseEvent::Begins { .. } => fold.begin_judging(),
            CourseEvent::Generating(_) => generation.show_event(event),
            CourseEvent::Said(_)
            | CourseEvent::Warned(_)
            | CourseEvent::Step(_)
            | CourseEvent::HuntBegins { .. }
            | CourseEvent::Hunt(_)
            | CourseEvent::Ends => {}
        });
        match folded {
            Ok(graded) => slurm.judge(Some(&graded)),
            // Even the validators have no results yet.
            Err(_) if fold.refused() > 0 && !self.session.engine.is_stopped() => slurm.judge(None),
            Err(error) => Err(error),
        }?;
        fold.forget_refused();
        Ok(())
    }
}

impl Args {
    /// Fails if a part of the class is asked for more than it has. The class as a whole is hunted for inputs.
    fn check_part(&self, course: &mut Course) -> Result<()> {
        let Some(what) = self.part_option() else { return Ok(()) };
        ensure!(
            self.shard.is_none() || !self.slurm.is_given(),
            "--slurm makes the parts itself; leave out --shard"
        );
        ensure!(
            self.shard.is_none() || (self.gradebook.is_none() && !self.similar),
            "--shard grades a part of the class: give --gradebook and --similar after `kopek merge`"
        );
        if course.feedback.counterexamples.take().is_some() {
            print_message!(
                "{what}: no inputs are searched on which programs fail; the same command without {what} searches them, and judges nothing again"
            );
        }
        Ok(())
    }

    fn part_option(&self) -> Option<&'static str> {
        match self.shard {
            Some(_) => Some("--shard"),
            None => self.slurm.is_given().then_some("--slurm"),
        }
    }

    /// Judges a part of the class, in its job. Writes no report.
    fn judge_part(&self, mut course: Course, folder: &Path, shard: Shard) -> Result<ExitStatus> {
        course.feedback.counterexamples = None;
        course.out = None;
        let scratch = tempfile::tempdir().context("make a folder for the results of this part")?;
        let judge = || -> Result<ExitStatus> {
            let packages = course.find_packages()?;
            let machine = self.machine.with_store(&scratch.path().join("store")).open()?;
            let mut keeper = PartKeeper::begin(folder, shard, &machine, scratch.path())?;
            let stop = stop_on_interrupt()?;
            let executor = local_executor(&machine);
            let engine = Engine::new(&machine, &executor, &stop);
            let mut progress = CourseProgress::hidden();
            let class = ClassRequest { anonymous: None, ..self.class_request() };
            let graded_by = GradedBy {
                args: self,
                course: &course,
                packages: &packages,
                session: self.judging.session(engine),
            };
            let graded = graded_by.grade(class, &mut |event| {
                progress.show_event(event);
                keeper.keep_sometimes();
            });
            let faults = graded.as_ref().map(|graded| graded.report.all_faults()).unwrap_or_default();
            let status = if graded.is_ok() || engine.is_stopped() {
                ExitStatus::of_judging(&stop, &faults, ExitStatus::Success)
            } else {
                ExitStatus::Refused
            };
            keeper.end(status)?;
            if let Ok(graded) = &graded {
                let notices = &graded.report.notices;
                print_message!("part {shard}: {} jobs done, {} cached", notices.ran, notices.reused);
            }
            faults.iter().for_each(|fault| print_message!("not judged: {fault}"));
            graded.map(|_| status)
        };
        let node = node_name();
        judge().with_context(|| {
            format!(
                "part {shard} on {node}, where all packages, hand-ins and files of the course must be visible"
            )
        })
    }
}

impl Args {
    /// Shows the report, and writes its files.
    fn show(&self, graded: &GradedCourse, report: &Report) -> Result<()> {
        if graded.class.hides_names() {
            // The public report hides the reasons, but the teacher needs them.
            for line in open_lines(&graded.report) {
                print_message!("not judged: {}", graded.class.shown_line(&line));
            }
        }
        self.report.show(report, graded.course.out_place())
    }

    fn compare_programs(&self, graded: &GradedCourse, engine: &Engine) -> Result<()> {
        let Some(out) = graded.course.out_place().filter(|_| self.similar) else { return Ok(()) };
        for (one, class) in graded.packages.iter().zip(&graded.class.members) {
            let several = graded.packages.len() > 1;
            // Names of packages are valid file names.
            let name = if several { format!("similar-{}", one.name()) } else { "similar".to_owned() };
            compare_class(out, &name, &one.package, class, &engine.machine.table)?;
        }
        Ok(())
    }

    #[expect(clippy::disallowed_methods, reason = "commands to repeat")]
    fn print_next_steps(&self, graded: &GradedCourse, report: &Report) -> Result<()> {
        if !self.report.is_for_people() {
            return Ok(());
        }
        let packages = graded.packages.iter().map(|one| (one.name(), one.package.dir.as_path()));
        let class = GradedClass {
            report,
            packages: packages.collect(),
            hand_ins: &graded.course.hand_in_places(),
            out: graded.course.out_place(),
            hides_names: graded.class.hides_names(),
            words: std::env::args().collect(),
        };
        print_text(&format!("\n{}\n", graded.class.shown_line(class.next_steps().trim_end())))
    }
}
