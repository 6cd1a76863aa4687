//! Rows of a report as a saved report has them, without loss.
//!
//! The same types serialise as `report.json`, which leaves out what only pages show, so they have a second form here.

use super::{
    by_hand::{HandChange, RowByHand},
    case_report::CaseReport,
    late_steps::LateSteps,
    row_report::{Deduction, RowReport},
};
use kopek_base::Digest;
use kopek_package::{
    language::{FileBytes, SourceFile},
    package::{CaseDecision, HandIn},
    points::Points,
    verdict::Verdict,
};
use kopek_plan::{
    plan::Trial,
    score::{GroupScore, Scorecard, State},
};
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use std::{path::PathBuf, time::Duration};

/// A type with a form for saved reports besides that of `report.json`.
pub(super) trait Saved: Sized {
    fn save<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error>;
    fn load<'de, D: Deserializer<'de>>(from: D) -> Result<Self, D::Error>;
}

/// For `#[serde(with = …)]`: a list in this form.
pub(super) mod each {
    use super::{Deserialize, Deserializer, Saved, Serialize, Serializer};

    struct One<T>(T);

    impl<T: Saved> Serialize for One<&T> {
        fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
            self.0.save(to)
        }
    }

    impl<'de, T: Saved> Deserialize<'de> for One<T> {
        fn deserialize<D: Deserializer<'de>>(from: D) -> Result<One<T>, D::Error> {
            T::load(from).map(One)
        }
    }

    pub fn serialize<T: Saved, S: Serializer>(all: &[T], to: S) -> Result<S::Ok, S::Error> {
        to.collect_seq(all.iter().map(One))
    }

    pub fn deserialize<'de, T: Saved, D: Deserializer<'de>>(from: D) -> Result<Vec<T>, D::Error> {
        Ok(Vec::<One<T>>::deserialize(from)?.into_iter().map(|one| one.0).collect())
    }
}

/// For `#[serde(with = …)]`: one in this form, or none.
mod maybe {
    use super::{Deserializer, Saved, Serializer, each};

    pub(super) fn serialize<T: Saved, S: Serializer>(one: &Option<T>, to: S) -> Result<S::Ok, S::Error> {
        each::serialize(one.as_slice(), to)
    }

    pub(super) fn deserialize<'de, T: Saved, D: Deserializer<'de>>(from: D) -> Result<Option<T>, D::Error> {
        Ok(each::deserialize(from)?.pop())
    }
}

macro_rules! saved_as {
    ($($own:ty => $form:ident),* $(,)?) => {$(
        impl Saved for $own {
            fn save<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
                $form::serialize(self, to)
            }

            fn load<'de, D: Deserializer<'de>>(from: D) -> Result<$own, D::Error> {
                $form::deserialize(from)
            }
        }
    )*};
}

saved_as! {
    RowReport => SavedRow,
    CaseReport => SavedCase,
    GroupScore => SavedGroup,
    RowByHand => SavedByHand,
    HandChange => SavedHandChange,
    LateSteps => SavedLateSteps,
    Deduction => SavedDeduction,
}

#[derive(Serialize, Deserialize)]
#[serde(remote = "RowReport")]
struct SavedRow {
    #[serde(with = "SavedCard")]
    card: Scorecard,
    program: Option<String>,
    file: String,
    #[serde(with = "source_text")]
    source: FileBytes,
    hand_in: HandIn,
    #[serde(with = "maybe")]
    by_hand: Option<RowByHand>,
    #[serde(with = "maybe")]
    late_steps: Option<LateSteps>,
    #[serde(with = "maybe")]
    deduction: Option<Deduction>,
    language: Option<String>,
    notes: Vec<String>,
    same_as: Option<String>,
    compile_message: String,
    #[serde(with = "each")]
    cases: Vec<CaseReport>,
}

#[derive(Serialize, Deserialize)]
#[serde(remote = "Scorecard")]
struct SavedCard {
    name: String,
    points: Option<Points>,
    max: Option<Points>,
    #[serde(with = "SavedState")]
    state: State,
    #[serde(with = "each")]
    groups: Vec<GroupScore>,
    slowest: Option<(String, Duration)>,
    judge_errors: Vec<String>,
}

#[derive(Serialize, Deserialize)]
#[serde(remote = "GroupScore")]
struct SavedGroup {
    name: String,
    points: Option<Points>,
    max: Option<Points>,
    #[serde(with = "SavedState")]
    state: State,
    culprit: Option<String>,
    slowest: Option<(String, Duration)>,
}

#[derive(Serialize, Deserialize)]
#[serde(remote = "State")]
enum SavedState {
    Decided(Verdict),
    Requires(String),
    Unknown(usize),
}

#[derive(Serialize, Deserialize)]
#[serde(remote = "CaseReport")]
struct SavedCase {
    name: String,
    group: String,
    trial: Option<Trial>,
    decided: Option<CaseDecision>,
    full_feedback: bool,
    hint: Option<String>,
    args: Vec<String>,
    files: Vec<String>,
    input: Option<String>,
    input_path: Option<PathBuf>,
    answer: Option<String>,
}

#[derive(Serialize, Deserialize)]
#[serde(remote = "RowByHand")]
struct SavedByHand {
    automatic_points: Option<Points>,
    #[serde(with = "each")]
    changes: Vec<HandChange>,
}

#[derive(Serialize, Deserialize)]
#[serde(remote = "HandChange")]
struct SavedHandChange {
    group: Option<String>,
    before: Option<Points>,
    after: Option<Points>,
    comment: Option<String>,
    by: String,
}

#[derive(Serialize, Deserialize)]
#[serde(remote = "LateSteps")]
struct SavedLateSteps {
    extension: Duration,
    grace: Duration,
    budget: Duration,
    counted: Duration,
}

#[derive(Serialize, Deserialize)]
#[serde(remote = "Deduction")]
struct SavedDeduction {
    points: Points,
    reason: String,
}

/// Programs as texts, which most are.
mod source_text {
    use super::{Deserialize, Deserializer, Digest, FileBytes, Serialize, Serializer, SourceFile};
    use std::path::PathBuf;

    #[derive(Serialize, Deserialize)]
    struct SavedFile {
        path: PathBuf,
        contents: Contents,
        executable: bool,
    }

    #[derive(Serialize, Deserialize)]
    enum Contents {
        Text(String),
        Bytes(Vec<u8>),
    }

    pub(super) fn serialize<S: Serializer>(files: &FileBytes, to: S) -> Result<S::Ok, S::Error> {
        let saved = |(path, file): (&PathBuf, &SourceFile)| SavedFile {
            path: path.clone(),
            contents: match std::str::from_utf8(&file.bytes) {
                Ok(text) => Contents::Text(text.to_owned()),
                Err(_) => Contents::Bytes(file.bytes.to_vec()),
            },
            executable: file.executable,
        };
        to.collect_seq(files.iter().map(saved))
    }

    pub(super) fn deserialize<'de, D: Deserializer<'de>>(from: D) -> Result<FileBytes, D::Error> {
        let read = Vec::<SavedFile>::deserialize(from)?.into_iter().map(|file| {
            let bytes = match file.contents {
                Contents::Text(text) => text.into_bytes(),
                Contents::Bytes(bytes) => bytes,
            };
            let digest = Digest::of(&bytes);
            (file.path, SourceFile { bytes: bytes.into(), digest, executable: file.executable })
        });
        Ok(read.collect())
    }
}
