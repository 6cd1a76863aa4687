//! Specimens of folders of hand-ins, each with what must be made of it.

use flate2::{Compression, write::GzEncoder};
use kopek::{
    class::{self, AttemptPolicy, CohortRules, DecidedPackage, Decisions, HandInLayout},
    language::LanguageTable,
    package::{self, HandIn, Lateness, NoSubmission, Package, Participant},
    results::RowReport,
    sentences::{PageLanguage, Said},
};
use serde::Deserialize;
use std::{
    collections::BTreeMap,
    fs,
    io::Write,
    path::{Path, PathBuf},
};

/// A folder of hand-ins, and what must be made of it.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Specimen {
    #[allow(dead_code, reason = "for people")]
    about: String,
    /// The layout that must be found.
    layout: Option<String>,
    /// The layout that the teacher insists on.
    insist: Option<String>,
    /// A part of the error that must come instead of rows.
    error: Option<String>,
    #[serde(default = "one_package")]
    packages: Vec<String>,
    left_out: Option<Vec<String>>,
    #[serde(default)]
    remarks: Vec<String>,
    #[serde(default)]
    entries: Vec<String>,
    #[serde(default)]
    attempts: String,
    decisions: Option<String>,
    /// The argument instead of the folder.
    place: Option<String>,
    files: BTreeMap<String, String>,
    /// Sizes up to which files are filled with empty lines.
    #[serde(default)]
    sizes: BTreeMap<String, usize>,
    #[serde(default)]
    latin1: BTreeMap<String, String>,
    #[serde(default)]
    utf16: BTreeMap<String, String>,
    #[serde(default)]
    links: BTreeMap<String, String>,
    #[serde(default)]
    archives: BTreeMap<String, BTreeMap<String, String>>,
    #[serde(default)]
    row: Vec<WantedRow>,
}

/// The expected facts about a participant; facts that are not listed must be absent.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct WantedRow {
    name: String,
    package: Option<String>,
    entry: Option<String>,
    others: Option<usize>,
    refused: Option<String>,
    undecided: Option<String>,
    absent: Option<String>,
    id: Option<String>,
    email: Option<String>,
    group: Option<String>,
    late: Option<String>,
    attempt: Option<u32>,
    note: Option<String>,
    kept: Option<String>,
    class: Option<String>,
}

fn one_package() -> Vec<String> {
    vec!["sums".into()]
}

fn specimens() -> Vec<PathBuf> {
    let dir = Path::new(env!("CARGO_MANIFEST_DIR")).join("testdata/hand-ins");
    let mut files: Vec<_> = fs::read_dir(dir).unwrap().map(|entry| entry.unwrap().path()).collect();
    files.retain(|path| path.extension().is_some_and(|ending| ending == "toml"));
    files.sort();
    files
}

fn write_file(path: &Path, bytes: &[u8]) {
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    fs::write(path, bytes).unwrap();
}

fn zip_of<'a>(files: impl Iterator<Item = (&'a str, &'a [u8])>) -> Vec<u8> {
    let mut zip = zip::ZipWriter::new(std::io::Cursor::new(Vec::new()));
    for (name, bytes) in files {
        zip.start_file(name, zip::write::SimpleFileOptions::default()).unwrap();
        zip.write_all(bytes).unwrap();
    }
    zip.finish().unwrap().into_inner()
}

fn archive_of(name: &str, files: &BTreeMap<String, String>) -> Vec<u8> {
    match name.ends_with(".zip") {
        true => zip_of(files.iter().map(|(name, text)| (name.as_str(), text.as_bytes()))),
        false => tar_of(files),
    }
}

fn tar_of(files: &BTreeMap<String, String>) -> Vec<u8> {
    let mut tar = tar::Builder::new(GzEncoder::new(Vec::new(), Compression::fast()));
    for (name, text) in files {
        let mut header = tar::Header::new_gnu();
        header.set_size(text.len() as u64);
        header.set_mode(0o644);
        header.set_cksum();
        tar.append_data(&mut header, name, text.as_bytes()).unwrap();
    }
    tar.into_inner().unwrap().finish().unwrap()
}

impl Specimen {
    fn lay_out(&self, class: &Path) {
        for (name, text) in &self.files {
            let mut bytes = text.clone().into_bytes();
            bytes.resize(self.sizes.get(name).copied().unwrap_or(bytes.len()), b'\n');
            write_file(&class.join(name), &bytes);
        }
        for (name, text) in &self.latin1 {
            let bytes: Vec<u8> = text.chars().map(|c| u8::try_from(u32::from(c)).unwrap()).collect();
            write_file(&class.join(name), &bytes);
        }
        for (name, text) in &self.utf16 {
            let units = std::iter::once(0xfeff).chain(text.encode_utf16());
            write_file(&class.join(name), &units.flat_map(u16::to_le_bytes).collect::<Vec<_>>());
        }
        for (name, target) in &self.links {
            fs::create_dir_all(class.join(name).parent().unwrap()).unwrap();
            std::os::unix::fs::symlink(target, class.join(name)).unwrap();
        }
        for (name, files) in &self.archives {
            let (outer, bytes) = match name.split_once('!') {
                Some((outer, inner)) => (outer, zip_of([(inner, &archive_of(inner, files)[..])].into_iter())),
                None => (name.as_str(), archive_of(name, files)),
            };
            write_file(&class.join(outer), &bytes);
        }
    }

    fn participants(&self, home: &Path) -> anyhow::Result<(Vec<(String, Participant)>, class::Cohort)> {
        let class = home.join("class");
        fs::create_dir_all(&class).unwrap();
        self.lay_out(&class);
        let decisions = match &self.decisions {
            None => Decisions::default(),
            Some(text) => {
                fs::write(home.join("decisions.csv"), text).unwrap();
                Decisions::read(&[home.join("decisions.csv")])?
            }
        };
        let attempts = match self.attempts.as_str() {
            "first" => AttemptPolicy::First,
            "best" => AttemptPolicy::Best,
            _ => AttemptPolicy::Latest,
        };
        let table = LanguageTable::embedded();
        let rules = CohortRules { table: &table, preferred: &self.entries, decisions: &decisions, attempts };
        let place = self.place.as_ref().map_or(class.clone(), |name| class.join(name));
        let insist = self.insist.as_deref().map(|name| HandInLayout::parse(name).unwrap());
        let cohort = class::read(&place, insist, &self.packages)?;
        let mut all = Vec::new();
        let mut decided = Vec::new();
        for name in &self.packages {
            let package = package_called(home, name);
            let submission = Err(NoSubmission::Absent(Said::NothingHandedIn));
            let (file, hand_in) = (String::new(), HandIn::default());
            let card =
                RowReport::unjudged(&Participant { name: String::new(), file, hand_in, submission }).card;
            decided.push(DecidedPackage { name: name.clone(), scoring: true, card });
            all.extend(cohort.participants(&package, &rules)?.into_iter().map(|one| (name.clone(), one)));
        }
        let mut classes: Vec<Vec<Participant>> = Vec::new();
        for name in &self.packages {
            classes.push(all.iter().filter(|(own, _)| own == name).map(|(_, one)| one.clone()).collect());
        }
        decisions.decide(&mut classes, &decided)?;
        cohort.check_programs(all.iter().map(|(_, one)| one))?;
        Ok((all, cohort))
    }
}

fn package_called(home: &Path, name: &str) -> Package {
    let dir = home.join("packages").join(name);
    let text = "problem_format_version: 2025-09\nname: Sums\nuuid: u\n";
    write_file(&dir.join("problem.yaml"), text.as_bytes());
    package::read(&dir).unwrap().package.unwrap()
}

#[test]
fn every_specimen_gives_its_participants_entries_and_remarks() {
    let mut failures = Vec::new();
    for file in specimens() {
        let name = file.file_stem().unwrap().to_string_lossy().into_owned();
        let specimen: Specimen = toml::from_str(&fs::read_to_string(&file).unwrap())
            .unwrap_or_else(|error| panic!("{name}: {error}"));
        let home = tempfile::tempdir().unwrap();
        let found = specimen.participants(home.path());
        failures.extend(compare(&specimen, found).into_iter().map(|what| format!("{name}: {what}")));
    }
    assert!(failures.is_empty(), "{}", failures.join("\n"));
    assert!(specimens().len() >= 35, "specimens got lost");
}

fn compare(
    specimen: &Specimen,
    found: anyhow::Result<(Vec<(String, Participant)>, class::Cohort)>,
) -> Vec<String> {
    let (mut all, cohort) = match (found, &specimen.error) {
        (Err(error), Some(part)) if format!("{error:#}").contains(part) => return vec![],
        (Err(error), _) => return vec![format!("error: {error:#}")],
        (Ok(_), Some(part)) => return vec![format!("no error with `{part}`")],
        (Ok(found), None) => found,
    };
    // Rows of one participant stand together in the specimens.
    all.sort_by(|a, b| (&a.1.name, &a.0).cmp(&(&b.1.name, &b.0)));
    let names: Vec<&str> = all.iter().map(|(_, one)| one.name.as_str()).collect();
    let wanted: Vec<&str> = specimen.row.iter().map(|row| row.name.as_str()).collect();
    if names != wanted {
        return vec![format!("participants are {names:?}")];
    }
    let mut failures = Vec::new();
    let summary = cohort.summary();
    let layout = specimen.layout.as_ref().filter(|layout| !summary.contains(&format!("{layout} layout")));
    failures.extend(layout.map(|layout| format!("not {layout}: {summary}")));
    let left_out = specimen.left_out.as_ref().map(|names| format!("left out: {}", names.join(", ")));
    failures.extend(
        left_out.filter(|text| !summary.ends_with(text)).map(|text| format!("no `{text}`: {summary}")),
    );
    let remarks = cohort.remarks();
    for (at, remark) in remarks.iter().enumerate() {
        if !specimen.remarks.get(at).is_some_and(|part| remark.contains(part)) {
            failures.push(format!("remark: {remark}"));
        }
    }
    if remarks.len() < specimen.remarks.len() {
        failures.push(format!("remarks are {remarks:?}"));
    }
    for (row, (package, one)) in specimen.row.iter().zip(&all) {
        failures
            .extend(compare_row(row, package, one).into_iter().map(|what| format!("{}: {what}", one.name)));
    }
    failures
}

fn compare_row(row: &WantedRow, package: &str, one: &Participant) -> Vec<String> {
    let mut failures = Vec::new();
    let hand_in = &one.hand_in;
    let late = hand_in.late.map(|late| match late {
        Lateness::Marked => "marked".to_owned(),
        Lateness::By(time) => time.as_secs().to_string(),
    });
    for (what, got, wanted) in [
        ("package", Some(package.to_owned()).filter(|_| row.package.is_some()), &row.package),
        ("id", hand_in.id.clone(), &row.id),
        ("email", hand_in.email.clone(), &row.email),
        ("group", hand_in.group.clone(), &row.group),
        ("late", late, &row.late),
    ] {
        if got != *wanted {
            failures.push(format!("{what} is {got:?}"));
        }
    }
    if hand_in.attempt != row.attempt {
        failures.push(format!("attempt is {:?}", hand_in.attempt));
    }
    if row.entry.is_some() && (hand_in.entry != row.entry || Some(hand_in.other_files) != row.others) {
        failures.push(format!("entry is {:?} of {} others", hand_in.entry, hand_in.other_files));
    }
    let notes = PageLanguage::English.say_all(&hand_in.notes);
    if row.note.is_none() != notes.is_empty() || !notes.contains(row.note.as_deref().unwrap_or_default()) {
        failures.push(format!("notes are {notes:?}"));
    }
    failures.extend(compare_program(row, one));
    failures
}

fn compare_program(row: &WantedRow, one: &Participant) -> Option<String> {
    let part = match (&one.submission, &row.refused, &row.undecided, &row.absent) {
        (Ok(submission), None, None, None) => {
            let kept: Vec<String> = submission.source.files.iter().map(|f| f.display().to_string()).collect();
            let kept_fits = row.kept.as_ref().is_none_or(|kept_files| *kept_files == kept.join(" "));
            let class_fits = row.class.is_none() || submission.entry == row.class;
            return (!kept_fits || !class_fits)
                .then(|| format!("kept {kept:?}, entry {:?}", submission.entry));
        }
        (Err(NoSubmission::Refused(_)), Some(part), ..)
        | (Err(NoSubmission::Undecided(_)), _, Some(part), _)
        | (Err(NoSubmission::Absent(_)), _, _, Some(part)) => part,
        (other, ..) => return Some(format!("{:?}", other.as_ref().map(|submission| &submission.name))),
    };
    let why = one.submission.as_ref().err()?.to_string();
    (!why.contains(part.as_str())).then_some(why)
}
