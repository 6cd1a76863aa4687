//! The input of a hunt, built from a package: programs, arguments and initial inputs.

use super::template_words::TemplateWords;
use crate::form::{FormCase, InputForm, InputLayout, InputText, NoForm};
use crate::form_of_tests;
use anyhow::{Context, Result, bail};
use kopek_base::{Bytes, Digest, files};
use kopek_engine::{
    exec::{Engine, NoProgram, ProgramRequest},
    machine::missing_tool,
};
use kopek_judge::{
    generate::{RecipeKnowledge, find_command, recipe_knowledge},
    grade::prepare,
};
use kopek_package::package::{Case, CaseArguments, Package, Participant, Submission, TestSet, is_sample};
use kopek_plan::plan::{
    ANSWER_REPORTED, CaseFiles, InputRuling, Job, Key, MAKE_LIMITS, Plan, ProbeGround, ProbeInputs,
    ProbeTask, ProbeUntil, Program, Row, Setting, Task, TrialTask,
};
use kopek_results::{TriedProgram, ValidBy};
use kopek_sandbox::Limits;
use std::{
    fs,
    path::{Path, PathBuf},
    sync::{Arc, OnceLock},
    time::Duration,
};

/// The input of a hunt.
#[derive(Debug, Clone)]
pub struct HuntingGround {
    /// For people.
    pub title: String,
    /// Shared settings of inputs with the same arguments.
    pub grounds: Vec<Arc<ProbeGround>>,
    /// Generators' calls, those with the smallest numbers first.
    pub templates: Vec<CommandTemplate>,
    /// Cases of the package, the smallest first.
    pub tests: Vec<KnownTest>,
    pub cases: Vec<KnownInput>,
    /// The form of the cases, or why they show none.
    pub form: Result<Arc<InputForm>, NoForm>,
    pub subjects: Vec<StressSubject>,
    /// Submissions that cannot be tried, and why.
    pub skipped: Vec<String>,
}

impl HuntingGround {
    /// The keys of everything on which these programs are tried: validators, solution, limits and arguments of each
    /// ground, generators, and the cases.
    pub(crate) fn keys_of(&self, programs: &[Arc<Program>]) -> Vec<Key> {
        let probe = |ground: &Arc<ProbeGround>, inputs| {
            Task::Probe(Arc::new(ProbeTask {
                inputs,
                subjects: programs.to_vec(),
                ground: ground.clone(),
                until: ProbeUntil::End,
                deadline: None,
            }))
        };
        let mut tasks: Vec<Task> =
            self.grounds.iter().map(|ground| probe(ground, ProbeInputs::Given(Vec::new()))).collect();
        for CommandTemplate { program, words, ground } in &self.templates {
            let (program, calls) = (program.clone(), vec![words.texts()]);
            tasks.push(probe(&self.grounds[*ground], ProbeInputs::Generated { program, calls }));
        }
        for test in &self.tests {
            let setting = &self.grounds[test.ground].setting;
            let trial = |program: &Arc<Program>| {
                Task::Trial(TrialTask::new(program.clone(), test.files.clone(), setting.clone()))
            };
            tasks.extend(programs.first().map(trial));
        }
        tasks.into_iter().map(|task| Job::new(task).key).collect()
    }

    /// The name of a subject; without one, the package itself fails.
    pub(crate) fn name_of(&self, subject: Option<usize>) -> &str {
        match subject {
            Some(at) => &self.subjects[at].name,
            None => "the package",
        }
    }

    /// The subjects, for a report.
    pub(crate) fn programs(&self) -> Vec<TriedProgram> {
        self.subjects.iter().map(StressSubject::tried).collect()
    }

    /// Lets a subject answer all inputs.
    pub(crate) fn answer_by(&mut self, subject: usize) {
        let solution = as_solution(&self.subjects[subject].program);
        for ground in &mut self.grounds {
            *ground = Arc::new(ProbeGround { solution: Some(solution.clone()), ..(**ground).clone() });
        }
    }

    /// Whether a solution answers inputs.
    pub(crate) fn has_answers(&self) -> bool {
        self.grounds.iter().all(|ground| ground.solution.is_some())
    }

    /// What knows the valid inputs, or why nothing does.
    pub(crate) fn valid_by(&self) -> Result<ValidBy> {
        match &self.form {
            _ if !self.is_unruled() => Ok(ValidBy::Validator),
            Ok(form) => Ok(ValidBy::Form { cases: form.cases, description: form.description() }),
            Err(why) => bail!(
                "there is no input validator, and {why}; add a program to input_validators/ that exits with 42 for a \
                 valid input and with 43 for any other"
            ),
        }
    }

    /// Whether no validator knows the valid inputs.
    pub(crate) fn is_unruled(&self) -> bool {
        self.grounds.iter().all(|ground| ground.input_validators.is_empty())
    }

    /// Whether no validator knows the valid inputs, and an input has not the form of the cases.
    pub(crate) fn is_malformed(&self, input: &[u8]) -> bool {
        self.is_unruled() && self.form.is_ok() && !self.has_form(input)
    }

    /// Whether an input has the form of the cases, if they show one.
    pub(crate) fn has_form(&self, input: &[u8]) -> bool {
        self.form.as_ref().is_ok_and(|form| form.accepts(input))
    }
}

/// A case of the package.
#[derive(Debug, Clone)]
pub struct KnownTest {
    pub name: String,
    /// The files of a trial.
    pub files: Arc<CaseFiles>,
    /// The paths of its input and its answer.
    pub paths: [PathBuf; 2],
    pub ground: usize,
}

pub(crate) struct TestContents {
    pub input: Vec<u8>,
    pub answer_start: String,
}

impl KnownTest {
    pub(crate) fn contents(&self) -> Result<TestContents> {
        let [input, answer] = &self.paths;
        let input = fs::read(input).with_context(|| format!("read {}", input.display()))?;
        let start = files::read_beginning(answer, ANSWER_REPORTED as u64)
            .with_context(|| format!("read {}", answer.display()))?;
        Ok(TestContents { input, answer_start: String::from_utf8_lossy(&start).into_owned() })
    }
}

/// A generator's call with placeholders.
#[derive(Debug, Clone)]
pub struct CommandTemplate {
    pub program: Arc<Program>,
    pub(crate) words: TemplateWords,
    /// Index of the ground for its inputs.
    pub ground: usize,
}

impl CommandTemplate {
    /// The command as the recipe has it, but for its seed. `None`: it has none.
    pub(crate) fn with_own_numbers(&self) -> Option<CommandTemplate> {
        Some(CommandTemplate { words: self.words.with_own_numbers()?, ..self.clone() })
    }
}

#[derive(Debug, Clone)]
pub struct KnownInput {
    pub name: String,
    pub bytes: Vec<u8>,
    pub ground: usize,
    /// Read when it is changed for the first time.
    layout: OnceLock<InputLayout>,
}

impl KnownInput {
    pub(crate) fn layout(&self, form: Option<&InputForm>) -> &InputLayout {
        self.layout.get_or_init(|| InputLayout::of(form, &InputText::read(&self.bytes)))
    }
}

#[derive(Debug, Clone)]
pub struct StressSubject {
    /// For people.
    pub name: String,
    pub program: Arc<Program>,
    /// Whether the package claims that it is correct.
    pub claimed_right: bool,
}

impl StressSubject {
    /// For a report.
    pub(crate) fn tried(&self) -> TriedProgram {
        TriedProgram { name: self.name.clone(), claimed_right: self.claimed_right }
    }
}

/// The options of a hunt in a package.
#[derive(Debug, Clone, Default)]
pub struct StressRequest {
    pub files: Vec<Participant>,
    /// Commands that replace those of the recipe.
    pub commands: Vec<String>,
    /// Which of the files are right, where the package has no solution.
    pub right: Vec<String>,
    /// Only times matter: no solution answers inputs, and no generator makes them.
    pub only_times: bool,
}

/// Limits of generators and of the reference solution: a hunt does not wait for slow ones.
pub(crate) const PROBE_LIMITS: Limits = Limits {
    cpu: Duration::from_secs(10),
    wall: Duration::from_secs(20),
    memory: Bytes::mib(1024),
    ..MAKE_LIMITS
};

/// Larger cases are neither varied nor shrunk: with 2 MB, half a minute is enough for a hundred tries.
pub(crate) const LARGE: u64 = 64 << 10;

/// Prepares a hunt in a package.
pub fn ground_of_package(
    engine: &Engine,
    package: &Package,
    tests: &TestSet,
    request: &StressRequest,
) -> Result<HuntingGround> {
    if package.kind.submit_answer {
        bail!("{}: a submit-answer problem has no programs to stress", package.name);
    }
    let arguments = tests.cases.last().map(|case| case.arguments.clone()).unwrap_or_default();
    let plan = prepare(engine, package, tests, &request.files, Duration::ZERO)?;
    let BuiltSubjects { subjects, skipped } = build_subjects(engine, package, &plan)?;
    if subjects.is_empty() {
        bail!("{}: no submission to stress:\n{}", package.name, skipped.join("\n"));
    }
    let knowledge =
        if request.only_times { RecipeKnowledge::default() } else { recipe_knowledge(package, engine)? };
    let has_answers = !package.kind.interactive && !package.kind.multi_pass && !request.only_times;
    let solution =
        if has_answers { Some(build_solution(engine, package, tests, &knowledge, request)?) } else { None };
    let mut surveyor = Surveyor {
        engine,
        validators: build_input_validators(engine, package)?,
        solution,
        setting: plan.setting.clone(),
        known: Vec::new(),
        grounds: Vec::new(),
    };
    let known = known_tests(tests, &plan, &mut surveyor);
    let mut templates;
    let mut cases = Vec::new();
    if request.commands.is_empty() {
        templates = recipe_templates(&knowledge, &mut surveyor)?;
        cases = known_inputs(&known)?;
    } else {
        templates = named_templates(package, &request.commands, &arguments, &mut surveyor)?;
    }
    templates.sort_by_key(|template| template.words.max());
    if templates.is_empty() && known.is_empty() {
        bail!("{}: no recipe and no case to start from; give --gen", package.name);
    }
    let grounds = surveyor.grounds;
    let title = package.name.clone();
    let form = if !request.commands.is_empty() {
        Err(NoForm::TooFew(0))
    } else if package.input_validators.is_empty() {
        form_of_tests(tests)
    } else {
        form_of_inputs(&cases)
    };
    let form = form.map(Arc::new);
    Ok(HuntingGround { title, grounds, templates, tests: known, cases, form, subjects, skipped })
}

/// The form of some inputs: validators know what is valid.
fn form_of_inputs(inputs: &[KnownInput]) -> Result<InputForm, NoForm> {
    let mut cases = Vec::new();
    for KnownInput { name, bytes, .. } in inputs {
        cases.push(FormCase { name: name.clone(), input: bytes.clone(), is_sample: is_sample(name) });
    }
    InputForm::read(&cases)
}

/// Whether a package claims that a submission is accepted on all cases.
pub fn is_claimed_right(package: &Package, submission: &str) -> bool {
    package.claims.iter().any(|claim| claim.is_about(submission) && claim.is_of_right())
}

struct BuiltSubjects {
    subjects: Vec<StressSubject>,
    /// Submissions that cannot be tried, and why.
    skipped: Vec<String>,
}

fn build_subjects(engine: &Engine, package: &Package, plan: &Plan) -> Result<BuiltSubjects> {
    let mut subjects = Vec::new();
    let mut skipped = Vec::new();
    for (row, built) in plan.rows.iter().zip(build_rows(engine, plan, &plan.rows)?) {
        let name = row.participant.name.clone();
        match (&row.program, built) {
            (_, Ok(program)) => {
                let claimed_right = is_claimed_right(package, &name);
                subjects.push(StressSubject { name, program, claimed_right });
            }
            (Err(why), _) => skipped.push(format!("{name}: {why}")),
            (_, Err(NoProgram::DoesNotCompile(_))) => skipped.push(format!("{name}: it does not compile")),
            (_, Err(why @ (NoProgram::Refused(_) | NoProgram::Fault(_) | NoProgram::Interrupted))) => {
                bail!("build {name}: {why}")
            }
        }
    }
    Ok(BuiltSubjects { subjects, skipped })
}

/// The programs of rows of a plan, as they run on its cases.
pub fn build_rows(
    engine: &Engine,
    plan: &Plan,
    rows: &[Row],
) -> Result<Vec<Result<Arc<Program>, NoProgram>>> {
    // Stopped beyond the time limit, so that the time of a near miss is measured.
    let limits = Limits { cpu: plan.setting.stop, ..plan.setting.limits };
    let request = |row: &Row| ProgramRequest {
        name: row.participant.name.clone(),
        build: row.program.clone().map(|program| plan.programs[program].clone()),
        limits,
    };
    engine.build_programs(&rows.iter().map(request).collect::<Vec<_>>())
}

/// The reference solution: the one in the recipe, otherwise the first submission claimed to be
/// correct that can run.
fn build_solution(
    engine: &Engine,
    package: &Package,
    tests: &TestSet,
    knowledge: &RecipeKnowledge,
    request: &StressRequest,
) -> Result<Arc<Program>> {
    if let Some(request) = &knowledge.solution {
        let limits = Limits { memory: PROBE_LIMITS.memory.max(package.limits.memory), ..PROBE_LIMITS };
        return engine.build_program(ProgramRequest { limits, ..request.clone() });
    }
    let right = |submission: &&Submission| is_claimed_right(package, &submission.name);
    let claimed = package.submissions.iter().filter(right).map(Participant::from);
    let vouching = request.files.iter().filter(|file| request.right.contains(&file.name)).cloned();
    let mut not_run = Vec::new();
    for participant in claimed.chain(vouching) {
        let plan = prepare(engine, package, tests, &[participant], Duration::ZERO)?;
        let BuiltSubjects { subjects, skipped } = build_subjects(engine, package, &plan)?;
        if let Some(StressSubject { program, .. }) = subjects.into_iter().next() {
            return Ok(as_solution(&program));
        }
        not_run.extend(skipped);
    }
    if not_run.is_empty() {
        bail!("{}: no submission in submissions/accepted/ to answer the inputs", package.name);
    }
    bail!("{}: no accepted submission can answer the inputs:\n{}", package.name, not_run.join("\n"))
}

/// A submission that answers inputs: a hunt waits for it as long as for any tool.
pub(crate) fn as_solution(submission: &Program) -> Arc<Program> {
    let limits = Limits { cpu: PROBE_LIMITS.cpu, wall: PROBE_LIMITS.wall, ..submission.limits };
    Arc::new(Program { limits, ..submission.clone() })
}

pub(crate) fn build_input_validators(engine: &Engine, package: &Package) -> Result<Vec<Arc<Program>>> {
    let build = |program: &kopek_package::package::PackageProgram| {
        // Inputs that no validator checked could be reported as counterexamples.
        if let Some(why) = missing_tool(engine.machine, &program.source) {
            bail!("input validator {}: {why}", program.name);
        }
        let limits = PROBE_LIMITS;
        engine.build_program(engine.tool_request(&program.name, &program.source, &package.constants, limits))
    };
    package.input_validators.iter().map(build).collect()
}

/// Groups inputs by their arguments.
struct Surveyor<'a> {
    engine: &'a Engine<'a>,
    validators: Vec<Arc<Program>>,
    solution: Option<Arc<Program>>,
    setting: Arc<Setting>,
    known: Vec<CaseArguments>,
    grounds: Vec<Arc<ProbeGround>>,
}

impl Surveyor<'_> {
    fn ground_of(&mut self, arguments: &CaseArguments) -> usize {
        if let Some(at) = self.known.iter().position(|known| known == arguments) {
            return at;
        }
        let ruling = |validator: &Arc<Program>| InputRuling {
            validator: validator.clone(),
            args: arguments.of_input_validator(&validator.name),
        };
        self.grounds.push(Arc::new(ProbeGround {
            input_validators: self.validators.iter().map(ruling).collect(),
            solution: self.solution.clone(),
            case: new_case(arguments),
            setting: self.setting.clone(),
        }));
        self.known.push(arguments.clone());
        self.known.len() - 1
    }
}

/// The case for new inputs.
pub(crate) fn new_case(arguments: &CaseArguments) -> CaseFiles {
    CaseFiles {
        name: "stress/input".into(),
        input: Digest::of(b""),
        answer: Digest::of(b""),
        files: None,
        args: arguments.args.clone(),
        output_validator_args: arguments.output.clone(),
        input_visualizer_args: vec![],
        output_visualizer_args: vec![],
    }
}

/// Cases of the package, the smallest first. Cases with extra files are skipped: new inputs have none.
fn known_tests(tests: &TestSet, plan: &Plan, surveyor: &mut Surveyor) -> Vec<KnownTest> {
    let cases = tests.cases.iter().zip(&plan.cases).filter(|(case, _)| case.files.is_none());
    let test = |(case, files): (&Case, &Arc<CaseFiles>)| KnownTest {
        name: case.name.clone(),
        files: files.clone(),
        paths: [case.input.clone(), case.answer.clone()],
        ground: surveyor.ground_of(&case.arguments),
    };
    let mut known: Vec<KnownTest> = cases.map(test).collect();
    known.sort_by_cached_key(|test| size_of(&test.paths[0]));
    known
}

fn size_of(path: &Path) -> u64 {
    match fs::metadata(path) {
        Ok(file) => file.len(),
        Err(_) => u64::MAX,
    }
}

/// Inputs that can be varied, the smallest first.
fn known_inputs(tests: &[KnownTest]) -> Result<Vec<KnownInput>> {
    let small = tests.iter().filter(|test| size_of(&test.paths[0]) <= LARGE);
    let input = |test: &KnownTest| {
        let TestContents { input: bytes, .. } = test.contents()?;
        Ok(KnownInput { name: test.name.clone(), bytes, ground: test.ground, layout: OnceLock::new() })
    };
    small.map(input).collect()
}

fn recipe_templates(knowledge: &RecipeKnowledge, surveyor: &mut Surveyor) -> Result<Vec<CommandTemplate>> {
    let limited = |request: &ProgramRequest| ProgramRequest { limits: PROBE_LIMITS, ..request.clone() };
    let requests: Vec<ProgramRequest> = knowledge.commands.iter().map(|c| limited(&c.request)).collect();
    let programs = surveyor.engine.build_programs(&requests)?;
    let mut templates = Vec::new();
    for (command, program) in knowledge.commands.iter().zip(programs) {
        let program = program.map_err(|why| anyhow::anyhow!("build {}: {why}", command.request.name))?;
        let ground = surveyor.ground_of(&command.arguments);
        let words = TemplateWords::of_recipe(&command.args, command.seed.as_ref());
        // The input of a command without a placeholder is in the tests already.
        if !words.is_fixed() {
            templates.push(CommandTemplate { program, words, ground });
        }
    }
    Ok(templates)
}

fn named_templates(
    package: &Package,
    commands: &[String],
    arguments: &CaseArguments,
    surveyor: &mut Surveyor,
) -> Result<Vec<CommandTemplate>> {
    let ground = surveyor.ground_of(arguments);
    let mut templates = Vec::new();
    for text in commands {
        let command = find_command(package, surveyor.engine, text)?;
        let program_request = ProgramRequest { limits: PROBE_LIMITS, ..command.request.clone() };
        let program = surveyor.engine.build_program(program_request)?;
        templates.push(CommandTemplate { program, words: TemplateWords::by_hand(&command.args), ground });
    }
    Ok(templates)
}
