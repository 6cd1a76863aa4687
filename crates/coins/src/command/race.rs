//! `kopek-coins race`: the engines side by side on one random row.

use super::row_arguments::{PlayersArgs, random_row};
use super::row_drawing;
use anyhow::{Result, ensure};
use indicatif::ProgressBar;
use kopek_coins::layers::{Instructions, LayerEngine, NumberType, Shape, count_states};
use kopek_coins::{Game, guaranteed_winnings, many_players, single_moves};
use std::time::{Duration, Instant};

#[derive(clap::Args)]
pub(super) struct Args {
    /// Number of coins
    #[arg(short = 'n', long, default_value_t = 5_000, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=10_000_000))]
    number: u32,
    #[command(flatten)]
    players: PlayersArgs,
    /// Largest coin
    #[arg(long, default_value_t = 1023, value_parser = clap::value_parser!(i64).range(0..=1_000_000_000))]
    greatest: i64,
    /// Random seed of the row
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Skip solvers that would take longer than this
    #[arg(long, default_value_t = 10.0, value_name = "SECONDS")]
    patience: f64,
}

/// A way to the value, and about how long it takes.
struct RaceEntry {
    name: String,
    expected: Duration,
    run: Box<dyn Fn(&Game) -> i64>,
}

/// Tables of n² cells are raced up to this many coins.
const TABLE_COINS: usize = 8_000;

pub(super) fn run(args: Args) -> Result<()> {
    let game = args.players.game_on(random_row(args.number as usize, args.greatest, args.seed))?;
    let right = guaranteed_winnings(&game);
    println!(
        "n = {}, m = {}, k = {}: {} states, value {right}",
        args.number,
        game.players(),
        game.me(),
        count_states(&game)
    );
    if cfg!(debug_assertions) {
        println!("(built without optimisation: these times say little)");
    }
    let mut table = row_drawing::new_table(&["engine", "ms", "ns per state", "times the first"]);
    let mut slowest = None;
    let entries = race_entries(&game);
    let bar = ProgressBar::new(entries.len() as u64);
    for entry in entries {
        bar.set_message(entry.name.clone());
        if entry.expected.as_secs_f64() > args.patience {
            table.add_row([entry.name, "left out".into(), String::new(), String::new()]);
            continue;
        }
        let (value, time) = median_time(&entry, &game);
        ensure!(value == right, "the engine {} says {value}, the others {right}", entry.name);
        let first = *slowest.get_or_insert(time);
        let per_state = time.as_nanos() as f64 / count_states(&game).max(1) as f64;
        let ratio = first.as_secs_f64() / time.as_secs_f64();
        table.add_row([
            entry.name,
            format!("{:.4}", time.as_secs_f64() * 1e3),
            format!("{per_state:.4}"),
            format!("{ratio:.1}"),
        ]);
        bar.inc(1);
    }
    bar.finish_and_clear();
    println!("{}", table.trim_fmt());
    Ok(())
}

/// The value and the median of three runs; of quick ones, of up to 30.
fn median_time(entry: &RaceEntry, game: &Game) -> (i64, Duration) {
    let (mut times, mut value, begin) = (Vec::new(), 0, Instant::now());
    while times.len() < 3 || (times.len() < 30 && begin.elapsed() < Duration::from_millis(200)) {
        let start = Instant::now();
        value = (entry.run)(game);
        times.push(start.elapsed());
        if start.elapsed() > Duration::from_secs(1) {
            break;
        }
    }
    times.sort_unstable();
    (value, times[times.len() / 2])
}

/// All solvers for the game, the slowest first: the table compares each with the first.
fn race_entries(game: &Game) -> Vec<RaceEntry> {
    let n = game.coins().len() as f64;
    let steps = n * n / 2.0;
    let mut entries = Vec::new();
    if game.coins().len() <= TABLE_COINS {
        entries.push(new_entry("recursion with a table", 20.0 * steps, many_players::by_recursion));
        entries.push(new_entry("table by length", 10.0 * steps, many_players::bottom_up));
    }
    entries.push(new_entry("single moves", steps, single_moves::guaranteed_by_moves));
    for engine in all_engines() {
        if engine.suits(game) {
            let nanoseconds = if engine.shape == Shape::Scalar { 9.0 } else { 0.6 };
            let run = move |game: &Game| engine.value(game, &|_| {});
            entries.push(new_entry(&engine.to_string(), nanoseconds * count_states(game) as f64, run));
        }
    }
    let choice = match game.players() {
        1 => "sum".to_string(),
        2 => "Idziaszek".to_string(),
        _ => format!("chosen: {}", LayerEngine::choose(game)),
    };
    entries.push(new_entry(&choice, 0.0, guaranteed_winnings));
    entries
}

fn new_entry(name: &str, nanoseconds: f64, run: impl Fn(&Game) -> i64 + 'static) -> RaceEntry {
    RaceEntry {
        name: name.to_string(),
        expected: Duration::from_nanos(nanoseconds as u64),
        run: Box::new(run),
    }
}

/// One engine of each kind.
fn all_engines() -> Vec<LayerEngine> {
    let threads = std::thread::available_parallelism().map_or(1, |count| count.get());
    let tiles = Shape::Tiles { width: 2048, block: 64 };
    let transposed = Shape::Transposed { rows: 128, block: 192 };
    let mut engines = Vec::new();
    for shape in [Shape::Scalar, Shape::Sweep, tiles, transposed] {
        for instructions in Instructions::ALL {
            for number in [NumberType::I64, NumberType::F64, NumberType::I32, NumberType::F32] {
                engines.push(LayerEngine { number, instructions, shape, threads: 1 });
            }
        }
    }
    for shape in [tiles, transposed] {
        engines.push(LayerEngine {
            number: NumberType::I32,
            instructions: Instructions::Avx512,
            shape,
            threads,
        });
        engines.push(LayerEngine {
            number: NumberType::I32,
            instructions: Instructions::Avx2,
            shape,
            threads,
        });
        engines.push(LayerEngine {
            number: NumberType::F32,
            instructions: Instructions::Portable,
            shape,
            threads,
        });
    }
    engines.retain(|engine| engine.threads == 1 || threads > 1);
    engines.dedup();
    engines
}
