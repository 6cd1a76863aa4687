//! Plays the others against the submission, as badly for it as can be, and watches what it wins.
//!
//! `referee INPUT ANSWER FEEDBACK_DIR/ < moves > questions`; ends with 42 (every game was won as far as
//! it could be), 43 (a coin less, a word that is no move, or silence), 1 (the judge's own fault).

use std::io::{BufRead, Write};
use std::process::exit;

fn main() {
    let args: Vec<String> = std::env::args().collect();
    let [_, input, _, feedback, ..] = &args[..] else {
        fail("want: INPUT ANSWER FEEDBACK_DIR");
    };
    let text = std::fs::read_to_string(input).unwrap_or_else(|error| fail(&format!("{input}: {error}")));
    let mut referee = Referee { feedback: feedback.clone(), moves: std::io::stdin().lock().lines() };
    let mut numbers = text
        .split_ascii_whitespace()
        .map(|word| word.parse::<usize>().unwrap_or_else(|_| fail("input: not a number")));
    let mut next = || numbers.next().unwrap_or_else(|| fail("input: too short"));
    let games = next();
    referee.say(&games.to_string());
    for number in 1..=games {
        let (n, m, k) = (next(), next(), next());
        let x: Vec<usize> = (0..n).map(|_| next()).collect();
        referee.play(number, &Game::new(x, m, k));
    }
    if let Some(Ok(line)) = referee.moves.next() {
        referee.refuse(&format!("after the last game: still says {line:?}"));
    }
    referee.end(42, &format!("{games} games, all won as far as possible"));
}

fn fail(why: &str) -> ! {
    eprintln!("referee: {why}");
    exit(1)
}

struct Game {
    x: Vec<usize>,
    m: usize,
    k: usize,
    /// `worth[length][i]`: what p_k still gets from the coins `i..i + length`.
    worth: Vec<Vec<usize>>,
}

impl Game {
    fn new(x: Vec<usize>, m: usize, k: usize) -> Game {
        let n = x.len();
        let mut worth = vec![vec![0; n + 1]];
        for length in 1..=n {
            let shorter = &worth[length - 1];
            let mine = (n - length) % m == k;
            let row = (0..=n - length)
                .map(|i| match mine {
                    true => (x[i] + shorter[i + 1]).max(x[i + length - 1] + shorter[i]),
                    false => shorter[i + 1].min(shorter[i]),
                })
                .collect();
            worth.push(row);
        }
        Game { x, m, k, worth }
    }

    fn mine(&self, length: usize) -> bool {
        (self.x.len() - length) % self.m == self.k
    }

    /// The others' move: one that is worst for p_k; of two such the one after which p_k would do
    /// wrong to take the larger coin, else one by lot that depends on nothing but the position.
    fn takes_left(&self, i: usize, length: usize) -> bool {
        let (left, right) = (self.worth[length - 1][i + 1], self.worth[length - 1][i]);
        if left != right {
            return left < right;
        }
        match (self.tempts(i + 1, length - 1), self.tempts(i, length - 1)) {
            (true, false) => true,
            (false, true) => false,
            _ => lot((i * 1009 + length) as u64 ^ self.x[i] as u64),
        }
    }

    fn tempts(&self, i: usize, length: usize) -> bool {
        if length < 2 || !self.mine(length) {
            return false;
        }
        let (a, b) = (self.x[i], self.x[i + length - 1]);
        let (left, right) = (a + self.worth[length - 1][i + 1], b + self.worth[length - 1][i]);
        if a > b { left < right } else { b > a && right < left }
    }
}

/// One bit of SplitMix64.
fn lot(seed: u64) -> bool {
    let z = seed.wrapping_add(0x9E37_79B9_7F4A_7C15);
    let z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    let z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
    (z ^ (z >> 31)) & 1 == 1
}

struct Referee {
    feedback: String,
    moves: std::io::Lines<std::io::StdinLock<'static>>,
}

impl Referee {
    fn play(&mut self, number: usize, game: &Game) {
        let (mut i, mut length, mut won) = (0, game.x.len(), 0);
        let mut since = String::new();
        let words: Vec<String> = game.x.iter().map(usize::to_string).collect();
        self.say(&format!("{} {} {}\n{}", length, game.m, game.k, words.join(" ")));
        while length > 0 {
            let left = if game.mine(length) {
                self.say(if since.is_empty() { "-" } else { &since });
                since.clear();
                let left = self.hear(number);
                won += game.x[if left { i } else { i + length - 1 }];
                left
            } else {
                let left = game.takes_left(i, length);
                since.push(if left { 'L' } else { 'R' });
                left
            };
            i += usize::from(left);
            length -= 1;
        }
        self.say(".");
        let sure = game.worth[game.x.len()][0];
        if won < sure {
            self.refuse(&format!("game {number}: won {won}, and {sure} could be had"));
        }
    }

    fn say(&self, line: &str) {
        let mut out = std::io::stdout().lock();
        if writeln!(out, "{line}").and_then(|()| out.flush()).is_err() {
            self.refuse("the program does not listen any more");
        }
    }

    fn hear(&mut self, number: usize) -> bool {
        match self.moves.next() {
            Some(Ok(line)) => match line.trim_end() {
                "L" => true,
                "R" => false,
                _ => {
                    let start: String = line.chars().take(40).collect();
                    self.refuse(&format!("game {number}: {start:?} is no move"))
                }
            },
            _ => self.refuse(&format!("game {number}: no move comes")),
        }
    }

    fn refuse(&self, why: &str) -> ! {
        self.end(43, why)
    }

    fn end(&self, code: i32, message: &str) -> ! {
        let path = format!("{}judgemessage.txt", self.feedback);
        if let Err(error) = std::fs::write(&path, format!("{message}\n")) {
            fail(&format!("{path}: {error}"));
        }
        exit(code)
    }
}
