//! `kopek pack`: packs packages for other judges.

use super::{
    exit_status::ExitStatus,
    interrupt::stop_on_interrupt,
    machine_options::MachineOptions,
    named_packages::load_sound,
    pack_coderunner::{QuestionOptions, pack_for_coderunner},
    terminal_output::{OutputFormat, print_document, print_json, print_message, print_text},
};
use crate::{
    base::{Bytes, files::directory_of, wording::counted},
    contest::{ContestProblem, read_contest, write_problem_list},
    exec::{Engine, local_executor},
    loading::{LoadedPackage, find_packages},
    pack::{
        self, Balloon, Bundle, FormulaForm, JudgeProgram, NoteEffect, PackedZip, StatementForm, Target,
        TargetKind, choose_statement,
    },
    package::{Package, shell_words::quote_word},
    render,
    typeset::statement_html,
};
use anyhow::{Context, Result, bail, ensure};
use clap::builder::{PossibleValuesParser, TypedValueParser};
use sha2::{Digest, Sha256};
use std::{
    collections::BTreeMap,
    fs::File,
    io::Read,
    path::{Path, PathBuf},
};

#[derive(clap::Args)]
#[command(after_help = "\
Missing test data is generated first. What the target cannot express is listed.\n\n\
Exit codes: 0 packed; 1 packed, but results will differ; 2 error; 4 a package is unsound and was not packed.")]
pub(super) struct Args {
    /// Packages, or folders of packages
    #[arg(required_unless_present = "contest", value_name = "PACKAGE")]
    packages: Vec<PathBuf>,
    /// Pack a contest: problems.yaml, problemset.yaml or contest.yaml
    #[arg(long, value_name = "FILE", conflicts_with = "packages")]
    contest: Option<PathBuf>,
    /// Target system; `students`: what can be published, without hidden cases
    #[arg(long = "for", value_name = "SYSTEM", value_parser = target_parser())]
    target: Target,
    /// Output NAME.zip, or a directory for PACKAGE-SYSTEM.zip [default: .]
    #[arg(short, long, value_name = "PATH")]
    output: Option<PathBuf>,
    /// kopek for Gradescope or Classroom 50, best static [default: this one]
    #[arg(long, value_name = "FILE")]
    program: Option<PathBuf>,
    /// URL of kopek for Classroom 50 [default: a copy in the zip]
    #[arg(long, value_name = "URL")]
    download: Option<String>,
    #[command(flatten)]
    questions: QuestionOptions,
    /// Output format of the list
    #[arg(long, value_enum, default_value_t = OutputFormat::Text)]
    format: OutputFormat,
    #[command(flatten, next_help_heading = "Machine")]
    machine: MachineOptions,
}

/// The codes of all targets.
fn target_parser() -> impl TypedValueParser<Value = Target> {
    let codes = Target::ALL.iter().map(|target| target.code());
    PossibleValuesParser::new(codes).map(|code| Target::parse(&code).expect("one of the codes"))
}

pub(super) fn run(args: Args) -> Result<ExitStatus> {
    check_program(&args)?;
    let contest = args.contest.as_deref().map(read_contest).transpose()?;
    let found = match &contest {
        Some(contest) => contest.problems.iter().map(|one| one.dir.clone()).collect(),
        None => find_packages(&args.packages)?,
    };
    let list = list_to_import(&args)?;
    let is_one_file = args.target.kind() == TargetKind::Questions;
    if found.len() > 1 && !is_one_file && args.output.as_deref().is_some_and(|path| !is_directory(path)) {
        bail!("--output must be a directory for {} packages; end it with a slash", found.len());
    }
    let machine = args.machine.open()?;
    let stop = stop_on_interrupt()?;
    let executor = local_executor(&machine);
    let engine = Engine::new(&machine, &executor, &stop);
    if is_one_file {
        let file = place_of(Some(args.output.as_deref().unwrap_or(Path::new("."))), QUESTIONS);
        return pack_for_coderunner(&file, &args.questions, &found, &engine);
    }
    let mut worst = ExitStatus::Success;
    let mut all = Vec::new();
    let mut listed = Vec::new();
    for (at, dir) in found.iter().enumerate() {
        let problem = contest.as_ref().map(|contest| &contest.problems[at]);
        let Some(loaded) = load_sound(dir, &engine)? else {
            worst = worst.max(ExitStatus::Unsound);
            continue;
        };
        let packed = pack_package(&args, problem, &loaded, &all, &engine)?;
        let titles = &loaded.package.about.titles;
        let title = titles.get("en").or(titles.values().next()).cloned().unwrap_or_default();
        listed.extend(problem.map(|problem| (problem, title)));
        if packed.notes.iter().any(|note| note.weight == NoteEffect::Results) {
            worst = worst.max(ExitStatus::Negative);
        }
        all.push(packed);
    }
    if let Some(list) = list.filter(|_| !listed.is_empty()) {
        let replaced = if list.exists() { " (replaced)" } else { "" };
        write_problem_list(&list, &listed).with_context(|| format!("write {}", list.display()))?;
        let problems = counted(listed.len(), "problem");
        print_message!("{}: {problems} to import, in order{replaced}", list.display());
    }
    if args.format == OutputFormat::Json {
        print_json(&all)?;
    }
    Ok(worst)
}

/// The path of the contest list for DOMjudge; never overwrites the list of the contest itself.
fn list_to_import(args: &Args) -> Result<Option<PathBuf>> {
    let contest = match &args.contest {
        Some(contest) if args.target == Target::Domjudge => contest,
        Some(_) | None => return Ok(None),
    };
    let output = args.output.as_deref().unwrap_or(Path::new("."));
    if !is_directory(output) {
        bail!("--output must be a directory for a contest; end it with a slash");
    }
    let list = output.join("problems.yaml");
    let home = if contest.is_dir() { contest } else { directory_of(contest) };
    let own = home.canonicalize().ok();
    if own.is_some() && own == output.canonicalize().ok() && list.exists() {
        bail!("{} is the contest's own list; choose another place with --output", list.display());
    }
    Ok(Some(list))
}

fn check_program(args: &Args) -> Result<()> {
    let has_judge = args.target.kind() == TargetKind::WithJudge;
    if args.program.is_some() && !has_judge {
        bail!("--program is for Gradescope and Classroom 50 only");
    }
    if args.download.is_some() && args.target != Target::Classroom50 {
        bail!("--download is for Classroom 50 only");
    }
    if args.questions.are_set() && args.target != Target::Coderunner {
        bail!("--server and --allow are for CodeRunner only");
    }
    Ok(())
}

/// Packs one package; `written` are the zips of this run so far.
fn pack_package(
    args: &Args,
    problem: Option<&ContestProblem>,
    loaded: &LoadedPackage,
    written: &[PackedZip],
    engine: &Engine,
) -> Result<PackedZip> {
    let package = &loaded.package;
    // Other judges cannot regenerate the data, so they judge with the packed data.
    if !loaded.drift.is_empty() {
        bail!(
            "{} not packed: {} files of test data differ from generators/lock.toml; accept them with `kopek \
                generate {} --update`",
            package.name,
            loaded.drift.len(),
            package.dir.display()
        );
    }
    let balloon = problem.map(|one| Balloon { label: one.label.clone(), colour: one.colour.clone() });
    let bundle = match args.target.kind() {
        TargetKind::Published => pack_published(loaded, engine)?,
        TargetKind::WithJudge => pack_with_judge(args, package)?,
        TargetKind::Converted | TargetKind::Questions => {
            pack::pack(package, &loaded.tests, args.target, balloon.as_ref())?
        }
    };
    let path = place_of(args.output.as_deref(), &bundle.file_name());
    if written.iter().any(|other| other.file == path) {
        bail!("{}: two packages would write this zip; pack them into different directories", path.display());
    }
    let replaced = replaces_zip(&path, args.target.name())?;
    let size = pack::write_zip(&bundle, &path).with_context(|| format!("pack {}", package.name))?;
    if replaced {
        print_message!("replaced {}", path.display());
    }
    let packed = PackedZip {
        package: package.name.clone(),
        system: args.target.name(),
        file: path,
        replaced,
        bytes: size,
        files: bundle.files.len(),
        notes: bundle.notes.clone(),
    };
    if args.format == OutputFormat::Text {
        print_document(&render::pack_document(&packed))?;
    }
    if args.target == Target::Classroom50 {
        explain_classroom50(&bundle, size);
    }
    if args.target == Target::Domjudge && args.format == OutputFormat::Text {
        let zip = quote_word(&packed.file.to_string_lossy());
        print_text(&format!(
            "  upload: curl -u USER -F zip=@{zip} https://HOST/api/v4/contests/CID/problems\n"
        ))?;
    }
    Ok(packed)
}

/// Statements are made into pages where they are not PDFs already.
fn pack_published(LoadedPackage { package, tests, .. }: &LoadedPackage, engine: &Engine) -> Result<Bundle> {
    let mut pages = BTreeMap::new();
    for language in &package.about.statements {
        let Ok(file) = choose_statement(package, Some(language), StatementForm::Page) else { continue };
        if file.ending == "tex" && file.path.with_extension("pdf").exists() {
            continue;
        }
        let made = statement_html(engine, package, tests, Some(language), FormulaForm::MathMl)?;
        made.remarks.iter().for_each(|remark| print_message!("{remark}"));
        pages.insert(language.clone(), made.bytes);
    }
    pack::pack_for_students(package, tests, pages)
}

fn pack_with_judge(args: &Args, package: &Package) -> Result<Bundle> {
    let program = judge_program(args)?;
    if args.target == Target::Gradescope {
        return pack::pack_autograder(package, &program);
    }
    let judge = match &args.download {
        None => JudgeProgram::Inside(&program),
        Some(url) => {
            let bytes = std::fs::read(&program).with_context(|| format!("read {}", program.display()))?;
            let digest = Sha256::digest(&bytes);
            let sha256 = digest.iter().map(|byte| format!("{byte:02x}")).collect();
            JudgeProgram::Download { url, sha256 }
        }
    };
    pack::pack_classroom50(package, &judge)
}

/// Maximum bundle size of its runner.
const CLASSROOM50_LIMIT: u64 = 10 << 20;

fn explain_classroom50(bundle: &Bundle, size: Bytes) {
    if size.0 > CLASSROOM50_LIMIT {
        print_message!(
            "warning: {size}, but Classroom 50 fetches at most {}; give the URL of a kopek with --download",
            Bytes(CLASSROOM50_LIMIT)
        );
    }
    print_message!(
        "runtime of the assignment, languages as your course needs them: \
         {{\"runs-on\": \"ubuntu-latest\", \"apt\": [\"g++\", \"python3\", \"default-jdk-headless\"]}}"
    );
    if bundle.files.keys().any(|path| path.starts_with("templates/")) {
        print_message!(
            "students begin with templates/: copy it into the template repository of the assignment"
        );
    }
    print_message!("everyone who knows the URL of the bundle can read it, secret data included");
}

/// The program for the autograder.
fn judge_program(args: &Args) -> Result<PathBuf> {
    let program = match &args.program {
        Some(program) => program.clone(),
        None => std::env::current_exe().context("find this program")?,
    };
    let mut start = Vec::new();
    let file = File::open(&program).with_context(|| format!("read --program {}", program.display()))?;
    file.take(LOADER_WITHIN)
        .read_to_end(&mut start)
        .with_context(|| format!("read {}", program.display()))?;
    if memchr::memmem::find(&start, b"/ld-linux").is_some() {
        print_message!(
            "warning: {} needs a C library at least as new as this system's; choose a matching image, or \
                give a static kopek with --program",
            program.display()
        );
    }
    Ok(program)
}

/// A dynamic program names its loader within this many bytes.
const LOADER_WITHIN: u64 = 64 << 10;

/// The name of the questions for CodeRunner in a directory.
const QUESTIONS: &str = "kopek-questions.xml";

fn place_of(output: Option<&Path>, name: &str) -> PathBuf {
    match output {
        None => name.into(),
        Some(path) if is_directory(path) => path.join(name),
        Some(path) => path.to_owned(),
    }
}

/// Whether an older zip for this system will be replaced; refuses to replace other files.
fn replaces_zip(path: &Path, system: &str) -> Result<bool> {
    if !path.exists() {
        return Ok(false);
    }
    let place = path.display();
    match pack::packed_for(path) {
        Some(other) => ensure!(other == system, "{place} is a zip for {other}; choose another --output"),
        None => bail!("{place} exists and is not a zip that `kopek pack` wrote; choose another --output"),
    }
    Ok(true)
}

/// Whether a path is that of a directory: it is one, or its name has no ending.
fn is_directory(path: &Path) -> bool {
    path.is_dir() || path.extension().is_none() || path.as_os_str().as_encoded_bytes().ends_with(b"/")
}
