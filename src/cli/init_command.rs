//! `kopek init`: creates a new package, the file of a course, or an input validator for tests without one.

use super::{exit_status::ExitStatus, given_course::COURSE_FILE, terminal_output::print_text};
use crate::{
    base::wording::counted,
    form_of_tests,
    loading::find_packages,
    package::{self, shell_words::quote_word},
    start::{self, NewContest},
    start_template::{OutputJudging, PackageTemplate, TemplateKind, ToolLanguage},
};
use anyhow::{Context, Result, anyhow, bail};
use std::{
    fs,
    io::{ErrorKind, Write},
    path::{Path, PathBuf},
};

#[derive(clap::Args)]
#[command(after_help = "\
The new package passes `kopek verify`, and every file says what to change.\n\n\
A contest: kopek init --contest spring-finals apples bridges\n\
A course: kopek init --course problems/pairs problems/russia\n\
An input validator: kopek init --validator problems/pairs\n\n\
Exit codes: 0 created; 2 error.")]
pub(super) struct Args {
    /// New directory, the problems of --contest, or packages of --course or --validator
    #[arg(required_unless_present = "course", value_name = "NAME")]
    names: Vec<PathBuf>,
    /// Kind of problem
    #[arg(long = "type", value_enum, default_value_t = TemplateKind::PassFail)]
    kind: TemplateKind,
    /// Language of the validators and generators
    #[arg(long, value_enum, value_name = "LANGUAGE", default_value_t = ToolLanguage::Python)]
    tools: ToolLanguage,
    /// Add a checker, for problems with several correct outputs
    #[arg(long)]
    checker: bool,
    /// Create a contest in DIR, with a package for each NAME
    #[arg(long, value_name = "DIR")]
    contest: Option<PathBuf>,
    /// Write course.toml for grading, with these packages
    #[arg(long, conflicts_with_all = ["contest", "kind", "tools", "checker"])]
    course: bool,
    /// Write the form of the tests of this package as an input validator
    #[arg(long, conflicts_with_all = ["contest", "kind", "tools", "checker", "course"])]
    validator: bool,
}

impl Args {
    fn template(&self) -> PackageTemplate {
        let judging = if self.checker { OutputJudging::Checker } else { OutputJudging::Usual };
        PackageTemplate { kind: self.kind, tools: self.tools, judging }
    }
}

/// Writes the files and prints the next steps.
pub(super) fn run(args: Args) -> Result<ExitStatus> {
    if args.course {
        print_text(&begin_course(&args.names)?)?;
        return Ok(ExitStatus::Success);
    }
    let text = match (&args.contest, args.names.as_slice()) {
        (None, [dir]) if args.validator => begin_validator(dir)?,
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
    let files = start::create(path, args.template())?;
    let name = path.display();
    let mut text = format!("{name}: a new package of {} files\n", files.len());
    let written = |file: &str| files.iter().any(|path| path.starts_with(file));
    for (file, why) in start::TOUR.iter().filter(|(file, _)| written(file)) {
        text += &format!("  {file:<26} {why}\n");
    }
    Ok(format!("{text}next: kopek verify {}\n", quote_word(&name.to_string())))
}

fn begin_contest(dir: &Path, args: &Args) -> Result<String> {
    let contest = NewContest { problems: &args.names, template: args.template() };
    let problems = start::create_contest(dir, &contest)?;
    let name = dir.display();
    let mut text = format!("{name}: a new contest of {}\n", counted(problems.len(), "package"));
    for one in &problems {
        text += &format!("  {:<3} {:<26} {}\n", one.label, one.id, one.colour.as_deref().unwrap_or("–"));
    }
    text += "  problems.yaml has their order, labels and colours; contest.yaml the name\n";
    Ok(format!("{text}next: kopek verify {}\n", quote_word(&name.to_string())))
}

fn begin_validator(dir: &Path) -> Result<String> {
    let name = dir.display();
    let package = package::read(dir)?.package.with_context(|| format!("{name}: cannot read problem.yaml"))?;
    if let Some(validator) = package.input_validators.first() {
        bail!("{name} has an input validator, {}", validator.name);
    }
    let (tests, _) = package::read_tests(&package)?;
    let form =
        form_of_tests(&tests).map_err(|why| anyhow!("{name}: {why}; write an input validator by hand"))?;
    let file = dir.join("input_validators/form.py");
    fs::create_dir_all(dir.join("input_validators")).with_context(|| format!("make {}", file.display()))?;
    let written =
        fs::File::create_new(&file).and_then(|mut text| text.write_all(form.validator().as_bytes()));
    written.with_context(|| format!("write {}", file.display()))?;
    Ok(format!(
        "{}: accepts inputs of the form of the {} cases\nnext: correct it; kopek verify {}\n",
        file.display(),
        form.cases,
        quote_word(&name.to_string())
    ))
}

/// The file of a course, with a line for each package in the place of `@problems@`.
pub(super) const COURSE_TEMPLATE: &str = include_str!("course_template.toml");

fn begin_course(packages: &[PathBuf]) -> Result<String> {
    let found = find_packages(packages)?;
    let mut lines = Vec::new();
    for dir in &found {
        lines.push(format!("    {},\n", toml::Value::String(dir.display().to_string())));
    }
    let example = "    # \"problems/pairs\",\n".to_owned();
    let lines = if lines.is_empty() { example } else { lines.concat() };
    let text = COURSE_TEMPLATE.replace("@problems@\n", &lines);
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
