//! `kopek verify`: packages against their own claims.

use super::{
    grade::interrupt,
    packages,
    progress::{Looking, Making, Progress},
    shown::{keep, page, print},
    workshop::Tools,
};
use crate::{
    grade::{Session, Thoroughness},
    score::Reading,
    verify::{self, Gallery, Step, Verified, Wishes},
};
use anyhow::{Context, Result};
use std::{
    path::{Path, PathBuf},
    process::ExitCode,
    sync::atomic::Ordering,
};

/// Arguments of `kopek verify`.
#[derive(clap::Args)]
#[command(after_help = "\
Exit codes: 0 every claim holds (warnings alone do not count); 1 a claim is broken or a package \
unsound; 2 the request cannot be done; 3 not everything was verified (faults are listed); \
130 interrupted.")]
pub struct Args {
    /// Packages, or folders of packages
    #[arg(required = true, value_name = "PACKAGE")]
    packages: Vec<PathBuf>,
    /// How the result is printed
    #[arg(long, value_enum, default_value_t = Format::Text)]
    format: Format,
    /// Also show which case kills which wrong submission
    #[arg(long)]
    strength: bool,
    /// Draw every case with the visualizers, into this directory; without it only one of each group
    /// is drawn, to see whether they work
    #[arg(long, value_name = "DIR")]
    pictures: Option<PathBuf>,
    #[command(flatten)]
    tools: Tools,
}

#[derive(Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
enum Format {
    Text,
    Json,
}

/// A package as the JSON shows it.
#[derive(serde::Serialize)]
struct Shown<'a> {
    sound: bool,
    #[serde(flatten)]
    verified: &'a Verified,
}

/// Verifies them all.
pub fn run(args: Args) -> Result<ExitCode> {
    let found = packages::find(&args.packages)?;
    let workshop = args.tools.open_and_tell()?;
    let stop = interrupt()?;
    let executor = workshop.executor();
    let session = Session {
        workshop: &workshop,
        executor: &executor,
        // Who kills whom is only known if everybody met everything.
        thoroughness: if args.strength { Thoroughness::All } else { Thoroughness::Sparing },
        reading: Reading::Kattis,
        stop: &stop,
    };
    let mut all = Vec::new();
    for dir in &found {
        let gallery = if args.pictures.is_some() { Gallery::Whole } else { Gallery::Specimens };
        let verified = one(dir, &session, Wishes { strength: args.strength, gallery })?;
        if let Some(place) = &args.pictures {
            keep(&place.join(&verified.name), &verified.pictures)?;
        }
        if args.format == Format::Text {
            print(&verify::text(&verified, page()))?;
        }
        all.push(verified);
        if stop.load(Ordering::Relaxed) {
            break;
        }
    }
    if args.format == Format::Json {
        let shown: Vec<Shown> =
            all.iter().map(|verified| Shown { sound: verified.is_sound(), verified }).collect();
        print(&format!("{}\n", serde_json::to_string_pretty(&shown)?))?;
    }
    Ok(ExitCode::from(if stop.load(Ordering::Relaxed) { 130 } else { code(&all) }))
}

fn code(all: &[Verified]) -> u8 {
    let sound = all.iter().all(Verified::is_sound);
    let whole = all.iter().all(|verified| verified.faults.is_empty());
    match (sound, whole) {
        (false, _) => 1,
        (true, false) => 3,
        (true, true) => 0,
    }
}

fn one(dir: &Path, session: &Session, wishes: Wishes) -> Result<Verified> {
    let title = dir.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
    let mut making = Making::new(&title);
    let mut looking = Looking::new(&title);
    let mut judging = Progress::new(&title);
    let verified = verify::verify(dir, session, wishes, &mut |step| match step {
        Step::Making(step) => making.tell(&step),
        Step::Begin { what, jobs } => {
            making.close();
            looking.begin(what, jobs);
        }
        Step::Done => looking.step(),
        Step::Judging(event) => {
            looking.close();
            judging.tell(&event);
        }
    });
    making.close();
    looking.close();
    judging.close();
    verified.with_context(|| format!("verify {}", dir.display()))
}
