//! The plan for each case: programs, arguments, copies; and the task that makes it.
//!
//! Reads the disk (sources, copied files), runs nothing.

use super::{
    case_programs::{ProgramSpec, find_program},
    command::GeneratorCommand,
    copied_files::{CopiedFile, find_copies, resolve_inside},
    groups::GroupArguments,
    recipe::{FILE, Recipe, RecipeCase, RecipeSolution},
};
use kopek_base::Digest;
use kopek_engine::{
    exec::{Engine, ProgramRequest},
    machine::missing_tool,
};
use kopek_package::{
    language::SourceFiles,
    package::{CaseArguments, Judge, Message, Package, PackageProgram, Submission},
};
use kopek_plan::plan::{
    AnswerSource, GeneratorCall, InputRule, MAKE_LIMITS, MakePlace, MakeTask, Program, Scrutiny,
};
use kopek_sandbox::Limits;
use std::{
    cell::RefCell,
    collections::{BTreeMap, HashMap},
    path::{Path, PathBuf},
    sync::Arc,
};

/// A case to make, with everything needed to make it.
#[derive(Debug)]
pub(super) struct PlannedCase {
    /// Index into [`Recipe::makes`].
    pub(super) make: usize,
    /// Where it goes: its own place first, then the places that include it.
    pub(super) places: Vec<CasePlace>,
    /// Index into [`CasePlan::programs`] of the generator.
    pub(super) generator: Option<usize>,
    /// Index into [`CasePlan::programs`] of the solution that writes its answer.
    pub(super) solution: Option<usize>,
    /// Files that it copies, by extension.
    pub(super) copies: BTreeMap<String, CopiedFile>,
    /// Digest of everything that can change it; `None` if a program it needs cannot be built.
    pub(super) key: Option<Digest>,
}

/// Where a case goes.
#[derive(Debug)]
pub(super) struct CasePlace {
    /// Below `data/`, without extension.
    pub(super) path: String,
    /// The line of the recipe that puts it there.
    pub(super) line: u32,
    /// Arguments inherited from its directories.
    pub(super) inherited: CaseArguments,
}

#[derive(Debug, Default)]
pub(super) struct CasePlan {
    /// Cases, in order of the recipe.
    pub(super) cases: Vec<PlannedCase>,
    /// All programs needed, each once.
    pub(super) programs: Vec<PlannedProgram>,
    /// Indices of the input validators.
    pub(super) input_validators: Vec<usize>,
    /// Indices of the output validators.
    pub(super) output_validators: Vec<usize>,
}

/// A program that cases need.
#[derive(Debug)]
pub(super) struct PlannedProgram {
    pub(super) spec: ProgramSpec,
    pub(super) request: ProgramRequest,
}

impl PlannedProgram {
    /// The path shown to people: its first file, relative to the package.
    pub(super) fn file_below(&self, package: &Path) -> PathBuf {
        let SourceFiles { root, files } = &self.spec.source;
        let root = root.strip_prefix(package).unwrap_or(root);
        match files.first() {
            Some(first) => root.join(first),
            None => root.to_owned(),
        }
    }
}

/// Plans all cases. A case that cannot be planned is a finding and is left out.
pub(super) fn plan_cases(
    package: &Package,
    recipe: &Recipe,
    engine: &Engine,
    findings: &mut Vec<Message>,
) -> CasePlan {
    let mut planner = CasePlanner::new(package, recipe, engine);
    planner.add_validators();
    let groups = GroupArguments::read(recipe, package);
    for (index, make) in recipe.makes.iter().enumerate() {
        match planner.plan_case(index, make, &groups) {
            Ok(case) => planner.plan.cases.push(case),
            Err(what) => {
                findings.push(Message::error(FILE, format!("{}: {what}", make.path)).line(make.line))
            }
        }
    }
    if let Some(solution) = &planner.assumed_solution {
        let what = format!("no `solution` is named; answers are made by {solution}");
        findings.push(Message::warning(FILE, what).todo(format!("write `solution: /{solution}` at the top")));
    }
    let CasePlanner { mut plan, .. } = planner;
    // Programs by their request, before any is built.
    let programs: Vec<Option<Arc<Program>>> =
        plan.programs.iter().map(|program| program.request.before_build()).collect();
    for at in 0..plan.cases.len() {
        let make = &recipe.makes[plan.cases[at].make];
        let request = CaseRequest { package, make, case: &plan.cases[at], programs: &programs };
        let task = plan.make_task(&request, Scrutiny::Trust);
        plan.cases[at].key = task.map(|task| task.identity());
    }
    plan
}

/// A case to make, and the programs of its plan as far as they are built.
pub(super) struct CaseRequest<'a> {
    pub(super) package: &'a Package,
    pub(super) make: &'a RecipeCase,
    pub(super) case: &'a PlannedCase,
    pub(super) programs: &'a [Option<Arc<Program>>],
}

impl CasePlan {
    /// The task that makes a case; `None` if a program that it needs is missing.
    pub(super) fn make_task(&self, request: &CaseRequest, scrutiny: Scrutiny) -> Option<MakeTask> {
        let &CaseRequest { package, make, case, programs } = request;
        let all =
            |indices: &[usize]| indices.iter().map(|&at| programs[at].clone()).collect::<Option<Vec<_>>>();
        let generator = match (&make.generate, case.generator) {
            (Some(command), Some(at)) => {
                Some(generator_call(command, programs[at].clone()?, make.tries, scrutiny))
            }
            _ => None,
        };
        let root = root_of(&make.path);
        let judged = matches!(root, "sample" | "secret" | "fuzz");
        Some(MakeTask {
            name: make.path.clone(),
            root: root.to_owned(),
            generator,
            copies: case.copies.iter().map(|(ext, file)| (ext.clone(), file.id.digest)).collect(),
            literals: make.literals.iter().map(|(ext, text)| ((*ext).to_owned(), text.clone())).collect(),
            links: make.links.iter().map(|(ext, to)| ((*ext).to_owned(), (*to).to_owned())).collect(),
            answer: answer_source(package, root, case.solution.map(|at| programs[at].clone()))?,
            places: case.places.iter().map(make_place).collect(),
            input_validators: all(&self.input_validators)?,
            output_validators: if judged { all(&self.output_validators)? } else { vec![] },
            named_files: package.named_files.clone(),
        })
    }
}

fn generator_call(
    command: &GeneratorCommand,
    program: Arc<Program>,
    tries: u32,
    scrutiny: Scrutiny,
) -> GeneratorCall {
    GeneratorCall {
        program,
        command: command.text.trim().to_owned(),
        shown: command.with_seed_filled(),
        args: command.args_without_seed().to_vec(),
        seed: command.seed_place(),
        tries,
        scrutiny,
    }
}

fn make_place(place: &CasePlace) -> MakePlace {
    let input = match root_of(&place.path) {
        "invalid_input" => InputRule::Refused,
        "testing_tool_test" => InputRule::Unchecked,
        _ => InputRule::Accepted,
    };
    MakePlace { path: place.path.clone(), input, inherited: place.inherited.clone() }
}

/// The program that writes the answer. `None` if a program cannot be built.
fn answer_source(
    package: &Package,
    root: &str,
    solution: Option<Option<Arc<Program>>>,
) -> Option<AnswerSource> {
    if matches!(root, "invalid_input" | "testing_tool_test") {
        return Some(AnswerSource::None);
    }
    if package.kind.interactive || package.kind.multi_pass {
        return Some(AnswerSource::Empty);
    }
    match (solution, root) {
        (Some(program), _) => Some(AnswerSource::Solution(program?)),
        (None, "sample" | "secret" | "fuzz") => Some(AnswerSource::Missing(
            "nothing makes its answer: give the recipe a `solution`, or the case `ans`".into(),
        )),
        (None, _) => Some(AnswerSource::Missing("a case for output validators needs its own `ans`".into())),
    }
}

/// Plans case by case.
pub(super) struct CasePlanner<'a> {
    package: &'a Package,
    recipe: &'a Recipe,
    engine: &'a Engine<'a>,
    plan: CasePlan,
    /// The solution used because the recipe names none.
    assumed_solution: Option<String>,
    /// Generators and solutions by path: most cases share theirs with another case.
    found: RefCell<HashMap<PathBuf, Result<ProgramSpec, String>>>,
}

impl<'a> CasePlanner<'a> {
    pub(super) fn new(package: &'a Package, recipe: &'a Recipe, engine: &'a Engine) -> CasePlanner<'a> {
        let (plan, assumed_solution, found) = Default::default();
        CasePlanner { package, recipe, engine, plan, assumed_solution, found }
    }

    /// How the generator of a command is built.
    pub(super) fn generator_request(&self, command: &GeneratorCommand) -> Result<ProgramRequest, String> {
        Ok(self.generator(command)?.request(self.engine))
    }
}

impl CasePlanner<'_> {
    fn add_validators(&mut self) {
        let package = self.package;
        // `kopek verify` reports validators that cannot run on this machine.
        let machine = self.engine.machine;
        let runs_here =
            |program: &&PackageProgram| !is_viva(program) && missing_tool(machine, &program.source).is_none();
        for program in package.input_validators.iter().filter(runs_here) {
            let index = self.add_program(ProgramSpec::validator(package, program, MAKE_LIMITS));
            self.plan.input_validators.push(index);
        }
        // A case with an interactive or multi-pass validator has no answer on paper.
        if package.kind.interactive || package.kind.multi_pass {
            return;
        }
        let Judge::Programs { programs, .. } = &package.judge else { return };
        for program in programs {
            let limits = &package.limits;
            let limits = Limits {
                cpu: limits.validation_time,
                wall: 2 * limits.validation_time,
                memory: limits.validation_memory,
                ..MAKE_LIMITS
            };
            let index = self.add_program(ProgramSpec::validator(package, program, limits));
            self.plan.output_validators.push(index);
        }
    }

    fn plan_case(
        &mut self,
        index: usize,
        make: &RecipeCase,
        groups: &GroupArguments,
    ) -> Result<PlannedCase, String> {
        let own = (make.path.as_str(), make.line);
        let included = self.recipe.includes.iter().filter(|include| include.make == index);
        let places =
            std::iter::once(own).chain(included.map(|include| (include.path.as_str(), include.line)));
        let place =
            |(path, line): (&str, u32)| CasePlace { path: path.into(), line, inherited: groups.of(path) };
        let places = places.map(place).collect();
        let generator = match &make.generate {
            Some(command) => Some(self.generator(command)?),
            None => None,
        };
        let constants = self.package.constants.clone();
        let generator = generator.map(|spec| self.add_program(ProgramSpec { constants, ..spec }));
        let solution = self.solution(make)?.map(|spec| self.add_program(spec));
        let copies = find_copies(self.package, make.copy.as_deref())?;
        Ok(PlannedCase { make: index, places, generator, solution, copies, key: None })
    }

    /// The index of a program; equal programs share one.
    fn add_program(&mut self, spec: ProgramSpec) -> usize {
        if let Some(index) = self.plan.programs.iter().position(|known| known.spec == spec) {
            return index;
        }
        let request = spec.request(self.engine);
        self.plan.programs.push(PlannedProgram { spec, request });
        self.plan.programs.len() - 1
    }

    /// A key of `generators:`, else a file or directory in `generators/`.
    fn generator(&self, command: &GeneratorCommand) -> Result<ProgramSpec, String> {
        let root = self.package.dir.join("generators");
        let name = command.program.trim_end_matches('/');
        self.find_once(&root.join(name), || self.find_generator(root.clone(), name))
    }

    fn find_once(
        &self,
        path: &Path,
        find: impl FnOnce() -> Result<ProgramSpec, String>,
    ) -> Result<ProgramSpec, String> {
        if let Some(known) = self.found.borrow().get(path) {
            return known.clone();
        }
        let found = find();
        self.found.borrow_mut().insert(path.to_owned(), found.clone());
        found
    }

    fn find_generator(&self, root: PathBuf, name: &str) -> Result<ProgramSpec, String> {
        let Some(files) = self.recipe.generators.get(name) else {
            return find_program(self.package, &root.join(name), name);
        };
        let mut sorted: Vec<PathBuf> = files.iter().map(PathBuf::from).collect();
        sorted.sort();
        sorted.dedup();
        for file in &sorted {
            resolve_inside(self.package, &root.join(file))?;
        }
        let entry = files.first().cloned();
        Ok(ProgramSpec { entry, ..ProgramSpec::tool(name, SourceFiles { root, files: sorted }) })
    }

    /// The solution, if the case needs an answer and its directory is one whose answers are generated.
    fn solution(&mut self, make: &RecipeCase) -> Result<Option<ProgramSpec>, String> {
        let package = self.package;
        let kind = &package.kind;
        let answered = matches!(root_of(&make.path), "sample" | "secret" | "fuzz");
        if !answered || kind.interactive || kind.multi_pass || make.literals.contains_key("ans") {
            return Ok(None);
        }
        let spec = match &make.solution {
            RecipeSolution::None => return Ok(None),
            RecipeSolution::Program(name) => {
                let path = package.dir.join(name);
                let found = self.find_once(&path, || find_program(package, &path, name))?;
                // A submission is compiled with the package's include files here, too.
                let is_submission =
                    |one: &Submission| name.strip_prefix("submissions/") == Some(one.name.as_str());
                if package.submissions.iter().any(is_submission) {
                    ProgramSpec { include: package.include.clone(), ..found }
                } else {
                    found
                }
            }
            RecipeSolution::Unspecified => {
                let accepted = |submission: &&Submission| submission.name.starts_with("accepted/");
                let Some(submission) = package.submissions.iter().find(accepted) else { return Ok(None) };
                let spec = ProgramSpec::submission(package, submission);
                self.assumed_solution = Some(spec.name.clone());
                spec
            }
        };
        let limits = Limits { memory: MAKE_LIMITS.memory.max(package.limits.memory), ..MAKE_LIMITS };
        Ok(Some(ProgramSpec { limits, ..spec }))
    }
}

/// The first part of a path below `data/`.
pub(super) fn root_of(case: &str) -> &str {
    case.split('/').next().unwrap_or_default()
}

/// VIVA's descriptions of inputs are no programs.
fn is_viva(program: &PackageProgram) -> bool {
    program.source.files.iter().any(|file| file.extension().is_some_and(|ending| ending == "viva"))
}
