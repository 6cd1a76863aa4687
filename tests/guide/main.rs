//! The commands of the README and the guide do what the pages say, and print what they show.
//!
//! In a `console` block, a line with `$` is run, and the lines below it are output: all of them must be printed, in this
//! order; `…` means that lines, or the end of a line, are left out. Times and sizes may differ. `# exit code 1` behind a command is
//! checked. A block whose first line names a file behind its language, as in "```yaml sums/problem.yaml", is that file for
//! the commands below it. `KOPEK_UPDATE_PAGES=1` puts the whole output where a page is stale.
#![allow(clippy::disallowed_methods, reason = "tests start programs and threads, and read their settings")]

use regex_lite::Regex;
use std::{
    collections::BTreeSet,
    env,
    fmt::Write as _,
    fs,
    io::{self, Write as _},
    os::unix::fs::symlink,
    path::{Path, PathBuf},
    process::Command,
    sync::LazyLock,
};

/// A line of a page.
enum Line {
    /// Any other line.
    Text(String),
    /// A command, and the output that is shown for it.
    Command { line: String, shown: Vec<String> },
    /// The first line of a block that is a file, and the file's lines.
    File { fence: String, contents: Vec<String> },
}

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// The README, then the chapters of the guide in its order.
fn pages() -> Vec<PathBuf> {
    let summary = fs::read_to_string(root().join("docs/SUMMARY.md")).unwrap();
    let link = Regex::new(r"\]\(([^)]+\.md)\)").unwrap();
    let chapters = link.captures_iter(&summary).map(|found| root().join("docs").join(&found[1]));
    [root().join("README.md")].into_iter().chain(chapters).collect()
}

fn parse(page: &str) -> Vec<Line> {
    let mut lines = Vec::new();
    let mut in_console = false;
    let mut in_file = false;
    for line in page.lines() {
        // Blocks in lists are indented.
        let inner = line.trim_start();
        let fence = inner.starts_with("```");
        if fence {
            in_console = inner == "```console";
            in_file = named_file(inner).is_some();
        }
        match lines.last_mut() {
            _ if fence && in_file => lines.push(Line::File { fence: line.into(), contents: Vec::new() }),
            Some(Line::File { contents, .. }) if in_file => contents.push(line.into()),
            _ if in_console && inner.starts_with("$ ") => {
                lines.push(Line::Command { line: line.into(), shown: Vec::new() });
            }
            Some(Line::Command { shown, .. }) if in_console && !fence => shown.push(line.into()),
            _ => lines.push(Line::Text(line.into())),
        }
    }
    lines
}

/// The file that a block is.
fn named_file(fence: &str) -> Option<&str> {
    fence.trim_start().strip_prefix("```")?.split_once(' ').map(|(_, file)| file)
}

/// Spaces of tables, times, sizes, shares of the limit and bars say nothing about what a command does.
fn comparable(line: &str) -> String {
    static MEASURED: LazyLock<Regex> =
        LazyLock::new(|| Regex::new(r"\d[\d.]*\s?(ms|us|s|min|MiB|KiB|GiB|kB|MB)\b( \d+ %)?").unwrap());
    let text: String = line.chars().filter(|c| !"█─━┆│▶".contains(*c)).collect();
    let words: Vec<&str> = text.split_whitespace().collect();
    MEASURED.replace_all(&words.join(" "), "#").into_owned()
}

/// The first shown line that is not printed behind those before it.
fn missing_line<'a>(shown: &'a [String], printed: &str) -> Option<&'a str> {
    let mut printed = printed.lines().map(comparable);
    let shown = shown.iter().filter(|line| !["", "…"].contains(&line.trim()));
    let fits = |line: &str, other: String| match comparable(line).strip_suffix('…') {
        Some(start) => other.starts_with(start.trim_end()),
        None => other == comparable(line),
    };
    shown.map(String::as_str).find(|line| !printed.any(|other| fits(line, other)))
}

/// A directory with the files of the repository that the pages use.
fn create_place() -> tempfile::TempDir {
    let place = tempfile::tempdir_in(env!("CARGO_TARGET_TMPDIR")).unwrap();
    fs::create_dir(place.path().join("programs")).unwrap();
    symlink(env!("CARGO_BIN_EXE_kopek"), place.path().join("programs/kopek")).unwrap();
    for name in ["problems", "testdata"] {
        symlink(root().join(name), place.path().join(name)).unwrap();
    }
    place
}

/// Runs a command as a reader of the page would; its exit code, and what it prints.
fn run(line: &str, place: &Path, store: &Path) -> (i32, String) {
    let command = line.trim_start().trim_start_matches("$ ");
    let path = format!("{}:{}", place.join("programs").display(), env::var("PATH").unwrap());
    let mut shell = Command::new("sh");
    shell.arg("-c").arg(format!("{{ {command}\n}} 2>&1")).current_dir(place);
    let output = shell.env("PATH", path).env("KOPEK_STORE", store).output().unwrap();
    let code = output.status.code().expect("the command is not killed");
    (code, String::from_utf8_lossy(&output.stdout).into_owned())
}

/// `0 or 1` is for commands that report on the machine.
fn expected_codes(line: &str) -> Vec<i32> {
    let Some((_, codes)) = line.split_once("# exit code ") else { return vec![0] };
    codes.split(" or ").map(|code| code.trim().parse().expect("an exit code")).collect()
}

/// Whether submissions were not judged because their compiler is not installed, where that may be.
fn lacks_compiler(printed: &str) -> bool {
    env::var_os("KOPEK_REQUIRE_ALL").is_none()
        && [" needs ", " need ", "not found; "].iter().any(|sign| printed.contains(sign))
        && printed.contains("install")
}

/// Runs the commands of a page and returns its mistakes, and the page with the real output.
fn check(page: &str, store: &Path) -> (Vec<String>, String) {
    let place = create_place();
    let mut wrong = Vec::new();
    let mut renewed = String::new();
    for part in parse(page) {
        let (line, shown) = match part {
            Line::Command { line, shown } if !line.ends_with("$ cargo test") => (line, shown),
            Line::Command { line, .. } | Line::Text(line) => {
                writeln!(renewed, "{line}").unwrap();
                continue;
            }
            Line::File { fence, contents } => {
                let path = place.path().join(named_file(&fence).expect("the block was chosen by it"));
                fs::create_dir_all(path.parent().expect("it is below the place")).unwrap();
                let text: String = contents.iter().map(|line| format!("{line}\n")).collect();
                fs::write(path, &text).unwrap();
                write!(renewed, "{fence}\n{text}").unwrap();
                continue;
            }
        };
        let (code, printed) = run(&line, place.path(), store);
        writeln!(renewed, "{line}").unwrap();
        let skipped = code == 3 && lacks_compiler(&printed);
        if skipped {
            let mut terminal = io::stderr(); // the harness captures `eprintln!`
            writeln!(terminal, "SKIPPED: `{line}`, for want of a compiler").unwrap();
        } else if !expected_codes(&line).contains(&code) {
            wrong.push(format!("`{line}` ended with exit code {code}:\n{printed}"));
        }
        match missing_line(&shown, &printed) {
            Some(missing) if !skipped => {
                wrong.push(format!("`{line}` does not print `{missing}`, but:\n{printed}"));
                renewed.push_str(&printed);
            }
            _ => shown.iter().for_each(|line| writeln!(renewed, "{line}").unwrap()),
        }
    }
    (wrong, renewed)
}

#[test]
fn every_command_does_what_its_page_says() {
    let store = tempfile::tempdir_in(env!("CARGO_TARGET_TMPDIR")).unwrap();
    let mut wrong = String::new();
    for path in pages() {
        let page = fs::read_to_string(&path).unwrap();
        let (found, renewed) = check(&page, store.path());
        if env::var_os("KOPEK_UPDATE_PAGES").is_some() && renewed != page {
            fs::write(&path, renewed).unwrap();
        }
        found.iter().for_each(|text| writeln!(wrong, "{}: {text}", path.display()).unwrap());
    }
    assert!(wrong.is_empty(), "{wrong}");
}

#[test]
fn pages_that_lie_are_found() {
    let store = tempfile::tempdir().unwrap();
    let page = "```text a/b.txt\n1\n```\n```console\n$ cat a/b.txt\n1\n$ echo one; echo '2.5 s'; exit 3\none\n9.1 s\n$ echo two # exit code 1\ntwo\nthree\n```\n";
    let (wrong, renewed) = check(page, store.path());
    let starts = [
        "`$ echo one; echo '2.5 s'; exit 3` ended with exit code 3",
        "`$ echo two # exit code 1` ended",
        "`$ echo two # exit code 1` does not print `three`",
    ];
    assert!(
        wrong.len() == 3 && wrong.iter().zip(starts).all(|(text, start)| text.starts_with(start)),
        "{wrong:?}"
    );
    assert_eq!(renewed, page.replace("three\n", ""));
}

fn help_of(words: &[&str]) -> String {
    let output = Command::new(env!("CARGO_BIN_EXE_kopek")).args(words).arg("--help").output().unwrap();
    assert!(output.status.success(), "{words:?}");
    String::from_utf8(output.stdout).unwrap()
}

#[test]
fn pages_name_every_command_and_only_options_that_exist() {
    let text: String = pages().iter().map(|path| fs::read_to_string(path).unwrap()).collect();
    let list = help_of(&[]);
    // Behind the name of a group, or the room for it.
    let row = Regex::new(r"(?m)^(?:[A-Z][a-z ]{8}| {9}) ([a-z]+) +[A-Z]").unwrap();
    let commands: BTreeSet<String> = row.captures_iter(&list).map(|found| found[1].to_string()).collect();
    assert!(commands.len() > 15, "{list}");
    for command in &commands {
        assert!(text.contains(&format!("kopek {command}")), "no page names `kopek {command}`");
    }
    let others = [
        "--max-n",
        "--copies",
        "--no-install-recommends",
        "--user",
        "--userns",
        "--security-opt",
        "--path",
        "--bench",
        "--record",
        "--exclusive",
        "--partition",
        "--account",
        "--constraint",
        "--sshlogin",
        "--shard", // hidden in the help of `grade`
    ];
    let option = Regex::new(r"--[a-z]+(-[a-z]+)*").unwrap();
    let mut known: BTreeSet<String> = others.map(String::from).into();
    let hidden = ["merge", "man"].map(String::from); // not in the list
    for command in commands.iter().chain(&hidden) {
        known.extend(option.find_iter(&help_of(&[command])).map(|found| found.as_str().to_string()));
    }
    let unknown: BTreeSet<&str> =
        option.find_iter(&text).map(|found| found.as_str()).filter(|name| !known.contains(*name)).collect();
    assert!(unknown.is_empty(), "{unknown:?}");
}
