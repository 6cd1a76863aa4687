//! `kopek pack`: packages as other judges take them.

use super::{
    packages::{self, Ready},
    shown::{page, print},
    workshop::Tools,
};
use crate::{
    base::Bytes,
    pack::{self, Bundle, Note, Target, Weight},
    report::Report,
};
use anyhow::{Context, Result, bail};
use std::{
    path::{Path, PathBuf},
    process::ExitCode,
};

/// Arguments of `kopek pack`.
#[derive(clap::Args)]
#[command(after_help = "\
What the system cannot express is listed, with what happens instead. Test data is made where it is \
missing, and must be as generators/lock.toml says.

Exit codes: 0 packed; 1 packed, but something will be judged otherwise than here; 2 the request \
cannot be done; 4 a package is unsound: no zip.")]
pub struct Args {
    /// Packages, or folders of packages
    #[arg(required = true, value_name = "PACKAGE")]
    packages: Vec<PathBuf>,
    /// The system that shall read it
    #[arg(long = "for", value_enum, value_name = "SYSTEM")]
    system: System,
    /// The zip, or a directory for it [default: here]
    #[arg(short, long, value_name = "PATH")]
    output: Option<PathBuf>,
    /// The balloon's colour, as `#ff0000` or `red` (DOMjudge only)
    #[arg(long, value_name = "COLOUR")]
    colour: Option<String>,
    /// How the list is printed
    #[arg(long, value_enum, default_value_t = Format::Text)]
    format: Format,
    #[command(flatten)]
    tools: Tools,
}

#[derive(Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
enum System {
    /// Kattis, and what else reads its legacy format
    Kattis,
    /// DOMjudge
    Domjudge,
}

impl System {
    fn target(self) -> Target {
        match self {
            System::Kattis => Target::Kattis,
            System::Domjudge => Target::Domjudge,
        }
    }
}

#[derive(Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
enum Format {
    Text,
    Json,
}

/// How it ended, worst last.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum End {
    Same,
    Otherwise,
    Unsound,
}

impl End {
    fn code(self) -> u8 {
        match self {
            End::Same => 0,
            End::Otherwise => 1,
            End::Unsound => 4,
        }
    }
}

/// A packed package as the JSON shows it.
#[derive(serde::Serialize)]
struct Packed {
    package: String,
    system: &'static str,
    file: PathBuf,
    bytes: u64,
    files: usize,
    notes: Vec<Note>,
}

/// Packs them all.
pub fn run(args: Args) -> Result<ExitCode> {
    check(&args)?;
    let found = packages::find(&args.packages)?;
    if found.len() > 1 && args.output.as_deref().is_some_and(|path| !is_directory(path)) {
        bail!("--output must be a directory for {} packages: end it with a slash", found.len());
    }
    let workshop = args.tools.open(None)?;
    let (mut end, mut all) = (End::Same, Vec::new());
    for dir in &found {
        let mut report = Report::default();
        let ready = packages::ready(dir, &workshop, &mut report)?;
        report.warnings.iter().for_each(|warning| eprintln!("{warning}"));
        if ready.errors > 0 {
            eprintln!("{}: unsound, not packed; see `kopek verify {}`", ready.package.name, dir.display());
            end = end.max(End::Unsound);
            continue;
        }
        let packed = one(&args, &ready)?;
        let otherwise = packed.notes.iter().any(|note| note.weight == Weight::Results);
        end = end.max(if otherwise { End::Otherwise } else { End::Same });
        all.push(packed);
    }
    if args.format == Format::Json {
        print(&format!("{}\n", serde_json::to_string_pretty(&all)?))?;
    }
    Ok(ExitCode::from(end.code()))
}

fn check(args: &Args) -> Result<()> {
    let Some(colour) = &args.colour else { return Ok(()) };
    if args.system == System::Kattis {
        bail!("--colour is for DOMjudge only: Kattis has no balloons");
    }
    let legal = |letter: char| letter.is_ascii_alphanumeric() || letter == '#';
    if colour.is_empty() || !colour.chars().all(legal) {
        bail!("--colour `{}` is no colour: write `#ff0000`, or a name", colour.escape_debug());
    }
    Ok(())
}

fn one(args: &Args, ready: &Ready) -> Result<Packed> {
    let package = &ready.package;
    if !ready.drift.is_empty() {
        bail!(
            "the test data of {} is not what generators/lock.toml says ({} files): not packed; \
             if it is right, `kopek generate {} --update`",
            package.name,
            ready.drift.len(),
            package.dir.display()
        );
    }
    let target = args.system.target();
    let bundle = pack::pack(package, &ready.tests, target, args.colour.as_deref())?;
    let path = place(args.output.as_deref(), &bundle);
    let size = pack::write(&bundle, &path).with_context(|| format!("pack {}", package.name))?;
    if args.format == Format::Text {
        print(&pack::text(&bundle, target, &path, size, page().width))?;
    }
    let Bytes(bytes) = size;
    let (name, files) = (package.name.clone(), bundle.files.len());
    Ok(Packed { package: name, system: target.name(), file: path, bytes, files, notes: bundle.notes })
}

fn place(output: Option<&Path>, bundle: &Bundle) -> PathBuf {
    let name = format!("{}.zip", bundle.name);
    match output {
        None => name.into(),
        Some(path) if is_directory(path) => path.join(name),
        Some(path) => path.to_owned(),
    }
}

fn is_directory(path: &Path) -> bool {
    path.is_dir() || path.as_os_str().as_encoded_bytes().ends_with(b"/")
}
