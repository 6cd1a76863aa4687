//! `kopek grade`: grades a folder of hand-ins against one or more packages.

use super::{
    anonymous_option::{AnonymousOption, hide_names},
    completed_report::{ReportToComplete, saved_text},
    counterexample_option::{CounterexampleOption, JudgedClass, not_compared_warning},
    course_file::CourseValues,
    course_options::{CourseOptions, KNOWN_NAMES, RULES, TotalPlan},
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
    report_folder::{check_folder, keep_others, lock_folder},
    report_options::{ReportOptions, empty_report},
    similar_command::compare_class,
    terminal_output::{print_message, print_text},
};
use crate::{
    base::{
        message::Message,
        wording::{counted, limit_text, one_line},
    },
    class::{
        self, Cohort, CohortRules, Decisions, HandInLayout, NameRemoval, Shard, people_called, remove_names,
    },
    course::{ClassExtent, LateTerms},
    exec::Engine,
    grade::{GradeSession, NoiseFacts, package_report, run_limits},
    language::LanguageTable,
    machine::Machine,
    package::{Package, Participant},
    render::open_lines,
    results::{FeedbackLevel, Noticed, Notices, PackageReport, Report, ReportTerms, public_report},
};
use anyhow::{Context, Result, bail, ensure};
use std::{
    borrow::Cow,
    collections::BTreeSet,
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
    fn empty_report(&self, machine: &Machine) -> Report {
        Report {
            title: self.course.of_file.title.clone(),
            feedback: self.report.feedback.unwrap_or_default(),
            ..empty_report(machine)
        }
    }

    /// The options that all rows of a report must share, besides rules.
    fn settings(&self, layout: HandInLayout) -> Vec<String> {
        let mut all = self.judging.settings();
        all.extend(self.entries.setting().map(str::to_owned));
        all.extend(self.gradebook.setting());
        all.extend(self.counterexamples.is_on().then(|| "--counterexamples".to_owned()));
        all.push(format!("--layout {}", layout.name()));
        all
    }

    /// The report in --out, if it has other participants than these. Fails if it would lose them.
    fn report_to_complete(
        &self,
        loaded: &[LoadedPackage],
        members: &[Vec<Participant>],
        others: &[Vec<Participant>],
    ) -> Result<Option<ReportToComplete>> {
        let (Some(out), ClassExtent::Part) = (&self.report.out, self.extent()) else { return Ok(None) };
        let graded = members.iter().flatten().map(|one| one.name.as_str()).collect();
        let packages: Vec<&Package> = loaded.iter().map(|one| &one.package).collect();
        // The comparison of programs is about the class as a whole.
        if self.shard.is_some() || self.similar || self.anonymous.hides_names() {
            keep_others(out, &graded, &packages)?;
            return Ok(None);
        }
        let report = ReportToComplete::read(out, &graded, &packages)?;
        let outdated = report.as_ref().and_then(|report| report.outdated_rulings(loaded, others));
        outdated.iter().for_each(|warning| print_message!("warning: {warning}"));
        Ok(report)
    }

    /// Fails before judging if the report to complete has other rules, data or options.
    fn check_report_to_complete(
        &self,
        earlier: Option<&ReportToComplete>,
        run: ReportTerms,
        session: &GradeSession,
        loaded: &[LoadedPackage],
    ) -> Result<()> {
        let Some(earlier) = earlier else { return Ok(()) };
        let mut terms = run;
        terms.rules.extend(self.judging.timing.policy.remark().map(str::to_owned));
        earlier.check(&terms, session, loaded)
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

    /// Adds the values of course.toml. Returns the lines that make those of the command line permanent.
    fn complete(&mut self) -> Result<Vec<String>> {
        let mut values = CourseValues {
            paths: &mut self.paths,
            course: &mut self.course,
            regrading: &mut self.regrading,
            entries: &mut self.entries,
            gradebook: &mut self.gradebook,
            report: &mut self.report,
            counterexamples: &mut self.counterexamples,
        };
        let lines = values.lines();
        values.complete()?;
        ensure!(!self.similar || self.report.out.is_some(), "--similar needs --out");
        Ok(lines)
    }
}

pub(super) fn run(mut args: Args) -> Result<ExitStatus> {
    let start = Instant::now();
    let kept = args.complete()?;
    let (hand_ins, places) = args.paths.split_last().context("no folder of hand-ins")?;
    let found = find_packages(places)?;
    if let Some(out) = &args.report.out {
        check_folder(out, &found, hand_ins)?;
    }
    let RequestFiles { mut rulings, decisions, gradebook } = read_request_files(&args)?;
    let _locked = args.report.out.as_deref().map(lock_folder).transpose()?;
    let mut machine = args.machine.open(&ForeignFolders::of_class(hand_ins))?;
    let stop = stop_on_interrupt()?;
    let place = args.place.open(&mut machine, &stop)?;
    let executor = place.executor(&machine)?;
    let engine = Engine::new(&machine, &*executor, &stop);
    let standard_library = args.course.of_file.standard_library(&machine.table)?;
    let session = GradeSession { standard_library: &standard_library, ..args.judging.session(engine) };
    let mut report = args.empty_report(&machine);
    let Noticed { value: mut loaded, mut notices } = load_packages(&engine, &found, hand_ins)?;
    rulings.check_packages(&loaded)?;
    args.check_counterexamples(&loaded)?;
    let left_out = args.regrading.leave_out_cases(&mut rulings, &mut loaded)?;
    let sheet = args.course.total_plan(&loaded)?;
    notices.rules.extend(args.course.sentences(&sheet)?.into_iter().chain(left_out));
    let mut class = read_classes(&args, &loaded, &sheet, &machine.table, rulings, &decisions, gradebook)?;
    report.settings = args.settings(class.layout);
    report.late_rule = class.late_rule.take();
    notices.warnings.extend(choose_limits(&args, &session, &mut loaded)?);
    let terms = ReportTerms { rules: notices.rules.clone(), ..ReportTerms::of(&report) };
    args.check_report_to_complete(class.earlier.as_ref(), terms, &session, &loaded)?;
    let run = GradeRun { session, args: &args, engine, several: loaded.len() > 1, rulings: &class.rulings };
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
    let completed = class.earlier.take().map(|earlier| earlier.complete(&mut report)).transpose()?;
    completed.iter().for_each(|completed| print_message!("{}", completed.message()));
    report.sheet = sheet.totals(&report.packages)?;
    let extent = if completed.is_some() { ClassExtent::Whole } else { args.extent() };
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
fn read_request_files(args: &Args) -> Result<RequestFiles> {
    if let Some(folder) = args.paths.last().filter(|folder| folder.symlink_metadata().is_err()) {
        return Err(missing_path("read the hand-ins", folder));
    }
    args.place.check()?;
    Ok(RequestFiles {
        rulings: args.regrading.read()?,
        decisions: args.entries.read_decisions()?,
        gradebook: args.gradebook.read(args.report.out.as_deref())?,
    })
}

/// The state that all packages of a run share.
struct GradeRun<'a> {
    session: GradeSession<'a>,
    args: &'a Args,
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
        let rows = if args.anonymous.hides_names() { None } else { saved_text(report) };
        let report = self.visible_report(report);
        args.report.show(&report, rows)?;
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
            hand_ins: self.args.paths.last().context("no folder of hand-ins")?,
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
    /// The report in --out that this run completes.
    earlier: Option<ReportToComplete>,
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
    loaded: &[LoadedPackage],
    sheet_plan: &TotalPlan,
    table: &LanguageTable,
    rulings: Rulings,
    decisions: &Decisions,
    gradebook: Option<GradebookFile>,
) -> Result<ReadClasses> {
    let folder = args.paths.last().context("no folder of hand-ins")?;
    let rules = args.entries.rules(table, decisions);
    let cohort = read_cohort(args, folder, loaded, gradebook.as_ref())?;
    let mut members = read_members(&cohort, &rules, loaded)?;
    let mut sheet = None;
    let mut open = gradebook.map(|book| book.open(loaded, &members, cohort.layout())).transpose()?;
    if let Some(book) = &open {
        if !args.anonymous.hides_names() {
            book.similar_names().iter().for_each(|warning| print_message!("warning: {warning}"));
        }
        sheet = book.lateness(&members)?;
        book.add_emails(&mut members)?;
    }
    let known = KnownLateness {
        sheet: sheet.as_ref(),
        layout: cohort.layout(),
        course: &args.course,
        deadline: args.gradebook.deadline,
    };
    args.course.give_time(table, &mut members)?;
    let ruled = args.regrading.rule(&rulings, &known, loaded, &mut members)?;
    ruled.warnings.iter().for_each(|warning| print_message!("warning: {warning}"));
    let key = args.anonymous.open_key(folder, args.report.out.as_deref(), &members)?;
    let others = keep_only(&args.only, &mut members)?;
    if let Some(shard) = args.shard {
        keep_shard(shard, &mut members)?;
    }
    let names = hide_names(key.as_ref(), &mut members)?;
    if let Some(key) = &key {
        rulings.check_anonymous(key)?;
    }
    let earlier = args.report_to_complete(loaded, &members, &others)?;
    if let (Some(book), Some(earlier)) = (&mut open, &earlier) {
        book.add_others(earlier.rows(), cohort.layout())?;
    }
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
        earlier,
    })
}

/// The hand-ins for each package.
fn read_members(
    cohort: &Cohort,
    rules: &CohortRules,
    loaded: &[LoadedPackage],
) -> Result<Vec<Vec<Participant>>> {
    let decided: Vec<_> = loaded.iter().map(LoadedPackage::decided).collect();
    cohort.check_decisions(rules, &decided)?;
    let mut members = Vec::new();
    for loaded in loaded {
        members.push(cohort.participants(&loaded.package, rules)?);
    }
    cohort.check_programs(members.iter().flatten())?;
    Ok(members)
}

/// Keeps only the named participants, or all if none is named. Returns the others.
fn keep_only(only: &[String], classes: &mut [Vec<Participant>]) -> Result<Vec<Vec<Participant>>> {
    let mut kept = BTreeSet::new();
    for name in only {
        let found = people_called(classes, name).context("--only")?;
        ensure!(!found.is_empty(), "--only {name}: no such participant; {KNOWN_NAMES}");
        kept.extend(found);
    }
    let is_other = |one: &mut Participant| !only.is_empty() && !kept.contains(&one.name);
    Ok(classes.iter_mut().map(|class| class.extract_if(.., is_other).collect()).collect())
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
