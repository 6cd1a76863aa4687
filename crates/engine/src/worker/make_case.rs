//! Makes a test case from its rule: generate, copy, contents, links, input validators, answer, output
//! validators. Does not touch the package.

use super::{
    generator_call::{FilesByExtension, MakeError, MakeResult, run_generator, wrong},
    job_worker::{Worker, fault},
    validate_input::{ACCEPTED, validator_end},
};
use kopek_base::{Bytes, ScratchDir, wording::windows_line_end};
use kopek_package::package::{CaseArguments, NamedFiles};
use kopek_plan::plan::{AnswerSource, CaseFile, CaseResult, InputRule, MakePlace, MakeTask, Program};
use kopek_sandbox::{BoxFile, Exec, Exit, Fault, Input, Keep, RunResult};
use std::{
    collections::BTreeSet,
    fs,
    path::{Path, PathBuf},
    sync::Arc,
};

/// Makes a case and keeps its files in the store.
pub(super) fn make_case(worker: &mut Worker, task: &MakeTask) -> Result<CaseResult, Fault> {
    let mut maker = CaseMaker { worker, task, files: FilesByExtension::new(), remarks: Vec::new() };
    match maker.make() {
        Ok(()) => {}
        Err(MakeError::Package(problem, place)) => return Ok(CaseResult::Refused { problem, place }),
        Err(MakeError::Fault(fault)) => return Err(fault),
    }
    let CaseMaker { files, remarks, .. } = maker;
    let keep = |(extension, bytes): (String, Vec<u8>)| {
        let digest = worker.machine.store.put_bytes(&bytes).map_err(fault)?;
        Ok((extension, CaseFile { digest, size: Bytes(bytes.len() as u64) }))
    };
    Ok(CaseResult::Made { files: files.into_iter().map(keep).collect::<Result<_, Fault>>()?, remarks })
}

/// What the input validators say about an input.
enum InputAnswer {
    Accepted,
    /// One refuses it.
    Refused(String),
    /// One was stopped at a limit.
    Stopped(String),
}

struct CaseMaker<'a, 'm> {
    worker: &'a mut Worker<'m>,
    task: &'a MakeTask,
    files: FilesByExtension,
    remarks: Vec<String>,
}

impl CaseMaker<'_, '_> {
    /// The order is that of the format: each step may replace files of the steps before.
    fn make(&mut self) -> MakeResult<()> {
        if let Some(call) = &self.task.generator {
            let generated = run_generator(self.worker, call)?;
            self.files = generated.files;
            self.remarks.extend(generated.remark);
        }
        for (extension, digest) in &self.task.copies {
            self.files.insert(extension.clone(), self.worker.bytes_of(digest)?);
        }
        for (extension, text) in &self.task.literals {
            self.files.insert(extension.clone(), text.clone().into_bytes());
        }
        // Links of inputs come before the answer, links of answers after it: a link may lead to a file of the
        // step before.
        self.link("in")?;
        let shown_only = self.task.root == "sample" && self.files.contains_key("in.download");
        if !self.files.contains_key("in") && !shown_only {
            return wrong("no step made its input");
        }
        self.check_input()?;
        self.make_answer()?;
        self.link("ans")?;
        self.check_answer()
    }

    /// Makes links between extensions of the same kind.
    fn link(&mut self, kind: &str) -> MakeResult<()> {
        let links = &self.task.links;
        for (extension, target) in links.iter().filter(|(ext, _)| ext.split('.').next() == Some(kind)) {
            let Some(bytes) = self.files.get(target).cloned() else {
                return wrong(format!("`{extension}` is a link to `{target}`, which was not made"));
            };
            self.files.insert(extension.clone(), bytes);
        }
        Ok(())
    }

    /// The arguments of a place, with those of the case's own `.yaml`.
    fn arguments(&self, place: &MakePlace) -> CaseArguments {
        place.inherited.with_own_file(self.files.get("yaml").map(Vec::as_slice))
    }

    /// Runs all input validators, with the arguments of each place.
    fn check_input(&mut self) -> MakeResult<()> {
        if !self.files.contains_key("in") {
            return Ok(());
        }
        let mut done = BTreeSet::new();
        for place in &self.task.places {
            let arguments = self.arguments(place);
            let must_refuse = place.input == InputRule::Refused;
            // Several places often have the same arguments: each call is made once.
            if place.input == InputRule::Unchecked || !done.insert((arguments.clone(), must_refuse)) {
                continue;
            }
            let problem = match self.input_answer(&arguments)? {
                InputAnswer::Accepted if must_refuse => {
                    "every input validator accepts this input, which should be invalid".into()
                }
                InputAnswer::Refused(what) if !must_refuse => what,
                // A validator that was stopped has refused nothing.
                InputAnswer::Stopped(what) => what,
                InputAnswer::Accepted | InputAnswer::Refused(_) => continue,
            };
            return Err(MakeError::Package(problem, Some(place.path.clone())));
        }
        Ok(())
    }

    /// The answer of the first validator that does not accept the input.
    fn input_answer(&mut self, arguments: &CaseArguments) -> MakeResult<InputAnswer> {
        for validator in &self.task.input_validators {
            let args = arguments.of_input_validator(&validator.name);
            let exec = self.worker.exec_at_home(validator, &args)?;
            let ran = self.run_on_input(validator, exec)?;
            if ran.exit != ACCEPTED {
                let call = [vec![validator.name.clone()], args].concat().join(" ");
                let line_end = windows_line_end(&self.files["in"]);
                let end = validator_end(&ran, &validator.limits);
                let what = format!("input validator `{call}` {end}{line_end}");
                return Ok(match ran.exit {
                    Exit::Exceeded(_) => InputAnswer::Stopped(what),
                    Exit::Code(_) | Exit::Signal(_) => InputAnswer::Refused(what),
                });
            }
        }
        Ok(InputAnswer::Accepted)
    }

    fn make_answer(&mut self) -> MakeResult<()> {
        if self.files.contains_key("ans") || !self.files.contains_key("in") {
            return Ok(());
        }
        let answer = match &self.task.answer {
            AnswerSource::None => return Ok(()),
            AnswerSource::Empty => Vec::new(),
            AnswerSource::Missing(what) => return wrong(what),
            AnswerSource::Solution(program) => self.solve(&program.clone())?,
        };
        self.files.insert("ans".into(), answer);
        Ok(())
    }

    fn solve(&mut self, program: &Arc<Program>) -> MakeResult<Vec<u8>> {
        let arguments = self.task.places.first().map(|place| self.arguments(place)).unwrap_or_default();
        let exec = self.worker.exec_at_home(program, &arguments.args)?;
        match &self.task.named_files {
            Some(named) => self.solve_by_files(exec, named, program),
            None => {
                let ran = self.run_on_input(program, exec)?;
                check_success(&ran, program)?;
                Ok(ran.stdout.bytes().map_err(|e| Fault::new(format!("read an answer: {e}")))?)
            }
        }
    }

    /// Runs a solution that reads and writes named files.
    fn solve_by_files(
        &mut self,
        mut exec: Exec,
        named: &NamedFiles,
        program: &Program,
    ) -> MakeResult<Vec<u8>> {
        let kept = ScratchDir::new().map_err(|e| Fault::new(format!("make a directory: {e}")))?;
        exec.keep = Keep::Below(PathBuf::new(), kept.path().to_owned());
        exec.files.extend(self.extra_files());
        exec.files.push(BoxFile::Bytes((&named.input).into(), self.files["in"].clone()));
        let ran = self.worker.run_in_own_slot(program, &exec)?;
        check_success(&ran, program)?;
        match fs::read(kept.path().join(&named.output)) {
            Ok(answer) => Ok(answer),
            Err(_) => wrong(format!("solution `{}` did not write `{}`", program.name, named.output)),
        }
    }

    /// Checks the answer with the package's own output validators. (The default one accepts every file
    /// against itself.)
    fn check_answer(&mut self) -> MakeResult<()> {
        let (Some(input), Some(answer)) = (self.files.get("in").cloned(), self.files.get("ans").cloned())
        else {
            return Ok(());
        };
        let arguments: BTreeSet<Vec<String>> =
            self.task.places.iter().map(|place| self.arguments(place).output).collect();
        for validator in &self.task.output_validators {
            for own in &arguments {
                let fixed = ["/box/input", "/box/answer", "/box/feedback/"].map(str::to_owned).to_vec();
                let mut exec = self.worker.exec_in_empty_box(validator, &[fixed, own.clone()].concat())?;
                exec.files.push(BoxFile::Bytes("input".into(), input.clone()));
                exec.files.push(BoxFile::Bytes("answer".into(), answer.clone()));
                exec.files.push(BoxFile::Dir("feedback".into()));
                exec.stdin = Input::Bytes(answer.clone());
                let ran = self.worker.run_in_own_slot(validator, &exec)?;
                if ran.exit != ACCEPTED {
                    let name = &validator.name;
                    let end = validator_end(&ran, &validator.limits);
                    return wrong(format!("output validator `{name}` does not accept the answer: it {end}"));
                }
            }
        }
        Ok(())
    }

    /// Runs a program of the package on the case's input.
    fn run_on_input(&mut self, program: &Program, mut exec: Exec) -> MakeResult<RunResult> {
        exec.stdin = Input::Bytes(self.files["in"].clone());
        exec.files.extend(self.extra_files());
        Ok(self.worker.run_in_own_slot(program, &exec)?)
    }

    /// The case's `.files`, for the working directory.
    fn extra_files(&self) -> Vec<BoxFile> {
        let below = self.files.iter().filter_map(|(ext, bytes)| Some((ext.strip_prefix("files/")?, bytes)));
        below.map(|(path, bytes)| BoxFile::Bytes(Path::new(path).into(), bytes.clone())).collect()
    }
}

fn check_success(ran: &RunResult, program: &Program) -> MakeResult<()> {
    match ran.exit {
        Exit::Code(0) => Ok(()),
        Exit::Code(_) | Exit::Signal(_) | Exit::Exceeded(_) => {
            wrong(format!("solution `{}` {}", program.name, ran.end_in_words(&program.limits)))
        }
    }
}
