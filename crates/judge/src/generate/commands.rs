//! The parts of a recipe used to make further inputs: its commands, the arguments of their cases, and the solution.

use super::{
    case_plan::{CasePlanner, plan_cases},
    command::GeneratorCommand,
    make::read_recipe,
    recipe::Recipe,
};
use anyhow::{Result, bail};
use kopek_engine::exec::{Engine, ProgramRequest};
use kopek_package::package::{CaseArguments, Level, Message, Package};
use kopek_plan::plan::SeedPlace;

/// A command of a recipe.
#[derive(Debug, Clone)]
pub struct RecipeCommand {
    /// Its case, below `data/`.
    pub case: String,
    /// As written in the recipe.
    pub text: String,
    pub request: ProgramRequest,
    /// Its arguments, without the seed.
    pub args: Vec<String>,
    /// The position of the seed in them.
    pub seed: Option<SeedPlace>,
    /// Arguments inherited by its case.
    pub arguments: CaseArguments,
}

/// Commands and solution of a recipe.
#[derive(Debug, Clone, Default)]
pub struct RecipeKnowledge {
    /// Its commands for valid cases, each once.
    pub commands: Vec<RecipeCommand>,
    /// The program that writes answers.
    pub solution: Option<ProgramRequest>,
}

/// Reads the commands of a package's recipe. Fails where the recipe has errors.
pub fn recipe_knowledge(package: &Package, engine: &Engine) -> Result<RecipeKnowledge> {
    let mut findings = Vec::new();
    let Some(recipe) = read_recipe(package, &mut findings)? else { return Ok(RecipeKnowledge::default()) };
    let plan = plan_cases(package, &recipe, engine, &mut findings);
    let is_error = |finding: &&Message| finding.level == Level::Error;
    if let Some(error) = findings.iter().find(is_error) {
        bail!("the recipe has errors: {error}");
    }
    let mut knowledge = RecipeKnowledge::default();
    for case in &plan.cases {
        let make = &recipe.makes[case.make];
        let request = |at: usize| plan.programs[at].request.clone();
        knowledge.solution = knowledge.solution.or(case.solution.map(request));
        let is_valid = ["sample/", "secret/"].iter().any(|root| make.path.starts_with(root));
        if let (Some(command), Some(at), true) = (&make.generate, case.generator, is_valid) {
            let arguments = case.places[0].inherited.clone();
            let command = recipe_command(command, &make.path, request(at), arguments);
            if !knowledge.commands.iter().any(|known| known.is_like(&command)) {
                knowledge.commands.push(command);
            }
        }
    }
    Ok(knowledge)
}

/// A command that is not in the recipe: a generator of the package and its arguments.
pub fn find_command(package: &Package, engine: &Engine, text: &str) -> Result<RecipeCommand> {
    let recipe = read_recipe(package, &mut Vec::new())?.unwrap_or_else(Recipe::default);
    let command = GeneratorCommand::read(text, "", 1).map_err(|why| anyhow::anyhow!("`{text}`: {why}"))?;
    let planner = CasePlanner::new(package, &recipe, engine);
    let request = planner.generator_request(&command).map_err(anyhow::Error::msg)?;
    Ok(recipe_command(&command, "", request, CaseArguments::default()))
}

fn recipe_command(
    command: &GeneratorCommand,
    case: &str,
    request: ProgramRequest,
    arguments: CaseArguments,
) -> RecipeCommand {
    RecipeCommand {
        case: case.to_owned(),
        text: command.text.trim().to_owned(),
        request,
        args: command.args_without_seed().to_vec(),
        seed: command.seed_place(),
        arguments,
    }
}

impl RecipeCommand {
    /// Whether both make the same kind of inputs for the same kind of cases.
    fn is_like(&self, other: &RecipeCommand) -> bool {
        self.text == other.text && self.arguments == other.arguments
    }
}
