//! Programs that a test set needs: found, built, called. The only file of this
//! room that knows how the workshop builds.

use crate::{
    base::{Bytes, Digest},
    exec::{Role, Rules, Workshop, side_by_side},
    language::{self, Language, Source, Toolchain},
    plan::{Build, BuildTask, Unplanned},
    sandbox::{Exec, Fault, Limits, Slot},
};
use std::{collections::BTreeMap, path::PathBuf, sync::atomic::AtomicBool, time::Duration};

/// A program to be built.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Wanted {
    /// For people.
    pub name: String,
    /// Its files.
    pub source: Source,
    /// Its language's code, if that is said.
    pub language: Option<String>,
    /// The entry point, if that is said.
    pub entry: Option<String>,
    /// Files laid over its own, by language code: only submissions have that.
    pub include: BTreeMap<String, Source>,
    /// What it is to the package.
    pub role: Role,
    /// What `{{name}}` becomes in it.
    pub constants: BTreeMap<String, String>,
}

/// A program ready to run.
#[derive(Debug, Clone)]
pub struct Built {
    /// Its language.
    pub language: Language,
    /// What the language is here.
    pub toolchain: Toolchain,
    /// Its entry point.
    pub entry: String,
    /// Where it lies.
    pub dir: PathBuf,
}

/// Why there is no program.
#[derive(Debug, Clone)]
pub enum Unbuilt {
    /// The source is to blame: no known language, or the compiler's message.
    Refused(String),
    /// We are, or this machine is.
    Fault(Fault),
}

const LIMITS: Limits = Limits {
    cpu: Duration::from_secs(60),
    wall: Duration::from_secs(120),
    memory: Bytes::mib(2048),
    output: Bytes::mib(8),
    files: Bytes::mib(512),
    processes: 256,
};
/// Greatest size of the sources.
const CODE: Bytes = Bytes::mib(64);

impl Wanted {
    /// Everything that decides what the program is: its sources and its toolchain.
    pub fn identity(&self, workshop: &Workshop) -> Result<Digest, Unbuilt> {
        Ok(self.task(workshop)?.key())
    }

    /// The program, built if it is not yet.
    fn build(&self, workshop: &Workshop, slot: &mut Slot) -> Result<Built, Unbuilt> {
        let fault = |error: anyhow::Error| Unbuilt::Fault(Fault::new(format!("{error:#}")));
        let task = self.task(workshop)?;
        match workshop.built(slot, &task).map_err(fault)? {
            Build::Refused { message } => Err(Unbuilt::Refused(message)),
            Build::Program { blob, entry, .. } => {
                let gone = || Unbuilt::Fault(Fault::new("a program vanished from the store; run again"));
                let dir = workshop.store.tree(&blob).map_err(fault)?.ok_or_else(gone)?;
                Ok(Built { language: task.language, toolchain: task.toolchain, entry, dir })
            }
        }
    }

    fn task(&self, workshop: &Workshop) -> Result<BuildTask, Unbuilt> {
        let (role, constants) = (self.role, &self.constants);
        let rules =
            Rules { role, constants, allowed: None, include: &self.include, limits: LIMITS, code: CODE };
        let task = workshop.task(&self.source, self.language.as_deref(), self.entry.as_deref(), &rules);
        task.map_err(|why| match why {
            Unplanned::Refused(what) | Unplanned::Foreign(what) => Unbuilt::Refused(what),
            Unplanned::Ours(what) => Unbuilt::Fault(Fault::new(what)),
        })
    }
}

/// Builds programs side by side. Results in order.
pub fn build_all(programs: &[&Wanted], workshop: &Workshop) -> Vec<Result<Built, Unbuilt>> {
    let mut results: Vec<_> = programs.iter().map(|_| None).collect();
    let build = |slot: &mut Slot, at: usize| programs[at].build(workshop, slot);
    side_by_side(workshop, programs.len(), &AtomicBool::new(false), build, |at, result| {
        results[at] = Some(result)
    });
    results.into_iter().map(|result| result.expect("nobody stops a build")).collect()
}

impl Built {
    /// A call that starts in an empty box.
    pub fn alone(&self, args: &[String], limits: Limits) -> Exec {
        let mut exec = language::run(&self.language, &self.toolchain, &self.entry, &self.dir, args, limits);
        exec.view.writable = true;
        exec.cwd = "/box".into();
        exec
    }

    /// A call that starts beside the program's own files.
    pub fn at_home(&self, args: &[String], limits: Limits) -> Exec {
        let exec = language::run(&self.language, &self.toolchain, &self.entry, &self.dir, args, limits);
        language::writing(exec, &self.dir)
    }
}
