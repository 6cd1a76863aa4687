//! One case from rule to validated files, in memory: generate, copy, contents,
//! links, input validators, answer, output validator. Touches no package.

use super::{
    cases::pattern_of,
    generator::{Call, LIMITS, MEMORY, Probe, told},
    groups::with_own,
    order::{Order, Orders, root_of},
    place::Files,
    programs::Built,
    recipe::Make,
};
use crate::{
    package::{NamedFiles, Package},
    sandbox::{Exec, Exit, Fault, Input, Keep, Limits, Placed, Ran, Slot},
};
use std::{collections::BTreeSet, fs, path::PathBuf};

/// What all workers share.
pub struct Bench<'a> {
    /// Whose cases.
    pub package: &'a Package,
    /// What is to be done.
    pub orders: &'a Orders,
    /// [`Orders::programs`], built if needed.
    pub built: &'a [Option<Built>],
}

/// A case as made.
#[derive(Debug, Default)]
pub struct Produced {
    /// Its files.
    pub files: Files,
    /// What is odd without being wrong.
    pub remarks: Vec<String>,
}

/// Why a case was not made.
#[derive(Debug)]
pub enum Trouble {
    /// The package is to blame, at this line if not at the rule itself.
    Wrong(String, Option<u32>),
    /// A program it needs could not be built, which was told already.
    Unbuilt,
    /// We are.
    Fault(Fault),
}

type Made<T> = Result<T, Trouble>;

/// Exit code of validators that accept.
const ACCEPT: Exit = Exit::Code(42);

impl From<Fault> for Trouble {
    fn from(fault: Fault) -> Trouble {
        Trouble::Fault(fault)
    }
}

fn wrong<T>(what: impl Into<String>) -> Made<T> {
    Err(Trouble::Wrong(what.into(), None))
}

impl Bench<'_> {
    /// Makes a case.
    pub fn produce(&self, order: &Order, make: &Make, probe: Probe, slot: &mut Slot) -> Made<Produced> {
        let mut produced = Produced::default();
        self.generate(order, make, probe, slot, &mut produced)?;
        for (ext, path) in &order.copies {
            let bytes = fs::read(path).map_err(|e| Fault::new(format!("read {}: {e}", path.display())))?;
            produced.files.insert(ext.clone(), bytes);
        }
        for (ext, text) in &make.literals {
            produced.files.insert((*ext).to_owned(), text.clone().into_bytes());
        }
        link(make, "in", &mut produced.files)?;
        let sample = root_of(&make.path) == "sample" && produced.files.contains_key("in.download");
        if !produced.files.contains_key("in") && !sample {
            return wrong("nothing made its input");
        }
        self.check_input(order, &produced.files, slot)?;
        self.answer(order, make, slot, &mut produced.files)?;
        link(make, "ans", &mut produced.files)?;
        self.check_answer(order, make, &produced.files, slot)?;
        produced.remarks.extend(unmatched(make, &produced.files));
        Ok(produced)
    }

    fn generate(
        &self,
        order: &Order,
        make: &Make,
        probe: Probe,
        slot: &mut Slot,
        to: &mut Produced,
    ) -> Made<()> {
        let (Some(command), Some(generator)) = (&make.generate, order.generator) else { return Ok(()) };
        let call = Call { program: self.program(generator)?, command };
        match call.make(make.tries, probe, slot)? {
            Ok((files, remark)) => {
                to.files = files;
                to.remarks.extend(remark);
                Ok(())
            }
            Err(what) => wrong(what),
        }
    }

    /// All input validators, with the arguments of each place.
    fn check_input(&self, order: &Order, files: &Files, slot: &mut Slot) -> Made<()> {
        let Some(input) = files.get("in") else { return Ok(()) };
        let mut seen = BTreeSet::new();
        for place in &order.places {
            let arguments = with_own(&place.inherited, files.get("yaml").map(Vec::as_slice));
            let root = root_of(&place.path);
            if root == "testing_tool_test" || !seen.insert((arguments.clone(), root == "invalid_input")) {
                continue;
            }
            let mut refused = None;
            for (name, validator) in &self.orders.input_validators {
                let args = arguments.of_input_validator(name);
                let exec = self.program(*validator)?.at_home(&args, LIMITS);
                let ran = self.start(exec, input, extra_files(files), slot)?;
                if ran.exit != ACCEPT {
                    let called = [vec![name.clone()], args].concat().join(" ");
                    refused = Some(format!("input validator `{called}` {}", told(&ran, &LIMITS)));
                    break;
                }
            }
            match (refused, root) {
                (Some(what), root) if root != "invalid_input" => {
                    return Err(Trouble::Wrong(format!("{}: {what}", place.path), Some(place.line)));
                }
                (None, "invalid_input") => {
                    let what =
                        format!("{}: every input validator accepts what should be invalid", place.path);
                    return Err(Trouble::Wrong(what, Some(place.line)));
                }
                _ => (),
            }
        }
        Ok(())
    }

    fn answer(&self, order: &Order, make: &Make, slot: &mut Slot, files: &mut Files) -> Made<()> {
        let root = root_of(&make.path);
        if files.contains_key("ans")
            || !files.contains_key("in")
            || matches!(root, "invalid_input" | "testing_tool_test")
        {
            return Ok(());
        }
        let kind = &self.package.kind;
        if kind.interactive || kind.multi_pass {
            files.insert("ans".into(), Vec::new());
            return Ok(());
        }
        let Some(solution) = order.solution else {
            return wrong(match root {
                "sample" | "secret" | "fuzz" => {
                    "nothing makes its answer: give the recipe a `solution`, or the case `ans`"
                }
                _ => "a case for output validators needs its own `ans`",
            });
        };
        let arguments = with_own(&order.places[0].inherited, files.get("yaml").map(Vec::as_slice));
        let limits = Limits { memory: MEMORY.max(self.package.limits.memory), ..LIMITS };
        let exec = self.program(solution)?.at_home(&arguments.args, limits);
        let name = &self.orders.programs[solution].name;
        let answer = match &self.package.named_files {
            Some(named) => self.answer_by_files(exec, named, name, files, slot)?,
            None => {
                let ran = self.start(exec, &files["in"], extra_files(files), slot)?;
                ended_well(&ran, name, &limits)?;
                ran.stdout.bytes().map_err(|e| Fault::new(format!("read an answer: {e}")))?
            }
        };
        files.insert("ans".into(), answer);
        Ok(())
    }

    /// A solution that reads and writes named files.
    fn answer_by_files(
        &self,
        mut exec: Exec,
        named: &NamedFiles,
        name: &str,
        files: &Files,
        slot: &mut Slot,
    ) -> Made<Vec<u8>> {
        let kept = tempfile::tempdir().map_err(|e| Fault::new(format!("make a directory: {e}")))?;
        exec.keep = Keep::Below(PathBuf::new(), kept.path().to_owned());
        let mut placed = extra_files(files);
        placed.push(Placed::Bytes((&named.input).into(), files["in"].clone()));
        let limits = exec.limits;
        let ran = self.start(exec, b"", placed, slot)?;
        ended_well(&ran, name, &limits)?;
        match fs::read(kept.path().join(&named.output)) {
            Ok(answer) => Ok(answer),
            Err(_) => wrong(format!("solution `{name}` did not write `{}`", named.output)),
        }
    }

    /// The answer itself must be accepted by the package's own output validators. (The default
    /// one accepts every file against itself.)
    fn check_answer(&self, order: &Order, make: &Make, files: &Files, slot: &mut Slot) -> Made<()> {
        let (Some(input), Some(answer)) = (files.get("in"), files.get("ans")) else { return Ok(()) };
        if !matches!(root_of(&make.path), "sample" | "secret" | "fuzz") {
            return Ok(());
        }
        let own = files.get("yaml").map(Vec::as_slice);
        let limits = &self.package.limits;
        let limits = Limits {
            cpu: limits.validation_time,
            wall: 2 * limits.validation_time,
            memory: limits.validation_memory,
            ..LIMITS
        };
        let distinct: BTreeSet<_> =
            order.places.iter().map(|place| with_own(&place.inherited, own).output).collect();
        for (validator, output_args) in
            self.orders.output_validators.iter().flat_map(|v| distinct.iter().map(move |args| (*v, args)))
        {
            let fixed = ["/box/input", "/box/answer", "/box/feedback/"].map(str::to_owned).to_vec();
            let placed = vec![
                Placed::Bytes("input".into(), input.clone()),
                Placed::Bytes("answer".into(), answer.clone()),
                Placed::Dir("feedback".into()),
            ];
            let exec = self.program(validator)?.alone(&[fixed, output_args.clone()].concat(), limits);
            let ran = self.start(exec, answer, placed, slot)?;
            if ran.exit != ACCEPT {
                let name = &self.orders.programs[validator].name;
                return wrong(format!(
                    "output validator `{name}` does not accept the answer: it {}",
                    told(&ran, &limits)
                ));
            }
        }
        Ok(())
    }

    /// Starts a program of the package on an input.
    fn start(&self, mut exec: Exec, stdin: &[u8], files: Vec<Placed>, slot: &mut Slot) -> Made<Ran> {
        exec.stdin = Input::Bytes(stdin.to_vec());
        exec.files.extend(files);
        Ok(slot.run(&exec)?)
    }

    fn program(&self, index: usize) -> Made<&Built> {
        self.built[index].as_ref().ok_or(Trouble::Unbuilt)
    }
}

/// A case's `.files` for the working directory.
fn extra_files(files: &Files) -> Vec<Placed> {
    let below = files.iter().filter_map(|(ext, bytes)| Some((ext.strip_prefix("files/")?, bytes)));
    below.map(|(path, bytes)| Placed::Bytes(path.into(), bytes.clone())).collect()
}

fn ended_well(ran: &Ran, name: &str, limits: &Limits) -> Made<()> {
    match ran.exit {
        Exit::Code(0) => Ok(()),
        _ => wrong(format!("solution `{name}` {}", told(ran, limits))),
    }
}

/// Extensions that are the same as another of their kind.
fn link(make: &Make, kind: &str, files: &mut Files) -> Made<()> {
    for (ext, target) in make.links.iter().filter(|(ext, _)| ext.split('.').next() == Some(kind)) {
        let Some(bytes) = files.get(*target).cloned() else {
            return wrong(format!("`{ext}` is a link to `{target}`, which was not made"));
        };
        files.insert((*ext).to_owned(), bytes);
    }
    Ok(())
}

fn unmatched(make: &Make, files: &Files) -> Vec<String> {
    let found = |(ext, pattern): &&(&str, String)| {
        let text = files.get(*ext).map(|bytes| String::from_utf8_lossy(bytes));
        // A pattern that cannot be read was told when the recipe was.
        pattern_of(pattern).map_or(true, |regex| text.is_some_and(|text| regex.is_match(&text)))
    };
    let missing = make.matches.iter().filter(|pattern| !found(pattern));
    missing.map(|(ext, pattern)| format!("its `{ext}` does not match `{pattern}`")).collect()
}
