//! Hand-ins of a class: the participants, their files, and the program among the files.
//!
//! ```text
//! folder or archive ──layouts──► FoundPerson: name, number, files     litter left out, archives unpacked
//!            ──package_files──► the files for a package
//!            ──entry_choice──► Participant: a program, or why there is none
//! ```
//!
//! One bad hand-in never fails the batch: a participant without a usable program
//! gets a reason, and the teacher decides ambiguous ones. This crate builds and
//! judges nothing. It writes only unpacked archives, into scratch directories.

mod class_folder;
mod decision_rows;
mod decisions;
mod entry_choice;
mod entry_point;
mod example_choice;
mod found_files;
mod found_person;
mod found_source;
mod layouts;
mod litter;
mod name_check;
mod notebook;
mod number_key;
mod package_files;
mod program_contents;
mod shard;
pub mod similar;
mod source_scan;
mod source_text;
mod teams;

pub use class_folder::EarlierFiles;
use decisions::DecisionsByName;
pub use decisions::{DecidedPackage, Decisions};
pub use found_person::{SeveralPeople, near_people, people_called};
pub use layouts::HandInLayout;
pub use name_check::NameCheck;
pub use number_key::NumberKey;
pub use package_files::AttemptPolicy;
pub use shard::{Shard, part_of};
pub use teams::{Team, TeamMember, UnclearTeam};

use anyhow::{Context, Result, bail, ensure};
use class_folder::{class_entries, open_place};
use entry_choice::{ChoiceRules, ProgramChoice, choose_program, every_source};
use example_choice::example_program;
use found_files::{FileFinder, FoundFile};
use found_person::{FoundClass, FoundPerson, LayoutRequest, PersonNames};
use kopek_base::{
    ScratchDir,
    wording::{counted, shortened},
};
use kopek_package::{
    language::{LanguageTable, SourceFiles},
    package::{NoSubmission, Package, Participant, Submission},
};
use kopek_sentences::{Names, Said};
use litter::is_data;
use package_files::{Attempt, counting_attempts, files_for_package, unmatched_files};
use std::{
    collections::{BTreeMap, BTreeSet},
    fs,
    path::{Path, PathBuf},
};

/// The hand-ins of a class, independent of a package.
#[derive(Debug)]
pub struct Cohort {
    layout: HandInLayout,
    class: FoundClass,
    place: PathBuf,
    packages: Vec<String>,
    /// Keeps the unpacked archives until the programs are read.
    _unpacked: (FileFinder, Option<ScratchDir>),
}

pub struct CohortRules<'a> {
    /// Determines which files are sources.
    pub table: &'a LanguageTable,
    /// File names that the teacher prefers.
    pub preferred: &'a [String],
    pub decisions: &'a Decisions,
    /// The attempt that counts if there are several.
    pub attempts: AttemptPolicy,
}

impl<'a> CohortRules<'a> {
    pub fn usual(table: &'a LanguageTable) -> CohortRules<'a> {
        CohortRules { table, preferred: &[], decisions: &NO_DECISIONS, attempts: AttemptPolicy::Latest }
    }
}

static NO_DECISIONS: Decisions = Decisions::none();

/// Reads a folder of hand-ins, or an archive of one. Without a `layout`, detects it. `packages` are the
/// names of all packages to grade.
pub fn read(place: &Path, layout: Option<HandInLayout>, packages: &[String]) -> Result<Cohort> {
    let folder = open_place(place)?;
    let mut left_out = Vec::new();
    let entries = class_entries(&folder.path, &mut left_out)?;
    ensure!(!entries.is_empty(), "read {}: no hand-ins in this folder", place.display());
    let layout = layout.unwrap_or_else(|| HandInLayout::detect(&entries));
    let mut finder = FileFinder::new(packages);
    let request = LayoutRequest { entries: &entries, packages };
    let mut class = layout
        .find_people(request, &mut finder)
        .with_context(|| format!("read {} as {}", place.display(), layout.name()))?;
    class.left_out.extend(left_out);
    ensure!(
        !class.people.is_empty(),
        "read {} as {}: no entry has a name of this layout; without --layout, kopek detects it",
        place.display(),
        layout.name()
    );
    name_namesakes(&mut class);
    // The order of rows must not depend on a disk or an archive.
    class.people.sort_by(|a, b| a.name.cmp(&b.name));
    Ok(Cohort {
        layout,
        class,
        place: place.to_owned(),
        packages: packages.to_vec(),
        _unpacked: (finder, folder.unpacked),
    })
}

/// Reads one hand-in: a file or a directory.
pub fn read_single(path: &Path, package: &Package, rules: &CohortRules) -> Result<Participant> {
    let mut finder = FileFinder::default();
    let person = person_at(path, &mut finder)?;
    let packages = std::slice::from_ref(&package.name);
    let decisions = decisions_of(std::slice::from_ref(&person), rules)?;
    let mut found = participants_of(&person, &ClassRules { package, packages, rules, decisions: &decisions });
    let mut own = found.pop().expect("there is at least one attempt");
    decisions.of_participant(&own.name, &package.name).give_to(&mut own.hand_in, 1);
    Ok(own)
}

/// Reads the files of a program, a file or a directory; refuses links.
pub fn read_files_of(path: &Path) -> Result<SourceFiles, NoSubmission> {
    let files = FileFinder::default().find_files(path)?;
    let root = files.first().map(|file| file.root.to_path_buf());
    let root = root.ok_or(NoSubmission::Refused(Said::NoFiles))?;
    Ok(SourceFiles { root, files: files.into_iter().map(|file| file.below).collect() })
}

/// A program that is no hand-in: all files of this file or directory, named after it.
pub fn read_program(path: &Path) -> Result<Submission> {
    let act = || format!("read {}", path.display());
    fs::symlink_metadata(path).with_context(act)?;
    let source = read_files_of(path).with_context(act)?;
    let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
    Ok(Submission { name, source, contents: None, language: None, entry: None, tags: Vec::new() })
}

/// The program of a hand-in, or of this participant of a class.
pub fn read_solution(
    path: &Path,
    participant: Option<&str>,
    package: &Package,
    rules: &CohortRules,
) -> Result<Participant> {
    let Some(name) = participant else { return read_single(path, package, rules) };
    let class = read(path, None, std::slice::from_ref(&package.name))?;
    class.participant(name, package, rules).context("--only")
}

fn person_at(path: &Path, finder: &mut FileFinder) -> Result<FoundPerson> {
    let act = || format!("read {}", path.display());
    fs::symlink_metadata(path).with_context(act)?;
    // `.` and `..` are folders without their names.
    let named =
        if path.file_name().is_some() { path.to_owned() } else { path.canonicalize().with_context(act)? };
    let request = LayoutRequest { entries: &[named], packages: &[] };
    let mut class = HandInLayout::Plain.find_people(request, finder)?;
    Ok(class.people.pop().expect("a path has an entry"))
}

/// All sources of one hand-in, a file or a directory, without choosing a program.
pub fn read_sources(path: &Path, table: &LanguageTable) -> Result<Participant> {
    let mut finder = FileFinder::default();
    let person = person_at(path, &mut finder)?;
    Ok(sources_of(&person, person.files.clone(), table))
}

impl Cohort {
    /// All sources of each participant and attempt, without choosing a program. A participant without sources has a
    /// reason.
    pub fn all_sources(&self, table: &LanguageTable) -> Vec<Participant> {
        let mut all = Vec::new();
        for person in &self.class.people {
            match person.files.clone() {
                Ok(files) => {
                    let attempts = counting_attempts(files, AttemptPolicy::Best);
                    all.extend(attempts.into_iter().map(|one| sources_of(person, Ok(one.files), table)));
                }
                Err(why) => all.push(sources_of(person, Err(why), table)),
            }
        }
        all
    }

    pub fn summary(&self) -> String {
        let people = counted(self.class.people.len(), "participant");
        let mut line = format!("{}: {} layout, {people}", self.place.display(), self.layout.name());
        if !self.class.left_out.is_empty() {
            line += &format!("; left out: {}", shortened(&self.class.left_out, 5, ", "));
        }
        line
    }

    /// Gives participants the names that a gradebook has for their numbers: file names of a platform may be without
    /// capitals, spaces and accents.
    pub fn rename(&mut self, names: &BTreeMap<String, String>) {
        for person in &mut self.class.people {
            if let Some(name) = person.hand_in.id.as_ref().and_then(|id| names.get(id)) {
                person.name = name.clone();
                person.hand_in.shared_name = None;
            }
        }
        name_namesakes(&mut self.class);
        self.class.people.sort_by(|a, b| a.name.cmp(&b.name));
    }

    pub fn layout(&self) -> HandInLayout {
        self.layout
    }

    /// Remarks for the teacher about the whole folder.
    pub fn remarks(&self) -> Vec<String> {
        let mut remarks = self.class.remarks.clone();
        if self.packages.len() > 1 {
            remarks.extend(self.class.people.iter().filter_map(|person| self.unmatched_remark(person)));
        }
        remarks
    }

    fn unmatched_remark(&self, person: &FoundPerson) -> Option<String> {
        let files = person.files.as_ref().ok()?;
        let is_matched = |name: &String| !files_for_package(files, name, &self.packages).is_empty();
        let matched = self.packages.iter().filter(|name| is_matched(name)).count();
        let mut odd = unmatched_files(files, &self.packages);
        odd.retain(|name| !is_data(name));
        // If every package has a program, these are parts of programs.
        if odd.is_empty() || matched == self.packages.len() {
            return None;
        }
        let odd: Vec<String> = odd.iter().map(|name| name.display().to_string()).collect();
        let remedy = "rename it, or its folder, to the package it is for";
        let shown = shortened(&odd, 5, ", ");
        Some(format!("{}: {shown} belongs to none of the packages; {remedy}", person.name))
    }

    /// The hand-ins of all participants for one package. If all attempts are judged, one for each attempt.
    /// Only the decisions on programs count yet; [`Decisions::decide`] adds the others. Fails if a decision could mean
    /// several participants.
    pub fn participants(&self, package: &Package, rules: &CohortRules) -> Result<Vec<Participant>> {
        let decisions = decisions_of(&self.class.people, rules)?;
        let rules = ClassRules { package, packages: &self.packages, rules, decisions: &decisions };
        Ok(self.class.people.iter().flat_map(|person| participants_of(person, &rules)).collect())
    }

    /// The hand-in of the participant with this name, number or e-mail address, with all decisions on it.
    pub fn participant(&self, name: &str, package: &Package, rules: &CohortRules) -> Result<Participant> {
        let members = vec![self.participants(package, rules)?];
        let called = people_called(&members, name)?;
        let mut own = members.into_iter().flatten().filter(|member| called.contains(&member.name));
        let mut found = own.next_back().with_context(|| {
            format!(
                "{name}: no such participant in {}; give the name or number as `kopek grade` shows it",
                self.place.display()
            )
        })?;
        match own.next_back() {
            Some(other) if other.name != found.name => {
                bail!("{name}: {} and {} handed it in; name one of them", other.name, found.name)
            }
            Some(_) | None => {
                let decided =
                    decisions_of(&self.class.people, rules)?.of_participant(&found.name, &package.name);
                decided.give_to(&mut found.hand_in, self.packages.len());
                Ok(found)
            }
        }
    }

    /// Fails if no participant has a program for any package: then this is the wrong folder.
    pub fn check_programs<'a>(&self, all: impl Iterator<Item = &'a Participant>) -> Result<()> {
        let mut all = all.peekable();
        let is_none = |member: &Participant| {
            matches!(&member.submission, Err(NoSubmission::Refused(_) | NoSubmission::Absent(_)))
                && member.hand_in.entry.is_none()
        };
        if all.peek().is_some() && all.all(is_none) {
            bail!(
                "no programs in {}; is this the folder of hand-ins? (read with the {} layout; --layout \
                    chooses another)",
                self.place.display(),
                self.layout.name()
            );
        }
        Ok(())
    }
}

/// Appends numbers or full file names to equal names of participants. The teacher decides those that are
/// still equal.
fn name_namesakes(class: &mut FoundClass) {
    let namesakes = count_names(class);
    for person in class.people.iter_mut().filter(|person| namesakes[&person.name] > 1) {
        person.hand_in.shared_name = Some(person.name.clone());
        person.name = match &person.hand_in.id {
            Some(id) => format!("{} ({id})", person.name),
            None => person.file.clone(),
        };
    }
    let namesakes = count_names(class);
    let mut taken: BTreeSet<String> = BTreeSet::new();
    for person in class.people.iter_mut().filter(|person| namesakes[&person.name] > 1) {
        let name = person.name.clone();
        let why = format!(
            "two hand-ins have the name `{name}` (maybe with differently encoded letters); rename one of them"
        );
        person.files = Err(NoSubmission::Undecided(why));
        let free =
            |name: &String| !taken.contains(name) && (*name == person.name || !namesakes.contains_key(name));
        let mut names = std::iter::once(name.clone()).chain((2..).map(|n| format!("{name} ({n})")));
        person.name = names.find(free).expect("numbers do not end");
        taken.insert(person.name.clone());
    }
}

fn count_names(class: &FoundClass) -> BTreeMap<String, usize> {
    let mut names = BTreeMap::new();
    for person in &class.people {
        *names.entry(person.name.clone()).or_default() += 1;
    }
    names
}

fn sources_of(
    person: &FoundPerson,
    files: Result<Vec<FoundFile>, NoSubmission>,
    table: &LanguageTable,
) -> Participant {
    let choice = match files {
        Ok(files) => every_source(&person.name, &files, table),
        Err(why) => ProgramChoice::without(why, &[]),
    };
    participant(person, None, choice)
}

/// The rules for a package, and the packages of the class.
struct ClassRules<'a> {
    package: &'a Package,
    packages: &'a [String],
    rules: &'a CohortRules<'a>,
    decisions: &'a DecisionsByName<'a>,
}

fn decisions_of<'a>(people: &[FoundPerson], rules: &CohortRules<'a>) -> Result<DecisionsByName<'a>> {
    rules.decisions.of_people(people.iter().map(PersonNames::of_found))
}

fn participants_of(person: &FoundPerson, class: &ClassRules) -> Vec<Participant> {
    let ClassRules { package, packages, rules, decisions } = *class;
    let decided = decisions.of_participant(&person.name, &package.name);
    let several = packages.len() > 1;
    if rules.preferred.is_empty()
        && decided.entry.is_none()
        && let Some(place) = &person.place
        && let Some(example) = example_program(&person.name, place, package)
    {
        return vec![participant(person, None, example)];
    }
    let files = match &person.files {
        Err(why) => return vec![participant(person, None, ProgramChoice::without(why.clone(), &[]))],
        Ok(files) => files.clone(),
    };
    let attempts = counting_attempts(files, rules.attempts).into_iter().flat_map(|attempt| {
        let files =
            if several { files_for_package(&attempt.files, &package.name, packages) } else { attempt.files };
        // The directory of a package may hold attempts, too.
        let inner = counting_attempts(files, rules.attempts);
        inner.into_iter().map(move |inner| Attempt { number: inner.number.or(attempt.number), ..inner })
    });
    let choice_rules =
        ChoiceRules { package, table: rules.table, preferred: rules.preferred, decided: decided.entry };
    let choose = |attempt: Attempt| {
        let choice = if several && attempt.files.is_empty() {
            nothing_for(person, package, packages)
        } else {
            choose_program(&person.name, &attempt.files, &choice_rules)
        };
        participant(person, attempt.number, choice)
    };
    attempts.map(choose).collect()
}

/// With several packages, each participant has a row in every package.
fn nothing_for(person: &FoundPerson, package: &Package, packages: &[String]) -> ProgramChoice {
    let files: Vec<FoundFile> = person.files.iter().flatten().cloned().collect();
    let odd = unmatched_files(&files, packages);
    let odd: Vec<String> = odd.iter().map(|name| name.display().to_string()).collect();
    let first = packages.iter().find(|name| files_for_package(&files, name, packages).is_empty());
    let mut parts = vec![Said::NothingFor { package: package.name.clone() }];
    // Said once, for the first package without files.
    if !odd.is_empty() && first == Some(&package.name) {
        parts.push(Said::ForNoPackage { files: Names::first(&odd, 5) });
    }
    ProgramChoice::without(NoSubmission::Absent(Said::Several { parts }), &files)
}

fn participant(person: &FoundPerson, attempt: Option<u32>, choice: ProgramChoice) -> Participant {
    let mut hand_in = person.hand_in.clone();
    hand_in.attempt = attempt.or(hand_in.attempt);
    hand_in.entry = choice.entry;
    hand_in.other_files = choice.other_files;
    hand_in.left_out = choice.left_out;
    hand_in.notes.extend(choice.notes);
    Participant {
        name: person.name.clone(),
        file: person.file.clone(),
        hand_in,
        submission: choice.submission,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_folder_is_the_same_hand_in_by_every_path() {
        let home = tempfile::tempdir().unwrap();
        let folder = home.path().join("anna");
        fs::create_dir_all(folder.join("more")).unwrap();
        fs::write(folder.join("main.py"), "print(1)\n").unwrap();
        let table = LanguageTable::embedded();
        for end in ["", ".", "more/.."] {
            let path = folder.join(end);
            let found = read_sources(&path, &table).unwrap();
            assert_eq!((found.name.as_str(), found.file.as_str()), ("anna", "anna"), "{}", path.display());
            assert_eq!(found.submission.unwrap().source.files, [Path::new("main.py")]);
        }
    }
}
