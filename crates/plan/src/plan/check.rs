//! Jobs for programs of a package: they check inputs, outputs and sources, grade groups, and draw pictures.

use super::{
    key::{JobKind, Key, bytes_of},
    program::Program,
    trial::{CaseFiles, Checker, TrialTask},
};
use kopek_base::Digest;
use std::sync::Arc;

/// Runs an input validator on an input.
#[derive(Debug, Clone)]
pub struct InputTask {
    pub validator: Arc<Program>,
    pub input: Digest,
    /// A tree for the working directory.
    pub files: Option<Digest>,
    pub args: Vec<String>,
}

impl InputTask {
    pub(crate) fn key(&self) -> Key {
        JobKind::CheckInput
            .fields()
            .with("validator", self.validator.identity().as_bytes())
            .with("input", self.input.as_bytes())
            .with("files", &bytes_of(&self.files))
            .with("args", &bytes_of(&self.args))
            .digest()
    }
}

/// Runs the output validators on an existing output.
#[derive(Debug, Clone)]
pub struct OutputTask {
    pub checker: Arc<Checker>,
    pub case: Arc<CaseFiles>,
    pub output: Digest,
}

impl OutputTask {
    pub(crate) fn key(&self) -> Key {
        JobKind::CheckOutput
            .fields()
            .with("checker", self.checker.digest().as_bytes())
            .with("case", self.case.digest().as_bytes())
            .with("output", self.output.as_bytes())
            .digest()
    }
}

/// Runs the static validator on a program's files, for one group.
#[derive(Debug, Clone)]
pub struct SourceTask {
    pub program: Arc<Program>,
    pub case: Arc<SourceCase>,
}

/// The static validation of a group.
#[derive(Debug, Clone)]
pub struct SourceCase {
    pub group: String,
    pub args: Vec<String>,
    pub validator: Arc<Program>,
}

impl SourceTask {
    pub(crate) fn key(&self) -> Key {
        JobKind::CheckSource
            .fields()
            .with("build", self.program.build.key().as_bytes())
            .with("group", self.case.group.as_bytes())
            .with("args", &bytes_of(&self.case.args))
            .with("validator", self.case.validator.identity().as_bytes())
            .digest()
    }
}

/// Runs the custom grader of a legacy package for one group.
#[derive(Debug, Clone)]
pub struct GradeTask {
    pub grader: Arc<Program>,
    /// Path of the group below `data/`, for messages.
    pub group: String,
    pub flags: Vec<String>,
    pub input: String,
}

impl GradeTask {
    pub(crate) fn key(&self) -> Key {
        JobKind::Grade
            .fields()
            // Without the group: its path is for messages, and equal calls have equal grades.
            .with("grader", self.grader.identity().as_bytes())
            .with("flags", &bytes_of(&self.flags))
            .with("input", self.input.as_bytes())
            .digest()
    }
}

#[derive(Debug, Clone)]
pub enum DrawTask {
    Input {
        visualizer: Arc<Program>,
        case: Arc<CaseFiles>,
        /// The files in `data/` beside the cases.
        data: Digest,
    },
    /// Of a submission on a case, which is run again for the picture.
    Output {
        /// The visualizer; `None` takes the pictures that the output validator leaves.
        visualizer: Option<Arc<Program>>,
        trial: TrialTask,
        /// The files in `data/` beside the cases.
        data: Digest,
    },
    /// No picture but the outputs: `out`, and `2.out` for a later pass.
    Files { trial: TrialTask },
}

impl DrawTask {
    /// The key of the job.
    pub(crate) fn key(&self) -> Key {
        let fields = JobKind::Draw.fields();
        match self {
            DrawTask::Input { visualizer, case, data } => fields
                .with("input visualizer", visualizer.identity().as_bytes())
                .with("case", case.digest().as_bytes())
                .with("data", data.as_bytes())
                .with("visualizer args", &bytes_of(&case.input_visualizer_args)),
            DrawTask::Output { visualizer, trial, data } => fields
                .with("output visualizer", &bytes_of(&visualizer.as_ref().map(|program| program.identity())))
                .with("trial", trial.key().as_bytes())
                .with("data", data.as_bytes())
                .with("visualizer args", &bytes_of(&trial.case.output_visualizer_args)),
            DrawTask::Files { trial } => fields.with("files of trial", trial.key().as_bytes()),
        }
        .digest()
    }
}
