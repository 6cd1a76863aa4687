//! Verdicts. A verdict is only about the submission; our own failures are a [`kopek_sandbox::Fault`].

use kopek_sandbox::{Exit, Limit};
use kopek_sentences::Said;
use serde::{Deserialize, Deserializer, Serialize, Serializer, de};
use std::fmt;

/// The verdict of a trial, a group or a submission.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Verdict {
    /// The output was right, within all limits.
    Accepted,
    /// The output was wrong.
    WrongAnswer,
    /// Too much CPU time.
    TimeLimit,
    /// Too much wall time without using the CPU: asleep, or waiting for input.
    IdleLimit,
    /// More memory than allowed.
    MemoryLimit,
    /// More output, or more written files, than allowed.
    OutputLimit,
    /// A crash: a signal, or an exit code other than 0.
    RunTimeError,
    /// It could not be built.
    CompileError,
    /// There was nothing to build: no file, an empty one, or none in a known language.
    NoProgram,
}

/// The four verdicts that the package format defines for a test case.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub enum Class {
    #[serde(rename = "AC")]
    Ac,
    #[serde(rename = "WA")]
    Wa,
    /// Time limit exceeded, by CPU or by idling.
    #[serde(rename = "TLE")]
    Tle,
    /// Any other mistake of the program.
    #[serde(rename = "RTE")]
    Rte,
}

impl Verdict {
    pub(crate) const ALL: [Verdict; 9] = [
        Verdict::Accepted,
        Verdict::WrongAnswer,
        Verdict::TimeLimit,
        Verdict::IdleLimit,
        Verdict::MemoryLimit,
        Verdict::OutputLimit,
        Verdict::RunTimeError,
        Verdict::CompileError,
        Verdict::NoProgram,
    ];

    /// The verdict that the exit implies; `None` for a normal exit, where the output decides.
    pub fn of_exit(exit: &Exit) -> Option<Verdict> {
        match exit {
            Exit::Code(0) => None,
            Exit::Code(_) | Exit::Signal(_) => Some(Verdict::RunTimeError),
            Exit::Exceeded(Limit::Cpu) => Some(Verdict::TimeLimit),
            Exit::Exceeded(Limit::Wall) => Some(Verdict::IdleLimit),
            Exit::Exceeded(Limit::Memory) => Some(Verdict::MemoryLimit),
            Exit::Exceeded(Limit::Output | Limit::Files) => Some(Verdict::OutputLimit),
            // The format has no limit on processes, and so no class for it.
            Exit::Exceeded(Limit::Processes) => Some(Verdict::RunTimeError),
        }
    }

    /// The format's class of the verdict; `None` for those that a test case cannot have.
    pub fn class(self) -> Option<Class> {
        match self {
            Verdict::Accepted => Some(Class::Ac),
            Verdict::WrongAnswer => Some(Class::Wa),
            Verdict::TimeLimit | Verdict::IdleLimit => Some(Class::Tle),
            // The format says only that these are rejected; other tools treat too much memory as a run-time
            // error.
            Verdict::MemoryLimit | Verdict::OutputLimit | Verdict::RunTimeError => Some(Class::Rte),
            Verdict::CompileError | Verdict::NoProgram => None,
        }
    }

    /// The verdict of a case by its name or letters, as in reports: `time limit`, `TLE`.
    pub fn of_case(text: &str) -> Option<Verdict> {
        let is_called = |verdict: &Verdict| {
            [verdict.to_string().as_str(), verdict.short()].iter().any(|name| name.eq_ignore_ascii_case(text))
        };
        Verdict::ALL.into_iter().filter(|verdict| verdict.class().is_some()).find(is_called)
    }

    /// The verdict with these letters; see [`Verdict::short`].
    pub fn of_short(text: &str) -> Option<Verdict> {
        Verdict::ALL.into_iter().find(|verdict| verdict.short() == text)
    }

    /// Two or three letters for a narrow table.
    pub fn short(self) -> &'static str {
        match self {
            Verdict::Accepted => "AC",
            Verdict::WrongAnswer => "WA",
            Verdict::TimeLimit => "TLE",
            Verdict::IdleLimit => "ILE",
            Verdict::MemoryLimit => "MLE",
            Verdict::OutputLimit => "OLE",
            Verdict::RunTimeError => "RTE",
            Verdict::CompileError => "CE",
            Verdict::NoProgram => "NP",
        }
    }
}

/// For `#[serde(with = …)]`: a verdict by its letters.
pub mod short_verdict {
    use super::*;

    pub fn serialize<S: Serializer>(verdict: &Verdict, to: S) -> Result<S::Ok, S::Error> {
        to.serialize_str(verdict.short())
    }

    pub fn deserialize<'de, D: Deserializer<'de>>(from: D) -> Result<Verdict, D::Error> {
        let text = String::deserialize(from)?;
        Verdict::of_short(&text).ok_or_else(|| de::Error::custom(format!("`{text}` is not a verdict")))
    }
}

impl Class {
    /// The format's letters for it.
    pub fn short(self) -> &'static str {
        match self {
            Class::Ac => "AC",
            Class::Wa => "WA",
            Class::Tle => "TLE",
            Class::Rte => "RTE",
        }
    }
}

impl fmt::Display for Verdict {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        Said::from(*self).fmt(f)
    }
}

impl From<Verdict> for Said {
    fn from(verdict: Verdict) -> Said {
        match verdict {
            Verdict::Accepted => Said::Accepted,
            Verdict::WrongAnswer => Said::WrongAnswer,
            Verdict::TimeLimit => Said::TimeLimit,
            Verdict::IdleLimit => Said::IdleLimit,
            Verdict::MemoryLimit => Said::MemoryLimit,
            Verdict::OutputLimit => Said::OutputLimit,
            Verdict::RunTimeError => Said::RunTimeError,
            Verdict::CompileError => Said::CompileError,
            Verdict::NoProgram => Said::NoProgram,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_a_clean_exit_lets_the_output_decide() {
        assert_eq!(Verdict::of_exit(&Exit::Code(0)), None);
        assert_eq!(Verdict::of_exit(&Exit::Code(1)), Some(Verdict::RunTimeError));
        assert_eq!(Verdict::of_exit(&Exit::Signal(9)), Some(Verdict::RunTimeError));
        assert_eq!(Verdict::of_exit(&Exit::Exceeded(Limit::Wall)), Some(Verdict::IdleLimit));
    }

    #[test]
    fn a_case_has_the_verdicts_that_a_run_can_end_in() {
        for (text, verdict) in [
            ("accepted", Verdict::Accepted),
            ("AC", Verdict::Accepted),
            ("Time limit", Verdict::TimeLimit),
            ("tle", Verdict::TimeLimit),
            ("run-time error", Verdict::RunTimeError),
            ("ILE", Verdict::IdleLimit),
        ] {
            assert_eq!(Verdict::of_case(text), Some(verdict), "{text}");
        }
        for other in ["", "right", "CE", "compile error", "no program", "skipped", "?"] {
            assert_eq!(Verdict::of_case(other), None, "{other}");
        }
    }
}
