//! The driver: what is stale is made, in parallel; what nobody names any longer goes.

use super::{
    Generated, GenerationMode, GenerationStep, OnGenerationStep,
    case_plan::{CasePlan, PlannedCase, plan_cases, resolve_inside},
    cases::pattern_of,
    lock::{self, LockedFiles},
    place::{self, EditedByHand, LinkInTheWay, PlacedCase},
    recipe::{FILE, GroupFile, OLD_FILE, Recipe, RecipeCase, RecipeFolder, RecipeInputs, has_recipe},
    recipe_upgrade,
    record::{self, Record, RecordEntry},
};
use anyhow::{Context, Result};
use kopek_engine::{
    base::{Digest, files},
    exec::{Engine, JobResult, KnownFacts, NoProgram},
    package::{Finding, Package, Severity, yaml::emit},
    plan::{CaseFile, CaseResult, Job, Outcome, Program, Scrutiny, Task},
    sandbox::Fault,
    store::Store,
};
use std::{
    collections::{BTreeMap, BTreeSet},
    fs, io,
    path::PathBuf,
    sync::Arc,
    time::{Duration, Instant},
};

/// How often the record is written while cases are made.
const RECORD_INTERVAL: Duration = Duration::from_secs(2);

/// Makes what a package's recipe says.
pub fn generate(
    package: &Package,
    engine: &Engine,
    how: GenerationMode,
    tell: &mut OnGenerationStep,
) -> Result<Generated> {
    let mut done = Generated::default();
    let Some(recipe) = read_recipe(package, &mut done.findings)? else { return Ok(done) };
    if !done.is_sound() {
        return Ok(done);
    }
    done.included = recipe.includes.iter().map(|include| include.path.clone()).collect();
    refuse_link(package)?;
    // Two at once would take turns at removing each other's drafts.
    let _alone = record::alone(package)?;
    let plan = plan_cases(package, &recipe, engine, &mut done.findings);
    let name = record::name(package)?;
    let record: Record = engine.store().recall(&name)?.unwrap_or_default();
    let locked = lock::read(&package.dir)?;
    let (old, new) = (record, Record::default());
    let mut run = Run { package, recipe: &recipe, plan: &plan, how, name, old, new, locked, done };
    if how.writes() {
        place::sweep(&run.data())?;
    }
    run.groups()?;
    run.make_cases(engine, tell)?;
    if how.writes() {
        run.forget()?;
        engine.store().remember(&run.name, &run.new)?;
    }
    run.report_twins();
    run.report_strays();
    run.compare();
    run.doubt_drifted(engine)?;
    Ok(run.done)
}

/// Removes what was made and is still as it was made; tells which files stay.
pub fn clean(package: &Package, store: &Store) -> Result<Generated> {
    refuse_link(package)?;
    let _alone = record::alone(package)?;
    let name = record::name(package)?;
    let old = store.recall(&name)?.unwrap_or_default();
    let (recipe, plan) = (Recipe::default(), CasePlan::default());
    let (new, done) = (Record::default(), Generated::default());
    let (how, locked) = (GenerationMode::Stale, None);
    let mut run = Run { package, recipe: &recipe, plan: &plan, how, name, old, new, locked, done };
    run.forget()?;
    store.remember(&run.name, &run.new)?;
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
pub(super) fn read_recipe(package: &Package, findings: &mut Vec<Finding>) -> Result<Option<Recipe>> {
    if !has_recipe(&package.dir) {
        return Ok(None);
    }
    let path = package.dir.join(FILE);
    let is_old = package.dir.join(OLD_FILE).exists();
    if is_old && !path.exists() {
        let finding = Finding::error(OLD_FILE, "is the name of earlier versions for a recipe");
        findings.push(finding.hint("call it generators.yaml"));
        return Ok(None);
    }
    resolve_inside(package, &path).map_err(anyhow::Error::msg)?;
    let bytes = match fs::read(&path) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
        bytes => bytes.with_context(|| format!("read {}", path.display()))?,
    };
    if is_old {
        findings
            .push(Finding::warning(OLD_FILE, "is ignored: generators.yaml is the recipe").hint("remove it"));
    }
    let (recipe, odd) = Recipe::read(&bytes, &RecipeInputs::of(package));
    findings.extend(odd);
    for (path, line) in &recipe.kept {
        if !package.dir.join("data").join(format!("{path}.in")).is_file() {
            let finding = Finding::error(FILE, format!("data/{path}.in is not there")).at(*line);
            let hint = match recipe_upgrade::find_case_files(&package.dir, path) {
                Some(_) => {
                    "its directory has a name of earlier versions: `kopek generate --upgrade` mends that"
                }
                None => "give it `generate`, `copy` or `in`",
            };
            findings.push(finding.hint(hint));
        }
    }
    Ok(Some(recipe))
}

/// Names of the samples and secret cases that the recipe, if there is one, makes or includes.
pub fn recipe_case_names(package: &Package, findings: &mut Vec<Finding>) -> Result<BTreeSet<String>> {
    let recipe = read_recipe(package, findings)?.unwrap_or_default();
    let makes = recipe.makes.into_iter().map(|make| make.path);
    let names = makes.chain(recipe.includes.into_iter().map(|include| include.path));
    Ok(names.filter(|name| name.starts_with("sample/") || name.starts_with("secret/")).collect())
}

/// A run over one package.
pub struct Run<'a> {
    /// Whose test set.
    pub package: &'a Package,
    /// What it says.
    pub recipe: &'a Recipe,
    /// What is to be done.
    pub plan: &'a CasePlan,
    /// What is made.
    pub how: GenerationMode,
    /// Of the record.
    pub name: String,
    /// What was made before.
    pub old: Record,
    /// What stands now.
    pub new: Record,
    /// What the lock says, if there is one.
    pub locked: Option<LockedFiles>,
    /// What came of it.
    pub done: Generated,
}

impl Run<'_> {
    /// Where its cases stand.
    pub fn data(&self) -> PathBuf {
        self.package.dir.join("data")
    }

    fn group_file(folder: &RecipeFolder) -> String {
        if folder.path.is_empty() { folder.file.into() } else { format!("{}/{}", folder.path, folder.file) }
    }

    /// Writes the files of groups; removes those that the recipe says are not there.
    fn groups(&mut self) -> Result<()> {
        for folder in &self.recipe.folders {
            let below = Self::group_file(folder);
            let path = self.data().join(&below);
            match &folder.group {
                GroupFile::Untouched => (),
                GroupFile::Absent if self.how.writes() => place::remove_named(&self.data(), &below)?,
                GroupFile::Absent => (),
                GroupFile::Written(node) => {
                    let text = emit(node);
                    let digest = Digest::of(text.as_bytes());
                    if self.how.writes() && !place::holds(&path, &digest) {
                        if self.keeps_edited_group(&below, &digest) {
                            continue;
                        }
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

    fn make_cases(&mut self, engine: &Engine, tell: &mut OnGenerationStep) -> Result<()> {
        let plan = self.plan;
        let (fresh, stale): (Vec<_>, Vec<_>) = plan.cases.iter().partition(|case| self.is_fresh(case));
        tell(GenerationStep::Begin { cases: plan.cases.len() });
        for case in fresh {
            self.done.reused += 1;
            for place in &case.places {
                let entry = self.old.cases[&place.path].clone();
                self.accept(&place.path, entry);
            }
            self.report_remarks(case);
            tell(GenerationStep::Done { case: case.places[0].path.clone() });
        }
        let programs = self.build_programs(engine, &stale, tell)?;
        self.make_stale(engine, &stale, &programs, tell)
    }

    /// Whether a case stands as it would be made, in all its places.
    fn is_fresh(&self, case: &PlannedCase) -> bool {
        let Some(key) = case.key else { return false };
        let stands = |path: &String| {
            let entry = self.old.cases.get(path);
            entry.is_some_and(|entry| {
                entry.key == key && place::stands(&self.data(), path, &entry.files, &self.package.known_files)
            })
        };
        self.how.writes() && case.places.iter().all(|place| stands(&place.path))
    }

    /// Builds the programs that stale cases need.
    pub(super) fn build_programs(
        &mut self,
        engine: &Engine,
        stale: &[&PlannedCase],
        tell: &mut OnGenerationStep,
    ) -> Result<Vec<Option<Arc<Program>>>> {
        let plan = self.plan;
        let mut programs = vec![None; plan.programs.len()];
        if stale.is_empty() {
            return Ok(programs);
        }
        let own = stale.iter().flat_map(|case| case.generator.into_iter().chain(case.solution));
        let validators = plan.input_validators.iter().chain(&plan.output_validators).copied();
        let needed: Vec<usize> = own.chain(validators).collect::<BTreeSet<_>>().into_iter().collect();
        let requests: Vec<_> = needed.iter().map(|&at| plan.programs[at].request.clone()).collect();
        for request in &requests {
            tell(GenerationStep::Build { program: request.name.clone() });
        }
        for (at, result) in needed.into_iter().zip(engine.build_programs(&requests)?) {
            match result {
                Ok(program) => programs[at] = Some(program),
                Err(why) => self.report_unbuilt(at, &why),
            }
        }
        Ok(programs)
    }

    fn report_unbuilt(&mut self, at: usize, why: &NoProgram) {
        let program = &self.plan.programs[at];
        let name = &program.request.name;
        match why {
            NoProgram::Fault(_) | NoProgram::Interrupted => {
                self.done.faults.push(format!("build {name}: {why}"))
            }
            NoProgram::Refused(message) | NoProgram::DoesNotCompile(message) => {
                let what = format!("`{name}` cannot be built: {}", message.trim());
                self.done.findings.push(Finding::error(program.file_below(&self.package.dir), what));
            }
        }
    }

    /// Has the cases made, and puts each in its places as soon as it is there.
    fn make_stale(
        &mut self,
        engine: &Engine,
        stale: &[&PlannedCase],
        programs: &[Option<Arc<Program>>],
        tell: &mut OnGenerationStep,
    ) -> Result<()> {
        let doubted = doubted_cases(stale, self.how);
        let (mut jobs, mut cases) = (Vec::new(), Vec::new());
        for (at, &case) in stale.iter().enumerate() {
            let scrutiny = if doubted.contains(&at) { Scrutiny::Doubt } else { Scrutiny::Trust };
            let make = &self.recipe.makes[case.make];
            match self.plan.make_task(self.package, make, case, programs, scrutiny) {
                Some(task) => {
                    jobs.push(Job::new(Task::MakeCase(Arc::new(task))));
                    cases.push(case);
                    case.copies.values().for_each(|copy| engine.store().lend_file(&copy.path, copy.id));
                }
                // Why was reported with the program.
                None => {
                    self.done.failed += 1;
                    tell(GenerationStep::Done { case: case.places[0].path.clone() });
                }
            }
        }
        let known = match self.how {
            GenerationMode::Stale | GenerationMode::Overwriting => KnownFacts::Use,
            GenerationMode::Again => KnownFacts::Ignore,
        };
        let mut recorded = Instant::now();
        let results = engine.run_all(jobs, known, &mut |at, result| {
            tell(GenerationStep::Done { case: cases[at].places[0].path.clone() });
            self.finish(engine, cases[at], result)?;
            if self.how.writes() && recorded.elapsed() > RECORD_INTERVAL {
                // A run that is killed later keeps what it has; failing here costs only that.
                let _ = engine.store().remember(&self.name, &self.new.over(&self.old));
                recorded = Instant::now();
            }
            Ok(())
        })?;
        if results.iter().any(Option::is_none) {
            self.done
                .faults
                .push("interrupted before all cases were made; the same command goes on from here".into());
        }
        Ok(())
    }

    pub(super) fn finish(&mut self, engine: &Engine, case: &PlannedCase, result: &JobResult) -> Result<()> {
        let make = &self.recipe.makes[case.make];
        match result {
            Ok(Outcome::Case(CaseResult::Made { files, remarks })) => {
                match self.put_case(engine, case, files, remarks) {
                    Ok(()) => self.done.made += 1,
                    Err(error) => self.report_unplaced(make, error),
                }
            }
            Ok(Outcome::Case(CaseResult::Refused { problem, place })) => {
                self.done.failed += 1;
                let place = case.places.iter().find(|known| place.as_ref() == Some(&known.path));
                let (path, line) = place.map_or((&make.path, make.line), |place| (&place.path, place.line));
                self.done.findings.push(Finding::error(FILE, format!("{path}: {problem}")).at(line));
            }
            Ok(other) => unreachable!("making a case has a case as its outcome, not {other:?}"),
            Err(fault) => self.done.faults.push(format!("make {}: {fault}", make.path)),
        }
        Ok(())
    }

    /// Puts a made case into all its places.
    fn put_case(
        &mut self,
        engine: &Engine,
        case: &PlannedCase,
        made: &BTreeMap<String, CaseFile>,
        remarks: &[String],
    ) -> Result<()> {
        let mut files = place::CaseContents::new();
        for (extension, file) in made {
            let bytes = engine.store().bytes(&file.digest)?;
            files.insert(extension.clone(), bytes.context("a made file vanished from the store; run again")?);
        }
        let make = &self.recipe.makes[case.make];
        let remarks: Vec<String> = remarks.iter().cloned().chain(unmatched(make, &files)).collect();
        let bytes = made.values().map(|file| file.size.0).sum();
        let edited = self.edited_files(case, &files);
        if !edited.is_empty() {
            return Err(EditedByHand(edited).into());
        }
        let key = case.key.context("a case was made whose programs are unknown")?;
        let entry = RecordEntry { key, files: place::digests(&files), bytes, remarks, ours: true };
        for place in &case.places {
            let put = match self.how {
                GenerationMode::Stale | GenerationMode::Overwriting => {
                    place::put(&self.data(), &place.path, &files, &self.old.files(&place.path))?
                }
                GenerationMode::Again => PlacedCase::default(),
            };
            let known = self.old.cases.get(&place.path);
            let ours = known.map_or(!put.stood, |entry| entry.ours || !put.stood);
            self.accept(&place.path, RecordEntry { ours, ..entry.clone() });
            self.done.replaced.extend(put.replaced.iter().map(|below| format!("data/{below}")));
        }
        self.report_remarks(case);
        Ok(())
    }

    /// Whose fault it is that a case cannot be put in its place.
    fn report_unplaced(&mut self, make: &RecipeCase, error: anyhow::Error) {
        let error = match error.downcast::<EditedByHand>() {
            Ok(edited) => {
                self.done.failed += 1;
                self.done.findings.extend(edited.findings());
                return;
            }
            Err(error) => error,
        };
        match error.downcast::<LinkInTheWay>() {
            Ok(link) => {
                self.done.failed += 1;
                self.done.findings.push(Finding::error(FILE, format!("{}: {link}", make.path)).at(make.line));
            }
            Err(error) => {
                let fault = Fault::new(format!("{error:#}"));
                self.done.faults.push(format!("make {}: {fault}", make.path));
            }
        }
    }

    /// A case is there.
    fn accept(&mut self, path: &str, entry: RecordEntry) {
        self.done.bytes.0 += entry.bytes;
        for (ext, digest) in &entry.files {
            self.done.files.insert(format!("data/{path}.{ext}"), *digest);
        }
        self.new.cases.insert(path.to_owned(), entry);
    }

    fn report_remarks(&mut self, case: &PlannedCase) {
        let make = &self.recipe.makes[case.make];
        let remarks = self.new.cases.get(&make.path).map(|entry| entry.remarks.clone()).unwrap_or_default();
        for remark in remarks {
            let finding = Finding::warning(FILE, format!("{}: {remark}", make.path));
            self.done.findings.push(finding.at(make.line));
        }
    }
}

/// Which cases' generators are looked at closely: all when everything is checked; else
/// the first of each generator, and every eighth.
fn doubted_cases(stale: &[&PlannedCase], how: GenerationMode) -> BTreeSet<usize> {
    let mut known = BTreeSet::new();
    let doubt = |at: &usize| {
        let first = stale[*at].generator.is_some_and(|generator| known.insert(generator));
        how == GenerationMode::Again || first || at % 8 == 7
    };
    (0..stale.len()).filter(doubt).collect()
}

/// Patterns that are not found where the recipe says.
fn unmatched(make: &RecipeCase, files: &place::CaseContents) -> Vec<String> {
    let is_found = |(ext, pattern): &&(&str, String)| {
        let text = files.get(*ext).map(|bytes| String::from_utf8_lossy(bytes));
        // A pattern that cannot be read was reported with the recipe.
        pattern_of(pattern).map_or(true, |regex| text.is_some_and(|text| regex.is_match(&text)))
    };
    let missing = make.matches.iter().filter(|pattern| !is_found(pattern));
    missing.map(|(ext, pattern)| format!("its `{ext}` does not match `{pattern}`")).collect()
}

impl Generated {
    /// Whether all cases of the recipe are there.
    pub fn is_sound(&self) -> bool {
        self.faults.is_empty() && !self.findings.iter().any(|finding| finding.severity == Severity::Error)
    }
}
