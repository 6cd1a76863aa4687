//! Runs the visualizers of a package when pictures are requested. A mistake of a visualizer becomes a message
//! about the package, never a verdict and never a fault.

use super::{
    case_paths::case_paths,
    job_worker::{Worker, fault},
    passes::{JudgedInPass, Pass, PassDirs, directory},
    run_trial::run_watched_trial,
};
use kopek_base::Digest;
use kopek_package::check::program::{ValidatorCall, output_of, with_case};
use kopek_plan::plan::{CaseFiles, DrawTask, Drawing, Program, TrialTask};
use kopek_sandbox::{Exit, Fault, Input, Keep, RunResult};
use std::{
    collections::BTreeMap,
    fs,
    path::{Path, PathBuf},
};
use walkdir::WalkDir;

/// File endings of pictures, with the name of each format.
const KINDS: [(&str, &str); 4] = [("png", "PNG"), ("jpg", "JPEG"), ("jpeg", "JPEG"), ("svg", "SVG")];
/// File names of output pictures; `-ID` may follow the name.
const OUTPUT_PICTURES: [&str; 2] = ["judgeimage", "teamimage"];

/// Pictures in memory, by the names that the visualizer chose.
#[derive(Debug, Default)]
struct Sketch {
    pictures: BTreeMap<String, Vec<u8>>,
    problems: Vec<String>,
}

/// Draws the pictures and keeps them in the store.
pub(super) fn draw(worker: &mut Worker, task: &DrawTask) -> Result<Drawing, Fault> {
    let sketch = match task {
        DrawTask::Input { visualizer, case, data } => draw_input(worker, visualizer, case, data)?,
        DrawTask::Output { visualizer, trial, data } => {
            draw_output(worker, visualizer.as_deref(), &OutputToDraw { task: trial, data })?
        }
        DrawTask::Files { trial } => keep_outputs(worker, trial)?,
    };
    let keep =
        |(name, bytes): (String, Vec<u8>)| Ok((name, worker.machine.store.put_bytes(&bytes).map_err(fault)?));
    let pictures = sketch.pictures.into_iter().map(keep).collect::<Result<_, Fault>>()?;
    Ok(Drawing { pictures, problems: sketch.problems })
}

/// The outputs themselves, by pass.
fn keep_outputs(worker: &mut Worker, task: &TrialTask) -> Result<Sketch, Fault> {
    let mut sketch = Sketch::default();
    let mut number = 0;
    run_watched_trial(worker, task, &mut |_, _, pass| {
        number += 1;
        if let JudgedInPass::Output(output) | JudgedInPass::Unjudged(output) = &pass.judged {
            let bytes = output.bytes().map_err(|e| Fault::new(format!("read the output: {e}")))?;
            let name = if number == 1 { "out".to_owned() } else { format!("{number:09}.out") };
            sketch.pictures.retain(|_, _| false);
            sketch.pictures.insert(name, bytes);
        }
        Ok(())
    })?;
    Ok(sketch)
}

/// Pictures of an input: all that the visualizer leaves in its working directory.
fn draw_input(
    worker: &mut Worker,
    visualizer: &Program,
    case: &CaseFiles,
    data: &Digest,
) -> Result<Sketch, Fault> {
    let drawn = directory()?;
    let paths = case_paths(worker, case, data)?;
    let mut exec = with_case(worker.exec_of(visualizer, &[])?, &paths.data, &paths.input, &paths.answer)?;
    exec.argv.extend_from_slice(&case.input_visualizer_args);
    exec.view.writable = true;
    exec.cwd = "/box".into();
    // The format lets the visualizer choose the names, so every file is taken.
    exec.keep = Keep::Below(PathBuf::new(), drawn.path().to_owned());
    let ran = worker.slots.judge.run(&exec)?;
    let mut sketch = Sketch::default();
    for (name, bytes) in files_below(drawn.path())?.into_iter().filter(|(name, _)| kind_of(name).is_some()) {
        sketch.add(name, bytes);
    }
    let drew_nothing = sketch.pictures.is_empty() && sketch.problems.is_empty();
    match failure(&ran, visualizer, &sketch) {
        Some(what) => sketch.problems.push(what),
        None if drew_nothing => {
            sketch.problems.push("wrote no png, jpg, jpeg or svg into its working directory".into())
        }
        None => {}
    }
    Ok(sketch)
}

/// A submission on a case whose output is drawn.
struct OutputToDraw<'a> {
    task: &'a TrialTask,
    data: &'a Digest,
}

/// Runs a submission on a case again and draws its output. Without a visualizer, takes the pictures that the
/// output validator drew.
fn draw_output(
    worker: &mut Worker,
    visualizer: Option<&Program>,
    drawn: &OutputToDraw,
) -> Result<Sketch, Fault> {
    let mut sketch = Sketch::default();
    run_watched_trial(worker, drawn.task, &mut |worker, dirs, pass| {
        sketch = match visualizer {
            Some(visualizer) => draw_pass(worker, visualizer, drawn, &EndedPass { dirs, pass })?,
            None => {
                let feedback = dirs.after.path()?;
                Sketch { problems: vec![], ..left_in_feedback(feedback, &files_below(feedback)?)? }
            }
        };
        Ok(())
    })?;
    Ok(sketch)
}

struct EndedPass<'a> {
    dirs: &'a PassDirs<'a>,
    pass: &'a Pass,
}

/// Runs the visualizer for one pass. Each pass gets its own pictures.
fn draw_pass(
    worker: &mut Worker,
    visualizer: &Program,
    drawn: &OutputToDraw,
    ended: &EndedPass,
) -> Result<Sketch, Fault> {
    let task = drawn.task;
    let feedback = ended.dirs.after.path()?;
    let output = match &ended.pass.judged {
        JudgedInPass::Nothing | JudgedInPass::Unjudged(_) => return Ok(Sketch::default()),
        JudgedInPass::Conversation => Input::Nothing,
        JudgedInPass::Output(output) => output_of(output),
    };
    let own = directory()?;
    let paths = case_paths(worker, &task.case, drawn.data)?;
    let call = ValidatorCall {
        program: worker.exec_of(visualizer, &[])?,
        data: &paths.data,
        input: &paths.input,
        answer: &paths.answer,
        output,
        args: &task.case.output_visualizer_args,
        feedback,
    };
    let mut exec = call.exec()?;
    // Files it writes must not reach the next pass.
    exec.keep = Keep::Below(PathBuf::from("feedback"), own.path().to_owned());
    let ran = worker.slots.judge.run(&exec)?;
    let mut sketch = left_in_feedback(own.path(), &files_below(feedback)?)?;
    sketch.problems.extend(failure(&ran, visualizer, &sketch));
    Ok(sketch)
}

/// Pictures in a feedback directory; any other new file is reported as a problem.
fn left_in_feedback(feedback: &Path, before: &BTreeMap<String, Vec<u8>>) -> Result<Sketch, Fault> {
    let mut sketch = Sketch::default();
    for (name, bytes) in files_below(feedback)? {
        if kind_of(&name).is_some() && is_output_picture(&name) {
            sketch.add(name, bytes);
        } else if before.get(&name) != Some(&bytes) {
            sketch.problems.push(format!("wrote {name}; it may only write judgeimage and teamimage"));
        }
    }
    Ok(sketch)
}

/// `teamimage.png`, `teamimage-1.png`.
fn is_output_picture(name: &str) -> bool {
    let stem = name.split('.').next().unwrap_or_default();
    let rest = OUTPUT_PICTURES.into_iter().find_map(|own| stem.strip_prefix(own));
    rest.is_some_and(|rest| rest.is_empty() || rest.strip_prefix('-').is_some_and(|id| !id.is_empty()))
}

impl Sketch {
    fn add(&mut self, name: String, bytes: Vec<u8>) {
        match kind_of(&name).filter(|kind| !begins_like(kind, &bytes)) {
            Some(kind) => self.problems.push(format!("wrote {name}, which is not a {kind} file")),
            None => drop(self.pictures.insert(name, bytes)),
        }
    }
}

fn kind_of(name: &str) -> Option<&'static str> {
    let ending = name.rsplit_once('.')?.1;
    KINDS.iter().find(|(known, _)| *known == ending).map(|(_, kind)| *kind)
}

/// Whether a file begins like its format: enough to tell a picture from a message.
fn begins_like(kind: &str, bytes: &[u8]) -> bool {
    match kind {
        "PNG" => bytes.starts_with(b"\x89PNG\r\n\x1a\n"),
        "JPEG" => bytes.starts_with(b"\xff\xd8\xff"),
        // SVG has no magic number: a declaration, comments or a doctype may come before the element.
        _ => std::str::from_utf8(bytes).is_ok_and(|text| text.contains("<svg")),
    }
}

/// The format ignores exit codes: a visualizer that drew a picture succeeded.
fn failure(ran: &RunResult, visualizer: &Program, sketch: &Sketch) -> Option<String> {
    match ran.exit {
        Exit::Code(0) => None,
        Exit::Code(_) if !sketch.pictures.is_empty() => None,
        Exit::Code(code) => Some(ran.with_stderr(format!("exited with {code} and drew nothing"))),
        Exit::Signal(_) | Exit::Exceeded(_) => Some(ran.end_in_words(&visualizer.limits)),
    }
}

fn files_below(dir: &Path) -> Result<BTreeMap<String, Vec<u8>>, Fault> {
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
        let mut drawn = Sketch::default();
        drawn.add("a.png".into(), b"\x89PNG\r\n\x1a\nrest".to_vec());
        drawn.add("b.jpg".into(), b"Traceback".to_vec());
        drawn.add("c.svg".into(), b"<?xml?><svg></svg>".to_vec());
        assert_eq!(drawn.pictures.keys().collect::<Vec<_>>(), ["a.png", "c.svg"]);
        assert_eq!(drawn.problems, ["wrote b.jpg, which is not a JPEG file"]);
    }

    #[test]
    fn a_visualizer_may_write_nothing_but_its_pictures() {
        let dir = tempfile::tempdir().unwrap();
        for name in ["judgeimage.svg", "teamimage-1.svg", "teamimage-b.svg", "teamimages.svg", "kept"] {
            fs::write(dir.path().join(name), "<svg/>").unwrap();
        }
        let before = BTreeMap::from([("kept".to_owned(), b"<svg/>".to_vec())]);
        let drawn = left_in_feedback(dir.path(), &before).unwrap();
        let names: Vec<&str> = drawn.pictures.keys().map(String::as_str).collect();
        assert_eq!(names, ["judgeimage.svg", "teamimage-1.svg", "teamimage-b.svg"]);
        assert!(
            drawn.problems.len() == 1 && drawn.problems[0].starts_with("wrote teamimages.svg"),
            "{drawn:?}"
        );
    }
}
