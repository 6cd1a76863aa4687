//! `kopek init`: creates a new package, or the file of a course.

use super::{
    course_options::COURSE_FILE, exit_status::ExitStatus, terminal_output::print_text,
    toolchain_search::user_testlib,
};
use crate::{
    base::wording::counted,
    course::quoted,
    loading::find_packages,
    package::shell_words::quote_word,
    start::{self, NewContest},
    start_template::{OutputJudging, PackageTemplate, TemplateKind, ToolLanguage},
};
use anyhow::{Context, Result, bail, ensure};
use std::{
    fs,
    io::{ErrorKind, Write},
    path::{Path, PathBuf},
};

#[derive(clap::Args)]
#[command(after_help = "\
The new package passes `kopek verify`, and every file says what to change.\n\n\
A contest: kopek init --contest spring-finals apples bridges\n\
A course: kopek init --course problems/pairs problems/russia\n\n\
Exit codes: 0 created; 2 error.")]
pub(super) struct Args {
    /// New directory, the problems of --contest, or packages of --course
    #[arg(required_unless_present = "course", value_name = "NAME")]
    names: Vec<PathBuf>,
    /// Kind of problem
    #[arg(long = "type", value_enum, default_value_t = TemplateKind::PassFail)]
    kind: TemplateKind,
    /// Language of the validators and generators
    #[arg(long, value_enum, value_name = "LANGUAGE", default_value_t = ToolOption::Python)]
    tools: ToolOption,
    /// testlib.h or its directory [default: the include path]
    #[arg(long, value_name = "PATH")]
    testlib: Option<PathBuf>,
    /// Add a checker, for problems with several correct outputs
    #[arg(long)]
    checker: bool,
    /// Create a contest in DIR, with a package for each NAME
    #[arg(long, value_name = "DIR")]
    contest: Option<PathBuf>,
    /// Write course.toml for grading, with these packages
    #[arg(long, conflicts_with_all = ["contest", "kind", "tools", "testlib", "checker"])]
    course: bool,
}

#[derive(Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
enum ToolOption {
    Python,
    Cpp,
    Rust,
    Testlib,
}

impl Args {
    /// The text of testlib.h, if the tools use it.
    fn testlib_header(&self) -> Result<String> {
        match (self.tools, &self.testlib) {
            (ToolOption::Testlib, given) => {
                let file = user_testlib(given.clone()).find_user_header()?;
                let text = fs::read_to_string(&file).with_context(|| format!("read {}", file.display()))?;
                ensure!(
                    text.contains("registerValidation"),
                    "{} is not testlib.h: it lacks registerValidation",
                    file.display()
                );
                Ok(text)
            }
            (_, Some(_)) => bail!("--testlib needs --tools testlib"),
            (_, None) => Ok(String::new()),
        }
    }

    fn template<'a>(&self, header: &'a str) -> PackageTemplate<'a> {
        let judging = if self.checker { OutputJudging::Checker } else { OutputJudging::Usual };
        let tools = match self.tools {
            ToolOption::Python => ToolLanguage::Python,
            ToolOption::Cpp => ToolLanguage::Cpp,
            ToolOption::Rust => ToolLanguage::Rust,
            ToolOption::Testlib => ToolLanguage::Testlib { header },
        };
        PackageTemplate { kind: self.kind, tools, judging }
    }

    /// The next steps with the new package.
    fn next_steps(&self, name: &str) -> String {
        match self.tools {
            // The output of its generators is not known yet.
            ToolOption::Testlib => format!("next: kopek generate {name} --update; kopek verify {name}"),
            ToolOption::Python | ToolOption::Cpp | ToolOption::Rust => format!("next: kopek verify {name}"),
        }
    }
}

/// Writes the files and prints the next steps.
pub(super) fn run(args: Args) -> Result<ExitStatus> {
    if args.course {
        print_text(&begin_course(&args.names)?)?;
        return Ok(ExitStatus::Success);
    }
    let text = match (&args.contest, args.names.as_slice()) {
        (Some(dir), _) => begin_contest(dir, &args)?,
        (None, [name]) => begin_package(name, &args)?,
        (None, names) => bail!(
            "got {} names instead of one; a contest with several problems needs --contest DIR",
            names.len()
        ),
    };
    print_text(&text)?;
    Ok(ExitStatus::Success)
}

fn begin_package(path: &Path, args: &Args) -> Result<String> {
    let files = start::create(path, args.template(&args.testlib_header()?))?;
    let name = path.display();
    let mut text = format!("{name}: a new package of {} files\n", files.len());
    let written = |file: &str| files.iter().any(|path| path.starts_with(file));
    for (file, why) in start::TOUR.iter().filter(|(file, _)| written(file)) {
        text += &format!("  {file:<26} {why}\n");
    }
    Ok(format!("{text}{}\n", args.next_steps(&quote_word(&name.to_string()))))
}

fn begin_contest(dir: &Path, args: &Args) -> Result<String> {
    let header = args.testlib_header()?;
    let contest = NewContest { problems: &args.names, template: args.template(&header) };
    let problems = start::create_contest(dir, &contest)?;
    let name = dir.display();
    let mut text = format!("{name}: a new contest of {}\n", counted(problems.len(), "package"));
    for one in &problems {
        text += &format!("  {:<3} {:<26} {}\n", one.label, one.id, one.colour.as_deref().unwrap_or("–"));
    }
    text += "  problems.yaml has their order, labels and colours; contest.yaml the name\n";
    let name = quote_word(&name.to_string());
    Ok(format!("{text}{}\n", args.next_steps(&name)))
}

/// The file of a course, with a line for each package in the place of `@problems@`.
const COURSE: &str = include_str!("course_template.toml");

fn begin_course(packages: &[PathBuf]) -> Result<String> {
    let found = find_packages(packages)?;
    let lines: Vec<String> = found.iter().map(|dir| format!("    {},\n", quoted(&dir.display()))).collect();
    let example = "    # \"problems/pairs\",\n".to_owned();
    let lines = if lines.is_empty() { example } else { lines.concat() };
    let text = COURSE.replace("@problems@\n", &lines);
    let file = fs::File::create_new(COURSE_FILE);
    let written = file.and_then(|mut file| file.write_all(text.as_bytes()));
    match written {
        Err(error) if error.kind() == ErrorKind::AlreadyExists => {
            bail!("{COURSE_FILE} is here already; change it, or remove it first")
        }
        written => written.with_context(|| format!("write {COURSE_FILE}"))?,
    }
    Ok(format!(
        "{COURSE_FILE}: the rules of a course, {}\nnext: name the hand-ins in {COURSE_FILE}; kopek grade\n",
        counted(found.len(), "problem")
    ))
}
