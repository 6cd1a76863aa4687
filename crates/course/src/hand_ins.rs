//! The hand-ins of a report as they were read. They are kept beside the report, because the folder of hand-ins may
//! have others later: a run of single participants then judges the whole class again, whose facts are known.

use anyhow::{Context, Result, bail, ensure};
use kopek_base::{Digest, wording::one_line};
use kopek_class::{AttemptPolicy, HandInLayout};
use kopek_package::{
    language::{SourceFile, SourceFiles},
    package::{HandIn, NoSubmission, Participant, Submission},
};
use kopek_results::Report;
use serde::{Deserialize, Serialize};
use std::{
    collections::{BTreeMap, BTreeSet},
    fs,
    io::ErrorKind,
    path::{Path, PathBuf},
};

/// The name of the file in the folder of a report.
pub const HAND_INS: &str = ".kopek-hand-ins";

/// The hand-ins of a class.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct HandIns {
    /// The version of kopek that kept them.
    kopek: String,
    layout: String,
    attempts: AttemptPolicy,
    /// Whether the report has inputs on which programs fail.
    pub(super) has_counterexamples: bool,
    people: Vec<HandInRecord>,
}

/// What a participant handed in for a package, or one attempt.
#[derive(Debug, Clone, Serialize, Deserialize)]
struct HandInRecord {
    package: String,
    name: String,
    file: String,
    /// When it was judged first.
    date: String,
    /// Without rulings, which later runs make again.
    hand_in: HandIn,
    program: Result<ProgramRecord, NoSubmission>,
}

#[derive(Debug, Clone, Serialize, Deserialize)]
struct ProgramRecord {
    source: SourceFiles,
    /// `None`: they could not be read.
    contents: Option<Vec<FileRecord>>,
    language: Option<String>,
    entry: Option<String>,
}

#[derive(Debug, Clone, Serialize, Deserialize)]
struct FileRecord {
    path: PathBuf,
    contents: FileContents,
    executable: bool,
}

/// Most programs are texts.
#[derive(Debug, Clone, Serialize, Deserialize)]
enum FileContents {
    Text(String),
    Bytes(Vec<u8>),
}

/// The beginning of the file, which all versions can read.
#[derive(Deserialize)]
struct HandInsHead {
    kopek: String,
}

const VERSION: &str = env!("CARGO_PKG_VERSION");
pub(super) const REMEDY: &str = "grade the whole class again, or choose another folder for a part of it";

impl HandIns {
    /// Those in the folder of a report. Fails if there are none.
    pub fn read(out: &Path, layout: HandInLayout, attempts: AttemptPolicy) -> Result<HandIns> {
        let place = out.join(HAND_INS);
        let text = match fs::read_to_string(&place) {
            Err(error) if error.kind() == ErrorKind::NotFound => bail!(
                "--out {}: its report is anonymous or has lost {HAND_INS}, and cannot be completed; {REMEDY}",
                out.display()
            ),
            read => read.with_context(|| format!("read {}", place.display()))?,
        };
        let head: HandInsHead =
            serde_json::from_str(&text).with_context(|| format!("read {}; {REMEDY}", place.display()))?;
        let kept: HandIns = serde_json::from_str(&text).with_context(|| {
            let [out, kopek] = [out.display().to_string(), one_line(&head.kopek)];
            format!("--out {out}: kopek {kopek} wrote its report, this is kopek {VERSION}; {REMEDY}")
        })?;
        ensure!(
            kept.layout == layout.name(),
            "--out {}: its hand-ins were read with the {} layout, these with the {} layout; {REMEDY}",
            out.display(),
            one_line(&kept.layout),
            layout.name()
        );
        ensure!(
            kept.attempts == attempts,
            "--out {}: its hand-ins were read with another --attempts; {REMEDY}",
            out.display()
        );
        Ok(kept)
    }

    /// Of the classes of these packages, as they were read.
    pub fn of(
        packages: &[&str],
        classes: &[Vec<Participant>],
        layout: HandInLayout,
        attempts: AttemptPolicy,
    ) -> HandIns {
        let of_class = |(package, class): (&&str, &Vec<Participant>)| -> Vec<HandInRecord> {
            class.iter().map(|member| HandInRecord::of(package, member)).collect()
        };
        HandIns {
            kopek: VERSION.to_owned(),
            layout: layout.name().to_owned(),
            attempts,
            has_counterexamples: false,
            people: packages.iter().zip(classes).flat_map(of_class).collect(),
        }
    }

    /// As the folder of a report keeps them, with the dates of its rows. `None`: JSON cannot hold one of the paths, so
    /// that no run can complete the report.
    pub fn to_text(&self, report: &Report) -> Option<String> {
        let has_counterexamples = !report.counterexamples.is_empty();
        let mut kept = HandIns { has_counterexamples, ..self.clone() };
        let rows = || report.packages.iter().flat_map(|package| &package.rows);
        let names: BTreeSet<&str> = rows().map(|row| row.card.name.as_str()).collect();
        kept.people.retain(|one| names.contains(one.name.as_str()));
        for one in &mut kept.people {
            one.date.clone_from(report.dates.get(&one.name).unwrap_or(&report.date));
        }
        serde_json::to_string(&kept).ok()
    }

    /// Puts them into the classes of these packages, in the place of what is read of them now, but for those of the
    /// participants who are graded `again`. Returns the others' names, with the dates of their results.
    pub fn join(
        &self,
        packages: &[&str],
        classes: &mut [Vec<Participant>],
        again: &BTreeSet<String>,
    ) -> Result<BTreeMap<String, String>> {
        let mut dates = BTreeMap::new();
        for (package, class) in packages.iter().zip(classes) {
            let ids: BTreeSet<&String> = class
                .iter()
                .filter(|one| again.contains(&one.name))
                .filter_map(|one| one.hand_in.id.as_ref())
                .collect();
            // A gradebook may spell the names in another way now.
            let is_again = |one: &HandInRecord| {
                again.contains(&one.name) || one.hand_in.id.as_ref().is_some_and(|id| ids.contains(id))
            };
            let of_package: Vec<&HandInRecord> =
                self.people.iter().filter(|one| one.package == *package).collect();
            ensure!(!of_package.is_empty(), "its report has no hand-ins for {}; {REMEDY}", one_line(package));
            let others: Vec<&HandInRecord> = of_package.into_iter().filter(|one| !is_again(one)).collect();
            dates.extend(others.iter().map(|one| (one.name.clone(), one.date.clone())));
            class.retain(|one| !dates.contains_key(&one.name));
            class.extend(others.into_iter().map(HandInRecord::participant));
            // Stable: attempts stay in their order.
            class.sort_by(|a, b| a.name.cmp(&b.name));
        }
        Ok(dates)
    }
}

impl HandInRecord {
    fn of(package: &str, member: &Participant) -> HandInRecord {
        HandInRecord {
            package: package.to_owned(),
            name: member.name.clone(),
            file: member.file.clone(),
            date: String::new(),
            hand_in: member.hand_in.clone(),
            program: member.submission.as_ref().map(ProgramRecord::of).map_err(NoSubmission::clone),
        }
    }

    fn participant(&self) -> Participant {
        Participant {
            name: self.name.clone(),
            file: self.file.clone(),
            hand_in: self.hand_in.clone(),
            submission: self
                .program
                .as_ref()
                .map(|program| program.submission(&self.name))
                .map_err(NoSubmission::clone),
        }
    }
}

impl ProgramRecord {
    fn of(submission: &Submission) -> ProgramRecord {
        let Submission { source, contents, language, entry, .. } = submission;
        let kept = |(path, file): (&PathBuf, &SourceFile)| FileRecord {
            path: path.clone(),
            contents: match std::str::from_utf8(&file.bytes) {
                Ok(text) => FileContents::Text(text.to_owned()),
                Err(_) => FileContents::Bytes(file.bytes.to_vec()),
            },
            executable: file.executable,
        };
        ProgramRecord {
            source: source.clone(),
            contents: contents.as_ref().map(|files| files.iter().map(kept).collect()),
            language: language.clone(),
            entry: entry.clone(),
        }
    }

    fn submission(&self, name: &str) -> Submission {
        let read = |file: &FileRecord| {
            let bytes = match &file.contents {
                FileContents::Text(text) => text.as_bytes().to_vec(),
                FileContents::Bytes(bytes) => bytes.clone(),
            };
            let digest = Digest::of(&bytes);
            (file.path.clone(), SourceFile { bytes: bytes.into(), digest, executable: file.executable })
        };
        Submission {
            name: name.to_owned(),
            source: self.source.clone(),
            contents: self.contents.as_ref().map(|files| files.iter().map(read).collect()),
            language: self.language.clone(),
            entry: self.entry.clone(),
            tags: Vec::new(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use kopek_package::language::FileBytes;

    fn member(name: &str, id: &str, program: &[u8]) -> Participant {
        let file = SourceFile { bytes: program.into(), digest: Digest::of(program), executable: false };
        let source = SourceFiles { root: "class".into(), files: vec!["a.py".into()] };
        let contents = Some(FileBytes::from([(PathBuf::from("a.py"), file)]));
        let submission =
            Submission { name: name.into(), source, contents, language: None, entry: None, tags: Vec::new() };
        let hand_in = HandIn { id: Some(id.into()), ..HandIn::default() };
        Participant { name: name.into(), file: name.into(), hand_in, submission: Ok(submission) }
    }

    fn kept(members: Vec<Participant>) -> HandIns {
        let kept = HandIns::of(&["sums"], &[members], HandInLayout::Moodle, AttemptPolicy::Latest);
        serde_json::from_str(&serde_json::to_string(&kept).unwrap()).unwrap()
    }

    #[test]
    fn hand_ins_are_read_as_they_were_whatever_their_bytes() {
        let mut absent = member("cy", "19", b"");
        absent.submission = Err(NoSubmission::Absent("nothing".into()));
        let members = [member("ada", "17", b"print(1)\n"), member("bob", "18", b"\xff\0\r\n"), absent];
        let mut now = vec![Vec::new()];
        let dates = kept(members.to_vec()).join(&["sums"], &mut now, &BTreeSet::new()).unwrap();
        assert_eq!(format!("{:?}", now[0]), format!("{members:?}"));
        assert_eq!(dates.keys().collect::<Vec<_>>(), ["ada", "bob", "cy"]);
    }

    #[test]
    fn a_participant_who_is_graded_again_has_the_program_of_now() {
        let then =
            kept(vec![member("Ada L", "17", b"1"), member("bob", "18", b"1"), member("cy", "19", b"1")]);
        // The gradebook calls Ada in another way now, Bob handed in again, Cy is missing, and Dora is new.
        let mut now =
            vec![vec![member("Ada", "17", b"2"), member("bob", "18", b"2"), member("dora", "20", b"2")]];
        let again = BTreeSet::from(["Ada".to_owned()]);
        then.join(&["sums"], &mut now, &again).unwrap();
        let programs: Vec<(String, u8)> = now[0]
            .iter()
            .map(|one| {
                let contents = one.submission.as_ref().unwrap().contents.as_ref().unwrap();
                (one.name.clone(), contents.values().next().unwrap().bytes[0])
            })
            .collect();
        let wanted = [("Ada", b'2'), ("bob", b'1'), ("cy", b'1'), ("dora", b'2')];
        assert_eq!(programs, wanted.map(|(name, byte)| (name.to_owned(), byte)));
        let error = then.join(&["nim"], &mut now, &again).unwrap_err().to_string();
        assert!(error.contains("no hand-ins for nim; grade the whole class again"), "{error}");
    }
}
