//! `kopek grade`: grades a folder of hand-ins against one or more packages.

use super::{
    anonymous_option::{AnonymousOption, hide_names},
    counterexample_option::{CounterexampleOption, JudgedClass, not_compared_warning},
    course_options::{CourseOptions, RULES, read_course},
    exit_status::ExitStatus,
    foreign_folders::ForeignFolders,
    gradebook_options::{GradebookFile, GradebookOptions, OpenGradebook, write_feedback},
    hand_in_options::{EntryOptions, layout_parser},
    interrupt::stop_on_interrupt,
    job_place::JobPlaceOptions,
    judging::{JudgingOptions, judge_cohort, report_without_rows},
    machine_options::MachineOptions,
    named_packages::{LoadedPackage, find_packages, load_package},
    next_steps::GradedClass,
    path_hints::missing_path,
    regrading_options::{KnownLateness, RegradingOptions, Rulings, parts_by_time},
    report_folder::{check_folder, keep_others, lock_folder, report_of_others},
    report_options::{ReportOptions, empty_report},
    similar_command::compare_class,
    terminal_output::{print_message, print_text},
};
use crate::{
    base::{
        message::Message,
        wording::{counted, limit_text, one_line, shortened},
    },
    class::{
        self, Cohort, CohortRules, DecidedPackage, Decisions, HandInLayout, NameRemoval, Shard,
        people_called, remove_names,
    },
    course::{
        ClassExtent, Course, EarlierReport, FeedbackRules, HandIns, HuntTime, KNOWN_NAMES, LateRules,
        LateTerms, PackageMax, PointRules, Sourced, TimeRules, TotalPlan, changes_since,
    },
    exec::Engine,
    grade::{GradeSession, NoiseFacts, package_report, run_limits},
    language::LanguageTable,
    machine::Machine,
    package::{Package, Participant},
    render::open_lines,
    results::{FeedbackLevel, Noticed, Notices, PackageReport, Report, public_report, rows_by_name},
};
use anyhow::{Context, Result, bail, ensure};
use std::{
    borrow::Cow,
    collections::{BTreeMap, BTreeSet},
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
            feedback: self.report.feedback.unwrap_or_default(),
            ..empty_report(machine)
        }
    }

    /// The report in --out that this run completes: it has others than these participants, who are kept. Fails if
    /// they would be lost.
    fn report_to_complete(
        &self,
        loaded: &[LoadedPackage],
        again: &BTreeSet<String>,
        layout: HandInLayout,
    ) -> Result<Option<ReportToComplete>> {
        let hides_names = self.anonymous.hides_names();
        let (Some(out), false) = (&self.report.out, again.is_empty() || hides_names || self.shard.is_some())
        else {
            return Ok(None);
        };
        let packages: Vec<&Package> = loaded.iter().map(|one| &one.package).collect();
        let Some(last) = report_of_others(out, again, &packages)? else { return Ok(None) };
        let hand_ins = HandIns::read(out, layout, self.entries.attempts)?;
        Ok(Some(ReportToComplete { last, hand_ins, again: again.clone() }))
    }

    /// Fails if --out has a report of others than these participants, which this run cannot complete.
    fn keep_report_of_others(&self, loaded: &[LoadedPackage], members: &[Vec<Participant>]) -> Result<()> {
        let (Some(out), ClassExtent::Part) = (&self.report.out, self.extent()) else { return Ok(()) };
        if self.shard.is_none() && !self.anonymous.hides_names() {
            return Ok(());
        }
        let graded = members.iter().flatten().map(|one| one.name.clone()).collect();
        let packages: Vec<&Package> = loaded.iter().map(|one| &one.package).collect();
        keep_others(out, &graded, &packages)
    }

    fn extent(&self) -> ClassExtent {
        if self.only.is_empty() && self.shard.is_none() { ClassExtent::Whole } else { ClassExtent::Part }
    }

    fn check_counterexamples(&self, loaded: &[LoadedPackage]) -> Result<()> {
        let is_public_brief =
            self.anonymous.hides_names() && self.report.feedback == Some(FeedbackLevel::Brief);
        if is_public_brief && self.counterexamples.is_on() {
            bail!(
                "--counterexamples shows nothing with --anonymous and --feedback brief; leave one of them out"
            );
        }
        self.counterexamples.check(loaded)
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

    /// The course with these options, whose values they have then, too.
    fn complete(&mut self, options: Course) -> Result<Course> {
        let course = read_course(&self.paths, options)?;
        let path = |path: &Option<Sourced<PathBuf>>| path.as_ref().map(|path| path.value.clone());
        self.gradebook.gradebook = path(&course.gradebook);
        self.report.out = path(&course.out);
        self.entries.decisions = path(&course.decisions);
        self.gradebook.deadline = course.deadline();
        self.report.feedback = course.feedback.level.as_ref().map(|level| level.value);
        self.counterexamples.counterexamples =
            course.feedback.counterexamples.as_ref().map(|time| time.value.0);
        ensure!(!self.similar || self.report.out.is_some(), "--similar needs --out");
        Ok(course)
    }
}

pub(super) fn run(mut args: Args) -> Result<ExitStatus> {
    let start = Instant::now();
    let options = args.options()?;
    let kept = options.lines();
    let course = args.complete(options)?;
    let hand_ins = &course.hand_ins.as_ref().context("no folder of hand-ins")?.value;
    let found = find_packages(&course.problem_places())?;
    if let Some(out) = &args.report.out {
        check_folder(out, &found, hand_ins)?;
    }
    let mut files = read_request_files(&args, &course)?;
    let _locked = args.report.out.as_deref().map(lock_folder).transpose()?;
    let mut machine = args.machine.open(&ForeignFolders::of_class(hand_ins))?;
    let stop = stop_on_interrupt()?;
    let place = args.place.open(&mut machine, &stop)?;
    let executor = place.executor(&machine)?;
    let engine = Engine::new(&machine, &*executor, &stop);
    let standard_library = course.standard_library(&machine.table)?;
    let session = GradeSession { standard_library: &standard_library, ..args.judging.session(engine) };
    let mut report = args.empty_report(&course, &machine);
    let Noticed { value: mut loaded, mut notices } = load_packages(&engine, &found, hand_ins)?;
    files.rulings.check_packages(&loaded)?;
    args.check_counterexamples(&loaded)?;
    let left_out = args.regrading.leave_out_cases(&mut files.rulings, &mut loaded)?;
    let sheet = course.total_plan(loaded.iter().map(max_of_package).collect())?;
    notices.rules.extend(course.sentences(&sheet)?.into_iter().chain(left_out));
    let mut class = read_classes(&args, &course, &loaded, &sheet, &machine.table, files)?;
    report.dates.clone_from(&class.chosen.dates);
    report.late_rule = class.late_rule.take();
    notices.warnings.extend(choose_limits(&args, &session, &mut loaded)?);
    let run = GradeRun {
        session,
        args: &args,
        course: &course,
        engine,
        several: loaded.len() > 1,
        rulings: &class.rulings,
    };
    // Only a part of a class may have no hand-ins for a package; a whole class is refused.
    let has_work = |at: usize| args.shard.is_none() || !class.members[at].is_empty();
    for (at, loaded) in loaded.iter().enumerate().filter(|(at, _)| has_work(*at)) {
        let results = run.grade_package(loaded, &class.members[at], &class.names[at])?;
        report.packages.push(results.note_in(&mut notices));
    }
    report.notices.add(notices);
    if let Some(terms) = &class.late_terms {
        terms.deduct(&mut report.packages);
    }
    // After all judging, so that an interrupted hunt has all grades.
    run.add_counterexamples(&loaded, &class, &stop, &mut report);
    report.elapsed = start.elapsed();
    report.sheet = sheet.totals(&report.packages)?;
    class.chosen.completed.iter().for_each(|completed| print_message!("{}", completed.message(&report)));
    let extent = if class.chosen.completed.is_some() { ClassExtent::Whole } else { args.extent() };
    report.since = class.rulings.changes(&report, extent, args.report.out.as_deref());
    let report = run.publish(&report, &loaded, &class, &kept)?;
    Ok(ExitStatus::of_judging(&stop, &report.all_faults(), status_of(&loaded)))
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

fn max_of_package(loaded: &LoadedPackage) -> PackageMax {
    let DecidedPackage { name, card, .. } = loaded.decided();
    PackageMax { package: name, max: card.max }
}

/// The names of the files in a folder, up to a limit.
fn file_names(folder: &Path) -> Vec<String> {
    const MAX_COUNT: usize = 10_000;
    let files = WalkDir::new(folder).into_iter().flatten().filter(|entry| entry.file_type().is_file());
    files.take(MAX_COUNT).map(|entry| entry.file_name().to_string_lossy().into_owned()).collect()
}

/// The files given on the command line besides packages and hand-ins.
struct RequestFiles {
    rulings: Rulings,
    decisions: Decisions,
    gradebook: Option<GradebookFile>,
}

/// Reads these files first, so that a typo costs no time.
fn read_request_files(args: &Args, course: &Course) -> Result<RequestFiles> {
    let folder = course.hand_ins.as_ref().map(|folder| &folder.value);
    if let Some(folder) = folder.filter(|folder| folder.symlink_metadata().is_err()) {
        return Err(missing_path("read the hand-ins", folder));
    }
    args.place.check()?;
    Ok(RequestFiles {
        rulings: args.regrading.read(course)?,
        decisions: args.entries.read_decisions()?,
        gradebook: args.gradebook.read(args.report.out.as_deref())?,
    })
}

/// The state that all packages of a run share.
struct GradeRun<'a> {
    session: GradeSession<'a>,
    args: &'a Args,
    course: &'a Course,
    engine: Engine<'a>,
    several: bool,
    rulings: &'a Rulings,
}

impl GradeRun<'_> {
    /// Judges the hand-ins for one package, and writes the files next to the report.
    fn grade_package(
        &self,
        loaded: &LoadedPackage,
        class: &[Participant],
        names: &[NameRemoval],
    ) -> Result<Noticed<PackageReport>> {
        let Noticed { value: mut results, notices } = self.judge_parts(loaded, class)?;
        if let Some(out) = self.args.report.out.as_ref() {
            self.compare_programs(out, &loaded.package, class)?;
        }
        self.rulings.apply(&mut results)?;
        results.keep_best_attempts();
        for row in &mut results.rows {
            // The file names differ between attempts.
            let alias = row.card.name.clone();
            names.iter().filter(|own| own.alias() == alias).for_each(|own| remove_names(row, own));
        }
        Ok(Noticed { value: results, notices })
    }

    /// Judges participants with another time limit separately, and puts all rows into one table.
    fn judge_parts(&self, loaded: &LoadedPackage, class: &[Participant]) -> Result<Noticed<PackageReport>> {
        let mut whole: Option<PackageReport> = None;
        let mut noise = NoiseFacts::default();
        let mut notices = Notices::default();
        for part in parts_by_time(class) {
            let loaded = loaded.with_time_factor(part.factor);
            let judged = judge_cohort(&self.session, &loaded, &part.members)?.note_in(&mut notices);
            noise.add(&judged);
            let results = package_report(&loaded.package, &loaded.tests, &judged);
            match &mut whole {
                None => whole = Some(results),
                Some(whole) => whole.rows.extend(results.rows),
            }
        }
        let mut whole = whole.with_context(|| format!("no hand-ins for {}", loaded.package.name))?;
        whole.time_limit = run_limits(&loaded.package).cpu;
        if class.iter().all(|one| one.hand_in.time_factor.is_some()) {
            // The results of the parts have their own limits.
            whole.data = report_without_rows(&self.session, loaded)?.data;
        }
        whole.noise = noise.noise();
        // Time limits must not affect the order of rows.
        whole.rows.sort_by(|a, b| a.card.name.cmp(&b.card.name));
        Ok(Noticed { value: whole, notices })
    }

    fn compare_programs(&self, out: &Path, package: &Package, class: &[Participant]) -> Result<()> {
        if !self.args.similar {
            return Ok(());
        }
        // Names of packages are valid file names.
        let name = if self.several { format!("similar-{}", package.name) } else { "similar".to_owned() };
        compare_class(out, &name, package, class, &self.engine.machine.table)
    }

    /// Hunts for all packages, until Ctrl-C.
    fn add_counterexamples(
        &self,
        loaded: &[LoadedPackage],
        class: &ReadClasses,
        stop: &AtomicBool,
        report: &mut Report,
    ) {
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
            match self.args.counterexamples.hunt(&self.engine, stop, &loaded[at], &class) {
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
    fn publish<'r>(
        &self,
        report: &'r Report,
        loaded: &[LoadedPackage],
        class: &ReadClasses,
        kept: &[String],
    ) -> Result<Cow<'r, Report>> {
        let args = self.args;
        if args.anonymous.hides_names() {
            // The public report hides the reasons, but the teacher needs them.
            open_lines(report).iter().for_each(|line| print_message!("not judged: {line}"));
        }
        // What names a participant or a hidden case is not for readers of an anonymous report.
        let hand_ins =
            if args.anonymous.hides_names() { None } else { class.chosen.hand_ins.to_text(report) };
        let report = self.visible_report(report);
        args.report.show(&report, hand_ins)?;
        // An interrupted run has only some of the grades.
        if !self.engine.is_stopped() {
            self.write_results(&report, class)?;
            self.print_next_steps(&report, loaded, kept)?;
        }
        Ok(report)
    }

    /// The report to show: with `--anonymous`, the public one.
    fn visible_report<'r>(&self, report: &'r Report) -> Cow<'r, Report> {
        if self.args.anonymous.hides_names() {
            Cow::Owned(public_report(report))
        } else {
            Cow::Borrowed(report)
        }
    }

    fn print_next_steps(&self, report: &Report, loaded: &[LoadedPackage], kept: &[String]) -> Result<()> {
        if !self.args.report.is_for_people() {
            return Ok(());
        }
        let packages = loaded.iter().map(|one| &one.package);
        let graded = GradedClass {
            report,
            packages: packages.map(|one| (one.name.as_str(), one.dir.as_path())).collect(),
            hand_ins: &self.course.hand_ins.as_ref().context("no folder of hand-ins")?.value,
            out: self.args.report.out.as_deref(),
            hides_names: self.args.anonymous.hides_names(),
            words: std::env::args().collect(),
            kept,
        };
        print_text(&format!("\n{}", graded.next_steps()))
    }

    /// For the platform.
    fn write_results(&self, report: &Report, class: &ReadClasses) -> Result<()> {
        let hides_names = self.args.anonymous.hides_names();
        match &class.gradebook {
            Some(_) if hides_names => {
                print_message!("no grades in the gradebook: it has names, which --anonymous hides");
            }
            Some(book) => book.write(report, self.args.report.out.as_deref())?,
            None => {}
        }
        self.write_feedback(report, class.layout)
    }

    fn write_feedback(&self, report: &Report, layout: HandInLayout) -> Result<()> {
        let out = self.args.report.out.as_deref();
        if !self.args.anonymous.hides_names() {
            return write_feedback(report, layout, out);
        }
        if out.is_some() && layout.takes_feedback() {
            let layout = layout.name();
            print_message!("no feedback files for {layout}: they need names, which --anonymous hides");
        }
        Ok(())
    }
}

/// The hand-ins for each package, and the names to remove from them.
struct ReadClasses {
    layout: HandInLayout,
    rulings: Rulings,
    late_rule: Option<String>,
    late_terms: Option<LateTerms>,
    members: Vec<Vec<Participant>>,
    gradebook: Option<OpenGradebook>,
    names: Vec<Vec<NameRemoval>>,
    chosen: ChosenMembers,
}

/// Who is in the report.
struct ChosenMembers {
    /// Those whom the teacher names; empty: all.
    again: BTreeSet<String>,
    /// The dates of the results of those who are not graded again, but judged by the hand-ins of their report.
    dates: BTreeMap<String, String>,
    /// The hand-ins as they were read.
    hand_ins: HandIns,
    /// The report in --out that this run completes.
    completed: Option<ReportToComplete>,
}

impl ChosenMembers {
    fn has(&self, member: &Participant) -> bool {
        let is_named = self.again.contains(&member.name) || self.dates.contains_key(&member.name);
        self.again.is_empty() || is_named
    }
}

/// A report with other participants than those who are graded now.
struct ReportToComplete {
    last: EarlierReport,
    hand_ins: HandIns,
    again: BTreeSet<String>,
}

impl ReportToComplete {
    /// How many were graded again, and which others have other results, as by another rule.
    fn message(&self, report: &Report) -> String {
        let all = rows_by_name(&report.packages);
        let again = all.keys().filter(|name| self.again.contains(**name)).count();
        let changes = changes_since(&self.last, report, ClassExtent::Part).changes;
        let others: BTreeSet<String> = changes
            .iter()
            .filter(|change| !self.again.contains(&change.name))
            .map(|change| one_line(&change.name))
            .collect();
        let others: Vec<String> = others.into_iter().collect();
        let rest = match others.len() {
            0 => "the others are as they were".to_owned(),
            count => format!(
                "of the others, {count} have other points, verdicts or comments now, because rules, decisions or the \
                    package are others: {}",
                shortened(&others, 8, ", ")
            ),
        };
        format!("{again} of {} graded again; {rest}", counted(all.len(), "participant"))
    }
}

/// Reads the hand-ins with the names of the gradebook, and prints a summary.
fn read_cohort(
    args: &Args,
    folder: &Path,
    loaded: &[LoadedPackage],
    gradebook: Option<&GradebookFile>,
) -> Result<Cohort> {
    let names: Vec<String> = loaded.iter().map(|loaded| loaded.package.name.clone()).collect();
    let mut cohort = class::read(folder, args.layout, &names)?;
    if let Some(book) = gradebook {
        cohort.rename(&book.names(loaded, cohort.layout())?);
    }
    // Names of files may have several lines.
    print_message!("{}", one_line(&cohort.summary()));
    cohort.remarks().iter().for_each(|remark| print_message!("warning: {}", one_line(remark)));
    Ok(cohort)
}

/// Reads the class. Reports problems of the folder before judging.
fn read_classes(
    args: &Args,
    course: &Course,
    loaded: &[LoadedPackage],
    sheet_plan: &TotalPlan,
    table: &LanguageTable,
    files: RequestFiles,
) -> Result<ReadClasses> {
    let RequestFiles { rulings, decisions, gradebook } = files;
    let folder = &course.hand_ins.as_ref().context("no folder of hand-ins")?.value;
    let rules = args.entries.rules(table, &decisions);
    let cohort = read_cohort(args, folder, loaded, gradebook.as_ref())?;
    let mut members = read_members(&cohort, &rules, loaded)?;
    let mut open = gradebook.map(|book| book.open(loaded, &members, cohort.layout())).transpose()?;
    open.iter().try_for_each(|book| book.add_emails(&mut members))?;
    let chosen = choose_members(args, loaded, cohort.layout(), &mut members)?;
    let decided: Vec<_> = loaded.iter().map(LoadedPackage::decided).collect();
    decisions.decide(&mut members, &decided)?;
    let mut sheet = None;
    if let Some(book) = &mut open {
        book.match_class(&members, cohort.layout())?;
        if !args.anonymous.hides_names() {
            book.similar_names().iter().for_each(|warning| print_message!("warning: {warning}"));
        }
        sheet = book.lateness(&members)?;
    }
    let known = KnownLateness { sheet: sheet.as_ref(), layout: cohort.layout(), course };
    course.give_time(table, &mut members)?;
    let ruled = args.regrading.rule(&rulings, &known, loaded, &mut members)?;
    ruled.warnings.iter().for_each(|warning| print_message!("warning: {warning}"));
    let key = args.anonymous.open_key(folder, args.report.out.as_deref(), &members)?;
    members.iter_mut().for_each(|class| class.retain(|one| chosen.has(one)));
    if let Some(shard) = args.shard {
        keep_shard(shard, &mut members)?;
    }
    let names = hide_names(key.as_ref(), &mut members)?;
    if let Some(key) = &key {
        rulings.check_anonymous(key)?;
    }
    args.keep_report_of_others(loaded, &members)?;
    if let Some(book) = open.as_ref().filter(|_| !args.anonymous.hides_names()) {
        book.check(sheet_plan.max.as_ref(), &members)?;
    }
    Ok(ReadClasses {
        layout: cohort.layout(),
        rulings,
        late_rule: ruled.late_rule,
        late_terms: ruled.terms,
        members,
        gradebook: open,
        names,
        chosen,
    })
}

/// Finds out who is graded, and takes the others of a report that is completed into the class.
fn choose_members(
    args: &Args,
    loaded: &[LoadedPackage],
    layout: HandInLayout,
    members: &mut [Vec<Participant>],
) -> Result<ChosenMembers> {
    let again = named_participants(&args.only, members)?;
    let completed = args.report_to_complete(loaded, &again, layout)?;
    let packages: Vec<&str> = loaded.iter().map(|one| one.package.name.as_str()).collect();
    let mut dates = BTreeMap::new();
    if let Some(completed) = &completed {
        dates = completed.hand_ins.join(&packages, members, &again)?;
    }
    let hand_ins = HandIns::of(&packages, members, layout, args.entries.attempts);
    Ok(ChosenMembers { again, dates, hand_ins, completed })
}

/// The hand-ins for each package.
fn read_members(
    cohort: &Cohort,
    rules: &CohortRules,
    loaded: &[LoadedPackage],
) -> Result<Vec<Vec<Participant>>> {
    let mut members = Vec::new();
    for loaded in loaded {
        members.push(cohort.participants(&loaded.package, rules)?);
    }
    cohort.check_programs(members.iter().flatten())?;
    Ok(members)
}

/// The participants that the teacher names; empty: none is named.
fn named_participants(only: &[String], classes: &[Vec<Participant>]) -> Result<BTreeSet<String>> {
    let mut named = BTreeSet::new();
    for name in only {
        let found = people_called(classes, name).context("--only")?;
        ensure!(!found.is_empty(), "--only {name}: no such participant; {KNOWN_NAMES}");
        named.extend(found);
    }
    Ok(named)
}

/// Keeps only the participants of one part of the class.
fn keep_shard(shard: Shard, classes: &mut [Vec<Participant>]) -> Result<()> {
    let count = |classes: &[Vec<Participant>]| classes.iter().map(Vec::len).sum::<usize>();
    let all = count(classes);
    ensure!(all > 0, "--shard: there are no hand-ins");
    classes.iter_mut().for_each(|class| class.retain(|one| shard.has(one)));
    print_message!("shard {shard} of the class: {} of {}", count(classes), counted(all, "participant"));
    if classes.iter().all(Vec::is_empty) {
        print_message!("nothing to judge in this shard");
    }
    Ok(())
}
