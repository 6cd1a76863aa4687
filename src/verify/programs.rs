//! Validators of the package: built, called on one thing, and what they said.
//! What they said is remembered in the store under everything that can change it.

use crate::{
    base::{Bytes, Digest, Fields},
    exec::{Role, Rules, Workshop},
    language,
    package::{Case, Package, Program},
    plan::{Build, Key, Unplanned},
    sandbox::{Exec, Exit, Fault, Input, Limits, Placed, Ran, Slot},
    store::Store,
};
use serde::{Deserialize, Serialize};
use std::{collections::BTreeMap, path::PathBuf, time::Duration};

/// A program of the package, ready to be asked.
pub struct Asked {
    /// For people.
    pub name: String,
    /// Its run without arguments and input.
    pub exec: Exec,
    /// Where its files lie.
    pub dir: PathBuf,
    /// Key of its build.
    pub key: Key,
}

/// Why a program cannot be asked.
pub enum Unready {
    /// The package is to blame.
    Refused(String),
    /// We are, or this machine is.
    Ours(String),
}

/// What a program said about one thing.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Said {
    /// Whether it accepted.
    pub accepted: bool,
    /// Whether it failed instead of saying anything.
    pub failed: bool,
    /// How it ended and what it wrote, for people.
    pub how: String,
}

/// The format sets no limits for input validators; there is none without a limit.
pub const GENEROUS: Limits = Limits {
    cpu: Duration::from_secs(60),
    wall: Duration::from_secs(150),
    memory: Bytes::mib(2048),
    output: Bytes::mib(8),
    files: Bytes::mib(256),
    processes: 64,
};
/// Greatest size of a program's sources.
const CODE: Bytes = Bytes::mib(64);
/// What is shown of what a program wrote.
const SHOWN: usize = 200;

/// Builds a program unless it is built already.
pub fn ready(
    workshop: &Workshop,
    package: &Package,
    program: &Program,
    limits: Limits,
) -> Result<Asked, Unready> {
    let rules = Rules {
        role: Role::Program,
        constants: &package.constants,
        allowed: None,
        include: &BTreeMap::new(),
        limits: Limits { files: Bytes::mib(512), processes: 256, ..GENEROUS },
        code: CODE,
    };
    let task = workshop.task(&program.source, None, None, &rules).map_err(|why| match why {
        Unplanned::Refused(what) | Unplanned::Foreign(what) => Unready::Refused(what),
        Unplanned::Ours(what) => Unready::Ours(what),
    })?;
    let ours = |error: anyhow::Error| Unready::Ours(format!("{error:#}"));
    match workshop.built(&mut workshop.slot(), &task).map_err(ours)? {
        Build::Refused { message } => Err(Unready::Refused(format!("does not compile: {}", short(&message)))),
        Build::Program { blob, entry, .. } => {
            let gone = || Unready::Ours("a program vanished from the store; run again".into());
            let dir = workshop.store.tree(&blob).map_err(ours)?.ok_or_else(gone)?;
            let exec = language::run(&task.language, &task.toolchain, &entry, &dir, &[], limits);
            Ok(Asked { name: program.name.clone(), exec, dir, key: task.key() })
        }
    }
}

impl Asked {
    /// The arguments that a case has for this input validator: its own, then the submission's.
    pub fn args(&self, case: &Case) -> Vec<String> {
        [self.own_args(case), &case.args].concat()
    }

    /// Those of them that are meant for this input validator alone.
    pub fn own_args<'a>(&self, case: &'a Case) -> &'a [String] {
        let all = &case.input_validator_args;
        all.get(&self.name).or(all.get("")).map_or(&[], Vec::as_slice)
    }

    /// An input validator on an input. `digest` names the input and what lies beside it.
    pub fn on_input(
        &self,
        (store, slot): (&Store, &mut Slot),
        (input, digest): (Input, &Digest),
        files: Option<&PathBuf>,
        args: &[String],
    ) -> Result<Said, Fault> {
        let fields = Fields::new("input validation 1").with("program", self.key.as_bytes());
        let name = fields.with("input", digest.as_bytes()).with("args", &list(args)).digest();
        remembered(store, &format!("input validation {name}"), || {
            let mut exec = language::writing(self.exec.clone(), &self.dir);
            exec.argv.extend_from_slice(args);
            exec.stdin = input;
            exec.files.extend(files.map(|files| Placed::Tree(PathBuf::new(), files.clone())));
            Ok(said(&slot.run(&exec)?))
        })
    }

    /// How it is called, for people.
    pub fn called(&self, args: &[String]) -> String {
        [std::slice::from_ref(&self.name), args].concat().join(" ")
    }
}

/// Finds out, unless it is known. A run that was cut off is not remembered: it may do better.
pub fn remembered(
    store: &Store,
    name: &str,
    ask: impl FnOnce() -> Result<Said, Fault>,
) -> Result<Said, Fault> {
    let fault = |error: anyhow::Error| Fault::new(format!("{error:#}"));
    if let Some(known) = store.recall(name).map_err(fault)? {
        return Ok(known);
    }
    let said = ask()?;
    if !said.failed {
        store.remember(name, &said).map_err(fault)?;
    }
    Ok(said)
}

/// Arguments as bytes that cannot be confused.
pub fn list(args: &[String]) -> Vec<u8> {
    args.iter().flat_map(|arg| [&(arg.len() as u64).to_le_bytes(), arg.as_bytes()].concat()).collect()
}

fn said(ran: &Ran) -> Said {
    let how = match ran.exit {
        Exit::Code(code) => format!("exit code {code}"),
        Exit::Signal(signal) => format!("killed by signal {signal}"),
        Exit::Exceeded(limit) => format!("stopped at its limit ({limit:?})"),
    };
    let mut wrote = ran.stderr.head(SHOWN * 2).unwrap_or_default();
    wrote.extend(ran.stdout.head(SHOWN).unwrap_or_default());
    let wrote = short(&String::from_utf8_lossy(&wrote));
    let how = if wrote.is_empty() { how } else { format!("{how}: {wrote}") };
    Said { accepted: ran.exit == Exit::Code(42), failed: matches!(ran.exit, Exit::Exceeded(_)), how }
}

/// One line of bounded length, without control characters.
pub fn short(text: &str) -> String {
    let line = text.split_whitespace().collect::<Vec<_>>().join(" ");
    let clean: String = line.chars().map(|c| if c.is_control() { '?' } else { c }).collect();
    match clean.char_indices().nth(SHOWN) {
        Some((end, _)) => format!("{}…", &clean[..end]),
        None => clean,
    }
}
