//! Questions to programs of a package: about inputs, outputs, sources, groups, and for pictures.

use super::{
    key::{JobKind, Key, bytes_of},
    program::Program,
    trial::{CaseFiles, Checker, TrialTask},
};
use kopek_base::Digest;
use serde::{Deserialize, Serialize};
use std::sync::Arc;

/// An input validator on an input.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct InputTask {
    /// Who is asked.
    pub validator: Arc<Program>,
    /// The input.
    pub input: Digest,
    /// A tree that lies in the working directory.
    pub files: Option<Digest>,
    /// Its arguments.
    pub args: Vec<String>,
}

impl InputTask {
    /// The key of the question.
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

/// The output validators on an output that is there already.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct OutputTask {
    /// Who is asked.
    pub checker: Arc<Checker>,
    /// The case.
    pub case: Arc<CaseFiles>,
    /// The output.
    pub output: Digest,
}

impl OutputTask {
    /// The key of the question.
    pub(crate) fn key(&self) -> Key {
        JobKind::CheckOutput
            .fields()
            .with("checker", self.checker.digest().as_bytes())
            .with("case", self.case.digest().as_bytes())
            .with("output", self.output.as_bytes())
            .digest()
    }
}

/// The static validator on a program's files, for one group.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct SourceTask {
    /// Whose files.
    pub program: Arc<Program>,
    /// What is asked.
    pub case: Arc<SourceCase>,
}

/// What the static validator is asked for a group.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct SourceCase {
    /// Name of the group.
    pub group: String,
    /// Arguments of the group.
    pub args: Vec<String>,
    /// The validator.
    pub validator: Arc<Program>,
}

impl SourceTask {
    /// The key of the question.
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

/// The custom grader of a legacy package, asked about one group.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct GradeTask {
    /// Who is asked.
    pub grader: Arc<Program>,
    /// Path of the group below `data/`, for people.
    pub group: String,
    /// Its arguments.
    pub flags: Vec<String>,
    /// Its standard input.
    pub input: String,
}

impl GradeTask {
    /// The key of the question.
    pub(crate) fn key(&self) -> Key {
        JobKind::Grade
            .fields()
            // Not the group: its path is for messages, and equal questions have equal grades.
            .with("grader", self.grader.identity().as_bytes())
            .with("flags", &bytes_of(&self.flags))
            .with("input", self.input.as_bytes())
            .digest()
    }
}

/// Pictures wanted from a visualizer.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum DrawTask {
    /// Of an input.
    Input {
        /// Who draws.
        visualizer: Arc<Program>,
        /// What is drawn.
        case: Arc<CaseFiles>,
        /// What lies in `data/` beside the cases.
        data: Digest,
    },
    /// Of what a submission does on a case, which is run again for it.
    Output {
        /// Who draws; `None`: those pictures that the output validator itself leaves.
        visualizer: Option<Arc<Program>>,
        /// What is run.
        trial: TrialTask,
        /// What lies in `data/` beside the cases.
        data: Digest,
    },
    /// No picture: the output itself, `out`, of a later pass `2.out`.
    Files {
        /// What is run.
        trial: TrialTask,
    },
}

impl DrawTask {
    /// The key of the pictures.
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
