//! The driver: what is stale is made, in parallel; what nobody names any longer goes.

use super::{
    Generated, How, Step,
    generator::Probe,
    order::{self, Order, Orders},
    place::{self, Astray, Digests, Put},
    produce::{Bench, Trouble},
    programs::{Built, Unbuilt, Wanted, build_all},
    recipe::{FILE, Folder, Given, GroupFile, Recipe},
    record::{self, Entry, Record},
    written::write,
};
use crate::{
    base::{Digest, files},
    exec::{Workshop, side_by_side},
    package::{Finding, Package, Severity},
    sandbox::{Fault, Slot},
};
use anyhow::{Context, Result};
use std::{
    collections::BTreeSet,
    fs, io,
    path::PathBuf,
    sync::atomic::AtomicBool,
    time::{Duration, Instant},
};

/// What came of an order.
struct Made {
    entry: Entry,
    /// By place: what happened there.
    puts: Vec<Put>,
}

/// How often the record is written while cases are made.
const PULSE: Duration = Duration::from_secs(2);

/// Makes what a package's recipe says.
pub fn generate(
    package: &Package,
    workshop: &Workshop,
    how: How,
    tell: &mut dyn FnMut(Step),
) -> Result<Generated> {
    let mut done = Generated::default();
    let Some(recipe) = read(package, &mut done.findings)? else { return Ok(done) };
    if !done.is_sound() {
        return Ok(done);
    }
    refuse_link(package)?;
    // Two at once would take turns at removing each other's drafts.
    let _alone = record::alone(package)?;
    let orders = order::take(package, &recipe, workshop, &mut done.findings);
    let name = record::name(package)?;
    let record: Record = workshop.store.recall(&name)?.unwrap_or_default();
    let mut run = Run {
        package,
        recipe: &recipe,
        orders: &orders,
        how,
        name,
        old: record,
        new: Record::default(),
        done,
    };
    if how == How::Stale {
        place::sweep(&run.data())?;
    }
    run.groups()?;
    run.cases(workshop, tell)?;
    if how == How::Stale {
        run.forget()?;
        workshop.store.remember(&run.name, &run.new)?;
    }
    run.twins();
    run.strays();
    run.compare()?;
    Ok(run.done)
}

/// Removes what was made and is still as it was made; tells which files stay.
pub fn clean(package: &Package, workshop: &Workshop) -> Result<Generated> {
    refuse_link(package)?;
    let _alone = record::alone(package)?;
    let name = record::name(package)?;
    let old = workshop.store.recall(&name)?.unwrap_or_default();
    let (recipe, orders) = (Recipe::default(), Orders::default());
    let (new, done) = (Record::default(), Generated::default());
    let mut run = Run { package, recipe: &recipe, orders: &orders, how: How::Stale, name, old, new, done };
    run.forget()?;
    workshop.store.remember(&run.name, &run.new)?;
    Ok(run.done)
}

/// Through a link as `data` everything could be written and swept anywhere.
fn refuse_link(package: &Package) -> Result<()> {
    let data = package.dir.join("data");
    anyhow::ensure!(
        !data.is_symlink(),
        "{} is a link: generated files are not written through links",
        data.display()
    );
    Ok(())
}

/// The recipe; `None` if the package has none.
fn read(package: &Package, findings: &mut Vec<Finding>) -> Result<Option<Recipe>> {
    let path = package.dir.join(FILE);
    if fs::symlink_metadata(&path).is_ok() {
        order::readable(&package.dir, &path).map_err(anyhow::Error::msg)?;
    }
    let bytes = match fs::read(&path) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
        bytes => bytes.with_context(|| format!("read {}", path.display()))?,
    };
    let talks = package.kind.interactive || package.kind.multi_pass;
    let (recipe, odd) = Recipe::read(&bytes, &Given { constants: package.constants.clone(), talks });
    findings.extend(odd);
    Ok(Some(recipe))
}

/// A run over one package.
pub struct Run<'a> {
    /// Whose test set.
    pub package: &'a Package,
    /// What it says.
    pub recipe: &'a Recipe,
    /// What is to be done.
    pub orders: &'a Orders,
    /// What is made.
    pub how: How,
    /// Of the record.
    pub name: String,
    /// What was made before.
    pub old: Record,
    /// What stands now.
    pub new: Record,
    /// What came of it.
    pub done: Generated,
}

impl Run<'_> {
    /// Where its cases stand.
    pub fn data(&self) -> PathBuf {
        self.package.dir.join("data")
    }

    fn group_file(folder: &Folder) -> String {
        if folder.path.is_empty() {
            "test_group.yaml".into()
        } else {
            format!("{}/test_group.yaml", folder.path)
        }
    }

    /// Writes the `test_group.yaml` files; removes those that the recipe says are not there.
    fn groups(&mut self) -> Result<()> {
        for folder in &self.recipe.folders {
            let below = Self::group_file(folder);
            let path = self.data().join(&below);
            match &folder.group {
                GroupFile::Untouched => (),
                GroupFile::Absent if self.how == How::Stale => place::remove_named(&self.data(), &below)?,
                GroupFile::Absent => (),
                GroupFile::Written(node) => {
                    let text = write(node);
                    let digest = Digest::of(text.as_bytes());
                    if self.how == How::Stale && !place::holds(&path, &digest) {
                        place::make_parent(&self.data(), &below)?;
                        files::write_atomic(&path, text.as_bytes())?;
                    }
                    self.done.bytes.0 += text.len() as u64;
                    self.done.files.insert(format!("data/{below}"), digest);
                    self.new.groups.insert(below, digest);
                }
            }
        }
        Ok(())
    }

    fn cases(&mut self, workshop: &Workshop, tell: &mut dyn FnMut(Step)) -> Result<()> {
        let orders = self.orders;
        let (fresh, stale): (Vec<_>, Vec<_>) = orders.orders.iter().partition(|order| self.is_fresh(order));
        tell(Step::Begin { cases: orders.orders.len() });
        for order in fresh {
            self.done.reused += 1;
            for place in &order.places {
                let entry = self.old.cases[&place.path].clone();
                self.accept(&place.path, entry);
            }
            self.remark(order);
            tell(Step::Done { case: order.places[0].path.clone() });
        }
        let built = self.build(&stale, workshop, tell)?;
        self.make(&stale, &built, workshop, tell)
    }

    /// Whether a case stands as it would be made, in all its places.
    fn is_fresh(&self, order: &Order) -> bool {
        let stands = |path: &String| {
            let entry = self.old.cases.get(path);
            entry.is_some_and(|e| e.key == order.key && place::stands(&self.data(), path, &e.files))
        };
        self.how == How::Stale && order.places.iter().all(|place| stands(&place.path))
    }

    /// Builds the programs that stale cases need.
    fn build(
        &mut self,
        stale: &[&Order],
        workshop: &Workshop,
        tell: &mut dyn FnMut(Step),
    ) -> Result<Vec<Option<Built>>> {
        let mut built: Vec<Option<Built>> = vec![None; self.orders.programs.len()];
        let validators = self.orders.input_validators.iter().map(|(_, index)| *index);
        let own = stale.iter().flat_map(|order| order.generator.into_iter().chain(order.solution));
        let needed: BTreeSet<usize> = match stale {
            [] => BTreeSet::new(),
            _ => own.chain(validators).chain(self.orders.output_validators.iter().copied()).collect(),
        };
        let needed: Vec<usize> = needed.into_iter().collect();
        let programs: Vec<&Wanted> = needed.iter().map(|&index| &self.orders.programs[index]).collect();
        for program in &programs {
            tell(Step::Build { program: program.name.clone() });
        }
        for (index, result) in needed.into_iter().zip(build_all(&programs, workshop)) {
            let wanted = &self.orders.programs[index];
            match result {
                Ok(program) => built[index] = Some(program),
                Err(Unbuilt::Fault(fault)) => {
                    self.done.faults.push(format!("build {}: {fault}", wanted.name))
                }
                Err(Unbuilt::Refused(said)) => {
                    let file =
                        wanted.source.root.strip_prefix(&self.package.dir).unwrap_or(&wanted.source.root);
                    let file = wanted.source.files.first().map_or(file.to_owned(), |first| file.join(first));
                    let what = format!("`{}` cannot be built: {}", wanted.name, said.trim());
                    self.done.findings.push(Finding::error(file, what));
                }
            }
        }
        Ok(built)
    }

    /// Makes cases on all slots. Workers produce and put; this thread notes and tells.
    fn make(
        &mut self,
        stale: &[&Order],
        built: &[Option<Built>],
        workshop: &Workshop,
        tell: &mut dyn FnMut(Step),
    ) -> Result<()> {
        let bench = Bench { package: self.package, orders: self.orders, built };
        let doubted = doubted(stale, self.how);
        let (data, how, recipe) = (self.data(), self.how, self.recipe);
        let files = |order: &&Order| order.places.iter().map(|place| self.old.files(&place.path)).collect();
        let before: Vec<Vec<Digests>> = stale.iter().map(files).collect();
        let work = |slot: &mut Slot, at: usize| -> Result<Made, Trouble> {
            let order = stale[at];
            let probe = if doubted.contains(&at) { Probe::Doubt } else { Probe::Trust };
            let make = &recipe.makes[order.make];
            let made = match bench.produce(order, make, probe, slot) {
                // Ours to fail, so ours to try again.
                Err(Trouble::Fault(_)) => bench.produce(order, make, probe, slot)?,
                made => made?,
            };
            let mut puts = Vec::new();
            for (place, before) in order.places.iter().zip(&before[at]) {
                if how == How::Stale {
                    let put = place::put(&data, &place.path, &made.files, before);
                    puts.push(put.map_err(unplaced)?);
                }
            }
            let (files, remarks) = (place::digests(&made.files), made.remarks);
            let bytes = made.files.values().map(|bytes| bytes.len() as u64).sum();
            Ok(Made { entry: Entry { key: order.key, files, bytes, remarks, ours: true }, puts })
        };
        let mut written = Instant::now();
        side_by_side(workshop, stale.len(), &AtomicBool::new(false), work, |at, outcome| {
            tell(Step::Done { case: stale[at].places[0].path.clone() });
            self.note(stale[at], outcome);
            if how == How::Stale && written.elapsed() > PULSE {
                // A run that is killed later keeps what it has; failing here costs only that.
                let _ = workshop.store.remember(&self.name, &self.new.over(&self.old));
                written = Instant::now();
            }
        });
        Ok(())
    }

    fn note(&mut self, order: &Order, outcome: Result<Made, Trouble>) {
        let make = &self.recipe.makes[order.make];
        match outcome {
            Ok(made) => {
                self.done.made += 1;
                for (at, place) in order.places.iter().enumerate() {
                    let put = made.puts.get(at).cloned().unwrap_or_default();
                    let known = self.old.cases.get(&place.path);
                    let ours = known.map_or(!put.stood, |entry| entry.ours || !put.stood);
                    self.accept(&place.path, Entry { ours, ..made.entry.clone() });
                    self.done.replaced.extend(put.replaced.iter().map(|below| format!("data/{below}")));
                }
                self.remark(order);
            }
            Err(Trouble::Unbuilt) => self.done.failed += 1,
            Err(Trouble::Fault(fault)) => self.done.faults.push(format!("make {}: {fault}", make.path)),
            Err(Trouble::Wrong(what, line)) => {
                self.done.failed += 1;
                let what = if line.is_some() { what } else { format!("{}: {what}", make.path) };
                self.done.findings.push(Finding::error(FILE, what).at(line.unwrap_or(make.line)));
            }
        }
    }

    /// A case is there.
    fn accept(&mut self, path: &str, entry: Entry) {
        self.done.bytes.0 += entry.bytes;
        for (ext, digest) in &entry.files {
            self.done.files.insert(format!("data/{path}.{ext}"), *digest);
        }
        self.new.cases.insert(path.to_owned(), entry);
    }

    fn remark(&mut self, order: &Order) {
        let make = &self.recipe.makes[order.make];
        let remarks = self.new.cases.get(&make.path).map(|entry| entry.remarks.clone()).unwrap_or_default();
        for remark in remarks {
            let finding = Finding::warning(FILE, format!("{}: {remark}", make.path));
            self.done.findings.push(finding.at(make.line));
        }
    }
}

/// Whose fault it is that a case cannot be put in its place.
fn unplaced(error: anyhow::Error) -> Trouble {
    match error.downcast::<Astray>() {
        Ok(astray) => Trouble::Wrong(astray.to_string(), None),
        Err(error) => Trouble::Fault(Fault::new(format!("{error:#}"))),
    }
}

/// Which cases' generators are looked at closely: all when everything is checked; else
/// the first of each generator, and every eighth.
fn doubted(stale: &[&Order], how: How) -> BTreeSet<usize> {
    let mut known = BTreeSet::new();
    let doubt = |at: &usize| {
        let first = stale[*at].generator.is_some_and(|generator| known.insert(generator));
        how == How::Again || first || at % 8 == 7
    };
    (0..stale.len()).filter(doubt).collect()
}

impl Generated {
    /// Whether all cases of the recipe are there.
    pub fn is_sound(&self) -> bool {
        self.faults.is_empty() && !self.findings.iter().any(|finding| finding.severity == Severity::Error)
    }
}
