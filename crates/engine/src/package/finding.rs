//! Findings about a package, with file and line.

use serde::{Deserialize, Serialize};
use std::{fmt, path::PathBuf};

/// A problem that was found in a package.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Finding {
    pub severity: Severity,
    /// The file, relative to the package.
    pub file: PathBuf,
    /// The line, from 1.
    pub line: Option<u32>,
    pub what: String,
    pub hint: Option<String>,
}

/// How bad a finding is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Severity {
    /// The package cannot be judged as declared.
    Error,
    /// It can be judged, but should be checked.
    Warning,
    Note,
}

impl fmt::Display for Severity {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str(match self {
            Severity::Error => "error",
            Severity::Warning => "warning",
            Severity::Note => "note",
        })
    }
}

impl Finding {
    /// An error in a file.
    pub fn error(file: impl Into<PathBuf>, what: impl Into<String>) -> Finding {
        Finding { severity: Severity::Error, file: file.into(), line: None, what: what.into(), hint: None }
    }

    /// A warning about a file.
    pub fn warning(file: impl Into<PathBuf>, what: impl Into<String>) -> Finding {
        Finding { severity: Severity::Warning, ..Finding::error(file, what) }
    }

    /// The same at this line.
    #[must_use]
    pub fn at(mut self, line: u32) -> Finding {
        self.line = Some(line);
        self
    }

    /// `file` or `file:line`.
    pub fn place(&self) -> String {
        let line = self.line.map(|line| format!(":{line}")).unwrap_or_default();
        format!("{}{line}", self.file.display())
    }

    /// The same with this remedy.
    #[must_use]
    pub fn hint(mut self, hint: impl Into<String>) -> Finding {
        self.hint = Some(hint.into());
        self
    }
}

/// The findings by file and line, without duplicates.
pub(super) fn sorted_findings(mut findings: Vec<Finding>) -> Vec<Finding> {
    findings
        .sort_by(|a, b| (&a.file, a.line, a.severity, &a.what).cmp(&(&b.file, b.line, b.severity, &b.what)));
    // Several readers may find the same broken link or file, and each reports it.
    findings.dedup();
    findings
}

impl fmt::Display for Finding {
    /// `error: problem.yaml:12: unknown key …`, the hint on a line of its own.
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        write!(f, "{}: {}: {}", self.severity, self.place(), self.what)?;
        self.hint.iter().try_for_each(|hint| write!(f, "\nhint: {hint}"))
    }
}
