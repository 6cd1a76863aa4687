//! `kopek-coins value`: reads what a problem's solution reads, writes what it should write.

use super::input_words::Tokens;
use super::row_arguments::PlayersArgs;
use anyhow::{Context as _, Result, bail, ensure};
use clap::ValueEnum;
use kopek_coins::forest::{Component, ComponentKind, ForestValue, forest_value};
use kopek_coins::verified::verified_winnings;
use kopek_coins::{brute, guaranteed_winnings, row_fusion, smart_dumb};
use std::io::{Read as _, Write as _};

#[derive(clap::Args)]
pub(super) struct Args {
    /// Game, by the name of its problem
    #[arg(value_enum)]
    game: GameName,
    /// Row of coins [default: the problem's input on stdin]
    #[arg(allow_negative_numbers = true)]
    coins: Vec<i64>,
    #[command(flatten)]
    players: PlayersArgs,
    /// Fail unless independent, slow solvers agree
    #[arg(long)]
    verify: bool,
}

/// A game with an input format.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum GameName {
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

/// Which game to answer, and whether independent solvers must agree.
#[derive(Clone, Copy)]
struct Answerer {
    game: GameName,
    verify: bool,
}

const TWO_PLAYERS: PlayersArgs = PlayersArgs { players: 2, me: 0 };

pub(super) fn run(args: Args) -> Result<()> {
    let answerer = Answerer { game: args.game, verify: args.verify };
    let answers = if args.coins.is_empty() {
        let mut text = String::new();
        std::io::stdin().read_to_string(&mut text).context("read the input from stdin")?;
        answerer.answer_input(&mut Tokens::new(&text)).context("read the problem's input")?
    } else {
        answerer.answer_row(args.coins, args.players)?
    };
    std::io::stdout().write_all(answers.as_bytes()).context("write the answers")
}

impl Answerer {
    /// The expected output for a whole input.
    fn answer_input(self, input: &mut Tokens<'_>) -> Result<String> {
        let cases = match self.game {
            GameName::FromRussiaWithLove
            | GameName::BurningCoins
            | GameName::SmartAndDumb
            | GameName::CoinsInARow => input.next_number::<usize>("the number of cases")?,
            GameName::AGame | GameName::OptimalStrategy | GameName::RemovalGame | GameName::RowsAndStacks => {
                1
            }
        };
        let mut answers = String::new();
        for case in 1..=cases {
            answers += &self.answer_next_case(input).with_context(|| format!("case {case} of {cases}"))?;
        }
        input.expect_end()?;
        Ok(answers)
    }

    fn answer_next_case(self, input: &mut Tokens<'_>) -> Result<String> {
        if self.game == GameName::RowsAndStacks {
            return self.answer_forest(&next_components(input)?);
        }
        let count = input.next_number("the number of coins")?;
        let mut players = TWO_PLAYERS;
        if self.game == GameName::FromRussiaWithLove {
            players.players = input.next_number("the number of players")?;
            players.me = input.next_number("a player")?;
        }
        self.answer_row(input.next_coins(count)?, players)
    }

    /// The expected output for one row; only one of the games looks at the players.
    fn answer_row(self, coins: Vec<i64>, players: PlayersArgs) -> Result<String> {
        if self.game == GameName::RowsAndStacks {
            bail!("rows and stacks do not fit on the command line: give the problem's input on stdin");
        }
        ensure!(
            self.game != GameName::OptimalStrategy || coins.len().is_multiple_of(2),
            "this game is played on an even number of coins"
        );
        let players = if self.game == GameName::FromRussiaWithLove { players } else { TWO_PLAYERS };
        let game = players.game_on(coins)?;
        if self.verify {
            verified_winnings(&game)?;
        }
        // The answers themselves come from the fast solvers, verified or not: equal output either way.
        Ok(match self.game {
            GameName::FromRussiaWithLove => format!("{}\n", guaranteed_winnings(&game)),
            GameName::AGame => {
                let scores = row_fusion::two_player_scores(game.coins())?;
                format!("{} {}\n", scores.first, scores.second)
            }
            GameName::SmartAndDumb => {
                let scores = smart_dumb::smart_dumb_scores(game.coins())?;
                format!("{} {}\n", scores.helped, scores.hostile)
            }
            GameName::BurningCoins
            | GameName::OptimalStrategy
            | GameName::RemovalGame
            | GameName::CoinsInARow => {
                format!("{}\n", row_fusion::two_player_scores(game.coins())?.first)
            }
            GameName::RowsAndStacks => String::new(),
        })
    }

    fn answer_forest(self, components: &[Component]) -> Result<String> {
        let ForestValue { advantage, winnings } = forest_value(components)?;
        if self.verify {
            let tree = brute::forest_tree_value(components).with_context(|| {
                let max = brute::FOREST_COINS;
                format!("rows and stacks are verified by their game tree, up to {max} coins")
            })?;
            ensure!(tree == advantage, "solvers disagree: fusion says {advantage}, the game tree {tree}");
        }
        Ok(format!("{advantage} {winnings}\n"))
    }
}

/// `c`, then that many rows and stacks.
fn next_components(input: &mut Tokens<'_>) -> Result<Vec<Component>> {
    let count: usize = input.next_number("the number of rows and stacks")?;
    let mut components = Vec::new();
    for at in 1..=count {
        let kind = match input.next_word(&format!("`R` or `S` of component {at}"))? {
            "R" => ComponentKind::Row,
            "S" => ComponentKind::StackTopFirst,
            word => bail!("line {}: component {at} begins with `{word}`, not with `R` or `S`", input.line()),
        };
        let coins = input.next_row().with_context(|| format!("component {at} of {count}"))?;
        components.push(Component { kind, coins });
    }
    Ok(components)
}
