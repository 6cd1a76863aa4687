//! Cases without a verdict, the reasons, and the ways to close them.

use kopek_base::wording::shortened;
use kopek_package::language::MissingToolchain;
use kopek_plan::timing::TimesOfRuns;
use kopek_sandbox::Fault;
use serde::{Deserialize, Serialize, Serializer};
use std::fmt;

/// Something that was not judged, through no fault of the participant.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct OpenCase {
    /// The package's short name; may be empty.
    pub package: String,
    /// A job or a participant; may be empty.
    pub what: String,
    /// Why it was not judged.
    pub why: OpenReason,
}

/// Why something was not judged.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub enum OpenReason {
    /// The language of a submission cannot be used on this machine.
    Toolchain(MissingToolchain),
    /// A person must settle it, as the text says.
    Settle(String),
    /// A job failed; another run may succeed.
    Fault(String),
}

impl fmt::Display for OpenReason {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        match self {
            OpenReason::Toolchain(missing) => write!(f, "needs {}", missing.how_to_install()),
            OpenReason::Settle(why) | OpenReason::Fault(why) => f.write_str(why),
        }
    }
}

impl fmt::Display for OpenCase {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        let places = [&self.package, &self.what].into_iter().filter(|place| !place.is_empty());
        places.into_iter().try_for_each(|place| write!(f, "{place}: "))?;
        self.why.fmt(f)
    }
}

/// A case that no run decided.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct UndecidedCase {
    /// The package's short name; may be empty.
    #[serde(skip)]
    pub package: String,
    /// All participants who handed in the program.
    pub participants: Vec<String>,
    pub case: String,
    #[serde(rename = "found", serialize_with = "serialize_text")]
    pub evidence: Evidence,
}

/// The measurements of an undecided case.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Evidence {
    /// Times above the limit, on a machine that may have been too busy.
    Times(TimesOfRuns),
    /// One measurement that was not exact enough, as the sandbox says.
    Doubt(Fault),
}

/// A way to close an undecided case.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum WayToClose<'a> {
    /// Run the same command again.
    RunAgain,
    /// Give the participant a time factor.
    MoreTime,
    /// Decide all open cases of a program in the table of decisions.
    Decide { participant: &'a str, package: &'a str },
}

impl UndecidedCase {
    /// Some names of the participants who handed in the program.
    pub fn owners(&self) -> String {
        shortened(&self.participants, 3, ", ")
    }

    pub fn ways_to_close(&self) -> [WayToClose<'_>; 3] {
        let UndecidedCase { package, participants, .. } = self;
        let participant = participants.first().map(String::as_str).unwrap_or_default();
        [WayToClose::RunAgain, WayToClose::MoreTime, WayToClose::Decide { participant, package }]
    }

    /// Cases of one program together, in the order of their first cases.
    pub fn by_program(all: &[UndecidedCase]) -> Vec<Vec<&UndecidedCase>> {
        let mut programs: Vec<Vec<&UndecidedCase>> = Vec::new();
        for case in all {
            let is_same = |same: &&mut Vec<&UndecidedCase>| {
                same[0].package == case.package && same[0].participants == case.participants
            };
            match programs.iter_mut().find(is_same) {
                Some(same) => same.push(case),
                None => programs.push(vec![case]),
            }
        }
        programs
    }

    /// `secret/2/03`, or `4 cases, such as secret/2/03` for several cases of a program, and the evidence of the one that
    /// was measured most.
    pub fn summary(same: &[&UndecidedCase]) -> String {
        let runs = |case: &UndecidedCase| match &case.evidence {
            Evidence::Times(times) => times.runs,
            Evidence::Doubt(_) => 0,
        };
        let most = same.iter().rev().max_by_key(|case| runs(case)).expect("a program has an open case");
        let which = match same.len() {
            1 => most.case.clone(),
            several => format!("{several} cases, such as {}", most.case),
        };
        format!("{} on {which}: undecided: {}", most.owners(), most.evidence)
    }
}

impl fmt::Display for Evidence {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        match self {
            Evidence::Times(times) => times.fmt(f),
            Evidence::Doubt(fault) => f.write_str(&fault.what),
        }
    }
}

impl fmt::Display for UndecidedCase {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        if !self.package.is_empty() {
            write!(f, "{}: ", self.package)?;
        }
        write!(f, "{} on {}: undecided: {}", self.owners(), self.case, self.evidence)
    }
}

fn serialize_text<S: Serializer>(evidence: &Evidence, to: S) -> Result<S::Ok, S::Error> {
    to.collect_str(evidence)
}
