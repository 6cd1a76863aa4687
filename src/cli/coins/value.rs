//! `kopek coins value`: reads what a problem's solution reads, writes what it should write.

use super::Seats;
use super::tokens::Tokens;
use crate::coins::forest::{Component, Kind, Outcome, rows_and_stacks};
use crate::coins::game::GameError;
use crate::coins::verified::verified;
use crate::coins::{Game, brute, guaranteed_watched, layers, row, smart_dumb};
use anyhow::{Context as _, Result, bail, ensure};
use clap::ValueEnum;
use indicatif::{ProgressBar, ProgressStyle};
use std::fmt::Write as _;
use std::io::{Read as _, Write as _};

/// Arguments of `kopek coins value`.
#[derive(clap::Args)]
pub struct Args {
    /// The game, by its problem's name
    #[arg(value_enum)]
    game: Name,
    /// A row of coins, instead of the problem's input on stdin
    #[arg(allow_negative_numbers = true)]
    coins: Vec<i64>,
    #[command(flatten)]
    seats: Seats,
    /// Fail unless independent (slow) solvers agree
    #[arg(long)]
    verify: bool,
}

/// A game with an input format.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Name {
    /// Player k among m: `t`, then `n m k` and n coins for each case
    #[value(alias = "many-players")]
    FromRussiaWithLove,
    /// First of two players: `t`, then `n` and n coins for each case
    #[value(alias = "two-players")]
    BurningCoins,
    /// Both scores of two players: `n` and n coins
    #[value(alias = "both-scores", alias = "a-game-files")]
    AGame,
    /// First of two players, even rows: `n` and n coins
    #[value(alias = "even-rows")]
    OptimalStrategy,
    /// First player with a helping and against a hostile second: `t`, then `n` and n coins
    SmartAndDumb,
    /// First of two players, coins of any sign: `n` and n coins
    RemovalGame,
    /// First of two players, long rows: `t`, then `n` and n coins for each case
    CoinsInARow,
    /// Rows and stacks: `c`, then `R` or `S`, a length and that many coins (a stack top first)
    RowsAndStacks,
}

/// Does it.
pub fn run(args: Args) -> Result<()> {
    let answers = if args.coins.is_empty() {
        let mut text = String::new();
        std::io::stdin().read_to_string(&mut text).context("read the input from stdin")?;
        answers(args.game, &mut Tokens::new(&text), args.verify).context("read the problem's input")?
    } else {
        answer(args.game, args.coins, args.seats, args.verify)?
    };
    std::io::stdout().write_all(answers.as_bytes()).context("write the answers")
}

/// The expected output for a whole input.
fn answers(game: Name, input: &mut Tokens<'_>, verify: bool) -> Result<String> {
    let cases = match game {
        Name::FromRussiaWithLove | Name::BurningCoins | Name::SmartAndDumb | Name::CoinsInARow => {
            input.number::<usize>("the number of cases")?
        }
        Name::AGame | Name::OptimalStrategy | Name::RemovalGame | Name::RowsAndStacks => 1,
    };
    let mut answers = String::new();
    for case in 1..=cases {
        answers += &one(game, input, verify).with_context(|| format!("case {case} of {cases}"))?;
    }
    input.end()?;
    Ok(answers)
}

/// The expected output for the next case of an input.
fn one(game: Name, input: &mut Tokens<'_>, verify: bool) -> Result<String> {
    if game == Name::RowsAndStacks {
        return forest(&components(input)?, verify);
    }
    let count = input.number("the number of coins")?;
    let mut seats = Seats { players: 2, me: 0 };
    if game == Name::FromRussiaWithLove {
        seats = Seats { players: input.number("the number of players")?, me: input.number("a player")? };
    }
    answer(game, input.coins(count)?, seats, verify)
}

/// The expected output for one row.
fn answer(game: Name, coins: Vec<i64>, seats: Seats, verify: bool) -> Result<String> {
    if game == Name::RowsAndStacks {
        bail!("rows and stacks do not fit on the command line: give the problem's input on stdin");
    }
    let rule = GameError::OutsideTheRules("this game is played on an even number of coins");
    ensure!(game != Name::OptimalStrategy || coins.len().is_multiple_of(2), rule);
    let seats = if game == Name::FromRussiaWithLove { seats } else { Seats { players: 2, me: 0 } };
    let table = seats.game(coins)?;
    if verify {
        verified(&table)?;
    }
    Ok(match game {
        Name::FromRussiaWithLove => format!("{}\n", watched(&table)),
        Name::AGame => {
            let scores = row::two_players(table.coins())?;
            format!("{} {}\n", scores.first, scores.second)
        }
        Name::SmartAndDumb => {
            let smart = smart_dumb::smart_dumb(table.coins())?;
            format!("{} {}\n", smart.helped, smart.hostile)
        }
        Name::BurningCoins | Name::OptimalStrategy | Name::RemovalGame | Name::CoinsInARow => {
            format!("{}\n", row::two_players(table.coins())?.first)
        }
        Name::RowsAndStacks => String::new(),
    })
}

/// `c`, then that many rows and stacks.
fn components(input: &mut Tokens<'_>) -> Result<Vec<Component>> {
    let count: usize = input.number("the number of rows and stacks")?;
    let mut components = Vec::new();
    for at in 1..=count {
        let kind = match input.word(&format!("`R` or `S` of component {at}"))? {
            "R" => Kind::Row,
            "S" => Kind::StackTopFirst,
            word => bail!("line {}: component {at} begins with `{word}`, not with `R` or `S`", input.line()),
        };
        let coins = input.row().with_context(|| format!("component {at} of {count}"))?;
        components.push(Component { kind, coins });
    }
    Ok(components)
}

fn forest(components: &[Component], verify: bool) -> Result<String> {
    let Outcome { advantage, winnings } = rows_and_stacks(components)?;
    if verify {
        let tree = brute::forest_tree(components);
        let tree = tree.with_context(|| {
            format!("rows and stacks are verified by their game tree, up to {} coins", brute::FOREST_COINS)
        })?;
        ensure!(tree == advantage, "solvers disagree: fusion says {advantage}, the game tree {tree}");
    }
    let mut line = String::new();
    writeln!(line, "{advantage} {winnings}")?;
    Ok(line)
}

/// From this many states on, a bar tells how far the layers are.
const SLOW: u64 = 1_000_000_000;

/// The value; progress on stderr if it takes long and somebody sees it.
fn watched(game: &Game) -> i64 {
    let states = layers::states(game);
    if states < SLOW {
        return guaranteed_watched(game, &|_| {});
    }
    let bar = ProgressBar::new(states);
    if let Ok(style) = ProgressStyle::with_template("{bar:40} {percent}% of {human_len} states, {eta} left") {
        bar.set_style(style);
    }
    let value = guaranteed_watched(game, &|states| bar.inc(states));
    bar.finish_and_clear();
    value
}
