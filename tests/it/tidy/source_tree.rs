//! Rust files as the checks look at them: what ships, without comments and literals, and what it defines.

use regex_lite::Regex;
use std::{
    fs,
    ops::Range,
    path::{Path, PathBuf},
    sync::OnceLock,
};
use walkdir::WalkDir;

/// Crates of several modules in layers; each of the others is one module.
const LAYERED: [&str; 7] = ["engine", "exchange", "judge", "kopek", "lab", "package", "plan"];

/// The sources of a crate.
pub struct SourceCrate {
    /// `crates/engine/src`.
    pub dir: String,
    /// `engine`; the command line is `kopek`.
    name: String,
    /// Its modules in the order of `lib.rs`; none if the crate is one module.
    pub layers: Vec<String>,
}

pub struct SourceFile {
    /// That of its crate, or the tests.
    pub dir: String,
    /// The module of a crate, or a crate that is one module.
    pub room: String,
    /// Below that.
    pub path: PathBuf,
    pub text: String,
    /// Without test modules: of the same length as `text`.
    pub shipped: String,
    /// Without comments and literals, too: of the same length.
    pub code: String,
}

pub struct Function {
    pub name: String,
    /// As they are written: a pattern and its type.
    pub parameters: Vec<String>,
    /// From `fn` to its last brace.
    pub range: Range<usize>,
}

pub fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// The crates of the workspace.
pub fn crates() -> &'static [SourceCrate] {
    static CRATES: OnceLock<Vec<SourceCrate>> = OnceLock::new();
    CRATES.get_or_init(|| {
        let below = fs::read_dir(root().join("crates")).unwrap();
        let mut names: Vec<String> =
            below.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
        names.sort();
        let mut crates: Vec<_> =
            names.iter().map(|name| SourceCrate::read(format!("crates/{name}/src"), name)).collect();
        crates.push(SourceCrate::read("src".to_owned(), "kopek"));
        crates
    })
}

impl SourceCrate {
    fn read(dir: String, name: &str) -> SourceCrate {
        let text = fs::read_to_string(root().join(&dir).join("lib.rs")).unwrap();
        let modules = text.lines().filter_map(|line| line.strip_prefix("pub mod ")?.strip_suffix(';'));
        let layers = match LAYERED.contains(&name) {
            true => modules.map(str::to_owned).collect(),
            false => Vec::new(),
        };
        SourceCrate { dir, name: name.to_owned(), layers }
    }

    fn files(&self) -> Vec<SourceFile> {
        let mut files = read_files(&self.dir);
        if self.layers.is_empty() {
            files.iter_mut().for_each(|file| file.room = self.name.clone());
        }
        files
    }
}

/// All files that ship.
pub fn sources() -> &'static [SourceFile] {
    static FILES: OnceLock<Vec<SourceFile>> = OnceLock::new();
    FILES.get_or_init(read_sources)
}

fn read_sources() -> Vec<SourceFile> {
    crates().iter().flat_map(|each| without_test_files(each.files())).collect()
}

/// Places and code of all tests, without comments and literals.
pub fn test_code() -> &'static [(String, String)] {
    static CODE: OnceLock<Vec<(String, String)>> = OnceLock::new();
    CODE.get_or_init(|| test_files().chain(test_modules()).collect())
}

fn test_files() -> impl Iterator<Item = (String, String)> {
    read_files("tests").into_iter().map(|file| (file.place(), file.code))
}

/// The tests that files of the crates hold.
fn test_modules() -> impl Iterator<Item = (String, String)> {
    let all = crates().iter().flat_map(SourceCrate::files);
    let shipped: Vec<String> = sources().iter().map(SourceFile::place).collect();
    all.map(move |file| {
        let is_shipped = shipped.contains(&file.place());
        (file.place(), if is_shipped { file.test_code() } else { file.code })
    })
}

fn read_files(dir: &str) -> Vec<SourceFile> {
    let src = root().join(dir);
    let entries = WalkDir::new(&src).sort_by_file_name().into_iter().map(Result::unwrap);
    let rust = entries.filter(|entry| entry.path().extension().is_some_and(|ending| ending == "rs"));
    let files = rust.map(|entry| {
        let text = fs::read_to_string(entry.path()).unwrap();
        SourceFile::new(dir, entry.path().strip_prefix(&src).unwrap(), &text)
    });
    files.collect()
}

/// A module that is declared for tests alone may be a file of its own.
fn without_test_files(files: Vec<SourceFile>) -> Vec<SourceFile> {
    let declared = Regex::new(r"#\[cfg\(test\)\]\s*(?:pub(?:\([a-z]+\))?\s+)?mod\s+(\w+)\s*;").unwrap();
    let tests: Vec<PathBuf> = files
        .iter()
        .flat_map(|file| {
            declared
                .captures_iter(&file.text)
                .map(|found| module_dir(&file.path).join(&found[1]))
                .collect::<Vec<_>>()
        })
        .collect();
    let is_test = |file: &SourceFile| tests.iter().any(|test| file.path.with_extension("") == *test);
    files.into_iter().filter(|file| !is_test(file)).collect()
}

/// Where the modules lie that a file declares.
pub fn module_dir(path: &Path) -> PathBuf {
    match path.file_name().is_some_and(|name| name == "mod.rs" || name == "lib.rs") {
        true => path.parent().unwrap().to_owned(),
        false => path.with_extension(""),
    }
}

impl SourceFile {
    pub fn new(dir: &str, path: &Path, text: &str) -> SourceFile {
        let (mut shipped, mut code) = (text.to_owned(), blank_literals(text));
        for range in test_items(&code) {
            shipped.replace_range(range.clone(), &blank(&text[range.clone()]));
            code.replace_range(range.clone(), &blank(&text[range]));
        }
        let first = Path::new(path.components().next().unwrap().as_os_str());
        let room = first.file_stem().unwrap().to_string_lossy().into_owned();
        SourceFile { dir: dir.to_owned(), room, path: path.to_owned(), text: text.to_owned(), shipped, code }
    }

    /// What only tests are made of, without comments and literals.
    pub fn test_code(&self) -> String {
        let all = blank_literals(&self.text);
        let tests = all.bytes().zip(self.code.bytes());
        let bytes = tests.map(|(byte, code)| if byte == b'\n' || code == b' ' { byte } else { b' ' });
        String::from_utf8_lossy(&bytes.collect::<Vec<u8>>()).into_owned()
    }

    /// Its path in the project.
    pub fn place(&self) -> String {
        Path::new(&self.dir).join(&self.path).display().to_string()
    }

    /// Its path from the room on: `sandbox/sys/raw.rs`.
    pub fn inner_path(&self) -> PathBuf {
        match self.path.starts_with(&self.room) || self.path.with_extension("") == Path::new(&self.room) {
            true => self.path.clone(),
            false => Path::new(&self.room).join(&self.path),
        }
    }

    /// Is it `place`, or below it? `sandbox/sys` is `sandbox/sys.rs` and all below `sandbox/sys/`.
    pub fn is_within(&self, place: &str) -> bool {
        let path = self.inner_path();
        path.starts_with(place) || path.with_extension("") == Path::new(place)
    }

    pub fn line_of(&self, at: usize) -> usize {
        self.text[..at].matches('\n').count() + 1
    }

    /// Functions that have a body.
    pub fn functions(&self) -> Vec<Function> {
        let heads = Regex::new(r"\bfn\s+(\w+)").unwrap();
        let function = |found: regex_lite::Captures| {
            let head = found.get(0).unwrap();
            let opens = find_top_level(&self.code, head.end(), b"{;")?;
            let range = head.start()..closing_brace(&self.code, opens) + 1;
            let parameters = parameters_of(&self.code[head.end()..opens]);
            let name = found[1].to_owned();
            (self.code.as_bytes()[opens] == b'{').then_some(Function { name, parameters, range })
        };
        heads.captures_iter(&self.code).filter_map(function).collect()
    }

    /// Names of methods in inherent `impl` blocks whose type is defined in another file.
    pub fn foreign_methods(&self) -> Vec<String> {
        let (heads, types) =
            (Regex::new(r"(?m)^impl\b(?:<[^{]*?>)? ([A-Z]\w*)([^{]*)\{").unwrap(), self.types());
        let is_foreign = |found: &regex_lite::Captures| {
            !found[0].contains(" for ") && !types.iter().any(|own| *own == found[1])
        };
        let blocks: Vec<Range<usize>> = heads
            .captures_iter(&self.code)
            .filter(is_foreign)
            .map(|found| {
                let head = found.get(0).unwrap();
                head.start()..closing_brace(&self.code, head.end() - 1)
            })
            .collect();
        let functions = self.functions().into_iter();
        let inside = functions.filter(|one| blocks.iter().any(|block| block.contains(&one.range.start)));
        inside.map(|function| function.name).collect()
    }

    /// Types, and where they are defined; not those that belong to a trait.
    pub fn types(&self) -> Vec<String> {
        let heads = r"(?m)\b(?:struct|enum|trait|union)\s+(\w+)|^(?:pub(?:\([^)]*\))? )?type\s+(\w+)";
        let named = |found: regex_lite::Captures| found.get(1).or(found.get(2)).unwrap().as_str().to_owned();
        Regex::new(heads).unwrap().captures_iter(&self.code).map(named).collect()
    }
}

/// The parameters of a signature, from behind its name on.
fn parameters_of(signature: &str) -> Vec<String> {
    let Some(opens) = outside_brackets(signature, '(').first().copied() else { return Vec::new() };
    let list = &signature[opens + 1..];
    let list = &list[..outside_brackets(list, ')').first().copied().unwrap_or(list.len())];
    let mut starts = vec![0];
    starts.extend(outside_brackets(list, ',').into_iter().map(|at| at + 1));
    let ends = starts.iter().skip(1).map(|start| start - 1).chain([list.len()]);
    let words = |text: &str| text.split_whitespace().collect::<Vec<_>>().join(" ");
    let all = starts.iter().zip(ends).map(|(&start, end)| words(&list[start..end]));
    all.filter(|parameter| !parameter.is_empty()).collect()
}

/// Positions of a character outside of brackets.
fn outside_brackets(text: &str, wanted: char) -> Vec<usize> {
    let (mut depth, mut before, mut found) = (0, ' ', Vec::new());
    for (at, c) in text.char_indices() {
        if depth == 0 && c == wanted {
            found.push(at);
        }
        depth += match c {
            '(' | '[' | '<' => 1,
            ')' | ']' => -1,
            '>' if before != '-' => -1,
            _ => 0,
        };
        before = c;
    }
    found
}

/// Items that are compiled for tests only, with their attributes.
fn test_items(code: &str) -> Vec<Range<usize>> {
    let mut items: Vec<Range<usize>> = Vec::new();
    for (start, mark) in code.match_indices("#[cfg(test)]") {
        if items.last().is_some_and(|last| last.contains(&start)) {
            continue;
        }
        let end = find_top_level(code, start + mark.len(), b"{;").unwrap_or(code.len() - 1);
        items.push(start..closing_brace(code, end) + 1);
    }
    items
}

/// The first of these characters outside of brackets.
fn find_top_level(code: &str, from: usize, wanted: &[u8]) -> Option<usize> {
    let mut depth = 0;
    for (at, byte) in code.bytes().enumerate().skip(from) {
        match byte {
            b'(' | b'[' => depth += 1,
            b')' | b']' => depth -= 1,
            _ if depth == 0 && wanted.contains(&byte) => return Some(at),
            _ => {}
        }
    }
    None
}

/// Where the brace is closed that opens at `start`; `start` itself if none opens there.
pub fn closing_brace(code: &str, start: usize) -> usize {
    let mut depth = 0;
    for (at, byte) in code.bytes().enumerate().skip(start) {
        depth += i32::from(byte == b'{') - i32::from(byte == b'}');
        if depth == 0 {
            return at;
        }
    }
    code.len() - 1
}

/// Spaces of the same length, with the same line ends.
fn blank(text: &str) -> String {
    text.bytes().map(|byte| if byte == b'\n' { '\n' } else { ' ' }).collect()
}

/// The text with comments and the contents of literals as blanks.
pub fn blank_literals(text: &str) -> String {
    // Raw strings first, then what may contain their beginning; a quote may open a lifetime instead.
    let literals = [
        r####"\bb?r###"(?s:.*?)"###|\bb?r##"(?s:.*?)"##|\bb?r#"(?s:.*?)"#|\bb?r"[^"]*""####,
        r"//[^\n]*|/\*(?s:.*?)\*/",
        r#"b?"(?:\\(?s:.)|[^"\\])*""#,
        r"b?'(?:\\[^\n]{1,8}?|[^\\'\n])'",
    ];
    let all = Regex::new(&literals.join("|")).unwrap();
    all.replace_all(text, |found: &regex_lite::Captures| blank(&found[0])).into_owned()
}
