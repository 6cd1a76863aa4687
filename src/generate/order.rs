//! What is to be done for each case, and the key of everything that can change it.
//!
//! Reads the disk (sources, copied files), runs nothing.

use super::{
    command::Command,
    groups::{Arguments, Groups},
    place::Digests,
    programs::Wanted,
    recipe::{FILE, Make, PICTURES, Recipe, Solution, TEXTS},
};
use crate::{
    base::{Digest, Fields},
    exec::{Role, Workshop},
    language::Source,
    package::{Finding, Judge, Package, Program},
};
use std::{
    collections::BTreeMap,
    path::{Path, PathBuf},
};

/// A case to be made, with all that this takes.
#[derive(Debug)]
pub struct Order {
    /// Which of [`Recipe::makes`].
    pub make: usize,
    /// Where it will stand: its own place first, then where it is included.
    pub places: Vec<Place>,
    /// Which of [`Orders::programs`] writes it.
    pub generator: Option<usize>,
    /// Which of [`Orders::programs`] answers it.
    pub solution: Option<usize>,
    /// What it copies: extension to file.
    pub copies: BTreeMap<String, PathBuf>,
    /// Everything that can change it.
    pub key: Digest,
}

/// Where a case stands.
#[derive(Debug)]
pub struct Place {
    /// Below `data/`, without extension.
    pub path: String,
    /// The line that puts it there.
    pub line: u32,
    /// What its directories say.
    pub inherited: Arguments,
}

/// All that is to be done.
#[derive(Debug, Default)]
pub struct Orders {
    /// Cases, in order of the recipe.
    pub orders: Vec<Order>,
    /// All programs that are needed, each once.
    pub programs: Vec<Wanted>,
    /// Which of them are input validators, by name.
    pub input_validators: Vec<(String, usize)>,
    /// Which of them are output validators.
    pub output_validators: Vec<usize>,
}

/// Rises when the same recipe comes to mean other files.
const MEANING: &[u8] = b"1";

/// Finds out what is to be done. What cannot be done is a finding and no order.
pub fn take(package: &Package, recipe: &Recipe, workshop: &Workshop, findings: &mut Vec<Finding>) -> Orders {
    let mut taker =
        Taker { package, recipe, orders: Orders::default(), identities: Vec::new(), unsaid: None };
    taker.validators(workshop);
    let groups = Groups::read(recipe, package);
    for (index, make) in recipe.makes.iter().enumerate() {
        match taker.order(index, make, &groups, workshop) {
            Ok(order) => taker.orders.orders.push(order),
            Err(what) => findings.push(Finding::error(FILE, format!("{}: {what}", make.path)).at(make.line)),
        }
    }
    if let Some(solution) = &taker.unsaid {
        let what = format!("no `solution` is named; answers are made by {solution}");
        findings.push(Finding::warning(FILE, what).hint(format!("write `solution: /{solution}` at the top")));
    }
    taker.orders
}

struct Taker<'a> {
    package: &'a Package,
    recipe: &'a Recipe,
    orders: Orders,
    /// Of [`Orders::programs`].
    identities: Vec<Digest>,
    /// The solution that was taken because none was named.
    unsaid: Option<String>,
}

impl Taker<'_> {
    fn validators(&mut self, workshop: &Workshop) {
        // What cannot be asked on this machine is told by `kopek verify`.
        let here = |program: &&Program| !is_viva(program) && workshop.lacks(&program.source).is_none();
        for program in self.package.input_validators.iter().filter(here) {
            let index = self.add(wanted_program(self.package, program), workshop);
            self.orders.input_validators.push((program.name.clone(), index));
        }
        // Who talks with a validator cannot be an answer on paper.
        let talks = self.package.kind.interactive || self.package.kind.multi_pass;
        if let Judge::Programs { programs, .. } = &self.package.judge
            && !talks
        {
            for program in programs {
                let index = self.add(wanted_program(self.package, program), workshop);
                self.orders.output_validators.push(index);
            }
        }
    }

    fn order(
        &mut self,
        index: usize,
        make: &Make,
        groups: &Groups,
        workshop: &Workshop,
    ) -> Result<Order, String> {
        let own = (make.path.as_str(), make.line);
        let included = self.recipe.includes.iter().filter(|include| include.make == index);
        let places =
            std::iter::once(own).chain(included.map(|include| (include.path.as_str(), include.line)));
        let place = |(path, line): (&str, u32)| Place { path: path.into(), line, inherited: groups.of(path) };
        let mut order = Order {
            make: index,
            places: places.map(place).collect(),
            generator: None,
            solution: None,
            copies: BTreeMap::new(),
            key: Digest::of(b""),
        };
        if let Some(command) = &make.generate {
            let wanted = self.generator(command)?;
            order.generator = Some(self.add(wanted, workshop));
        }
        if let Some(wanted) = self.solution(make)? {
            order.solution = Some(self.add(wanted, workshop));
        }
        order.copies = copies(&self.package.dir, make.copy.as_deref())?;
        let mut copied = Digests::new();
        for (ext, path) in &order.copies {
            let digest =
                Digest::of_file(path).map_err(|error| format!("cannot read {}: {error}", path.display()))?;
            copied.insert(ext.clone(), digest);
        }
        order.key = self.key(make, &order, &copied);
        Ok(order)
    }

    fn key(&self, make: &Make, order: &Order, copies: &Digests) -> Digest {
        let mut fields = Fields::new("made case").with("meaning", MEANING);
        let mut add = |name: &str, value: &[u8]| fields = fields.clone().with(name, value);
        if let (Some(command), Some(generator)) = (&make.generate, order.generator) {
            add("generator", self.identities[generator].to_string().as_bytes());
            add("args", &command.args(0).join("\0").into_bytes());
            add("tries", &make.tries.to_le_bytes());
        }
        for (ext, digest) in copies {
            add("copy", format!("{ext} {digest}").as_bytes());
        }
        for (ext, text) in &make.literals {
            add(ext, text.as_bytes());
        }
        for link in &make.links {
            add("link", format!("{link:?}").as_bytes());
        }
        for pattern in &make.matches {
            add("match", format!("{pattern:?}").as_bytes());
        }
        if let Some(solution) = order.solution {
            add("solution", self.identities[solution].to_string().as_bytes());
        }
        for (name, validator) in &self.orders.input_validators {
            add("input validator", format!("{name} {}", self.identities[*validator]).as_bytes());
        }
        for validator in &self.orders.output_validators {
            add("output validator", self.identities[*validator].to_string().as_bytes());
        }
        for place in &order.places {
            add("place", format!("{} {:?}", place.path, place.inherited).as_bytes());
        }
        let Package { kind, named_files, constants, .. } = self.package;
        add("package", format!("{kind:?} {named_files:?} {constants:?}").as_bytes());
        fields.digest()
    }

    /// The number of a program; equal ones are one.
    fn add(&mut self, wanted: Wanted, workshop: &Workshop) -> usize {
        let same = |known: &Wanted| Wanted { name: wanted.name.clone(), ..known.clone() } == wanted;
        if let Some(index) = self.orders.programs.iter().position(same) {
            return index;
        }
        // Without identity it cannot be built either: that is told when it is tried.
        self.identities.push(wanted.identity(workshop).unwrap_or(Digest::of(b"nothing")));
        self.orders.programs.push(wanted);
        self.orders.programs.len() - 1
    }

    /// A key of `generators:`, else a file or directory in `generators/`.
    fn generator(&self, command: &Command) -> Result<Wanted, String> {
        let root = self.package.dir.join("generators");
        let name = command.program.trim_end_matches('/');
        match self.recipe.generators.get(name) {
            Some(files) => {
                let mut sorted: Vec<PathBuf> = files.iter().map(PathBuf::from).collect();
                let entry = files.first().cloned();
                sorted.sort();
                sorted.dedup();
                for file in &sorted {
                    readable(&self.package.dir, &root.join(file))?;
                }
                Ok(Wanted {
                    name: name.into(),
                    source: Source { root, files: sorted },
                    language: None,
                    entry,
                    include: BTreeMap::new(),
                    role: Role::Program,
                    constants: BTreeMap::new(),
                })
            }
            None => program(&self.package.dir, &root.join(name), name),
        }
    }

    /// Who answers, if anybody is needed and the directory is one whose answers are made.
    fn solution(&mut self, make: &Make) -> Result<Option<Wanted>, String> {
        let kind = &self.package.kind;
        let answered = matches!(root_of(&make.path), "sample" | "secret" | "fuzz");
        if !answered || kind.interactive || kind.multi_pass || make.literals.contains_key("ans") {
            return Ok(None);
        }
        match &make.solution {
            Solution::Nobody => Ok(None),
            Solution::Program(path) => {
                program(&self.package.dir, &self.package.dir.join(path), path).map(Some)
            }
            Solution::Unsaid => {
                let accepted = |s: &&crate::package::Submission| s.name.starts_with("accepted/");
                let Some(submission) = self.package.submissions.iter().find(accepted) else {
                    return Ok(None);
                };
                let name = format!("submissions/{}", submission.name);
                self.unsaid = Some(name.clone());
                let (source, language) = (submission.source.clone(), submission.language.clone());
                Ok(Some(Wanted {
                    name,
                    source,
                    language,
                    entry: submission.entry.clone(),
                    include: self.package.include.clone(),
                    role: Role::Example,
                    constants: self.package.constants.clone(),
                }))
            }
        }
    }
}

/// The first part of a path below `data/`.
pub fn root_of(case: &str) -> &str {
    case.split('/').next().unwrap_or_default()
}

/// VIVA's descriptions of inputs are no programs.
fn is_viva(program: &Program) -> bool {
    program.source.files.iter().any(|file| file.extension().is_some_and(|ending| ending == "viva"))
}

fn wanted_program(package: &Package, program: &Program) -> Wanted {
    Wanted {
        name: program.name.clone(),
        source: program.source.clone(),
        language: None,
        entry: None,
        include: BTreeMap::new(),
        role: Role::Program,
        constants: package.constants.clone(),
    }
}

/// A program that is a file or a directory.
fn program(package: &Path, path: &Path, name: &str) -> Result<Wanted, String> {
    let real = readable(package, path)?;
    if !real.is_dir() {
        let (Some(root), Some(file)) = (path.parent(), path.file_name()) else {
            return Err(format!("`{name}` is not a program"));
        };
        let source = Source { root: root.to_owned(), files: vec![file.into()] };
        return Ok(Wanted {
            name: name.to_owned(),
            source,
            language: None,
            entry: None,
            include: BTreeMap::new(),
            role: Role::Program,
            constants: BTreeMap::new(),
        });
    }
    let mut files = Vec::new();
    for entry in walkdir::WalkDir::new(path).follow_links(true).sort_by_file_name() {
        let entry = entry.map_err(|error| format!("cannot read `{name}`: {error}"))?;
        if entry.file_type().is_file() {
            readable(package, entry.path())?;
            files.push(entry.path().strip_prefix(path).unwrap_or(entry.path()).to_owned());
        }
    }
    Ok(Wanted {
        name: name.to_owned(),
        source: Source { root: path.to_owned(), files },
        language: None,
        entry: None,
        include: BTreeMap::new(),
        role: Role::Program,
        constants: BTreeMap::new(),
    })
}

/// What a path really is. Links may lead into the package's neighbours (programs are
/// shared there), but not further.
pub fn readable(package: &Path, path: &Path) -> Result<PathBuf, String> {
    let shown = path.strip_prefix(package).unwrap_or(path).display();
    let real = path.canonicalize().map_err(|error| format!("there is no `{shown}`: {error}"))?;
    let home = package.canonicalize().map_err(|error| format!("cannot find the package: {error}"))?;
    let workspace = home.parent().unwrap_or(&home);
    if !real.starts_with(workspace) {
        return Err(format!("`{shown}` is a link that leaves the workspace {}", workspace.display()));
    }
    Ok(real)
}

/// The files beside a path that a copy takes, by extension.
fn copies(package: &Path, copy: Option<&str>) -> Result<BTreeMap<String, PathBuf>, String> {
    let Some(base) = copy else { return Ok(BTreeMap::new()) };
    let mut found = BTreeMap::new();
    for ext in TEXTS.iter().chain(&PICTURES) {
        let path = package.join(format!("{base}.{ext}"));
        if path.is_file() {
            found.insert((*ext).to_owned(), readable(package, &path)?);
        }
    }
    let files = package.join(format!("{base}.files"));
    if files.is_dir() {
        for entry in walkdir::WalkDir::new(&files).sort_by_file_name() {
            let entry = entry.map_err(|error| format!("cannot read `{base}.files`: {error}"))?;
            if entry.file_type().is_file() {
                let below = entry.path().strip_prefix(&files).unwrap_or(entry.path());
                found.insert(format!("files/{}", below.display()), readable(package, entry.path())?);
            }
        }
    }
    if found.is_empty() {
        return Err(format!("there is nothing to copy: no `{base}.in` nor any other known extension"));
    }
    Ok(found)
}
