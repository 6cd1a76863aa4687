//! A sandbox for tests that runs nothing: it reads the result of each run from the program's own text. A compiler does
//! what the first file in its box says.
//!
//! Each line of the text is a run, a list of items: `code 43, cpu 1200, write feedback/score.txt=7`. The first run of
//! the program takes the first line, the second run the second line, and further runs repeat the last line. Lines that
//! begin with `for WORD:` are for runs with that word as input or as an argument; these runs skip all other lines.
//!
//! | item | meaning | default |
//! |---|---|---|
//! | `code N`, `signal N`, `exceeded LIMIT` | exit | code 0 |
//! | `cpu N`, `wall N`, `unseen N` | milliseconds | 1, 1, 0 |
//! | `memory N` | MiB | 0 |
//! | `out TEXT`, `err TEXT` | standard output and error; `{input}` is its input, `{arg}` its first argument | empty |
//! | `write PATH=TEXT` | a file that it writes below `/box` | |
//! | `fault TEXT`, `stumbled TEXT`, `disturbed TEXT` | a fault instead of a result: the machine's, a trusted program's, a disturbance | |
//! | `says TEXT` | in a pair: its next message; the programs take turns, the first one begins | |
//! | `first` | in a pair, for the second program: it ends first | the first program does |
//!
//! `\n` in a text is a line end.

use super::fake_box::{box_files, captured_text, host_path, keep_file, stdin_bytes};
use kopek_base::Bytes;
use kopek_package::language::EXE;
use kopek_sandbox::{
    CapturedOutput, Exec, Exit, Fault, Limit, PairMember, PairMessage, PairOptions, PairResult,
    ReadOnlyMount, RunPrograms, RunResult, Usage,
};
use std::{
    collections::{BTreeMap, HashMap},
    fs,
    path::{Path, PathBuf},
    sync::{Arc, Mutex},
    time::Duration,
};

/// A place for scripted runs. Its clones share one count of runs.
#[derive(Clone)]
pub(super) struct ScriptedSandbox {
    state: Arc<Mutex<ScriptState>>,
    /// The text of the spin: a program that only takes `cpu`.
    spins: Arc<str>,
}

#[derive(Default)]
struct ScriptState {
    /// Runs so far, by text and word.
    runs: HashMap<(String, Option<String>), usize>,
    asked: Vec<AskedRun>,
    renewals: usize,
}

#[derive(Debug, Clone)]
pub(super) struct AskedRun {
    /// The file name of the program.
    pub program: String,
    pub exec: Exec,
    pub stdin: String,
    /// The contents of its arguments that are files outside its box.
    pub shown: Vec<String>,
    /// Its box when it began.
    pub files: BTreeMap<PathBuf, Vec<u8>>,
}

impl ScriptedSandbox {
    pub(super) fn new(spins: &str) -> ScriptedSandbox {
        ScriptedSandbox { state: Arc::default(), spins: spins.into() }
    }

    /// Forgets all runs so far.
    pub(super) fn forget(&self) {
        *self.state.lock().unwrap() = ScriptState::default();
    }

    /// All runs so far, in order; in a pair, the first program comes first.
    pub(super) fn asked(&self) -> Vec<AskedRun> {
        self.state.lock().unwrap().asked.clone()
    }

    /// The names of the programs that ran, in order.
    pub(super) fn names(&self) -> Vec<String> {
        self.asked().into_iter().map(|run| run.program).collect()
    }

    /// How often a program ran.
    pub(super) fn count(&self, program: &str) -> usize {
        self.names().iter().filter(|name| *name == program).count()
    }

    /// How often a worker was discarded.
    pub(super) fn renewals(&self) -> usize {
        self.state.lock().unwrap().renewals
    }

    fn start(&self, exec: &Exec) -> ScriptedRun {
        let (program, text) = program_of(exec);
        let stdin = String::from_utf8(stdin_bytes(exec).unwrap()).unwrap();
        let shown = shown_files(exec);
        let files = box_files(exec).unwrap();
        let words = [vec![stdin.trim().to_owned()], exec.argv[1..].to_vec()].concat();
        let items = self.next_line(&text, &words);
        let asked = AskedRun { program, exec: exec.clone(), stdin, shown, files };
        self.state.lock().unwrap().asked.push(asked.clone());
        ScriptedRun { items, asked }
    }

    /// The items of the next line for these words.
    fn next_line(&self, text: &str, words: &[String]) -> Vec<(String, String)> {
        let lines = text.lines().map(str::trim).filter(|line| !line.is_empty());
        let lines: Vec<(Option<&str>, &str)> = lines.map(split_word).collect();
        let is_for = |word: &str| lines.iter().any(|(of, _)| *of == Some(word));
        let word = words.iter().map(String::as_str).find(|word| is_for(word));
        let of_word: Vec<&str> = lines.iter().filter(|(of, _)| *of == word).map(|(_, line)| *line).collect();
        let mut state = self.state.lock().unwrap();
        let run = state.runs.entry((text.to_owned(), word.map(str::to_owned))).or_default();
        let line = of_word.get(*run).or(of_word.last()).copied().unwrap_or_default();
        *run += 1;
        let items = line.split(", ").filter(|item| !item.is_empty());
        items
            .map(|item| item.split_once(' ').unwrap_or((item, "")))
            .map(|(k, v)| (k.into(), v.into()))
            .collect()
    }
}

fn split_word(line: &str) -> (Option<&str>, &str) {
    match line.strip_prefix("for ").and_then(|rest| rest.split_once(':')) {
        Some((word, rest)) => (Some(word), rest.trim()),
        None => (None, line),
    }
}

/// The name of a program, and the text of its file.
fn program_of(exec: &Exec) -> (String, String) {
    let shown = exec.view.mounts.iter().find(|mount| mount.inside == Path::new(EXE));
    let Some(ReadOnlyMount { host, .. }) = shown else {
        let source = box_files(exec).unwrap().into_values().next().expect("a build has a source");
        return (exec.argv[0].clone(), String::from_utf8(source).unwrap());
    };
    let name = exec.argv[0].strip_prefix(EXE).expect("a scripted program is a file").trim_matches('/');
    (name.to_owned(), fs::read_to_string(host.join(name)).unwrap())
}

fn shown_files(exec: &Exec) -> Vec<String> {
    let paths = exec.argv[1..].iter().filter_map(|arg| host_path(exec, Path::new(arg)));
    paths.map(|path| fs::read_to_string(path).unwrap()).collect()
}

/// A run that uses a line.
struct ScriptedRun {
    items: Vec<(String, String)>,
    asked: AskedRun,
}

impl ScriptedRun {
    fn has(&self, item: &str) -> bool {
        self.items.iter().any(|(name, _)| name == item)
    }

    fn texts<'a>(&'a self, item: &'a str) -> impl Iterator<Item = String> + 'a {
        let arg = self.asked.exec.argv.get(1).map_or("", String::as_str);
        let text = move |text: &String| {
            text.replace("\\n", "\n").replace("{input}", &self.asked.stdin).replace("{arg}", arg)
        };
        self.items.iter().filter(move |(name, _)| name == item).map(move |(_, value)| text(value))
    }

    fn number(&self, item: &str) -> Option<u64> {
        self.texts(item).next().map(|text| text.parse().unwrap_or_else(|_| panic!("{item} {text}")))
    }

    fn captured(&self, item: &str) -> CapturedOutput {
        captured_text(&self.texts(item).collect::<String>()).unwrap()
    }

    fn exit(&self) -> Exit {
        if let Some(limit) = self.texts("exceeded").next() {
            let limits =
                [Limit::Cpu, Limit::Wall, Limit::Memory, Limit::Output, Limit::Files, Limit::Processes];
            let is_it = |one: &Limit| format!("{one:?}").to_lowercase() == limit;
            return Exit::Exceeded(limits.into_iter().find(is_it).expect("a limit"));
        }
        match self.number("signal") {
            Some(signal) => Exit::Signal(signal as i32),
            None => Exit::Code(self.number("code").unwrap_or(0) as i32),
        }
    }

    /// Returns its result, and writes the files that are kept.
    fn end(&self) -> Result<RunResult, Fault> {
        const ITEMS: &str =
            " code signal exceeded cpu wall unseen memory out err write fault stumbled disturbed says first ";
        let unknown = self.items.iter().find(|(name, _)| !ITEMS.contains(&format!(" {name} ")));
        assert!(unknown.is_none(), "{}: {unknown:?}", self.asked.program);
        let fault = self.texts("fault").next().map(Fault::new);
        let stumbled = self.texts("stumbled").next().map(Fault::of_trusted_program);
        let disturbed = self.texts("disturbed").next().map(Fault::undecided);
        if let Some(fault) = fault.or(stumbled).or(disturbed) {
            return Err(fault);
        }
        self.keep_files();
        let time = |item| self.number(item).map(Duration::from_millis);
        let millisecond = Duration::from_millis(1);
        let usage = Usage {
            cpu: time("cpu").unwrap_or(millisecond),
            wall: time("wall").unwrap_or(millisecond),
            memory: Bytes::mib(self.number("memory").unwrap_or(0)),
            ..Usage::default()
        };
        Ok(RunResult {
            exit: self.exit(),
            usage,
            unseen: time("unseen").unwrap_or_default(),
            stdout: self.captured("out"),
            stderr: self.captured("err"),
            notes: Vec::new(),
        })
    }

    fn keep_files(&self) {
        let mut files = self.asked.files.clone();
        for written in self.texts("write") {
            let (path, text) = written.split_once('=').expect("`write PATH=TEXT`");
            files.insert(path.into(), text.into());
        }
        for (path, bytes) in &files {
            keep_file(&self.asked.exec, path, bytes).unwrap();
        }
    }
}

impl RunPrograms for ScriptedSandbox {
    fn run(&mut self, exec: &Exec) -> Result<RunResult, Fault> {
        self.start(exec).end()
    }

    fn run_pair(&mut self, first: &Exec, second: &Exec, _: PairOptions) -> Result<PairResult, Fault> {
        let first = self.start(first);
        let second = self.start(second);
        Ok(PairResult {
            first_to_end: if second.has("first") { PairMember::Second } else { PairMember::First },
            transcript: transcript_of(&first, &second),
            first: first.end()?,
            second: second.end()?,
        })
    }

    fn renew_worker(&mut self) {
        self.state.lock().unwrap().renewals += 1;
    }

    fn pin_thread(&self) -> Result<(), Fault> {
        Ok(())
    }

    fn time_spin(&mut self) -> Duration {
        let items = self.next_line(&self.spins, &[]);
        let time = items.iter().find(|(item, _)| item == "cpu").expect("a spin takes CPU time");
        Duration::from_millis(time.1.parse().unwrap())
    }
}

fn transcript_of(first: &ScriptedRun, second: &ScriptedRun) -> Vec<PairMessage> {
    let mut of_first = first.texts("says");
    let mut of_second = second.texts("says");
    let mut messages = Vec::new();
    loop {
        let pair = [(PairMember::First, of_first.next()), (PairMember::Second, of_second.next())];
        if pair.iter().all(|(_, text)| text.is_none()) {
            return messages;
        }
        for (speaker, text) in pair {
            let at = Duration::from_millis(messages.len() as u64);
            messages.extend(text.map(|text| PairMessage { speaker, at, bytes: text.into() }));
        }
    }
}
