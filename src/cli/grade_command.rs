//! `kopek grade`: grades a folder of hand-ins against one or more packages.

use super::{
    anonymous_option::AnonymousOption,
    counterexample_option::{CounterexampleOption, JudgedClass, hunt, not_compared_warning},
    course_options::{CourseOptions, RULES, read_course},
    exit_status::ExitStatus,
    foreign_folders::ForeignFolders,
    gradebook_options::GradebookOptions,
    hand_in_options::{EntryOptions, layout_parser},
    interrupt::{InterruptedEarly, stop_on_interrupt},
    job_place::JobPlaceOptions,
    judging::JudgingOptions,
    machine_options::MachineOptions,
    named_packages::{LoadedPackage, find_packages, load_package},
    next_steps::GradedClass,
    path_hints::missing_path,
    progress_bars::JudgingProgress,
    regrading_options::RegradingOptions,
    report_options::{ReportOptions, empty_report},
    similar_command::compare_class,
    terminal_output::{print_message, print_text},
};
use crate::{
    base::wording::limit_text,
    class::{Decisions, HandInLayout, Shard},
    course::{
        ClassReader, ClassRequest, Course, CourseClass, CourseEvent, CourseFiles, CoursePackage, CourseRun,
        FeedbackRules, HuntTime, JudgingStopped, LateRules, PointRules, Sourced, TimeRules, check_folder,
        lock_folder, platform_of, write_feedback,
    },
    exec::Engine,
    grade::{GradeSession, run_limits},
    machine::Machine,
    package::Message,
    render::{open_lines, participant_pages},
    results::{FeedbackLevel, Noticed, Notices, Report, public_report},
    stress::check_huntable,
};
use anyhow::{Result, bail, ensure};
use std::{
    borrow::Cow,
    path::{Path, PathBuf},
    sync::atomic::AtomicBool,
    time::Instant,
};
use walkdir::WalkDir;

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
    entries: EntryOptions,
    /// Grade one of N parts of the class; `kopek merge` joins their stores: 1/3
    #[arg(help_heading = "Which hand-ins", long, hide = true, value_name = "K/N", conflicts_with_all = ["gradebook", "similar"])]
    shard: Option<Shard>,
    #[command(flatten, next_help_heading = RULES)]
    course: CourseOptions,
    #[command(flatten, next_help_heading = RULES)]
    regrading: RegradingOptions,
    #[command(flatten, next_help_heading = "Output")]
    report: ReportOptions,
    #[command(flatten, next_help_heading = "Output")]
    gradebook: GradebookOptions,
    #[command(flatten, next_help_heading = "Output")]
    anonymous: AnonymousOption,
    #[command(flatten, next_help_heading = "Judging")]
    judging: JudgingOptions,
    /// Find similar programs, as `kopek similar`, into --out
    #[arg(help_heading = "Output", long)]
    similar: bool,
    #[command(flatten, next_help_heading = "Output")]
    counterexamples: CounterexampleOption,
    #[command(flatten, next_help_heading = "Machine")]
    machine: MachineOptions,
    #[command(flatten, next_help_heading = "Machine")]
    place: JobPlaceOptions,
}

impl Args {
    fn empty_report(&self, course: &Course, machine: &Machine) -> Report {
        Report {
            title: course.title.as_ref().map(|title| title.value.clone()),
            feedback: course.feedback_level().unwrap_or_default(),
            ..empty_report(machine)
        }
    }

    fn check_counterexamples(&self, course: &Course, loaded: &[LoadedPackage]) -> Result<()> {
        let Some(_) = course.hunt_time() else { return Ok(()) };
        let is_public_brief =
            self.anonymous.hides_names() && course.feedback_level() == Some(FeedbackLevel::Brief);
        if is_public_brief {
            bail!(
                "--counterexamples shows nothing with --anonymous and --feedback brief; leave one of them out"
            );
        }
        loaded.iter().try_for_each(|loaded| check_huntable(&loaded.package))
    }

    /// The options that course.toml has as keys.
    fn options(&self) -> Result<Course> {
        let CourseOptions { scale, weights, time_factors, language_factors, grace, extensions } =
            &self.course;
        let hunt = self.counterexamples.counterexamples.map(HuntTime);
        let path = |name, path: &Option<PathBuf>| path.clone().map(|path| Sourced::option(name, path));
        Ok(Course {
            gradebook: path("--gradebook", &self.gradebook.gradebook),
            out: path("--out", &self.report.out),
            decisions: path("--decisions", &self.entries.decisions),
            points: PointRules {
                scale: scale.clone().map(|scale| Sourced::option("--scale", scale)),
                weights: weights.clone(),
                ..PointRules::default()
            },
            late: LateRules {
                deadline: self.gradebook.deadline.map(|time| Sourced::option("--deadline", time)),
                rule: self.regrading.late_rule()?.map(|rule| Sourced::option("--late", rule)),
                grace: grace.map(|grace| Sourced::option("--grace", grace)),
                budget: None,
                extensions: extensions.clone(),
            },
            time: TimeRules { languages: language_factors.clone(), participants: time_factors.clone() },
            feedback: FeedbackRules {
                level: self.report.feedback.map(|level| Sourced::option("--feedback", level)),
                counterexamples: hunt.map(|time| Sourced::option("--counterexamples", time)),
            },
            ..Course::default()
        })
    }

    /// Reads these files first, so that a typo costs no time.
    fn read_files(&self, course: &Course) -> Result<CourseFiles> {
        let folder = course.hand_in_place()?;
        if folder.symlink_metadata().is_err() {
            return Err(missing_path("read the hand-ins", folder));
        }
        self.place.check()?;
        let decisions = course.decisions.as_ref().map(|file| Decisions::read(&file.value));
        Ok(CourseFiles {
            rulings: self.regrading.read(course)?,
            decisions: decisions.transpose()?.unwrap_or_default(),
            gradebook: self.gradebook.read(course)?,
        })
    }

    fn class_request(&self) -> ClassRequest<'_> {
        ClassRequest {
            only: &self.only,
            shard: self.shard,
            layout: self.layout,
            preferred: &self.entries.entries,
            attempts: self.entries.attempts,
            anonymous: self.anonymous.key(),
        }
    }
}

pub(super) fn run(args: Args) -> Result<ExitStatus> {
    let start = Instant::now();
    let options = args.options()?;
    let lines = options.lines();
    let course = read_course(&args.paths, options)?;
    ensure!(!args.similar || course.out.is_some(), "--similar needs --out");
    let hand_ins = course.hand_in_place()?;
    let found = find_packages(&course.problem_places())?;
    course.out_place().map_or(Ok(()), |out| check_folder(out, &found, hand_ins))?;
    let mut files = args.read_files(&course)?;
    let _locked = course.out_place().map(lock_folder).transpose()?;
    let mut machine = args.machine.open(&ForeignFolders::of_class(hand_ins))?;
    let stop = stop_on_interrupt()?;
    let place = args.place.open(&mut machine, &stop)?;
    let executor = place.executor(&machine)?;
    let engine = Engine::new(&machine, &*executor, &stop);
    let standard_library = course.standard_library(&machine.table)?;
    let session = GradeSession { standard_library: &standard_library, ..args.judging.session(engine) };
    let mut report = args.empty_report(&course, &machine);
    let mut loaded = load_packages(&engine, &found, hand_ins)?.note_in(&mut report.notices);
    files.rulings.check_packages(&in_course(&loaded))?;
    args.check_counterexamples(&course, &loaded)?;
    let mut left_out = Vec::new();
    for one in files.rulings.leave_out_cases(&args.regrading.without, &in_course(&loaded))? {
        loaded[one.package].tests = one.tests;
        left_out.push(one.rule);
    }
    let totals = course.total_plan(loaded.iter().map(|one| one.in_course().max()).collect())?;
    report.notices.rules.extend(course.sentences(&totals)?.into_iter().chain(left_out));
    let mut bar = None;
    let mut on_event = |event: CourseEvent| show_event(event, &mut bar);
    let (packages, request) = (in_course(&loaded), args.class_request());
    let reader =
        ClassReader { course: &course, packages: &packages, totals: &totals, table: &machine.table, request };
    let class = reader.read(files, &mut on_event)?;
    report.notices.warnings.extend(choose_limits(&args, &session, &mut loaded)?);
    let packages = in_course(&loaded);
    let run =
        CourseRun { course: &course, packages: &packages, class: &class, totals: &totals, session: &session };
    let mut report = run.grade(report, &mut on_event).map_err(early_end)?;
    let view = GradeView { args: &args, course: &course, engine, loaded: &loaded, class: &class };
    // After all judging, so that an interrupted hunt has all grades.
    view.add_counterexamples(&stop, &mut report);
    report.elapsed = start.elapsed();
    let report = view.publish(&report, &lines)?;
    Ok(ExitStatus::of_judging(&stop, &report.all_faults(), status_of(&loaded)))
}

fn in_course(loaded: &[LoadedPackage]) -> Vec<CoursePackage<'_>> {
    loaded.iter().map(LoadedPackage::in_course).collect()
}

/// The exit code tells an interruption from an error.
fn early_end(error: anyhow::Error) -> anyhow::Error {
    if error.is::<JudgingStopped>() { InterruptedEarly.into() } else { error }
}

fn show_event(event: CourseEvent, bar: &mut Option<JudgingProgress>) {
    match event {
        CourseEvent::Said(line) => print_message!("{line}"),
        CourseEvent::Begins { package, participants } => {
            *bar = Some(JudgingProgress::of_class(package, participants));
        }
        CourseEvent::Step(step) => bar.iter_mut().for_each(|bar| bar.show_event(&step)),
        CourseEvent::Ends => bar.take().iter().for_each(JudgingProgress::close),
    }
}

/// The exit code of a run that judged everything.
fn status_of(loaded: &[LoadedPackage]) -> ExitStatus {
    let is_unsound = loaded.iter().any(|package| package.errors > 0);
    if is_unsound { ExitStatus::Unsound } else { ExitStatus::Success }
}

/// Applies `--limits`. Returns warnings of limits that no author chose.
fn choose_limits(args: &Args, session: &GradeSession, loaded: &mut [LoadedPackage]) -> Result<Vec<Message>> {
    let mut warnings = Vec::new();
    for loaded in loaded {
        args.judging.limits.apply(session, loaded)?;
        let package = &loaded.package;
        if package.limits.time.is_none() && !package.kind.submit_answer {
            warnings.push(Message::package_warning(
                &package.name,
                format!(
                    "problem.yaml has no time limit, so it is {} here; `kopek limits` proposes one",
                    limit_text(run_limits(package).cpu)
                ),
            ));
        }
    }
    Ok(warnings)
}

/// Reads packages, and meanwhile identifies the toolchains of the hand-ins on idle CPUs.
fn load_packages(engine: &Engine, dirs: &[PathBuf], hand_ins: &Path) -> Result<Noticed<Vec<LoadedPackage>>> {
    let load = || -> Result<Noticed<Vec<LoadedPackage>>> {
        let mut notices = Notices::default();
        let mut all = Vec::new();
        for dir in dirs {
            all.push(load_package(dir, engine)?.note_in(&mut notices));
        }
        Ok(Noticed { value: all, notices })
    };
    let loaded = engine.machine.with_toolchains_of(&file_names(hand_ins), load)?;
    check_names(&loaded.value)?;
    Ok(loaded)
}

/// Fails if two packages have one name: hand-ins, reports and decisions know packages by name.
fn check_names(loaded: &[LoadedPackage]) -> Result<()> {
    for (at, one) in loaded.iter().enumerate() {
        if let Some(other) = loaded[..at].iter().find(|other| other.package.name == one.package.name) {
            let dirs = [&other.package.dir, &one.package.dir].map(|dir| dir.display().to_string());
            bail!(
                "two packages are called {}: {}; give one of them, or rename a folder",
                one.package.name,
                dirs.join(" and ")
            );
        }
    }
    Ok(())
}

/// The names of the files in a folder, up to a limit.
fn file_names(folder: &Path) -> Vec<String> {
    const MAX_COUNT: usize = 10_000;
    let files = WalkDir::new(folder).into_iter().flatten().filter(|entry| entry.file_type().is_file());
    files.take(MAX_COUNT).map(|entry| entry.file_name().to_string_lossy().into_owned()).collect()
}

/// A graded class, to be shown.
struct GradeView<'a> {
    args: &'a Args,
    course: &'a Course,
    engine: Engine<'a>,
    loaded: &'a [LoadedPackage],
    class: &'a CourseClass,
}

impl GradeView<'_> {
    /// Hunts for all packages, until Ctrl-C.
    fn add_counterexamples(&self, stop: &AtomicBool, report: &mut Report) {
        let GradeView { loaded, class, .. } = self;
        let Some(HuntTime(seconds)) = self.course.hunt_time() else { return };
        let mut is_interrupted = false;
        for results in &report.packages {
            let Some(at) = loaded.iter().position(|loaded| loaded.package.name == results.name) else {
                continue;
            };
            if is_interrupted {
                let what = "no counterexamples: the hunt was interrupted";
                report.notices.warnings.push(Message::package_warning(&results.name, what));
                continue;
            }
            let class = JudgedClass { members: &class.members[at], results, names: &class.names[at] };
            match hunt(seconds, &self.engine, stop, &loaded[at], &class) {
                Ok(found) => {
                    is_interrupted = found.as_ref().is_some_and(|found| found.interrupted);
                    report.notices.warnings.extend(found.as_ref().and_then(not_compared_warning));
                    report.counterexamples.extend(found);
                }
                Err(error) => {
                    let what = format!("no counterexamples: {error:#}");
                    report.notices.warnings.push(Message::package_warning(&results.name, what));
                }
            }
        }
    }

    /// Shows the report, and writes its files and those for the platform. Returns the report that is shown.
    fn publish<'r>(&self, report: &'r Report, lines: &[String]) -> Result<Cow<'r, Report>> {
        let GradeView { args, course, class, .. } = self;
        let hides_names = args.anonymous.hides_names();
        if hides_names {
            // The public report hides the reasons, but the teacher needs them.
            open_lines(report).iter().for_each(|line| print_message!("not judged: {line}"));
        }
        class.completion(report).iter().for_each(|line| print_message!("{line}"));
        // What names a participant or a hidden case is not for readers of an anonymous report.
        let keeps_hand_ins = course.out.is_some() && !hides_names;
        let hand_ins = if keeps_hand_ins { class.hand_in_text(report) } else { None };
        let report = if hides_names { Cow::Owned(public_report(report)) } else { Cow::Borrowed(report) };
        args.report.show(&report, course.out_place(), hand_ins)?;
        // An interrupted run has only some of the grades.
        if !self.engine.is_stopped() {
            self.write_results(&report)?;
            self.print_next_steps(&report, lines)?;
        }
        Ok(report)
    }

    /// For the platform.
    fn write_results(&self, report: &Report) -> Result<()> {
        let (out, layout) = (self.course.out_place(), self.class.layout);
        let print = |lines: Vec<String>| lines.iter().for_each(|line| print_message!("{line}"));
        if self.args.anonymous.hides_names() {
            if self.class.gradebook.is_some() {
                print_message!("no grades in the gradebook: it has names, which --anonymous hides");
            }
            if out.is_some() && platform_of(layout).takes_feedback() {
                let layout = layout.name();
                print_message!("no feedback files for {layout}: they need names, which --anonymous hides");
            }
            return Ok(());
        }
        if let Some(book) = &self.class.gradebook {
            print(book.write(report, out)?);
        }
        if let Some(out) = out {
            print(write_feedback(report, layout, participant_pages(report), out)?);
        }
        self.compare_programs()
    }

    fn compare_programs(&self) -> Result<()> {
        let Some(out) = self.course.out_place().filter(|_| self.args.similar) else { return Ok(()) };
        for (loaded, class) in self.loaded.iter().zip(&self.class.members) {
            let package = &loaded.package;
            let several = self.loaded.len() > 1;
            // Names of packages are valid file names.
            let name = if several { format!("similar-{}", package.name) } else { "similar".to_owned() };
            compare_class(out, &name, package, class, &self.engine.machine.table)?;
        }
        Ok(())
    }

    fn print_next_steps(&self, report: &Report, lines: &[String]) -> Result<()> {
        if !self.args.report.is_for_people() {
            return Ok(());
        }
        let packages = self.loaded.iter().map(|one| &one.package);
        let graded = GradedClass {
            report,
            packages: packages.map(|one| (one.name.as_str(), one.dir.as_path())).collect(),
            hand_ins: self.course.hand_in_place()?,
            out: self.course.out_place(),
            hides_names: self.args.anonymous.hides_names(),
            words: std::env::args().collect(),
            kept: lines,
        };
        print_text(&format!("\n{}", graded.next_steps()))
    }
}
