//! `kopek grade` in memory, on a fake machine: no process, no sandbox, no compiler.

use crate::fake_machine::{fake_machine, with_engine};
use anyhow::{Context, Error, Result};
use kopek::{
    class::{AttemptPolicy, Decisions, Shard},
    course::{
        ClassRequest, Course, CourseEvent, CourseFiles, CourseRequest, GradebookFile, HuntTime, Placed,
        Rulings, StandingGrades, grade_course, write_report,
    },
    exec::Engine,
    grade::{GradeEvent, GradeSession, Thoroughness},
    render::{Page, ReportFormat, participant_pages, render, report_files},
    results::Report,
};
use std::{
    path::{Path, PathBuf},
    sync::atomic::Ordering,
};

/// Programs in the language of the fake machine.
pub const FAKE_SUM: &str = "print sum(input)\n";
pub const FAKE_WRONG: &str = "print 0\n";
/// Right for small numbers only: 60 points.
pub const FAKE_HALF: &str = "n = sum(input)\nif n > 8: n = 0\nprint n\n";

/// The result of a run.
pub struct GradedClass {
    pub report: Report,
    /// The report in the format of `--format`.
    pub text: String,
    /// The messages, a line each.
    pub said: String,
    /// The stages of the work.
    pub waves: Vec<&'static str>,
    /// Whether Ctrl-C is still known at the end.
    pub is_stopped: bool,
}

/// The course in a folder, and the options of a run that a course does not have.
struct Request {
    home: PathBuf,
    course: Course,
    since: Option<PathBuf>,
    without: Vec<String>,
    only: Vec<String>,
    shard: Option<Shard>,
    attempts: AttemptPolicy,
    standing: StandingGrades,
    anonymous: Option<Option<PathBuf>>,
    format: ReportFormat,
    /// Whether Ctrl-C comes when the search for inputs begins.
    interrupts_search: bool,
}

/// Grades as `kopek grade` does with these words in this folder: paths or none, then options. `--rules` has lines of
/// the file of a course with these paths.
pub fn grade(home: &Path, words: &[&str]) -> Result<GradedClass> {
    let request = Request::read(home, words)?;
    let mut graded = request.grade()?;
    let folder = format!("{}/", home.display());
    graded.text = graded.text.replace(&folder, "");
    graded.said = graded.said.replace(&folder, "");
    Ok(graded)
}

/// The message of an error, without the place of the folder.
pub fn refusal(home: &Path, words: &[&str]) -> String {
    let error = grade(home, words).err().expect("a mistake");
    format!("{error:#}").replace(&format!("{}/", home.display()), "")
}

impl Request {
    fn read(home: &Path, words: &[&str]) -> Result<Request> {
        let options = words.iter().position(|word| word.starts_with("--")).unwrap_or(words.len());
        let (paths, options) = words.split_at(options);
        let paths: Vec<PathBuf> = paths.iter().map(|path| home.join(path)).collect();
        let rules = options.iter().position(|word| *word == "--rules").map(|at| options[at + 1]);
        let course = match (paths.as_slice(), rules) {
            ([], _) => Course::read(&home.join("course.toml"))?,
            (paths, None) => Course::of_paths(paths),
            ([packages @ .., hand_ins], Some(rules)) => {
                let text = format!("problems = {packages:?}\nhand-ins = {hand_ins:?}\n{rules}");
                Course::parse(&home.join("course.toml"), text)?
            }
        };
        let mut request = Request {
            home: home.to_owned(),
            course,
            since: None,
            without: Vec::new(),
            only: Vec::new(),
            shard: None,
            attempts: AttemptPolicy::Latest,
            standing: StandingGrades::Keep,
            anonymous: None,
            format: ReportFormat::Text,
            interrupts_search: false,
        };
        let mut options = options.iter();
        while let Some(option) = options.next() {
            let mut value = || options.next().with_context(|| format!("{option} has no value"));
            match *option {
                "--anonymous" => request.anonymous = Some(None),
                "--anonymous=key.csv" => request.anonymous = Some(Some(home.join("key.csv"))),
                "--rules" => drop(value()?),
                "--interrupt-search" => request.interrupts_search = true,
                "--overwrite-grades" => request.standing = StandingGrades::Overwrite,
                option => request.add(option, value()?).map_err(Error::msg)?,
            }
        }
        Ok(request)
    }

    fn add(&mut self, option: &str, value: &str) -> Result<(), String> {
        let Request { home, course, .. } = self;
        let path = Some(Placed::option(home.join(value)));
        match option {
            "--out" => course.out = path,
            "--gradebook" => course.gradebook = path,
            "--decisions" => course.decisions.extend(path),
            "--feedback" => course.feedback.level = Some(Placed::option(value.parse()?)),
            "--counterexamples" => {
                let seconds = value.parse().map_err(|_| "a number of seconds")?;
                course.feedback.counterexamples = Some(Placed::option(HuntTime(seconds)));
            }
            "--since" => self.since = Some(home.join(value)),
            "--without" => self.without.push(value.to_owned()),
            "--only" => self.only.push(value.to_owned()),
            "--shard" => self.shard = Some(value.parse()?),
            "--attempts" => self.attempts = AttemptPolicy::Best,
            "--format" => self.format = ReportFormat::parse(value).map_err(|error| error.to_string())?,
            _ => return Err(format!("no such option in memory: {option}")),
        }
        Ok(())
    }

    fn files(&self) -> Result<CourseFiles> {
        let course = &self.course;
        let book = course.gradebook.as_ref().map(|file| &file.value);
        let book = book.map(|file| GradebookFile::read(file, self.standing, course));
        Ok(CourseFiles {
            rulings: Rulings::read(course, self.since.as_deref())?,
            decisions: Decisions::read(course.decisions.iter().map(|file| &file.value))?,
            gradebook: book.transpose()?,
        })
    }

    fn class_request(&self) -> ClassRequest<'_> {
        ClassRequest {
            only: &self.only,
            shard: self.shard,
            layout: None,
            attempts: self.attempts,
            anonymous: self.anonymous.as_ref().map(Option::as_deref),
        }
    }

    fn grade(&self) -> Result<GradedClass> {
        let machine = &fake_machine(&self.home);
        with_engine(machine, |engine| self.grade_with(engine))
    }

    fn grade_with(&self, engine: Engine) -> Result<GradedClass> {
        let course = &self.course;
        let request = CourseRequest {
            course,
            packages: &course.find_packages()?,
            without: &self.without,
            class: self.class_request(),
            files: self.files()?,
            session: &GradeSession::usual(engine, Thoroughness::Needed),
        };
        let mut said = Vec::new();
        let mut waves = Vec::new();
        let mut on_event = |event: CourseEvent| match event {
            CourseEvent::Said(line) => said.push(line),
            CourseEvent::Warned(line) => said.push(format!("warning: {line}")),
            CourseEvent::HuntBegins { .. } if self.interrupts_search => {
                engine.jobs.stop.store(true, Ordering::Relaxed);
            }
            CourseEvent::Step(GradeEvent::Wave { what, .. }) => waves.push(what),
            _ => {}
        };
        let graded = grade_course(request, Report::default(), &mut on_event)?;
        let report = graded.report_to_show().into_owned();
        if let Some(out) = course.out_place() {
            write_report(out, &report_files(&report))?;
        }
        graded.write_results(&report, &participant_pages, &mut on_event)?;
        let text = render(&report, self.format, Page::default());
        Ok(GradedClass { report, text, said: said.join("\n") + "\n", waves, is_stopped: engine.is_stopped() })
    }
}
