//! A message: everything that is said besides results, about packages, programs, hand-ins and this machine.
//!
//! Each message has an audience. The default is the teacher, because texts quote what programs read.

use serde::{Serialize, Serializer};
use std::{fmt, path::PathBuf};

#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize)]
pub struct Message {
    pub level: Level,
    #[serde(rename = "at")]
    pub about: Subject,
    #[serde(skip)]
    pub audience: Audience,
    pub what: String,
    pub todo: Option<String>,
}

/// How bad it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Level {
    /// The package cannot be judged as declared.
    Error,
    /// It can be judged, but should be checked.
    Warning,
    Note,
}

/// What a message is about.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub enum Subject {
    /// The command as a whole, or this machine.
    Whole,
    /// A place in a file.
    Place(Place),
    /// A package, by its name or its directory.
    Package(String),
    /// What validators do. They may quote a hidden case.
    Validators,
    /// A result that is not known.
    Open,
    /// A case that a person decided.
    Decision,
    /// Points that a person gave, or that a rule takes off.
    Points,
}

/// Who may read a message, or a report.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Audience {
    /// The teacher or setter, who may see everything.
    Teacher,
    /// Participants, too. They see the contents of those cases only that give full feedback.
    Everyone,
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

impl Message {
    /// A message for the teacher about no file.
    pub fn new(level: Level, what: impl Into<String>) -> Message {
        let (about, audience) = (Subject::Whole, Audience::Teacher);
        Message { level, about, audience, what: what.into(), todo: None }
    }

    pub fn error(file: impl Into<PathBuf>, what: impl Into<String>) -> Message {
        Message::new(Level::Error, what).at(Place::new(file, None))
    }

    pub fn warning(file: impl Into<PathBuf>, what: impl Into<String>) -> Message {
        Message::new(Level::Warning, what).at(Place::new(file, None))
    }

    /// A warning about a package, which is named as the user knows it.
    pub fn package_warning(package: impl ToString, what: impl Into<String>) -> Message {
        Message::new(Level::Warning, what).about(Subject::Package(package.to_string()))
    }

    #[must_use]
    pub fn at(self, place: Place) -> Message {
        self.about(Subject::Place(place))
    }

    #[must_use]
    pub fn about(self, about: Subject) -> Message {
        Message { about, ..self }
    }

    /// The same at this line of its file.
    #[must_use]
    pub fn line(mut self, line: impl Into<Option<u32>>) -> Message {
        if let Subject::Place(place) = &mut self.about {
            place.line = line.into();
        }
        self
    }

    #[must_use]
    pub fn todo(self, todo: impl Into<String>) -> Message {
        Message { todo: Some(todo.into()), ..self }
    }

    /// The same for participants, too: it must quote no hidden case.
    #[must_use]
    pub fn for_everyone(self) -> Message {
        Message { audience: Audience::Everyone, ..self }
    }

    /// The message for participants, or its replacement; `None`: they read nothing.
    pub fn public(&self) -> Option<Message> {
        match (self.audience, &self.about) {
            (Audience::Everyone, _) => Some(self.clone()),
            (Audience::Teacher, Subject::Validators) => {
                let what = "a validator failed; the teacher knows the details";
                Some(Message { what: what.to_owned(), ..self.clone() }.for_everyone())
            }
            (Audience::Teacher, _) => None,
        }
    }

    pub fn is_for(&self, reader: Audience) -> bool {
        self.audience >= reader
    }

    pub fn place(&self) -> Option<&Place> {
        if let Subject::Place(place) = &self.about { Some(place) } else { None }
    }

    /// `place: what`.
    pub fn placed_text(&self) -> String {
        match self.about.name() {
            Some(name) => format!("{name}: {}", self.what),
            None => self.what.clone(),
        }
    }
}

impl Subject {
    fn name(&self) -> Option<String> {
        match self {
            Subject::Place(place) => Some(place.to_string()),
            Subject::Package(name) => Some(name.clone()),
            Subject::Whole | Subject::Validators | Subject::Open | Subject::Decision | Subject::Points => {
                None
            }
        }
    }
}

impl Place {
    pub fn new(file: impl Into<PathBuf>, line: impl Into<Option<u32>>) -> Place {
        Place { file: file.into(), line: line.into(), column: None }
    }
}

impl fmt::Display for Message {
    /// `error: problem.yaml:12: unknown key …`, the remedy on a line of its own.
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        write!(f, "{}: {}", self.level, self.placed_text())?;
        self.todo.iter().try_for_each(|todo| write!(f, "\nhint: {todo}"))
    }
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

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        write!(f, "{}", self.file.display())?;
        let numbers = self.line.iter().chain(&self.column);
        numbers.into_iter().try_for_each(|number| write!(f, ":{number}"))
    }
}

impl Serialize for Subject {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.name().serialize(serializer)
    }
}

impl Serialize for Place {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}
