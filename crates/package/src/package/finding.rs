//! A finding: a problem, its place and its remedy. Readers of packages, compilers, `verify` and imports report findings.

use serde::{Serialize, Serializer};
use std::{fmt, path::PathBuf};

#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize)]
pub struct Finding {
    pub level: Level,
    /// `None`: about no file.
    #[serde(rename = "at")]
    pub place: Option<Place>,
    pub what: String,
    pub todo: Option<String>,
}

/// How bad a finding is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Level {
    /// The package cannot be judged as declared.
    Error,
    /// It can be judged, but should be checked.
    Warning,
    Note,
}

/// A place in a file; in JSON the text `file`, `file:line` or `file:line:column`.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Place {
    /// Relative to the package, or as a compiler names it.
    pub file: PathBuf,
    /// From 1.
    pub line: Option<u32>,
    /// From 1; only compilers report it.
    pub column: Option<u32>,
}

impl fmt::Display for Level {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str(match self {
            Level::Error => "error",
            Level::Warning => "warning",
            Level::Note => "note",
        })
    }
}

impl Place {
    pub fn new(file: impl Into<PathBuf>, line: impl Into<Option<u32>>) -> Place {
        Place { file: file.into(), line: line.into(), column: None }
    }
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        write!(f, "{}", self.file.display())?;
        let numbers = self.line.iter().chain(&self.column);
        numbers.into_iter().try_for_each(|number| write!(f, ":{number}"))
    }
}

impl Serialize for Place {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl Finding {
    /// A finding about no file.
    pub fn new(level: Level, what: impl Into<String>) -> Finding {
        Finding { level, place: None, what: what.into(), todo: None }
    }

    pub fn error(file: impl Into<PathBuf>, what: impl Into<String>) -> Finding {
        Finding::new(Level::Error, what).at(Place::new(file, None))
    }

    pub fn warning(file: impl Into<PathBuf>, what: impl Into<String>) -> Finding {
        Finding::new(Level::Warning, what).at(Place::new(file, None))
    }

    #[must_use]
    pub fn at(mut self, place: Place) -> Finding {
        self.place = Some(place);
        self
    }

    /// The same at this line of its file.
    #[must_use]
    pub fn line(mut self, line: impl Into<Option<u32>>) -> Finding {
        if let Some(place) = &mut self.place {
            place.line = line.into();
        }
        self
    }

    #[must_use]
    pub fn todo(mut self, todo: impl Into<String>) -> Finding {
        self.todo = Some(todo.into());
        self
    }

    /// `place: what`.
    pub fn placed_text(&self) -> String {
        match &self.place {
            Some(place) => format!("{place}: {}", self.what),
            None => self.what.clone(),
        }
    }
}

/// The findings by file and line, without duplicates.
pub(super) fn sorted_findings(mut findings: Vec<Finding>) -> Vec<Finding> {
    findings.sort_by(|a, b| (&a.place, a.level, &a.what).cmp(&(&b.place, b.level, &b.what)));
    // Several readers may find the same broken link or file, and each reports it.
    findings.dedup();
    findings
}

impl fmt::Display for Finding {
    /// `error: problem.yaml:12: unknown key …`, the remedy on a line of its own.
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        write!(f, "{}: {}", self.level, self.placed_text())?;
        self.todo.iter().try_for_each(|todo| write!(f, "\nhint: {todo}"))
    }
}
