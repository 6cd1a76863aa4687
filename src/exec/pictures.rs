//! Visualizers of a package, asked for pictures on request. What one does wrong
//! is told in words, as a trouble of the package: never a verdict, never a fault.

use super::{
    Workshop,
    passes::{Given, Pass, Round, directory},
};
use crate::{
    check::program::{Validation, output_of, with_case},
    package::Case,
    plan::{Ready, TrialTask},
    sandbox::{Exit, Fault, Input, Keep, Ran, Slot},
};
use std::{
    collections::BTreeMap,
    fs,
    path::{Path, PathBuf},
};
use walkdir::WalkDir;

/// What came of asking for pictures.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Drawn {
    /// File names, as the visualizer chose them, and what lies in the files.
    pub pictures: BTreeMap<String, Vec<u8>>,
    /// What is wrong with it, each a sentence about the visualizer.
    pub troubles: Vec<String>,
}

/// Endings of pictures, and what such a file is called.
const KINDS: [(&str, &str); 4] = [("png", "PNG"), ("jpg", "JPEG"), ("jpeg", "JPEG"), ("svg", "SVG")];
/// What pictures of outputs are called.
const OF_OUTPUTS: [&str; 2] = ["judgeimage", "teamimage"];

impl Workshop {
    /// Pictures of an input: whatever the visualizer leaves where it starts.
    pub fn draw_input(
        &self,
        slot: &mut Slot,
        visualizer: &Ready,
        data: &Path,
        case: &Case,
    ) -> Result<Drawn, Fault> {
        let home = directory()?;
        let mut exec = with_case(visualizer.exec.clone(), data, &case.input, &case.answer)?;
        exec.argv.extend_from_slice(&case.input_visualizer_args);
        exec.view.writable = true;
        exec.cwd = "/box".into();
        exec.keep = Keep::Below(PathBuf::new(), home.path().to_owned());
        let ran = slot.run(&exec)?;
        let mut drawn = Drawn::default();
        for (name, bytes) in files(home.path())?.into_iter().filter(|(name, _)| kind(name).is_some()) {
            drawn.add(name, bytes);
        }
        let drew_nothing = drawn.pictures.is_empty() && drawn.troubles.is_empty();
        match failed(&ran, &drawn) {
            Some(what) => drawn.troubles.push(what),
            None if drew_nothing => {
                drawn.troubles.push("wrote no png, jpg, jpeg or svg where it was started".into())
            }
            None => {}
        }
        Ok(drawn)
    }

    /// Pictures of what a submission does on a case, which is run again for it. Without a visualizer,
    /// those that the output validator itself drew.
    pub fn draw_output(&self, visualizer: Option<&Ready>, task: &TrialTask) -> Result<Drawn, Fault> {
        let mut drawn = Drawn::default();
        self.stage().course(task, &mut |judge, round, pass| {
            drawn = match visualizer {
                Some(visualizer) => visualized(judge, visualizer, task, round, pass)?,
                None => Drawn { troubles: vec![], ..left(round.after, &files(round.after)?)? },
            };
            Ok(())
        })?;
        Ok(drawn)
    }
}

/// The visualizer on one pass; a later pass draws anew.
fn visualized(
    judge: &mut Slot,
    visualizer: &Ready,
    task: &TrialTask,
    round: &Round,
    pass: &Pass,
) -> Result<Drawn, Fault> {
    let output = match &pass.given {
        Given::Nothing => return Ok(Drawn::default()),
        Given::Talk => Input::Nothing,
        Given::Output(output) => output_of(output),
    };
    let own = directory()?;
    let call = Validation {
        program: visualizer.exec.clone(),
        data: &task.setting.data,
        input: &task.case.input,
        answer: &task.case.answer,
        output,
        args: &task.case.output_visualizer_args,
        feedback: round.after,
    };
    let mut exec = call.exec()?;
    // What it writes must not reach the next pass.
    exec.keep = Keep::Below(PathBuf::from("feedback"), own.path().to_owned());
    let ran = judge.run(&exec)?;
    let mut drawn = left(own.path(), &files(round.after)?)?;
    drawn.troubles.extend(failed(&ran, &drawn));
    Ok(drawn)
}

/// Pictures in a feedback directory; whatever else was not there before is a trouble.
fn left(feedback: &Path, before: &BTreeMap<String, Vec<u8>>) -> Result<Drawn, Fault> {
    let mut drawn = Drawn::default();
    for (name, bytes) in files(feedback)? {
        let stem = name.split('.').next().unwrap_or_default();
        if kind(&name).is_some() && OF_OUTPUTS.contains(&stem) {
            drawn.add(name, bytes);
        } else if before.get(&name) != Some(&bytes) {
            drawn.troubles.push(format!("wrote {name}; only judgeimage and teamimage are its own"));
        }
    }
    Ok(drawn)
}

impl Drawn {
    fn add(&mut self, name: String, bytes: Vec<u8>) {
        match kind(&name).filter(|kind| !is(kind, &bytes)) {
            Some(kind) => self.troubles.push(format!("wrote {name}, which is no {kind}")),
            None => drop(self.pictures.insert(name, bytes)),
        }
    }
}

fn kind(name: &str) -> Option<&'static str> {
    let ending = name.rsplit_once('.')?.1;
    KINDS.iter().find(|(known, _)| *known == ending).map(|(_, kind)| *kind)
}

/// Whether a file begins as its kind does: enough to tell a picture from a message.
fn is(kind: &str, bytes: &[u8]) -> bool {
    match kind {
        "PNG" => bytes.starts_with(b"\x89PNG\r\n\x1a\n"),
        "JPEG" => bytes.starts_with(b"\xff\xd8\xff"),
        _ => std::str::from_utf8(bytes).is_ok_and(|text| text.contains("<svg")),
    }
}

/// The format ignores exit codes: one that drew was well.
fn failed(ran: &Ran, drawn: &Drawn) -> Option<String> {
    let what = match ran.exit {
        Exit::Code(0) => return None,
        Exit::Code(_) if !drawn.pictures.is_empty() => return None,
        Exit::Code(code) => format!("exited with {code} and drew nothing"),
        Exit::Signal(signal) => format!("was killed by signal {signal}"),
        Exit::Exceeded(limit) => format!("exceeded its limit: {limit:?}"),
    };
    let said = ran.stderr.tail(300).unwrap_or_default();
    let said = String::from_utf8_lossy(&said).split_whitespace().collect::<Vec<_>>().join(" ");
    Some(if said.is_empty() { what } else { format!("{what}: {said}") })
}

fn files(dir: &Path) -> Result<BTreeMap<String, Vec<u8>>, Fault> {
    let fault = |e: &dyn std::fmt::Display| Fault::new(format!("read pictures: {e}"));
    let mut files = BTreeMap::new();
    for entry in WalkDir::new(dir) {
        let entry = entry.map_err(|e| fault(&e))?;
        if entry.file_type().is_file() {
            let name = entry.path().strip_prefix(dir).unwrap_or(entry.path());
            let bytes = fs::read(entry.path()).map_err(|e| fault(&e))?;
            files.insert(name.to_string_lossy().into_owned(), bytes);
        }
    }
    Ok(files)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_picture_is_what_begins_like_one() {
        let mut drawn = Drawn::default();
        drawn.add("a.png".into(), b"\x89PNG\r\n\x1a\nrest".to_vec());
        drawn.add("b.jpg".into(), b"Traceback".to_vec());
        drawn.add("c.svg".into(), b"<?xml?><svg></svg>".to_vec());
        assert_eq!(drawn.pictures.keys().collect::<Vec<_>>(), ["a.png", "c.svg"]);
        assert_eq!(drawn.troubles, ["wrote b.jpg, which is no JPEG"]);
    }

    #[test]
    fn a_visualizer_may_write_nothing_but_its_pictures() {
        let dir = tempfile::tempdir().unwrap();
        for name in ["judgeimage.svg", "score.txt", "kept"] {
            fs::write(dir.path().join(name), "<svg/>").unwrap();
        }
        let before = BTreeMap::from([("kept".to_owned(), b"<svg/>".to_vec())]);
        let drawn = left(dir.path(), &before).unwrap();
        assert_eq!(drawn.pictures.len(), 1);
        assert!(drawn.troubles.len() == 1 && drawn.troubles[0].starts_with("wrote score.txt"), "{drawn:?}");
    }
}
