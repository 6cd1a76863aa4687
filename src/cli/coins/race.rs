//! `kopek coins race`: the engines side by side on one random row.

use super::{Seats, random_row, table};
use crate::coins::layers::{Engine, Instructions, Number, Shape, states};
use crate::coins::{Game, guaranteed, many_players, moves};
use anyhow::{Result, ensure};
use indicatif::ProgressBar;
use std::time::{Duration, Instant};

/// Arguments of `kopek coins race`.
#[derive(clap::Args)]
pub struct Args {
    /// Number of coins
    #[arg(short = 'n', long, default_value_t = 5_000, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=10_000_000))]
    number: u32,
    #[command(flatten)]
    seats: Seats,
    /// Greatest coin
    #[arg(long, default_value_t = 1023, value_parser = clap::value_parser!(i64).range(0..=1_000_000_000))]
    greatest: i64,
    /// Seed of the row
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Leave out engines that would take longer than about this many seconds
    #[arg(long, default_value_t = 10.0, value_name = "SECONDS")]
    patience: f64,
}

/// A way to the value and about how many nanoseconds it takes per step.
struct Runner {
    name: String,
    expected: Duration,
    run: Box<dyn Fn(&Game) -> i64>,
}

/// Tables of n² cells are raced up to this many coins.
const TABLE_COINS: usize = 8_000;

/// Does it.
pub fn run(args: Args) -> Result<()> {
    let game = args.seats.game(random_row(args.number as usize, args.greatest, args.seed))?;
    let right = guaranteed(&game);
    println!(
        "n = {}, m = {}, k = {}: {} states, value {right}",
        args.number,
        game.players(),
        game.me(),
        states(&game)
    );
    if cfg!(debug_assertions) {
        println!("(built without optimisation: these times say little)");
    }
    let mut table = table::plain(&["engine", "ms", "ns per state", "times the first"]);
    let mut slowest = None;
    let runners = runners(&game);
    let bar = ProgressBar::new(runners.len() as u64);
    for runner in runners {
        bar.set_message(runner.name.clone());
        if runner.expected.as_secs_f64() > args.patience {
            table.add_row([runner.name, "left out".into(), String::new(), String::new()]);
            continue;
        }
        let (value, time) = timed(&runner, &game);
        ensure!(value == right, "the engine {} says {value}, the others {right}", runner.name);
        let first = *slowest.get_or_insert(time);
        let per_state = time.as_nanos() as f64 / states(&game).max(1) as f64;
        let ratio = first.as_secs_f64() / time.as_secs_f64();
        table.add_row([
            runner.name,
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

/// The median of three runs; of quick ones, of up to 30.
fn timed(runner: &Runner, game: &Game) -> (i64, Duration) {
    let (mut times, mut value, begin) = (Vec::new(), 0, Instant::now());
    while times.len() < 3 || (times.len() < 30 && begin.elapsed() < Duration::from_millis(200)) {
        let start = Instant::now();
        value = (runner.run)(game);
        times.push(start.elapsed());
        if start.elapsed() > Duration::from_secs(1) {
            break;
        }
    }
    times.sort_unstable();
    (value, times[times.len() / 2])
}

/// Slowest first.
fn runners(game: &Game) -> Vec<Runner> {
    let n = game.coins().len() as f64;
    let steps = n * n / 2.0;
    let mut runners = Vec::new();
    if game.coins().len() <= TABLE_COINS {
        runners.push(runner("recursion with a table", 20.0 * steps, many_players::recursion));
        runners.push(runner("table by length", 10.0 * steps, many_players::bottom_up));
    }
    runners.push(runner("single moves", steps, moves::guaranteed));
    for engine in engines() {
        if engine.suits(game) {
            let nanoseconds = if engine.shape == Shape::Scalar { 9.0 } else { 0.6 };
            let run = move |game: &Game| engine.value(game, &|_| {});
            runners.push(runner(&engine.to_string(), nanoseconds * states(game) as f64, run));
        }
    }
    let choice = match game.players() {
        1 => "sum".to_string(),
        2 => "Idziaszek".to_string(),
        _ => format!("chosen: {}", Engine::choose(game)),
    };
    runners.push(runner(&choice, 0.0, guaranteed));
    runners
}

fn runner(name: &str, nanoseconds: f64, run: impl Fn(&Game) -> i64 + 'static) -> Runner {
    Runner { name: name.to_string(), expected: Duration::from_nanos(nanoseconds as u64), run: Box::new(run) }
}

/// One engine of each kind.
fn engines() -> Vec<Engine> {
    let threads = std::thread::available_parallelism().map_or(1, |count| count.get());
    let tiles = Shape::Tiles { width: 2048, block: 64 };
    let transposed = Shape::Transposed { rows: 128, block: 192 };
    let mut engines = Vec::new();
    for shape in [Shape::Scalar, Shape::Sweep, tiles, transposed] {
        for instructions in Instructions::ALL {
            for number in [Number::I64, Number::F64, Number::I32, Number::F32] {
                engines.push(Engine { number, instructions, shape, threads: 1 });
            }
        }
    }
    for shape in [tiles, transposed] {
        engines.push(Engine { number: Number::I32, instructions: Instructions::Avx512, shape, threads });
        engines.push(Engine { number: Number::I32, instructions: Instructions::Avx2, shape, threads });
        engines.push(Engine { number: Number::F32, instructions: Instructions::Portable, shape, threads });
    }
    engines.retain(|engine| engine.threads == 1 || threads > 1);
    engines.dedup();
    engines
}
