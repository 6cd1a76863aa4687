//! `kopek init`: creates a new package.

use super::{exit_status::ExitStatus, terminal_output::print_text, toolchain_search::user_testlib};
use crate::{
    base::wording::counted,
    ci_template::{CiSystem, write_ci_template},
    editor_template::{Editor, write_editor_file},
    start::{self, NewContest},
    start_template::{OutputJudging, PackageTemplate, TemplateKind, ToolLanguage},
};
use anyhow::{Context, Result, bail, ensure};
use std::{
    fs,
    path::{Path, PathBuf},
};

#[derive(clap::Args)]
#[command(after_help = "\
The new package passes `kopek verify`, and every file says what to change.\n\n\
A contest: kopek init --contest spring-finals apples bridges\n\n\
Exit codes: 0 created; 2 error.")]
pub(super) struct Args {
    /// New directory or problems of --contest; folder of --ci, --editor [default: .]
    #[arg(required_unless_present_any = ["ci", "editor"], value_name = "NAME")]
    names: Vec<PathBuf>,
    /// Kind of problem
    #[arg(long = "type", value_enum, default_value_t = ProblemType::PassFail)]
    kind: ProblemType,
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
    /// Write a CI workflow that verifies the packages on every push
    #[arg(long, value_enum, value_name = "SYSTEM", conflicts_with_all = ["kind", "tools", "testlib", "checker", "contest"])]
    ci: Option<PushCheck>,
    /// Write tasks for an editor, into the new package or an existing folder
    #[arg(long, value_enum, value_name = "EDITOR", conflicts_with = "ci")]
    editor: Option<EditorOption>,
}

#[derive(Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
enum EditorOption {
    Vscode,
    #[value(alias = "vim")]
    Nvim,
}

#[derive(Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
enum PushCheck {
    Github,
    Gitlab,
}

#[derive(Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
enum ToolOption {
    Python,
    Cpp,
    Rust,
    Testlib,
}

#[derive(Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
enum ProblemType {
    PassFail,
    Scoring,
    Interactive,
    MultiPass,
    SubmitAnswer,
}

impl ProblemType {
    fn kind(self) -> TemplateKind {
        match self {
            ProblemType::PassFail => TemplateKind::PassFail,
            ProblemType::Scoring => TemplateKind::Scoring,
            ProblemType::Interactive => TemplateKind::Interactive,
            ProblemType::MultiPass => TemplateKind::MultiPass,
            ProblemType::SubmitAnswer => TemplateKind::SubmitAnswer,
        }
    }
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
        PackageTemplate { kind: self.kind.kind(), tools, judging }
    }

    /// Refuses options for new packages if the folder exists.
    fn check_existing(&self, folder: &Path) -> Result<()> {
        let usual = (self.kind, self.tools) == (ProblemType::PassFail, ToolOption::Python);
        ensure!(
            usual && self.testlib.is_none() && !self.checker,
            "{} exists: --type, --tools, --testlib and --checker are for a new package",
            folder.display()
        );
        Ok(())
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
    let name = |names: &[PathBuf]| one_name(names).map(|name| name.unwrap_or_else(|| ".".into()));
    let folder = args.contest.clone().map_or_else(|| name(&args.names), Ok)?;
    let text = match (&args.contest, args.ci) {
        (Some(dir), _) => begin_contest(dir, &args)?,
        (None, Some(ci)) => write_push_check(&folder, ci)?,
        (None, None) if args.editor.is_some() && folder.is_dir() => {
            args.check_existing(&folder)?;
            String::new()
        }
        (None, None) => begin_package(&folder, &args)?,
    };
    print_text(&text)?;
    if let Some(editor) = args.editor {
        print_text(&write_editor(&folder, editor)?)?;
    }
    Ok(ExitStatus::Success)
}

fn one_name(names: &[PathBuf]) -> Result<Option<PathBuf>> {
    if names.len() > 1 {
        bail!(
            "got {} names instead of one; a contest with several problems needs --contest DIR",
            names.len()
        );
    }
    Ok(names.first().cloned())
}

fn write_push_check(repository: &Path, ci: PushCheck) -> Result<String> {
    let system = match ci {
        PushCheck::Github => CiSystem::Github,
        PushCheck::Gitlab => CiSystem::Gitlab,
    };
    let file = write_ci_template(repository, system)?;
    Ok(format!("{}: verifies the packages on every push\nnext: {}\n", file.display(), system.next_step()))
}

fn write_editor(folder: &Path, editor: EditorOption) -> Result<String> {
    let editor = match editor {
        EditorOption::Vscode => Editor::Vscode,
        EditorOption::Nvim => Editor::Nvim,
    };
    let file = write_editor_file(folder, editor)?;
    Ok(format!("{}: tasks for the editor\nnext: {}\n", file.display(), editor.first_step()))
}

fn begin_package(path: &Path, args: &Args) -> Result<String> {
    let files = start::create(path, args.template(&args.testlib_header()?))?;
    let name = path.display();
    let mut text = format!("{name}: a new package of {} files\n", files.len());
    let written = |file: &str| files.iter().any(|path| path.starts_with(file));
    for (file, why) in start::TOUR.iter().filter(|(file, _)| written(file)) {
        text += &format!("  {file:<26} {why}\n");
    }
    Ok(format!("{text}{}\n", args.next_steps(&name.to_string())))
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
    Ok(format!("{text}{}; kopek stats --contest {name}\n", args.next_steps(&name.to_string())))
}
