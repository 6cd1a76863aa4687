//! `kopek pack`: packs packages for other judges.

use super::{
    exit_status::ExitStatus,
    interrupt::stop_on_interrupt,
    machine_options::MachineOptions,
    pack_coderunner::{QuestionOptions, pack_questions},
    pack_zips::{PackRequest, PackedZips, ToPack, ZipContents, is_directory, place_of},
    terminal_output::{OutputFormat, print_document, print_json, print_message},
};
use crate::{
    base::{Bytes, files::directory_of, wording::counted},
    contest::read_contest,
    exec::{Engine, local_executor},
    loading::find_packages,
    pack::{Bundle, JudgeProgram, PackedZip, Target, TargetKind},
    render,
};
use anyhow::{Context, Result, bail, ensure};
use clap::builder::{PossibleValuesParser, TypedValueParser};
use sha2::{Digest, Sha256};
use std::{
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
    args.check()?;
    let request = args.request()?;
    let machine = args.machine.open()?;
    let stop = stop_on_interrupt()?;
    let executor = local_executor(&machine);
    let engine = Engine::new(&machine, &executor, &stop);
    let contents = match args.target.kind() {
        TargetKind::Converted => ZipContents::Converted,
        TargetKind::WithJudge => args.judge()?,
        TargetKind::Published => ZipContents::Published,
        TargetKind::Questions => return args.write_questions(&request, &engine),
    };
    let packed = request.pack_all(&contents, &engine, &mut |zip, bundle| args.show_zip(zip, bundle))?;
    args.show_end(&packed)?;
    Ok(packed.status())
}

/// What the options ask for.
impl Args {
    /// Fails if an option is for another target.
    fn check(&self) -> Result<()> {
        ensure!(
            self.program.is_none() || self.target.kind() == TargetKind::WithJudge,
            "--program is for Gradescope and Classroom 50 only"
        );
        ensure!(
            self.download.is_none() || self.target == Target::Classroom50,
            "--download is for Classroom 50 only"
        );
        ensure!(
            !self.questions.are_set() || self.target == Target::Coderunner,
            "--server and --allow are for CodeRunner only"
        );
        Ok(())
    }

    fn request(&self) -> Result<PackRequest> {
        let problems: Vec<ToPack> = match &self.contest {
            Some(contest) => {
                let problems = read_contest(contest)?.problems.into_iter();
                problems.map(|one| ToPack { dir: one.dir.clone(), problem: Some(one) }).collect()
            }
            None => {
                let found = find_packages(&self.packages)?.into_iter();
                found.map(|dir| ToPack { dir, problem: None }).collect()
            }
        };
        let list = self.list_to_import()?;
        let is_one_file = problems.len() == 1 || self.target.kind() == TargetKind::Questions;
        ensure!(
            is_one_file || self.output.as_deref().is_none_or(is_directory),
            "--output must be a directory for {} packages; end it with a slash",
            problems.len()
        );
        Ok(PackRequest { target: self.target, problems, output: self.output.clone(), list })
    }

    /// The path of the contest list for DOMjudge; never overwrites the list of the contest itself.
    fn list_to_import(&self) -> Result<Option<PathBuf>> {
        let contest = match &self.contest {
            Some(contest) if self.target == Target::Domjudge => contest,
            Some(_) | None => return Ok(None),
        };
        let output = self.output.as_deref().unwrap_or(Path::new("."));
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

    /// The zip with a kopek that judges there.
    fn judge(&self) -> Result<ZipContents> {
        let program = match &self.program {
            Some(program) => program.clone(),
            None => std::env::current_exe().context("find this program")?,
        };
        warn_of_loader(&program)?;
        let judge = match &self.download {
            None if self.target == Target::Gradescope => return Ok(ZipContents::Gradescope(program)),
            None => JudgeProgram::Inside(program),
            Some(url) => {
                let bytes = std::fs::read(&program).with_context(|| format!("read {}", program.display()))?;
                let digest = Sha256::digest(&bytes);
                let sha256 = digest.iter().map(|byte| format!("{byte:02x}")).collect();
                JudgeProgram::Download { url: url.clone(), sha256 }
            }
        };
        Ok(ZipContents::Classroom50(judge))
    }
}

/// A dynamic program names its loader within this many bytes.
const LOADER_WITHIN: u64 = 64 << 10;

fn warn_of_loader(program: &Path) -> Result<()> {
    let mut start = Vec::new();
    let file = File::open(program).with_context(|| format!("read --program {}", program.display()))?;
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
    Ok(())
}

/// The name of the questions for CodeRunner in a directory.
const QUESTIONS: &str = "kopek-questions.xml";

/// What people and programs see.
impl Args {
    fn write_questions(&self, request: &PackRequest, engine: &Engine) -> Result<ExitStatus> {
        let output = self.output.as_deref().unwrap_or(Path::new("."));
        let file = place_of(Some(output), QUESTIONS);
        let packed = pack_questions(&file, &self.questions, &request.problems, engine)?;
        match self.format {
            OutputFormat::Text => print_document(&render::questions_document(&packed.questions))?,
            OutputFormat::Json => print_json(&[&packed.questions])?,
        }
        Ok(if packed.unsound > 0 { ExitStatus::Unsound } else { ExitStatus::Success })
    }

    fn show_zip(&self, zip: &PackedZip, bundle: &Bundle) -> Result<()> {
        if zip.replaced {
            print_message!("replaced {}", zip.file.display());
        }
        if self.format == OutputFormat::Text {
            print_document(&render::pack_document(zip))?;
        }
        if self.target == Target::Classroom50 {
            explain_classroom50(bundle, zip.bytes);
        }
        Ok(())
    }

    fn show_end(&self, packed: &PackedZips) -> Result<()> {
        if let Some(list) = &packed.list {
            let replaced = if list.replaced { " (replaced)" } else { "" };
            let problems = counted(list.problems, "problem");
            print_message!("{}: {problems} to import, in order{replaced}", list.path.display());
        }
        match self.format {
            OutputFormat::Json => print_json(&packed.zips),
            // Each was shown when it was written.
            OutputFormat::Text => Ok(()),
        }
    }
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
